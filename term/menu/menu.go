// Package menu is the numbered menu of the dark chess client, for every game: two programs,
// or a person and a program, on one machine, or one of them in a room of a hall. What is chosen is kept at once.
package menu

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"kibitz/clock"
	"kibitz/internal/plain"
	"kibitz/rules"
	"kibitz/term"
)

// Menu is a menu at a terminal.
type Menu struct {
	// Games can be played, in the order in which they are shown; the first game is First.
	Games   []Game
	First   string
	Version string
	// Path is the file in which the settings are kept.
	Path     string
	In       *term.Lines
	Out, Err io.Writer
	// Leave ends the menu when it is closed.
	Leave <-chan struct{}
	// Play plays what was chosen.
	Play func(Match) error
	// About is what the program of a player says of itself, empty if nothing.
	About func(p Player, game string) string
	// Visit plays in a room of a hall, Rooms are the rooms of a game there with a free place.
	Visit func(Visit) error
	Rooms func(v Visit, game string) ([]Room, error)

	kept settings
	// password and code are those of the account and the room; they are not kept.
	password, code string
}

// Game is what the menu knows of a game.
type Game struct {
	rules.Game
	// Labels are what the menu calls options that have a name of their own there.
	Labels map[string]string
	// Protocols are the names of those that can be chosen.
	Protocols []string
	// Timer is the timer mode where nothing was chosen yet; empty for none.
	Timer string
}

// Match is what is to be played.
type Match struct {
	Game    string // with options
	Players [2]Player
	Clock   clock.Control
	// Games in a row; Change exchanges the seats after each, Pause is the time between two.
	Games  int
	Change bool
	// FirstBegins tells that Players are in the order of the menu: in a room the host begins.
	FirstBegins bool
	Pause       time.Duration
	// MidBoard is a file with the position to begin with, empty for none.
	MidBoard string
}

// Visit is a room of a hall in which the first player of Match plays.
type Visit struct {
	Server string
	// Account is empty for a guest.
	Account, Password string
	// Room is the one to enter, with Code if it has a password; empty opens one as Match says, with
	// a password if it is to be Private.
	Room, Code string
	Private    bool
	Match      Match
}

// Room is a room of a hall.
type Room struct{ ID, Text string }

// Player takes a seat. He is a person, a built-in engine of a level, or else the program at
// Path, which speaks Protocol.
type Player struct {
	Name     string // empty: what the player is called by itself
	Human    bool
	Level    string
	Protocol string
	Path     string
}

// settings are what is kept between runs.
type settings struct {
	Game  string            `toml:"game"`
	Games map[string]*table `toml:"games"`
	Hall  hall              `toml:"hall"`
}

// hall are the settings with which rooms are opened and entered; without Remote all play here.
type hall struct {
	Remote  bool   `toml:"remote,omitempty"`
	Enter   bool   `toml:"enter,omitempty"`
	Account string `toml:"account,omitempty"`
	Server  string `toml:"server,omitempty"`
	Room    string `toml:"room,omitempty"`
	Private bool   `toml:"private,omitempty"`
}

// table are the settings of one game.
type table struct {
	Options     map[string]string `toml:"options,omitempty"`
	Players     [2]seat           `toml:"players"`
	MidBoard    string            `toml:"midboard,omitempty"`
	Repeat      int               `toml:"repeat"`
	FirstBegins bool              `toml:"first_begins"`
	Change      bool              `toml:"change"`
	Timer       string            `toml:"timer"`
	Main        int               `toml:"main"`
	OnePly      int               `toml:"one_ply"`
	Share       int               `toml:"share"`
	Delay       int               `toml:"delay"`
}

type seat struct {
	Name string `toml:"name,omitempty"`
	// Mode is modeHuman, "level N" or the name of a protocol.
	Mode string `toml:"mode"`
	Path string `toml:"path,omitempty"`
}

