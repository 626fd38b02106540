package room

import (
	"slices"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/refuse"
)

// Env is what a command may use of the world.
type Env struct {
	// By is who gives the command; the zero Actor is the hall.
	By  Actor
	Now time.Time
	// ID is the identifier of the game that the command may hand out, and Coin, 0 or
	// 1, the place that begins if chance decides. Both are drawn anew for each command.
	ID   string
	Coin int
}

// Command is something that happens to a room.
type Command interface {
	apply(c *change) error
}

// NewGame is a game to be added to the store and handed to a worker. What concerns
// seats is in their order, not in that of the places.
type NewGame struct {
	ID       string
	Index    int
	Places   [2]Place
	Clocks   [2]string
	Grace    [2]time.Duration
	Settings Settings
	// Dealt is the game of whose shuffle this one is dealt, empty for one of its own; Kept keeps its own shuffle
	// out of its record: the next game is dealt from it.
	Dealt string
	Kept  bool
}

// Effect is what the hall must do about a change, in the transaction that stores it
// (Add, Resume, Drop, Pause, Rule) or after it (Stop, Park, Pause, Rule). One field is set.
type Effect struct {
	Add *NewGame
	// Resume is a parked game to be taken up, Drop one that no worker plays and that
	// is aborted, Stop one whose worker is ordered to abort it, Park to break it off.
	Resume, Drop, Stop, Park string
	// Why is that of Drop.
	Why game.Why
	// Pause is a game to be paused by By, or, without that, to go on.
	Pause, By string
	// Rule is how a game ends whose worker is ordered so.
	Rule *Ruling
}

// Ruling is how somebody ends a game: without a result if the result is an abort.
type Ruling struct {
	Game    string      `json:"game"`
	Account int64       `json:"account"`
	By      string      `json:"by"`
	Result  game.Result `json:"result"`
}

// change is a command at work.
type change struct {
	*State
	Env
	effects []Effect
}

func (c *change) do(e Effect) { c.effects = append(c.effects, e) }

// Apply returns the room after a command, and what must be done about it. The old
// state stays as it is. If the command fails nothing has happened.
func Apply(s State, cmd Command, e Env) (State, []Effect, error) {
	next := s.clone()
	if s.Phase == Closed {
		return s, nil, refuse.Phase("the room is closed").Because("room-closed")
	}
	c := &change{State: &next, Env: e}
	c.named()
	if err := cmd.apply(c); err != nil {
		return s, nil, err
	}
	if c.settled() {
		if err := c.series(); err != nil {
			return s, nil, err
		}
	}
	c.schedule()
	return next, c.effects, nil
}

// named gives whoever acts the name that is now his own: guests may take another one.
func (c *change) named() {
	if i := c.person(c.By.ID); i >= 0 && c.By.Name != "" {
		c.People[i].Name = c.By.Name
		if c.Host == c.By.ID {
			c.HostName = c.By.Name
		}
		for i, p := range c.Places {
			if p.Kind == bus.PersonSeat && p.User == c.By.ID {
				c.Places[i].Name = c.By.Name
			}
		}
	}
}

// settled reports whether a room that begins by itself can: both places are taken, and their
// owners are ready and here.
func (c *change) settled() bool {
	return c.Settings.Auto && c.Phase == Waiting && c.ID != "" && !slices.ContainsFunc(c.Places[:], func(p Place) bool {
		return p.Empty() || p.Own() && (!p.Ready || p.User != c.By.ID && c.away(p.User))
	})
}

// reseat puts somebody, or nobody, onto a place. Where games begin by themselves whoever sits
// down is ready, and the other one as he was.
func (c *change) reseat(i int, p Place) {
	waits := c.Settings.Auto && c.Phase == Waiting && c.Places[1-i].Ready
	c.unsettled()
	c.Places[i] = p
	c.Places[i].Ready, c.Places[1-i].Ready = c.Settings.Auto && p.Own(), waits
}

// Open returns a room that has just been opened by its host, who is in it.
func Open(set Settings, e Env) (State, error) {
	set, err := set.normalised()
	if err != nil {
		return State{}, err
	}
	if set.Rated && e.By.Guest {
		return State{}, refuse.Forbidden("guests play casual games only").Because("guestgame")
	}
	s := State{
		Host: e.By.ID, HostName: e.By.Name, Settings: set, Phase: Waiting,
		People: []Person{{ID: e.By.ID, Name: e.By.Name, Guest: e.By.Guest, Since: e.Now}},
	}
	(&change{State: &s, Env: e}).schedule()
	return s, nil
}

// host refuses everyone but the host and arbiters.
func (c *change) host() error {
	if c.By.Arbiter || c.By.ID != 0 && c.By.ID == c.Host {
		return nil
	}
	return refuse.Forbidden("that is the host's business").Because("hostonly")
}

// hall refuses everyone but the hall.
func (c *change) hall() error {
	if c.By.ID != 0 {
		return refuse.Forbidden("that is the hall's business")
	}
	return nil
}

