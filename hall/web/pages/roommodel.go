package pages

import (
	"net/url"
	"time"

	"kibitz/game"
	"kibitz/hall/web/words"
)

// Room is a room as its reader may see it.
type Room struct {
	// Sooner is who took the last seat before the reader, who wanted it too.
	Sooner                              string
	ID, Name, Spec, Phase, Access, Host string
	// Auto tells that games begin by themselves when both places are taken.
	Rated, Auto bool
	// Gone is who gave up the seat that another one waits for now.
	Gone   string
	Places [2]Place
	// Game is the one that is played, empty for none.
	Game string
	// Wait says what that game waits for beside its turn, Why why the last one was given up.
	Wait, Why game.Why
	// Begun tells that somebody plays it.
	Begun bool
	// Before is how many games come before one that waits for a place, 0 if it is its turn.
	Before int
	// About is about how long that takes, or the pause between two games lasts, empty if nobody knows.
	About string
	// Done is how many games of the kind the reader, who plays, has finished, at most Novice; Learn
	// tells that it is taught and that the reader has not come from its lesson.
	Done  int
	Learn bool
	// First is the place that has the first seat in the game.
	First int
	// Place is the reader's, -1 for none; Turned tells that the board is shown to him
	// from the second seat.
	Place                  int
	IsHost, Inside, Direct bool
	// MayStop tells that the reader may end what is played.
	MayStop bool
	// MayPause tells that the reader alone may pause what is played, MayRule that he may say how it ends.
	MayPause, MayRule bool
	// Paused is who has paused the series, empty for nobody.
	Paused            string
	Lines, Hidden     bool
	Undo, Draw, Abort bool
	Games, Played     int
	Score             [2]float64
	Facts             []Fact
	People            []Person
	// Watching is how many look on who have no place, with those who have no account.
	Watching int
	Chat     []ChatLine
	Write    []string
	Stats    Stats
	Consoles []ConsoleLink
	Engines  []string
	Last     *GameLine
	// LastTurns are the moves of that game.
	LastTurns []Turn
	// LastClocks are what the clocks of its seats stood at, empty where that is not known.
	LastClocks [2]string
	Next       time.Time
	Settings   RoomSettings
	// Grace is for how many minutes the reader of a page that keeps no connection may be away before
	// his game is lost, 0 for a day.
	Grace int
	Codes int
	Card  Card
}

// Gauge tells whether what engines say may be shown beside the board: to those who see
// their lines, in games that hide nothing.
func (r *Room) Gauge() bool {
	return r.Lines && !r.Hidden && (r.Place < 0 || r.Settings.Open)
}

// FreePlace is the number of a place on which somebody who comes may sit down, -1 for none.
func (r Room) FreePlace() int {
	if r.Place >= 0 || r.Inside || r.Phase != "waiting" && r.Phase != "done" {
		return -1
	}
	for _, p := range r.Places {
		if p.Empty {
			return p.Number
		}
	}
	return -1
}

// Open tells that a place is free.
func (r Room) Open() bool { return r.Places[0].Empty || r.Places[1].Empty }

// Absent is whoever holds a place in a room that begins by itself and is not here, nil if nobody: the
// reader is, by reading.
func (r Room) Absent() *Place {
	for i := range r.Places {
		if p := &r.Places[i]; r.Auto && p.Kind == "person" && !p.Here && !p.Mine {
			return p
		}
	}
	return nil
}

// Unready is whoever holds a place and does not say that he can begin, nil if nobody does; the
// host is ready by starting, where he does.
func (r Room) Unready() *Place {
	for i := range r.Places {
		if p := &r.Places[i]; !p.Empty && !p.Ready && p.User != 0 && (p.Name != r.Host || r.Auto) {
			return p
		}
	}
	return nil
}

// Late is for whom the game waits if it has no board soon after somebody has begun it: an engine
// that is got ready; empty for nobody that is known.
func (r Room) Late() string {
	for _, kind := range []string{"remote", "engine"} {
		for _, p := range r.Places {
			if p.Kind == kind {
				return p.Name
			}
		}
	}
	return ""
}

// Card is what a room shows of a game that is over beside its result.
type Card struct {
	// Rating is the reader's after the game, and Change by how much it became another; both are
	// 0 where the game was not rated.
	Rating, Change float64
	// Hints is how many hints the reader was given.
	Hints int
	// Next is the level to try after two games that were won, or lost, in a row; 0 for none.
	Next int
}

// Number counts the games of the series, from 1, with the one that is played.
func (r Room) Number() int {
	if r.Game != "" {
		return r.Played + 1
	}
	return max(1, r.Played)
}

// Mine is the place of the reader, nil for none.
func (r Room) Mine() *Place {
	if r.Place < 0 {
		return nil
	}
	return &r.Places[r.Place]
}

// Other is the place of the reader's opponent, nil if the reader has none.
func (r Room) Other() *Place {
	if r.Place < 0 {
		return nil
	}
	return &r.Places[1-r.Place]
}

// Asks tells that the opponent can be asked something: a person, or whoever plays from elsewhere.
func (r Room) Asks() bool {
	o := r.Other()
	return o != nil && (o.Kind == "person" || o.Kind == "remote")
}

// Pauses tells that the reader, who plays, may ask for a pause: of who cannot be asked where nothing is at stake.
func (r Room) Pauses() bool {
	return r.Game != "" && r.Place >= 0 && r.Places[r.Place].Kind == "person" && (r.Asks() || !r.Rated)
}

