package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/shlex"

	"kibitz/games"
	"kibitz/internal/shared"
	"kibitz/opening"
	"kibitz/opening/balanced"
	"kibitz/player"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/openings"
	"kibitz/term"
)

// openingCommand runs a command line and returns its status and what it printed.
func openingCommand(t *testing.T, line string) (status int, out, errs string) {
	t.Helper()
	args, err := shlex.Split(line)
	if err != nil || args[0] != "kibitz" {
		t.Fatalf("%v in %s", err, line)
	}
	var o, e bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &term.Output{Writer: &o}, stderr: &e, now: time.Now, ctx: t.Context(), drain: make(chan struct{})}
	status = executeFull(a, args[1:])
	return status, o.String(), e.String()
}

// TestSuitesAreEven: the suites stay as they were made, and the engines of today still
// take the first openings of each for even, on the whole.
func TestSuitesAreEven(t *testing.T) {
	t.Parallel()
	a := &app{stderr: &bytes.Buffer{}, now: time.Now, ctx: t.Context(), drain: make(chan struct{})}
	for _, s := range opening.Suites() {
		if testing.Short() && slices.Contains([]string{"amazons", "connect6", "nogo", "phantomgo", "gomoku-caro-15", "gomoku-standard-15", "gomoku-freestyle-20"}, s.Name) {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			command := regexp.MustCompile(`made by: kibitz openings (\S+) .*--within (\S+)`).FindSubmatch(s.Data)
			if command == nil {
				t.Fatal("the suite does not say how it was made")
			}
			r, err := games.Open(string(command[1]))
			if err != nil {
				t.Fatal(err)
			}
			within, err := strconv.ParseFloat(string(command[2]), 64)
			if err != nil {
				t.Fatal(err)
			}
			l, err := readOpenings("suite", r, 1)
			if err != nil {
				t.Fatal(err)
			}
			p, err := openings.Judge(a.launcher(), r, 8)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			judge := balanced.NewJudge(r, p)
			var far []float64
			for i := range l[:3] {
				e, err := judge.Evaluate(t.Context(), &l[i])
				if err != nil {
					t.Fatal(err)
				}
				d, known := opening.Distance(e)
				if !known {
					d = math.Inf(1)
				}
				far = append(far, d)
			}
			slices.Sort(far)
			if far[len(far)/2] > 3*within {
				t.Errorf("three openings are %v from even, made to be within %v", far, within)
			}
		})
	}
}

// TestSharedOpenings reads openings of real files of every format that has some.
func TestSharedOpenings(t *testing.T) {
	data := shared.Path(t, "data")
	for _, tt := range []struct {
		game, file, words string
		openings          int
		first             string // start and moves of the first
	}{
		{"gomoku:size=20", "gomoku/openings/piskvork-openings.txt", "", 41, "k11 l11 l14"},
		{"gomoku:size=20", "gomoku/openings/gomocup-judge-openings_20.txt", "", 6, "d3 e2 h2"},
		{"gomoku:size=20", "gomoku/openings/gomocup-online-openings.txt", "", 3, "i2 j2 l2 k4 k5"},
		{"gomoku:size=20", "gomoku/openings/c-gomoku-cli-offset_freestyle_20x20.txt", "", 4, "s8 q7 p7 o8 m3 j6"},
		{"gomoku:size=20", "gomoku/openings/c-gomoku-cli-pos_freestyle_20x20.txt", "", 4, "d3 e5 f6 d7"},
		{"gomoku:size=20", "gomoku/psq/1x0-16(2).psq", "plies=4", 1, ""},
		{"othello", "othello/openings/zebra-openings.txt", "", 76, "c4 c3"},
		{"othello", "othello/ggf/TestGames.ggf", "plies=10", 12, ""},
		{"othello", "othello/obf/fforum-1-19.obf", "", 19, ""},
		{"darkchess", "darkchess/readfile/bbii-board.txt", "plies=4", 1, ""},
	} {
		r, err := games.Open(tt.game)
		if err != nil {
			t.Fatal(err)
		}
		l, err := readOpenings(fmt.Sprintf("file='%s' %s", filepath.Join(data, tt.file), tt.words), r, 1)
		if err != nil || len(l) != tt.openings {
			t.Errorf("%s: %d openings, %v", tt.file, len(l), err)
			continue
		}
		if got := openingText(&l[0], r); tt.first != "" && got != tt.first {
			t.Errorf("%s begins with %s", tt.file, got)
		}
	}
}

