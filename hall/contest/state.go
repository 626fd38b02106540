package contest

import (
	"errors"

	"kibitz/hall/bus"
	"kibitz/hall/refuse"
	"kibitz/tournament"
)

// State is a tournament after a number of events. It is not safe for several
// goroutines at once.
type State struct {
	Settings Config
	Phase    Phase
	Paused   bool
	// Seq is the number of the last event.
	Seq int64
	// Limit is how many games may be played at a time.
	Limit    int
	Openings []Opening
	Entrants
	HandedOut

	plan     tournament.Plan
	director *tournament.Director // nil before the start
	test     *sequential          // nil without
	loose    bool
}

// New returns a tournament before its first event.
func New(set Config) *State {
	return &State{
		Settings: set, Phase: Entering, Limit: set.Limit, Entrants: Entrants{left: map[int]bool{}, gone: map[int]tournament.Remaining{}},
		HandedOut: HandedOut{open: map[int]int{}, latest: map[int]int{}, pairs: map[int]tournament.Pairing{}},
	}
}

// Apply lets an event happen, the next one. An event that does not fit what was before
// is ErrBroken, after which the state is of no use.
func (s *State) Apply(e Event) error {
	if e.Seq != s.Seq+1 {
		return broken(&e, "after event %d", s.Seq)
	}
	if err := s.apply(&e); err != nil {
		return err
	}
	s.Seq = e.Seq
	return nil
}

func (s *State) apply(e *Event) error {
	switch e.Kind {
	case AddOpenings:
		s.Openings = append(s.Openings, e.Openings...)
		return s.during(e, Entering)
	case Enter:
		return s.enter(e)
	case Leave:
		s.left[e.Number] = true
		return s.during(e, Entering)
	case Start:
		if err := s.during(e, Entering); err != nil {
			return err
		}
		return s.start(e)
	case Begin:
		return s.begin(e)
	case Program:
		return s.program(e)
	case Result:
		return s.result(e)
	case Order:
		return s.order(e)
	case Abort:
		return nil
	case Pause, Resume:
		s.Paused = e.Kind == Pause
		return s.during(e, Playing)
	case Concurrency:
		s.Limit = e.Number
		return nil
	case Finish:
		err := s.during(e, Playing)
		s.Phase, s.Paused = Finished, false
		return err
	case Cancel:
		s.Phase, s.Paused = Cancelled, false
		return nil
	}
	return broken(e, "no such kind")
}

func (s *State) during(e *Event, want Phase) error {
	if s.Phase != want {
		return broken(e, "while the tournament was %s", s.Phase)
	}
	return nil
}

// enter puts an engine on the list.
func (s *State) enter(e *Event) error {
	if e.Entry == nil || e.Entry.Number != len(s.Entries)+1 {
		return broken(e, "entry %d is expected", len(s.Entries)+1)
	}
	if s.Phase == Playing {
		if e.Order == nil || e.Order.Engine != len(s.field) {
			return broken(e, "it does not say how the engine takes part")
		}
		if _, err := s.director.Apply(*e.Order); err != nil {
			return broken(e, "%v", err)
		}
		s.field = append(s.field, e.Entry.Number)
		s.plan.Engines++
	} else if err := s.during(e, Entering); err != nil {
		return err
	}
	s.Entries = append(s.Entries, *e.Entry)
	return nil
}

// Plan is the schedule that was started.
func (s *State) Plan() tournament.Plan { return s.plan }

// mayStart returns why the tournament cannot start.
func (s *State) mayStart() error {
	n := len(s.Present())
	if n < 2 {
		return refuse.Phase("a tournament needs two engines at least; entered: %d", n).Because("fewengines")
	}
	if s.Settings.SPRT != nil && n != 2 {
		return refuse.Phase("a sequential test is between two engines; entered: %d", n).Because("twoengines")
	}
	p := s.Settings.plan(n, len(s.Openings))
	if err := p.Check(); err != nil {
		if fault, ok := errors.AsType[*tournament.Fault](err); ok {
			if fault.Setting == "seeds" {
				return refuse.Phase("%s", fault.Text()).Because("manyseeds")
			}
			return refuse.Phase("%s", fault.Text()).Because("manygames")
		}
		return refuse.Phase("%v", err)
	}
	if most := tournament.NewScheduler(p, tournament.Points(s.Settings.Points)).Most(); most > MaxGames {
		return refuse.Phase("%d games: %d are possible", most, MaxGames).Because("manygames")
	}
	return nil
}

