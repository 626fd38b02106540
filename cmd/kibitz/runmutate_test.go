package main

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"kibitz/opening"
	"kibitz/run"
	"kibitz/tournament"
)

// TestMutatedRunFiles reads files of runs with mistakes. Whatever stands in one is
// answered without anything being played or searched: openings are made by chance when
// all else is found in order, and numbers without end are refused.
func TestMutatedRunFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("o.txt", []byte("1 a1 b2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	a := quietApp(t.Context())
	with := a.runDeps(nil)
	rng := rand.New(rand.NewPCG(1, 2))
	played, files := 0, 2000
	if testing.Short() {
		files = 200
	}
	for range files {
		text := mutatedRun(rng)
		f, err := run.ParseFile("run.toml", []byte(text))
		if err != nil {
			continue
		}
		m, err := f.Settings()
		if err != nil {
			continue
		}
		with.Making = func(int) (func(opening.Counts), func()) {
			t.Fatalf("openings were made of\n%s", text)
			return nil, nil
		}
		r, err := run.New(*m, with)
		if err != nil {
			lineOnly(t, "a file", err)
			continue
		}
		played++
		if most := r.Standing().Director.Most(); most > tournament.MostGames || m.Concurrency > run.MostAtATime {
			t.Fatalf("%d games, %d at a time, of\n%s", most, m.Concurrency, text)
		}
	}
	if played < files/20 {
		t.Errorf("%d files can be played: the test shows little", played)
	}
}

// runExamples are files of all kinds of runs.
func runExamples() []string {
	return []string{
		"game = 'othello'\ngames = 10\nrepeat = true\nopenings = 'suite'\n\n[each]\ntc = '60+0.5'\n\n[[engine]]\nbot = 3\n\n[[engine]]\nbot = 5\nname = 'x y'\nst = 3\n",
		"game = 'gomoku:rule=renju,size=15'\nengine = ['bot=1 depth=3 nodes=1000', 'bot=random', 'bot=9 threads=2']\nopenings = 'random=2 within=20 level=1 plies=3'\nformat = 'gauntlet'\nseeds = 1\nrounds = 2\npoints = '3/1/0'\nconcurrency = 2\n",
		"kibitz = '1'\nsecret = 'ab'\ngame = 'nogo:size=5'\nformat = 'swiss'\nrounds = 5\ntiebreaks = 'sb,wins'\nstart-limit = 20.0\n[each]\nbot = 2\n[[engine]]\nname = 'A'\n[[engine]]\nname = 'B'\n[[engine]]\nname = 'C'\n[[engine]]\nname = 'D'\n",
		"game='amazons'\nsprt = 'elo0=0 elo1=5'\ndraw = 'move=40 count=8 score=10'\nresign = 'count=3 score=9'\nadjudicate = 'exact nodes=300000 move=20'\nillegal = 'retry:2'\nengine = [{bot=1},{bot=2, memory='350M'}]\nstall = 1e3\nmax-moves = 90\nwait = 3\n",
		"game = 'connect6:size=19'\nformat = 'knockout'\nseeds = 2\ngames = 2\n[[engine]]\nbot = 2\nmargin = 0.5\n[[engine]]\nbot = 3\nst = 1.5\n[[engine]]\nbot='random'\ndelay = 3\ntc = '3'\n",
		"game = 'dotsandboxes:size=5'\nformat = 'pyramid'\nopenings = { file = 'o.txt', order = 'random', start = 2 }\nengine = ['bot=4 tc=40/60', 'bot=1 tc=10+0.1 byo=3x5', 'bot=2 tc=inf']\n",
		"game = 'darkchess:noeat=60,repetition=3'\nformat = 'ladder'\nrounds = 2\nrepeat = true\n[[engine]]\nbot = 2\n[[engine]]\nbot = 4\nmargin = 0.5\n",
		"game = 'phantomgo:size=9,komi=7.5,maxplies=120'\nengine = ['bot=1', 'bot=2']\n",
		"game = 'surakarta:repetition=2,nocapture=50'\nengine = ['bot=1', 'bot=2']\nrating-interval = 5\nseed = 77\n",
	}
}

// mutatedRun returns one of them with one to three mistakes.
func mutatedRun(rng *rand.Rand) string {
	list := runExamples()
	text := list[rng.IntN(len(list))]
	for range 1 + rng.IntN(3) {
		text = mutate(rng, text)
	}
	return text
}

func mutate(rng *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	at := rng.IntN(len(lines))
	switch rng.IntN(6) {
	case 0: // a line is missing
		return strings.Join(append(lines[:at:at], lines[at+1:]...), "")
	case 1: // or there twice
		return strings.Join(append(append(lines[:at+1:at+1], lines[at]), lines[at+1:]...), "")
	case 2: // a character is another
		if len(text) == 0 {
			return text
		}
		b := []byte(text)
		b[rng.IntN(len(b))] = "0123456789=,.:'[]abZ\n \x00-"[rng.IntN(24)]
		return string(b)
	}
	// A number is another.
	var places [][2]int
	for i := 0; i < len(text); i++ {
		j := i
		for j < len(text) && text[j] >= '0' && text[j] <= '9' {
			j++
		}
		if j > i {
			places = append(places, [2]int{i, j})
			i = j
		}
	}
	if len(places) == 0 {
		return text
	}
	p := places[rng.IntN(len(places))]
	numbers := []string{"0", "1", "-1", "2", "7", "19", "127", "999", "1000000", "1000000000", "1e9", "2147483648", "9223372036854775807", "1000000000000", "99999999999999999999", "0.5", "1e308", "nan", "00", "0x10", "1_000"}
	return text[:p[0]] + numbers[rng.IntN(len(numbers))] + text[p[1]:]
}
