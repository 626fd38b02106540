package room

import (
	"cmp"
	"fmt"
	"time"
	"unicode/utf8"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/hall/refuse"
)

// Access says who may find and enter a room.
type Access string

// The kinds of access.
const (
	Listed     Access = "listed"     // in the lobby, for everyone
	Private    Access = "private"    // not in the lobby; with a code, or invited
	Invitation Access = "invitation" // in the lobby, but only for those invited
)

// Begins says which place has the first seat in the first game of a series.
type Begins string

// Who begins.
const (
	HostBegins   Begins = "first"  // the first place
	OtherBegins  Begins = "second" // the second place
	RandomBegins Begins = "random"
)

// Chat says which channels are open.
type Chat string

// The rules of chat.
const (
	ChatOpen    Chat = "open"    // all channels
	ChatPlayers Chat = "players" // players and arbiters alone
	ChatOff     Chat = "off"
)

// Settings are what the host decides.
type Settings struct {
	Name string `json:"name"`
	// Game is a game with its options, in canonical form.
	Game game.Spec `json:"game"`
	// Hidden tells that the game has facts that not everybody may know; whoever
	// checks Game sets it.
	Hidden bool `json:"hidden,omitempty"`
	// Clocks are the time controls of the places, as on the command line ("300+3").
	Clocks [2]string `json:"clocks"`
	// Games is how many games a series has, from 1 to 1000.
	Games  int    `json:"games"`
	Begins Begins `json:"begins"`
	// Exchange gives the first seat to the other place after each game.
	Exchange bool `json:"exchange,omitempty"`
	// Pairs deals every second game of a series from the shuffle of the game before it, which the
	// record of the second tells. It counts for nothing where nothing is shuffled.
	Pairs bool `json:"pairs,omitempty"`
	// Auto begins a series by itself when both places are taken and their owners are here.
	Auto bool `json:"auto,omitempty"`
	// Undo, Draw and Abort allow the players to ask for that.
	Undo   bool   `json:"undo,omitempty"`
	Draw   bool   `json:"draw,omitempty"`
	Abort  bool   `json:"abort,omitempty"`
	Rated  bool   `json:"rated,omitempty"`
	Access Access `json:"access"`
	// Delay is how much later spectators see the game, up to an hour.
	Delay time.Duration `json:"delay,omitempty"`
	// Lines lets spectators see what engines say; it counts for nothing where the
	// game hides anything.
	Lines bool `json:"lines,omitempty"`
	// Open lets those who sit in the game see it too, not in rated games.
	Open bool `json:"open,omitempty"`
	// Kibitzer is a third engine, which comments on the game for those who look on; games
	// that hide anything have none, nor have rated ones of people. Whoever finds the
	// engine sets its hash.
	Kibitzer     string `json:"kibitzer,omitempty"`
	KibitzerHash string `json:"kibitzerHash,omitempty"`
	Chat         Chat   `json:"chat"`
	// Pause is the time between the games of a series, up to a minute.
	Pause time.Duration `json:"pause,omitempty"`
	// Grace is how long the owner of a place may be away (see the package), from 10
	// seconds to a day; 0 is a day.
	Grace time.Duration `json:"grace,omitempty"`
	// Position is the text of the position that games begin from, empty for the
	// initial one; Opening are decisions made from it, in the journal's form. From
	// names it for people.
	Position string   `json:"position,omitempty"`
	Opening  []string `json:"opening,omitempty"`
	From     string   `json:"from,omitempty"`
	// MaxMoves draws a game after so many turns, 0 never.
	MaxMoves int `json:"maxMoves,omitempty"`
}

// Defaults are the settings of a room of which nothing is said but the game.
func Defaults(spec game.Spec) Settings {
	return Settings{
		Name: string(spec), Game: spec, Clocks: [2]string{"300+3", "300+3"}, Games: 1, Begins: HostBegins, Exchange: true,
		Draw: true, Abort: true, Access: Listed, Chat: ChatOpen, Pause: 5 * time.Second, Grace: 5 * time.Minute,
	}
}

// mostGrace is the longest grace: a game that everybody has left must end.
const mostGrace = 24 * time.Hour

