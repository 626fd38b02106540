package report_test

import (
	"fmt"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
)

// log is a journal that tests write.
type log struct {
	events []*journal.Event
	now    time.Time
}

func newLog() *log {
	l := &log{now: time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)}
	l.put("", &journal.Event{Kind: journal.KindRun, Run: &journal.Run{Program: "kibitz 1", Commitment: "c0ffee"}})
	return l
}

func (l *log) put(id string, ev *journal.Event) {
	l.now = l.now.Add(time.Second)
	ev.Game, ev.Time, ev.To, ev.Seq = id, l.now, game.Arbiter, uint64(len(l.events)+1)
	l.events = append(l.events, ev)
}

// played is a game that a test writes into a log.
type played struct {
	id         string
	names      [2]string
	round      int
	opening    string
	commitment string
	moves      []game.Move
	evals      []float64
	result     game.Result
	evidence   []string
	warning    string
	unfinished bool
	resources  [2]journal.Resources
}

func (l *log) play(p played) {
	control := clock.Control{Main: time.Minute}
	l.put(p.id, &journal.Event{Kind: journal.KindStart, Start: &journal.Start{
		Spec: "gomoku", Names: p.names, Controls: [2]clock.Control{control, control}, Round: p.round, Pair: 1, Attempt: 1, Opening: p.opening, Commitment: p.commitment,
	}})
	total := [2]time.Duration{}
	for i, m := range p.moves {
		by := game.Seat(i % 2)
		used := time.Duration(i+1) * 10 * time.Millisecond
		total[by] += used
		d := &journal.Decision{By: by, Steps: []game.Move{m}, Used: used, Next: game.Turn{Seat: by.Other()}, Ended: true}
		for seat := range total {
			d.Clocks[seat] = journal.Clock{Left: time.Minute - total[seat], Total: total[seat]}
		}
		l.put(p.id, &journal.Event{Kind: journal.KindDecision, Decision: d})
		if i < len(p.evals) {
			info := game.Info{Eval: game.Eval{Unit: game.Points, Lo: p.evals[i], Hi: p.evals[i]}, Depth: 3 + i, Nodes: 1000}
			l.put(p.id, &journal.Event{Kind: journal.KindSaid, Said: &journal.Said{By: by, Info: info}})
		}
	}
	if p.warning != "" {
		l.put(p.id, &journal.Event{Kind: journal.KindWarning, Warning: &journal.Warning{Seat: game.First, Text: p.warning}})
	}
	if p.unfinished {
		return
	}
	if len(p.evidence) > 0 {
		l.put(p.id, &journal.Event{Kind: journal.KindEvidence, Evidence: &journal.Evidence{Seat: game.First, Lines: p.evidence}})
	}
	l.put(p.id, &journal.Event{Kind: journal.KindResult, Result: &journal.Result{Result: p.result, Plies: len(p.moves), Used: total, Late: 42 * time.Microsecond, Resources: p.resources}})
}

// stones are the points of a diagonal, which no two numbers share.
func stones(from, n int) []game.Move {
	var out []game.Move
	for i := range n {
		out = append(out, game.PlaceAt(game.Pt((from+i)%15, (from+2*i)%15)))
	}
	return out
}

// small is a run of three engines, the third with a hostile name, with a forfeit
// of hostile evidence, a draw, a game played again, a ruling and a game that runs.
const hostile = `=</script><img src=x onerror=alert(1)>`

func small() *log {
	l := newLog()
	win := func(s game.Seat) game.Result { return game.Win(s, "five", "five in a row") }
	l.play(played{id: "000001", names: [2]string{"A", "B"}, round: 1, opening: "o1", moves: stones(0, 6), evals: []float64{1, -1, 20, -30}, result: win(game.First)})
	l.play(played{id: "000002", names: [2]string{"B", "A"}, round: 1, opening: "o1", moves: stones(0, 6), result: win(game.Second)})
	l.play(played{
		id: "000003", names: [2]string{"A", hostile}, round: 1, opening: hostile, moves: stones(3, 2), warning: hostile,
		result: game.Win(game.First, game.ByCrash, hostile), evidence: []string{hostile, "exit status 2"},
		resources: [2]journal.Resources{{Known: true, CPU: 1500 * time.Millisecond, Memory: 64 << 20}, {Known: true, CPU: 0}},
	})
	l.play(played{id: "000004", names: [2]string{hostile, "A"}, round: 2, opening: "o2", moves: stones(4, 4), result: game.Drawn("full", "")})
	l.play(played{id: "000005", names: [2]string{"B", hostile}, round: 2, opening: "o2", moves: stones(5, 3), result: win(game.Second)})
	l.play(played{id: "000005", names: [2]string{"B", hostile}, round: 2, opening: "o2", moves: stones(5, 5), result: win(game.First)})
	l.put("000004", &journal.Event{Kind: journal.KindRuling, Ruling: &journal.Ruling{Result: game.Win(game.First, game.ByAdjudication, "protest upheld"), By: "arbiter", Note: "round 2"}})
	l.play(played{id: "000006", names: [2]string{"A", "B"}, round: 3, moves: stones(7, 4), warning: "of a running game", unfinished: true})
	l.play(played{id: "000007", names: [2]string{"A", "B"}, round: 3, moves: stones(7, 1), result: game.Result{Reason: game.ByAbort, Detail: "stopped"}})
	return l
}

// many is a run of n games between two engines with seats exchanged.
func many(n int) *log {
	l := newLog()
	for i := range n {
		p := played{id: fmt.Sprintf("%06d", i+1), names: [2]string{"A", "B"}, round: 1 + i/2, opening: fmt.Sprintf("opening %d", i/2%50), result: game.Win(game.Seat(i*i%7%2), "five", "white has 5 in a line, f8 to j12")}
		if i%2 == 1 {
			p.names = [2]string{"B", "A"}
		}
		if i%5 == 0 {
			p.result = game.Drawn("full", "no empty point is left")
		}
		l.play(p)
	}
	return l
}
