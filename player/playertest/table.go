package playertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/match"
	"kibitz/player"
	"kibitz/rules"
)

// Table plays one game between two players the way the referee does, without
// clocks of its own beyond a limit for each turn. It is small enough to be read
// as the definition of what a player meets.
type Table struct {
	Position player.Position
	Spec     game.Spec
	Start    string
	// Opening is decided before the players come in.
	Opening []game.Move
	// Seed is that of the dealer's draws.
	Seed uint64
	// Limit is the time for each answer, 10 s if zero.
	Limit  time.Duration
	Clocks [2]clock.Clock
	Limits player.Limits
	// MaxSteps stops the game without a verdict, 1000 if zero.
	MaxSteps int
	// Inspect, if set, sees every prompt with its answer before it is applied.
	Inspect func(*player.Prompt, *player.Answer)

	players [2]player.Player
	updates [2]player.Update
	history [2][]player.Update
	steps   []game.Move
	rng     *rand.Rand
	again   int // attempts of this turn that did not stand
	reject  player.Rejection
}

// Played is a game that a Table has seen to its end.
type Played struct {
	// Moves are all decisions in order, the opening's and the dealer's included.
	Moves  []game.Move
	Result game.Result
}

// source returns the table's random numbers from their beginning.
func (tb *Table) source() *rand.Rand { return rand.New(rand.NewPCG(tb.Seed, 7)) }

// side shows the position to one seat.
type side struct {
	p    player.Position
	seat game.Seat
}

func (v side) View() game.View { return v.p.View(game.To(v.seat)) }

// Play plays the game to its end. The error is that of a player or says which
// answer was not acceptable.
func (tb *Table) Play(ctx context.Context, players [2]player.Player) (*Played, error) {
	tb.players, tb.steps = players, nil
	tb.again, tb.reject = 0, player.NotRejected
	tb.history = [2][]player.Update{}
	tb.rng = tb.source()
	if err := tb.Position.Reset(tb.Spec, tb.Start); err != nil {
		return nil, err
	}
	toMove := tb.Position.Turn().Seat
	if err := tb.open(); err != nil {
		return nil, err
	}
	w, h := tb.Position.Size()
	for i, p := range players {
		seat := game.Seat(i)
		err := p.NewGame(ctx, &player.Setup{
			ID: "table", Spec: tb.Position.Spec(), Width: w, Height: h, Seat: seat, Names: [2]string{"A", "B"},
			Start: tb.Start, ToMove: toMove, Colours: tb.Position.Colours(), History: tb.history[i],
			View: side{tb.Position, seat}, Clocks: tb.Clocks, Limits: tb.Limits,
		})
		if err != nil {
			return nil, fmt.Errorf("seat %s: %w", seat, err)
		}
	}
	r, err := tb.loop(ctx)
	if err != nil {
		r = game.Result{Reason: game.ByAbort, Detail: err.Error()}
	}
	for _, p := range players {
		p.Over(r)
	}
	if err != nil {
		return nil, err
	}
	return &Played{Moves: tb.steps, Result: r}, nil
}

func (tb *Table) open() error {
	for i := 0; i < len(tb.Opening); i++ {
		tb.clear(tb.Position.Turn().Seat)
		if _, err := tb.apply(tb.Opening[i]); err != nil {
			return fmt.Errorf("opening: %w", err)
		}
		for tb.Position.Turn().Seat == game.Dealer && i+1 < len(tb.Opening) {
			i++
			if _, err := tb.apply(tb.Opening[i]); err != nil {
				return fmt.Errorf("opening: %w", err)
			}
		}
		tb.finish()
		for s := range tb.history {
			tb.history[s] = append(tb.history[s], tb.updates[s].Clone())
		}
	}
	return nil
}

func (tb *Table) loop(ctx context.Context) (game.Result, error) {
	limit := cmp.Or(tb.MaxSteps, 1000)
	for {
		if r, over := tb.Position.Result(); over {
			return r, nil
		}
		if len(tb.steps) >= limit {
			return game.Result{Reason: game.ByAdjudication, Detail: "too long"}, nil
		}
		if forced, err := tb.forced(); err != nil {
			return game.Result{}, err
		} else if forced {
			continue
		}
		r, err := tb.turn(ctx)
		if err != nil || r != nil {
			if r == nil {
				r = &game.Result{}
			}
			return *r, err
		}
	}
}

// state is the position as its rules have it.
func (tb *Table) state() rules.State {
	return tb.Position.(interface{ State() rules.State }).State() //nolint:forcetypeassert // a rules.Board, or made of one
}

// mustPass returns the pass that the referee plays where the rules force it.
func (tb *Table) mustPass() (game.Move, bool) {
	if f, ok := tb.state().(rules.Forcer); ok {
		return f.Forced()
	}
	return game.Move{}, false
}

func (tb *Table) forced() (bool, error) {
	pass, ok := tb.mustPass()
	if !ok {
		return false, nil
	}
	tb.clear(tb.Position.Turn().Seat)
	if _, err := tb.apply(pass); err != nil {
		return false, err
	}
	tb.finish()
	tb.updates[0].Forced, tb.updates[1].Forced = true, true
	tb.tell()
	return true, nil
}

