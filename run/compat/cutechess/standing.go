package cutechess

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/rating"
)

// Tally counts losses, draws and wins.
type Tally [3]int

// Games is how many games were counted.
func (t Tally) Games() int { return t[0] + t[1] + t[2] }

// Score is the share of the points, NaN without games.
func (t Tally) Score() float64 { return float64(2*t[2]+t[1]) / float64(2*t.Games()) }

// player is what is counted of a player: results by seat, and how games ended.
type player struct {
	seat     [2]Tally
	outcomes map[string]int
	ends     [DrawAgreed + 1]int // losses and draws by kind
	wins     [2]int              // regular ones, others
}

// all counts both seats.
func (p *player) all() (t Tally) {
	for i := range t {
		t[i] = p.seat[0][i] + p.seat[1][i]
	}
	return t
}

// Table counts the games of a run. White is the seat First, which moves first.
type Table struct {
	names, controls []string
	players         []player
}

// NewTable returns the table of players with these names and time controls.
func NewTable(names, controls []string) *Table {
	t := &Table{names: names, controls: controls}
	for range names {
		t.players = append(t.players, player{outcomes: map[string]int{}})
	}
	return t
}

// Tally returns the results of a player.
func (t *Table) Tally(i int) Tally { return t.players[i].all() }

// Count counts a game of two players.
func (t *Table) Count(first, second int, res game.Result, end End) {
	for seat, e := range [2]int{first, second} {
		p := &t.players[e]
		if end.Token == "*" {
			p.outcomes[end.Reason]++
			continue
		}
		at := int(2 * res.Points[seat])
		p.seat[seat][at]++
		switch at {
		case 0:
			p.ends[end.Kind]++
			p.outcomes["Loss: "+end.Reason]++
		case 1:
			p.ends[end.Kind]++
			p.outcomes[end.Reason]++
		case 2:
			other := 0
			if end.Kind.faulty() {
				other = 1
			}
			p.wins[other]++
			p.outcomes["Win: "+end.Reason]++
		}
	}
}

// ScoreLine is the score of two players as the first one sees it.
func ScoreLine(first, second string, t Tally) string {
	return fmt.Sprintf("Score of %s vs %s: %d - %d - %d  [%s] %d", first, second, t[2], t[0], t[1], Float(t.Score(), 'f', 3), t.Games())
}

// Float prints a number as cutechess-cli does: no sign before an exact zero, nan
// and inf in small letters.
func Float(x float64, form byte, digits int) string {
	switch {
	case x == 0:
		x = 0
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return fmt.Sprintf("%.*"+string(form), digits, x)
}

// elo returns rating difference, error, LOS in per cent and share of draws by
// cutechess's conventions: nan where it divides by nothing.
func elo(t Tally) (diff, margin, los, draws float64) {
	c := rating.Trinomial(t[0], t[1], t[2])
	e := c.EstimateBy(rating.CutechessWay)
	if math.IsInf(e.Error, 0) {
		e.Error = math.NaN()
	}
	w, l := float64(t[2]), float64(t[0])
	los = 50 + 50*math.Erf((w-l)/math.Sqrt(2*(w+l))) // also where all games went one way
	return e.Elo, e.Error, los, float64(t[1]) / float64(t.Games())
}

// Outcomes lists how games ended for each player.
func (t *Table) Outcomes() string {
	var b strings.Builder
	for i := range t.players {
		fmt.Fprintf(&b, "\nPlayer: %s", t.names[i])
		for _, text := range slices.Sorted(maps.Keys(t.players[i].outcomes)) {
			fmt.Fprintf(&b, "\n   \"%s\": %d", text, t.players[i].outcomes[text])
		}
	}
	return b.String()
}

// Results is how the run stands: two players as the first one sees them, or a ranking.
func (t *Table) Results(r Ranking) string {
	var b strings.Builder
	if len(t.names) == 2 {
		t.pair(&b)
	} else {
		t.ranking(&b, r)
	}
	return b.String()
}

// TestLine is how a sequential test stands; nil is none.
func TestLine(q *rating.Sequence) string {
	llr, lower, upper, verdict := 0.0, math.Inf(-1), math.Inf(1), ""
	if q != nil {
		llr = q.LLR()
		lower, upper = q.Bounds()
		switch q.Decision() {
		case rating.AcceptH0:
			verdict = " - H0 was accepted"
		case rating.AcceptH1:
			verdict = " - H1 was accepted"
		}
	}
	return fmt.Sprintf("SPRT: llr %s (%s%%), lbound %s, ubound %s%s", Float(llr, 'g', 3), Float(llr/upper*100, 'f', 1),
		Float(lower, 'g', 3), Float(upper, 'g', 3), verdict)
}

// pair prints the results of two players, as the first one sees them.
func (t *Table) pair(b *strings.Builder) {
	p := &t.players[0]
	line := func(who string, n Tally) {
		if n.Games() > 0 {
			fmt.Fprintf(b, "...      %s: %d - %d - %d  [%s] %d\n", who, n[2], n[0], n[1], Float(n.Score(), 'f', 3), n.Games())
		}
	}
	line(t.names[0]+" playing White", p.seat[0])
	line(t.names[0]+" playing Black", p.seat[1])
	line("White vs Black", Tally{p.seat[0][0] + p.seat[1][2], p.seat[0][1] + p.seat[1][1], p.seat[0][2] + p.seat[1][0]})
	diff, margin, los, draws := elo(p.all())
	fmt.Fprintf(b, "Elo difference: %s +/- %s, LOS: %s %%, DrawRatio: %s %%", Float(diff, 'f', 1), Float(margin, 'f', 1),
		Float(los, 'f', 1), Float(draws*100, 'f', 1))
}
