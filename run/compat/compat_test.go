package compat_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/shlex"

	"kibitz/run"
	"kibitz/run/compat"
	"kibitz/run/compat/cgomoku"
	"kibitz/run/compat/cutechess"
	"kibitz/run/compat/fastchess"
	"kibitz/run/compat/gogui"
	"kibitz/run/engines"
)

// read reads the options of a program as settings of a run.
func read(program string, args []string, warn func(string)) (run.Settings, error) {
	var o interface {
		Settings(names []string) run.Settings
	}
	var err error
	switch program {
	case "cgc":
		o, err = cgomoku.Read(args, warn)
	case "cc":
		o, err = cutechess.Read(args, warn)
	case "fc":
		o, err = fastchess.Read(args, warn)
	}
	if err != nil {
		return run.Settings{}, err
	}
	return o.Settings([]string{"A", "B"}), nil
}

// TestFlags compares what the options become with the flags of kibitz match.
func TestFlags(t *testing.T) {
	const two = "-engine cmd=a name=A -engine cmd=./b/c name=B "
	for _, k := range []struct{ program, args, want string }{
		{"cgc", two, "--game gomoku:rule=freestyle,size=15 --games 1 --concurrency 1 --engine 'cmd=a' 'name=A' 'dir=.' 'memory=367001600' 'enforce=0' 'margin=1' " +
			"--engine 'cmd=./b/c' 'name=B' 'dir=b' 'memory=367001600' 'enforce=0' 'margin=1' --start-limit 10"},
		{"cgc", two + "-rule 4 -boardsize 20 -concurrency 3 -draw 4 10 -resign 3 900", "--game gomoku:rule=renju,size=20 --concurrency 3 --draw move=0 count=4 score=10 --resign count=3 score=900"},
		{
			"cgc", two + "-each tc=180/30+0.5 depth=3 nodes=1000 thread=2 maxmemory=1000 tolerance=20 option.x=y",
			"'memory=1000' --start-limit 20 'tc=180+0.5' 'st=30' 'depth=3' 'nodes=1000' 'threads=2' 'margin=1' 'option.x=y'",
		},
		{"cgc", two + "-each tc=0/5 -sendbyboard", "'st=5' 'dialect.turn=board'"},
		{"cgc", two + "-sprt elo1=5", "--sprt elo0=0 elo1=5 model=approximate"},
		{"cc", "-variant gomoku -each tc=40/1:30+0.5 " + two, "--game gomoku:rule=standard,size=15 --games 1 --concurrency 1 --wait 0 'tc=40/90+0.5' 'margin=0' --start-limit 60"},
		{"cc", "-variant othello -each tc=hg10 timemargin=50 " + two, "--game othello 'hourglass=10' 'margin=0.05'"},
		{"cc", "-variant nogo:size=5 -each tc=inf depth=3 restart=on ponder option.x=y dir=/ " + two, "--game nogo:size=5 'tc=inf' 'depth=3' 'restart=game' 'ponder=1' 'option.x=y' 'dir=/'"},
		{"cc", "-variant gomokufreestyle -each st=1 tscale=2 arg=-x " + two, "--game gomoku:rule=freestyle,size=15 'st=1' --start-limit 120 'cmd=a -x'"},
		{
			"cc", "-variant gomoku -each st=1 -draw movenumber=40 movecount=8 score=10 -resign movecount=3 score=900 twosided=true -wait 5 " + two,
			"--draw move=80 count=8 score=10 --resign count=3 score=900 --wait 5",
		},
		{
			"cc", "-variant gomoku -each st=1 -sprt elo0=-1 elo1=4 alpha=0.1 beta=0.2 -openings file=o.pgn order=random plies=8 " + two,
			"--sprt elo0=-1 elo1=4 alpha=0.1 beta=0.2 model=cutechess --openings file=o.pgn plies=8",
		},
		{"fc", "-variant gomoku -each tc=40/1:30+0.5s " + two, "--game gomoku:rule=standard,size=15 --games 2 --repeat --concurrency 1 --wait 0 'tc=40/90+0.5' 'margin=0' --start-limit 10"},
		{"fc", "-variant gomoku -each tc=inf/10 timemargin=50 restart=on -report penta=false " + two, "--games 1 'tc=10' 'margin=0.05' 'restart=game'"},
		{"fc", "-variant gomoku -each plies=3 option.x=y 'args=-x y' -startup-ms 90000 " + two, "'cmd=a -x y' 'tc=inf' 'depth=3' 'option.x=y' --start-limit 90"},
		{"fc", "-variant gomoku -each st=1 " + two + "-draw movecount=8 score=10 -resign movecount=3 score=900", "'st=1' --draw move=0 count=8 score=10 --resign count=3 score=900"},
		{"fc", "-variant gomoku -each tc=1 " + two + "-sprt elo1=4 alpha=0.1 beta=0.2", "--sprt elo0=0 elo1=4 alpha=0.1 beta=0.2 model=normalized"},
		{
			"fc", "-variant gomoku -each tc=1 " + two + "-sprt elo1=4 alpha=0.1 beta=0.2 model=bayesian -openings file=o.pgn plies=8 -concurrency -1000 -use-affinity 0,2-3",
			"--concurrency 1 --games 1 --affinity 0,2-3 --sprt elo0=0 elo1=4 alpha=0.1 beta=0.2 model=bayesian --openings file=o.pgn plies=8",
		},
	} {
		words, err := shlex.Split(k.args)
		if err != nil {
			t.Fatal(err)
		}
		s, err := read(k.program, words, func(text string) { t.Errorf("%s: warned %s", k.args, text) })
		if err != nil {
			t.Errorf("%s: %v", k.args, err)
			continue
		}
		got := asFlags(s)
		for _, w := range strings.SplitAfter(strings.ReplaceAll(k.want, " --", "\x00--"), "\x00") {
			w = strings.TrimSuffix(w, "\x00")
			parts := []string{w}
			if strings.Contains(w, " '") && !strings.HasPrefix(w, "--engine") {
				parts = strings.Split(strings.ReplaceAll(w, " '", "\x00'"), "\x00")
			}
			for _, p := range parts {
				if !strings.Contains(got, strings.TrimSpace(p)) && !strings.HasPrefix(p, "'cmd=") {
					t.Errorf("%s\ngives %s\nwithout %s", k.args, got, p)
				}
			}
		}
	}
}

