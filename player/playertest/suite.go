package playertest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/leaks"
	"kibitz/player"
)

// Suite is what Run checks, with what it must know of the player.
type Suite struct {
	// New returns a fresh player. It may start goroutines; Close must end them.
	New func() player.Player
	// Spec is a game that the player plays.
	Spec game.Spec
	// Position returns a fresh position for the game.
	Position func() player.Position
	// Deterministic says that two players of New play the same game.
	Deterministic bool
	// Limits keep the player's thinking short. Zero means 300 nodes, depth 3.
	Limits player.Limits
	// Thinks says that the player thinks until its deadline when no limit holds
	// it back; then Stop and Deadline are tested on a running search.
	Thinks bool
	// OneSeat says that the player cannot decide for both seats of one game.
	OneSeat bool
	// Slack is how late an answer may come after a deadline or a Stop, 10 s if
	// zero: more than a busy machine adds.
	Slack time.Duration
}

// Run checks the player.
func (s Suite) Run(t *testing.T) {
	t.Helper()
	if s.Limits == (player.Limits{}) {
		s.Limits = player.Limits{Nodes: 300, Depth: 3}
	}
	s.Slack = cmp.Or(s.Slack, 10*time.Second)
	before := goleak.IgnoreCurrent()
	t.Run("whole games", s.wholeGames)
	if s.Deterministic {
		t.Run("repeatable", s.repeatable)
	}
	if !s.OneSeat {
		t.Run("both seats", s.bothSeats)
	}
	t.Run("asked again", s.askedAgain)
	t.Run("starts", s.starts)
	t.Run("abandoned game", s.abandoned)
	t.Run("deadline", s.deadline)
	t.Run("stop", s.stop)
	t.Run("cancel", s.cancel)
	t.Run("rewind", s.rewind)
	t.Run("close", s.close)
	leaks.None(t, before)
}

func (s Suite) table(seed uint64) *Table {
	return &Table{
		Position: s.Position(), Spec: s.Spec, Seed: seed, Limits: s.Limits, Limit: 20 * time.Second,
		Clocks: [2]clock.Clock{clock.New(clock.Control{Main: time.Hour}), clock.New(clock.Control{Main: time.Hour})},
	}
}

func (s Suite) open(t *testing.T) player.Player {
	t.Helper()
	p := s.New()
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return p
}

// watched measures the calls that must not block and looks at what is answered.
type watched struct {
	player.Player
	t     *testing.T
	slack time.Duration
	tells time.Duration // the longest
}

func (w *watched) Tell(u *player.Update) {
	kept := u.Clone()
	began := time.Now()
	w.Player.Tell(u)
	w.tells = max(w.tells, time.Since(began))
	again := u.Clone()
	if !slices.Equal(kept.Steps, again.Steps) {
		w.t.Errorf("Tell changed the update: %v became %v", kept.Steps, again.Steps)
	}
	// The update is the caller's again: a player that kept it sees nonsense.
	for i := range u.Steps {
		u.Steps[i] = game.Move{Op: game.NoOp, From: game.NoPoint, To: game.NoPoint}
	}
	copy(u.Steps, kept.Steps)
}

func (w *watched) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	a, err := w.Player.Choose(ctx, p)
	if err != nil {
		return a, err
	}
	legal := p.Moves.Legal(nil)
	if len(a.Steps) > 0 && a.Steps[0].Op != game.Resign && !slices.Contains(legal, a.Steps[0]) {
		w.t.Errorf("%s is not among the %d legal decisions of phase %q", a.Steps[0], len(legal), p.Turn.Phase)
	}
	if a.Info.Time < 0 || a.Info.Depth < 0 || a.Info.Nodes < 0 || a.Used < 0 || a.Late < 0 {
		w.t.Errorf("nonsense in the answer: %+v", a)
	}
	if a.Info.Eval.Known() && a.Info.Eval.Lo > a.Info.Eval.Hi {
		w.t.Errorf("evaluation %v has its bounds exchanged", a.Info.Eval)
	}
	return a, nil
}

// wholeGames plays one player in both seats, one game after the other.
func (s Suite) wholeGames(t *testing.T) {
	w := &watched{Player: s.open(t), t: t, slack: s.Slack}
	for i := range 4 {
		ps := [2]player.Player{w, NewRandom(uint64(i))}
		if i%2 == 1 {
			ps[0], ps[1] = ps[1], ps[0]
		}
		if _, err := s.table(uint64(i)).Play(context.Background(), ps); err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
	}
	if w.tells > w.slack {
		t.Errorf("Tell took %v: it must not wait", w.tells)
	}
}

