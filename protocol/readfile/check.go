package readfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// given is the time that the checks leave the engine: old templates think for three seconds
// less.
const given = 5 * time.Second

// played leaves red with a pawn on b5, which can go to b4 only, or flips, and a black guard
// beside it on c5.
var played = []string{"b4(P)", "b5(p)", "b4-b5", "c5(g)"}

// Checks returns what an engine can be tested for. Requirements come from the manual of the
// client and the files of its engines. In the positions of step, take, jump and flip one ply
// is left behind that of black.
func Checks(board player.Position) []protocol.Check {
	const rows = "manual 8.6: board.txt"
	asked := func(start string, plies ...string) func(*probe) error {
		return func(p *probe) error { return p.ask(start, plies...) }
	}
	list := []struct {
		id, text, source string
		run              func(*probe) error
	}{
		{"first", "in a new game a square is flipped by move.txt, and the engine ends", "manual 8.6: move.txt", asked("")},
		{"second", "a game of one ply, half a round, is read", rows, asked("", "b4(P)")},
		{"reply", "in the middle of a game a possible ply is written", rows, asked("", played...)},
		{"capture", "captures of both sides are followed", rows, asked("", slices.Concat(played, []string{"b5-b4", "c5-b5", "a1(K)"})...)},
		{"step", "a step is found where nothing else is possible", rows, asked("----/----/----/----/----/---k/----/Pg-- b", "d3-d4")},
		{"take", "a capture is found where nothing else is possible", rows, asked("----/----/----/----/----/k---/----/Pg-- b", "a3-a2")},
		{"jump", "a cannon's jump is found where nothing else is possible", rows, asked("----/----/----/-k--/----/----/p---/Cp-- b", "b5-a5")},
		{"flip", "a flip is found where nothing else is possible", rows, asked("---X/----/----/----/----/g---/----/Pg-- b hidden=P", "a3-a2")},
		{"twice", "asked again in the same position the engine answers again", "a platform may start it anew", checkTwice},
		{"again", "in the same folder another game follows", "what a match asks of an engine", checkAgain},
		{"names", "players are called anything: blanks, numbers, words of the file", rows, func(p *probe) error {
			p.names = [2]string{"first 1", "K-2 (level 3), 900 * 1."}
			return p.ask("", played...)
		}},
		{"time", "the engine has ended before the time of board.txt is over", "manual 8.6: time", checkTime},
		{"status", "the engine ends with status 0", "clean end", checkStatus},
	}
	out := make([]protocol.Check, len(list))
	for i, l := range list {
		out[i] = protocol.Check{
			ID: l.id, Requirement: l.text, Source: l.source, Advice: l.id == "status", Needed: l.id == "first", Own: true,
			Run: func(ctx context.Context, p *protocol.Probe) error { return run(ctx, p, board, l.run) },
		}
	}
	return out
}

// probe asks one engine about games on a board.
type probe struct {
	*protocol.Probe
	ctx    context.Context
	board  player.Position
	host   *Host
	within time.Duration
	names  [2]string
	warned string
}

// run has an engine tested in a folder of its own.
func run(ctx context.Context, p *protocol.Probe, board player.Position, test func(*probe) error) error {
	c := &probe{Probe: p, ctx: ctx, board: board, within: p.Thought(), names: [2]string{"alice", "bob"}}
	config := p.Config
	config.Warn = func(text string) { c.warned = text }
	var err error
	if c.host, err = NewHost(config); err != nil {
		return err
	}
	c.host.heard = p.Observe
	return errors.Join(test(c), c.host.Close())
}

// ask begins a game from a position, has plies played and wants one that is possible.
func (p *probe) ask(start string, plies ...string) error {
	if err := p.board.Reset(p.board.Spec(), start); err != nil {
		return err
	}
	s := player.Setup{Spec: p.board.Spec(), Width: grid.DarkWidth, Height: grid.DarkHeight, Names: p.names, Start: start}
	for _, text := range plies {
		m, err := p.board.ParseMove(text)
		if err != nil {
			return err
		}
		steps := []game.Move{m}
		if m.Op == game.Deal {
			steps = []game.Move{game.FlipAt(m.To), m}
		}
		if err := protocol.Play(p.board, steps...); err != nil {
			return err
		}
		s.History = append(s.History, player.Update{Steps: steps})
	}
	if err := p.host.NewGame(p.ctx, &s); err != nil {
		return err
	}
	return p.choose()
}

// choose wants a ply that is possible on the board.
func (p *probe) choose() error {
	k := clock.New(clock.Control{Main: given})
	ans, err := p.host.Choose(p.ctx, &player.Prompt{
		Seat: p.board.Turn().Seat, Clocks: [2]clock.Clock{k, k}, Deadline: p.Config.Now().Add(p.within),
	})
	for _, line := range p.host.Evidence() {
		p.Observe(link.Noted, time.Time{}, []byte(line))
	}
	var failed *player.Failure
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		said := "nothing is written"
		if _, missing := os.Lstat(p.host.path(MoveFile)); missing == nil {
			said = MoveFile + " is written"
		}
		return unanswered{fmt.Sprintf("%s, and the engine still runs after %s", said, p.within), err}
	case errors.As(err, &failed):
		return unanswered{failed.Detail, err}
	case err != nil:
		return err
	case ans.Unread != "":
		return errors.New(ans.Unread)
	case ans.Steps[0].Op == game.Resign:
		return fmt.Errorf("%w: it resigns", protocol.ErrSkipped)
	}
	if err := protocol.Try(p.board, false, ans.Steps...); err != nil {
		text, _ := AppendMove(nil, ans.Steps[0])
		return fmt.Errorf("%s is not possible: %w", strings.Join(strings.Fields(string(text)), " "), err)
	}
	return nil
}

// unanswered says in other words what a failure is.
type unanswered struct {
	text string
	err  error
}

func (u unanswered) Error() string { return u.text }
func (u unanswered) Unwrap() error { return u.err }

func checkTwice(p *probe) error {
	if err := p.ask("", played...); err != nil {
		return protocol.Untested(err)
	}
	if err := p.choose(); err != nil {
		return fmt.Errorf("asked again: %w", err)
	}
	return nil
}

func checkAgain(p *probe) error {
	if err := p.ask("", played...); err != nil {
		return protocol.Untested(err)
	}
	if err := p.ask(""); err != nil {
		return fmt.Errorf("the next game in the same folder: %w", err)
	}
	return nil
}

func checkTime(p *probe) error {
	if p.host.time.fixed > 0 {
		return fmt.Errorf("%w: dialect.time tells the engine another time", protocol.ErrSkipped)
	}
	p.within = given
	err := p.ask("", played...)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return protocol.Tardy(err)
	}
	return protocol.Untested(err)
}

func checkStatus(p *probe) error {
	if err := p.ask(""); err != nil {
		return protocol.Untested(err)
	}
	if p.warned != "" {
		return errors.New(p.warned)
	}
	return nil
}
