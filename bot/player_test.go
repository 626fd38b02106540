package bot_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
)

// pile is an engine for a heap from which one to three sticks are taken. The
// spec's start is the number of sticks in unary; a Place on column n takes n.
type pile struct {
	left   int
	setup  player.Setup
	resets int
	task   bot.Task
	think  func(t *bot.Task) player.Answer
}

var errTaken = errors.New("more sticks are taken than lie there")

func take(n int) game.Move { return game.PlaceAt(game.Pt(n, 0)) }

func (e *pile) Reset(s *player.Setup) error {
	if s.Start == "bad" {
		return errors.New("no such heap")
	}
	e.setup = *s
	e.left = 21
	if s.Start != "" {
		e.left = len(s.Start)
	}
	e.resets++
	return nil
}

func (e *pile) Update(u *player.Update) error {
	for _, m := range u.Steps {
		if int(m.To.X) > e.left {
			return errTaken
		}
		e.left -= int(m.To.X)
	}
	return nil
}

func (e *pile) Think(t *bot.Task) player.Answer {
	e.task = *t
	if e.think != nil {
		return e.think(t)
	}
	best := take(max(1, e.left%4))
	for depth := 1; t.More(depth) && depth <= 30; depth++ {
		if t.Poll(1000) {
			break
		}
		for rank := range t.Lines {
			t.Report(game.Info{Depth: depth, Rank: rank + 1, PV: []game.Move{best}})
		}
	}
	return player.Answer{Steps: []game.Move{best}, Info: game.Info{Depth: 1}}
}

// endless thinks until it is told to end.
func endless(t *bot.Task) player.Answer {
	for depth := 1; t.More(depth); depth++ {
		for !t.Poll(1) {
			time.Sleep(20 * time.Microsecond)
		}
	}
	return player.Answer{Steps: []game.Move{take(2)}}
}

// Whoever waits for the only processor has it between two looks at the clock.
func TestPollGivesWay(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var others atomic.Int64
	go func() {
		for range 100 {
			others.Add(1)
			runtime.Gosched()
		}
	}()
	var task bot.Task
	for range 50 {
		task.Poll(1)
	}
	if got := others.Load(); got < 10 { // there may be others than this one
		t.Errorf("at 50 looks another had %d turns", got)
	}
}

type legals []game.Move

func (l legals) Legal(dst []game.Move) []game.Move { return append(dst, l...) }

var three = legals{take(1), take(2), take(3)}

func start(t *testing.T, e *pile, o bot.Options, s player.Setup) *bot.Player {
	t.Helper()
	if o.Now == nil {
		o.Now = time.Now
	}
	p := bot.New("pile", e, o)
	if err := p.NewGame(context.Background(), &s); err != nil {
		t.Fatal(err)
	}
	return p
}

func choose(t *testing.T, p *bot.Player, pr player.Prompt) player.Answer {
	t.Helper()
	if pr.Moves == nil {
		pr.Moves = three
	}
	a, err := p.Choose(context.Background(), &pr)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Steps) == 0 {
		t.Fatal("no steps")
	}
	return a
}

func tell(p *bot.Player, by game.Seat, n ...int) {
	u := player.Update{By: by, Ended: true, Next: game.Turn{Seat: by.Other()}}
	for _, k := range n {
		u.Steps = append(u.Steps, take(k))
	}
	p.Tell(&u)
	u.Steps[0] = take(99) // the update belongs to the caller again
}

