package forms

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kibitz/hall/bus"
	"kibitz/hall/contest"
	"kibitz/hall/director"
	"kibitz/hall/problem"
)

// fromFile makes a tournament of a file as a hall does; the error is where the file has it.
func fromFile(text string, openings *director.OpeningsFile) (set contest.Config, entries []contest.Entry, list []contest.Opening, err error) {
	m := Maker{}
	f, place, err := m.ReadFile("cup.toml", []byte(text))
	if err != nil {
		return set, nil, nil, err
	}
	if set, list, err = m.Make(context.Background(), &f, openings); err != nil {
		return set, nil, nil, place("", err)
	}
	for i, words := range f.Engines {
		x, err := m.Entry(&set, f.Each, words)
		if err != nil {
			return set, nil, nil, place(fmt.Sprintf("#/engines/%d", i), err)
		}
		entries = append(entries, x)
	}
	return set, entries, list, nil
}

// A pair may meet often in a tournament that few enter; how many enter is not known when
// it is made.
func TestHallFileManyGames(t *testing.T) {
	for games, want := range map[string]string{"150": "", "10000000": "", "10000001": "a tournament of 2 engines"} {
		if _, _, _, err := fromFile("game = 'nogo'\ngames = "+games+"\n[[engine]]\nbot = 1\n", nil); want == "" && err != nil || want != "" && !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("games = %s: %v", games, err)
		}
	}
}

