package dctp_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/shared"
	"kibitz/player"
)

// said is one request of a stored transcript with its reply.
type said struct {
	number int
	args   []string
	reply  string
}

// transcript reads "12 genmove red" and ">>12 c5 c6" lines.
func transcript(t *testing.T, file string) []said {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []said
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if text, is := strings.CutPrefix(line, ">>"); is {
			if n := len(list); n > 0 {
				_, list[n-1].reply, _ = strings.Cut(text, " ")
			}
			continue
		}
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		n, err := strconv.Atoi(f[0])
		if err != nil {
			t.Fatalf("%s: %q", file, line)
		}
		list = append(list, said{n, f[2:], ""})
	}
	return list
}

// script is what the host under test must say, word for word, and what it hears.
func script(list []said) string {
	words := map[int]string{7: "reset_board", 15: "time_settings", 14: "ready", 10: "move", 11: "flip", 12: "genmove", 16: "time_left", 13: "game_over", 5: "quit"}
	var b strings.Builder
	for _, s := range list {
		if words[s.number] == "" {
			continue // who the engine is
		}
		b.WriteString("> " + strings.TrimSpace(strconv.Itoa(s.number)+" "+words[s.number]+" "+strings.Join(s.args, " ")) + "\n")
		if s.number == 12 && s.reply == "" {
			return b.String() // the time ran out here
		}
		b.WriteString("< " + strings.TrimSpace("="+strconv.Itoa(s.number)+" "+s.reply) + "\n")
	}
	if list[len(list)-1].number != 5 {
		b.WriteString("> 5 quit\n")
	}
	b.WriteString("!exit 0\n")
	return b.String()
}

// TestServerTranscripts plays the games of a course server again: the host says
// what the server said, clocks included, and reads what the engine answered.
func TestServerTranscripts(t *testing.T) {
	dir := shared.Path(t, "data", "darkchess", "dctp")
	files, err := filepath.Glob(filepath.Join(dir, "*.command"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { replayTranscript(t, transcript(t, file)) })
	}
}

func replayTranscript(t *testing.T, list []said) {
	seat := game.Second
	for _, s := range list {
		if s.number == 12 {
			seat = game.First
		}
		if s.number >= 10 && s.number <= 12 {
			break
		}
	}
	d := newDriver(t, seat, script(list), map[string]string{"hello": "off", "game_over": "off"})
	defer d.close()
	d.clocks = [2]clock.Clock{clock.New(clock.Control{Main: 15 * time.Minute}), clock.New(clock.Control{Main: 15 * time.Minute})}
	if err := d.start("darkchess:noeat=60"); err != nil {
		t.Fatal(err)
	}
	plies := 0
	for i, s := range list {
		switch s.number {
		case 12:
			if s.reply == "" {
				d.wait = 20 * time.Millisecond
			}
			a, err := d.choose()
			var f *player.Failure
			if s.reply == "" && errors.As(err, &f) && f.Reason == game.ByTime {
				d.host.Over(game.Win(seat.Other(), game.ByTime, ""))
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Fields(s.reply); len(a.Steps) != 1 || d.pos.FormatMove(a.Steps[0]) != want[0]+"-"+want[1] {
				t.Fatalf("%+v, the engine said %q", a, s.reply)
			}
		case 10, 11:
			if i+1 < len(list) && list[i+1].number == 16 {
				ms, err := strconv.Atoi(list[i+1].args[1])
				if err != nil {
					t.Fatal(err)
				}
				d.clocks[d.pos.Turn().Seat].Left = time.Duration(ms) * time.Millisecond
			}
			ply := s.args[0] + "-" + s.args[1]
			if s.number == 11 {
				ply = s.args[0] + "(" + s.args[1] + ")"
			}
			d.tell(ply)
			plies++
		}
	}
	d.host.Over(game.Drawn("noeatflip", ""))
	if plies < 10 {
		t.Errorf("only %d plies", plies)
	}
}