func TestFollowsTheGame(t *testing.T) {
	e := &pile{}
	p := start(t, e, bot.Options{}, player.Setup{Spec: "pile", Start: "||||||||||", History: []player.Update{
		{By: game.First, Steps: []game.Move{take(1)}}, {By: game.Second, Steps: []game.Move{take(2)}},
	}})
	if e.left != 7 || e.setup.History != nil {
		t.Fatalf("%d sticks after the history, set-up %+v", e.left, e.setup)
	}
	if a := choose(t, p, player.Prompt{}); a.Steps[0] != take(3) {
		t.Errorf("%v of seven", a.Steps)
	}
	tell(p, game.First, 3)
	tell(p, game.Second, 1, 1)
	tell(p, game.First, 1)
	for _, c := range []struct{ back, left int }{{1, 2}, {1, 3}, {1, 4}, {2, 9}, {1, 10}} {
		p.Tell(&player.Update{Rewind: c.back})
		if e.left != c.left {
			t.Errorf("%d sticks after an undo, want %d", e.left, c.left)
		}
	}
	p.Tell(&player.Update{Rewind: 1})
	if _, err := p.Choose(context.Background(), &player.Prompt{Moves: three}); err == nil {
		t.Error("an undo beyond the start went unnoticed")
	}
}

func TestFailures(t *testing.T) {
	p := bot.New("pile", &pile{}, bot.Options{Now: time.Now})
	var f *player.Failure
	if _, err := p.Choose(context.Background(), &player.Prompt{Moves: three}); !errors.As(err, &f) || f.Reason != game.ByProtocol {
		t.Errorf("before the game: %v", err)
	}
	if err := p.NewGame(context.Background(), &player.Setup{Spec: "pile", Start: "bad"}); !errors.As(err, &f) || f.Reason != game.ByStart {
		t.Errorf("bad start: %v", err)
	}
	if err := p.NewGame(context.Background(), &player.Setup{Spec: "pile", Start: "||"}); err != nil {
		t.Fatal(err)
	}
	tell(p, game.First, 3)
	if _, err := p.Choose(context.Background(), &player.Prompt{Moves: three}); !errors.Is(err, errTaken) {
		t.Errorf("after an impossible move: %v", err)
	}
	if err := p.Analyse(context.Background(), player.Question{}, func(game.Info) bool { return true }); !errors.Is(err, errTaken) {
		t.Errorf("analysis after an impossible move: %v", err)
	}
	if err := p.NewGame(context.Background(), &player.Setup{Spec: "pile"}); err != nil {
		t.Errorf("a next game: %v", err)
	}
	if _, err := p.Choose(context.Background(), &player.Prompt{Moves: legals{}}); err != nil {
		t.Errorf("the engine knows a move even if the list is empty: %v", err)
	}
}

func TestStopEndsThinking(t *testing.T) {
	e := &pile{think: endless}
	p := start(t, e, bot.Options{}, player.Setup{Spec: "pile"})
	p.Stop() // none is running: does nothing
	var stopped time.Time
	e.left = 21
	e.think = func(task *bot.Task) player.Answer {
		timer := time.AfterFunc(30*time.Millisecond, func() { stopped = time.Now(); p.Stop() })
		defer timer.Stop()
		return endless(task)
	}
	a := choose(t, p, player.Prompt{Clocks: [2]clock.Clock{clock.New(clock.Control{Turn: time.Minute})}})
	late := time.Since(stopped)
	if stopped.IsZero() || a.Steps[0] != take(2) {
		t.Errorf("%v, stopped %v", a.Steps, stopped)
	}
	if late > 10*time.Second { // it thinks for more than half a minute
		t.Errorf("the answer came %v after Stop", late)
	}
	e.think = endless
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	var f *player.Failure
	pr := player.Prompt{Moves: three, Clocks: [2]clock.Clock{clock.New(clock.Control{Turn: time.Minute})}}
	if _, err := p.Choose(ctx, &pr); !errors.As(err, &f) || f.Reason != game.ByAbort {
		t.Errorf("abandoned: %v", err)
	}
}

