package ponder

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/shared"
	"kibitz/link/linktest"
	"kibitz/player"
	"kibitz/protocol"
)

// TestTranscripts has the conversations of real engines of both versions with the
// host. Times are not compared: they were measured.
func TestTranscripts(t *testing.T) {
	dir := shared.Path(t, "transcripts", "darkchess")
	files, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil {
		t.Fatal(err)
	}
	engines := 0
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"ponder_jingjia", "ponder_random", "old_bbii", "old_ylc"} {
			if lines := linesOf(string(b), name); len(lines) > 8 {
				engines++
				t.Run(strings.TrimSuffix(filepath.Base(file), ".log")+"/"+name, func(t *testing.T) {
					replayTranscript(t, lines, strings.HasPrefix(name, "old"))
				})
			}
		}
	}
	if engines < 4 {
		t.Errorf("only %d engines", engines)
	}
}

// linesOf returns what passed between the platform and one engine.
func linesOf(text, name string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if rest, is := strings.CutPrefix(strings.TrimSpace(line), name+" "); is && !strings.HasPrefix(rest, "!!") {
			list = append(list, rest)
		}
	}
	return list
}

var lastTime = regexp.MustCompile(` (\d+)( [01])?$`)

func replayTranscript(t *testing.T, lines []string, old bool) {
	var script strings.Builder
	for _, l := range lines {
		switch mark, text := l[:2], l[3:]; {
		case mark == ">>":
			script.WriteString("< " + text + "\n")
		case text == "/exit":
			script.WriteString("> /exit\n")
		case strings.HasPrefix(text, "/move") || strings.HasPrefix(text, "/flip"):
			at := lastTime.FindStringSubmatchIndex(text)
			tail := ""
			if at[4] >= 0 {
				tail = text[at[4]:at[5]]
			}
			script.WriteString(">~ " + regexp.QuoteMeta(text[:at[0]]) + ` \d+` + tail + "\n")
		default:
			script.WriteString("> " + text + "\n")
		}
	}
	if !strings.Contains(script.String(), "/exit") {
		script.WriteString("> /exit\n")
	}
	script.WriteString("!exit 0\n")
	id := "ponder"
	if old {
		id = "ponder-old"
	}
	var warned []string
	h, err := newHost(protocol.Config{
		Name: "X", Dial: linktest.Dialer(t, script.String()), Now: time.Now,
		Warn: func(text string) { warned = append(warned, text) },
	}, id, old)
	if err != nil {
		t.Fatal(err)
	}
	clocks := [2]clock.Clock{clock.New(clock.Control{Main: 15 * time.Minute}), clock.New(clock.Control{Main: 15 * time.Minute})}
	seat, by := game.Second, game.First
	if strings.Contains(strings.Join(lines, "\n"), "<< /turn 1") {
		seat = game.First
	}
	if err := h.NewGame(context.Background(), &player.Setup{Spec: "darkchess", Width: 4, Height: 8, Seat: seat, Clocks: clocks}); err != nil {
		t.Fatal(err)
	}
	plies := 0
	for i, l := range lines {
		text := l[3:]
		if !strings.HasPrefix(text, "/move") && !strings.HasPrefix(text, "/flip") {
			continue
		}
		if l[:2] == ">>" {
			if i > 0 && lines[i-1][:2] == ">>" && !strings.HasPrefix(lines[i-1], ">> /turn") {
				t.Fatalf("two requests in a row: %q", l)
			}
			want, _, err := parseRequest(text, old)
			if err != nil {
				t.Fatal(err)
			}
			a, err := h.Choose(context.Background(), &player.Prompt{Seat: seat, Clocks: clocks, Deadline: time.Now().Add(2 * time.Minute)})
			if err != nil || len(a.Steps) != 1 || a.Steps[0] != want {
				t.Fatalf("%+v %v, the engine said %q", a, err, text)
			}
			continue
		}
		ply, _, last, err := parsePly(text, old)
		if err != nil {
			t.Fatal(err)
		}
		u := player.Update{By: by, Steps: ply, Clocks: clocks, Ended: true, Next: game.Turn{Seat: by.Other()}}
		if last {
			r := game.Drawn("noeatflip", "")
			u.Result = &r
		}
		h.Tell(&u)
		by = by.Other()
		plies++
	}
	h.Over(game.Drawn("noeatflip", ""))
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if plies < 4 || len(warned) > 0 {
		t.Errorf("%d plies, remarks %q", plies, warned)
	}
}

