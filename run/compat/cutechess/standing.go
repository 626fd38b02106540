package cutechess

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/rating"
	"kibitz/run/compat"
)

// player is what is counted of a player: results by seat, and how games ended.
type player struct {
	seat     [2]compat.Tally
	outcomes map[string]int
	ends     [DrawAgreed + 1]int // losses and draws by kind
	wins     [2]int              // regular ones, others
}

// all counts both seats.
func (p *player) all() (t compat.Tally) {
	for i := range t {
		t[i] = p.seat[0][i] + p.seat[1][i]
	}
	return t
}

// table counts the games of a run. White is the seat First, which moves first.
type table struct {
	names, controls []string
	players         []player
}

// newTable returns the table of players with these names and time controls.
func newTable(names, controls []string) *table {
	t := &table{names: names, controls: controls}
	for range names {
		t.players = append(t.players, player{outcomes: map[string]int{}})
	}
	return t
}

// count counts a game of two players.
func (t *table) count(first, second int, res game.Result, end End) {
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

// elo returns rating difference, error, LOS in per cent and share of draws by
// cutechess's conventions: nan where it divides by nothing.
func elo(t compat.Tally) (diff, margin, los, draws float64) {
	c := rating.Trinomial(t[0], t[1], t[2])
	e := c.EstimateBy(rating.CutechessWay)
	if math.IsInf(e.Error, 0) {
		e.Error = math.NaN()
	}
	w, l := float64(t[2]), float64(t[0])
	los = 50 + 50*math.Erf((w-l)/math.Sqrt(2*(w+l))) // also where all games went one way
	return e.Elo, e.Error, los, float64(t[1]) / float64(t.Games())
}

// outcomes lists how games ended for each player.
func (t *table) outcomes() string {
	var b strings.Builder
	for i := range t.players {
		fmt.Fprintf(&b, "\nPlayer: %s", t.names[i])
		for _, text := range slices.Sorted(maps.Keys(t.players[i].outcomes)) {
			fmt.Fprintf(&b, "\n   \"%s\": %d", text, t.players[i].outcomes[text])
		}
	}
	return b.String()
}

// results is how the run stands: two players as the first one sees them, or a ranking.
func (t *table) results(r ranking) string {
	var b strings.Builder
	if len(t.names) == 2 {
		t.pair(&b)
	} else {
		t.ranking(&b, r)
	}
	return b.String()
}

// testLine is how a sequential test stands; nil is none.
func testLine(q *rating.Sequence) string {
	llr, lower, upper := 0.0, math.Inf(-1), math.Inf(1)
	if q != nil {
		llr = q.LLR()
		lower, upper = q.Bounds()
	}
	return fmt.Sprintf("SPRT: llr %s (%s%%), lbound %s, ubound %s%s", compat.Float(llr, 'g', 3), compat.Float(llr/upper*100, 'f', 1),
		compat.Float(lower, 'g', 3), compat.Float(upper, 'g', 3), compat.Decided(q, " - ", " was accepted"))
}

// pair prints the results of two players, as the first one sees them.
func (t *table) pair(b *strings.Builder) {
	p := &t.players[0]
	line := func(who string, n compat.Tally) {
		if n.Games() > 0 {
			fmt.Fprintf(b, "...      %s: %v\n", who, n)
		}
	}
	line(t.names[0]+" playing White", p.seat[0])
	line(t.names[0]+" playing Black", p.seat[1])
	line("White vs Black", compat.Tally{p.seat[0][0] + p.seat[1][2], p.seat[0][1] + p.seat[1][1], p.seat[0][2] + p.seat[1][0]})
	diff, margin, los, draws := elo(p.all())
	fmt.Fprintf(b, "Elo difference: %s +/- %s, LOS: %s %%, DrawRatio: %s %%", compat.Float(diff, 'f', 1), compat.Float(margin, 'f', 1),
		compat.Float(los, 'f', 1), compat.Float(draws*100, 'f', 1))
}
