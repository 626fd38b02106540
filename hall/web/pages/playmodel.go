package pages

import (
	"cmp"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"kibitz/game/look"
	"kibitz/hall/web/words"
)

// Sheet are the options of a game before it is played.
type Sheet struct {
	Game look.Game
	Wish Wish
	// Engines are those of the hall that play the game beside the built-in one.
	Engines []string
	// Tips say what options are for, by their keys.
	Tips map[string]string
	// Saved are positions of the reader that the game may begin from.
	Saved []Saved
	// To is who is asked by name, empty for nobody.
	To string
	// Anchor is the rating of level 1, 0 where it is not known.
	Anchor float64
}

// Group is a choice of a sheet.
type Group struct {
	// Name is that of the field, Kind "chips", "faces", "clock" or "number".
	Name, Kind, Legend string
	// Tip says what the choice is about, empty where the legend does.
	Tip   string
	Chips []Chip
	// Now is what is chosen.
	Now string
}

// Chip is one of the values of a Group.
type Chip struct {
	Value, Label string
	// Say is how the press that plays calls it, About a line on it.
	Say, About string
}

// About is the line on what is chosen.
func (g Group) About() string {
	for _, c := range g.Chips {
		if c.Value == g.Now {
			return c.About
		}
	}
	return ""
}

// Groups are the choices, those first that most people make; rest are those that stand under
// "more".
func (s *Sheet) Groups(c *words.Catalogue) (list, rest []Group) {
	w, g := &s.Wish, &s.Game
	add := func(name, legend, now string, chips ...Chip) *Group {
		list = append(list, Group{Name: name, Kind: "chips", Legend: c.Text(legend), Chips: chips, Now: now})
		return &list[len(list)-1]
	}
	if s.To == "" {
		s.opponents(c, add)
	}
	seats := add("colour", "play.colour", w.Colour)
	if g.Colours[0] == "" {
		seats.Legend = c.Text("play.begins")
	}
	for _, x := range []string{"first", "second", "random"} {
		as := (&Wish{Colour: x}).As(g)
		seats.Chips = append(seats.Chips, Chip{Value: x, Label: c.Text("seat." + as), Say: c.Text("as." + as)})
	}
	clock := add("clock", "fact.clock", OwnClock)
	clock.Kind = "clock"
	for _, x := range Clocks() {
		if x == w.Clock {
			clock.Now = x
		}
		clock.Chips = append(clock.Chips, Chip{Value: x, Label: ShortClock(c, x), Say: ShortClock(c, x)})
	}
	clock.Chips = append(clock.Chips, Chip{Value: OwnClock, Label: c.Text("play.own"), Say: ShortClock(c, w.Clock)})
	for _, o := range g.Choices {
		x := Group{Name: "option." + o.Key, Kind: "chips", Legend: c.Text("choice." + o.Key), Tip: s.Tips[o.Key], Now: w.Option(o)}
		if len(o.Values) == 0 {
			x.Kind = "number"
		}
		for _, v := range o.Values {
			x.Chips = append(x.Chips, Chip{Value: v, Label: choiceName(c, o.Key, v)})
		}
		if o.Rest {
			rest = append(rest, x)
		} else {
			list = append(list, x)
		}
	}
	return list, rest
}

// opponents are the choices of whom to play with.
func (s *Sheet) opponents(c *words.Catalogue, add func(name, legend, now string, chips ...Chip) *Group) {
	w, g := &s.Wish, &s.Game
	with := add("with", "play.with", w.With)
	for _, x := range []string{WithEngine, WithFriend, Anybody, WithEngines} {
		with.Chips = append(with.Chips, Chip{Value: x, Label: c.Text("play." + x)})
	}
	levels := add("level", "play.level", strconv.Itoa(w.Level))
	levels.Kind, levels.Tip = "faces", c.Text("tip.elo")
	for i, l := range g.Levels {
		name := Character(c, i+1)
		about := name + c.Text("nav.colon") + About(c, l, s.Anchor)
		levels.Chips = append(levels.Chips, Chip{Value: strconv.Itoa(i + 1), Label: name, Say: name, About: about})
	}
}

// Says is what the press at the foot does.
func (s *Sheet) Says(c *words.Catalogue) string {
	if s.To == "" {
		return s.Wish.Says(c, &s.Game)
	}
	return c.Text("play.do.to", "name", s.To, "as", c.Text("as."+s.Wish.As(&s.Game)), "clock", ShortClock(c, s.Wish.Clock))
}

// choiceName is what a value of an option is called.
func choiceName(c *words.Catalogue, key, value string) string {
	switch {
	case key == "size":
		return value + "×" + value
	case c.Has("choice." + value):
		return c.Text("choice." + value)
	case c.Has("option." + value):
		return c.Text("option." + value)
	}
	return value
}