func (tb *Table) turn(ctx context.Context) (*game.Result, error) {
	turn := tb.Position.Turn()
	if !turn.Seat.IsPlayer() {
		return nil, fmt.Errorf("%s is on turn", turn.Seat)
	}
	limit := cmp.Or(tb.Limit, 10*time.Second)
	prompt := player.Prompt{
		Seat: turn.Seat, Turn: turn, Moves: tb.Position, Clocks: tb.Clocks, Colours: tb.Position.Colours(),
		View: side{tb.Position, turn.Seat}, Deadline: time.Now().Add(limit), Again: tb.again, Rejected: tb.reject,
		Limits: tb.Limits,
	}
	began := time.Now()
	ans, err := tb.players[turn.Seat].Choose(ctx, &prompt)
	used := time.Since(began)
	if err != nil {
		return nil, fmt.Errorf("seat %s: %w", turn.Seat, err)
	}
	if ans.Measured {
		used = ans.Used
	}
	if tb.Inspect != nil {
		tb.Inspect(&prompt, &ans)
	}
	if ans.Unread != "" {
		return nil, fmt.Errorf("seat %s: answer %q: %s", turn.Seat, ans.Raw, ans.Unread)
	}
	if len(ans.Steps) == 0 {
		return nil, fmt.Errorf("seat %s answered without a decision", turn.Seat)
	}
	if ans.Steps[0].Op == game.Resign {
		r := game.Win(turn.Seat.Other(), game.ByResign, "")
		return &r, nil
	}
	return nil, tb.decide(turn, &ans, used)
}

// decide applies an answer, lets the dealer follow and tells both seats.
func (tb *Table) decide(turn game.Turn, ans *player.Answer, used time.Duration) error {
	tb.clear(turn.Seat)
	refused := false
	for i, m := range ans.Steps {
		if _, over := tb.Position.Result(); over {
			break
		}
		err := tb.legalStep(turn, i)
		if err == nil {
			refused, err = tb.apply(m)
		}
		if now := tb.Position.Turn(); err == nil && !refused && ans.Whole && i == len(ans.Steps)-1 && now.Seat == turn.Seat && now.Step > 0 {
			err = errors.New("the turn is not complete")
		}
		if err != nil {
			return fmt.Errorf("seat %s: illegal %s of %v: %w", turn.Seat, m, ans.Steps, err)
		}
		if refused {
			break
		}
	}
	if err := tb.deal(); err != nil {
		return err
	}
	k := tb.Clocks[turn.Seat].Spend(used)
	next := tb.Position.Turn()
	if !refused && (next.Seat != turn.Seat || next.Step == 0) {
		k = k.EndTurn()
	}
	tb.Clocks[turn.Seat] = k
	tb.finish()
	for i := range tb.updates {
		tb.updates[i].Used = used
	}
	tb.updates[turn.Seat].Info = &ans.Info
	if refused {
		tb.again++
		tb.reject = player.AttemptRefused
		tb.players[turn.Seat].Tell(&tb.updates[turn.Seat])
		return nil
	}
	tb.again, tb.reject = 0, player.NotRejected
	tb.tell()
	return nil
}

// legalStep says whether step i of an answer still belongs to the turn.
func (tb *Table) legalStep(turn game.Turn, i int) error {
	if now := tb.Position.Turn(); i > 0 && (now.Seat != turn.Seat || now.Step == 0) {
		return fmt.Errorf("the turn has only %d steps", i)
	}
	return nil
}

func (tb *Table) deal() error {
	for tb.Position.Turn().Seat == game.Dealer {
		m, err := tb.draw(tb.state())
		if err != nil {
			return err
		}
		if _, err := tb.apply(m); err != nil {
			return fmt.Errorf("dealer: %w", err)
		}
	}
	return nil
}

// draw picks an outcome of a state by its weight.
func (tb *Table) draw(s rules.State) (game.Move, error) { return match.Outcomes(tb.rng.IntN).Deal(s) }

func (tb *Table) clear(by game.Seat) {
	for i := range tb.updates {
		tb.updates[i].Clear()
		tb.updates[i].By = by
	}
}

// apply makes one decision and sorts its notices into both updates.
func (tb *Table) apply(m game.Move) (refused bool, err error) {
	notices, err := tb.Position.Apply(m)
	if err != nil {
		return false, err
	}
	for _, n := range notices {
		refused = refused || n.Kind == game.Refused
	}
	for i := range tb.updates {
		tb.updates[i].AddNotices(game.Seat(i), notices)
	}
	tb.steps = append(tb.steps, m)
	return refused, nil
}

// finish completes both updates.
func (tb *Table) finish() {
	next := tb.Position.Turn()
	for i := range tb.updates {
		u := &tb.updates[i]
		u.Next, u.Clocks, u.Colours = next, tb.Clocks, tb.Position.Colours()
		u.Ended = next.Seat != u.By || next.Step == 0
		for _, n := range u.Notices {
			if n.Kind == game.Refused {
				u.Ended = false
			}
		}
		u.View = side{tb.Position, game.Seat(i)}
		if r, over := tb.Position.Result(); over {
			u.Result = &r
		}
	}
}

// tell passes the updates on, the mover's first.
func (tb *Table) tell() {
	by := tb.updates[0].By
	if !by.IsPlayer() {
		by = game.First
	}
	tb.players[by].Tell(&tb.updates[by])
	tb.players[by.Other()].Tell(&tb.updates[by.Other()])
}
