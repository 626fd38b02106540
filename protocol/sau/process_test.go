//go:build unix

package sau_test

import (
	"strings"
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
	"kibitz/player/playertest"
	"kibitz/protocol"
)

// faulty returns a host that drives the engine which fails on request.
func faulty(t *testing.T, warn func(string), spec game.Spec, mode string, more ...string) player.Player {
	t.Helper()
	f := &faultEngine
	f.once.Do(func() { f.path, f.remove, f.err = testbin.FaultEngine() })
	if f.err != nil {
		t.Fatal(f.err)
	}
	start, reply := time.Minute, time.Minute // short only where it is to run out: the machine may be busy
	switch mode {
	case "neverready":
		start = time.Second
	case "nameonce":
		reply = time.Second
	}
	args := append([]string{"-proto", "sau", "-game", spec.ID(), "-mode", mode}, more...)
	h, err := forms.NewHost(protocol.Config{
		Name: "faulty", Now: time.Now, StartLimit: start, ReplyLimit: reply, Warn: warn,
		Dial: proc.Dialer(proc.Spec{Path: f.path, Args: args, Options: link.Options{Now: time.Now}, Grace: 100 * time.Millisecond}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return h
}

// TestProcesses plays two games in a row of a real process that goes wrong against a
// player of this program: none hangs, each has its verdict, and the second game is
// played.
func TestProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	const fine game.Reason = ""
	for _, tt := range []struct {
		game, mode string
		more       []string
		seat       game.Seat
		want       game.Reason // why the engine loses both games; fine: it does not
		limit      time.Duration
		retries    int
		warn       string
	}{
		{"nogo", "", nil, 0, fine, 0, 0, ""},
		{"connect6", "", nil, 0, fine, 0, 0, ""},
		{"connect6", "", nil, 1, fine, 0, 0, ""},
		{"phantomgo", "", nil, 0, fine, 0, 0, ""},
		{"phantomgo", "", nil, 1, fine, 0, 0, ""},
		{"nogo", "exitonend", nil, 0, fine, 0, 0, ""},
		{"nogo", "exitonend", nil, 1, fine, 0, 0, ""},
		{"nogo", "crashonend", nil, 0, fine, 0, 0, "ended between two games: the engine ended (signal: killed, Kibitz did not kill it"},
		{"nogo", "nameonce", nil, 0, fine, 0, 0, "no answer to name? between two games"},
		{"connect6", "crashonnone", nil, 1, game.ByCrash, 0, 0, ""},
		{"nogo", "neverresend", []string{"-at", "2"}, 0, game.ByTime, 300 * time.Millisecond, 1, ""},
		{"nogo", "illegal", nil, 0, game.ByIllegal, 0, 0, ""},
		{"nogo", "illegal", []string{"-at", "2"}, 0, fine, 0, 2, ""},
		{"nogo", "crash", []string{"-code", "3"}, 0, game.ByCrash, 0, 0, ""},
		{"nogo", "signal", []string{"-at", "2"}, 0, game.ByCrash, 0, 0, ""},
		{"nogo", "hang", nil, 0, game.ByTime, 300 * time.Millisecond, 0, ""},
		{"nogo", "late", []string{"-delay", "10s"}, 0, game.ByTime, 300 * time.Millisecond, 0, ""},
		{"nogo", "garbage", nil, 0, game.ByTime, 300 * time.Millisecond, 0, ""},
		{"nogo", "half", nil, 0, game.ByTime, 300 * time.Millisecond, 0, ""},
		{"nogo", "halfexit", nil, 0, game.ByCrash, 0, 0, ""},
		{"nogo", "closeout", nil, 0, game.ByCrash, 0, 0, ""},
		{"nogo", "longline", nil, 0, fine, 0, 0, ""},
		{"nogo", "twice", nil, 0, fine, 0, 0, ""},
		{"phantomgo", "twice", nil, 1, fine, 0, 0, ""},
		{"nogo", "messages", []string{"-count", "3000"}, 0, fine, 0, 0, ""},
		{"nogo", "chatter", nil, 0, fine, 0, 0, ""},
		{"nogo", "errflood", []string{"-count", "4000000"}, 0, fine, 0, 0, ""},
		{"nogo", "neverready", nil, 0, game.ByStart, 0, 0, ""},
		{"nogo", "exitstart", []string{"-code", "2"}, 0, game.ByStart, 0, 0, ""},
		{"nogo", "noexit", nil, 0, fine, 0, 0, ""},
		{"nogo", "noterm", nil, 0, fine, 0, 0, ""},
		{"nogo", "spin", nil, 0, fine, 0, 0, ""},
	} {
		t.Run(strings.TrimSpace(tt.game+" "+tt.mode+" "+tt.seat.String()), func(t *testing.T) {
			var warnings []string
			spec := canonical(t, tt.game)
			h := faulty(t, func(s string) { warnings = append(warnings, s) }, spec, tt.mode, tt.more...)
			r, err := games.OpenSpec(spec)
			if err != nil {
				t.Fatal(err)
			}
			for n := range 2 {
				g := &match.Game{ID: "g", Rules: r, Now: time.Now, Policy: match.Policy{Retries: tt.retries, MaxMoves: 30, Start: 2 * time.Minute}}
				g.Sides[tt.seat] = match.Side{Player: h, Name: "faulty", Clock: clock.Control{Turn: time.Minute}}
				if tt.limit > 0 {
					g.Sides[tt.seat].Clock.Turn = tt.limit
				}
				g.Sides[tt.seat.Other()] = match.Side{Player: playertest.NewRandom(uint64(n)), Name: "healthy"}
				o := match.Play(t.Context(), g)
				lost := protocol.AtFault(o.Result, tt.seat)
				if tt.want == fine && (lost || o.Result.Reason == game.ByAbort) || tt.want != fine && (!lost || o.Result.Reason != tt.want) {
					t.Fatalf("game %d: %+v, evidence %q", n+1, o.Result, o.Evidence)
				}
			}
			switch all := strings.Join(warnings, "\n"); {
			case tt.warn == "" && all != "":
				t.Errorf("warnings %q", warnings)
			case !strings.Contains(all, tt.warn):
				t.Errorf("warnings %q, want %q", warnings, tt.warn)
			}
		})
	}
}
