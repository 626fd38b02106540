package pages

import (
	"net/url"
	"reflect"
	"testing"

	"kibitz/game/look"
	"kibitz/hall/web/words"
)

// A time control is understood as people write it, and as programs do.
func TestReadClock(t *testing.T) {
	for text, want := range map[string]string{
		"5+3": "300+3", "5 + 3": "300+3", "5|3": "300+3", "5": "300", "5 min": "300", "5 minutes": "300", "10m": "600", "7 minut": "420", "5分": "300",
		"0+5": "0+5", "1.5": "90", "1,5 + 2": "90+2", "90+30": "5400+30", "179": "10740", "180": "180", "300+3": "300+3", "10 s": "st=10", "10s a move": "st=10",
		"1+0.5": "60+0.5", "60+0,1": "3600+0.1", "5+10.0": "300+10", "0+0.5": "0+0.5",
		"1:30": "90", "0:45 + 2": "45+2", "1:75": "",
		"inf": "inf", "0": "inf", "no clock": "inf", " 3+2 ": "180+2",
		"": "", "abc": "", "5+": "", "+3": "", "5+3+2": "", "-5": "", "0 s": "", "0+0": "", "999999": "", "5 hours": "", "5+3; x": "",
	} {
		if got, ok := ReadClock(text); got != want || ok != (want != "") {
			t.Errorf("%q is read as %q (%t), want %q", text, got, ok, want)
		}
	}
}

// A field has a time control as people write it where it is read as the same one again.
func TestTypedClock(t *testing.T) {
	set, err := words.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range set.Languages() {
		for clock, want := range map[string]string{"300+3": "5+3", "60+0.5": "1+0.5", "420": "7+0", "40/600": "40/600", "90": "1:30", "45+2": "0:45+2", "5+0.5": "0:05+0.5", "": ""} {
			if got := TypedClock(set.Choose(l.ID, ""), clock); got != want || FormClock(got) != clock {
				t.Errorf("%s: %q is typed as %q, read as %q", l.ID, clock, got, FormClock(got))
			}
		}
	}
}

// What somebody has played comes back from a cookie as it was, the last first, and what a
// cookie holds beside that is left out.
func TestWishes(t *testing.T) {
	size := []look.Choice{{Key: "size", Default: "15", Values: []string{"15", "19"}}}
	find := func(id string) (look.Game, bool) {
		return look.Game{ID: id, Offer: look.Offer{Choices: size}}, id == "gomoku" || id == "othello"
	}
	form := url.Values{
		"sheet": {"1"}, "with": {"friend"}, "level": {"9"}, "colour": {"random"}, "clock": {"300+3"}, "option.size": {"19"}, "draw": {"on"}, "games": {"3"},
		"pause": {"0"}, "learned": {"1"}, "engine": {"Edax / 4?&"},
	}
	w := WishOf(form, Usual("gomoku"), size)
	if w.With != WithFriend || w.Level != 9 || w.Clock != "300+3" || w.Options["size"] != "19" || w.Undo || !w.Draw || w.Games != 3 || w.Pause != 0 || !w.Learned {
		t.Errorf("%+v", w)
	}
	list := Wishes{}.With(Usual("othello")).With(w).With(Usual("othello"))
	if again := ParseWishes(list.String(), find); !reflect.DeepEqual(again, list) || len(list) != 2 || list[0].Game != "othello" {
		t.Errorf("%q comes back as %+v, want %+v", list.String(), again, list)
	}
	if now := list.AtOnce("gomoku"); now.With != WithEngine || now.Clock != "inf" || now.Level != 9 || now.Options["size"] != "19" {
		t.Errorf("one press after a game with a friend: %+v", now)
	}
	w.With, w.Clock = WithEngine, "60+1"
	if now := list.With(w).AtOnce("gomoku"); now.With != WithEngine || now.Clock != "60+1" {
		t.Errorf("one press after a game with an engine: %+v", now)
	}
	bad := WishOf(url.Values{"with": {"x"}, "level": {"10"}, "colour": {"green"}, "option.size": {"17"}, "games": {"21"}, "option.rule": {"y"}}, Usual("gomoku"), size)
	if !reflect.DeepEqual(bad, Usual("gomoku")) {
		t.Errorf("what is not known changes something: %+v", bad)
	}
	if got := ParseWishes("chess?level=3/%zz/gomoku?level=4", find); len(got) != 1 || got[0].Level != 4 {
		t.Errorf("%+v", got)
	}
}

// The lesson is offered in the first game of a kind to a player who has not come from it; some games
// later nobody is a beginner any more.
func TestBeginner(t *testing.T) {
	first := Room{Game: "g", Learn: true, Places: [2]Place{{Seat: 0}, {Seat: 1}}}
	for _, x := range []struct {
		name             string
		change           func(*Room)
		lesson, beginner bool
	}{
		{"first game", func(*Room) {}, true, true},
		{"from the lesson", func(r *Room) { r.Learn = false }, false, true},
		{"second game", func(r *Room) { r.Done = 1 }, false, true},
		{"sixth game", func(r *Room) { r.Done = Novice }, false, false},
		{"looks on", func(r *Room) { r.Place = -1 }, false, false},
		{"no game", func(r *Room) { r.Game = "" }, false, false},
	} {
		r := first
		if x.change(&r); r.Lesson() != x.lesson || r.Beginner() != x.beginner {
			t.Errorf("%s: lesson %t, beginner %t", x.name, r.Lesson(), r.Beginner())
		}
	}
}

// The press that plays says what it does, in each language.
func TestSays(t *testing.T) {
	g := look.Game{ID: "othello", Offer: look.Offer{Colours: [2]string{"black", "white"}}}
	w := Usual("othello")
	w.Level, w.Colour, w.Clock = 4, "second", "300+3"
	for id, want := range map[string]string{"en": "Play Fox as White, 5+3", "zh-Hant": "與狐狸對弈，執白，5+3", "es": "Jugar contra Zorro con blancas, 5+3"} {
		if got := w.Says(open(t).Words().Choose(id, ""), &g); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	c := open(t).Words().Choose("en", "")
	if got := Called(c, "Level 3") + ", " + Short(c, "Level 9") + ", " + Called(c, "Level 10"); got != "Hedgehog (level 3), Dragon, Level 10" {
		t.Error(got)
	}
	// Until people's results tell the rating of level 1 a question mark says so.
	for anchor, want := range map[float64]string{0: "about 1250 ?", 973.4: "about 1450"} {
		got := About(c, look.Level{Nodes: 60, Blunder: 0.45, Elo: 474, Measured: true}, anchor)
		if got != "looks at 60 positions a turn, and 45% of its moves are slips ("+want+")" {
			t.Error(got)
		}
	}
}