func TestTimeAndLimits(t *testing.T) {
	second := clock.New(clock.Control{Turn: time.Second})
	for _, c := range []struct {
		name         string
		level        int
		limits       player.Limits
		setup        player.Limits
		clock        clock.Clock
		depth        int
		nodes        int64
		timed        bool
		setupMemory  int64
		optionMemory int64
		memory       int64
	}{
		{name: "nothing bounds", level: 9, nodes: bot.FreeNodes},
		{name: "a clock", level: 9, clock: second, timed: true},
		{name: "a level", level: 4, depth: 3, nodes: 30_000},
		{name: "limits of the turn", level: 9, limits: player.Limits{Depth: 5}, depth: 5},
		{name: "a depth that is ordered", level: 4, limits: player.Limits{Depth: 40, Ordered: true}, setup: player.Limits{Depth: 2}, depth: 40},
		{name: "the tighter one", level: 6, limits: player.Limits{Depth: 5, Nodes: 7}, setup: player.Limits{Depth: 3, Nodes: 9}, depth: 3, nodes: 7},
		{name: "memory", level: 9, nodes: bot.FreeNodes, setupMemory: 100, optionMemory: 50, memory: 50},
		{name: "memory of the game", level: 9, nodes: bot.FreeNodes, setupMemory: 40, optionMemory: 50, memory: 40},
	} {
		e := &pile{}
		c.setup.Memory = c.setupMemory
		p := start(t, e, bot.Options{Level: c.level, Memory: c.optionMemory}, player.Setup{Spec: "pile", Limits: c.setup})
		seen := false
		e.think = func(t *bot.Task) player.Answer { seen = true; return player.Answer{} }
		for range 20 { // low levels blunder now and then, without thinking
			choose(t, p, player.Prompt{Limits: c.limits, Clocks: [2]clock.Clock{c.clock}})
		}
		if !seen || e.task.Depth != c.depth || e.task.Nodes != c.nodes || (e.task.Hard > 0) != c.timed {
			t.Errorf("%s: depth %d, nodes %d, hard %v", c.name, e.task.Depth, e.task.Nodes, e.task.Hard)
		}
		if e.setup.Limits.Memory != c.memory {
			t.Errorf("%s: %d bytes", c.name, e.setup.Limits.Memory)
		}
	}
}

func TestBoundsEndThinking(t *testing.T) {
	for name, pr := range map[string]player.Prompt{
		"clock":    {Clocks: [2]clock.Clock{clock.New(clock.Control{Turn: 20 * time.Millisecond})}},
		"deadline": {Deadline: time.Now().Add(20 * time.Millisecond)},
		"nodes":    {Limits: player.Limits{Nodes: 100}},
		"over":     {Deadline: time.Now().Add(-time.Second)},
	} {
		p := start(t, &pile{think: endless}, bot.Options{}, player.Setup{Spec: "pile"})
		began := time.Now()
		if a := choose(t, p, pr); a.Steps[0] != take(2) || a.Info.Time <= 0 {
			t.Errorf("%s: %+v", name, a)
		}
		if d := time.Since(began); d > 10*time.Second {
			t.Errorf("%s: %v", name, d)
		}
	}
}

// lines plays thirty turns and prints what was chosen.
func lines(t *testing.T, o bot.Options, id string) string {
	t.Helper()
	e := &pile{}
	p := start(t, e, o, player.Setup{Spec: "pile", ID: id, Start: string(make([]byte, 200))})
	var out []int
	for range 30 {
		a := choose(t, p, player.Prompt{})
		out = append(out, int(a.Steps[0].To.X))
		tell(p, game.First, 4)
	}
	return fmt.Sprint(out)
}

func TestChoicesAreRepeatable(t *testing.T) {
	a := lines(t, bot.Options{Level: 1, Seed: 5}, "x")
	if a != lines(t, bot.Options{Level: 1, Seed: 5}, "x") {
		t.Error("the same seed gave another game")
	}
	if a == lines(t, bot.Options{Level: 1, Seed: 6}, "x") || a == lines(t, bot.Options{Level: 1, Seed: 5}, "y") {
		t.Error("neither seed nor game change anything")
	}
	best := lines(t, bot.Options{Level: 9}, "x")
	if best == a || best != lines(t, bot.Options{Level: 9, Seed: 8}, "y") {
		t.Error("the strongest level should not blunder, the weakest should")
	}
}

