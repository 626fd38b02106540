package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"kibitz/games"
	"kibitz/player"
	"kibitz/rules"
)

type menuCmd struct {
	Game     string `help:"Game to begin with; default: the one of the last time, else darkchess." placeholder:"G"`
	Settings string `help:"File in which the settings are kept between runs; default: menu.toml in the folder of the user's settings." placeholder:"FILE"`
}

// Help returns the example that --help shows.
func (menuCmd) Help() string {
	return "Example: kibitz menu\nThe numbered menu of the dark chess client, for every game: two programs, or a person and a program, on this machine."
}

// menu is the running menu. What is chosen is kept at once.
type menu struct {
	a    *app
	path string
	kept menuFile
}

// menuFile is what is kept between runs.
type menuFile struct {
	Game  string                `toml:"game"`
	Games map[string]*menuTable `toml:"games"`
}

// menuTable are the settings of one game.
type menuTable struct {
	Options     map[string]string `toml:"options,omitempty"`
	Players     [2]menuPlayer     `toml:"players"`
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

// menuPlayer says who takes a seat.
type menuPlayer struct {
	Name string `toml:"name,omitempty"`
	// Mode is modeHuman, "level N" or the name of a protocol.
	Mode string `toml:"mode"`
	Path string `toml:"path,omitempty"`
}

// modeHuman is the mode of a person at this terminal.
const modeHuman = "human"

// The timer modes. A preset names main time, one-ply time and ply share.
const (
	timerNone   = "None"
	timerCustom = "Custom"
)

var timerPresets = []string{"Absolute (900/0/0)", "Absolute (1800/0/0)", "Byo-yomi (600/30/1)", "Byo-yomi (900/60/5)"}

// Run shows the menu until its user leaves.
func (c menuCmd) Run(a *app) error {
	m := &menu{a: a, path: c.Settings}
	if m.path == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return fmt.Errorf("%w; name a file with --settings", err)
		}
		m.path = filepath.Join(dir, "kibitz", "menu.toml")
	}
	if err := m.load(); err != nil {
		return err
	}
	if c.Game != "" {
		r, err := games.Open(c.Game)
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

// errLeft ends the menu.
var errLeft = errors.New("left")

func (m *menu) load() error {
	m.kept = menuFile{Game: "darkchess", Games: map[string]*menuTable{}}
	data, err := os.ReadFile(m.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	var kept menuFile
	if err := toml.Unmarshal(data, &kept); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return fmt.Errorf("settings: %s:%d:%d: %w; put it right or remove the file", m.path, line, column, err)
		}
		return fmt.Errorf("settings: %s: %w; put it right or remove the file", m.path, err)
	}
	if _, err := games.Open(kept.Game); err == nil {
		m.kept.Game = kept.Game
	}
	if kept.Games != nil {
		m.kept.Games = kept.Games
	}
	return nil
}

// save keeps the settings; a file that cannot be written is told of and no more.
func (m *menu) save() {
	b, err := toml.Marshal(m.kept)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(m.path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(m.path+".new", b, 0o600)
	}
	if err == nil {
		err = os.Rename(m.path+".new", m.path)
	}
	if err != nil {
		fmt.Fprintf(m.a.stderr, "kibitz: the settings are not kept: %v\n", err)
	}
}

// table returns the settings of the chosen game, with what is usual where nothing
// was chosen yet.
func (m *menu) table() *menuTable {
	if t := m.kept.Games[m.kept.Game]; t != nil {
		t.complete()
		return t
	}
	t := &menuTable{Repeat: 2, FirstBegins: true, Change: true, Timer: timerNone, Main: 900, Share: 1}
	t.Players = [2]menuPlayer{{Mode: modeHuman}, {Mode: "level 3"}}
	if m.kept.Game == "darkchess" {
		t.Timer = timerPresets[0]
	}
	t.complete()
	m.kept.Games[m.kept.Game] = t
	return t
}

// complete puts right what a file left out or that no menu would have written.
func (t *menuTable) complete() {
	if t.Options == nil {
		t.Options = map[string]string{}
	}
	t.Repeat, t.Share = max(1, t.Repeat), max(1, t.Share)
	t.Main, t.OnePly, t.Delay = max(0, t.Main), max(0, t.OnePly), max(0, t.Delay)
	if t.Timer == "" {
		t.Timer = timerNone
	}
	for i := range t.Players {
		if t.Players[i].Mode == "" {
			t.Players[i].Mode = modeHuman
		}
	}
}

// spec returns the game with the options that were chosen.
func (m *menu) spec(t *menuTable) string {
	var items []string
	for _, o := range m.options() {
		if v := t.Options[o.Key]; v != "" {
			items = append(items, o.Key+"="+v)
		}
	}
	if len(items) == 0 {
		return m.kept.Game
	}
	return m.kept.Game + ":" + strings.Join(items, ",")
}

// options are those of the chosen game.
func (m *menu) options() []rules.Option {
	i := slices.IndexFunc(games.All(), func(g rules.Game) bool { return g.ID == m.kept.Game })
	return games.All()[i].Options
}

// engine returns the words that describe a player to a match.
func (t *menuTable) engine(i int) string {
	p := t.Players[i]
	var words []string
	switch level, built := strings.CutPrefix(p.Mode, "level "); {
	case p.Mode == modeHuman:
		words = append(words, "human=1")
	case built:
		words = append(words, "bot="+level)
	default:
		words = append(words, "cmd="+quoteWord(quoteWord(p.Path)), "proto="+p.Mode)
	}
	if name := t.name(i); name != "" {
		words = append(words, "name="+quoteWord(name))
	}
	if text := t.clock(); text != "" {
		words = append(words, text)
	}
	return strings.Join(words, " ")
}

// name is what a player is called: by its name, or by what it is.
func (t *menuTable) name(i int) string {
	p := t.Players[i]
	switch {
	case p.Name != "":
		return p.Name
	case p.Mode == modeHuman:
		return [2]string{"Player 1", "Player 2"}[i]
	}
	return ""
}

// times returns main time, one-ply time and ply share of the timer mode.
func (t *menuTable) times() (main, onePly, share int, timed bool) {
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

// clock returns the time control as words: the manual's one-ply time and ply share
// are one period of byo-yomi that is given anew.
func (t *menuTable) clock() string {
	main, onePly, share, timed := t.times()
	if !timed {
		return ""
	}
	var words []string
	if main > 0 {
		words = append(words, "tc="+strconv.Itoa(main))
	}
	if onePly > 0 {
		words = append(words, fmt.Sprintf("byo=1x%d/%d", onePly, max(1, share)))
	}
	return strings.Join(words, " ")
}

// quoteWord quotes a word as a shell would.
func quoteWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'" }

// start plays the games that the settings describe.
func (m *menu) start() {
	t := m.table()
	c := matchCmd{
		Game: m.spec(t), Games: t.Repeat, Format: "roundrobin", Concurrency: 1, FixedSeats: !t.Change, Casual: true,
		Points: "1/0.5/0", Illegal: "lose", RatingInterval: 10, Wait: t.Delay * 1000, StartLimit: player.StartLimit.Seconds(), Stall: 600, Board: t.Players[0].Mode != modeHuman && t.Players[1].Mode != modeHuman,
		Engine: []string{t.engine(0), t.engine(1)},
	}
	if !t.FirstBegins {
		slices.Reverse(c.Engine)
	}
	if t.MidBoard != "" {
		c.Openings = "file=" + quoteWord(t.MidBoard)
	}
	if err := c.play(m.a); err != nil {
		fmt.Fprintf(m.a.stderr, "kibitz: %s\n", oneLine(err))
	}
}
