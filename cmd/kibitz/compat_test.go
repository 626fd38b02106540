package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/shlex"

	"kibitz/run"
	"kibitz/run/compat/gogui"
	"kibitz/run/engines"
	"kibitz/term"
)

// compatApp runs one command line and returns what it printed.
func compatApp(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &term.Output{Writer: &out}, stderr: &errs, now: time.Now, ctx: t.Context(), drain: make(chan struct{})}
	status = execute(a, args)
	return out.String(), errs.String(), status
}

// TestCompatGolden plays the command lines at the head of the files below
// testdata/compat and compares what is printed with what the programs themselves
// printed, with engines that make the same moves; fastchess plays chess, in games that
// end alike.
func TestCompatGolden(t *testing.T) {
	if testing.Short() {
		t.Skip("plays some hundred games")
	}
	bin, dir := t.TempDir(), t.TempDir()
	faultengine(t, bin)
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, name := range []string{"openings.txt", "openings.pos", "cgc_random.sgf"} {
		data, err := os.ReadFile(filepath.Join("testdata/compat", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, strings.Replace(name, "cgc_", "want_", 1)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob("testdata/compat/*_*.txt")
	if err != nil || len(files) < 16 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var texts [][]byte
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, data)
	}
	t.Chdir(dir)
	for i, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			head, want, _ := strings.Cut(string(texts[i]), "\n")
			args, err := shlex.Split(head)
			if err != nil {
				t.Fatal(err)
			}
			prefix, _, _ := strings.Cut(filepath.Base(f), "_")
			program := map[string]string{"cgc": "c-gomoku-cli", "cc": "cutechess-cli", "fc": "fastchess"}[prefix]
			got, errs, status := compatApp(t, append([]string{"compat", program}, args...)...)
			if status != 0 {
				t.Fatalf("status %d: %s", status, errs)
			}
			speed := regexp.MustCompile(`Matches/min: [0-9.]+, Estimated time to complete: \d\d:\d\d:\d\d|Total Time: \d\d:\d\d:\d\d`)
			got, want = speed.ReplaceAllString(got, "speed"), speed.ReplaceAllString(want, "speed")
			if prefix == "fc" {
				got, want = unsignedNothing(got), unsignedNothing(want)
			}
			if got != want {
				t.Errorf("%s", otherLine(got, want))
			}
		})
	}
	got, err := os.ReadFile("random.sgf")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("want_random.sgf")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`DT\[[^]]*\]`).ReplaceAllString(string(got), "DT[-]")
	text = regexp.MustCompile(`C\[\d+ms\]`).ReplaceAllString(text, "C[-]")
	if text != string(want) {
		t.Errorf("random.sgf: %s", otherLine(text, string(want)))
	}
}

// unsignedNothing takes the sign, which is the processor's, from what is zero or no number,
// and the blanks that make room for it.
func unsignedNothing(text string) string {
	text = regexp.MustCompile(`-(nan|0\.0+\b)`).ReplaceAllString(text, "$1")
	return regexp.MustCompile(` +`).ReplaceAllString(text, " ")
}

func otherLine(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "got  " + a[i] + "\nwant " + b[i]
		}
	}
	return "one is longer: got " + strings.Join(a[min(len(a), len(b)):], "\n") + "\nwant " + strings.Join(b[min(len(a), len(b)):], "\n")
}

// TestCompatFlags compares what the options become with the flags of kibitz match.
func TestCompatFlags(t *testing.T) {
	const two = "-engine cmd=a name=A -engine cmd=./b/c name=B "
	for _, k := range []struct{ program, args, want string }{
		{"cgc", two, "--game gomoku:rule=freestyle,size=15 --games 1 --concurrency 1 --engine 'cmd='\\''a'\\''' 'name=A' 'dir=.' 'memory=367001600' 'enforce=0' 'margin=1' " +
			"--engine 'cmd='\\''./b/c'\\''' 'name=B' 'dir=b' 'memory=367001600' 'enforce=0' 'margin=1' --start-limit 10"},
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
		{"cc", "-variant gomokufreestyle -each st=1 tscale=2 arg=-x " + two, "--game gomoku:rule=freestyle,size=15 'st=1' --start-limit 120 'cmd='\\''a'\\'' '\\''-x'\\'''"},
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
		{"fc", "-variant gomoku -each plies=3 option.x=y 'args=-x y' -startup-ms 90000 " + two, "'cmd='\\''a'\\'' '\\''-x'\\'' '\\''y'\\''' 'tc=inf' 'depth=3' 'option.x=y' --start-limit 90"},
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
		warn := func(text string) { t.Errorf("%s: warned %s", k.args, text) }
		var got string
		if k.program == "cgc" {
			o, err := readCGC(words, warn)
			if err != nil {
				t.Errorf("%s: %v", k.args, err)
				continue
			}
			got = asFlags(o.settings([]string{"A", "B"}))
		} else {
			read := readCC
			if k.program == "fc" {
				read = readFC
			}
			o, err := read(words, warn)
			if err != nil {
				t.Errorf("%s: %v", k.args, err)
				continue
			}
			got = asFlags(o.settings([]string{"A", "B"}))
		}
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
				out += " " + shellWord(w.Key+"="+w.Value)
			}
		}
	}
	return out
}

