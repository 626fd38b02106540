package main

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/shlex"

	"kibitz/hall/director"
	"kibitz/hall/forms"
	"kibitz/hall/problem"
	"kibitz/run"
	"kibitz/run/compat/cgomoku"
	"kibitz/run/compat/cutechess"
	"kibitz/run/compat/fastchess"
	"kibitz/run/compat/gogui"
	"kibitz/run/engines"
	"kibitz/run/ladder"
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

func configOfForm(f director.TournamentForm) (*run.Config, error) {
	c, err := forms.Config(&f)
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
	form, err := configOfForm(forms.Of(flags))
	if err != nil {
		t.Fatal(err)
	}
	for who, c := range map[string]*run.Config{"a file": file, "a form": form} {
		if !reflect.DeepEqual(c, flags) {
			t.Errorf("%s is read as\n%+v\nand flags as\n%+v", who, c, flags)
		}
	}
}

// configOfOther is what the options of another program ask for: its schedule is its own.
func configOfOther(t *testing.T, read func([]string, func(string)) (run.Settings, error), args string) (*run.Config, error) {
	t.Helper()
	words, err := shlex.Split(args)
	if err != nil {
		t.Fatal(err)
	}
	s, err := read(words, func(text string) { t.Errorf("%s: warned %s", args, text) })
	if err != nil {
		return nil, err
	}
	return &s.Config, s.Config.Check()
}

// settingsOf are those of a program of another's options, of two engines A and B.
func settingsOf(o interface {
	Settings(names []string) run.Settings
}, err error,
) (run.Settings, error) {
	if err != nil {
		return run.Settings{}, err
	}
	return o.Settings([]string{"A", "B"}), nil
}

func cutechessSettings(words []string, warn func(string)) (run.Settings, error) {
	return settingsOf(cutechess.Read(words, warn))
}

func cgomokuSettings(words []string, warn func(string)) (run.Settings, error) {
	return settingsOf(cgomoku.Read(words, warn))
}

func fastchessSettings(words []string, warn func(string)) (run.Settings, error) {
	return settingsOf(fastchess.Read(words, warn))
}

func goguiSettings(words []string, _ func(string)) (run.Settings, error) {
	return settingsOf(gogui.Read(words, os.ReadFile))
}

// configOfLadder is what a ladder plays for the lowest two levels of a game.
func configOfLadder(c *ladder.Options, id string) (*run.Config, error) {
	level := func(n string) engines.Words { return engines.Words{{Key: "bot", Value: n}} }
	s, err := c.Match(id, level("2"), level("1"))
	if err != nil {
		return nil, run.FaultAt("/each", err)
	}
	return &s.Config, s.Config.Check()
}