// modeHuman is the mode of a person at this terminal.
const modeHuman = "human"

// levelMode is how the mode of a built-in engine begins; its level follows.
const levelMode = "level "

// The timer modes. A preset names main time, one-ply time and ply share.
const (
	timerNone   = "None"
	timerCustom = "Custom"
)

var timerPresets = []string{"Absolute (900/0/0)", "Absolute (1800/0/0)", "Byo-yomi (600/30/1)", "Byo-yomi (900/60/5)"}

// Run shows the menu until its user leaves. It begins with a game, or where that is empty
// with the one of the last time.
func (m *Menu) Run(game string) error {
	if err := m.load(); err != nil {
		return err
	}
	if game != "" {
		r, err := m.open(game)
		if err != nil {
			return err
		}
		m.kept.Game = r.Spec().ID()
	}
	if err := m.main(); !errors.Is(err, errLeft) {
		return err
	}
	return nil
}

// open returns the rules of a game with options.
func (m *Menu) open(spec string) (rules.Rules, error) {
	list := make([]rules.Game, len(m.Games))
	for i, g := range m.Games {
		list[i] = g.Game
	}
	return rules.Open(list, spec)
}

func (m *Menu) game() Game {
	return m.Games[slices.IndexFunc(m.Games, func(g Game) bool { return g.ID == m.kept.Game })]
}

// errLeft ends the menu.
var errLeft = errors.New("left")

func (m *Menu) load() error {
	m.kept = settings{Game: m.First, Games: map[string]*table{}}
	data, err := os.ReadFile(m.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	var kept, named settings
	err = toml.Unmarshal(data, &named)
	if err == nil { // over what is usual: a file that names one setting leaves the others
		kept.Games = map[string]*table{}
		for id := range named.Games {
			kept.Games[id] = m.usual(id)
		}
		err = toml.Unmarshal(data, &kept)
	}
	if err != nil {
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, column := at.Position()
			return fmt.Errorf("settings: %s:%d:%d: %w; put it right or remove the file", m.Path, line, column, err)
		}
		return fmt.Errorf("settings: %s: %w; put it right or remove the file", m.Path, err)
	}
	if _, err := m.open(kept.Game); err == nil {
		m.kept.Game = kept.Game
	}
	m.kept.Hall, m.kept.Games = kept.Hall, kept.Games
	return nil
}

// save keeps the settings; a file that cannot be written is told of and no more.
func (m *Menu) save() {
	b, err := toml.Marshal(m.kept)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(m.Path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(m.Path+".new", b, 0o600)
	}
	if err == nil {
		err = os.Rename(m.Path+".new", m.Path)
	}
	if err != nil {
		fmt.Fprintf(m.Err, "kibitz: the settings are not kept: %v\n", err)
	}
}

// table returns the settings of the chosen game, with what is usual where nothing
// was chosen yet.
func (m *Menu) table() *table {
	if t := m.kept.Games[m.kept.Game]; t != nil {
		t.complete()
		return t
	}
	t := m.usual(m.kept.Game)
	t.complete()
	m.kept.Games[m.kept.Game] = t
	return t
}

// usual are the settings of a game of which nothing was chosen yet.
func (m *Menu) usual(id string) *table {
	t := &table{Repeat: 2, FirstBegins: true, Change: true, Main: 900, Share: 1}
	if i := slices.IndexFunc(m.Games, func(g Game) bool { return g.ID == id }); i >= 0 {
		t.Timer = m.Games[i].Timer
	}
	t.Players = [2]seat{{Mode: modeHuman}, {Mode: levelMode + "3"}}
	return t
}

// complete puts right what a file left out or that no menu would have written.
func (t *table) complete() {
	if t.Options == nil {
		t.Options = map[string]string{}
	}
	t.Repeat, t.Share = max(1, t.Repeat), max(1, t.Share)
	t.Main, t.OnePly, t.Delay = max(0, t.Main), max(0, t.OnePly), max(0, t.Delay)
	t.Timer = cmp.Or(t.Timer, timerNone)
	for i := range t.Players {
		t.Players[i].Mode = cmp.Or(t.Players[i].Mode, modeHuman)
	}
}

