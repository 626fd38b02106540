package contest

import (
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/hall/refuse"
	"kibitz/tournament"
)

// Command is what an account wants to happen.
type Command struct {
	Do Do
	// Entry is who enters; its Number and, if another has it, its Name are filled in.
	Entry Entry
	// Number and Opponent are entries, from 1; Game is the number of a game, from 1.
	Number, Opponent, Game int
	// Games and Byes are as in tournament.Order, Limit is how many games are played at
	// a time.
	Games, Byes, Limit int
	// Opening is the number, from 1, of the opening of games that are paired by hand, 0
	// for those whose turn it is.
	Opening   int
	Remaining tournament.Remaining
	// Result is "first", "second", "draw" or "nobody".
	Result string
	Note   string
}

// Do says what a command does.
type Do string

// The commands.
const (
	DoEnter       Do = "enter"
	DoWithdraw    Do = "withdraw"
	DoStart       Do = "start"
	DoCancel      Do = "cancel"
	DoPause       Do = "pause"
	DoResume      Do = "resume"
	DoConcurrency Do = "concurrency"
	DoPair        Do = "pair"
	DoForfeit     Do = "forfeit"
	DoReplay      Do = "replay"
	DoOverrule    Do = "overrule"
	DoAbort       Do = "abort"
)

// maxNote is how long a note may be, in letters.
const maxNote = 500

// Settle returns the event that a command makes, without number and time. It changes
// nothing; its errors are of a kind, and a line for people.
func (s *State) Settle(c Command, by Actor) (Event, error) {
	e := Event{By: by.ID, Name: by.Name, Note: game.Shown(c.Note, maxNote)}
	if c.Do == DoEnter {
		return s.settleEnter(e, c, by)
	}
	if c.Do == DoWithdraw {
		return s.settleWithdraw(e, c, by)
	}
	if !by.Director {
		return e, refuse.Forbidden("that is the directors' business")
	}
	switch c.Do {
	case DoStart:
		e.Kind = Start
		if s.Phase != Entering {
			return e, refuse.Phase("the tournament has started")
		}
		return e, s.mayStart()
	case DoCancel:
		e.Kind = Cancel
		if s.Phase != Entering && s.Phase != Playing {
			return e, refuse.Phase("the tournament is %s", s.Phase)
		}
		return e, nil
	case DoPause, DoResume:
		return s.settlePause(e, c)
	case DoConcurrency:
		e.Kind, e.Number = Concurrency, c.Limit
		if c.Limit < 1 || c.Limit > MaxLimit {
			return e, refuse.Invalid("%d games at a time: 1 to %d are possible", c.Limit, MaxLimit)
		}
		return e, s.underWay(Entering, Playing)
	case DoAbort:
		e.Kind = Abort
		at, ok := s.open[c.Game-1]
		if !ok {
			return e, refuse.Phase("game %d is not being played", c.Game)
		}
		g := s.Games[at].Game
		e.Game = &g
		return e, nil
	case DoPair, DoForfeit, DoReplay, DoOverrule:
		return s.settleOrder(e, c)
	}
	return e, refuse.Invalid("%q is no command of a tournament", game.Shown(string(c.Do), 40))
}

func (s *State) settlePause(e Event, c Command) (Event, error) {
	e.Kind = Pause
	if c.Do == DoResume {
		e.Kind = Resume
	}
	if err := s.underWay(Playing); err != nil {
		return e, err
	}
	if s.Paused == (c.Do == DoPause) {
		return e, refuse.Phase("that is so already")
	}
	return e, nil
}

// underWay refuses what belongs to other phases.
func (s *State) underWay(want ...Phase) error {
	switch {
	case slices.Contains(want, s.Phase):
		return nil
	case s.Phase == Entering:
		return refuse.Phase("the tournament has not started")
	}
	return refuse.Phase("the tournament is %s", s.Phase)
}

// settleEnter puts an engine on the list.
func (s *State) settleEnter(e Event, c Command, by Actor) (Event, error) {
	x := c.Entry
	x.Number, x.User, x.By = len(s.Entries)+1, by.ID, by.Name
	x.Name = s.freeName(x.Name)
	e.Kind, e.Entry = Enter, &x
	switch {
	case s.Phase == Finished || s.Phase == Cancelled:
		return e, refuse.Phase("the tournament is %s", s.Phase)
	case len(s.Entries) >= MaxEntries:
		return e, refuse.Phase("there are %d entries, no more are possible", MaxEntries)
	}
	if !by.Director {
		if err := s.mayEnterOwn(c, by); err != nil {
			return e, err
		}
	}
	if s.Phase == Entering {
		if c.Byes != 0 {
			return e, refuse.Invalid("%d byes: nobody has missed a round", c.Byes)
		}
		return e, nil
	}
	if s.sequence != nil {
		return e, refuse.Phase("a sequential test is between two engines")
	}
	o, err := s.settle(tournament.Order{Kind: tournament.Enter, Byes: c.Byes, Name: x.Name})
	e.Order = &o
	return e, err
}

