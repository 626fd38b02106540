package analysis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
	"kibitz/rules"
)

// startLimit bounds the start of a player, patience the answer of one whose
// thinking no time limits.
const (
	startLimit = time.Minute
	patience   = 10 * time.Minute
)

// run is the state of one analysis.
type run struct {
	Game
	o   Options
	p   player.Player
	ctx context.Context

	list    []Position
	first   rules.State      // before the first decision
	turns   []game.Turn      // after each number of decisions
	colours [][2]game.Colour // likewise
	broken  bool             // the record ends within a turn
	method  Method
	at      int // the position the player is on, counted by decisions; -1 for none
	done    int
	cut     bool
}

// prepare lists the positions and refuses what the player cannot do.
func (r *run) prepare() error {
	r.o.Lines = max(1, r.o.Lines)
	if err := r.prepareTurns(); err != nil {
		return err
	}
	return r.able()
}

// able refuses what the player cannot do, and settles the method.
func (r *run) able() error {
	need, what := player.FromNothing, ""
	for i := range r.list {
		if r.asked(i) && r.list[i].Ply > 0 {
			need, what = player.FromHistory, "in the middle of a game"
		}
	}
	if r.Set {
		need, what = player.FromPosition, "from a position that was set up"
	}
	can := player.FromNothing
	if p, ok := r.p.(player.Positioner); ok {
		can = p.CanStart(r.Line.Rules.Spec())
	}
	if can < need {
		return fmt.Errorf("%s cannot start %s, so it cannot evaluate this game", r.o.Name, what)
	}
	return r.choose()
}

func (r *run) choose() error {
	_, analyst := r.p.(player.Analyst)
	switch {
	case r.o.Method != Auto && r.o.Method != "":
		if r.method = r.o.Method; r.method != Search && !analyst {
			return fmt.Errorf("%s cannot evaluate positions by itself: method %s is not for it, search is", r.o.Name, r.method)
		}
		if r.method == Whole && r.private() {
			return fmt.Errorf("a game with hidden facts is analysed for each seat by itself: method %s is not for it", r.method)
		}
	case analyst && r.o.HasWhole && r.o.Lines == 1 && !r.private():
		r.method = Whole
	case analyst:
		r.method = Hints
	default:
		r.method = Search
	}
	return nil
}

func (r *run) private() bool { return r.Line.Rules.Doc().Info == rules.Private }

// Learn has a player learn a whole game; it must be a player.Learner.
func Learn(ctx context.Context, g Game, p player.Player, o Options) error {
	l, ok := p.(player.Learner)
	if !ok {
		return fmt.Errorf("%s has no command to learn a game", o.Name)
	}
	r := &run{Game: g, o: o, p: p, ctx: ctx, at: -1}
	if err := r.prepareTurns(); err != nil {
		return err
	}
	if err := r.begin(g.Line.Len(), game.Nobody, clock.Clock{}); err != nil {
		return err
	}
	defer p.Over(game.Result{Reason: game.ByAbort})
	return l.Learn(ctx)
}

// evaluate asks about every position by the method, or the next best one.
func (r *run) evaluate() error {
	if r.method == Whole {
		err := r.whole()
		if !errors.Is(err, player.ErrUnsupported) || r.o.Method == Whole {
			return err
		}
		r.method, r.done = Hints, 0
	}
	for i := len(r.list) - 1; i >= 0; i-- {
		if !r.asked(i) {
			continue
		}
		if r.stopped() {
			r.cut = true
			return nil
		}
		if err := r.evaluateAt(i); err != nil {
			return err
		}
		r.progress()
	}
	return nil
}

// evaluateAt asks about one position by hint, or by search if the player has none.
func (r *run) evaluateAt(i int) error {
	err := r.one(i)
	if errors.Is(err, player.ErrUnsupported) && r.method == Hints && r.o.Method != Hints {
		r.method = Search
		err = r.one(i)
	}
	if err == nil && !r.cut && r.o.Found != nil {
		r.o.Found(&r.list[i])
	}
	return err
}

func (r *run) stopped() bool {
	select {
	case <-r.o.Stop:
		return true
	case <-r.ctx.Done():
		return true
	default:
		return false
	}
}

func (r *run) progress() {
	r.done++
	if r.o.Progress != nil {
		r.o.Progress(r.done)
	}
}

// one evaluates a position by hint or search.
func (r *run) one(i int) error {
	p := &r.list[i]
	began := r.o.Now()
	var lines []game.Info
	var err error
	if r.method == Hints {
		lines, err = r.hint(i)
	} else {
		lines, err = r.search(i)
	}
	if err != nil {
		return err
	}
	if r.ctx.Err() != nil {
		r.cut = true
		return nil
	}
	p.Used = r.o.Now().Sub(began)
	p.Lines = lines
	if len(lines) > 0 {
		p.Before = lines[0].Eval
		p.Best = r.bestTurn(p.Ply, lines[0].PV)
	}
	return nil
}

