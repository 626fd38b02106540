package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/store"
)

// Offers are the engines of the workers that live.
type Offers []bus.Worker

// have passes each program of a name that plays a game to fn; stopped ones are not
// played any more.
func (o Offers) have(name, kind string, fn func(w *bus.Worker, e *bus.Engine)) {
	for i := range o {
		for j := range o[i].Engines {
			e := &o[i].Engines[j]
			if strings.EqualFold(e.Name, name) && slices.Contains(e.Games, kind) {
				fn(&o[i], e)
			}
		}
	}
}

// Pick returns the hash of the program that most workers have under a name, empty if none
// has it.
func (o Offers) Pick(name, kind string) string {
	count := map[string]int{}
	o.have(name, kind, func(_ *bus.Worker, e *bus.Engine) {
		if e.Stopped == "" && e.Hash != "" {
			count[e.Hash]++
		}
	})
	return most(count, strings.Compare)
}

// most is the key with the largest count, of equal ones the first in an order; the zero one without any.
func most[K comparable](count map[K]int, order func(a, b K) int) (best K) {
	n := 0
	for _, k := range slices.SortedFunc(maps.Keys(count), order) {
		if count[k] > n {
			best, n = k, count[k]
		}
	}
	return best
}

// picks are the hashes of the programs that play a game: for engines that may be any of
// their name those that most workers have, all on one worker. They are empty if none is.
func (o Offers) picks(play *bus.Play) [2]string {
	count := map[[2]string]int{}
	for i := range o {
		have := [2][]string{}
		for seat := range have {
			have[seat] = o[i:i+1].hashes(&play.Seats[seat], play.Spec.ID())
		}
		for _, first := range have[0] {
			for _, second := range have[1] {
				count[[2]string{first, second}]++
			}
		}
	}
	return most(count, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
}

// hashes are those of the programs that can have a seat, each once: one that is empty if the
// seat needs none.
func (o Offers) hashes(s *bus.Seat, kind string) (out []string) {
	if s.Kind != bus.EngineSeat {
		return []string{""}
	}
	o.have(s.Engine, kind, func(_ *bus.Worker, e *bus.Engine) {
		if e.Stopped == "" && (s.Hash == "" || e.Hash == s.Hash) && !slices.Contains(out, e.Hash) {
			out = append(out, e.Hash)
		}
	})
	return out
}

// lacks says what engine of a game no worker offers, or that no worker offers all of them,
// the zero Why if one does. Who has another program of that name is named.
func (o Offers) lacks(play *bus.Play) game.Why {
	var engines []Program
	for i := range play.Seats {
		if s := &play.Seats[i]; s.Kind == bus.EngineSeat {
			if why := o.Lack(s.Engine, s.Hash, play.Spec.ID()); why.Text != "" {
				return why
			}
			engines = append(engines, Program{s.Engine, s.Hash})
		}
	}
	if len(engines) < 2 {
		return game.Why{}
	}
	return o.Apart(engines[0], engines[1], play.Spec.ID())
}

// Program is an engine by its name, and by the hash of its program if it may not be any of
// that name.
type Program struct{ Name, Hash string }

// Apart says that two engines are offered, but by no worker together: the worker of a game
// starts both. It is the zero Why if one worker has both, and while one of them is not
// offered at all, which Lack says.
func (o Offers) Apart(a, b Program, kind string) game.Why {
	first, second := o.at(a, kind), o.at(b, kind)
	if len(first) == 0 || len(second) == 0 || slices.ContainsFunc(first, func(w *bus.Worker) bool { return slices.Contains(second, w) }) {
		return game.Why{}
	}
	if a.Name > b.Name { // both games of a meeting wait for the same
		a, b, first, second = b, a, second, first
	}
	return game.Why{Code: bus.WhyApart, Name: a.Name + " – " + b.Name, Text: game.Shown(fmt.Sprintf(
		"waiting: no worker offers both %s (worker %s) and %s (worker %s), and a game is played by one worker: "+
			"offer both on one; in a room the engine's author can join with it instead (kibitz join)",
		a.Name, namesOf(first), b.Name, namesOf(second)), 500)}
}

// at are the workers that play a program.
func (o Offers) at(p Program, kind string) (out []*bus.Worker) {
	o.have(p.Name, kind, func(w *bus.Worker, e *bus.Engine) {
		if e.Stopped == "" && (p.Hash == "" || e.Hash == p.Hash) {
			out = append(out, w)
		}
	})
	return out
}

// mostNamed is how many workers a text names.
const mostNamed = 3

// namesOf names workers, the first few of many.
func namesOf(list []*bus.Worker) string {
	var names []string
	for _, w := range list {
		names = append(names, w.Name)
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > mostNamed {
		names = append(names[:mostNamed], "…")
	}
	return strings.Join(names, ", ")
}

// Lack says that no worker offers a program, of that hash if there is one; it is the zero Why if
// one does.
func (o Offers) Lack(name, hash, kind string) game.Why {
	there := false
	var others []string
	o.have(name, kind, func(w *bus.Worker, e *bus.Engine) {
		switch {
		case e.Stopped != "":
			others = append(others, fmt.Sprintf("worker %s stopped it: %s", w.Name, e.Stopped))
		case hash == "" || e.Hash == hash:
			there = true
		default:
			others = append(others, fmt.Sprintf("worker %s has another program of that name, with hash %s", w.Name, e.Hash))
		}
	})
	if there {
		return game.Why{}
	}
	text := "waiting: no worker offers " + name
	if hash != "" {
		text += " with hash " + hash
	}
	if len(others) > 0 {
		text += " (" + strings.Join(slices.Compact(slices.Sorted(slices.Values(others))), "; ") + ")"
	}
	return game.Why{Code: bus.WhyEngine, Name: name, Text: game.Shown(text, 500)}
}

// Others names the workers that have another program under the name of an engine that is
// one program: they are not handed its games.
func (o Offers) Others(name, hash, kind string) (out []game.Why) {
	o.have(name, kind, func(w *bus.Worker, e *bus.Engine) {
		if hash != "" && e.Hash != hash {
			out = append(out, game.Why{Code: bus.WhyProgram, Name: name, Text: game.Shown(fmt.Sprintf(
				"worker %s has another program named %s, with hash %s, and is not handed its games", w.Name, name, e.Hash), 300)})
		}
	})
	slices.SortFunc(out, func(a, b game.Why) int { return strings.Compare(a.Text, b.Text) })
	return slices.Compact(out)
}

// errLacks tells that a game waits for a worker that offers all its engines.
var errLacks = errors.New("no worker offers its engines")

// unnamed reports whether any engine of a game may be any program of its name: which one
// is settled before workers hear of it.
func (w *Work) unnamed() bool {
	return slices.ContainsFunc(w.Play.Seats[:], func(s bus.Seat) bool { return s.Kind == bus.EngineSeat && s.Hash == "" })
}

// name settles by which programs a queued game is played: one name is one program.
func (p *Dispatcher) name(ctx context.Context, id string) error {
	list, err := p.cfg.Bus.Workers(ctx)
	if err != nil {
		return err
	}
	var lack game.Why
	var g store.Game
	err = p.Update(ctx, func(tx store.Tx) error {
		var w Work
		if g, w, err = workedGame(tx, id); err != nil || g.State != store.Queued {
			return err
		}
		if lack = Offers(list).lacks(&w.Play); lack.Text != "" {
			return nil
		}
		picks := Offers(list).picks(&w.Play)
		for i := range w.Play.Seats {
			if s := &w.Play.Seats[i]; s.Kind == bus.EngineSeat && s.Hash == "" {
				s.Hash, w.Picked = picks[i], true
				w.Needs = append(w.Needs, s.Hash)
			}
		}
		slices.Sort(w.Needs)
		w.Needs = slices.Compact(w.Needs)
		g.Job = w.json()
		return tx.SetGame(&g, store.Queued)
	})
	if err == nil && lack.Text != "" {
		p.wait(&g, lack)
		return errLacks
	}
	return err
}

// unname lets a game be played by another program than was picked for it, because no
// worker has that one any more.
func (p *Dispatcher) unname(ctx context.Context, id string) error {
	return p.Update(ctx, func(tx store.Tx) error {
		g, w, err := workedGame(tx, id)
		if err != nil || g.State != store.Queued || !w.Picked {
			return err
		}
		for i := range w.Play.Seats {
			if s := &w.Play.Seats[i]; s.Kind == bus.EngineSeat {
				w.Needs = slices.DeleteFunc(w.Needs, func(h string) bool { return h == s.Hash })
				s.Hash = ""
			}
		}
		w.Picked = false
		return w.requeue(tx, &g, store.Queued, p.now())
	})
}

// wait notes for what a game waits; with the zero Why it waits for its turn alone.
func (p *Dispatcher) wait(g *store.Game, why game.Why) {
	id := g.ID
	p.mu.Lock()
	was := p.waits[id]
	known := why == (game.Why{}) || slices.Contains(slices.Collect(maps.Values(p.waits)), why)
	if why == (game.Why{}) {
		delete(p.waits, id)
	} else {
		p.waits[id] = why
	}
	p.mu.Unlock()
	if was == why {
		return
	}
	p.tell(g)
	if !known {
		p.cfg.Log.Warn(why.Text, "game", id)
	}
}

// EngineName is what an engine may be called: it stands in URLs and on command lines.
const EngineName = `^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$`

// Offers asks which workers live, with what they offer.
func (p *Dispatcher) Offers(ctx context.Context) (Offers, error) { return p.cfg.Bus.Workers(ctx) }

// announced makes engines of workers engines of the hall, so that nobody enters them a
// second time. An administrator can take them off offer; what he entered stays as it is.
func (p *Dispatcher) announced(ctx context.Context, list Offers) error {
	found := map[string]store.Engine{}
	fits := regexp.MustCompile(EngineName)
	for i := range list {
		for _, e := range list[i].Engines {
			if !fits.MatchString(e.Name) {
				continue
			}
			key := strings.ToLower(e.Name)
			have := found[key]
			have.Name = cmp.Or(have.Name, e.Name)
			for _, id := range e.Games {
				if !slices.Contains(have.Games, id) {
					have.Games = append(have.Games, id)
				}
			}
			found[key] = have
		}
	}
	if len(found) == 0 {
		return nil
	}
	known, err := store.Read(ctx, p.cfg.Store, store.Tx.Engines)
	if err != nil {
		return err
	}
	for _, e := range known {
		delete(found, strings.ToLower(e.Name))
	}
	if len(found) == 0 {
		return nil
	}
	return p.Update(ctx, func(tx store.Tx) error {
		for _, key := range slices.Sorted(maps.Keys(found)) {
			e := found[key]
			if _, err := tx.Engine(e.Name); !errors.Is(err, store.ErrNotFound) {
				if err != nil {
					return err
				}
				continue
			}
			slices.Sort(e.Games)
			e.Enabled, e.Added = true, p.now()
			if err := tx.SetEngine(&e); err != nil {
				return err
			}
			if err := tx.AddEntry(&store.Entry{At: p.now(), Action: "engine-announced", Subject: e.Name, Detail: "by a worker"}); err != nil {
				return err
			}
		}
		return nil
	})
}
