package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/rating"
	"kibitz/rules"
	"kibitz/run/compat/cutechess"
	"kibitz/tournament"
)

// ccWatch tells of a run in the lines of cutechess-cli. White is the seat First,
// which moves first.
type ccWatch struct {
	a     *app
	o     *ccOptions
	rules rules.Rules
	// schedule hands out the games, knockout is set in that format.
	schedule tournament.Scheduler
	knockout *cutechess.Knockout
	run      *foreign
	names    []string
	files    *ccFiles
	// openings are those of the run.
	openings []opening
	begin    time.Time

	mu    sync.Mutex
	table []ccPlayer
	over  int
	sprt  *rating.Sequence
}

// ccPlayer is what is counted of a player: by seat losses, draws and wins, and how
// games ended.
type ccPlayer struct {
	seat     [2][3]int
	outcomes map[string]int
	ends     [ccDrawAgreed + 1]int // losses and draws by kind
	wins     [2]int                // regular ones, others
}

func newCCWatch(a *app, o *ccOptions) *ccWatch {
	w := &ccWatch{a: a, o: o, begin: a.now()}
	w.names = o.names()
	for range o.engines {
		w.table = append(w.table, ccPlayer{outcomes: map[string]int{}})
	}
	w.files = newCCFiles(w)
	return w
}

func (w *ccWatch) say(format string, args ...any) { fmt.Fprintf(w.a.stdout, format+"\n", args...) }

func (w *ccWatch) warned(text string) { fmt.Fprintf(w.a.stderr, "Warning: %s\n", text) }

// ordered says nothing: the other program has no orders.
func (w *ccWatch) ordered(string) {}

func (w *ccWatch) began(p *playedGame) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.say("Started game %d of %d (%s vs %s)", p.pairing.Index+1, w.schedule.Len(), w.names[p.pairing.First], w.names[p.pairing.Second])
}

func (w *ccWatch) finished(d *finishedGame) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.take(d, ccEndOf(d.playedGame))
	if len(w.names) == 2 {
		w.say("%s", ccScoreLine(w.names[0], w.names[1], w.table[0].all()))
	}
	if n := w.o.ratingInterval; n > 0 && w.over%n == 0 {
		w.say("%s", w.results())
	}
	if n := w.o.outcomeInterval; n > 0 && w.over%n == 0 {
		w.say("%s", w.outcomes())
	}
}

// take counts a game, writes it into the files and tells how it ended.
func (w *ccWatch) take(d *finishedGame, end ccEnd) {
	w.count(d.playedGame, end)
	w.sprt = d.sprt
	lines := trafficOf(d.log)
	w.files.add(d.playedGame, end, lines)
	if w.o.debug {
		w.traffic(d.playedGame, lines)
	}
	w.say("Finished game %d (%s vs %s): %s {%s}", d.pairing.Index+1, w.names[d.pairing.First], w.names[d.pairing.Second], end.token,
		end.reason)
	if (end.kind == ccDisconnect || end.kind == ccStall) && !w.o.recovering {
		w.run.enough = true
	}
	w.over++
}

// ccScoreLine is the score of two players as the first one sees it.
func ccScoreLine(first, second string, t [3]int) string {
	return fmt.Sprintf("Score of %s vs %s: %d - %d - %d  [%s] %d", first, second, t[2], t[0], t[1], ccFloat(ccScore(t), 'f', 3), sum(t))
}

func (w *ccWatch) ended(*summaryLine) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := w.o.ratingInterval; n == 0 || w.over%n != 0 {
		w.say("%s", w.results())
	}
	if n := w.o.outcomeInterval; n == 0 || w.over%n != 0 {
		w.say("%s", w.outcomes())
	}
	w.say("Finished match")
}

// traffic prints the lines of a game for -debug: milliseconds since the run began,
// the direction and the engine.
func (w *ccWatch) traffic(p *playedGame, lines []trafficLine) {
	since := p.began.Sub(w.begin)
	for _, l := range lines {
		if l.mark == '>' || l.mark == '<' {
			e := [2]int{p.pairing.First, p.pairing.Second}[l.seat]
			w.say("%d %c%s(%d): %s", (since + l.at).Milliseconds(), l.mark, w.names[e], e, l.text)
		}
	}
}

// count counts a game for both players.
func (w *ccWatch) count(p *playedGame, end ccEnd) {
	res := p.outcome.Result
	for seat, e := range [2]int{p.pairing.First, p.pairing.Second} {
		t := &w.table[e]
		if end.token == "*" {
			t.outcomes[end.reason]++
			continue
		}
		at := int(2 * res.Points[seat])
		t.seat[seat][at]++
		switch at {
		case 0:
			t.ends[end.kind]++
			t.outcomes["Loss: "+end.reason]++
		case 1:
			t.ends[end.kind]++
			t.outcomes[end.reason]++
		case 2:
			other := 0
			if end.kind.faulty() {
				other = 1
			}
			t.wins[other]++
			t.outcomes["Win: "+end.reason]++
		}
	}
}

// all counts both seats.
func (p *ccPlayer) all() (t [3]int) {
	for i := range t {
		t[i] = p.seat[0][i] + p.seat[1][i]
	}
	return t
}

func sum(t [3]int) int { return t[0] + t[1] + t[2] }

// ccScore is the share of the points, NaN without games.
func ccScore(t [3]int) float64 { return float64(2*t[2]+t[1]) / float64(2*sum(t)) }

