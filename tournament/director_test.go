package tournament

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kibitz/game"
)

// rehearsal is a tournament with an organiser and several games at a time.
type rehearsal struct {
	t       *rapid.T
	d       *Director
	log     []Event
	running []Pairing
	width   int
}

// judged decides a game; the attempt is part of it. Some have no verdict at first.
func judged(p Pairing) Finished {
	if r, ok := p.Awarded(); ok {
		return Finished{Pairing: p, Result: r}
	}
	if (p.Index*7+p.Replays)%11 == 3 {
		return Finished{Pairing: p}
	}
	r := byLabel(p)
	if r.Winner() != game.Nobody && p.Index%5 == 0 {
		r.Reason = []game.Reason{game.ByCrash, game.ByTime, game.ByIllegal, game.ByStall}[p.Index%4]
	}
	return Finished{Pairing: p, Result: r, Plies: 9}
}

// step starts games and lets one end; it is false when there is nothing to do.
func (r *rehearsal) step(which int) bool {
	for len(r.running) < r.width {
		p, state := r.d.Next()
		if state != Ready {
			break
		}
		if slices.ContainsFunc(r.running, func(q Pairing) bool { return q.Index == p.Index }) {
			r.t.Fatalf("%+v is handed out while it runs", p)
		}
		r.running = append(r.running, p)
	}
	if len(r.running) == 0 {
		return false
	}
	at := which % len(r.running)
	f := judged(r.running[at])
	r.running = slices.Delete(r.running, at, at+1)
	if f.Result.Points != [2]float64{} {
		r.log = append(r.log, Event{Finished: asLogged(f)})
	}
	r.d.Record(f)
	return true
}

// asLogged is what a journal knows of a game.
func asLogged(f Finished) Finished {
	p := f.Pairing
	return Finished{Pairing: Pairing{Index: p.Index, First: p.First, Second: p.Second, Round: p.Round, Pair: p.Pair}, Result: f.Result, Plies: f.Plies}
}

// order gives an order that may be refused.
func (r *rehearsal) order(o Order) {
	before := fmt.Sprint(r.d.standings, r.d.Len())
	settled, refused := r.d.Settle(o)
	if after := fmt.Sprint(r.d.standings, r.d.Len()); after != before {
		r.t.Fatal("an order that was only settled changed something")
	}
	done, err := r.d.Apply(o)
	if fmt.Sprint(refused) != fmt.Sprint(err) || err == nil && done != settled {
		r.t.Fatalf("settled: %+v, %v\nfollowed: %+v, %v", settled, refused, done, err)
	}
	if err == nil {
		r.log = append(r.log, Event{Order: &done})
	} else if after := fmt.Sprint(r.d.standings, r.d.Len()); after != before {
		r.t.Fatalf("a refused order changed something: %v", err)
	}
}

func anyOrder(t *rapid.T, d *Director) Order {
	engine := func(name string) int { return rapid.IntRange(0, d.Engines()-1).Draw(t, name) }
	o := Order{
		Kind:   rapid.SampledFrom([]OrderKind{Withdraw, Enter, Pair, Forfeit, Replay, Overrule}).Draw(t, "order"),
		Engine: engine("engine"), Opponent: engine("opponent"),
	}
	switch o.Kind {
	case Withdraw:
		o.Remaining = rapid.SampledFrom([]Remaining{ByShare, Awarded, Annulled}).Draw(t, "remaining")
	case Enter:
		o.Byes = rapid.IntRange(0, 1).Draw(t, "byes")
	case Pair:
		o.Games = rapid.IntRange(0, 3).Draw(t, "games")
	case Overrule:
		o.Points = rapid.SampledFrom([][2]float64{{1, 0}, {0, 1}, {0.5, 0.5}, {}}).Draw(t, "points")
	}
	if o.Kind == Replay || o.Kind == Overrule || o.Kind == Forfeit && rapid.Bool().Draw(t, "a game") {
		o.Game = rapid.IntRange(1, d.Len()+1).Draw(t, "game")
	}
	return o
}

// direct runs a tournament with random orders for some steps, or to its end.
func (r *rehearsal) direct(steps int, orders bool) {
	pick := rapid.SliceOfN(rapid.IntRange(0, 8), 17, 17).Draw(r.t, "who ends first")
	at := map[int]bool{}
	if orders {
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, 60), 0, 12).Draw(r.t, "when to order") {
			at[i] = true
		}
	}
	for i := range steps {
		more := r.step(pick[i%len(pick)])
		if at[i] {
			r.order(anyOrder(r.t, r.d))
		} else if !more {
			return
		}
	}
}