// Options of other programs and the ladder make what flags of the same settings make.
func TestSameConfigOfOthers(t *testing.T) {
	steps := &ladder.Options{Each: "nodes=100", Games: 4, Seed: 7, Concurrency: 2}
	for name, k := range map[string]struct {
		flags string
		read  func() (*run.Config, error)
	}{
		"cutechess-cli": {
			"--game=gomoku:rule=standard,size=15|--engine=cmd=a name=A tc=60+0.5 margin=0.1|--engine=cmd=b name=B tc=60+0.5 margin=0.1|--start-limit=60|--games=1|--concurrency=2|--wait=5|" +
				"--draw=move=80 count=8 score=10|--resign=count=3 score=900|--sprt=elo0=0 elo1=5 alpha=0.1 beta=0.2 model=cutechess|--openings=file=o.pgn plies=8",
			func() (*run.Config, error) {
				return configOfOther(t, cutechessSettings, "-variant gomoku -engine cmd=a -engine cmd=b -each tc=60+0.5 timemargin=100 -concurrency 2 -wait 5 "+
					"-draw movenumber=40 movecount=8 score=10 -resign movecount=3 score=900 -sprt elo0=0 elo1=5 alpha=0.1 beta=0.2 -openings file=o.pgn plies=8")
			},
		},
		"c-gomoku-cli": {
			"--game=gomoku:rule=renju,size=15|--engine=cmd=a name=A dir=. st=60 memory=367001600 enforce=0 margin=1|" +
				"--engine=cmd=b name=B dir=. st=60 memory=367001600 enforce=0 margin=1|--start-limit=10|--games=1|--concurrency=2|--draw=move=0 count=8 score=10|--resign=count=3 score=900",
			func() (*run.Config, error) {
				return configOfOther(t, cgomokuSettings, "-engine cmd=a -engine cmd=b -each tc=0/60+0.5 -rule 4 -boardsize 15 -concurrency 2 -draw 8 10 -resign 3 900")
			},
		},
		"fastchess": {
			"--game=gomoku:rule=standard,size=15|--engine=cmd=a name=A tc=60+0.5 margin=0.1|--engine=cmd=b name=B tc=60+0.5 margin=0.1|--start-limit=10|--games=2|--repeat|--concurrency=2|" +
				"--affinity=auto|--draw=move=80 count=8 score=10|--resign=count=3 score=900|--sprt=elo0=0 elo1=5 alpha=0.1 beta=0.2 model=normalized|--openings=file=o.pgn plies=8",
			func() (*run.Config, error) {
				return configOfOther(t, fastchessSettings, "-variant gomoku -engine cmd=a -engine cmd=b -each tc=60+0.5 timemargin=100 -concurrency 2 -use-affinity "+
					"-draw movenumber=40 movecount=8 score=10 -resign movecount=3 score=900 -sprt elo0=0 elo1=5 alpha=0.1 beta=0.2 -openings file=o.pgn plies=8")
			},
		},
		"gogui-twogtp": {
			"--game=nogo:size=5|--engine=cmd=a name=A proto=gtp dir=. tc=60 canadian=10/5|--engine=\"cmd=b -x\" name=B proto=gtp dir=. tc=60 canadian=10/5|--games=1|--concurrency=2",
			func() (*run.Config, error) {
				return configOfOther(t, goguiSettings, "-auto -game nogo:size=5 -black a -white 'b -x' -time 60s+10s/5 -threads 2")
			},
		},
		"a ladder": {
			"--game=nogo|--each=nodes=100|--engine=bot=2|--engine=bot=1|--games=4|--repeat|--seed=7|--concurrency=2|--openings=suite=balanced transform=true",
			func() (*run.Config, error) {
				c, err := configOfLadder(steps, "nogo")
				if err == nil {
					c.Openings.Shuffled = false // the ladder's own, which no flag asks for
				}
				return c, err
			},
		},
	} {
		want, err := configOfFlags(strings.Split(k.flags, "|"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := k.read()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as\n%+v\nand flags as\n%+v", name, got, want)
		}
	}
}

// The same wrong value is a fault of the same setting, with the same words, for options of
// other programs and for the ladder.
func TestSameFaultOfOthers(t *testing.T) {
	const two = " -engine cmd=a -engine cmd=b "
	for name, k := range map[string]struct {
		flags []string
		path  string
		read  func() (*run.Config, error)
	}{
		"cutechess-cli": {[]string{"--game=gomoku", "--sprt=elo0=5 elo1=5 model=cutechess"}, "/sprt", func() (*run.Config, error) {
			return configOfOther(t, cutechessSettings, "-variant gomoku"+two+"-each tc=1 -sprt elo0=5 elo1=5 alpha=0.05 beta=0.05")
		}},
		"c-gomoku-cli": {[]string{"--game=gomoku", "--concurrency=5000"}, "/concurrency", func() (*run.Config, error) {
			return configOfOther(t, cgomokuSettings, two+"-each tc=0/1 -rule 0 -boardsize 15 -concurrency 5000")
		}},
		"fastchess": {[]string{"--game=gomoku", "--sprt=elo0=5 elo1=5 model=normalized"}, "/sprt", func() (*run.Config, error) {
			return configOfOther(t, fastchessSettings, "-variant gomoku"+two+"-each tc=1 -sprt elo0=5 elo1=5 alpha=0.05 beta=0.05")
		}},
		"a ladder": {[]string{"--game=nogo", "--concurrency=5000"}, "/concurrency", func() (*run.Config, error) {
			return configOfLadder(&ladder.Options{Each: "nodes=1", Games: 2, Seed: 1, Concurrency: 5000}, "nogo")
		}},
	} {
		_, err := configOfFlags(append(k.flags, "--engine=bot=1", "--engine=bot=2"))
		want := run.Faults(err)
		_, err = k.read()
		got := run.Faults(err)
		if len(want) != 1 || want[0].Path != k.path || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v at %+v, want that of flags, %+v", name, err, got, want)
		}
	}
}

func TestSameFault(t *testing.T) {
	for _, k := range []struct {
		key, value, want string
		form             director.TournamentForm
	}{
		{"points", "3/1", " 3/1: write W/D/L, for example 3/1/0", director.TournamentForm{Points: "3/1"}},
		{"draw", "move=x", `: "move=x" is not key=number; write "move=N count=N score=N"`, director.TournamentForm{Draw: "move=x"}},
		{"illegal", "never", " never: write lose, usual or retry:N", director.TournamentForm{Illegal: "never"}},
		{"format", "league", " league: unknown; write one of roundrobin double gauntlet swiss knockout pyramid ladder", director.TournamentForm{Format: "league"}},
		{"openings", "order=up", ": order=up: must be random or sequential", director.TournamentForm{Openings: "order=up"}},
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
		_, _, err = forms.Maker{}.Make(t.Context(), &k.form, nil)
		var form *problem.FormError
		if want := []problem.Fault{{Pointer: "#/" + k.key, Detail: k.key + k.want}}; !errors.As(err, &form) || !reflect.DeepEqual(form.Faults, want) {
			t.Errorf("a hall answers %v, want %v", err, want)
		}
	}
}