// whole lets the player analyse the game, then asks for a hint where a turn lost
// something.
func (r *run) whole() error {
	last := len(r.list) - 1
	for last >= 0 && !r.asked(last) {
		last--
	}
	if last < 0 {
		return nil
	}
	if err := r.begin(r.list[last].Ply, game.Nobody, clock.Clock{}); err != nil {
		return err
	}
	byPly := map[int]int{}
	for i := range r.list {
		if r.asked(i) {
			byPly[r.list[i].Ply] = i
		}
	}
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	q := player.Question{Lines: 1, Depth: r.o.Limits.Depth, Budget: r.o.Budget * time.Duration(r.list[last].Ply+1), WholeGame: true}
	began := r.o.Now()
	err := r.p.(player.Analyst).Analyse(ctx, q, func(in game.Info) bool { //nolint:forcetypeassert // choose has looked
		if i, ok := byPly[in.Rank]; ok && in.Eval.Known() {
			p, now := &r.list[i], r.o.Now()
			p.Before, p.Used = in.Eval, now.Sub(began)
			began = now
			in.PV, in.Rank = slices.Clone(in.PV), 1
			p.Lines = []game.Info{in}
			p.Best = r.bestTurn(p.Ply, in.PV)
			r.progress()
		}
		if r.stopped() {
			r.cut = true
		}
		return !r.cut
	})
	if err != nil || r.cut {
		return err
	}
	return r.better()
}

// better asks for the move to play where a turn lost something and none is named.
func (r *run) better() error {
	r.compare()
	for i := len(r.list) - 1; i >= 0 && !r.stopped(); i-- {
		p := &r.list[i]
		if !p.Wanted || len(p.Best) > 0 || p.Loss.Value <= 0 && p.Loss.Swing == "" {
			continue
		}
		lines, err := r.hint(i)
		if errors.Is(err, player.ErrUnsupported) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(lines) > 0 {
			p.Lines[0].PV = lines[0].PV
			p.Best = r.bestTurn(p.Ply, lines[0].PV)
		}
	}
	return nil
}

// begin gives the player the game up to a number of decisions.
func (r *run) begin(ply int, seat game.Seat, k clock.Clock) error {
	d := r.Line.Rules.Doc()
	s := player.Setup{
		ID: r.o.ID, Spec: r.Line.Rules.Spec(), Width: d.Width, Height: d.Height, Seat: seat, Names: r.Names,
		ToMove: r.turns[0].Seat, Colours: r.colours[ply], History: r.history(ply, seat),
		Clocks: [2]clock.Clock{k, k}, Limits: r.o.Limits,
	}
	if r.Set {
		s.Start = r.first.Text()
	}
	ctx, cancel := context.WithTimeout(r.ctx, startLimit)
	defer cancel()
	r.at = ply
	return r.p.NewGame(ctx, &s)
}

// reach puts an analyst on a position: the first time by a new game, then by
// taking back. Where facts are hidden each seat has a game of its own.
func (r *run) reach(p *Position) error {
	if r.at < 0 || r.at < p.Ply {
		return r.begin(p.Ply, game.Nobody, clock.Clock{})
	}
	if r.at > p.Ply {
		r.p.Tell(&player.Update{By: game.Nobody, Rewind: r.at - p.Ply, Next: r.turns[p.Ply], Colours: r.colours[p.Ply]})
		r.at = p.Ply
	}
	return nil
}

func (r *run) hint(i int) ([]game.Info, error) {
	p := &r.list[i]
	var err error
	if r.private() {
		err = r.begin(p.Ply, p.Seat, clock.Clock{})
	} else {
		err = r.reach(p)
	}
	if err == nil {
		err = r.before(p)
	}
	if err != nil {
		return nil, err
	}
	var heard Lines
	q := player.Question{Lines: r.o.Lines, Depth: r.o.Limits.Depth, Budget: r.o.Budget}
	ctx := r.ctx
	if r.o.Cap > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.o.Cap)
		defer cancel()
	}
	err = r.p.(player.Analyst).Analyse(ctx, q, func(in game.Info) bool { //nolint:forcetypeassert // choose has looked
		heard.Add(in)
		if r.o.Heard != nil {
			r.o.Heard(p, heard.Best(r.o.Lines))
		}
		return true
	})
	if r.ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = nil // the cap
	}
	return heard.Best(r.o.Lines), err
}

func (r *run) before(p *Position) error {
	if r.o.Before == nil {
		return nil
	}
	return r.o.Before(r.ctx, p)
}

// search has the player choose a move; the referee's part is played here.
func (r *run) search(i int) ([]game.Info, error) {
	p := &r.list[i]
	k := r.o.control()
	if err := r.begin(p.Ply, p.Seat, k); err != nil {
		return nil, err
	}
	if err := r.before(p); err != nil {
		return nil, err
	}
	s, err := r.Line.State(p.Ply)
	if err != nil {
		return nil, err
	}
	deadline := r.o.Now().Add(patience)
	if r.o.Budget > 0 {
		deadline = r.o.Now().Add(r.o.Budget + r.o.Margin)
	}
	a, err := r.p.Choose(r.ctx, &player.Prompt{
		Seat: p.Seat, Turn: s.Turn(), Moves: s, Clocks: [2]clock.Clock{k, k}, Colours: r.colours[p.Ply], Limits: r.o.Limits,
		Deadline: deadline, View: seatView{s, p.Seat},
	})
	if err != nil {
		return nil, err
	}
	in := a.Info
	if !startsWith(in.PV, a.Steps) {
		in.PV = a.Steps
	}
	in.PV, in.Rank = slices.Clone(in.PV), 1
	return []game.Info{in}, nil
}

// seatView shows a position to the seat that is asked.
type seatView struct {
	s    rules.State
	seat game.Seat
}

// View builds what the seat may know.
func (v seatView) View() game.View { return v.s.View(game.To(v.seat)) }

func startsWith(list, head []game.Move) bool {
	return len(list) >= len(head) && slices.Equal(list[:len(head)], head)
}