// TestCompatRefusals holds that what cannot be is said in one line, with status 2.
func TestCompatRefusals(t *testing.T) {
	for _, k := range []struct{ args, want string }{
		{"c-gomoku-cli -foo", `unknown option "-foo"`},
		{"c-gomoku-cli -engine cmd=a", "at least 2 engines"},
		{"c-gomoku-cli -engine cmd=a -engine cmd=b -engine cmd=c -sprt elo1=5", "only 2 engines for SPRT"},
		{"c-gomoku-cli -engine cmd=a x=1", `"x=1" is not known`},
		{"c-gomoku-cli -engine tc=x", "write MATCH/TURN+INCREMENT"},
		{"c-gomoku-cli -rule 2", "must be 0 (freestyle)"},
		{"c-gomoku-cli -boardsize 23", "from 5 to 22"},
		{"c-gomoku-cli -games", "takes one value, 0 are given"},
		{"c-gomoku-cli -sample format=bin_lz4", "Kibitz writes csv and bin"},
		{"c-gomoku-cli -engine cmd=./no-such -engine cmd=b", "no-such"},
		{"cutechess-cli -engine cmd=a -engine cmd=b -each st=1", "-variant is missing"},
		{"cutechess-cli -variant atomic", "-variant atomic: not a game of Kibitz"},
		{"cutechess-cli -variant gomoku -engine cmd=a -engine cmd=b", "tc= or st= is missing"},
		{"cutechess-cli -variant gomoku -each st=1 tc=5 -engine cmd=a", "exclude each other"},
		{"cutechess-cli -variant gomoku -each st=1 -engine cmd=a proto=uci -engine cmd=b", "proto=uci: Kibitz plays gomoku over piskvork and gtp"},
		{"cutechess-cli -variant gomoku -each st=1 initstr=x -engine cmd=a -engine cmd=b", "lines before the protocol begins"},
		{"cutechess-cli -variant gomoku -each st=1 book=b.bin -engine cmd=a -engine cmd=b", "Polyglot"},
		{"cutechess-cli -variant gomoku -variant gomoku", "more than once"},
		{"cutechess-cli -variant gomoku -draw movenumber=1", "movecount= is missing"},
		{"cutechess-cli -variant gomoku -each st=1 -engine conf=nobody -engine cmd=b", "engines.json has no engine"},
		{"cutechess-cli -variant gomoku -each st=1 cmd=go -engine name=A -engine name=B -openings file=no-such.pos", "no-such.pos"},
		{"c-gomoku-cli -openings order=x", "-openings order=x: must be one of sequential random"},
		{"c-gomoku-cli -engine nodes=-1", "-engine nodes=-1: must be a whole number from 0"},
		{"c-gomoku-cli -engine maxmemory=-1", "-engine maxmemory=-1: must be a number from 0"},
		{"c-gomoku-cli -sprt elo0=x", "-sprt elo0=x: must be a number"},
		{"cutechess-cli -variant gomoku -engine restart=x", "-engine restart=x: must be one of auto on off"},
		{"fastchess -engine cmd=a -engine cmd=b -each tc=1", "without it fastchess plays chess"},
		{"fastchess -variant gomoku -engine cmd=a -engine cmd=b", "tc= or st= is missing"},
		{"fastchess -variant gomoku -engine cmd=a -engine cmd=b -each tc=hg1", "fastchess knows no hourglass"},
		{"fastchess -variant gomoku -engine cmd=a -engine cmd=b -each tc=1 proto=uci", "proto=uci: Kibitz plays gomoku over"},
		{"fastchess -variant gomoku -engine cmd=a trust", `"trust" is not known`},
		{"fastchess -games 3 -rounds 4", "-games 3: each pair plays one game or two in a round; write -rounds N"},
		{"fastchess -config file=config.json", "take it up with kibitz resume DIR"},
		{"fastchess -debug", "kibitz compat --out DIR"},
		{"fastchess --compliance ./a", "`kibitz check`"},
		{"fastchess -pgnout append=false", "-pgnout: file= is missing"},
		{"fastchess -tournament knockout", "-tournament knockout: must be one of roundrobin gauntlet"},
		{"fastchess -openings file=x policy=encounter", "fastchess knows round only"},
		{"fastchess -quick cmd=a book=b", "-quick takes two cmd=, 1 are given"},
		{"fastchess -resultformat wide", `unknown option "-resultformat"`},
		{"fastchess -variant gomoku -engine name=A -engine name=B -each tc=1 cmd=go -sprt elo0=1 elo1=0", "--sprt"},
		{"gogui-twogtp -auto -black a -white b", "without it gogui-twogtp plays Go, which Kibitz does not; write one of "},
		{"gogui-twogtp -auto -black a -white b -game surakarta", "not a game of Kibitz that is played over GTP"},
		{"gogui-twogtp -auto -black a -white b -game nogo:size=9 -size 9", "-size 9: -game nogo:size=9 says it too"},
		{"gogui-twogtp -auto -black a -white b -game nogo -size 1", "-size 1: "},
		{"gogui-twogtp -auto -black a -white b -game nogo -openings no-such", "-openings: open no-such"},
		{"gogui-twogtp -game nogo -black a -white b", "-auto is missing"},
		{"gogui-twogtp -analyze no-such.dat", "-analyze: open no-such.dat"},
		{"gogui-twogtp -xml", "Kibitz writes SGF"},
		{"cutechess-cli -tournament swiss", "-tournament swiss: must be one of round-robin gauntlet knockout pyramid"},
	} {
		_, errs, status := compatApp(t, append([]string{"compat"}, strings.Fields(k.args)...)...)
		if status != 2 || !strings.Contains(errs, k.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: status %d, %q; want %q", k.args, status, errs, k.want)
		}
	}
}