func (s Suite) repeatable(t *testing.T) {
	var games [2]*Played
	for i := range games {
		g, err := s.table(11).Play(context.Background(), [2]player.Player{s.open(t), s.open(t)})
		if err != nil {
			t.Fatal(err)
		}
		games[i] = g
	}
	if !slices.Equal(games[0].Moves, games[1].Moves) {
		t.Errorf("two games from the same seeds differ:\n%v\n%v", games[0].Moves, games[1].Moves)
	}
}

// bothSeats asks one player for the moves of both seats through a Session.
func (s Suite) bothSeats(t *testing.T) {
	tb := s.table(3)
	tb.rng = tb.source()
	session := &player.Session{Player: s.open(t), Position: tb.Position, Limits: s.Limits}
	if err := session.NewGame(s.Spec, ""); err != nil {
		t.Fatal(err)
	}
	for range 12 {
		if _, over := session.Position.Result(); over {
			break
		}
		if m, forced := session.ForcedPass(); forced {
			if err := session.Play(m); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := s.sessionTurn(session, tb); err != nil {
			t.Fatal(err)
		}
	}
	session.Player.Over(game.Result{Reason: game.ByAbort})
}

// sessionTurn plays one answer with the dealer's part.
func (s Suite) sessionTurn(session *player.Session, tb *Table) error {
	ans, err := session.Choose(context.Background(), time.Now().Add(20*time.Second))
	if err != nil {
		return err
	}
	if len(ans.Steps) > 0 && ans.Steps[0].Op == game.Flip {
		probe := s.table(5)
		if err := replay(probe.Position, s.Spec, session.History(), ans.Steps); err != nil {
			return err
		}
		probe.rng = tb.rng
		m, err := probe.draw(probe.state())
		if err != nil {
			return err
		}
		return session.Play(append(slices.Clone(ans.Steps), m)...)
	}
	return session.Play(ans.Steps...)
}

func replay(p player.Position, spec game.Spec, history []player.Update, more []game.Move) error {
	if err := p.Reset(spec, ""); err != nil {
		return err
	}
	for _, u := range history {
		for _, m := range u.Steps {
			if _, err := p.Apply(m); err != nil {
				return err
			}
		}
	}
	for _, m := range more {
		if _, err := p.Apply(m); err != nil {
			return err
		}
	}
	return nil
}

// starts begins games where the player claims that it can.
func (s Suite) starts(t *testing.T) {
	p := s.open(t)
	from := player.FromNothing
	if q, ok := p.(player.Positioner); ok {
		from = q.CanStart(s.Spec)
	}
	if from == player.FromNothing {
		return // it claims nothing
	}
	opening, text, err := s.opening(9)
	if err != nil {
		t.Fatal(err)
	}
	for seat := range game.Seat(2) {
		tb := s.table(9)
		tb.Opening = opening
		ps := [2]player.Player{NewRandom(1), NewRandom(2)}
		ps[seat] = &watched{Player: p, t: t}
		if _, err := tb.Play(context.Background(), ps); err != nil {
			t.Fatalf("after %d moves as %s: %v", len(opening), seat, err)
		}
	}
	if from < player.FromPosition {
		return
	}
	if err := s.Position().Reset(s.Spec, text); err != nil {
		return // the game reads no positions
	}
	tb := s.table(10)
	tb.Start = text
	if _, err := tb.Play(context.Background(), [2]player.Player{&watched{Player: p, t: t}, NewRandom(2)}); err != nil {
		t.Fatalf("from position %q: %v", text, err)
	}
}

// opening plays a few random turns and returns them with the position reached.
func (s Suite) opening(seed uint64) ([]game.Move, string, error) {
	tb := s.table(seed)
	tb.MaxSteps = 6
	g, err := tb.Play(context.Background(), [2]player.Player{NewRandom(seed), NewRandom(seed + 1)})
	if err != nil {
		return nil, "", err
	}
	moves := g.Moves
	for len(moves) > 0 {
		if err := replay(tb.Position, s.Spec, nil, moves); err != nil {
			return nil, "", err
		}
		// Openings end between two turns and before the end of the game.
		t := tb.Position.Turn()
		if t.Seat.IsPlayer() && t.Step == 0 {
			return moves, tb.Position.Text(), nil
		}
		moves = moves[:len(moves)-1]
	}
	return nil, "", fmt.Errorf("no opening found")
}

// abandoned breaks a game off in the middle and plays another.
func (s Suite) abandoned(t *testing.T) {
	p := s.open(t)
	turn := s.begin(t, p, game.First, s.Limits)
	if _, err := p.Choose(context.Background(), turn.prompt(time.Now().Add(20*time.Second))); err != nil {
		t.Fatal(err)
	}
	p.Over(game.Result{Reason: game.ByAbort})
	if _, err := s.table(4).Play(context.Background(), [2]player.Player{NewRandom(1), p}); err != nil {
		t.Fatal(err)
	}
}
