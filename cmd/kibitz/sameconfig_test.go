package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"kibitz/hall/server"
	"kibitz/run"
)

// configOfFlags, configOfFile and configOfForm are three readers of settings.
func configOfFlags(args []string) (*run.Config, error) {
	var c matchCmd
	k, err := kong.New(&c, kong.Name("kibitz match"))
	if err != nil {
		return nil, err
	}
	if _, err := k.Parse(args); err != nil {
		return nil, likelier(err)
	}
	return &c.Config, c.Config.Check()
}

func configOfFile(text string) (*run.Config, error) {
	f, err := run.ParseFile("run.toml", []byte(text))
	if err != nil {
		return nil, err
	}
	s, err := f.Settings()
	if err != nil {
		return nil, err
	}
	return &s.Config, f.Place(s.Config.Check())
}

func configOfForm(f server.TournamentForm) (*run.Config, error) {
	c, err := formConfig(&f)
	if err != nil {
		return nil, err
	}
	return c, c.Check()
}

// The same settings are the same value, whoever reads them, and a wrong one is the same
// error in the form of its reader.
func TestSameConfig(t *testing.T) {
	flags, err := configOfFlags(strings.Split("--game=othello|--engine=bot=1 name=A|--engine=bot=2|--each=tc=60+0.5|--games=4|--repeat|--format=double|--points=3/1/0|"+
		"--draw=move=40 count=8 score=10|--resign=count=3 score=900|--illegal=retry:2|--openings=suite order=random|--sprt=elo0=0 elo1=5|--tiebreaks=sb,wins|--seed=7|--max-moves=99|--stall=30|--adjudicate=exact", "|"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := configOfFile("game = 'othello'\ngames = 4\nrepeat = true\nformat = 'double'\npoints = '3/1/0'\ndraw = { move = 40, count = 8, score = 10 }\nresign = 'count=3 score=900'\n" +
		"illegal = 'retry:2'\nopenings = { suite = 'balanced', order = 'random' }\nsprt = { elo0 = 0, elo1 = 5 }\ntiebreaks = 'sb,wins'\nseed = 7\nmax-moves = 99\nstall = 30\nadjudicate = 'exact'\n" +
		"[each]\ntc = '60+0.5'\n[[engine]]\nbot = 1\nname = 'A'\n[[engine]]\nbot = 2\n")
	if err != nil {
		t.Fatal(err)
	}
	form, err := configOfForm(formOf(flags))
	if err != nil {
		t.Fatal(err)
	}
	for who, c := range map[string]*run.Config{"a file": file, "a form": form} {
		if !reflect.DeepEqual(c, flags) {
			t.Errorf("%s is read as\n%+v\nand flags as\n%+v", who, c, flags)
		}
	}
}

func TestSameFault(t *testing.T) {
	for _, k := range []struct {
		key, value, want string
		form             server.TournamentForm
	}{
		{"points", "3/1", " 3/1: write W/D/L, for example 3/1/0", server.TournamentForm{Points: "3/1"}},
		{"draw", "move=x", `: "move=x" is not key=number; write "move=N count=N score=N"`, server.TournamentForm{Draw: "move=x"}},
		{"illegal", "never", " never: write lose, usual or retry:N", server.TournamentForm{Illegal: "never"}},
		{"format", "league", " league: unknown; write one of roundrobin double gauntlet swiss knockout pyramid ladder", server.TournamentForm{Format: "league"}},
		{"openings", "order=up", ": order=up: must be random or sequential", server.TournamentForm{Openings: "order=up"}},
	} {
		_, err := configOfFlags([]string{"--game=othello", "--engine=bot=1", "--engine=bot=2", "--" + k.key + "=" + k.value})
		if err == nil || err.Error() != "--"+k.key+k.want {
			t.Errorf("flags: %v, want %s", err, "--"+k.key+k.want)
		}
		_, err = configOfFile("game = 'othello'\n" + k.key + " = '" + k.value + "'\nengine = ['bot=1', 'bot=2']\n")
		if want := "run.toml:2:1: " + k.key + k.want; err == nil || err.Error() != want {
			t.Errorf("a file: %v, want %s", err, want)
		}
		k.form.Game, k.form.Engines = "othello", []string{"bot=1", "bot=2"}
		_, err = configOfForm(k.form)
		if list := run.Faults(err); len(list) != 1 || list[0].Path != "/"+k.key {
			t.Errorf("a form: %v at %v", err, list)
		}
	}
}