const acknowledged = `
	>~ /start X,.*,900000
	< /start
	> /turn 1 2
	< /turn
`

func scripted(t *testing.T, script string) player.Player {
	t.Helper()
	h, err := newHost(protocol.Config{Name: "X", Dial: linktest.Dialer(t, script), Now: time.Now}, "ponder", false)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Each way of going wrong has its own reason.
func TestVerdicts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct {
			script, unread string
			why            game.Reason
			detail         string
		}{
			{"< /move e9-a1\n", "/move a2-a3", "", ""},
			{"< /flip\n", "/move a2-a3", "", ""},
			{"< /mo\xff\n", "neither /move nor /flip", "", ""},
			{"< hello\n< /move a0-a0\n", "", game.ByResign, ""},
			{"< /flip a0\n", "", game.ByResign, ""},
			{"< thinking\n!exit 3\n", "", game.ByCrash, "exit status 3"},
			{"!close\n", "", game.ByCrash, "closed"},
			{"~ 2s\n", "", game.ByTime, "waiting for /move or /flip"},
		} {
			h := scripted(t, acknowledged+tt.script)
			k := clock.New(clock.Control{Main: 15 * time.Minute})
			clocks := [2]clock.Clock{k, k}
			if err := h.NewGame(context.Background(), &player.Setup{Spec: "darkchess", Width: 4, Height: 8, Clocks: clocks}); err != nil {
				t.Fatal(err)
			}
			a, err := h.Choose(context.Background(), &player.Prompt{Clocks: clocks, Deadline: time.Now().Add(200 * time.Millisecond)})
			var f *player.Failure
			switch {
			case tt.why == game.ByResign:
				if err != nil || len(a.Steps) != 1 || a.Steps[0].Op != game.Resign {
					t.Errorf("%q: %+v %v", tt.script, a, err)
				}
			case tt.why == "":
				if err != nil || !strings.Contains(a.Unread, tt.unread) {
					t.Errorf("%q: %+v %v", tt.script, a, err)
				}
			case !errors.As(err, &f) || f.Reason != tt.why || !strings.Contains(f.Detail, tt.detail):
				t.Errorf("%q: %+v %v", tt.script, a, err)
			}
			if err := h.Close(); err != nil {
				t.Errorf("%q: %v", tt.script, err)
			}
		}
	})
}

// A request that comes while the other side is on turn is no answer, and a request
// after the end is none either.
func TestLateRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := scripted(t, `
		>~ /start X,.*,900000
		< /start
		> /turn 0 2
		< /turn
		< /flip d8
		> /flip a1(K) 900000 0
		< /flip a2
		> /flip a2(p) 900000 1
		< /flip a3
		> /exit
		!exit 0
	`)
		k := clock.New(clock.Control{Main: 15 * time.Minute})
		clocks := [2]clock.Clock{k, k}
		if err := h.NewGame(context.Background(), &player.Setup{Spec: "darkchess", Width: 4, Height: 8, Seat: game.Second, Clocks: clocks}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the early request is there
		tell := func(by game.Seat, ply string, r *game.Result) {
			steps, _, _, err := parsePly("/flip "+ply+" 0 0", false)
			if err != nil {
				t.Fatal(err)
			}
			h.Tell(&player.Update{By: by, Steps: steps, Clocks: clocks, Ended: true, Result: r})
		}
		tell(game.First, "a1(K)", nil)
		a, err := h.Choose(context.Background(), &player.Prompt{Seat: game.Second, Clocks: clocks, Deadline: time.Now().Add(time.Minute)})
		if err != nil || len(a.Steps) != 1 || a.Steps[0] != game.FlipAt(game.Pt(0, 6)) {
			t.Fatalf("%+v %v", a, err)
		}
		r := game.Drawn("noeatflip", "")
		tell(game.Second, "a2(p)", &r)
		h.Over(r)
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
}
