package match_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
	"kibitz/rules"
)

// fake is a scripted player that writes down what it is told.
type fake struct {
	// choose decides; nil plays the first legal move at once.
	choose  func(ctx context.Context, p *player.Prompt) (player.Answer, error)
	newGame func(ctx context.Context, s *player.Setup) error
	// quiet players keep no log.
	quiet bool
	// reportsSent players say when they have passed a question on.
	reportsSent bool
	log         []string
	setup       player.Setup
	prompts     int
	stops       chan struct{}
	over        []game.Result
	legal       []game.Move
	steps       [1]game.Move
}

func (f *fake) NewGame(ctx context.Context, s *player.Setup) error {
	f.setup = *s
	if f.newGame != nil {
		return f.newGame(ctx, s)
	}
	return nil
}

func (f *fake) Tell(u *player.Update) {
	if f.quiet {
		return
	}
	f.log = append(f.log, told(u))
}

// told writes an update down, all of it but the clocks' controls.
func told(u *player.Update) string {
	var b strings.Builder
	fmt.Fprintf(&b, "by %s", u.By)
	for _, m := range u.Steps {
		fmt.Fprintf(&b, " [%s]", m)
	}
	for _, n := range u.Notices {
		fmt.Fprintf(&b, " {%s %s %s %v %d}", n.Kind, n.By, n.Move, n.Points, n.Count)
	}
	if u.Forced {
		b.WriteString(" forced")
	}
	fmt.Fprintf(&b, " used %s clocks %v %v", u.Used, u.Clocks[0].Left, u.Clocks[1].Left)
	fmt.Fprintf(&b, " next %s/%d/%s ended %v rewind %d", u.Next.Seat, u.Next.Step, u.Next.Phase, u.Ended, u.Rewind)
	if u.Info != nil && u.Info.Depth > 0 {
		fmt.Fprintf(&b, " depth %d", u.Info.Depth)
	}
	if u.View != nil {
		fmt.Fprintf(&b, " view %v", u.View.View().Cells)
	}
	if u.Result != nil {
		fmt.Fprintf(&b, " result %v %s", u.Result.Points, u.Result.Reason)
	}
	return b.String()
}

func (f *fake) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	f.prompts++
	if !f.quiet {
		f.log = append(f.log, fmt.Sprintf("asked %s/%d again %d %d legal %v view %v", p.Turn.Seat, p.Turn.Step, p.Again, p.Rejected,
			p.Moves.Legal(nil), p.View.View().Cells))
	}
	if f.reportsSent {
		p.Sent()
	}
	if f.choose != nil {
		return f.choose(ctx, p)
	}
	return f.first(p), nil
}

// first returns the first legal move that was not refused in this turn.
func (f *fake) first(p *player.Prompt) player.Answer {
	f.legal = p.Moves.Legal(f.legal[:0])
	f.steps[0] = f.legal[p.Again%len(f.legal)]
	return player.Answer{Steps: f.steps[:]}
}

func (f *fake) Stop() {
	if f.stops != nil {
		select {
		case f.stops <- struct{}{}:
		default:
		}
	}
}

func (f *fake) Over(r game.Result) { f.over = append(f.over, r) }
func (f *fake) Close() error       { return nil }

// CanStart implements player.Positioner.
func (f *fake) CanStart(game.Spec) player.Start { return player.FromPosition }

// slow returns a player that takes the times in turn and then plays the first
// legal move; it gives up at its deadline as a host does.
func slow(times ...time.Duration) *fake {
	f := &fake{}
	f.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
		d := time.Duration(0)
		if f.prompts <= len(times) {
			d = times[f.prompts-1]
		}
		if wait := time.Until(p.Deadline); !p.Deadline.IsZero() && d > wait {
			time.Sleep(wait)
			return player.Answer{}, player.Fail(game.ByTime, nil, "no answer in time")
		}
		time.Sleep(d)
		return f.first(p), nil
	}
	return f
}

// newGame returns a game of tiny between two players without clocks.
func newGame(a, b player.Player) *match.Game {
	return &match.Game{
		ID: "g", Rules: &tiny{size: 8, perTurn: 1}, Now: time.Now,
		Sides: [2]match.Side{{Player: a, Name: "A"}, {Player: b, Name: "B"}},
	}
}

// collect keeps a game's events; they are written and read on the way, so that
// the test sees what a journal holds.
func collect(t *testing.T, g *match.Game) *[]journal.Event {
	t.Helper()
	var all []journal.Event
	seq := uint64(0)
	g.Sink = func(ev *journal.Event) {
		seq++
		ev.Seq = seq
		line, err := journal.AppendEvent(nil, ev)
		if err != nil {
			t.Errorf("event %+v: %v", ev, err)
			return
		}
		got, err := journal.ParseEvent(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
		all = append(all, got)
	}
	return &all
}

// fold rebuilds the game from its events.
func fold(t *testing.T, events []journal.Event) *journal.Game {
	t.Helper()
	var f journal.Folder
	for i := range events {
		if g := f.Add(&events[i]); g != nil {
			if i != len(events)-1 {
				t.Errorf("%d events after the result", len(events)-1-i)
			}
			return g
		}
	}
	t.Fatal("the events hold no result")
	return nil
}

func control(t *testing.T, text string) clock.Control {
	t.Helper()
	c, err := clock.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func at(points ...int) []game.Move {
	var list []game.Move
	for _, p := range points {
		list = append(list, game.PlaceAt(game.Pt(p, 0)))
	}
	return list
}

// says returns a player that gives the answers in turn, then the first legal one.
func says(answers ...[]game.Move) *fake {
	f := &fake{}
	f.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
		if f.prompts <= len(answers) {
			return player.Answer{Steps: answers[f.prompts-1], Raw: fmt.Sprint(answers[f.prompts-1])}, nil
		}
		return f.first(p), nil
	}
	return f
}

func moves(o match.Outcome) []game.Move {
	var list []game.Move
	for _, s := range o.Steps {
		list = append(list, s.Move)
	}
	return list
}

func mustEnd(t *testing.T, o match.Outcome, winner game.Seat, why game.Reason, detail string) {
	t.Helper()
	if o.Result.Winner() != winner || o.Result.Reason != why || !strings.Contains(o.Result.Detail, detail) {
		t.Errorf("result %+v, want %s by %s (%s)", o.Result, winner, why, detail)
	}
}

func count(log []string, part string) int {
	n := 0
	for _, line := range log {
		if strings.Contains(line, part) {
			n++
		}
	}
	return n
}

var _ rules.Chance = (*tinyState)(nil)