// The file of a run becomes a tournament of a hall.
func TestHallFile(t *testing.T) {
	set, entries, list, err := fromFile(`kibitz = 'any version'
game = 'gomoku:rule=renju'
format = 'swiss'
rounds = 5
games = 4
repeat = true
concurrency = 3
points = '3/1/0'
tiebreaks = 'buchholz,wins'
sprt = 'elo0=0 elo1=5'
illegal = 'retry:2'
max-moves = 100
openings = { suite = '', order = 'random' }
[each]
tc = '60+0.5'
[[engine]]
bot = 3
[[engine]]
bot = 5
depth = 2
name = 'Bob'
st = 1
[[engine]]
cmd = './pbrain-pela'
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if set.Game.ID() != "gomoku" || set.Format != "swiss" || set.Rounds != 5 || set.Games != 4 || !set.Repeat || set.Limit != 3 || set.Points.Win != 3 || len(set.TieBreaks) != 2 ||
		set.SPRT == nil || set.SPRT.Elo1 != 5 || set.Rules.Retries != 2 || set.Rules.MaxMoves != 100 || set.Clock != "60+0.5" || !set.Rated || len(list) < 20 || len(list[0].Moves) == 0 {
		t.Errorf("%+v, %d openings", set, len(list))
	}
	want := []contest.Entry{
		{Name: "Level 3", Kind: bus.BotSeat, Engine: "bot=3"},
		{Name: "Bob", Kind: bus.BotSeat, Engine: "bot=5 depth=2", Clock: "st=1"},
		{Name: "pela", Kind: bus.EngineSeat, Engine: "pela"},
	}
	for i := range want {
		if entries[i] != want[i] {
			t.Errorf("entry %+v, want %+v", entries[i], want[i])
		}
	}
}

// What a hall cannot do is refused where it stands.
func TestHallFileRefused(t *testing.T) {
	const two = "\n[[engine]]\nbot = 1\n[[engine]]\nbot = 2\n"
	file := &director.OpeningsFile{Name: "o.txt", Data: []byte("f5d6c3\nf5f5\n")}
	for _, c := range []struct {
		text, want string
		openings   *director.OpeningsFile
	}{
		{"game = 'othello'\nout = 'dir'" + two, "cup.toml:2:1: out: means nothing in a hall", nil},
		{"game = 'othello'\n  affinity = 'auto'" + two, "cup.toml:2:3: affinity: ", nil},
		{"game = 'othello'\nsecret = '00'" + two, "cup.toml:2:1: secret: ", nil},
		{"game = 'chess'" + two, "cup.toml:1:1: game: ", nil},
		{"game = 'othello'\npoints = '1'" + two, "cup.toml:2:1: points 1: ", nil},
		{"game = 'othello'\nformat = 'league'" + two, "cup.toml:2:1: format league: ", nil},
		{"game = 'othello'\nadjudicate = 'exact nodes=5'" + two, "cup.toml:2:1: adjudicate ", nil},
		{"game = 'othello'\nconcurrency = 1000000" + two, "cup.toml:2:1: concurrency 1000000: ", nil},
		{"game = 'othello'\nopenings = 'random=5'" + two, "cup.toml:2:1: openings: a hall makes none", nil},
		{"game = 'othello'\nopenings = 'file=/etc/passwd'" + two, "cup.toml:2:1: openings: a hall opens no files", nil},
		{"game = 'othello'\nopenings = 'file=o.txt'" + two, "openings: o.txt:2", file},
		{"game = 'othello'" + two, "openings: a file of openings was sent", file},
		{"game = 'darkchess'\nrepeat = true" + two, "cup.toml:2:1: repeat: ", nil},
		{"game = 'othello'\n[each]\nmemory = '1G'" + two, `cup.toml:3:1: engine "memory=1G": "memory" means nothing in a hall`, nil},
		{"game = 'othello'\n[[engine]]\nbot = 1\n[[engine]]\ncmd = './e'\nenv.LD_PRELOAD = 'x'\n", `cup.toml:`, nil},
		{"game = 'othello'\n[[engine]]\nbot = 1\n[[engine]]\nbot = 12\n", "cup.toml:5:1: ", nil},
		{"game = 'othello'\n[[engine]]\nbot = 1\n[[engine]]\nhuman = 1\n", `cup.toml:5:1: engine "human=1": "human" means nothing`, nil},
		{"game = 'othello'\n[[engine]]\nbot = 1\n[[engine]]\nname = 'x'\n", "cup.toml:4:3: ", nil},
		{"game = ", "cup.toml:1:", nil},
	} {
		_, _, _, err := fromFile(c.text, c.openings)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%v, want %q", c.text, err, c.want)
		}
	}
}

// FuzzHallFile reads files that people send: none breaks the hall down, and none makes
// it open a file or start a program.
func FuzzHallFile(f *testing.F) {
	f.Add("game='othello'\nopenings='suite'\n[each]\ntc='1+1'\n[[engine]]\nbot=1\n[[engine]]\ncmd='./x'")
	f.Add("game='darkchess'\nsprt='elo0=0 elo1=1'\npreset='tcga'\n[[engine]]\nbot='random'")
	f.Fuzz(func(t *testing.T, text string) {
		set, entries, _, err := fromFile(text, nil)
		if err != nil {
			return
		}
		if set.Game == "" || set.Limit < 1 || set.Games < 1 {
			t.Errorf("%+v", set)
		}
		for _, x := range entries {
			if x.Kind != bus.BotSeat && x.Kind != bus.EngineSeat || x.Engine == "" || x.Name == "" {
				t.Errorf("%+v", x)
			}
		}
	})
}

// A hall names the value of its form that is meant, whatever the setting of a run is called.
func TestFormPointers(t *testing.T) {
	for _, k := range []struct {
		form    director.TournamentForm
		pointer string
	}{
		{director.TournamentForm{Game: "chess"}, "#/game"},
		{director.TournamentForm{Game: "othello", MaxMoves: -1}, "#/maxMoves"},
		{director.TournamentForm{Game: "othello", Each: "tc=x"}, "#/each"},
		{director.TournamentForm{Game: "othello", Each: "memory=1G"}, "#/each"},
		{director.TournamentForm{Game: "othello", Engines: []string{"bot=1", "bot"}}, "#/engines/1"},
		{director.TournamentForm{Game: "othello", Format: "gauntlet", Seeds: -1}, "#/seeds"},
		{director.TournamentForm{Game: "othello", Concurrency: 100_000}, "#/concurrency"},
		{director.TournamentForm{Game: "othello", Repeat: true, FixedSeats: true}, "#/repeat"},
		{director.TournamentForm{Game: "othello", Openings: "file=a.sgf"}, "#/openings"},
		{director.TournamentForm{Game: "othello", Adjudicate: "exact nodes=5"}, "#/adjudicate"},
	} {
		_, _, err := Maker{}.Make(t.Context(), &k.form, nil)
		var form *problem.FormError
		if !errors.As(err, &form) || len(form.Faults) != 1 || form.Faults[0].Pointer != k.pointer || strings.Contains(form.Error(), "--") {
			t.Errorf("%+v: %v, want a fault at %s without flags", k.form, err, k.pointer)
		}
	}
}
