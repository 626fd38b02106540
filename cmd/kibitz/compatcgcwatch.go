package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/games/gomoku"
	"kibitz/protocol/piskvork"
	"kibitz/rating"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/result"
)

// cgcWatch tells of a run in the lines of c-gomoku-cli.
type cgcWatch struct {
	a     *app
	o     *cgcOptions
	rules rules.Rules
	about []piskvork.Identity
	names []string
	jobs  []cgcJob
	files *cgcFiles
	begin time.Time

	mu     sync.Mutex
	loaded map[int][2]int    // by slot: the engines that its games have started
	tally  map[[2]int][3]int // by pair: losses, draws and wins of its first
	// started and over count games.
	started, over int
	failed        bool // an engine crashed or hung
	run           *run.Compat
}

// newCGCWatch names the engines as c-gomoku-cli does: as the options say, else as
// they say themselves, else by their command.
func newCGCWatch(a *app, o *cgcOptions, about []piskvork.Identity) *cgcWatch {
	w := &cgcWatch{a: a, o: o, about: about, begin: a.now(), loaded: map[int][2]int{}, tally: map[[2]int][3]int{}}
	for i := range o.engines {
		name := o.engines[i].name
		if name == "" {
			name = about[i].Name
		}
		if name == "" {
			name = o.engines[i].cmd
		}
		w.names = append(w.names, printable(name))
	}
	w.files = newCGCFiles(w)
	return w
}

func (w *cgcWatch) say(format string, args ...any) { fmt.Fprintf(w.a.stdout, format+"\n", args...) }

func (w *cgcWatch) Warned(text string) { fmt.Fprintf(w.a.stderr, "kibitz: %s\n", text) }

// ordered says nothing: the other program has no orders.
func (w *cgcWatch) Ordered(string) {}

func (w *cgcWatch) Ended(*result.Summary) {}

// seats returns the names of black and white.
func (w *cgcWatch) seats(p *run.Game) (black, white string) {
	return w.names[p.Pairing.First], w.names[p.Pairing.Second]
}

func (w *cgcWatch) Began(p *run.Game) {
	w.mu.Lock()
	defer w.mu.Unlock()
	j := w.jobs[p.Pairing.Index]
	at, ok := w.loaded[p.Slot]
	for i, e := range j.engines {
		if !ok || at[i] != e {
			id := &w.about[e]
			w.say("[%d] Load engine: %s (version %s) by %s, %s", p.Slot+1, orMark(id.Name), orMark(id.Version), orMark(id.Author),
				orMark(id.Country))
		}
	}
	w.loaded[p.Slot] = j.engines
	w.started++
	black, white := w.seats(p)
	w.say("[%d] Started game %d of %d (%s vs %s)", p.Slot+1, p.Pairing.Index+1, len(w.jobs), black, white)
}

func orMark(s string) string {
	if s == "" {
		return "?"
	}
	return printable(s)
}

func (w *cgcWatch) Finished(d *run.Finished) {
	w.mu.Lock()
	defer w.mu.Unlock()
	end := cgcEndOf(d.Game)
	w.fault(d.Game, end)
	if end.fault == "crashed" || end.fault == "timeout" { // it is started anew
		at := w.loaded[d.Slot]
		for i, e := range at {
			if e == [2]int{d.Pairing.First, d.Pairing.Second}[end.winner.Other()] {
				at[i] = -1
			}
		}
		w.loaded[d.Slot] = at
	}
	w.files.add(d.Game, end)
	black, white := w.seats(d.Game)
	w.say("[%d] Finished game %d (%s vs %s): %s {%s}", d.Slot+1, d.Pairing.Index+1, black, white, end.token("1-0", "0-1"), end.reason)
	w.score(d)
	if d.Test != nil {
		w.say("%s", cgcSPRTLine(d.Test))
	}
	w.over++
	if len(w.names) > 2 && w.over%w.o.games == 0 {
		w.update()
	}
}

// score counts a game and prints how its pair stands.
func (w *cgcWatch) score(d *run.Finished) {
	pair := w.jobs[d.Pairing.Index].engines
	t := w.tally[pair]
	t[w.outcome(d.Game)]++
	w.tally[pair] = t
	w.say("Score of %s", w.pairLine(pair))
}

// outcome is 0, 1 or 2 for a loss, draw or win of the first of the pair.
func (w *cgcWatch) outcome(p *run.Game) int {
	seat := game.First
	if p.Pairing.First != w.jobs[p.Pairing.Index].engines[0] {
		seat = game.Second
	}
	return int(2 * p.Outcome.Result.Points[seat])
}

// pairLine is "A vs B: W - L - D  [score] games".
func (w *cgcWatch) pairLine(pair [2]int) string {
	t := w.tally[pair]
	n := t[0] + t[1] + t[2]
	return fmt.Sprintf("%s vs %s: %d - %d - %d  [%.3f] %d", w.names[pair[0]], w.names[pair[1]], t[2], t[0], t[1],
		(float64(t[2])+0.5*float64(t[1]))/float64(n), n)
}

