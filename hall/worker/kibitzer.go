package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/internal/bell"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/rules"
)

const (
	// kibitzTime is how long a kibitzer thinks about a position. It has one place among
	// those for analyses, of which there are fewer than processors, so that the engines
	// of the game keep theirs.
	kibitzTime = 500 * time.Millisecond
	// kibitzLimit is after what time an analysis that does not end is given up.
	kibitzLimit = 20 * time.Second
)

// kibitzer is a third engine, which says what it thinks of a game of others.
type kibitzer struct {
	a    *attempt
	sign chan struct{}

	mu    sync.Mutex
	moves []string
	next  game.Turn
}

// kibitz begins to comment on the game, if it is to be; the function that is returned
// ends it. Games that hide anything have no kibitzer.
func (a *attempt) kibitz(g *match.Game) (end func()) {
	if a.p.Kibitzer == "" || !a.p.Show || g.Rules.Doc().Info == rules.Private {
		return func() {}
	}
	k := &kibitzer{a: a, sign: make(chan struct{}, 1)}
	a.kibitzer = k
	ctx, cancel := context.WithCancel(a.ctx)
	var wg sync.WaitGroup
	wg.Go(func() { k.run(ctx) })
	return func() { cancel(); wg.Wait() }
}

// event follows the game. It is called by the referee and never waits.
func (k *kibitzer) event(ev *journal.Event) {
	if ev.To != game.Public || ev.Decision == nil && ev.Rewind == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if r := ev.Rewind; r != nil {
		k.moves, k.next = k.moves[:max(0, len(k.moves)-r.Steps)], r.Next
	} else if !ev.Decision.Refused {
		for _, m := range ev.Decision.Steps {
			k.moves = append(k.moves, journal.FormatMove(m))
		}
		k.next = ev.Decision.Next
	}
	bell.Ring(k.sign)
}

// run thinks about the latest position, whenever there is another one where a turn
// begins.
func (k *kibitzer) run(ctx context.Context) {
	for n := 1; ; n++ {
		select {
		case <-k.sign:
		case <-ctx.Done():
			return
		}
		k.mu.Lock()
		moves, next := slices.Clone(k.moves), k.next
		k.mu.Unlock()
		if !next.Seat.IsPlayer() || next.Step > 0 {
			continue
		}
		err := k.think(ctx, n, moves)
		if ask, ok := errors.AsType[*bus.AskError](err); ok && ask.Code == bus.AnalysisNobody {
			k.a.log.Warn("no worker has the kibitzer: " + k.a.p.Kibitzer)
			return
		}
		if err != nil && ctx.Err() == nil {
			k.a.log.Debug("the kibitzer says nothing: " + err.Error())
		}
	}
}

// think asks for an analysis of a position, and tells what came of it.
func (k *kibitzer) think(ctx context.Context, n int, moves []string) error {
	p := k.a.p
	ctx, cancel := context.WithTimeout(ctx, kibitzLimit)
	defer cancel()
	q := bus.Analysis{
		ID: fmt.Sprintf("%s-%d-%d", p.Game, p.Attempt, n), Spec: p.Spec, Position: p.Position, Moves: moves,
		Engine: p.Kibitzer, Hash: p.KibitzerHash, Lines: 1, Time: kibitzTime, Total: 2 * kibitzTime,
	}
	var last *bus.Analysed
	err := k.a.w.Bus.Analyse(ctx, q, func(found bus.Analysed) error {
		if len(found.Lines) > 0 {
			last = &found
		}
		return nil
	})
	if last == nil || ctx.Err() != nil {
		return err
	}
	k.tell(last)
	return err
}

// tell tells those who may hear it. The evaluation is told as the first seat sees it.
func (k *kibitzer) tell(found *bus.Analysed) {
	l := found.Lines[0]
	said := &journal.Said{By: game.Nobody, Ply: found.Ply, Info: game.Info{
		Eval: l.Eval, Depth: l.Depth, Nodes: l.Nodes, Time: l.Time,
		Text: l.Text,
	}}
	if found.Seat == game.Second {
		said.Info.Eval = l.Eval.Opposite()
	}
	for _, text := range l.Moves {
		m, err := journal.ParseMove(text)
		if err != nil {
			break
		}
		said.Info.PV = append(said.Info.PV, m)
	}
	k.a.live.add(&journal.Event{Time: k.a.w.Now(), Game: k.a.p.Game, To: game.Arbiter, Kind: journal.KindSaid, Said: said})
}