// spec returns the game with the options that were chosen.
func (m *Menu) spec(t *table) string {
	var items []string
	for _, o := range m.game().Options {
		if v := t.Options[o.Key]; v != "" {
			items = append(items, o.Key+"="+v)
		}
	}
	if len(items) == 0 {
		return m.kept.Game
	}
	return m.kept.Game + ":" + strings.Join(items, ",")
}

func (t *table) player(i int) Player {
	s := t.Players[i]
	p := Player{Name: s.Name}
	switch level, built := strings.CutPrefix(s.Mode, levelMode); {
	case s.Mode == modeHuman:
		p.Human = true
		if p.Name == "" {
			p.Name = fmt.Sprintf("Player %d", i+1)
		}
	case built:
		p.Level = level
	default:
		p.Protocol, p.Path = s.Mode, s.Path
	}
	return p
}

// times returns main time, one-ply time and ply share of the timer mode.
func (t *table) times() (main, onePly, share int, timed bool) {
	switch t.Timer {
	case timerNone:
		return 0, 0, 0, false
	case timerCustom:
		return t.Main, t.OnePly, t.Share, t.Main > 0 || t.OnePly > 0
	}
	_, rest, _ := strings.Cut(t.Timer, "(")
	if n, err := fmt.Sscanf(rest, "%d/%d/%d)", &main, &onePly, &share); err != nil || n != 3 {
		return 0, 0, 0, false
	}
	return main, onePly, share, true
}

// clock returns the time control: the manual's one-ply time and ply share are one period
// of byo-yomi that is given anew.
func (t *table) clock() clock.Control {
	main, onePly, share, timed := t.times()
	if !timed {
		return clock.Control{}
	}
	c := clock.Control{Main: time.Duration(main) * time.Second}
	if onePly > 0 {
		c.Periods, c.Period, c.PeriodMoves = 1, time.Duration(onePly)*time.Second, max(1, share)
	}
	return c
}

func (m *Menu) match() Match {
	t := m.table()
	out := Match{
		Game: m.spec(t), Players: [2]Player{t.player(0), t.player(1)}, Clock: t.clock(), Games: t.Repeat, Change: t.Change,
		FirstBegins: t.FirstBegins, Pause: time.Duration(t.Delay) * time.Second, MidBoard: t.MidBoard,
	}
	if !t.FirstBegins {
		slices.Reverse(out.Players[:])
	}
	return out
}

// start plays the games that the settings describe.
func (m *Menu) start() error {
	var err error
	switch h := m.kept.Hall; {
	case !h.Remote:
		err = m.Play(m.match())
	case h.Enter && h.Room == "":
		if err = m.changeRoom(); err != nil || m.kept.Hall.Room == "" {
			break
		}
		fallthrough
	default:
		err = m.Visit(m.visit())
	}
	if errors.Is(err, errLeft) {
		return err
	}
	if err != nil {
		fmt.Fprintf(m.Err, "kibitz: %s\n", plain.OneLine(err))
	}
	return nil
}

// visit is the room that the settings describe.
func (m *Menu) visit() Visit {
	h := m.kept.Hall
	v := Visit{Server: h.server(), Account: h.Account, Password: m.password, Match: m.match()}
	v.Match.Players[0] = m.table().player(0)
	if h.Enter {
		v.Room, v.Code = h.Room, m.code
	} else {
		v.Private = h.Private
	}
	return v
}

func (h *hall) server() string {
	switch {
	case h.Server == "":
		return "http://localhost:8080"
	case !strings.Contains(h.Server, "://"):
		return "http://" + h.Server
	}
	return h.Server
}