// inside refuses those who are not in the room.
func (c *change) inside() error {
	if c.By.ID == 0 || !c.Inside(c.By.ID) {
		return refuse.Forbidden("enter the room first").Because("outside")
	}
	return nil
}

// idle refuses while a series is under way.
func (c *change) idle() error {
	if c.Phase != Waiting && c.Phase != Done {
		return refuse.Phase("a series is being played").Because("series")
	}
	return nil
}

// unsettled takes back what the places agreed to, because it was about something else.
func (c *change) unsettled() {
	for i := range c.Places {
		c.Places[i].Ready, c.Places[i].Again = false, false
	}
	c.Phase = Waiting
}

// lease is how long an account that was here counts as being here without a sign.
const lease = 10 * time.Minute

// away reports whether an account is not connected.
func (c *change) away(id int64) bool {
	i := c.person(id)
	return i < 0 || c.People[i].away(c.Now)
}

// schedule sets when a tick is due.
func (c *change) schedule() {
	if c.Game == nil && c.Phase != Between {
		c.Paused = nil
	}
	switch {
	case c.Paused != nil && (c.Game == nil || c.engines()): // nobody's absence ends it
	case c.Phase == Between && c.Paused == nil:
		return
	case c.Phase != Waiting && c.Phase != Done:
		c.Due = time.Time{}
		return
	}
	due := c.Now.Add(EmptyFor)
	for _, p := range c.People {
		if p.Here && p.Since.Add(lease+EmptyFor).After(due) {
			due = p.Since.Add(lease + EmptyFor)
		}
	}
	if _, at, ok := c.deserted(); ok && at.Before(due) {
		due = at
	}
	c.Due = due
}

// deserted tells which place is given up, and when, of a room for whoever comes: its owner is away, and
// the other one here waits for him in vain.
func (c *change) deserted() (place int, at time.Time, ok bool) {
	if !c.Settings.Auto || c.Phase != Waiting || c.Settings.Access != Listed {
		return 0, at, false
	}
	for i := range c.Places {
		gone, here := c.person(c.Places[i].User), c.person(c.Places[1-i].User)
		if c.Places[i].Kind != bus.PersonSeat || c.Places[1-i].Kind != bus.PersonSeat || gone < 0 || here < 0 {
			continue
		}
		p, other := &c.People[gone], &c.People[here]
		if !p.away(c.Now) || other.away(c.Now) {
			continue
		}
		if at = p.Since; p.Here { // it has given no sign
			at = at.Add(lease)
		}
		if other.Since.After(at) {
			at = other.Since
		}
		return i, at.Add(Deserted), true
	}
	return 0, at, false
}

// Tick does what is due.
type Tick struct{}

func (Tick) apply(c *change) error {
	if c.Due.IsZero() || c.Now.Before(c.Due) {
		return refuse.Phase("nothing is due")
	}
	if c.Phase == Between && c.Paused == nil {
		return c.begin()
	}
	if i, at, ok := c.deserted(); ok && !c.Now.Before(at) {
		c.out(c.Places[i].User)
		return nil
	}
	for _, p := range c.People {
		if !c.away(p.ID) {
			return nil // schedule finds the next time
		}
	}
	c.shut()
	return nil
}

// shut closes the room, with what is played.
func (c *change) shut() {
	if c.Game != nil {
		c.stop()
		c.over(game.Result{Reason: game.ByAbort}, bus.ByHost()) // what comes of it is not the room's any more
	}
	c.Phase, c.People = Closed, nil
}

// Close ends a room, with a game that the host may stop.
type Close struct{}

func (Close) apply(c *change) error {
	if err := c.host(); err != nil {
		return err
	}
	if c.Game != nil && !c.MayStop(c.By) {
		return refuse.Phase("a game of people is not over yet: its players end it, or an arbiter").Because("stoppers")
	}
	c.shut()
	return nil
}

// stop has the hall end the game.
func (c *change) stop() {
	if c.Game.Begun {
		c.do(Effect{Stop: c.Game.ID})
	} else {
		c.do(Effect{Drop: c.Game.ID, Why: bus.ByHost()})
	}
}

// Set changes the settings.
type Set struct{ Settings Settings }

func (x Set) apply(c *change) error {
	if err := c.host(); err != nil {
		return err
	}
	if err := c.idle(); err != nil {
		return err
	}
	set, err := x.Settings.normalised()
	if err != nil {
		return err
	}
	for _, p := range c.Places {
		if set.Rated && p.Guest {
			return refuse.Invalid("%s is a guest, and guests play casual games only", p.Name).Because("guesthere", p.Name)
		}
		if !p.Own() && !p.Empty() && set.Game.ID() != c.Settings.Game.ID() {
			return refuse.Invalid("%s plays another game: let it stand up first", p.Name).Because("othergame", p.Name)
		}
	}
	c.Settings = set
	c.unsettled()
	return nil
}

// without returns a list without a value.
func without(list []int64, id int64) []int64 {
	return slices.DeleteFunc(list, func(x int64) bool { return x == id })
}
