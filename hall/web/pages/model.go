package pages

import (
	"slices"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/hall/web/words"
)

// Page is all that a page is made of.
type Page struct {
	// Name is that of the page's template, Title stands in the window, Nav is the part
	// of the hall that it belongs to.
	Name, Title, Nav string
	Words            *words.Catalogue
	Languages        []words.Language
	Look             Look
	// Me is who reads, nil if nobody is known.
	Me *Me
	// Here is the address of the page, to come back to; Address that of the hall.
	Here, Address string
	// Learn are the games that have pages with their rules.
	Learn map[string]bool
	// Secret tells that the address is for whoever was given it.
	Secret bool
	// Guests tells that the hall takes them, Registration how it takes new accounts.
	Guests       bool
	Registration string
	// Fault is what was wrong with what was sent: a word of the group "problem";
	// Detail is what the hall says about it, in the reader's words unless English is set.
	Fault, Detail string
	English       bool
	// Refusal says in the reader's words why an act was refused, in place of both.
	Refusal string
	// When is when it may be sent again, in the reader's words.
	When string
	// Faults are what was wrong with fields of the form that was sent.
	Faults []FieldFault
	// Own are the games that the reader plays, the one that waits for him first.
	Own []Own
	// Seeking are the rooms in which the reader waits for whoever comes; where he plays a game that is not put
	// aside for that, the first page alone has them.
	Seeking []RoomLine
	// Asks are challenges that ask the reader by name.
	Asks []Challenge
	// Picture is the address of one that messengers show with the page's, if there is one.
	Picture string
	// Inline are the styles that come within the page, in place of files: who opens it for the
	// first time sees it one way to the hall and back sooner. Files for the next pages are fetched then.
	Inline []string
	// Tips say what words in the line below a board mean, by the codes of its notes.
	Tips map[string]string
	Data any
}

// Busy reports whether the reader plays a game that is not put aside for another one.
func (p *Page) Busy() bool {
	return slices.ContainsFunc(p.Own, func(o Own) bool { return !o.Aside })
}

// Seek is where the reader waits for an opponent, first where one has come and waits for him; nil if he plays
// a game that is not put aside for that.
func (p *Page) Seek() *RoomLine {
	if p.Busy() || len(p.Seeking) == 0 {
		return nil
	}
	return &p.Seeking[max(0, slices.IndexFunc(p.Seeking, func(l RoomLine) bool { return !l.Free }))]
}

// About is what search engines and messengers are told of the page.
func (p *Page) About() string { return p.Words.Text("front.about") }

// FieldFault is what was wrong with a field of a form, in the reader's words or in English.
type FieldFault struct {
	Field, Text string
	English     bool
}

// Is reports whether the fault is about a field: both may be in the plural.
func (f FieldFault) Is(field string) bool {
	return f.Field != "" && strings.EqualFold(strings.TrimSuffix(f.Field, "s"), strings.TrimSuffix(field, "s"))
}

// Me is who reads.
type Me struct {
	ID               int64
	Name, Kind, Role string
	Guest            bool
	MustChange       bool
	// May are the names of permissions.
	May map[string]bool
}

// Levels are those of the built-in engines.
func Levels() []int { return []int{1, 2, 3, 4, 5, 6, 7, 8, 9} }

// Speeds are the classes of time controls.
func Speeds() []string { return []string{"bullet", "blitz", "rapid", "classical", "untimed"} }

// GameLine is a game in a list.
type GameLine struct {
	ID, Spec, State string
	Names, Links    [2]string
	// Page is where it is looked at when it is over; below Files are its picture and its moves.
	Page, Files string
	// Short are the names on bars.
	Short [2]string
	// Won tells which seat won.
	Won              [2]bool
	Draw, Over       bool
	Points           [2]float64
	Board            *[2]float64
	Reason, Detail   string
	Plies            int
	Opening          string
	Rated            bool
	Room, Tournament string
	Begun            time.Time
	Ruled            bool
	Note             string
	// Worker played it, Hashes are those of the programs in the seats.
	Worker string
	Hashes [2]string
	// Hints is how many hints a person was given.
	Hints [2]int
}

// Engines are the engines of a hall, and the latest games of the reader's own.
type Engines struct {
	List []Engine
	Own  []OwnGame
}

// OwnGame is a game in which an engine of the reader sat in a seat.
type OwnGame struct {
	Game GameLine
	Seat int
}

// Watch is what is played and was played last.
type Watch struct {
	Playing, Recent []GameLine
	// Live tells that the hall has rooms.
	Live bool
}

