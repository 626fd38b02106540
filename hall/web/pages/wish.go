package pages

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"kibitz/game/look"
	"kibitz/hall/web/words"
)

// Whom somebody wants to play with.
const (
	WithEngine = "engine"
	WithFriend = "friend"
	Anybody    = "anybody"
	// WithEngines is for two engines from elsewhere; who opens the room looks on.
	WithEngines = "engines"
)

// OwnClock is the choice of a clock that is none of Clocks.
const OwnClock = "own"

// Wish is how somebody wants to play a game, as a form of options has it.
type Wish struct {
	Game string
	// With is WithEngine, WithFriend, Anybody or WithEngines; Level is that of the built-in engine, Engine
	// another one of the hall, empty for none.
	With   string
	Level  int
	Engine string
	// Colour is "first", "second" or "random", Clock a time control.
	Colour, Clock string
	// Options are those of the game that are not as usual.
	Options map[string]string
	// Saved is a position to begin from.
	Saved                            string
	Undo, Draw, Listed, Lines, Rated bool
	// Pairs has two games of a series from one shuffle.
	Pairs bool
	// Learned tells that the game was begun from its lesson, now or before.
	Learned bool
	// Games is how many a series has, Pause the seconds between them.
	Games, Pause int
}

// Clocks are the time controls that are offered.
func Clocks() []string {
	return []string{"inf", "60+1", "180+2", "300+3", "600+5", "1800+20"}
}

// UsualClock is the time control where nothing else is said.
func UsualClock(with string) string {
	return map[string]string{WithFriend: "600+5", Anybody: "300+3", WithEngines: "300+3"}[with]
}

// Usual is how a game is played by whoever has not chosen anything.
func Usual(game string) Wish {
	return Wish{Game: game, With: WithEngine, Level: 2, Colour: "first", Clock: "inf", Undo: true, Draw: true, Games: 1, Pause: 5}
}

// WishOf reads a form of options over what stands. What is not known is left as it is.
func WishOf(v url.Values, w Wish, of []look.Choice) Wish {
	one := func(to *string, key string, from ...string) {
		if slices.Contains(from, v.Get(key)) {
			*to = v.Get(key)
		}
	}
	one(&w.With, "with", WithEngine, WithFriend, Anybody, WithEngines)
	one(&w.Colour, "colour", "first", "second", "random")
	if n, err := strconv.Atoi(v.Get("level")); err == nil && n >= 1 && n <= 9 {
		w.Level = n
	}
	if v.Has("engine") {
		w.Engine = v.Get("engine")
	}
	if c := v.Get("clock"); c != "" {
		w.Clock = c
	}
	for _, o := range of {
		value := v.Get("option." + o.Key)
		if value == "" || len(value) > 20 || len(o.Values) > 0 && !slices.Contains(o.Values, value) {
			continue
		}
		if w.Options == nil {
			w.Options = map[string]string{}
		}
		w.Options[o.Key] = value
		if value == o.Default {
			delete(w.Options, o.Key)
		}
	}
	if v.Has("sheet") { // a box that is not ticked is not sent
		w.Undo, w.Draw, w.Listed, w.Lines, w.Rated = v.Has("undo"), v.Has("draw"), v.Has("listed"), v.Has("lines"), v.Has("rated")
		w.Pairs = v.Has("pairs")
	}
	w.Learned = w.Learned || v.Has("learned")
	number := func(to *int, key string, least, most int) {
		if n, err := strconv.Atoi(v.Get(key)); err == nil && n >= least && n <= most {
			*to = n
		}
	}
	number(&w.Games, "games", 1, 20)
	number(&w.Pause, "pause", 0, 60)
	w.Saved = v.Get("saved")
	return w
}

// Values are what of a wish is not as usual, as WishOf reads it.
func (w *Wish) Values() url.Values {
	v, usual := url.Values{}, Usual(w.Game)
	for key, x := range map[string][2]string{
		"with": {w.With, usual.With}, "colour": {w.Colour, usual.Colour}, "clock": {w.Clock, usual.Clock}, "engine": {w.Engine, ""},
		"level": {strconv.Itoa(w.Level), strconv.Itoa(usual.Level)}, "games": {strconv.Itoa(w.Games), "1"}, "pause": {strconv.Itoa(w.Pause), "5"},
	} {
		if x[0] != x[1] {
			v.Set(key, x[0])
		}
	}
	for key, value := range w.Options {
		v.Set("option."+key, value)
	}
	if w.Learned {
		v.Set("learned", "1")
	}
	boxes := map[string]bool{"undo": w.Undo, "draw": w.Draw, "listed": w.Listed, "lines": w.Lines, "rated": w.Rated, "pairs": w.Pairs}
	if !w.Undo || !w.Draw || w.Listed || w.Lines || w.Rated || w.Pairs {
		v.Set("sheet", "1")
		for key, on := range boxes {
			if on {
				v.Set(key, "1")
			}
		}
	}
	return v
}

// Option is what a wish has for an option of the game.
func (w *Wish) Option(o look.Choice) string {
	if x := w.Options[o.Key]; x != "" {
		return x
	}
	return o.Default
}