func TestFallbacks(t *testing.T) {
	p := start(t, &pile{think: func(*bot.Task) player.Answer { return player.Answer{} }}, bot.Options{}, player.Setup{Spec: "pile"})
	if a := choose(t, p, player.Prompt{}); a.Steps[0] != take(1) {
		t.Errorf("an engine without an answer: %v", a.Steps)
	}
	p = start(t, &pile{think: func(*bot.Task) player.Answer { panic("not to be asked") }}, bot.Options{}, player.Setup{Spec: "pile"})
	if a := choose(t, p, player.Prompt{Moves: legals{take(3)}}); a.Steps[0] != take(3) {
		t.Errorf("the only move: %v", a.Steps)
	}
	a := choose(t, p, player.Prompt{Again: 1, Rejected: player.AnswerIllegal})
	if !slices.Contains(three, a.Steps[0]) {
		t.Errorf("after an illegal answer: %v", a.Steps)
	}
}

func TestAnalysis(t *testing.T) {
	e := &pile{}
	p := start(t, e, bot.Options{}, player.Setup{Spec: "pile", ToMove: game.Second})
	var got []game.Info
	collect := func(i game.Info) bool { got = append(got, i); return true }
	if err := p.Analyse(context.Background(), player.Question{Lines: 2, Depth: 3}, collect); err != nil {
		t.Fatal(err)
	}
	if len(got) != 6 || got[5].Depth != 3 || got[5].Rank != 2 || got[5].Nodes != 3000 || !e.task.Analysing() || e.task.Seat != game.Second {
		t.Errorf("%+v", got)
	}
	n := 0
	err := p.Analyse(context.Background(), player.Question{}, func(game.Info) bool { n++; return n < 2 })
	if err != nil || n != 2 {
		t.Errorf("%d lines after a reader that left, %v", n, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	e.think = endless
	time.AfterFunc(10*time.Millisecond, cancel)
	if err := p.Analyse(ctx, player.Question{}, collect); err != nil {
		t.Errorf("ended by its context: %v", err)
	}
	began := time.Now()
	if err := p.Analyse(context.Background(), player.Question{Budget: 20 * time.Millisecond}, collect); err != nil {
		t.Error(err)
	}
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("a budget of 20 ms took %v", d)
	}
}

func TestWholeGameAnalysis(t *testing.T) {
	e := &pile{}
	p := start(t, e, bot.Options{}, player.Setup{Spec: "pile", Start: "||||||"})
	tell(p, game.First, 3)
	tell(p, game.Second, 1)
	p.Tell(&player.Update{By: game.First, Steps: []game.Move{take(2)}, Next: game.Turn{Seat: game.Nobody}, Result: &game.Result{}})
	var ranks, depths []int
	var first []game.Move
	err := p.Analyse(context.Background(), player.Question{WholeGame: true, Depth: 2}, func(i game.Info) bool {
		ranks, depths = append(ranks, i.Rank), append(depths, i.Depth)
		first = append(first, i.PV[0])
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ranks, []int{2, 1, 0}) || !slices.Equal(depths, []int{2, 2, 2}) ||
		!slices.Equal(first, []game.Move{take(2), take(3), take(2)}) {
		t.Errorf("ranks %v, depths %v, moves %v", ranks, depths, first)
	}
	if e.left != 0 {
		t.Errorf("%d sticks after the analysis", e.left)
	}
}

func TestNames(t *testing.T) {
	if n := bot.New("pile", &pile{}, bot.Options{Level: 3}).EngineName(); n != "Kibitz pile 3" {
		t.Error(n)
	}
	if n := bot.New("pile", &pile{}, bot.Options{Name: "Sticky"}).EngineName(); n != "Sticky" {
		t.Error(n)
	}
	if bot.LevelOf(0) != bot.LevelOf(1) || bot.LevelOf(99) != (bot.Level{}) {
		t.Error("levels outside the table")
	}
	for n := 1; n < bot.MaxLevel-1; n++ {
		a, b := bot.LevelOf(n), bot.LevelOf(n+1)
		if a.Depth > b.Depth || a.Nodes >= b.Nodes || a.Blunder < b.Blunder {
			t.Errorf("level %d is not stronger than level %d", n+1, n)
		}
	}
}
