package room

import (
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/refuse"
)

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
	switch {
	case !c.Settings.Pairs:
	case c.Played%2 == 1:
		n.Dealt = c.Last.ID
	default:
		n.Kept = c.Played+1 < c.Settings.Games
	}
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

// Pause lets what is played stand still, until Resume.
type Pause struct{}

func (Pause) apply(c *change) error {
	switch {
	case c.Game == nil && c.Phase != Between:
		return refuse.Phase("there is no game to pause").Because("nogame")
	case !c.MayPause(c.By):
		return refuse.Forbidden("the players of this game pause it together, or an arbiter").Because("pausers")
	case c.Paused != nil:
		return refuse.Phase("that is so already").Because("same")
	}
	c.Paused = &Paused{By: c.By.Name, Since: c.Now}
	c.pause(c.By.Name)
	return nil
}

// pause has the hall pause the game, or with no name lets it go on.
func (c *change) pause(by string) {
	if c.Game != nil {
		c.do(Effect{Pause: c.Game.ID, By: by})
	}
}

// MaxNote is how long, in letters, what is said of a ruling may be.
const MaxNote = 500

// Rule ends the game that is played: "first" or "second" wins, "draw", or it counts for "nobody".
type Rule struct{ Result, Note string }

func (x Rule) apply(c *change) error {
	note := strings.TrimSpace(game.Shown(x.Note, MaxNote))
	r := game.Result{Reason: game.ByAbort, Detail: note}
	switch x.Result {
	case "first":
		r = game.Win(game.First, game.ByAdjudication, note)
	case "second":
		r = game.Win(game.Second, game.ByAdjudication, note)
	case "draw":
		r = game.Drawn(game.ByAdjudication, note)
	case "nobody":
	default:
		return refuse.Value("result", "result %q: write first, second, draw or nobody", game.Shown(x.Result, 40)).Because(game.WhyChoice)
	}
	switch {
	case c.Game == nil || !c.Game.Begun:
		return refuse.Phase("no game is being played").Because("nogame")
	case !c.MayRule(c.By):
		return refuse.Forbidden("an arbiter who does not play decides a game").Because("rulers")
	case note == "":
		return refuse.Value("note", "note: say why").Because("saywhy")
	}
	c.do(Effect{Rule: &Ruling{Game: c.Game.ID, Account: c.By.ID, By: c.By.Name, Result: r}})
	return nil
}

// Aside puts a casual game of a person against an engine of the hall aside: he is called to another game.
type Aside struct{}

func (Aside) apply(c *change) error {
	if err := c.hall(); err != nil {
		return err
	}
	switch {
	case !c.MayAside():
		return refuse.Phase("there is no game to be put aside").Because("nogame")
	case c.Game.Aside:
		return ErrSame
	}
	c.Game.Aside = true
	c.do(Effect{Park: c.Game.ID})
	return nil
}

// MayAside reports whether nobody else waits in the game that is played, and nothing but the game hangs on it.
func (s *State) MayAside() bool {
	kinds := [2]bus.SeatKind{s.Places[0].Kind, s.Places[1].Kind}
	return s.Phase == Playing && s.Game.Begun && !s.Game.Rated && slices.Contains(kinds[:], bus.PersonSeat) &&
		(slices.Contains(kinds[:], bus.BotSeat) || slices.Contains(kinds[:], bus.EngineSeat))
}

// Resume ends a pause, or takes up an interrupted game before everybody is there, or goes on with a series
// before the time between two games is over.
type Resume struct{}

func (Resume) apply(c *change) error {
	if c.Paused != nil {
		if !c.MayPause(c.By) {
			return refuse.Forbidden("an arbiter has paused the game, and lets it go on").Because("held")
		}
		c.Paused = nil
		c.pause("")
		if c.Phase == Between {
			return c.begin()
		}
		return nil
	}
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
	c.Phase, c.Game.Aside = Playing, false
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