// optionsOf are the options of a specification: "size=19,rule=renju"; one without a value is that of
// the choice which has it.
func optionsOf(g look.Game, spec string) map[string]string {
	out := map[string]string{}
	_, rest, _ := strings.Cut(spec, ":")
	for o := range strings.SplitSeq(rest, ",") {
		key, value, named := strings.Cut(o, "=")
		if !named {
			for _, x := range g.Choices {
				if slices.Contains(x.Values, o) {
					key, value = x.Key, o
				}
			}
		}
		if key != "" {
			out[key] = value
		}
	}
	return out
}

// Options are the options of a game that people choose, as a specification has them, with their
// names.
func Options(c *words.Catalogue, g look.Game, spec string) (out [][2]string) {
	now := optionsOf(g, spec)
	for _, o := range g.Choices {
		value := cmp.Or(now[o.Key], o.Default)
		out = append(out, [2]string{c.Text("choice." + o.Key), choiceName(c, o.Key, value)})
	}
	return out
}

// roomChoices are the options of a game as fields of a form; what is chosen is among the values.
func roomChoices(c *words.Catalogue, g look.Game, spec string) (out []Group) {
	now := optionsOf(g, spec)
	for _, o := range g.Choices {
		x := Group{Name: "option." + o.Key, Legend: c.Text("choice." + o.Key), Now: now[o.Key]}
		x.Now = cmp.Or(x.Now, o.Default)
		values := o.Values
		if len(values) > 0 && !slices.Contains(values, x.Now) {
			values = append([]string{x.Now}, values...)
		}
		for _, v := range values {
			x.Chips = append(x.Chips, Chip{Value: v, Label: choiceName(c, o.Key, v)})
		}
		out = append(out, x)
	}
	return out
}

// Chosen is a specification with the options that a form has.
func Chosen(g look.Game, spec string, form url.Values) string {
	now := optionsOf(g, spec)
	for _, o := range g.Choices {
		if v := form.Get("option." + o.Key); v != "" && v != o.Default {
			now[o.Key] = v
		} else if v != "" {
			delete(now, o.Key)
		}
	}
	var list []string
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if now[key] == "" {
			list = append(list, key)
		} else {
			list = append(list, key+"="+now[key])
		}
	}
	if len(list) == 0 {
		return g.ID
	}
	return g.ID + ":" + strings.Join(list, ",")
}

// Understood is what a time control that somebody types is read as, empty for nothing typed.
func Understood(c *words.Catalogue, text string) Clocked {
	clock, ok := ReadClock(text)
	switch {
	case strings.TrimSpace(text) == "":
		return Clocked{}
	case !ok:
		return Clocked{Text: c.Text("play.ownhelp")}
	}
	return Clocked{Text: clockInWords(c, clock), Say: ShortClock(c, clock)}
}

// Clocked is a time control in words, and as the press that plays says it.
type Clocked struct{ Text, Say string }

func clockInWords(c *words.Catalogue, clock string) string {
	if each, ok := strings.CutPrefix(clock, "st="); ok {
		return c.Text("clock.each", "s", each)
	}
	return ClockName(c, clock)
}

// Front is the first page.
type Front struct {
	// Live tells that the hall has rooms.
	Live bool
	// Now is what the press on "Play now" does.
	Now   Tile
	Tiles []Tile
	// People and Playing are how many people play how many games that everybody may see.
	People, Playing int
	// Best is a game to look at: one that runs, else one that is over.
	Best *GameLine
	// Puzzle is that of the day, nil where nothing is taught.
	Puzzle *Puzzle
	// Asking are the reader's open invitations.
	Asking []Challenge
	// Waiting are rooms in which somebody else waits for whoever comes.
	Waiting []RoomLine
	// Tournaments are those that run or take entries.
	Tournaments []TournamentLine
}

// Puzzle is a step of a lesson that is won: what is to be done in the reader's language, and its board
// as an address.
type Puzzle struct {
	Game, Key, Do string
	Picture       template.URL
}

// Tile is a game to play, and how the reader plays it.
type Tile struct {
	Game look.Game
	Wish Wish
}

// Line says how it is played: "Othello against Rabbit, no clock".
func (t Tile) Line(c *words.Catalogue) string {
	w := &t.Wish
	name := c.Text("play." + w.With)
	if w.With == WithEngine {
		if name = w.Engine; name == "" {
			name = Character(c, w.Level)
		}
	}
	return c.Text("play.line", "game", GameName(c, w.Game), "name", name, "clock", ShortClock(c, w.Clock))
}

// Own is a running game of the reader.
type Own struct {
	// Page is where it is played, Spec what, Name the opponent.
	Page, Spec, Name string
	// Turn is "yours", "theirs", "paused", or empty where that is not known.
	Turn string
	// Aside tells that it is put aside when the opponent comes whom the reader looks for.
	Aside bool
}