// TestCompatPage compares docs/compat.md with the tables of options, both ways.
func TestCompatPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/compat.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `[^`]+` \\| (honoured|ignored|refused) \\|.*$").FindAllString(string(data), -1)
	var want []string
	for _, table := range [][]compatOption{cgcTable(&cgcOptions{}), cgcEngineTable(&cgcEngine{}), ccTable(&ccOptions{}), ccEngineTable(&ccEngine{}), fcTable(&ccOptions{}), fcEngineTable(&ccEngine{})} {
		for _, o := range table {
			want = append(want, strings.TrimRight("| `"+o.name+"` | "+o.does+" | "+o.note, " ")+" |")
			if (o.read == nil) == (o.does == isHonoured) {
				t.Errorf("%s is %s, and read is nil: %v", o.name, o.does, o.read == nil)
			}
		}
	}
	for _, o := range gogui.Known() {
		want = append(want, fmt.Sprintf("| `%s` | %s | %s |", o.Name, o.Fate, o.Note))
	}
	if !slices.Equal(rows, want) {
		t.Errorf("docs/compat.md should have these rows:\n%s", strings.Join(want, "\n"))
	}
}

// FuzzCompat reads whatever comes as options of the programs: what matters is that
// all return.
func FuzzCompat(f *testing.F) {
	for _, s := range []string{"-engine cmd=a -each tc=1/2+3 -openings file=x", "-variant gomoku -engine cmd=a -engine cmd=b -each tc=4/1:2+3 -draw movenumber=1", "-sprt elo0=1 -5", "-engine option.=1 option.x", "-quick cmd=a cmd=b book=c -sprt elo1=2 model=bayesian -games 3 -repeat -each tc=inf/1s+2 args='"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, s string) {
		args := strings.Fields(s)
		readCGC(args, func(string) {})
		readCC(args, func(string) {})
		readFC(args, func(string) {})
	})
}
