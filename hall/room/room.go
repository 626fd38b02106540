// Package room holds what a room of a hall is: a value that commands change.
//
// A room has two places. Who sits in a place stays there for a series of games; which
// place is the first seat of a game changes with the games if the room exchanges
// seats. The host is the account that opened the room; what is played is the host's
// business, who sits where and whether he is ready is each player's own.
//
// A room is in one phase at a time:
//
//	waiting    no game; people come, sit down and say that they are ready
//	playing    a game was handed out and is not over
//	parked     a game was interrupted and waits until those who play it are there, or until
//	           the host takes it up or gives it up; one that was put aside because its player is
//	           called away from an engine waits until he comes back to it, for AsideFor
//	between    the series goes on with the next game when the pause is over
//	done       the series is over; a rematch begins when both places agree
//	closed     nothing can be done any more
//
// A room that begins by itself (Settings.Auto) is for whoever comes: who sits there is ready while
// he is here, and nobody starts it. Who is away for Deserted while another one waits for him there
// loses his seat to the next who comes.
//
// Absent. Nothing is undone because the owner of a place goes away, for a while: who is
// away longer than the time of grace (Settings.Grace) before his first move ends the game
// without a result, as does whoever is away that long while the game waits to be begun or
// taken up. After his first move he loses by disconnect, but where he has a clock for the
// game: then it runs and decides. The worker that plays a game keeps these rules, the hall
// those of games that nobody plays. Who is ready and goes away is ready when he is back, as
// after a page was loaded anew; with somebody who is away nothing begins. A room that nobody is
// in is closed after EmptyFor, unless it has a game that is not over.
//
// Pause. A paused game stands still before its next question, and the next game of a paused series does
// not begin. In a paused room of engines that nobody is in the series ends as the room is closed.
//
// Chat. There are three channels. What the places write to each other ("players")
// is kept from spectators while a game runs, and after a delayed one until they have
// seen its end.
// What spectators write ("spectators") is kept from the places while any game runs.
// What is written for everybody ("all") comes, while a rated game runs, from the
// places and from arbiters alone. Arbiters read and write everything, but while they play
// they read what players do. Settings.Chat
// can close channels.
package room

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
)

// Phase says what a room is about.
type Phase string

// The phases, see the package.
const (
	Waiting Phase = "waiting"
	Playing Phase = "playing"
	Parked  Phase = "parked"
	Between Phase = "between"
	Done    Phase = "done"
	Closed  Phase = "closed"
)

// Bounds of a room.
const (
	// MaxPeople is how many accounts may be in a room.
	MaxPeople = 2000
	// MaxInvited is how many accounts may be invited.
	MaxInvited = 200
	// MaxCodes is how many codes are good at a time.
	MaxCodes = 20
	// MaxBanned is how many accounts stay out.
	MaxBanned = 200
	// EmptyFor is how long a room without anybody stays open.
	EmptyFor = 15 * time.Minute
	// AsideFor is how long a game that was put aside waits for its player.
	AsideFor = 14 * 24 * time.Hour
	// Deserted is how long somebody keeps his seat for whom another one waits in a room for whoever comes.
	Deserted = 15 * time.Second
)

// Errors that callers tell apart, besides those of package refuse; what is wrong stands
// in the errors that wrap them.
var (
	// ErrSame: it is so already; nothing needs to be stored.
	ErrSame = errors.New("nothing changes")
	// ErrStale: it concerns a game that is not the room's game any more.
	ErrStale = errors.New("of another game")
)

// Actor is the account that gives a command.
type Actor struct {
	ID      int64
	Name    string
	Guest   bool
	Arbiter bool // arbiters and admins
}

// Person is an account in a room.
type Person struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Guest bool   `json:"guest,omitempty"`
	// Here tells that the account is connected.
	Here bool `json:"here,omitempty"`
	// Since is when it came or went, or gave a sign, last.
	Since time.Time `json:"since,omitzero"`
}

// Place is who sits in one of the two places. The zero Place is empty.
type Place struct {
	Kind bus.SeatKind `json:"kind,omitempty"`
	// User is the person, or the owner of the remote engine; 0 for engines of the hall.
	User int64  `json:"user,omitempty"`
	Name string `json:"name,omitempty"`
	// Engine is a built-in engine with its level ("bot=3"), the name of an engine that
	// the hall offers, or the name of a remote one; Hash is that of its executable.
	Engine string `json:"engine,omitempty"`
	Hash   string `json:"hash,omitempty"`
	Guest  bool   `json:"guest,omitempty"`
	// About is what a remote engine says of itself.
	About string `json:"about,omitempty"`
	// Ready is what the owner says; engines of the hall are always ready.
	Ready bool `json:"ready,omitempty"`
	// Again is the owner's agreement to a rematch.
	Again bool `json:"again,omitempty"`
}