// mostWishes bounds what a browser keeps.
const mostWishes = 12

// Wishes are what somebody has played, the last first, at most one of each game.
type Wishes []Wish

// ParseWishes reads what String wrote; games are those that there are.
func ParseWishes(text string, find func(id string) (look.Game, bool)) Wishes {
	var out Wishes
	for part := range strings.SplitSeq(text, "/") {
		id, query, _ := strings.Cut(part, "?")
		g, ok := find(id)
		v, err := url.ParseQuery(query)
		if !ok || err != nil || len(out) == mostWishes {
			continue
		}
		out = append(out, WishOf(v, Usual(id), g.Choices))
	}
	return out
}

// String writes them for a cookie.
func (l Wishes) String() string {
	var list []string
	for i := range l {
		list = append(list, l[i].Game+"?"+strings.ReplaceAll(l[i].Values().Encode(), "/", "%2F"))
	}
	return strings.Join(list, "/")
}

// Of is how a game was played last, or is usually played.
func (l Wishes) Of(game string) Wish {
	for _, w := range l {
		if w.Game == game {
			return w
		}
	}
	return Usual(game)
}

// AtOnce is how a game is played by one press: as it was last, and with an engine where it was with
// somebody who would first have to be found.
func (l Wishes) AtOnce(game string) Wish {
	w := l.Of(game)
	if usual := Usual(game); w.With != WithEngine {
		w.With, w.Clock = usual.With, usual.Clock
	}
	return w
}

// With puts what is played now in front.
func (l Wishes) With(w Wish) Wishes {
	w.Saved = "" // a position is chosen once
	out := Wishes{w}
	for _, x := range l {
		if x.Game != w.Game && len(out) < mostWishes {
			out = append(out, x)
		}
	}
	return out
}

// Says is what the press that plays does, in one line: "Play Fox as White, 5+3".
func (w *Wish) Says(c *words.Catalogue, g *look.Game) string {
	put := []any{"as", c.Text("as." + w.As(g)), "clock", ShortClock(c, w.Clock)}
	switch {
	case w.With == WithFriend:
		return c.Text("play.do.friend", put...)
	case w.With == Anybody:
		return c.Text("play.do.anybody", put...)
	case w.With == WithEngines:
		return c.Text("play.do.engines")
	case w.Engine != "":
		return c.Text("play.do.engine", append(put, "name", w.Engine)...)
	}
	return c.Text("play.do.engine", append(put, "name", Character(c, w.Level))...)
}

// As is the word for the seat: the colour where the game's seats have one.
func (w *Wish) As(g *look.Game) string {
	seat := map[string]int{"first": 0, "second": 1}
	if n, ok := seat[w.Colour]; ok && g.Colours[n] != "" {
		return g.Colours[n]
	}
	return w.Colour
}

// ShortClock says a time control as people write it: minutes and seconds a move.
func ShortClock(c *words.Catalogue, text string) string {
	main, add, _ := strings.Cut(text, "+")
	if seconds, err := strconv.Atoi(main); err == nil && seconds%60 == 0 {
		add = cmp.Or(add, "0")
		return strconv.Itoa(seconds/60) + "+" + add
	}
	if each, ok := strings.CutPrefix(text, "st="); ok {
		return c.Text("clock.each", "s", each)
	}
	return ClockName(c, text)
}

// Character is who plays at a level of the built-in engine.
func Character(c *words.Catalogue, level int) string {
	return c.Text("character." + strconv.Itoa(level))
}

// Short is how bars and titles call a seat: levels of the built-in engine, which records name
// by their number, by who plays there, everybody else by his name.
func Short(c *words.Catalogue, name string) string {
	if n := look.NamedLevel(name); n > 0 {
		return Character(c, n)
	}
	return name
}

// Called is how lists call a seat: as Short does, with the level.
func Called(c *words.Catalogue, name string) string {
	if n := look.NamedLevel(name); n > 0 {
		return c.Text("character.called", "name", Character(c, n), "n", n)
	}
	return name
}

// usualAnchor is the rating of level 1 until results against people say another one.
const usualAnchor = 800

// Elo is about what rating a level has, in steps of 50; anchor is that of level 1, 0 where results against
// people do not tell it.
func Elo(l look.Level, anchor float64) int {
	return int(math.Round((cmp.Or(anchor, usualAnchor)+float64(l.Elo))/50)) * 50
}

// About is what a level of the built-in engine does, and how strong it is, in a line; anchor is as for Elo.
func About(c *words.Catalogue, l look.Level, anchor float64) string {
	text := c.Text("character.clock")
	if l.Nodes > 0 {
		text = c.Text("character.looks", "n", int(l.Nodes))
	}
	if l.Blunder > 0 {
		text += c.Text("character.slips", "p", c.Percent(l.Blunder))
	}
	if l.Measured {
		key := "character.elo"
		if anchor != 0 {
			key = "character.measured"
		}
		text += c.Text(key, "elo", strconv.Itoa(Elo(l, anchor)))
	}
	return text
}