func (s *State) start(e *Event) error {
	if err := s.mayStart(); err != nil {
		return broken(e, "%v", err)
	}
	for _, x := range s.Present() {
		s.field = append(s.field, x.Number)
	}
	s.plan = s.Settings.plan(len(s.field), len(s.Openings))
	s.director = tournament.NewDirector(s.plan, tournament.Points(s.Settings.Points))
	if t := s.Settings.SPRT; t != nil {
		s.test = newSequential(t, s.Settings.Repeat)
	}
	s.Phase = Playing
	return nil
}

// Clock is the time control of an entry.
func (s *State) Clock(e *Entry) string {
	if e.Clock != "" {
		return e.Clock
	}
	return s.Settings.Clock
}

// begin hands out a game: the one that the schedule has next.
func (s *State) begin(e *Event) error {
	if err := s.during(e, Playing); err != nil {
		return err
	}
	p, state := s.director.Next()
	if want := gameOf(p); state != tournament.Ready || e.Game == nil || *e.Game != want {
		return broken(e, "the schedule has another game next")
	}
	s.handOut(p)
	return nil
}

// Turn is what HandOut has found.
type Turn int

// What there is to do.
const (
	// Nothing: as many games run as may, or the tournament is not playing.
	Nothing Turn = iota
	// Waits: which game is next depends on games that run.
	Waits
	// Ready: there is a game to begin.
	Ready
	// Ended: no game runs and there are no more.
	Ended
)

// HandOut takes the next game of the schedule and returns the event that says so,
// which has happened then: if it cannot be kept the state is of no use any more. An
// awarded game is followed by its result (Awarded).
func (s *State) HandOut() (Event, Turn) {
	if s.Phase != Playing || s.Paused {
		return Event{}, Nothing
	}
	if !s.test.decided() {
		if len(s.open) >= s.Limit {
			return Event{}, Nothing
		}
		before := s.director.Len()
		p, state := s.director.Next()
		if state == tournament.Ready {
			s.handOut(p)
			g := gameOf(p)
			s.Seq++
			return Event{Seq: s.Seq, Kind: Begin, Game: &g}, Ready
		}
		// Games that nobody plays any more were passed over: another hall has not
		// done so yet.
		s.loose = s.loose || s.director.Len() != before
		if state == tournament.Wait {
			return Event{}, Waits
		}
	}
	if len(s.open) > 0 {
		return Event{}, Waits
	}
	return Event{}, Ended
}

// Forsaken returns the games that were handed out to be played and that an order has awarded or
// dropped since. Those that run end as they end; one that nobody plays is to be given up: the
// schedule then does what the order says.
func (s *State) Forsaken() (out []Game) {
	if s.Phase != Playing {
		return nil
	}
	for _, g := range s.Playing() {
		if p, ok := s.director.Find(g.Index); ok && !g.Awarded && p.Award != tournament.Played {
			out = append(out, g)
		}
	}
	return out
}

// Loose reports whether the state has looked further ahead than its events say: it is
// to be made anew before the next event.
func (s *State) Loose() bool { return s.loose }

// result ends a game. One that does not run changes nothing: it was given up.
func (s *State) result(e *Event) error {
	if e.Over == nil {
		return broken(e, "it names no game")
	}
	if f, ok := s.end(*e.Over); ok {
		s.director.Record(f)
		s.test.judge(s.director.Standings())
	}
	return nil
}

// order follows an order that was settled.
func (s *State) order(e *Event) error {
	if e.Order == nil || s.director == nil || e.Order.Kind == tournament.Enter {
		return broken(e, "it is no order")
	}
	o := *e.Order
	if _, err := s.director.Apply(o); err != nil {
		return broken(e, "%v", err)
	}
	switch o.Kind {
	case tournament.Withdraw:
		s.gone[o.Engine] = o.Remaining
	case tournament.Replay:
		if at, ok := s.latest[o.Game-1]; ok {
			s.Games[at].Annulled = true
		}
	case tournament.Overrule:
		s.overrule(o)
	}
	s.test.judge(s.director.Standings())
	return nil
}

// Idle reports whether HandOut may find something to do.
func (s *State) Idle() bool {
	return s.Phase == Playing && !s.Paused && (len(s.open) < s.Limit || s.test.decided())
}

// Unnamed returns the entries in play that may still be any program of their name. Which
// one is settled before their first game (Program), and stays.
func (s *State) Unnamed() (out []Entry) {
	for engine := range s.field {
		_, gone := s.gone[engine]
		if e := s.EntryOf(engine); s.Phase == Playing && !gone && e.Kind == bus.EngineSeat && e.Hash == "" {
			out = append(out, *e)
		}
	}
	return out
}