// Rooms are those with a free place, and the form of a new one.
type Rooms struct {
	// Mine are the reader's open challenges.
	Mine []Challenge
	// Waiting are rooms in which somebody waits for whoever comes, Rooms others with a free place.
	Waiting, Rooms []RoomLine
	// Kind is the game that the reader played last, or the first one.
	Kind string
	// Saved are the positions that the reader keeps, Chosen is the one to begin from.
	Saved  []Saved
	Chosen string
}

// RoomLine is a room in a list.
type RoomLine struct {
	ID, Name, Spec, Host, Phase, Access string
	Players, Clocks                     [2]string
	People                              int
	Rated, Free                         bool
	// Waits tells that whoever joins plays at once, or where the reader has a place and none is free that
	// the game waits for him alone; Auto that games begin by themselves.
	Waits, Auto bool
	// Seconds is for how long there has been the room, Other who has come to where the reader waits.
	Seconds int
	Other   string
}

// Waited is that time as clocks have it.
func (l RoomLine) Waited() string { return clock.Minutes(time.Duration(l.Seconds) * time.Second) }

// Games is the game base.
type Games struct {
	Search Search
	Games  []GameLine
	// Next is the address of the next page.
	Next string
	// Sought is what was searched for, in words, where nothing was found; Wider is the address of a
	// search that finds something without one condition, which is Without.
	Sought, Wider, Without string
}

// Search is what is searched for, as it was written.
type Search struct {
	Game, Player, Opponent, Outcome, Reason, Opening, From, To, Position string
	// Moves lead to a position that games went through.
	Moves       string
	Rated, Mine bool
}

// Any reports whether there is a condition at all.
func (s Search) Any() bool { return s != Search{} }

// Viewer is the page of a game.
type Viewer struct {
	Game GameLine
	// Ply is after how many decisions the board is shown, Plies how many there are.
	Ply, Plies int
	Turns      []Turn
	Formats    []Format
	Clocks     [2]string
	// Seconds are what the seats took.
	Seconds [2]float64
	// Pixels tells that pictures can be had as PNG and GIF.
	Pixels bool
	// Consoles are those of its engines that the reader may see.
	Consoles []ConsoleLink
	// Proof is the seat whose engine ended the game by a fault that its console shows, -1 for none.
	Proof int
	// Mine is the seat in which the reader played himself, -1 without one.
	Mine int
	// Reviewed tells that there is a review of it.
	Reviewed bool
	Asks
}

// Asks is what an analysis can be asked of beside the built-in engines.
type Asks struct{ Engines []string }

// Times are how many seconds an analysis of a position may be given.
func (Asks) Times() []int { return []int{1, 2, 5, 10, 30, 60} }

// Depths and Nodes are how many plies, and how many positions, it may be bounded to.
func (Asks) Depths() []int { return []int{4, 8, 12, 16, 20} }

// Nodes is told with Depths.
func (Asks) Nodes() []int { return []int{10_000, 100_000, 1_000_000, 10_000_000} }

// Board is an analysis board, or without Spec the choice of a game for one.
type Board struct {
	// Spec is what is played, Position the text of the position that it begins from,
	// Moves are decisions from there with spaces between them.
	Spec, Position, Moves string
	// Formats are those in which an analysis can be written.
	Formats []Format
	Asks
}

// Kind is the game without options.
func (b Board) Kind() string { return kindOf(b.Spec) }

// Kind is the game without options.
func (v Viewer) Kind() string { return kindOf(v.Game.Spec) }

// Turn is the number of the turn that led to the board that is shown, 0 at the beginning.
func (v Viewer) Turn() (n int) {
	for _, t := range v.Turns {
		if t.Steps[0].Ply <= v.Ply {
			n = t.Number
		}
	}
	return n
}

// Back is the ply before, On the one after.
func (v Viewer) Back() int { return max(0, v.Ply-1) }

// On is the ply after.
func (v Viewer) On() int { return min(v.Plies, v.Ply+1) }

func kindOf(spec string) string {
	id, _, _ := strings.Cut(spec, ":")
	return id
}

// Turn is an entry of a list of moves: what a seat decided until the turn was over.
type Turn struct {
	// Number counts from 1.
	Number int
	// Seat is 0, 1, or -1 for chance.
	Seat int
	// Used is in seconds.
	Used float64
	// Opening tells that it was given, Forced that the rules left nothing else, as a pass in Othello.
	Opening, Forced bool
	// Gained is how many boxes it has closed, on a board of dots.
	Gained int
	Steps  []Step
}

