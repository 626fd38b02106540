package contest

import (
	"errors"
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/hall/refuse"
	"kibitz/rating"
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
	Entries  []Entry
	Openings []Opening
	// Games are those that were handed out, in that order.
	Games []Played

	// left are entries that were taken off the list before the start.
	left map[int]bool
	// field are the numbers of entries by that of the engine in the schedule; gone
	// tells how one withdrew.
	field    []int
	gone     map[int]tournament.Remaining
	plan     tournament.Plan
	director *tournament.Director
	sequence *rating.Sequence
	trail    trail
	// open are the places in Games of those that run, by number; latest of the last
	// time that a number was handed out.
	open   map[int]int
	latest map[int]int
	pairs  map[int]tournament.Pairing // of open games
	loose  bool
}

// New returns a tournament before its first event.
func New(set Config) *State {
	return &State{
		Settings: set, Phase: Entering, Limit: set.Limit, left: map[int]bool{}, gone: map[int]tournament.Remaining{},
		open: map[int]int{}, latest: map[int]int{}, pairs: map[int]tournament.Pairing{},
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

// Present returns the entries that have not been taken off the list.
func (s *State) Present() []Entry {
	return slices.DeleteFunc(slices.Clone(s.Entries), func(e Entry) bool { return s.left[e.Number] })
}

// planFor is the schedule for so many engines.
func (s *State) planFor(engines int) tournament.Plan {
	c := &s.Settings
	p := tournament.Plan{
		Format: c.Format, Engines: engines, Games: c.Games, Rounds: c.Rounds, Seeds: c.Seeds, Openings: len(s.Openings), Repeat: c.Repeat,
		FixedSeats: c.FixedSeats,
		Lot:        tournament.Seeds{Seed: c.Seed}.At("lots"), // no secret: whoever knows the seed can draw again
	}
	if p.Rounds == 0 {
		p.Rounds = 1
		if p.Format == tournament.SwissSystem {
			p.Rounds = tournament.SwissRounds(engines)
		}
	}
	if p.Format == tournament.Gauntlet && p.Seeds == 0 {
		p.Seeds = 1
	}
	return p
}

// Plan is the schedule that was started.
func (s *State) Plan() tournament.Plan { return s.plan }

// mayStart returns why the tournament cannot start.
func (s *State) mayStart() error {
	n := len(s.Present())
	if n < 2 {
		return refuse.Phase("%d engines are entered: a tournament needs two at least", n)
	}
	if s.Settings.SPRT != nil && n != 2 {
		return refuse.Phase("%d engines are entered: a sequential test is between two", n)
	}
	p := s.planFor(n)
	if err := p.Check(); err != nil {
		var fault *tournament.Fault
		if errors.As(err, &fault) {
			return refuse.Phase("%s", fault.Text())
		}
		return refuse.Phase("%v", err)
	}
	if most := tournament.NewScheduler(p, tournament.Points(s.Settings.Points)).Most(); most > MaxGames {
		return refuse.Phase("%d games: %d are possible", most, MaxGames)
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
	s.plan = s.planFor(len(s.field))
	s.director = tournament.NewDirector(s.plan, tournament.Points(s.Settings.Points))
	if t := s.Settings.SPRT; t != nil {
		test := rating.SPRT{Elo0: t.Elo0, Elo1: t.Elo1, Alpha: t.Alpha, Beta: t.Beta, Model: t.Model}
		s.sequence = rating.NewSequence(test, s.Settings.Repeat && t.Model.Pairs())
		s.sequence.Corrected = t.Corrected
	}
	s.Phase = Playing
	return nil
}

// EntryOf returns the entry of an engine of the schedule.
func (s *State) EntryOf(engine int) *Entry { return &s.Entries[s.field[engine]-1] }

// EngineOf returns the engine of the schedule that an entry is, -1 if it is none.
func (s *State) EngineOf(number int) int { return slices.Index(s.field, number) }

// Clock is the time control of an entry.
func (s *State) Clock(e *Entry) string {
	if e.Clock != "" {
		return e.Clock
	}
	return s.Settings.Clock
}

// Playing returns the games that were handed out and are not over, in that order.
func (s *State) Playing() []Game {
	places := make([]int, 0, len(s.open))
	for _, at := range s.open {
		places = append(places, at)
	}
	slices.Sort(places)
	out := make([]Game, len(places))
	for i, at := range places {
		out[i] = s.Games[at].Game
	}
	return out
}

// Decided reports whether the sequential test has ended the tournament.
func (s *State) Decided() bool {
	return s.sequence != nil && s.sequence.Decision() != rating.Continue
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

func gameOf(p tournament.Pairing) Game {
	return Game{
		Index: p.Index, Replays: p.Replays, Round: p.Round, Pair: p.Pair, First: p.First, Second: p.Second,
		Opening: p.Opening, Shuffle: p.Shuffle, Awarded: p.Award != tournament.Played,
	}
}

func (s *State) handOut(p tournament.Pairing) {
	s.open[p.Index], s.latest[p.Index] = len(s.Games), len(s.Games)
	s.pairs[p.Index] = p
	s.Games = append(s.Games, Played{Game: gameOf(p)})
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
	if !s.Decided() {
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

// Loose reports whether the state has looked further ahead than its events say: it is
// to be made anew before the next event.
func (s *State) Loose() bool { return s.loose }

// Awarded returns the result of a game that HandOut gave and that is not to be played.
func (s *State) Awarded(index int) (*Over, bool) {
	p, ok := s.pairs[index]
	if !ok {
		return nil, false
	}
	r, ok := p.Awarded()
	if !ok {
		return nil, false
	}
	return &Over{Index: p.Index, Replays: p.Replays, Points: r.Points, Reason: r.Reason, Detail: r.Detail}, true
}

// result ends a game. One that does not run changes nothing: it was given up.
func (s *State) result(e *Event) error {
	if e.Over == nil {
		return broken(e, "it names no game")
	}
	over := *e.Over
	at, ok := s.open[over.Index]
	if !ok || s.Games[at].Replays != over.Replays {
		return nil
	}
	p := s.pairs[over.Index]
	delete(s.open, over.Index)
	delete(s.pairs, over.Index)
	if !isVerdict(over.Points) {
		over.Points = [2]float64{}
	}
	s.Games[at].Over = &over
	s.director.Record(over.finished(p))
	s.judge()
	return nil
}

// isVerdict reports whether points are those of a game that counts.
func isVerdict(p [2]float64) bool {
	return p == [2]float64{1, 0} || p == [2]float64{0, 1} || p == [2]float64{0.5, 0.5}
}

// judge brings the sequential test up to date.
func (s *State) judge() {
	if s.sequence == nil {
		return
	}
	counts := s.director.Standings().Singles(0)
	if s.sequence.Counts().Unit() == "pairs" {
		counts, _ = s.director.Standings().Pairs(0)
	}
	s.sequence.Set(counts)
	lower, upper := s.sequence.Bounds()
	if d := (Dot{int(counts.Total()), s.sequence.LLR(), lower, upper}); finite(d.LLR) != nil {
		s.trail.add(d)
	}
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
	s.judge()
	return nil
}

// overrule notes another result of a game.
func (s *State) overrule(o tournament.Order) {
	at, ok := s.latest[o.Game-1]
	if !ok || s.Games[at].Over == nil {
		return
	}
	g := &s.Games[at]
	over := *g.Over // what was read of it stays as it was
	over.Points, over.Reason, over.Detail = o.Points, game.ByAdjudication, o.Note
	if !isVerdict(o.Points) {
		over.Reason = game.ByAbort
	}
	g.Over, g.Ruled = &over, true
}

// Label names a game: "17", and "17-2" when it is played for the second time.
func (g *Game) Label() string {
	if g.Replays == 0 {
		return fmt.Sprint(g.Index + 1)
	}
	return fmt.Sprintf("%d-%d", g.Index+1, g.Replays+1)
}

// Idle reports whether HandOut may find something to do.
func (s *State) Idle() bool {
	return s.Phase == Playing && !s.Paused && (len(s.open) < s.Limit || s.Decided())
}

// Latest returns a game by its number from 0, as it was handed out last.
func (s *State) Latest(index int) (Played, bool) {
	at, ok := s.latest[index]
	if !ok {
		return Played{}, false
	}
	return s.Games[at], true
}
