package contest

import (
	"errors"
	"fmt"
	"slices"
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
	d := settling{s: s, c: c, by: by, e: Event{By: by.ID, Name: by.Name, Note: game.Shown(c.Note, maxNote)}}
	err := d.settle()
	return d.e, err
}

// settling is a command of an account while it becomes an event.
type settling struct {
	s  *State
	c  Command
	by Actor
	e  Event
}

func (d *settling) settle() error {
	s, c, e := d.s, &d.c, &d.e
	if c.Do == DoEnter {
		return d.enter()
	}
	if c.Do == DoWithdraw {
		return d.withdraw()
	}
	if !d.by.Director {
		return refuse.Forbidden("that is the directors' business").Because("directors")
	}
	switch c.Do {
	case DoStart:
		e.Kind = Start
		if s.Phase != Entering {
			return refuse.Phase("the tournament has started").Because("started")
		}
		return s.mayStart()
	case DoCancel:
		e.Kind = Cancel
		if s.Phase != Entering && s.Phase != Playing {
			return refuse.Phase("the tournament is %s", s.Phase).Because("ended")
		}
		return nil
	case DoPause, DoResume:
		return d.pause()
	case DoConcurrency:
		e.Kind, e.Number = Concurrency, c.Limit
		if c.Limit < 1 || c.Limit > MaxLimit {
			return refuse.Value("concurrency", "%d games at a time: 1 to %d are possible", c.Limit, MaxLimit).
				Because(game.WhyRange, fmt.Sprintf("1 – %d", MaxLimit))
		}
		return s.underWay(Entering, Playing)
	case DoAbort:
		e.Kind = Abort
		if c.Game == 0 {
			return noGame()
		}
		g, ok := s.running(c.Game)
		if !ok {
			return refuse.Phase("game %d is not being played", c.Game).Because("notplayed").At("game")
		}
		e.Game = &g
		return nil
	case DoPair, DoForfeit, DoReplay, DoOverrule:
		return d.order()
	}
	return refuse.Invalid("%q is no command of a tournament", game.Shown(string(c.Do), 40)).Because(game.WhyChoice)
}

// noGame refuses an order about a game that names none.
func noGame() error {
	return refuse.Value("game", "game is missing: the number of a game").Because("empty")
}

func (d *settling) pause() error {
	d.e.Kind = Pause
	if d.c.Do == DoResume {
		d.e.Kind = Resume
	}
	if err := d.s.underWay(Playing); err != nil {
		return err
	}
	if d.s.Paused == (d.c.Do == DoPause) {
		return refuse.Phase("that is so already").Because("same")
	}
	return nil
}

// underWay refuses what belongs to other phases.
func (s *State) underWay(want ...Phase) error {
	switch {
	case slices.Contains(want, s.Phase):
		return nil
	case s.Phase == Entering:
		return refuse.Phase("the tournament has not started").Because("notstarted")
	}
	return refuse.Phase("the tournament is %s", s.Phase).Because("ended")
}

// enter puts an engine on the list.
func (d *settling) enter() error {
	s, c := d.s, &d.c
	x := c.Entry
	x.Number, x.User, x.By = len(s.Entries)+1, d.by.ID, d.by.Name
	x.Name = s.freeName(x.Name)
	d.e.Kind, d.e.Entry = Enter, &x
	switch {
	case s.Phase == Finished || s.Phase == Cancelled:
		return refuse.Phase("the tournament is %s", s.Phase).Because("ended")
	case len(s.Entries) >= MaxEntries:
		return refuse.Phase("there are %d entries, no more are possible", MaxEntries).Because("manyentries")
	}
	if !d.by.Director {
		if err := d.mayEnterOwn(); err != nil {
			return err
		}
	}
	if s.Phase == Entering {
		if c.Byes != 0 {
			return refuse.Value("byes", "%d byes: nobody has missed a round", c.Byes).Because("nobyes")
		}
		return nil
	}
	if s.test != nil {
		return refuse.Phase("a sequential test is between two engines").Because("twoengines")
	}
	return d.schedule(tournament.Order{Kind: tournament.Enter, Byes: c.Byes, Name: x.Name})
}

// mayEnterOwn returns why an account may not enter an engine.
func (d *settling) mayEnterOwn() error {
	set, most := &d.s.Settings, max(1, d.s.Settings.PerAccount)
	switch {
	case !set.Open:
		return refuse.Forbidden("the directors enter the engines of this tournament").Because("noentry")
	case d.s.Phase != Entering && !set.Late:
		return refuse.Phase("the tournament has started; the directors may enter engines late").Because("started")
	case d.s.enteredBy(d.by.ID) >= most:
		return refuse.Forbidden("an account enters up to %d engines here", most).Because("manyentries")
	case d.c.Byes != 0:
		return refuse.Forbidden("byes are the directors' business").Because("directors").At("byes")
	}
	return nil
}

