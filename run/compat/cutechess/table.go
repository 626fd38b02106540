package cutechess

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kibitz/run/compat"
)

// field is a column of the ranking.
type field struct {
	token, head string
	width       int // below 0 the text stands on the left
	value       func(r *row) string
}

// row is a player in the ranking.
type row struct {
	rank  int
	name  string
	tc    string
	p     *player
	t     compat.Tally
	elo   float64
	error float64
}

// fields are the columns by their tokens. Tokens without a column print nothing, as
// those that cutechess-cli names and does not fill.
func fields() []field {
	number := func(f func(r *row) int) func(*row) string {
		return func(r *row) string { return fmt.Sprint(f(r)) }
	}
	share := func(f func(r *row) float64) func(*row) string {
		return func(r *row) string { return fmt.Sprintf("%6s%%", compat.Float(f(r)*100, 'f', 1)) }
	}
	bySeat := func(seat, at int) func(*row) string {
		return number(func(r *row) int { return r.p.seat[seat][at] })
	}
	end := func(k Kind) func(*row) string { return number(func(r *row) int { return r.p.ends[k] }) }
	none := number(func(*row) int { return 0 })
	draws := func(t compat.Tally) float64 { return float64(t[1]) / float64(t.Games()) }
	return []field{
		{"Rank", "Rank", 4, number(func(r *row) int { return r.rank })},
		{"Name", "Name", -25, func(r *row) string { return r.name }},
		{"Games", "Games", 7, number(func(r *row) int { return r.t.Games() })},
		{"W", "Wins", 7, number(func(r *row) int { return r.t[2] })},
		{"L", "Losses", 7, number(func(r *row) int { return r.t[0] })},
		{"D", "Draws", 7, number(func(r *row) int { return r.t[1] })},
		{"wW", "WWins", 7, bySeat(0, 2)},
		{"wL", "WLoss.", 7, bySeat(0, 0)},
		{"wD", "WDraws", 7, bySeat(0, 1)},
		{"bW", "BWins", 7, bySeat(1, 2)},
		{"bL", "BLoss.", 7, bySeat(1, 0)},
		{"bD", "BDraws", 7, bySeat(1, 1)},
		{"Points", "Points", 8, func(r *row) string { return compat.Float(r.t.Points(), 'f', 1) }},
		{"Score", "Score", 7, share(func(r *row) float64 { return r.t.Score() })},
		{"DScore", "Draw", 7, share(func(r *row) float64 { return draws(r.t) })},
		{"Elo", "Elo", 7, func(r *row) string { return compat.Float(r.elo, 'f', 0) }},
		{"Error", "+/-", 7, func(r *row) string { return compat.Float(r.error, 'f', 0) }},
		{"wScore", "White", 7, share(func(r *row) float64 { return r.p.seat[0].Score() })},
		{"wDScore", "WDraw", 7, share(func(r *row) float64 { return draws(r.p.seat[0]) })},
		{"bScore", "Black", 7, share(func(r *row) float64 { return r.p.seat[1].Score() })},
		{"bDScore", "BDraw", 7, share(func(r *row) float64 { return draws(r.p.seat[1]) })},
		{"Time", "Time", 7, end(OnTime)},
		{"Illegal", "Illegal", 7, end(Illegal)},
		{"Discon", "Discon", 7, end(Disconnected)},
		{"Stall", "Stall", 7, end(Stalled)},
		{"WrClaim", "WrClaim", 7, none},
		{"RegulL", "RegulL", 7, end(Regular)},
		{"RegulW", "RegulW", 7, number(func(r *row) int { return r.p.wins[0] })},
		{"OtherW", "OtherW", 7, number(func(r *row) int { return r.p.wins[1] })},
		{"DStale", "DStale", 7, end(DrawByRules)},
		{"DMater", "DMater", 7, none},
		{"DRepet", "DRepet", 7, none},
		{"DMoves", "DMoves", 7, none},
		{"DCount", "DCount", 7, none},
		{"DAdj", "DAdj", 7, end(DrawAdjudicated)},
		{"DAgree", "DAgree", 7, end(DrawAgreed)},
		{"OtherD", "OtherD", 7, none},
		{"TC", "TC", 14, func(r *row) string { return r.tc }},
	}
}

