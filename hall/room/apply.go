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
}

// Effect is what the hall must do about a change, in the transaction that stores it
// (Add, Resume, Drop) or after it (Stop). One field is set.
type Effect struct {
	Add *NewGame
	// Resume is a parked game to be taken up, Drop one that no worker plays and that
	// is aborted, Stop one whose worker is ordered to abort it.
	Resume, Drop, Stop string
	// Why is that of Drop.
	Why game.Why
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
	switch c.Phase {
	case Between:
		return
	case Playing, Parked, Closed:
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
	if c.Phase == Between {
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
	c.Phase, c.People = Closed, nil
	return nil
}

// Close ends a room, with a game that the host may stop.
type Close struct{}

func (Close) apply(c *change) error {
	if err := c.host(); err != nil {
		return err
	}
	if c.Game != nil {
		if !c.MayStop(c.By) {
			return refuse.Phase("a game of people is not over yet: its players end it, or an arbiter").Because("stoppers")
		}
		c.stop()
		c.over(game.Result{Reason: game.ByAbort}, bus.ByHost()) // what comes of it is not the room's any more
	}
	c.Phase, c.People = Closed, nil
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

// Start begins a series, when both places are taken and ready. The host is ready by
// starting.
type Start struct{}

func (Start) apply(c *change) error {
	if err := c.host(); err != nil {
		return err
	}
	if err := c.idle(); err != nil {
		return err
	}
	for i, p := range c.Places {
		switch {
		case p.Empty():
			return refuse.Phase("nobody sits on the %s place", placeName(i)).Because("seatempty")
		case p.Own() && p.User != c.By.ID && !p.Ready:
			return refuse.Phase("%s is not ready", p.Name).Because("unready", p.Name)
		case p.Own() && p.User != c.By.ID && c.away(p.User):
			return refuse.Phase("%s is away", p.Name).Because("gone", p.Name)
		}
	}
	return c.series()
}

// Rematch agrees to another series, or takes that back.
type Rematch struct{ On bool }

func (x Rematch) apply(c *change) error {
	if c.Phase != Done {
		return refuse.Phase("a rematch follows a series that is over").Because("noseries")
	}
	mine := false
	for i := range c.Places {
		if p := &c.Places[i]; p.Own() && p.User == c.By.ID && c.By.ID != 0 {
			p.Again, mine = x.On, true
		}
	}
	if !mine && (c.host() != nil || c.Places[0].Own() || c.Places[1].Own()) {
		return refuse.Forbidden("a rematch is agreed on by those who played").Because("players")
	}
	for _, p := range c.Places {
		if p.Empty() || p.Own() && !p.Again {
			return nil
		}
	}
	return c.series()
}

// series begins one.
func (c *change) series() error {
	again := c.Phase == Done && c.Series > 0
	switch {
	case again && c.Settings.Exchange:
		c.Began = 1 - c.Began // a rematch goes on exchanging
	case again:
	case c.Settings.Begins == RandomBegins:
		c.Began = c.Coin & 1
	case c.Settings.Begins == OtherBegins:
		c.Began = 1
	default:
		c.Began = 0
	}
	c.Series++
	c.Played, c.Wins, c.Draws, c.Score, c.Last = 0, [2]int{}, 0, [2]float64{}, nil
	for i := range c.Places {
		c.Places[i].Again = false
	}
	return c.begin()
}

// begin hands out the next game of the series.
func (c *change) begin() error {
	if c.Game != nil {
		return refuse.Phase("a game is not over yet")
	}
	if c.ID == "" {
		return refuse.Invalid("the game has no identifier")
	}
	first := c.Began
	if c.Settings.Exchange && c.Played%2 == 1 {
		first = 1 - first
	}
	c.Game = &Current{ID: c.ID, Index: c.Games, First: first, Rated: c.Settings.Rated}
	c.Games++
	c.Phase = Playing
	n := &NewGame{ID: c.ID, Index: c.Game.Index, Settings: c.Settings}
	for seat, place := range [2]int{first, 1 - first} {
		n.Places[seat], n.Clocks[seat] = c.Places[place], c.Settings.Clocks[place]
		if c.Places[place].Own() {
			n.Grace[seat] = c.Settings.grace()
		}
	}
	c.do(Effect{Add: n})
	return nil
}

// of refuses what concerns another game than the room's.
func (c *change) of(id string) error {
	if err := c.hall(); err != nil {
		return err
	}
	if c.Game == nil || c.Game.ID != id {
		return ErrStale
	}
	return nil
}

// Begun tells that a worker plays the game.
type Begun struct{ Game string }

func (x Begun) apply(c *change) error {
	if err := c.of(x.Game); err != nil {
		return err
	}
	c.Game.Begun, c.Phase = true, Playing
	return nil
}

// Park tells that the game was interrupted.
type Park struct{ Game string }

func (x Park) apply(c *change) error {
	if err := c.of(x.Game); err != nil {
		return err
	}
	c.Game.Begun, c.Game.Resumed, c.Phase = false, true, Parked
	return nil
}

// Resume takes up an interrupted game before everybody is there, or goes on with a series before its pause is over.
type Resume struct{}

func (Resume) apply(c *change) error {
	if err := c.host(); err != nil {
		return err
	}
	if c.Phase == Between {
		return c.begin()
	}
	if c.Phase != Parked {
		return refuse.Phase("no game is interrupted").Because("nogame")
	}
	c.resume()
	return nil
}

func (c *change) resume() {
	c.Phase = Playing
	c.do(Effect{Resume: c.Game.ID})
}

// Stop ends a game without a verdict. A game that is played by people or engines from
// outside is only an arbiter's to stop: players ask each other. Of a series of engines the game is played
// to its end.
type Stop struct{}

func (Stop) apply(c *change) error {
	if err := c.host(); err != nil {
		return err
	}
	switch {
	case c.Game == nil && c.Phase == Between:
		c.Phase = Done
	case c.Game == nil:
		return refuse.Phase("there is no game to stop").Because("nogame")
	case !c.MayStop(c.By) && c.MayEnd(c.By):
		c.Ends = true
	case !c.MayStop(c.By):
		return refuse.Forbidden("a game that people play is stopped by its players together, or by an arbiter").Because("stoppers")
	default:
		c.stop()
		if !c.Game.Begun {
			c.over(game.Result{Reason: game.ByAbort}, bus.ByHost())
		}
	}
	return nil
}

// Over tells how the game ended.
type Over struct {
	Game   string
	Result game.Result
	Why    game.Why
}

func (x Over) apply(c *change) error {
	if err := c.of(x.Game); err != nil {
		return err
	}
	c.over(x.Result, x.Why)
	return nil
}

func (c *change) over(r game.Result, why game.Why) {
	g, ends := c.Game, c.Ends
	c.Ends = false
	c.Last, c.Game = &Past{ID: g.ID, First: g.First, Result: r, Why: why}, nil
	for i := range c.Places {
		c.Places[i].Ready = false
	}
	if r.Reason == game.ByAbort {
		c.Phase = Done
		return
	}
	c.Played++
	for _, place := range [2]int{0, 1} {
		seat := g.Seat(place)
		c.Score[place] += r.Points[seat]
		if r.Winner() == seat {
			c.Wins[place]++
		}
	}
	if r.Winner() == game.Nobody {
		c.Draws++
	}
	c.Phase = Done
	if c.Played < c.Settings.Games && !ends {
		c.Phase, c.Due = Between, c.Now.Add(c.Settings.Pause)
	}
}

// without returns a list without a value.
func without(list []int64, id int64) []int64 {
	return slices.DeleteFunc(list, func(x int64) bool { return x == id })
}