// Empty reports whether nobody sits there.
func (p Place) Empty() bool { return p.Kind == "" }

// Own reports whether somebody outside of the hall's engines decides there.
func (p Place) Own() bool { return p.Kind == bus.PersonSeat || p.Kind == bus.RemoteSeat }

// Code is an invitation that opens the room to whoever knows it: the room holds its
// SHA-256 in hexadecimal.
type Code struct {
	Hash    string    `json:"hash"`
	Expires time.Time `json:"expires,omitzero"`
}

// Current is the game of a room that is not over.
type Current struct {
	ID    string `json:"id"`
	Index int    `json:"index"`
	// First is the place that has the first seat.
	First int `json:"first"`
	// Begun tells that a worker plays it.
	Begun bool `json:"begun,omitempty"`
	// Resumed tells that it was broken off before.
	Resumed bool `json:"resumed,omitempty"`
	// Rated is as it was when the game was handed out.
	Rated bool `json:"rated,omitempty"`
	// Aside tells that it waits for its player, who was called to another game.
	Aside bool `json:"aside,omitempty"`
}

// Past is a game that is over.
type Past struct {
	ID     string      `json:"id"`
	First  int         `json:"first"`
	Result game.Result `json:"result"`
	// Why is known of a game without a verdict, of one that somebody decided, and of one whose engine did not
	// start.
	Why game.Why `json:"why,omitzero"`
}

// Paused is who has paused a series, and since when.
type Paused struct {
	By    string    `json:"by"`
	Since time.Time `json:"since"`
}

// State is a room. Its JSON form is what a store keeps; what an account may see of it
// is a Shown.
type State struct {
	Host     int64    `json:"host"`
	HostName string   `json:"hostName"`
	Settings Settings `json:"settings"`
	Phase    Phase    `json:"phase"`
	People   []Person `json:"people,omitempty"`
	Places   [2]Place `json:"places"`
	Invited  []int64  `json:"invited,omitempty"`
	Banned   []int64  `json:"banned,omitempty"`
	Codes    []Code   `json:"codes,omitempty"`

	Game *Current `json:"game,omitempty"`
	Last *Past    `json:"last,omitempty"`
	// Games counts the games of the room, whatever became of them; it is the number
	// of the next one.
	Games int `json:"games,omitempty"`
	// Series counts the series of games with the same places, from 1.
	Series int `json:"series,omitempty"`
	// Began is the place that had the first seat in the first game of the series.
	Began int `json:"began,omitempty"`
	// Played counts the games of the series that have a verdict; of these the places
	// won Wins and drew Draws. Score are their match points.
	Played int        `json:"played,omitempty"`
	Wins   [2]int     `json:"wins"`
	Draws  int        `json:"draws,omitempty"`
	Score  [2]float64 `json:"score"`
	// Ends tells that the series ends with the game that is played.
	Ends bool `json:"ends,omitempty"`
	// Paused is who has paused the series, nil for nobody. What the seats of a game agree on among themselves
	// is that game's alone.
	Paused *Paused `json:"paused,omitempty"`
	// Gone is who gave up the seat that another one waits for now.
	Gone string `json:"gone,omitempty"`
	// Due is when a tick has something to do; zero if nothing waits for the time.
	Due time.Time `json:"due,omitzero"`
}

// Parse reads a state as JSON.
func Parse(data []byte) (State, error) {
	var s State
	if err := json.Unmarshal(data, &s); err != nil {
		return State{}, fmt.Errorf("the state of the room cannot be read: %w", err)
	}
	return s, nil
}

// JSON writes the state.
func (s State) JSON() []byte {
	data, err := json.Marshal(s)
	if err != nil { // values of these types always have a form
		return []byte("null")
	}
	return data
}

// clone copies what commands change in place.
func (s State) clone() State {
	s.People = slices.Clone(s.People)
	s.Invited, s.Banned, s.Codes = slices.Clone(s.Invited), slices.Clone(s.Banned), slices.Clone(s.Codes)
	if s.Game != nil {
		g := *s.Game
		s.Game = &g
	}
	if s.Last != nil {
		l := *s.Last
		s.Last = &l
	}
	return s
}

// person returns the number of an account among the people, -1 if it is not there.
func (s *State) person(id int64) int {
	return slices.IndexFunc(s.People, func(p Person) bool { return p.ID == id })
}

// Inside reports whether an account is in the room.
func (s *State) Inside(id int64) bool { return s.person(id) >= 0 }