// ccFloat prints a number as cutechess-cli does: no sign before an exact zero, nan
// and inf in small letters.
func ccFloat(x float64, form byte, digits int) string {
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

// ccElo returns rating difference, error, LOS in per cent and share of draws by
// cutechess's conventions: nan where it divides by nothing.
func ccElo(t [3]int) (elo, margin, los, draws float64) {
	c := rating.Trinomial(t[0], t[1], t[2])
	e := c.EstimateBy(rating.CutechessWay)
	if math.IsInf(e.Error, 0) {
		e.Error = math.NaN()
	}
	w, l := float64(t[2]), float64(t[0])
	los = 50 + 50*math.Erf((w-l)/math.Sqrt(2*(w+l))) // also where all games went one way
	return e.Elo, e.Error, los, float64(t[1]) / float64(sum(t))
}

// outcomes lists how games ended for each player.
func (w *ccWatch) outcomes() string {
	var b strings.Builder
	for i := range w.table {
		fmt.Fprintf(&b, "\nPlayer: %s", w.names[i])
		for _, text := range slices.Sorted(maps.Keys(w.table[i].outcomes)) {
			fmt.Fprintf(&b, "\n   \"%s\": %d", text, w.table[i].outcomes[text])
		}
	}
	return b.String()
}

// results is how the run stands.
func (w *ccWatch) results() string {
	if w.knockout != nil {
		return w.knockout.Bracket(w.names)
	}
	var b strings.Builder
	if len(w.names) == 2 {
		w.pairResults(&b)
	} else {
		w.ranking(&b)
	}
	llr, lower, upper, verdict := 0.0, math.Inf(-1), math.Inf(1), ""
	if q := w.sprt; q != nil {
		llr = q.LLR()
		lower, upper = q.Bounds()
		switch q.Decision() {
		case rating.AcceptH0:
			verdict = " - H0 was accepted"
		case rating.AcceptH1:
			verdict = " - H1 was accepted"
		}
	}
	fmt.Fprintf(&b, "\nSPRT: llr %s (%s%%), lbound %s, ubound %s%s", ccFloat(llr, 'g', 3), ccFloat(llr/upper*100, 'f', 1),
		ccFloat(lower, 'g', 3), ccFloat(upper, 'g', 3), verdict)
	return b.String()
}

// pairResults are those of two players, as the first one sees them.
func (w *ccWatch) pairResults(b *strings.Builder) {
	p := &w.table[0]
	line := func(who string, t [3]int) {
		if sum(t) > 0 {
			fmt.Fprintf(b, "...      %s: %d - %d - %d  [%s] %d\n", who, t[2], t[0], t[1], ccFloat(ccScore(t), 'f', 3), sum(t))
		}
	}
	line(w.names[0]+" playing White", p.seat[0])
	line(w.names[0]+" playing Black", p.seat[1])
	line("White vs Black", [3]int{p.seat[0][0] + p.seat[1][2], p.seat[0][1] + p.seat[1][1], p.seat[0][2] + p.seat[1][0]})
	elo, margin, los, draws := ccElo(p.all())
	fmt.Fprintf(b, "Elo difference: %s +/- %s, LOS: %s %%, DrawRatio: %s %%", ccFloat(elo, 'f', 1), ccFloat(margin, 'f', 1),
		ccFloat(los, 'f', 1), ccFloat(draws*100, 'f', 1))
}

// ccEndOf puts a result into cutechess-cli's words.
func ccEndOf(p *playedGame) ccEnd {
	res := p.outcome.Result
	if res.Points == [2]float64{} { // neither became ready
		return ccEnd{token: "*", kind: ccDisconnect, reason: "No result"}
	}
	e := ccEnd{token: "1/2-1/2"}
	winner, loser := "", ""
	switch res.Winner() {
	case game.First:
		e.token, winner, loser = "1-0", "White", "Black"
	case game.Second:
		e.token, winner, loser = "0-1", "Black", "White"
	}
	drawn := winner == ""
	switch res.Reason {
	case game.ByTime:
		e.kind, e.reason = ccTime, loser+" loses on time"
	case game.ByIllegal:
		e.kind, e.reason = ccIllegal, loser+" makes an illegal move"
		if a := answerOf(p); a != "" {
			e.reason += ": " + a
		}
	case game.ByCrash, game.ByDisconnect, game.ByResource, game.ByStart, game.ByProtocol:
		e.kind, e.reason = ccDisconnect, loser+" disconnects"
	case game.ByStall:
		e.kind, e.reason = ccStall, loser+"'s connection stalls"
	case game.ByResign:
		e.reason = loser + " resigns"
	case game.ByAgreement:
		e.kind, e.reason = ccDrawAgreed, "Draw by agreement"
		if !drawn {
			e.kind, e.reason = ccRegular, winner+" wins by agreement"
		}
	case game.ByAdjudication:
		e.kind, e.reason = ccDrawAdjudicated, "Draw by adjudication"
		if !drawn {
			e.kind, e.reason = ccRegular, winner+" wins by adjudication"
		} else if strings.HasPrefix(res.Detail, "the limit of ") {
			e.reason += ": maximal game length"
		}
	default:
		e.reason = winner + " wins"
		if drawn {
			e.kind, e.reason = ccDrawByRules, "Draw by stalemate"
			if res.Reason != "full" {
				e.reason = "Drawn game"
			}
		}
	}
	return e
}
