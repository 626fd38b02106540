package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ccField is a column of the ranking.
type ccField struct {
	token, head string
	width       int // below 0 the text stands on the left
	value       func(r *ccRow) string
}

// ccRow is a player in the ranking.
type ccRow struct {
	rank  int
	name  string
	tc    string
	p     *ccPlayer
	t     [3]int
	elo   float64
	error float64
}

// ccFields are the columns by their tokens. Tokens without a column print nothing, as
// those that cutechess-cli names and does not fill.
func ccFields() []ccField {
	number := func(f func(r *ccRow) int) func(*ccRow) string {
		return func(r *ccRow) string { return fmt.Sprint(f(r)) }
	}
	share := func(f func(r *ccRow) float64) func(*ccRow) string {
		return func(r *ccRow) string { return fmt.Sprintf("%6s%%", ccFloat(f(r)*100, 'f', 1)) }
	}
	bySeat := func(seat, at int) func(*ccRow) string {
		return number(func(r *ccRow) int { return r.p.seat[seat][at] })
	}
	end := func(k ccKind) func(*ccRow) string { return number(func(r *ccRow) int { return r.p.ends[k] }) }
	none := number(func(*ccRow) int { return 0 })
	draws := func(t [3]int) float64 { return float64(t[1]) / float64(sum(t)) }
	return []ccField{
		{"Rank", "Rank", 4, number(func(r *ccRow) int { return r.rank })},
		{"Name", "Name", -25, func(r *ccRow) string { return r.name }},
		{"Games", "Games", 7, number(func(r *ccRow) int { return sum(r.t) })},
		{"W", "Wins", 7, number(func(r *ccRow) int { return r.t[2] })},
		{"L", "Losses", 7, number(func(r *ccRow) int { return r.t[0] })},
		{"D", "Draws", 7, number(func(r *ccRow) int { return r.t[1] })},
		{"wW", "WWins", 7, bySeat(0, 2)},
		{"wL", "WLoss.", 7, bySeat(0, 0)},
		{"wD", "WDraws", 7, bySeat(0, 1)},
		{"bW", "BWins", 7, bySeat(1, 2)},
		{"bL", "BLoss.", 7, bySeat(1, 0)},
		{"bD", "BDraws", 7, bySeat(1, 1)},
		{"Points", "Points", 8, func(r *ccRow) string { return ccFloat(float64(2*r.t[2]+r.t[1])/2, 'f', 1) }},
		{"Score", "Score", 7, share(func(r *ccRow) float64 { return ccScore(r.t) })},
		{"DScore", "Draw", 7, share(func(r *ccRow) float64 { return draws(r.t) })},
		{"Elo", "Elo", 7, func(r *ccRow) string { return ccFloat(r.elo, 'f', 0) }},
		{"Error", "+/-", 7, func(r *ccRow) string { return ccFloat(r.error, 'f', 0) }},
		{"wScore", "White", 7, share(func(r *ccRow) float64 { return ccScore(r.p.seat[0]) })},
		{"wDScore", "WDraw", 7, share(func(r *ccRow) float64 { return draws(r.p.seat[0]) })},
		{"bScore", "Black", 7, share(func(r *ccRow) float64 { return ccScore(r.p.seat[1]) })},
		{"bDScore", "BDraw", 7, share(func(r *ccRow) float64 { return draws(r.p.seat[1]) })},
		{"Time", "Time", 7, end(ccTime)},
		{"Illegal", "Illegal", 7, end(ccIllegal)},
		{"Discon", "Discon", 7, end(ccDisconnect)},
		{"Stall", "Stall", 7, end(ccStall)},
		{"WrClaim", "WrClaim", 7, none},
		{"RegulL", "RegulL", 7, end(ccRegular)},
		{"RegulW", "RegulW", 7, number(func(r *ccRow) int { return r.p.wins[0] })},
		{"OtherW", "OtherW", 7, number(func(r *ccRow) int { return r.p.wins[1] })},
		{"DStale", "DStale", 7, end(ccDrawByRules)},
		{"DMater", "DMater", 7, none},
		{"DRepet", "DRepet", 7, none},
		{"DMoves", "DMoves", 7, none},
		{"DCount", "DCount", 7, none},
		{"DAdj", "DAdj", 7, end(ccDrawAdjudicated)},
		{"DAgree", "DAgree", 7, end(ccDrawAgreed)},
		{"OtherD", "OtherD", 7, none},
		{"TC", "TC", 14, func(r *ccRow) string { return r.tc }},
	}
}

// ccFormats are the named formats, ccGroups names within them.
func ccFormats() map[string]string {
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

func ccGroups() map[string]string {
	return map[string]string{
		"WLDStats":     "W,L,D,Points,Score,wW,wL,wD,wScore,bW,bL,bD,bScore",
		"DrawStats":    "DScore,DStale,DMater,DRepet,DMoves,DAdj,DAgree,OtherD",
		"Terminations": "Time,Illegal,Discon,Stall,WrClaim",
	}
}

// ccColumns returns the columns of a format.
func ccColumns(format string) []ccField {
	if named, ok := ccFormats()[format]; ok {
		format = named
	}
	for name, list := range ccGroups() {
		format = strings.ReplaceAll(format, name, list)
	}
	fields := ccFields()
	var out []ccField
	for token := range strings.SplitSeq(format, ",") {
		token = strings.ReplaceAll(token, " ", "")
		if i := slices.IndexFunc(fields, func(f ccField) bool { return f.token == token }); i >= 0 {
			out = append(out, fields[i])
		}
	}
	return out
}

// ranking lists the players: those who run a gauntlet, then by score, then those
// without games; who stands equal in the reverse of their order.
func (w *ccWatch) ranking(b *strings.Builder) {
	columns := ccColumns(strings.TrimSpace(w.o.resultFormat))
	for _, c := range columns {
		fmt.Fprintf(b, "%*s ", c.width, c.head)
	}
	b.WriteByte('\n')
	gauntlet := w.o.format == "gauntlet"
	seeds := min(max(w.o.seeds, 1), len(w.names)-1)
	type placed struct {
		key float64
		row ccRow
	}
	var list []placed
	for i := range w.table {
		r := ccRow{name: w.names[i], tc: w.o.engines[i].tc.String(), p: &w.table[i], t: w.table[i].all()}
		r.elo, r.error, _, _ = ccElo(r.t)
		key := -1.0
		if !gauntlet || i >= seeds {
			if key = 2; sum(r.t) > 0 {
				key = 1 - ccScore(r.t)
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
		for _, c := range columns {
			fmt.Fprintf(b, "%*s ", c.width, c.value(&x.row))
		}
		b.WriteByte('\n')
	}
}

// ccFormatHelp lists formats, fields and groups.
func ccFormatHelp() string {
	var b strings.Builder
	list := func(head string, of map[string]string) {
		fmt.Fprintf(&b, "%s:\n", head)
		for _, name := range slices.Sorted(maps.Keys(of)) {
			fmt.Fprintf(&b, "  %-13s %s\n", name, of[name])
		}
	}
	list("Formats", ccFormats())
	b.WriteString("Fields:\n ")
	for _, f := range ccFields() {
		b.WriteString(" " + f.token)
	}
	b.WriteByte('\n')
	list("Groups", ccGroups())
	return b.String()
}
