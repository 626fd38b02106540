package main

import (
	"context"
	"fmt"
	"slices"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/player"
	"kibitz/protocol/gtp"
	"kibitz/run"
	"kibitz/run/compat/gogui"
	"kibitz/run/engines"
)

// ggProgram is a program of gogui-twogtp.
type ggProgram struct {
	role          string // Black, White, Referee or Observer
	command       gogui.Command
	name, version string
	// label is the name, with the version or a number behind it where another program has
	// the same name.
	label string
}

// introduce asks each program for its name and version.
func (w *ggWatch) introduce() error {
	for _, x := range []ggProgram{
		{role: "Black", command: w.o.Black},
		{role: "White", command: w.o.White},
		{role: "Referee", command: w.o.Referee},
		{role: "Observer", command: w.o.Observer},
	} {
		if x.command == "" {
			continue
		}
		if err := w.ask(&x); err != nil {
			return err
		}
		w.programs = append(w.programs, x)
	}
	for i := range w.programs {
		x := &w.programs[i]
		x.label = x.name
		same := func(y ggProgram) bool { return y.role != x.role && y.role != "Observer" && y.name == x.name }
		if slices.ContainsFunc(w.programs, same) {
			if x.label += ":" + x.version; x.version == "" || len(x.version) > 40 {
				x.label = fmt.Sprintf("%s[%d]", x.name, i+1)
			}
		}
	}
	w.names = [2]string{w.programs[0].label, w.programs[1].label}
	if w.names[0] == w.names[1] {
		w.names[0], w.names[1] = w.names[0]+" (black)", w.names[1]+" (white)"
	}
	return nil
}

// ask starts a program, asks for its name and ends it.
func (w *ggWatch) ask(x *ggProgram) error {
	h, done, err := w.host(x)
	if err != nil {
		return err
	}
	defer done()
	for _, k := range []struct {
		command, usual string
		to             *string
	}{{"name", x.role, &x.name}, {"version", "", &x.version}} {
		text, ok, err := h.Ask(w.a.ctx, k.command)
		if err != nil {
			return badVerdict("%s: %v", x.role, err)
		}
		if *k.to = printable(text); !ok || text == "" {
			*k.to = k.usual
		}
	}
	return nil
}

// host returns what drives a program; done ends it.
func (w *ggWatch) host(x *ggProgram) (h *gtp.Host, done func(), err error) {
	e, err := engines.New(nil, append(engines.Words{{Key: "name", Value: x.role}}, ggWords(x.command, gogui.Time{})...))
	if err != nil {
		return nil, nil, err
	}
	release, err := w.a.launcher().Ready(w.a.ctx, e)
	if err != nil {
		return nil, nil, err
	}
	p, err := w.a.launcher().Player(e, w.rules, 0, nil)
	if err != nil {
		release()
		return nil, nil, err
	}
	return p.(*gtp.Host), func() {
		if err := p.Close(); err != nil {
			w.Warned(x.role + ": " + plain.OneLine(err))
		}
		release()
	}, nil
}

// ggFollow tells referee and observer of the games while they are played.
type ggFollow struct{ *ggWatch }

// ggFollower is a program that is told every move of the games of one slot, one after the
// other, by a goroutine of its own: no game waits for it.
type ggFollower struct {
	role string
	w    *ggWatch
	host *gtp.Host
	done func()
	jobs chan func()
	// said is the answer to final_score, failed that the game goes on without it. Both
	// are the goroutine's.
	said   chan string
	failed bool
}

// mostUntold is how many decisions a follower may be behind before the game waits for it.
const mostUntold = 4096

func (w *ggFollow) Began(p *run.Game) {
	w.following.Lock()
	defer w.following.Unlock()
	if w.live == nil {
		w.followers, w.live = map[int][]*ggFollower{}, map[string][]*ggFollower{}
	}
	list, there := w.followers[p.Slot]
	if !there {
		list = w.engage()
		w.followers[p.Slot] = list
	}
	w.live[p.ID] = list
	s := w.setup(p)
	for _, f := range list {
		f.jobs <- func() { f.begin(s) }
	}
}

// engage starts the followers of a slot.
func (w *ggWatch) engage() (list []*ggFollower) {
	for i := range w.programs[2:] {
		x := &w.programs[2+i]
		h, done, err := w.host(x)
		if err != nil {
			w.Warned(x.role + ": " + plain.OneLine(err))
			continue
		}
		f := &ggFollower{role: x.role, w: w, host: h, done: done, jobs: make(chan func(), mostUntold), said: make(chan string)}
		go func() {
			for job := range f.jobs {
				job()
			}
			f.done()
			close(f.said)
		}()
		list = append(list, f)
	}
	return list
}

func (w *ggWatch) setup(p *run.Game) *player.Setup {
	doc := w.rules.Doc()
	s := &player.Setup{
		ID: p.ID, Spec: w.rules.Spec(), Width: doc.Width, Height: doc.Height, Seat: game.Nobody, Names: p.Names,
		Colours: doc.Colours,
	}
	for seat, e := range [2]int{p.Pairing.First, p.Pairing.Second} {
		s.Clocks[seat] = clock.New(w.run.Control(e))
	}
	return s
}

// event passes a decision on.
func (w *ggFollow) Event(e *journal.Event) {
	if e.Kind != journal.KindDecision || e.Decision.Refused {
		return
	}
	d := e.Decision
	u := &player.Update{By: d.By, Steps: slices.Clone(d.Steps), Forced: d.Forced, Next: d.Next, Ended: d.Ended, Colours: w.rules.Doc().Colours}
	w.following.Lock()
	list := w.live[e.Game]
	w.following.Unlock()
	for _, f := range list {
		f.jobs <- func() { f.tell(u) }
	}
}

// unfollow ends a game for those who follow it, and returns what the referee says of its
// result, "?" if nothing.
func (w *ggWatch) unfollow(p *run.Game) string {
	w.following.Lock()
	list := w.live[p.ID]
	delete(w.live, p.ID)
	w.following.Unlock()
	said := "?"
	for _, f := range list {
		if text := f.over(); f.role == "Referee" {
			said = text
		}
	}
	return said
}

func (f *ggFollower) begin(s *player.Setup) {
	err := f.host.NewGame(f.w.a.ctx, s)
	f.failed = false
	f.check(err)
}

func (f *ggFollower) tell(u *player.Update) {
	if !f.failed {
		f.host.Tell(u)
		f.check(f.host.Follow(f.w.a.ctx))
	}
}

func (f *ggFollower) check(err error) {
	if f.failed = f.failed || err != nil; err != nil && f.w.a.ctx.Err() == nil {
		f.w.Warned(fmt.Sprintf("%s: %s", f.role, plain.OneLine(err)))
	}
}

// over ends a game and returns what a referee says of its result, "?" if nothing.
func (f *ggFollower) over() string {
	f.jobs <- func() {
		said := "?"
		if !f.failed && f.role == "Referee" {
			text, ok, err := f.host.Ask(context.WithoutCancel(f.w.a.ctx), "final_score")
			f.check(err)
			if ok && err == nil && text != "" {
				said = printable(text)
			}
		}
		f.host.Over(game.Result{})
		f.said <- said
	}
	return <-f.said
}

// dismiss ends the followers.
func (w *ggWatch) dismiss() {
	for _, list := range w.followers {
		for _, f := range list {
			close(f.jobs)
			<-f.said
		}
	}
}
