package gogui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestWords(t *testing.T) {
	for text, want := range map[string][]string{
		"gnugo --mode gtp":     {"gnugo", "--mode", "gtp"},
		`"/a b/c" -x  "d e" f`: {"/a b/c", "-x", "d e", "f"},
		`a "" b`:               {"a", "", "b"},
		"  ":                   nil,
		`kibitz "engine nogo`:  {"kibitz", "engine nogo"},
	} {
		if got := Command(text).Words(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func none(string) ([]byte, error) { return nil, errors.New("no such file") }

func TestRead(t *testing.T) {
	args := []string{"-black", "a -x", "-white", "b", "-auto", "-games", "10", "-sgffile", "p", "-time", "5+30s/10", "-komi", "7,5", "-config", "more", "-threads", "2"}
	o, err := Read(args, func(name string) ([]byte, error) {
		return []byte("-alternate\n-games 0 -white \"c\"\n-maxmoves -1"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if o.White != "c" || o.Black != "a -x" || o.Games != 0 || !o.Alternate || !o.Auto || o.Prefix != "p" || o.Komi != "7.5" || o.MaxMoves != -1 || o.Threads != 2 {
		t.Errorf("%+v", o)
	}
	if o.Time != (Time{Base: 5 * time.Minute, Overtime: 30 * time.Second, Moves: 10}) {
		t.Errorf("%+v", o.Time)
	}
	for text, want := range map[string]Time{"10": {Base: 10 * time.Minute}, "90 sec": {Base: 90 * time.Second}, "1min+1m/5": {Base: time.Minute, Overtime: time.Minute, Moves: 5}} {
		if got, err := parseTime(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "x", "10+5", "10+0/5", "10+5/0", "1.5"} {
		if got, err := parseTime(text); err == nil {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

func TestRefusals(t *testing.T) {
	const two = "-black a -white b "
	for args, want := range map[string]string{
		"-foo":                            `unknown option "-foo"`,
		"-black":                          "-black takes one value, 0 are given",
		"-white b -auto":                  "-black is missing",
		"-black a -auto":                  "-white is missing",
		two:                               "-auto is missing",
		two + "-auto -games 3":            "-games needs -sgffile",
		two + "-auto -games x -sgffile p": "-games x: must be a whole number",
		two + "-auto -maxmoves -2":        "-maxmoves -2: must be",
		two + "-auto -size 26":            "-size 26: must be",
		two + "-auto -threads 0":          "-threads 0: must be",
		two + "-auto -handicap 2":         "place stones with -openings",
		two + "-auto -time 1.5":           "-time 1.5: write BASE",
		two + "-auto -komi x":             "-komi x: must be a number",
		two + "-auto -xml":                "-xml: Kibitz writes SGF",
		two + "-auto y":                   `-auto takes no value, "y" is given`,
		"-compare":                        "name the SGF files",
		"-config f " + two:                "-config: no such file",
	} {
		if _, err := Read(strings.Fields(args), none); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", args, err, want)
		}
	}
	for _, args := range []string{two + "-auto -handicap 0", "-analyze f", "-compare a.sgf", "-compare -- -b.sgf"} {
		if _, err := Read(strings.Fields(args), none); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// FuzzRead reads whatever comes.
func FuzzRead(f *testing.F) {
	f.Add("-black a -white b -auto -time 5+30s/10 -komi 7,5", "#\n#GAME\tLEN\n0\t1")
	f.Fuzz(func(_ *testing.T, args, table string) {
		if o, err := Read(strings.Fields(args), none); err == nil {
			o.Black.Words()
		}
		if t, err := ParseTable([]byte(table)); err == nil {
			Analyze(t).AppendSummary(nil)
		}
	})
}