func newRehearsal(t *rapid.T, p Plan) *rehearsal {
	return &rehearsal{t: t, d: NewDirector(p, DefaultPoints), width: rapid.IntRange(1, 6).Draw(t, "at a time")}
}

// picture is everything that a Director shows.
func picture(d *Director) string {
	out := fmt.Sprintf("%+v\n", d.standings.entries)
	for f := range d.Results {
		out += fmt.Sprintf("%+v %v %v\n", f.Pairing, f.Result.Points, f.Result.Reason)
	}
	switch s := d.Format().(type) {
	case *Swiss:
		out += fmt.Sprintf("%+v\n", s.Table())
	case *Knockout:
		out += fmt.Sprintf("%+v\n", s.Bracket())
	case *Ladder:
		out += fmt.Sprintf("%+v\n", s.Places())
	}
	return out
}

// Whatever is ordered, the standings are those of the games that count, each once,
// and as many games are played as announced.
func TestOrdersConserveGames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlan(t)
		r := newRehearsal(t, p)
		r.direct(1<<20, true)
		d := r.d
		again := NewStandings(Plan{Engines: d.Engines(), Repeat: p.Repeat}, DefaultPoints)
		again.Grow(d.Engines())
		seen := map[int]bool{}
		for f := range d.Results {
			if seen[f.Pairing.Index] || d.rulings.annulled(f.Pairing) {
				t.Fatalf("%+v counts", f)
			}
			seen[f.Pairing.Index] = true
			again.Add(f)
		}
		if !slices.Equal(again.entries, d.standings.entries) || again.pairs != d.standings.pairs && d.standings.paired || again.whole != d.standings.whole {
			t.Fatalf("standings\n%+v\nof the games\n%+v", d.standings, again)
		}
		if s, ok := d.Format().(*Swiss); ok {
			for _, row := range s.Table() {
				if got := exact(d.standings.Entry(row.Engine).Points + row.ByePoints); got != row.Points {
					t.Errorf("engine %d has %v points, in the table %v", row.Engine, got, row.Points)
				}
			}
		}
		left := 0
		for i := range d.ledger.status {
			if s := d.ledger.state(i); s == running || s == unknown {
				left++
			}
		}
		if left > 0 {
			t.Errorf("%d games were left", left)
		}
	})
}

// A log, given again, brings everything back; cut anywhere it leads to the same end.
func TestDirectorResumes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlan(t)
		r := newRehearsal(t, p)
		r.direct(rapid.IntRange(0, 60).Draw(t, "steps"), true)
		again := NewDirector(p, DefaultPoints)
		n := 0
		if err := again.Resume(r.log, func(Finished) { n++ }); err != nil {
			t.Fatal(err)
		}
		if got, want := again.standings.entries, r.d.standings.entries; !slices.Equal(got, want) {
			t.Fatalf("resumed\n%+v\nbefore\n%+v", got, want)
		}
		for _, q := range r.running {
			if now, ok := r.d.Find(q.Index); !ok || now.Award != q.Award {
				return // an order about a game that ran: what is not over is not known any more
			}
		}
		second := &rehearsal{t: t, d: again, width: rapid.IntRange(1, 6).Draw(t, "later at a time")}
		r.direct(1<<20, false)
		second.direct(1<<20, false)
		if got, want := picture(second.d), picture(r.d); got != want {
			t.Fatalf("resumed\n%s\nnot stopped\n%s", got, want)
		}
		// And the whole log once more.
		third := NewDirector(p, DefaultPoints)
		if err := third.Resume(r.log, func(Finished) {}); err != nil {
			t.Fatal(err)
		}
		(&rehearsal{t: t, d: third, width: 1}).direct(1<<20, false)
		if got, want := picture(third), picture(r.d); got != want {
			t.Fatalf("resumed at the end\n%s\nnot stopped\n%s", got, want)
		}
	})
}

// Without orders a Director is its format.
func TestDirectorWithoutOrders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlan(t)
		want := simulate(NewScheduler(p, DefaultPoints), byLabel)
		d := NewDirector(p, DefaultPoints)
		got := simulate(d, byLabel)
		if !slices.Equal(got, want) || d.Len() != len(want) {
			t.Fatalf("%v\n%v", got, want)
		}
		for _, g := range got {
			if p, ok := d.Find(g.Index); !ok || p != g {
				t.Fatalf("%+v found as %+v", g, p)
			}
		}
	})
}