// mayEnterOwn returns why an account may not enter an engine.
func (s *State) mayEnterOwn(c Command, by Actor) error {
	own := 0
	for _, x := range s.Entries {
		if x.User == by.ID && !s.left[x.Number] {
			own++
		}
	}
	switch {
	case !s.Settings.Open:
		return refuse.Forbidden("the directors enter the engines of this tournament")
	case s.Phase != Entering && !s.Settings.Late:
		return refuse.Phase("the tournament has started; the directors may enter engines late")
	case own >= max(1, s.Settings.PerAccount):
		return refuse.Forbidden("an account enters up to %d engines here", max(1, s.Settings.PerAccount))
	case c.Byes != 0:
		return refuse.Forbidden("byes are the directors' business")
	}
	return nil
}

// freeName returns a name that no entry has.
func (s *State) freeName(name string) string {
	free := name
	for n := 2; slices.ContainsFunc(s.Entries, func(x Entry) bool { return strings.EqualFold(x.Name, free) }); n++ {
		free = name + "#" + strconv.Itoa(n)
	}
	return free
}

// entry returns an entry that is on the list, by its number.
func (s *State) entry(number int) (*Entry, error) {
	if number < 1 || number > len(s.Entries) || s.left[number] {
		return nil, refuse.Invalid("there is no entry %d", number)
	}
	return &s.Entries[number-1], nil
}

// settleWithdraw takes an engine off the list, or out of the tournament.
func (s *State) settleWithdraw(e Event, c Command, by Actor) (Event, error) {
	x, err := s.entry(c.Number)
	if err != nil {
		return e, err
	}
	if !by.Director && (by.ID == 0 || x.User != by.ID) {
		return e, refuse.Forbidden("%s was entered by another account", x.Name)
	}
	if !by.Director && c.Remaining != tournament.ByShare {
		return e, refuse.Forbidden("what becomes of the remaining games is the directors' business")
	}
	if s.Phase == Entering {
		e.Kind, e.Number = Leave, c.Number
		if c.Remaining != tournament.ByShare {
			return e, refuse.Invalid("remaining: there are no games yet")
		}
		return e, nil
	}
	if err := s.underWay(Playing); err != nil {
		return e, err
	}
	o, err := s.settle(tournament.Order{Kind: tournament.Withdraw, Engine: s.EngineOf(c.Number), Remaining: c.Remaining, Note: e.Note})
	e.Kind, e.Order = Order, &o
	return e, err
}

// settleOrder reads an order of a director.
func (s *State) settleOrder(e Event, c Command) (Event, error) {
	e.Kind = Order
	want := []Phase{Playing}
	if c.Do == DoOverrule {
		want = append(want, Finished)
	}
	if err := s.underWay(want...); err != nil {
		return e, err
	}
	o := tournament.Order{Kind: tournament.OrderKind(c.Do), Game: c.Game, Games: c.Games, Opening: c.Opening, Note: e.Note}
	if c.Do == DoPair || c.Do == DoForfeit {
		if err := s.engines(&o, c); err != nil {
			return e, err
		}
	} else if err := s.past(&o, c); err != nil {
		return e, err
	}
	o, err := s.settle(o)
	e.Order = &o
	return e, err
}

// engines fills in who an order is about.
func (s *State) engines(o *tournament.Order, c Command) error {
	x, err := s.entry(c.Number)
	if err != nil {
		return err
	}
	o.Engine, o.Opponent = s.EngineOf(x.Number), s.EngineOf(x.Number)
	if c.Do == DoForfeit && c.Game != 0 {
		_, o.Running = s.open[c.Game-1]
		return nil
	}
	y, err := s.entry(c.Opponent)
	if err != nil {
		return err
	}
	o.Opponent = s.EngineOf(y.Number)
	if c.Do == DoPair && s.sequence != nil {
		return refuse.Phase("a sequential test has the games of its plan alone")
	}
	return nil
}

// past fills in what an order makes of a game that is over.
func (s *State) past(o *tournament.Order, c Command) error {
	if c.Do == DoReplay {
		if at, ok := s.latest[c.Game-1]; ok && s.Games[at].Replays >= MaxReplays {
			return refuse.Phase("game %d was played %d times", c.Game, MaxReplays+1)
		}
		return nil
	}
	if strings.TrimSpace(c.Note) == "" {
		return refuse.Invalid("note: say why game %d is overruled", c.Game)
	}
	points, ok := map[string][2]float64{"first": {1, 0}, "second": {0, 1}, "draw": {0.5, 0.5}, "nobody": {}}[c.Result]
	if !ok {
		return refuse.Invalid("result %q: write first, second, draw or nobody", game.Shown(c.Result, 40))
	}
	o.Points = points
	return nil
}

// settle asks the schedule, whose errors are told with the names of engines.
func (s *State) settle(o tournament.Order) (tournament.Order, error) {
	o, err := s.director.Settle(o)
	if err != nil {
		return o, refuse.Phase("%s", tournament.Named(err, len(s.field), func(n int) string { return s.EntryOf(n).Name }))
	}
	return o, nil
}
