//go:build unix

package match_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/testbin"
	"kibitz/link"
	"kibitz/link/proc"
	"kibitz/match"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/nboard"
	"kibitz/protocol/piskvork"
	"kibitz/rules"
)

// faultEngine builds the engine that fails on request, once.
var faultEngine = sync.OnceValues(func() (string, error) {
	path, remove, err := testbin.FaultEngine()
	removeEngine = remove
	return path, err
})

// host returns a player behind the protocol for a program with arguments; start and reply are
// its times to start and to acknowledge.
func host(t *testing.T, id string, spec game.Spec, path string, start, reply time.Duration, args ...string) player.Player {
	t.Helper()
	p := piskvork.Protocol()
	if id == "nboard" {
		p = nboard.Protocol()
	}
	o := link.Options{Now: time.Now}
	h, err := p.Host(protocol.Config{
		Name: "engine", Now: time.Now, StartLimit: start, ReplyLimit: reply,
		Dial: proc.Dialer(proc.Spec{Path: path, Args: args, Options: o, Grace: 100 * time.Millisecond}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// fine stands for an end by the rules of the game.
const fine game.Reason = "fine"

// TestFaultyEngines plays faults of every kind against a healthy engine, on both seats:
// the referee comes to the right verdict soon, and the healthy engine plays its next
// game, against the faulty one started anew. Every fault in every protocol is played by
// internal/reliability.
func TestFaultyEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many games with processes")
	}
	path, err := faultEngine()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		args   string
		want   []game.Reason // any of them is right
		detail string
	}{
		{"-mode=", []game.Reason{fine}, ""},
		{"-mode=crash -at=3 -code=7", []game.Reason{game.ByCrash}, "exit status 7"},
		{"-mode=panic -at=2", []game.Reason{game.ByCrash}, "exit status 2"},
		{"-mode=hang -at=2", []game.Reason{game.ByTime}, ""},
		{"-mode=longline -at=2", []game.Reason{fine}, ""},
		{"-mode=closeout -at=2", []game.Reason{game.ByCrash}, "closed its output"},
		{"-mode=illegal -at=2", []game.Reason{game.ByIllegal, game.ByProtocol}, ""},
		{"-mode=neverready", []game.Reason{game.ByStart}, ""},
		{"-mode=chatter", []game.Reason{fine}, ""},
		{"-mode=noexit", []game.Reason{fine}, ""},
		{"-mode=noread -at=2", []game.Reason{game.ByTime, game.ByStall}, ""},
		{"-mode=forkexit -at=2 -code=4", []game.Reason{game.ByCrash}, "exit status 4"},
	} {
		for id, spec := range map[string]string{"piskvork": "gomoku:size=9", "nboard": "othello"} {
			t.Run(id+" "+k.args, func(t *testing.T) {
				t.Parallel()
				playFault(t, path, id, spec, k.args, k.want, k.detail)
			})
		}
	}
}

func playFault(t *testing.T, path, id, spec, args string, want []game.Reason, detail string) {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	pidfile := filepath.Join(t.TempDir(), "pid")
	flags := append([]string{"-proto", id, "-pidfile", pidfile}, strings.Fields(args)...)
	// Only where time is to run out is it short: the machine may be busy.
	const patience = time.Minute
	control, start, reply := control(t, "st=60"), patience, patience
	if short(want) {
		control.Turn = time.Second
	}
	if slices.Contains(want, game.ByStall) { // else it has to answer what comes before its fault
		reply = time.Second
	}
	if slices.Contains(want, game.ByStart) {
		start = time.Second
	}
	bad := host(t, id, r.Spec(), path, start, reply, flags...)
	good := host(t, id, r.Spec(), path, patience, patience, "-proto", id)
	fresh := true
	for n := range 2 {
		g := &match.Game{ID: fmt.Sprint(n), Rules: r, Now: time.Now}
		g.Sides[n] = match.Side{Player: bad, Name: "bad", Clock: control, Margin: 200 * time.Millisecond}
		g.Sides[1-n] = match.Side{Player: good, Name: "good", Clock: clock.Control{Turn: time.Minute}, Margin: sec}
		begin := time.Now()
		o := match.Play(t.Context(), g)
		got := o.Result.Reason
		if slices.ContainsFunc(r.Doc().Reasons, func(c rules.Code) bool { return game.Reason(c.Word) == got }) {
			got = fine
		}
		if got == fine && !fresh {
			want = append(want, fine) // it failed at a move of its first game
		}
		if !slices.Contains(want, got) || !strings.Contains(o.Result.Detail, detail) {
			t.Errorf("game %d: %+v, want %v (%s)\n%q", n, o.Result, want, detail, o.Evidence)
		}
		if got != fine && (o.Result.Winner() != game.Seat(1-n) || !o.Faulty[n] || o.Faulty[1-n]) {
			t.Errorf("game %d: the wrong seat lost: %+v, faulty %v", n, o.Result, o.Faulty)
		}
		if strings.Contains(args, "panic") && !slices.Contains(o.Evidence, "assertion failed: depth > 0") {
			t.Errorf("no stderr in the evidence: %q", o.Evidence)
		}
		if d := time.Since(begin); d > 2*patience {
			t.Errorf("game %d took %v", n, d)
		}
		if fresh = o.Faulty[n]; fresh {
			_ = bad.Close()
			bad = host(t, id, r.Spec(), path, start, reply, flags...)
		}
	}
	_ = bad.Close()
	if b, err := os.ReadFile(pidfile); err == nil {
		checkGone(t, string(b))
	}
}

// short reports whether an engine that fails like this uses up its time.
func short(want []game.Reason) bool {
	return slices.Contains(want, game.ByStart) || slices.Contains(want, game.ByTime)
}

// checkGone waits for the forked child of an engine to be gone.
func checkGone(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		return // it was killed before it could write its number
	}
	for range 6000 {
		b, err := os.ReadFile("/proc/" + pid + "/stat")
		_, state, _ := strings.Cut(string(b), ") ")
		if err != nil && errors.Is(syscall.Kill(n, 0), syscall.ESRCH) || strings.HasPrefix(state, "Z") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("child %d lives on", n)
}
