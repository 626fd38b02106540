//go:build unix

package readfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/leaks"
	"kibitz/link"
	"kibitz/link/folder"
	"kibitz/link/proc"
	"kibitz/player"
	"kibitz/protocol"
)

// script is an engine in the shell.
type script struct {
	dir      string
	warnings []string
	log      []string
}

// run returns a host that drives the script from a private copy of its folder.
func (s *script) run(t *testing.T, text string) *Host {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
	s.dir = t.TempDir()
	path := filepath.Join(s.dir, "search")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, MoveFile), []byte("1\nd1\n0\n0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	where := t.TempDir()
	h, err := NewHost(protocol.Config{
		Name: "X", Now: time.Now,
		Warn: func(text string) { s.warnings = append(s.warnings, text) },
		Folder: func(ctx context.Context) (protocol.Folder, error) {
			return folder.Copy(ctx, folder.Spec{
				MostBytes: 1 << 20, Where: where,
				Process: proc.Spec{Path: path, Options: link.Options{
					Now: time.Now, Observe: func(d link.Direction, _ time.Time, line []byte) {
						s.log = append(s.log, string("><!#|"[d])+" "+string(line))
					},
				}},
			})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	begin(t, h, player.Setup{})
	t.Cleanup(func() { // runs before Close
		if list, err := os.ReadDir(where); err != nil || len(list) != 1 {
			t.Errorf("%d copies of the folder, %v", len(list), err)
		}
	})
	return h
}

const (
	flip  = `printf '1\na1\n0\n0\n' > move.txt`
	pause = `sleep 100`
)

// Each way of going wrong has its own reason, with what shows it.
func TestProcesses(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		limit        time.Duration // 20 s if zero
		untimed      bool
		why          game.Reason // of the failure
		detail       string      // or of an answer that cannot be read
		evidence     string
		warning      string
	}{
		{name: "answers", script: flip},
		{name: "talks", script: `echo thinking; echo note >&2; printf '\320\n-----\n'; ` + flip},
		{name: "writes nothing", script: `echo lost >&2`, why: game.ByProtocol, detail: "without writing move.txt", evidence: "lost"},
		{name: "exit status", script: `echo no memory >&2; exit 3`, why: game.ByCrash, detail: "exit status 3", evidence: "no memory"},
		{name: "signal", script: `kill -SEGV $$`, why: game.ByCrash, detail: "segmentation fault"},
		{name: "answers and falls", script: flip + `; kill -SEGV $$`, warning: "segmentation fault"},
		{name: "answers and fails", script: flip + `; exit 1`, warning: "exit status 1"},
		{name: "empty", script: `: > move.txt`, detail: "is empty"},
		{name: "half", script: `printf '0\nb3' > move.txt`, detail: "lacks a square", evidence: "move.txt: 0 b3"},
		{name: "garbage", script: `head -c 900 /dev/urandom | tr -d ' 012' > move.txt`, detail: "no action"},
		{name: "huge", script: `head -c 3000000 /dev/zero | tr '\0' '0' > move.txt`, detail: "more than"},
		{name: "a folder", script: `mkdir move.txt`, why: game.ByProtocol, detail: "no plain file"},
		{name: "a pipe", script: `mkfifo move.txt`, why: game.ByProtocol, detail: "no plain file"},
		{name: "a link", script: `echo 1 a1 > x; ln -s x move.txt`, why: game.ByProtocol, detail: "no plain file"},
		{name: "sleeps", script: pause, limit: 200 * time.Millisecond, why: game.ByTime, detail: "waiting for the engine to end"},
		{name: "sleeps without a clock", script: pause, limit: 200 * time.Millisecond, untimed: true, why: game.ByStall},
		{name: "answers and sleeps", script: flip + "; " + pause, limit: 200 * time.Millisecond, why: game.ByTime},
		{name: "silent and asleep", script: `exec >/dev/null 2>&1; ` + pause, limit: 200 * time.Millisecond, why: game.ByTime},
		{name: "closes its output", script: `exec >&- 2>&-; sleep 0.2; ` + flip},
		{name: "leaves a child", script: `sleep 100 & ` + flip},
		{name: "floods", script: `yes $(printf '%09000d' 0)`, limit: 300 * time.Millisecond, why: game.ByTime},
		{name: "floods and answers", script: `head -c 15000000 /dev/zero; ` + flip},
		{name: "is in a private folder", script: `[ $# = 0 ] && [ ! -e move.txt ] && [ -s board.txt ] && ` + flip},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s script
			h := s.run(t, tt.script)
			limit := tt.limit
			if limit == 0 {
				limit = 20 * time.Second
			}
			k := control(t, "900")
			if tt.untimed {
				k = clock.New(clock.Control{})
			}
			for range 2 { // what happened does not spoil the next ply
				a, err := h.Choose(context.Background(), &player.Prompt{Clocks: [2]clock.Clock{k, k}, Deadline: time.Now().Add(limit)})
				var f *player.Failure
				switch {
				case tt.why != "":
					if !errors.As(err, &f) || f.Reason != tt.why || !strings.Contains(f.Detail, tt.detail) || !strings.Contains(strings.Join(f.Evidence, "\n"), tt.evidence) {
						t.Fatalf("%+v %v", a, err)
					}
				case tt.detail != "":
					if err != nil || !strings.Contains(a.Unread, tt.detail) || !strings.Contains(strings.Join(h.Evidence(), "\n"), tt.evidence) {
						t.Fatalf("%+v %v, evidence %q", a, err, h.Evidence())
					}
				case err != nil || len(a.Steps) != 1 || a.Steps[0] != game.FlipAt(game.Pt(0, 7)) || a.Used <= 0:
					t.Fatalf("%+v %v, evidence %q", a, err, h.Evidence())
				}
			}
			if all := strings.Join(s.warnings, "\n"); tt.warning == "" && all != "" || !strings.Contains(all, tt.warning) {
				t.Errorf("warnings %q", s.warnings)
			}
			if _, err := os.Stat(filepath.Join(s.dir, BoardFile)); err == nil {
				t.Error("the engine's own folder was changed")
			}
		})
	}
}