// Step is a decision of a turn.
type Step struct {
	// Ply is how many decisions of the game there are up to it.
	Ply  int
	Name string
	// Pass tells that nothing was moved, Refused that it did not stand.
	Pass, Refused bool
}

// Joins tells that it follows the step before it without a space, as a shot of Amazons does.
func (s Step) Joins() bool { return strings.HasPrefix(s.Name, "/") }

// Format is a format that a record can be had in.
type Format struct {
	ID, Title string
	// Variations tells that a file has a place for them.
	Variations bool
}

// Rating is a rating in one game at one speed.
type Rating struct {
	// User tells that it is that of an account.
	User                       bool
	Rank                       int
	Name, Link, Game, Speed    string
	Value, Deviation           float64
	Games, Wins, Draws, Losses int
}

// Tally counts results by a key.
type Tally struct {
	Key                 string
	Wins, Draws, Losses int
}

// Sum is how many games there are.
func (t Tally) Sum() int { return t.Wins + t.Draws + t.Losses }

// Share is what part of the points was won.
func (t Tally) Share() float64 {
	if t.Sum() == 0 {
		return 0
	}
	return (float64(t.Wins) + float64(t.Draws)/2) / float64(t.Sum())
}

// Player is an account, or an engine of the hall.
type Player struct {
	Name, Kind, Role, Owner string
	// Search is the name in records, if that is another one.
	Search string
	// Level is that of a built-in engine, 0 for others.
	Level int
	// Live tells that the hall has rooms.
	Live bool
	// About is what an engine says of itself, empty if nobody has heard.
	About string
	// Ask is a game for which the reader may ask this person, empty if he may not.
	Ask              string
	Created          time.Time
	Games            []string
	Ratings          []Rating
	Curves           []Curve
	Opponents, Kinds []Tally
	Recent           []GameLine
}

// Players are the best of a game at a speed.
type Players struct {
	Game, Speed string
	Best        []Rating
}

// Engine is an engine that the hall offers.
type Engine struct {
	Name    string
	Games   []string
	Enabled bool
	// About is what it says of itself, empty if nobody has heard.
	About string
	// Spec and Hash are for admins.
	Spec, Hash string
}

// Plays reports whether it plays a game.
func (e Engine) Plays(game string) bool { return slices.Contains(e.Games, game) }

// Account is one's own account.
type Account struct {
	// Back is where the form of a name leads.
	Back    string
	Created time.Time
	Tokens  []Token
	// Saved are the positions that it keeps.
	Saved []Saved
}

// Bot is an account that a program plays under.
type Bot struct {
	ID       int64
	Name     string
	Disabled bool
	Created  time.Time
	Tokens   []Token
}

// Token is what a program shows.
type Token struct {
	ID                     int64
	Name                   string
	Created, Used, Expires time.Time
}

// Secret is something that is shown once.
type Secret struct {
	// What is a word of the group "secret".
	What string
	List []Shown
	// Back is where to go on.
	Back string
}

// Shown is a secret with a name.
type Shown struct{ Name, Text string }

// Admin is a page of those who run the hall.
type Admin struct {
	// Part is "users", "engines", "workers" or "audit".
	Part         string
	Users        []User
	Prefix       string
	Next         string
	Engines      []Engine
	Workers      []Worker
	WorkerTokens []WorkerToken
	// Reports are the lines of chat that were reported last.
	Reports []Audit
	// Refused are the latest results that did not count.
	Refused []Audit
	Audit   []Audit
}

// User is an account as admins see it.
type User struct {
	ID                    int64
	Name, Kind, Role      string
	Disabled              bool
	Created, Seen, Locked time.Time
}

// Worker plays games for the hall.
type Worker struct {
	ID, Name, Version string
	Slots, Running    int
	Since             time.Time
}

// WorkerToken lets a worker on another machine in.
type WorkerToken struct {
	Name    string
	Created time.Time
}

// Audit is something that was done.
type Audit struct {
	ID                            int64
	At                            time.Time
	Actor                         int64
	Action, Subject, Detail, From string
}

// Error is a page that is not there, or not for the reader.
type Error struct {
	Status  int
	Request string
	// Next says what stays and what to do, behind the title, which says what happened.
	Next string
	// Detail is what the hall says about this one, in English.
	Detail string
	// Room is one that an invitation's code may open.
	Room string
	// Away tells that the hall cannot go on just now, Renews after how many seconds the
	// page asks again by itself; empty for what was sent, which is not sent again.
	Away   bool
	Renews string
}
