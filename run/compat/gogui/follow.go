package gogui

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
)

// follow tells referee and observer of the games while they are played.
type follow struct{ *watch }

// follower is a program that is sent every move of the games of one slot, one after the
// other, by a goroutine of its own: no game waits for it.
type follower struct {
	role string
	w    *watch
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

// Began tells that a game begins.
func (w *follow) Began(g *run.Game) {
	w.following.Lock()
	defer w.following.Unlock()
	if w.live == nil {
		w.followers, w.live = map[int][]*follower{}, map[string][]*follower{}
	}
	list, there := w.followers[g.Slot]
	if !there {
		list = w.engage()
		w.followers[g.Slot] = list
	}
	w.live[g.ID] = list
	s := w.setup(g)
	for _, f := range list {
		f.jobs <- func() { f.begin(s) }
	}
}

// engage starts the followers of a slot.
func (w *watch) engage() (list []*follower) {
	for i := range w.programs[2:] {
		x := &w.programs[2+i]
		h, done, err := w.drive(x)
		if err != nil {
			w.Warned(x.role + ": " + plain.OneLine(err))
			continue
		}
		f := &follower{role: x.role, w: w, host: h, done: done, jobs: make(chan func(), mostUntold), said: make(chan string)}
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

func (w *watch) setup(g *run.Game) *player.Setup {
	doc := w.rules.Doc()
	c := clock.New(w.control)
	return &player.Setup{
		ID: g.ID, Spec: w.rules.Spec(), Width: doc.Width, Height: doc.Height, Seat: game.Nobody, Names: g.Names,
		Colours: doc.Colours, Clocks: [2]clock.Clock{c, c},
	}
}

// Event passes a decision on.
func (w *follow) Event(e *journal.Event) {
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
func (w *watch) unfollow(g *run.Game) string {
	w.following.Lock()
	list := w.live[g.ID]
	delete(w.live, g.ID)
	w.following.Unlock()
	said := "?"
	for _, f := range list {
		if text := f.over(); f.role == "Referee" {
			said = text
		}
	}
	return said
}

func (f *follower) begin(s *player.Setup) {
	err := f.host.NewGame(f.w.Context, s)
	f.failed = false
	f.check(err)
}

func (f *follower) tell(u *player.Update) {
	if !f.failed {
		f.host.Tell(u)
		f.check(f.host.Follow(f.w.Context))
	}
}

func (f *follower) check(err error) {
	if f.failed = f.failed || err != nil; err != nil && f.w.Context.Err() == nil {
		f.w.Warned(fmt.Sprintf("%s: %s", f.role, plain.OneLine(err)))
	}
}

// over ends a game and returns what a referee says of its result, "?" if nothing.
func (f *follower) over() string {
	f.jobs <- func() {
		said := "?"
		if !f.failed && f.role == "Referee" {
			text, ok, err := f.host.Ask(context.WithoutCancel(f.w.Context), "final_score")
			f.check(err)
			if ok && err == nil && text != "" {
				said = plain.Printable(text)
			}
		}
		f.host.Over(game.Result{})
		f.said <- said
	}
	return <-f.said
}

func (w *watch) dismiss() {
	for _, list := range w.followers {
		for _, f := range list {
			close(f.jobs)
			<-f.said
		}
	}
}