// asFlags writes settings as the flags of kibitz match.
func asFlags(s run.Settings) string {
	out := fmt.Sprintf("--game %s --games %d --concurrency %d --wait %d --start-limit %v --repeat=%v", s.Game, s.Games, s.Concurrency, s.Wait, s.StartLimit, s.Repeat)
	for _, x := range s.Differing() {
		list, ok := x.Value.([]engines.Words)
		if !ok {
			out += fmt.Sprintf(" --%s %v", x.Key, x.Value)
		}
		for _, words := range list {
			out += " --engine"
			for _, w := range words {
				out += " '" + strings.ReplaceAll(w.Key+"="+w.Value, "'", `'\''`) + "'"
			}
		}
	}
	return out
}

// TestPage compares docs/compat.md with the tables of options, both ways.
func TestPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/compat.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `[^`]+` \\|.*$").FindAllString(string(data), -1)
	fast, err := fastchess.Read(strings.Fields("-variant gomoku -each st=1 cmd=a -engine name=A -engine name=B"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	page := strings.Join(strings.Fields(string(data)), " ")
	for _, table := range [][]compat.Option{
		cgomoku.Known(&cgomoku.Options{}), cgomoku.EngineKeys(&cgomoku.Engine{}), cutechess.Known(&cutechess.Options{}), cutechess.EngineKeys(&cutechess.Engine{}),
		fastchess.Known(fast), fastchess.EngineKeys(&cutechess.Engine{}), gogui.Known(&gogui.Options{}),
	} {
		var repeated []string
		for _, o := range table {
			does := o.Note
			if o.Fate != compat.Honoured {
				does = fmt.Sprintf("*%s*: %s", o.Fate, o.Note)
			}
			row := strings.TrimRight(fmt.Sprintf("| `%s` | %s", o.Name, does), " ") + " |"
			if slices.Contains(want, row) {
				repeated = append(repeated, o.Name)
				continue
			}
			want = append(want, row)
		}
		if same := "As above: `" + strings.Join(repeated, " ") + "`"; repeated != nil && !strings.Contains(page, same) {
			t.Errorf("docs/compat.md should name what it has said of another program: %s", same)
		}
	}
	if !slices.Equal(rows, want) {
		t.Errorf("docs/compat.md should have these rows:\n%s", strings.Join(want, "\n"))
	}
}

// FuzzRead reads whatever comes as options of the programs: what matters is that
// all return.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"-engine cmd=a -each tc=1/2+3 -openings file=x", "-variant gomoku -engine cmd=a -engine cmd=b -each tc=4/1:2+3 -draw movenumber=1", "-sprt elo0=1 -5", "-engine option.=1 option.x", "-quick cmd=a cmd=b book=c -sprt elo1=2 model=bayesian -games 3 -repeat -each tc=inf/1s+2 args='"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, s string) {
		args := strings.Fields(s)
		for _, program := range []string{"cgc", "cc", "fc"} {
			read(program, args, func(string) {})
		}
	})
}