// The check tells of a process that fails after its answer, and of one that does not end.
func TestChecksOnProcesses(t *testing.T) {
	for _, tt := range []struct{ id, script, want string }{
		{"status", flip, ""},
		{"status", flip + "; exit 3", "the engine ended (exit status 3) after writing move.txt"},
		{"first", flip + "; exit 3", ""},
		{"first", flip + "; " + pause, "move.txt is written, and the engine still runs after 5s"},
		{"first", pause, "nothing is written, and the engine still runs after 5s"},
	} {
		var s script
		f := finding(t, s.run(t, tt.script).cfg, tt.id)
		if f.Held() != (tt.want == "") || f.Err != nil && !strings.Contains(f.Err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q\n%s", tt.id, f.Err, tt.want, strings.Join(f.Lines, "\n"))
		}
	}
}

// What goes through files stands in the log with what the engine prints.
func TestLog(t *testing.T) {
	var s script
	h := s.run(t, `echo thinking; `+flip)
	k := control(t, "900")
	if _, err := h.Choose(context.Background(), &player.Prompt{Clocks: [2]clock.Clock{k, k}}); err != nil {
		t.Fatal(err)
	}
	h.Tell(&player.Update{Steps: steps(t, "a1(K)")})
	if _, err := h.Choose(context.Background(), &player.Prompt{Clocks: [2]clock.Clock{k, k}}); err != nil {
		t.Fatal(err)
	}
	want := "> board.txt: 0 plies, time 900\n| thinking\n< move.txt: 1 a1 0 0\n> board.txt: 1 plies, time 900, the last a1(K)\n| thinking\n< move.txt: 1 a1 0 0"
	if got := strings.Join(s.log, "\n"); got != want {
		t.Errorf("%s", got)
	}
}

// An engine that puts links in the way of the platform's files does not make it write
// elsewhere.
func TestLinksInTheWay(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	var s script
	h := s.run(t, `rm -f board.txt; ln -s `+outside+` board.txt; `+flip)
	for range 2 {
		if _, err := h.Choose(context.Background(), &player.Prompt{}); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := os.ReadFile(outside); err != nil || string(b) != "mine" {
		t.Errorf("%q %v", b, err)
	}
}

// A process that is stopped or abandoned is ended, with its children.
func TestStop(t *testing.T) {
	before := goleak.IgnoreCurrent()
	for _, how := range []string{"stop", "cancel"} {
		var s script
		pids := filepath.Join(t.TempDir(), "pids")
		h := s.run(t, `sleep 100 & echo $! > `+pids+`.new; mv `+pids+`.new `+pids+`; wait`)
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() {
			_, err := h.Choose(ctx, &player.Prompt{Deadline: time.Now().Add(time.Minute)})
			done <- err
		}()
		var pid int
		for pid == 0 {
			b, _ := os.ReadFile(pids)
			pid, _ = strconv.Atoi(strings.TrimSpace(string(b)))
			time.Sleep(5 * time.Millisecond)
		}
		if how == "cancel" {
			cancel()
		}
		var err error
		for over := false; !over; {
			if how == "stop" {
				h.Stop() // until it is heard: the process may run before the host waits for it
			}
			select {
			case err = <-done:
				over = true
			case <-time.After(5 * time.Millisecond):
			}
		}
		var f *player.Failure
		if !errors.As(err, &f) || f.Reason != game.ByAbort {
			t.Errorf("%s: %v", how, err)
		}
		cancel()
		for n := 0; syscall.Kill(pid, 0) == nil; n++ {
			if n > 12000 {
				t.Fatalf("%s: the child still runs", how)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	leaks.None(t, before)
}

// Games of one engine at once have folders of their own; with restart=each-game the
// next game has a fresh one, otherwise what the engine has written stays.
func TestPrivateFolders(t *testing.T) {
	var a, b script
	first, second := a.run(t, `echo x >> played; `+flip), b.run(t, `echo x >> played; `+flip)
	ask := func(h *Host, lines int) {
		t.Helper()
		if _, err := h.Choose(context.Background(), &player.Prompt{}); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(h.path("played"))
		if err != nil || strings.Count(string(data), "\n") != lines {
			t.Errorf("%q %v, want %d lines", data, err, lines)
		}
	}
	ask(first, 1)
	ask(second, 1)
	ask(first, 2)
	if first.folder.Path() == second.folder.Path() {
		t.Error("two games share a folder")
	}
	again := func() {
		first.Over(game.Drawn("noeatflip", ""))
		if err := first.NewGame(context.Background(), &player.Setup{Spec: "darkchess", Width: 4, Height: 8}); err != nil {
			t.Fatal(err)
		}
	}
	again()
	ask(first, 3)
	first.cfg.Restart = protocol.RestartEachGame
	again()
	ask(first, 1)
	if len(a.warnings) > 0 {
		t.Errorf("warnings %q", a.warnings)
	}
}