// update prints the table of a tournament.
func (w *cgcWatch) update() {
	w.say("Tournament update:")
	shown := map[[2]int]bool{}
	for i := range w.jobs {
		pair := w.jobs[i].engines
		if t := w.tally[pair]; shown[pair] || t == [3]int{} {
			continue
		}
		shown[pair] = true
		w.say("%s", w.pairLine(pair))
	}
	if w.started < len(w.jobs) {
		speed := float64(w.started) / max(float64(w.a.now().Sub(w.begin).Milliseconds()), 1)
		left := int64(float64(len(w.jobs)-w.started)/speed) / 1000
		w.say("Matches/min: %.3f, Estimated time to complete: %02d:%02d:%02d", speed*60000, left/3600, left/60%60, left%60)
	}
}

// cgcSPRTLine prints a test; the first outcome beyond a bound decides.
func cgcSPRTLine(q *rating.Sequence) string {
	lower, upper := q.Bounds()
	verdict := ""
	switch q.Decision() {
	case rating.AcceptH1:
		verdict = ". H1 accepted."
	case rating.AcceptH0:
		verdict = ". H0 accepted."
	}
	return fmt.Sprintf("SPRT: LLR = %.3f [%.3f,%.3f]%s", q.LLR(), lower, upper, verdict)
}

// fault prints why an engine lost that went wrong.
func (w *cgcWatch) fault(p *run.Game, end cgcEnd) {
	if end.fault == "" {
		return
	}
	res := p.Outcome.Result
	loser := w.names[[2]int{p.Pairing.First, p.Pairing.Second}[res.Winner().Other()]]
	at := fmt.Sprintf("at %d moves after opening", end.plies)
	switch end.fault {
	case "illegal":
		w.say("[%d] engine %s output illegal move %s: %s", p.Slot+1, loser, at, answerOf(p))
	case "late":
		w.say("[%d] engine %s timeout %s", p.Slot+1, loser, at)
	default: // crashed, timeout
		fmt.Fprintf(w.a.stderr, "[%d] engine %s %s %s\n", p.Slot+1, loser, end.fault, at)
		w.failed = true
		w.run.Enough = w.o.fatal
	}
}

// answerOf is what the engine sent that is illegal.
func answerOf(p *run.Game) string {
	for _, e := range p.Outcome.Evidence {
		if text, ok := strings.CutPrefix(e, "answer: "); ok {
			return printable(text)
		}
	}
	return ""
}

// cgcEnd is how a game ended in c-gomoku-cli's words.
type cgcEnd struct {
	winner game.Seat // game.Nobody for a draw
	reason string
	// fault is illegal, late (an answer after the clock), crashed or timeout (no
	// answer).
	fault string
	// plies are the moves after the opening that stand; cut tells that the last one
	// played does not.
	plies int
	cut   bool
}

// token writes the result.
func (e cgcEnd) token(black, white string) string {
	switch e.winner {
	case game.First:
		return black
	case game.Second:
		return white
	}
	return "1/2-1/2"
}

// cgcEndOf puts a result into c-gomoku-cli's words.
func cgcEndOf(p *run.Game) cgcEnd {
	res := p.Outcome.Result
	e := cgcEnd{winner: res.Winner(), plies: p.Outcome.Plies}
	if res.Points == [2]float64{} { // neither became ready: the first to be asked has lost
		e.winner = game.Second
	}
	colour := map[game.Seat]string{game.First: "Black", game.Second: "White"}[e.winner]
	foul := func(what string) {
		e.reason, e.cut = "Black play forbidden move - "+what, true
		e.plies--
	}
	switch res.Reason {
	case gomoku.ByFive:
		e.reason = colour + " win by five connection"
	case gomoku.ByOverline:
		foul("overline")
	case gomoku.ByDoubleFour:
		foul("double four")
	case gomoku.ByDoubleThree:
		foul("double three")
	case game.ByIllegal:
		e.reason, e.fault = colour+" win by opponent illegal move", "illegal"
	case game.ByTime:
		e.reason, e.fault = colour+" win by time forfeit", "late"
		if p.Outcome.Faulty[e.winner.Other()] {
			e.fault = "timeout"
		}
	case game.ByStall, game.ByStart:
		e.reason, e.fault = colour+" win by time forfeit", "timeout"
	case game.ByCrash, game.ByProtocol, game.ByResource, game.ByDisconnect:
		e.reason, e.fault = colour+" win by opponent crash", "crashed"
	case game.ByResign:
		e.reason = colour + " win by adjudication"
	default:
		e.reason = "Draw by adjudication"
		if e.winner.IsPlayer() {
			e.reason = colour + " win by adjudication"
		} else if res.Reason == gomoku.ByFull {
			e.reason = "Draw by fullfilled board" //nolint:misspell // as c-gomoku-cli writes it
		}
	}
	return e
}