// normalised fills in what was left out and puts clocks into their canonical form. It
// fails with refuse.ErrInvalid and a line that says what would be right.
func (c Settings) normalised() (Settings, error) {
	c.Begins = cmp.Or(c.Begins, HostBegins)
	c.Access = cmp.Or(c.Access, Listed)
	c.Chat = cmp.Or(c.Chat, ChatOpen)
	c.Games = cmp.Or(c.Games, 1)
	c.Name = game.Shown(cmp.Or(c.Name, string(c.Game)), 100)
	c.From = game.Shown(c.From, 100)
	for i, text := range c.Clocks {
		text = cmp.Or(text, "inf")
		k, err := clock.Parse(text)
		if err != nil {
			return c, refuse.Value(fmt.Sprintf("clocks/%d", i), "clock of the %s place: %v", placeName(i), err)
		}
		c.Clocks[i] = k.String()
	}
	if err := c.check(); err != nil {
		return c, err
	}
	return c, c.contradiction()
}

// check judges each setting alone.
func (c *Settings) check() error {
	switch {
	case c.Game == "":
		return refuse.Value("game", "a room needs a game, for example \"othello\"")
	case !utf8.ValidString(c.Name):
		return refuse.Value("name", "the room's name is no text")
	case c.Games < 1 || c.Games > 1000:
		return refuse.Value("games", "%d games in a series; 1 to 1000 are possible", c.Games).Because(game.WhyRange, "1 – 1000")
	case c.Begins != HostBegins && c.Begins != OtherBegins && c.Begins != RandomBegins:
		return refuse.Value("begins", "who begins is %q; \"first\", \"second\" or \"random\"", c.Begins)
	case c.Access != Listed && c.Access != Private && c.Access != Invitation:
		return refuse.Value("access", "access is %q; \"listed\", \"private\" or \"invitation\"", c.Access)
	case c.Chat != ChatOpen && c.Chat != ChatPlayers && c.Chat != ChatOff:
		return refuse.Value("chat", "chat is %q; \"open\", \"players\" or \"off\"", c.Chat)
	case c.Delay < 0 || c.Delay > time.Hour:
		return refuse.Value("delay", "a delay of %s; up to an hour is possible", c.Delay).Because(game.WhyRange, "0 – 3600 s")
	case c.Pause < 0 || c.Pause > time.Minute:
		return refuse.Value("pause", "a pause of %s between games; up to a minute is possible", c.Pause).Because(game.WhyRange, "0 – 60 s")
	case c.Grace != 0 && (c.Grace < 10*time.Second || c.Grace > mostGrace):
		return refuse.Value("grace", "a grace of %s; 10 seconds to 24 hours", c.Grace).Because(game.WhyRange, "10 s – 24 h")
	case c.MaxMoves < 0:
		return refuse.Value("maxMoves", "%d moves at most; 0 is no limit", c.MaxMoves).Because(game.WhyRange, "≥ 0")
	case len(c.Position) > 10_000 || len(c.Opening) > 10_000:
		return refuse.Value("position", "the position to begin from is too large")
	}
	return nil
}

// contradiction names settings that exclude each other.
func (c *Settings) contradiction() error {
	switch {
	case c.Rated && c.Undo:
		return refuse.Value("undo", "a rated game has no undo: leave one of the two out").Because("ratedundo")
	case c.Hidden && c.Kibitzer != "":
		return refuse.Value("kibitzer", "a game that hides anything has no kibitzer").Because("hidden")
	case c.Rated && c.Open:
		return refuse.Value("open", "players of a rated game do not see what engines say: leave one of the two out").Because("ratedopen")
	case c.Rated && c.Pairs:
		return refuse.Value("pairs", "a rated game has a shuffle of its own: leave one of the two out").Because("ratedpairs")
	case c.Rated && (c.Position != "" || len(c.Opening) > 0):
		return refuse.Value("rated", "a rated game begins from the initial position").Because("ratedstart")
	}
	return nil
}

// grace is how long the owner of a place may be away.
func (c *Settings) grace() time.Duration {
	if c.Grace == 0 {
		return mostGrace
	}
	return c.Grace
}

// placeName is how errors call a place.
func placeName(i int) string { return game.Seat(i).String() }