// Hints tells that the reader may ask for hints in the game: nobody is deceived by them.
func (r Room) Hints() bool {
	return r.Place >= 0 && r.Places[r.Place].Kind == "person" && !r.Asks() && !r.Rated
}

// Judges tells that the reader's turns are judged if he wants: hints are given, and both seats know the same.
func (r Room) Judges() bool { return r.Hints() && r.Game != "" && !r.Hidden }

// Novice is how many games of a kind somebody has finished who is no beginner in it any more.
const Novice = 5

// Beginner tells that the reader plays one of his first games of the kind.
func (r Room) Beginner() bool { return r.Seat() >= 0 && r.Game != "" && r.Done < Novice }

// Targets tells that it is shown where the reader may go.
func (r Room) Targets(l Look) bool {
	return l.Targets == "always" || l.Targets == "" && (r.Beginner() || r.Seat() < 0 || r.Game == "")
}

// Marks tells that the reader plays himself, so that it can be shown to him where he may go.
func (r Room) Marks() bool { return r.Seat() >= 0 && r.Game != "" }

// Lesson tells that the reader is offered the lesson: in his first game of the kind.
func (r Room) Lesson() bool { return r.Beginner() && r.Done == 0 && r.Learn }

// Seat is the reader's in the game, -1 for none.
func (r Room) Seat() int {
	if m := r.Mine(); m != nil {
		return m.Seat
	}
	return -1
}

// Level is that of the built-in engine which the reader plays, 0 for none.
func (r Room) Level() int {
	if o := r.Other(); o != nil {
		return o.Level
	}
	return 0
}

// Kind is the game without options.
func (r Room) Kind() string { return kindOf(r.Spec) }

// Bars are the names of the places, and where who looks on asks them for a game, above and below the board, empty for a free one. The
// reader's own stands below, the one that has the first seat if he has none.
func (r Room) Bars() (out [2]map[string]any) {
	low := 0
	if r.Place >= 0 {
		low = r.Places[r.Place].Seat
	}
	for _, p := range r.Places {
		bar := map[string]any{"name": p.Short, "colour": p.Colour, "rating": p.Rating}
		if r.Game == "" && (p.Seat == 0 || p.Seat == 1) {
			bar["clock"] = r.LastClocks[p.Seat]
		}
		if r.Place < 0 && p.MayAsk {
			bar["ask"] = "/play/" + r.Kind() + "?to=" + url.QueryEscape(p.Name)
		}
		if p.Guest && p.Number == r.Place {
			bar["ask"], bar["own"] = "/account?to=/rooms/"+r.ID, true
		}
		if p.Seat == low {
			out[1] = bar
		} else {
			out[0] = bar
		}
	}
	return out
}

// Place is one of the two places of a room.
type Place struct {
	Number           int
	Empty            bool
	Name, Link, Kind string
	// Short is the name on a bar.
	Short              string
	Ready, Again, Here bool
	Mine, Guest        bool
	// MayAsk tells that the reader may ask who sits there for a game.
	MayAsk bool
	// Seat is 0 or 1: which seat of the game it has, or would have.
	Seat int
	// Colour is that of the seat's stones, empty where seats begin without one.
	Colour string
	// Level is that of a built-in engine, 0 for others.
	Level int
	Clock string
	User  int64
	// Rating is that in the room's game at its speed, 0 without one.
	Rating float64
	// About is what an engine says of itself, empty if nobody has heard.
	About string
}

// RoomSettings are what the host may change, as forms have it.
type RoomSettings struct {
	// Clock2 is that of the second seat, Pause the seconds between games.
	Clock2                             string
	Pause                              int
	Clock                              string
	Games                              int
	Begins, Access, Chat               string
	Exchange, Undo, Draw, Abort, Rated bool
	Lines, Open                        bool
	// Pairs has two games from one shuffle, where games are Dealt.
	Pairs, Dealt bool
	Kibitzer     string
	// Delay is in seconds.
	Delay, MaxMoves int
}

// Fact is a line of what holds: a word of the group "fact" and its value.
type Fact struct{ Name, Value string }

// Person is somebody in a room.
type Person struct {
	ID               int64
	Name             string
	Guest, Here, You bool
	Host             bool
}

// ChatLine is a line of chat.
type ChatLine struct {
	ID, User            int64
	At                  time.Time
	Name, Channel, Text string
	// Muted tells that the reader does not want to read what its writer says.
	Mine, Muted bool
}

// Stats are the games of a room and what they come to.
type Stats struct {
	// Shares shows shares instead of counts.
	Shares  bool
	Games   []GameLine
	Sides   []SideStats
	Wins    []Count
	Draws   Count
	Reasons []Count
}

// Count is how often something came.
type Count struct {
	Name  string
	Count int
	Ratio float64
}

// SideStats is what the games came to for a player in a seat.
type SideStats struct {
	Name, Link          string
	Seat, Games         int
	Wins, Draws, Losses Count
	Forfeits            []Count
	// Plies and Seconds are averages.
	Plies, Seconds float64
}

// AboutTime is how long something takes, in words: seconds, or whole minutes from a minute and a half on.
func AboutTime(w *words.Catalogue, seconds int) string {
	switch {
	case seconds == 0:
		return ""
	case seconds < 90:
		return w.Text("time.s", "n", seconds)
	default:
		return w.Text("time.min", "n", (seconds+59)/60)
	}
}
