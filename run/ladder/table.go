package ladder

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"kibitz/rating"
)

// ladderPlace is one side of a ladder with its rating.
type ladderPlace struct {
	rungSide
	games int
	// elo counts from the lowest level, error is that of 95 %; not finite for a side
	// that nothing but wins or losses ties to the rest.
	elo, error float64
}

// rateLadder rates all sides of a ladder by all their games, the strongest first. The
// lowest level has 0.
func rateLadder(done []climbed) []ladderPlace {
	var list []ladderPlace
	at := func(s rungSide) int {
		i := slices.IndexFunc(list, func(x ladderPlace) bool { return x.name == s.name })
		if i < 0 {
			i = len(list)
			list = append(list, ladderPlace{rungSide: s})
		}
		return i
	}
	var duels []rating.Duel
	for _, c := range done {
		d := rating.Duel{First: at(c.upper), Second: at(c.lower), Wins: float64(c.wins), Draws: float64(c.draws), Losses: float64(c.losses)}
		list[d.First].games += c.games()
		list[d.Second].games += c.games()
		duels = append(duels, d)
	}
	base := 0
	for i, s := range list {
		if s.level > 0 && (list[base].level == 0 || s.level < list[base].level) {
			base = i
		}
	}
	field := rating.BradleyTerry()
	field.Anchors = map[int]float64{base: 0}
	r, err := field.Rate(len(list), duels)
	for i := range list {
		list[i].elo, list[i].error = math.NaN(), math.NaN()
		if err == nil {
			list[i].elo, list[i].error = r.Elo[i], r.Error[i]
		}
	}
	list[base].elo = 0
	slices.SortStableFunc(list, func(a, b ladderPlace) int {
		if c := cmp.Compare(b.elo, a.elo); c != 0 {
			return c
		}
		return cmp.Compare(b.level, a.level)
	})
	return list
}

// rated is the rating as text, or a dash.
func (s ladderPlace) rated() string {
	switch {
	case s.elo == 0:
		return "0"
	case math.IsNaN(s.elo) || math.IsInf(s.elo, 0):
		return "-"
	case math.IsNaN(s.error):
		return fmt.Sprintf("%.0f", s.elo)
	}
	return fmt.Sprintf("%.0f ± %.0f", s.elo, s.error)
}

// printLadder prints the rungs and the ratings for a terminal.
func printLadder(out io.Writer, done []climbed) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "upper\tlower\twon\tdrawn\tlost\tforfeits\tElo between them")
	for _, c := range done {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%s\n", c.upper.name, c.lower.name, c.wins, c.draws, c.losses, c.faults, c.difference())
	}
	fmt.Fprintln(w, "\nengine\tgames\tElo above the lowest level")
	for _, s := range rateLadder(done) {
		fmt.Fprintf(w, "%s\t%d\t%s\n", s.name, s.games, s.rated())
	}
	w.Flush()
	fmt.Fprintln(out)
}

// section is the part of the page on one game, without its marks.
func (c *Options) section(now time.Time, done []climbed) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, `%s`, %d games a rung, each opening of the suite or shuffle played twice with seats exchanged",
		now.Format(time.DateOnly), c.Each, c.Games)
	if c.Note != "" {
		fmt.Fprintf(&b, "; %s", c.Note)
	}
	b.WriteString(".\n\n| | against | won | drawn | lost | forfeits | Elo between them |\n|---|---|---|---|---|---|---|\n")
	for _, p := range done {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %s |\n", p.upper.name, p.lower.name, p.wins, p.draws, p.losses, p.faults, p.difference())
	}
	b.WriteString("\n| engine | games | Elo above the lowest level |\n|---|---|---|\n")
	for _, s := range rateLadder(done) {
		fmt.Fprintf(&b, "| %s | %d | %s |\n", s.name, s.games, s.rated())
	}
	return b.String()
}

// ladderHead begins a page that is not there yet.
const ladderHead = `# How strong the built-in engines are

Each level plays the next one, and outside engines play the levels they are set against. ` + "`kibitz gauntlet-self`" + ` plays on where it was broken off and renews these tables.
Errors are those of 95 %. Where one side won everything only a bound is known, and what lies above such a rung has no rating.
`

// insertLadder puts the section of a game into a page: in the place of the one before,
// or at the end.
func insertLadder(page, game, text string) string {
	begin, end := "<!-- ladder "+game+" -->\n", "<!-- end -->\n"
	text = begin + "\n" + text + "\n" + end
	page = cmp.Or(page, ladderHead)
	if before, rest, ok := strings.Cut(page, begin); ok {
		if _, after, ok := strings.Cut(rest, end); ok {
			return before + text + after
		}
	}
	return page + "\n## " + game + "\n\n" + text
}
