package run

import (
	"kibitz/journal"
	"kibitz/run/result"
)

// audience is everybody who watches a run.
type audience struct {
	watchers  []Watcher
	followers []Follower // those of them who follow the games as they are played
}

func (a *audience) add(list ...Watcher) {
	a.watchers = append(a.watchers, list...)
	for _, w := range list {
		if f, ok := w.(Follower); ok {
			a.followers = append(a.followers, f)
		}
	}
}

func (a *audience) gameBegan(g *Game) {
	for _, w := range a.watchers {
		w.Began(g)
	}
}

func (a *audience) event(e *journal.Event) {
	for _, f := range a.followers {
		f.Event(e)
	}
}

func (a *audience) finished(g *Finished) {
	for _, w := range a.watchers {
		w.Finished(g)
	}
}

func (a *audience) warn(text string) {
	for _, w := range a.watchers {
		w.Warned(text)
	}
}

func (a *audience) ordered(text string) {
	for _, w := range a.watchers {
		w.Ordered(text)
	}
}

func (a *audience) ended(s *result.Summary) {
	for _, w := range a.watchers {
		w.Ended(s)
	}
}