// Loading is how long somebody may be away who is expected to be back at once, as while a page loads.
const Loading = 5 * time.Second

// Waits reports whether whoever joins plays soon: the room begins by itself, and on one place sits
// somebody who is here, left or opened it a moment ago, or reads other pages of the hall (Elsewhere).
func (s *State) Waits(now time.Time) bool {
	p := s.seeker()
	if p == nil {
		return false
	}
	_, since, missing := s.Missing(now)
	return !missing || now.Sub(since) <= Loading
}

// seeker is who sits alone in a room that begins by itself, nil for nobody.
func (s *State) seeker() *Place {
	if !s.Settings.Auto || s.Phase != Waiting || s.Places[0].Empty() == s.Places[1].Empty() {
		return nil
	}
	p := &s.Places[0]
	if p.Empty() {
		p = &s.Places[1]
	}
	if !p.Own() {
		return nil
	}
	return p
}

// Wanted reports whether the room waits for somebody else and its game is the one that an account
// wants to play: the same clock and length, and the seat that is wanted.
func (s *State) Wanted(set *Settings, by Actor) bool {
	x, p := &s.Settings, s.seeker()
	begins := set.Begins
	if opposite := map[Begins]Begins{HostBegins: OtherBegins, OtherBegins: HostBegins}; s.Places[1].Empty() {
		begins = opposite[set.Begins] // the first place would be his in a room of his own
	}
	return p != nil && s.MayEnter(by) && p.User != by.ID && p.Kind == bus.PersonSeat &&
		x.Game == set.Game && x.Position == set.Position && len(x.Opening)+len(set.Opening) == 0 && x.Rated == set.Rated &&
		x.Games == set.Games && x.Pairs == set.Pairs && x.Clocks == set.Clocks && (set.Begins == RandomBegins || begins == x.Begins)
}

// PlaceOf returns the place that an account has, as a person before as the owner of an
// engine, and -1 if it has none.
func (s *State) PlaceOf(id int64) int {
	for _, kind := range []bus.SeatKind{bus.PersonSeat, bus.RemoteSeat} {
		for i, p := range s.Places {
			if id != 0 && p.User == id && p.Kind == kind {
				return i
			}
		}
	}
	return -1
}

// Seat returns the seat that a place has in the game.
func (c *Current) Seat(place int) game.Seat {
	if place == c.First {
		return game.First
	}
	return game.Second
}

// MayStop reports whether an account may end what is played without a verdict: the host a
// game that nobody plays yet or any more, or that engines of the hall play among
// themselves, and the pause between two games; an arbiter any.
func (s *State) MayStop(a Actor) bool {
	switch {
	case s.Game == nil && s.Phase != Between, !a.Arbiter && (a.ID == 0 || a.ID != s.Host):
		return false
	case s.Game == nil:
		return true
	}
	return !s.Game.Begun || a.Arbiter || !s.Places[0].Own() && !s.Places[1].Own()
}

// engines reports whether no person has a place.
func (s *State) engines() bool {
	return s.Places[0].Kind != bus.PersonSeat && s.Places[1].Kind != bus.PersonSeat
}

// MayPause reports whether an account may pause what is played and let it go on: the host a series of
// engines, an arbiter who does not play any.
func (s *State) MayPause(a Actor) bool {
	return (s.Game != nil || s.Phase == Between) && a.ID != 0 &&
		(a.ID == s.Host && s.engines() || a.Arbiter && s.PlaceOf(a.ID) < 0)
}

// MayRule reports whether an account may say how the game that is played ends. Nobody rules his own.
func (s *State) MayRule(a Actor) bool {
	return s.Game != nil && s.Game.Begun && s.MayPause(a) && s.PlaceOf(a.ID) < 0
}

// MayEnd reports whether an account may have a series end with the game that is played: the host one of
// engines, whose owners need not be there.
func (s *State) MayEnd(a Actor) bool {
	return s.Game != nil && a.ID != 0 && a.ID == s.Host && !s.Ends && s.Played+1 < s.Settings.Games && s.engines()
}

// MayEnter reports whether an account may come in and look: listed rooms are open to
// everyone, others to those inside, invited, or with a code, and to who has a place and went
// out; arbiters may go anywhere.
func (s *State) MayEnter(a Actor) bool {
	switch {
	case a.Arbiter, s.Host == a.ID && a.ID != 0:
		return true
	case slices.Contains(s.Banned, a.ID) && a.ID != 0:
		return false
	case s.Settings.Access == Listed:
		return true
	default:
		has := s.Places[0].User == a.ID || s.Places[1].User == a.ID
		return a.ID != 0 && (has || s.Inside(a.ID) || slices.Contains(s.Invited, a.ID))
	}
}