// formats are the named formats, groups names within them.
func formats() map[string]string {
	return map[string]string{
		"minimal":     "Rank,Name",
		"small":       "Rank,Name,Games,Points",
		"short":       "Rank,Name,Elo,Games",
		"concise":     "Rank,Name,Elo,Error,Games",
		"default":     "Rank,Name,Elo,Error,Games,Score,DScore",
		"with-points": "Rank,Name,Elo,Error,Games,Points,Score,DScore",
		"wide":        "Rank,Name,Elo,Error,Games,W,L,D,Points,Score,DScore",
		"wide2":       "Rank,Name,Elo,Error,Games,W,L,D,Points,Score,DScore,wScore,bScore",
		"per-color":   "Rank,Name,Elo,Error,Games,W,L,D,Points,wW,wL,wD,bW,bL,bD",
		"ordo":        "Rank,Name,Elo,Points,Games,Score",
		"term":        "Rank,Name,Elo,Error,Games,Score,Time,Illegal,Discon,Stall,WrClaim",
		"draws":       "Rank,Name,Elo,Error,Games,W,L,D,Points,Score,DScore,DStale,DMater,DRepet,DMoves,DAdj,DAgree,OtherD",
		"wide3":       "Rank,Name,TC,Elo,Error,Games,WLDStats,DrawStats,Terminations",
	}
}

func groups() map[string]string {
	return map[string]string{
		"WLDStats":     "W,L,D,Points,Score,wW,wL,wD,wScore,bW,bL,bD,bScore",
		"DrawStats":    "DScore,DStale,DMater,DRepet,DMoves,DAdj,DAgree,OtherD",
		"Terminations": "Time,Illegal,Discon,Stall,WrClaim",
	}
}

func columns(format string) []field {
	if named, ok := formats()[format]; ok {
		format = named
	}
	for name, list := range groups() {
		format = strings.ReplaceAll(format, name, list)
	}
	list := fields()
	var out []field
	for token := range strings.SplitSeq(format, ",") {
		token = strings.ReplaceAll(token, " ", "")
		if i := slices.IndexFunc(list, func(f field) bool { return f.token == token }); i >= 0 {
			out = append(out, list[i])
		}
	}
	return out
}

// ranking says how more than two players are listed.
type ranking struct {
	// Format is a named format or a list of tokens.
	Format string
	// Gauntlet tells that the first Seeds players run one.
	Gauntlet bool
	Seeds    int
}

// ranking lists the players: those who run a gauntlet, then by score, then those
// without games; who stands equal in the reverse of their order.
func (t *table) ranking(b *strings.Builder, o ranking) {
	shown := columns(strings.TrimSpace(o.Format))
	for _, c := range shown {
		fmt.Fprintf(b, "%*s ", c.width, c.head)
	}
	b.WriteByte('\n')
	gauntlet := o.Gauntlet
	seeds := min(max(o.Seeds, 1), len(t.names)-1)
	type placed struct {
		key float64
		row row
	}
	var list []placed
	for i := range t.players {
		r := row{name: t.names[i], tc: t.controls[i], p: &t.players[i], t: t.players[i].all()}
		r.elo, r.error, _, _ = elo(r.t)
		key := -1.0
		if !gauntlet || i >= seeds {
			if key = 2; r.t.Games() > 0 {
				key = 1 - r.t.Score()
			}
		}
		list = append(list, placed{key, r})
	}
	slices.Reverse(list)
	slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(a.key, b.key) })
	for i, x := range list {
		if x.row.rank = i + 1; gauntlet {
			x.row.rank = i
		}
		for _, c := range shown {
			fmt.Fprintf(b, "%*s ", c.width, c.value(&x.row))
		}
		b.WriteByte('\n')
	}
}

// formatHelp lists formats, fields and groups.
func formatHelp() string {
	var b strings.Builder
	list := func(head string, of map[string]string) {
		fmt.Fprintf(&b, "%s:\n", head)
		for _, name := range slices.Sorted(maps.Keys(of)) {
			fmt.Fprintf(&b, "  %-13s %s\n", name, of[name])
		}
	}
	list("Formats", formats())
	b.WriteString("Fields:\n ")
	for _, f := range fields() {
		b.WriteString(" " + f.token)
	}
	b.WriteByte('\n')
	list("Groups", groups())
	return b.String()
}