func openingText(o *opening.Opening, r rules.Rules) string {
	words := []string{o.Start}
	for _, m := range o.Steps {
		words = append(words, r.FormatMove(m))
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// TestOpeningFiles reads the files that testdata/openings/want.txt lists, whose
// names say their formats or whose content must, and compares the openings.
func TestOpeningFiles(t *testing.T) {
	data, err := os.ReadFile("testdata/openings/want.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for part := range strings.SplitSeq(string(data), "\n\n") {
		head, want, _ := strings.Cut(strings.TrimSpace(part), "\n")
		words := strings.SplitN(head, " ", 3)
		if words[0] == "#" {
			continue
		}
		n++
		r, err := games.Open(words[0])
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		l, err := readOpenings("file=testdata/openings/"+strings.Join(words[1:], " "), r, 1)
		for i := range l {
			got = append(got, l[i].Name+": "+openingText(&l[i], r))
		}
		if err != nil {
			got = []string{"! " + err.Error()}
		}
		if text := strings.Join(got, "\n"); text != want {
			t.Errorf("%s:\n%s\nwant\n%s", head, text, want)
		}
	}
	if n < 20 {
		t.Errorf("only %d files", n)
	}
}

// TestLongOpeningFiles: faults of long files have their own lines, however the file
// is read.
func TestLongOpeningFiles(t *testing.T) {
	othello, err := games.Open("othello")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, bad := range map[string]string{"long.xot": "f5d6c3d9 1.5", "long.txt": "f5d6c3d9", "long.epd": "f5 d6 c3 d9", "legal.txt": "f5d6h8"} {
		var b strings.Builder
		for range 6_000 {
			b.WriteString("f5d6c3d3c4f4\n")
		}
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if l, err := readOpenings("file="+file+" start=9000", othello, 1); err != nil || len(l) != 6_000 || l[0].Name != "3000" {
			t.Errorf("%s: %d openings, %v", name, len(l), err)
		}
		b.WriteString(bad + "\n")
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readOpenings("file="+file, othello, 1); err == nil || !strings.Contains(err.Error(), name+":6001:") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestMadeOpenings: what was made for a run is kept as a file from which it can be
// played again, in the same order and turned alike.
func TestMadeOpenings(t *testing.T) {
	r, err := games.Open("dotsandboxes:size=3")
	if err != nil {
		t.Fatal(err)
	}
	a := &app{stderr: &bytes.Buffer{}, now: time.Now, ctx: t.Context(), drain: make(chan struct{})}
	const words = "random=3 plies=4 level=2 within=3 order=random transform=true start=5"
	made, err := loadOpenings(a, openingsOf(t, words), r, 11)
	if err != nil || len(made.List) != 24 || len(made.Warnings) > 0 {
		t.Fatalf("%+v, %v", made, err)
	}
	file := filepath.Join(t.TempDir(), "the run's openings.txt")
	if err := os.WriteFile(file, made.Made, 0o600); err != nil {
		t.Fatal(err)
	}
	kept := openingsOf(t, words).Kept(file)
	again, err := loadOpenings(a, kept, r, 11)
	if err != nil || again.Made != nil {
		t.Fatalf("%s: %v", kept, err)
	}
	same := func(x, y opening.Opening) bool { return x.Name == y.Name && openingText(&x, r) == openingText(&y, r) }
	if !slices.EqualFunc(made.List, again.List, same) {
		t.Errorf("%s: %v\nmade %v", kept, again.List, made.List)
	}
	other, err := loadOpenings(a, kept, r, 12)
	if err != nil || slices.EqualFunc(made.List, other.List, same) {
		t.Errorf("another seed gives the same order: %v", err)
	}
	for _, text := range []string{"suite=balance order=random", "file=x.txt start=2"} {
		if got := openingsOf(t, text).Kept(file).String(); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
}

// TestOpeningWarnings names openings that are the same, and suites for other rules.
func TestOpeningWarnings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "twice.txt")
	if err := os.WriteFile(file, []byte("f5 d6; id \"one\"\nf5 f6\nd3 c5; id \"mirrored\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := &app{stderr: &bytes.Buffer{}, now: time.Now, ctx: t.Context(), drain: make(chan struct{})}
	for _, tt := range []struct{ game, words, want string }{
		{"othello", "file=" + file, "1 of 3 openings lead to the position of an earlier one but for a symmetry, for example mirrored to that of one; all are played"},
		{"amazons:rulings=sau", "suite", "the suite was made for amazons; under amazons:rulings=sau its openings may be less even"},
		{"amazons", "suite", ""},
	} {
		r, err := games.Open(tt.game)
		if err != nil {
			t.Fatal(err)
		}
		set, err := loadOpenings(a, openingsOf(t, tt.words), r, 1)
		if err != nil || strings.Join(set.Warnings, "|") != tt.want {
			t.Errorf("%s %s: %q, %v", tt.game, tt.words, set.Warnings, err)
		}
	}
}

// loadOpenings reads, picks or makes openings.
func loadOpenings(a *app, o *run.Openings, r rules.Rules, seed uint64) (*openings.Set, error) {
	maker := openings.Maker{Engine: func(level int) (player.Player, error) { return openings.Judge(a.launcher(), r, level) }}
	set, err := openings.Load(context.Background(), (*openings.Source)(o), maker, "", r, seed)
	return set, run.FaultAt("/openings", err)
}

// readOpenings is loadOpenings without its warnings and without progress.
func readOpenings(text string, r rules.Rules, seed uint64) ([]opening.Opening, error) {
	a := &app{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, now: time.Now, ctx: context.Background()}
	o := &run.Openings{}
	if err := o.UnmarshalText([]byte(text)); err != nil {
		return nil, err
	}
	set, err := loadOpenings(a, o, r, seed)
	if err != nil {
		return nil, err
	}
	return set.List, nil
}

// openingsOf reads the words of --openings.
func openingsOf(t *testing.T, text string) *run.Openings {
	t.Helper()
	o := &run.Openings{}
	if err := o.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return o
}
