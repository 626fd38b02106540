package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/rules"
)

const (
	defaultStart = time.Minute
	defaultStall = 10 * time.Minute
)

// open sets up the position, plays the opening and prepares both players. It
// returns false if the game is over before it began.
func (r *referee) open() bool {
	g := r.g
	if g.Policy.Start <= 0 {
		g.Policy.Start = defaultStart
	}
	if g.Policy.Stall <= 0 {
		g.Policy.Stall = defaultStall
	}
	if err := r.setUp(); err != nil {
		r.end(game.Result{Reason: game.ByAbort, Detail: err.Error()})
		return false
	}
	toMove := r.state.Turn().Seat
	history, err := r.playOpening()
	if err != nil {
		r.end(game.Result{Reason: game.ByAbort, Detail: err.Error()})
		return false
	}
	r.recordStart(toMove)
	if !r.prepare(toMove, history) {
		return false
	}
	if res, over := r.state.Result(); over {
		r.end(res)
	}
	return !r.over
}

func (r *referee) setUp() error {
	r.restore(r.g.Rules.New())
	if r.g.Position == "" {
		return nil
	}
	s, err := r.g.Rules.Position(r.g.Position)
	if err != nil {
		return fmt.Errorf("start position: %w", err)
	}
	r.restore(s)
	return nil
}

// playOpening applies the opening and returns what each seat may know of it.
func (r *referee) playOpening() ([2][]player.Update, error) {
	var history [2][]player.Update
	for i, m := range r.g.Opening {
		by := r.state.Turn().Seat
		r.notices, r.steps = r.notices[:0], r.steps[:0]
		var err error
		if r.notices, err = r.state.Apply(m, r.notices); err != nil {
			return history, fmt.Errorf("opening %s, decision %d, %s: %w", r.g.OpeningName, i+1, r.g.Rules.FormatMove(m), err)
		}
		r.out.Steps = append(r.out.Steps, Step{By: by, Move: m, Opening: true})
		next := r.state.Turn()
		for seat := range history {
			u := player.Update{By: by, Clocks: r.clocks, Next: next, Ended: next.Seat != by || next.Step == 0, Colours: r.colours()}
			u.AddNotices(game.Seat(seat), r.notices)
			history[seat] = append(history[seat], u.Clone())
		}
	}
	return history, nil
}

// prepare starts the game for both players, side by side: engines take long.
func (r *referee) prepare(toMove game.Seat, history [2][]player.Update) bool {
	ctx, cancel := context.WithTimeout(r.ctx, r.g.Policy.Start)
	defer cancel()
	doc := r.g.Rules.Doc()
	var setups [2]player.Setup
	for s := range setups {
		setups[s] = player.Setup{
			ID: r.g.ID, Spec: r.g.Rules.Spec(), Width: doc.Width, Height: doc.Height, Seat: game.Seat(s),
			Names: [2]string{r.g.Sides[0].Name, r.g.Sides[1].Name}, Start: r.g.Position, ToMove: toMove,
			Colours: r.colours(), History: history[s], View: &r.views[s], Clocks: r.clocks, Limits: r.g.Sides[s].Limits, Rated: r.g.Rated,
		}
	}
	second := make(chan error, 1)
	go func() { second <- r.g.Sides[1].Player.NewGame(ctx, &setups[1]) }()
	var errs [2]error
	errs[0] = r.g.Sides[0].Player.NewGame(ctx, &setups[0])
	errs[1] = <-second
	return r.started(errs)
}

func (r *referee) started(errs [2]error) bool {
	if r.ctx.Err() != nil {
		r.end(game.Result{Reason: game.ByAbort, Detail: "stopped"})
		return false
	}
	for s, err := range errs {
		if err == nil {
			continue
		}
		r.out.Faulty[s] = true
		var f *player.Failure
		if errors.As(err, &f) {
			r.out.Evidence = append(r.out.Evidence, f.Evidence...)
		}
	}
	switch {
	case errs[0] != nil && errs[1] != nil:
		r.end(game.Result{Reason: game.ByStart, Detail: fmt.Sprintf("neither player became ready: %s: %v; %s: %v",
			r.g.Sides[0].Name, errs[0], r.g.Sides[1].Name, errs[1])})
	case errs[0] != nil:
		r.lose(game.First, game.ByStart, errs[0].Error())
	case errs[1] != nil:
		r.lose(game.Second, game.ByStart, errs[1].Error())
	default:
		return true
	}
	return false
}

// resume and suspend stop the idle player's process where the run asks for it.
func (r *referee) resume(seat game.Seat) {
	if s, ok := r.suspender(seat); ok && r.idle[seat] {
		if err := s.Resume(); err != nil {
			r.warn("%s could not be resumed: %v", r.g.Sides[seat].Name, err)
		}
		r.idle[seat] = false
	}
}

func (r *referee) suspend(seat game.Seat) {
	if s, ok := r.suspender(seat); ok && !r.idle[seat] {
		if err := s.Suspend(); err != nil {
			r.warn("%s could not be suspended: %v", r.g.Sides[seat].Name, err)
			return
		}
		r.idle[seat] = true
	}
}

func (r *referee) suspender(seat game.Seat) (player.Suspender, bool) {
	if !r.g.Sides[seat].Suspend {
		return nil, false
	}
	s, ok := r.g.Sides[seat].Player.(player.Suspender)
	return s, ok
}

// close ends the game for both players and the journal.
func (r *referee) close() {
	if r.state != nil {
		r.out.Final = r.state.Text()
	}
	for s := range r.g.Sides {
		r.resume(game.Seat(s))
		r.g.Sides[s].Player.Over(r.out.Result)
	}
	if w := r.loser(); w.IsPlayer() && len(r.out.Evidence) == 0 && r.out.Faulty[w] {
		if e, ok := r.g.Sides[w].Player.(player.Witness); ok {
			r.out.Evidence = e.Evidence()
		}
	}
	r.recordEnd()
}

func (r *referee) loser() game.Seat { return r.out.Result.Winner().Other() }

// Outcomes returns a dealer that draws by weight with the numbers of next, which
// returns a number from 0 up to but excluding n.
func Outcomes(next func(n int) int) rules.Dealer { return weighted{next} }

type weighted struct{ next func(n int) int }

// Deal draws one outcome by weight.
func (w weighted) Deal(s rules.State) (game.Move, error) {
	c, ok := s.(rules.Chance)
	if !ok {
		return game.Move{}, errors.New("the position offers chance nothing to decide")
	}
	list := c.Outcomes(nil)
	total := 0
	for _, o := range list {
		total += o.Weight
	}
	if total == 0 {
		return game.Move{}, errors.New("the position offers chance nothing to decide")
	}
	k := w.next(total)
	for _, o := range list {
		if k -= o.Weight; k < 0 {
			return o.Move, nil
		}
	}
	return list[len(list)-1].Move, nil
}