// withdraw takes an engine off the list, or out of the tournament.
func (d *settling) withdraw() error {
	s, c := d.s, &d.c
	x, err := s.entry("entry", c.Number)
	if err != nil {
		return err
	}
	if !d.by.Director && (d.by.ID == 0 || x.User != d.by.ID) {
		return refuse.Forbidden("%s was entered by another account", x.Name).Because("entrant", x.Name).At("entry")
	}
	if !d.by.Director && c.Remaining != tournament.ByShare {
		return refuse.Forbidden("what becomes of the remaining games is the directors' business").Because("directors").At("remaining")
	}
	if s.Phase == Entering {
		d.e.Kind, d.e.Number = Leave, c.Number
		if c.Remaining != tournament.ByShare {
			return refuse.Value("remaining", "remaining: there are no games yet").Because("notstarted")
		}
		return nil
	}
	if err := s.underWay(Playing); err != nil {
		return err
	}
	d.e.Kind = Order
	return d.schedule(tournament.Order{Kind: tournament.Withdraw, Engine: s.EngineOf(c.Number), Remaining: c.Remaining, Note: d.e.Note})
}

// order reads an order of a director.
func (d *settling) order() error {
	c := &d.c
	d.e.Kind = Order
	want := []Phase{Playing}
	if c.Do == DoOverrule {
		want = append(want, Finished)
	}
	if err := d.s.underWay(want...); err != nil {
		return err
	}
	o := tournament.Order{Kind: tournament.OrderKind(c.Do), Game: c.Game, Games: c.Games, Opening: c.Opening, Note: d.e.Note}
	if c.Do == DoPair || c.Do == DoForfeit {
		if err := d.engines(&o); err != nil {
			return err
		}
	} else if err := d.past(&o); err != nil {
		return err
	}
	return d.schedule(o)
}

// engines fills in who an order is about.
func (d *settling) engines(o *tournament.Order) error {
	s, c := d.s, &d.c
	x, err := s.entry("entry", c.Number)
	if err != nil {
		return err
	}
	o.Engine, o.Opponent = s.EngineOf(x.Number), s.EngineOf(x.Number)
	if c.Do == DoForfeit && c.Game != 0 {
		_, o.Running = s.running(c.Game)
		return nil
	}
	if c.Do == DoForfeit && c.Opponent == 0 {
		return refuse.Value("game", "say which game, or name an opponent: all that the two have not begun is lost").Because("noforfeit")
	}
	y, err := s.entry("opponent", c.Opponent)
	if err != nil {
		return err
	}
	o.Opponent = s.EngineOf(y.Number)
	if c.Do == DoPair && s.test != nil {
		return refuse.Phase("a sequential test has the games of its plan alone").Because("testplan")
	}
	return nil
}

// past fills in what an order makes of a game that is over.
func (d *settling) past(o *tournament.Order) error {
	c := &d.c
	if c.Game == 0 {
		return noGame()
	}
	if c.Do == DoReplay {
		if g, ok := d.s.Latest(c.Game - 1); ok && g.Replays >= MaxReplays {
			return refuse.Phase("game %d was played %d times", c.Game, MaxReplays+1).Because("toooften", c.Game).At("game")
		}
		return nil
	}
	if strings.TrimSpace(c.Note) == "" {
		return refuse.Value("note", "note: say why game %d is overruled", c.Game).Because("saywhy")
	}
	points, ok := map[string][2]float64{"first": {1, 0}, "second": {0, 1}, "draw": {0.5, 0.5}, "nobody": {}}[c.Result]
	if !ok {
		return refuse.Value("result", "result %q: write first, second, draw or nobody", game.Shown(c.Result, 40)).Because(game.WhyChoice)
	}
	o.Points = points
	return nil
}

// schedule asks the schedule about an order, whose errors are told with the names of
// engines.
func (d *settling) schedule(o tournament.Order) error {
	s := d.s
	o, err := s.director.Settle(o)
	d.e.Order = &o
	if err != nil {
		why := tournament.Named(err, len(s.field), func(n int) string { return s.EntryOf(n).Name })
		return &refuse.Refusal{Kind: refuse.ErrPhase, Place: placeOf(err), Text: why.Text, Why: why}
	}
	return nil
}

// placeOf is where in a command the part of an order stands that an error is about.
func placeOf(err error) string {
	e, ok := errors.AsType[*tournament.OrderError](err)
	if !ok {
		return ""
	}
	switch e.About {
	case tournament.PartEngine:
		return "entry"
	case tournament.PartPoints:
		return "result"
	}
	return string(e.About)
}
