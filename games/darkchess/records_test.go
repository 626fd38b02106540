package darkchess_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kibitz/internal/shared"

	"kibitz/game"
	"kibitz/rules"
)

// Records of two servers, ply by ply: everything is legal, no game goes on after
// an end, and the end is the one that the server announced.
func TestServerRecords(t *testing.T) {
	dir := shared.Path(t, "data/darkchess")
	ends := map[string]int{}
	for _, pattern := range []string{"server2022/*.txt", "server2022-full/*.txt", "server31/a0_VS_a5*.txt"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			ends[checkRecord(t, file)]++
		}
	}
	t.Logf("ends: %v", ends)
	for end, least := range map[string]int{"nomove": 10, "captureall": 50, "noeatflip": 20, "longcatch": 30} {
		if ends[end] < least {
			t.Errorf("only %d games end by %s", ends[end], end)
		}
	}
}

// The words of the servers for our end codes.
var serverWords = []struct{ word, code string }{
	{"NoMove", "nomove"},
	{"NoEatFlip", "noeatflip"},
	{"PositionRepetitionDraw", "longcatch"},
	{"LongCatch", "longcatch"},
	{"Normal", "captureall"},
	{"AllCaptured", "captureall"},
	{"CaptureAll", "captureall"},
}

func checkRecord(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(file)
	plies, result := readRecord(string(text))
	// The older client announces a repetition one ply late.
	late := strings.Contains(file, "server31") && strings.Contains(name, "LongCatch")
	r := open(t, "darkchess:noeat=60")
	st := r.New()
	for i, ply := range plies {
		if res, over := st.Result(); over {
			if late && i == len(plies)-1 && res.Reason == "longcatch" {
				return "longcatch"
			}
			t.Errorf("%s: over by %s before ply %d of %d", name, res.Reason, i+1, len(plies))
			return ""
		}
		if err := playPly(r, st, ply); err != nil {
			t.Errorf("%s: ply %d %s: %v", name, i+1, ply, err)
			return ""
		}
	}
	want := ""
	for _, w := range serverWords {
		if strings.Contains(name, w.word) || strings.Contains(result, w.word) {
			want = w.code
			break
		}
	}
	res, over := st.Result()
	got := string(res.Reason)
	if lost := map[string]bool{"nomove": true, "captureall": true}; lost[got] && lost[want] {
		want = got // the older server calls both Normal, the newer one both NoMove
	}
	if got != want {
		t.Errorf("%s: end %q, want %q (%s)", name, got, want, result)
	}
	if over && !res.Draw() {
		m := players.FindStringSubmatch(string(text))
		if winner := m[1+int(res.Winner())]; !strings.Contains(strings.ToLower(result), strings.ToLower(winner)+" wins") {
			t.Errorf("%s: %s has won, the server says %s", name, winner, result)
		}
	}
	return got
}

var players = regexp.MustCompile(`(?m)^\* (\S+) vs (\S+?)\r?$`)

// playPly plays a ply of a record, a flip together with what it brought to light.
func playPly(r rules.Rules, st rules.State, ply string) error {
	m, err := r.ParseMove(ply)
	if err != nil {
		return err
	}
	if m.Op == game.Deal {
		if _, err := st.Apply(game.FlipAt(m.To), nil); err != nil {
			return err
		}
	}
	_, err = st.Apply(m, nil)
	return err
}

var round = regexp.MustCompile(`^\* \d+\. (\S+)(?: (\S+))?\s*$`)

// readRecord returns the plies and the line that follows them.
func readRecord(text string) (plies []string, result string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n ")
		if m := round.FindStringSubmatch(line); m != nil {
			plies = append(plies, m[1])
			if m[2] != "" {
				plies = append(plies, m[2])
			}
			continue
		}
		if len(plies) > 0 {
			return plies, strings.TrimPrefix(line, "* ")
		}
	}
	return plies, result
}

// The transcripts of that server play the same games over the wire protocol.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared.Path(t, "data/darkchess"), "dctp", "*.command"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	plies := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := open(t, "darkchess:noeat=60")
		st := r.New()
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			var ply string
			switch {
			case len(f) == 4 && f[1] == "move":
				ply = f[2] + "-" + f[3]
			case len(f) == 4 && f[1] == "flip":
				ply = fmt.Sprintf("%s(%s)", f[2], f[3])
			default:
				continue
			}
			plies++
			if err := playPly(r, st, ply); err != nil {
				t.Errorf("%s: %s: %v", filepath.Base(file), ply, err)
				break
			}
		}
	}
	if plies < 500 {
		t.Errorf("only %d plies", plies)
	}
}
