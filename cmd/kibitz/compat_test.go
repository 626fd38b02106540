package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/shlex"

	"kibitz/term"
)

// compatApp runs one command line and returns what it printed.
func compatApp(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &term.Output{Writer: &out}, stderr: &errs, now: time.Now, ctx: t.Context(), drain: make(chan struct{})}
	status = executeFull(a, args)
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
