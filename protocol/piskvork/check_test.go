package piskvork_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot"
	"kibitz/bot/gomoku"
	"kibitz/player/playertest"
	"kibitz/protocol"
	pv "kibitz/protocol/piskvork"
)

// TestChecksOnOwnEngine holds the engine side to every requirement and every piece
// of advice.
func TestChecksOnOwnEngine(t *testing.T) {
	// Thinking takes no time by the test's clock, on a busy machine either.
	synctest.Test(t, checksOnOwnEngine)
}

func checksOnOwnEngine(t *testing.T) {
	spec := canonical(t, "gomoku:rule=renju")
	dial := playertest.Served(pv.Serve, func() protocol.Server {
		return protocol.Server{Player: gomoku.New(bot.Options{Level: 2, Now: time.Now}), Position: board(), Now: time.Now, Name: "Own", Game: spec}
	})
	if n := playertest.CheckAll(t, protocol.Config{Dial: dial, Now: time.Now}, time.Second, pv.Checks(playertest.BoardOf(t, spec))); n < 20 {
		t.Errorf("only %d requirements were held", n)
	}
}

// TestChecksFindFaults runs single checks against brains that breach them.
func TestChecksFindFaults(t *testing.T) {
	const begun = "> START 15\n< OK\n>...\n> INFO time_left 100000\n"
	slow := func(d string) string {
		return begun + ">...\n> BEGIN\n~ " + d + "\n< 3,3\n>...\n>~ TURN .*\n< 4,4\n>...\n>~ TURN .*\n< 6,6\n"
	}
	// The engine has five after five moves.
	turns := begun + "> BEGIN\n< 7,7\n"
	for y := 6; y > 2; y-- {
		turns += fmt.Sprintf(">...\n>~ TURN .*\n< 7,%d\n", y)
	}
	for _, tt := range []struct{ id, script, want string }{
		{"start", "> START 15\n< UNKNOWN\n", "START 15 was answered"},
		{"start", "> START 15\n!close\n", "waiting for OK to START"},
		{"begin", begun + "> BEGIN\n< 15,0\n", "off the 15x15 board"},
		{"turn", begun + "> BEGIN\n< 7,7\n>...\n>~ TURN .*\n< 7,7\n", "to an occupied point"},
		{"board", begun + ">...\n> DONE\n< 7,7\n", "to an occupied point"},
		{"turn-limit", begun + ">...\n> BEGIN\n~ 2s\n< 3,3\n>...\n>~ TURN .*\n< 4,4\n>...\n>~ TURN .*\n< 6,6\n", "a move took 2s"},
		{"turn-limit", slow("700ms"), "a move took 700ms"},
		{"at-once", begun + "> BEGIN\n< 7,7\n>~ TURN .*\n< ERROR Unknown command: 0,0\n", "no move within"},
		{"swap2-choice", begun + ">...\n> DONE\n< ERROR bad line\n< 1,1 2,2 3,3\n", "before the answer"},
		{"swap2-choice", begun + ">...\n> DONE\n< 1,1 2,2 3,3\n", `answered by "1,1 2,2 3,3": SWAP, one point or two points on one line were due`},
		{"illegal-turn", begun + "> TURN 20,20\n!exit 1\n", "the engine ended"},
		{"line-feed", "> START 15\n~ 11s\n", "no OK to START"},
		{"bad-size", "> START 4\n< OK\n", `was answered by "OK"`},
		{"second-game", turns + "> START 15\n< OK\n>...\n> TURN 7,3\n< ERROR opponents's move [7,3]\n< 1,1\n", "was not emptied"},
		{"second-game", turns + "> START 15\n< OK\n>...\n> TURN 7,3\n!exit 9\n", "after the second START: the engine ended (exit status 9)"},
		{"start-20", "> START 20\n< OK\n>...\n> TURN 18,17\n< ERROR\n~ 11s\n", "a stone at 18,17"},
		{"restart", turns + "> RESTART\n< UNKNOWN\n", `was answered by "UNKNOWN"`},
		{"end", begun + "> BEGIN\n< 1,1\n> END\n~ 3s\n", "still runs"},
		{"about", "> ABOUT\n< my brain\n", "no name="},
		{"rule", begun + "> INFO rule 0\n< ERROR rule\n", "answered by"},
		{"unknown", begun + "> KIBITZCHECK 1\n< OK\n", "was answered by"},
		{"takeback", begun + "> BEGIN\n< 1,1\n> TAKEBACK 1,1\n< UNKNOWN\n", "was answered by"},
		{"swap2", begun + "> SWAP2BOARD\n> DONE\n< SWAP\n", `answered by "SWAP": three points`},
		{"swap2", begun + "> SWAP2BOARD\n> DONE\n< 7,7\n", `answered by "7,7": three points were due on one line: x,y x,y x,y`},
		{"move-now", begun + ">...\n>~ TURN .*\n~ 400ms\n> INFO timeout_turn 0\n~ 2s\n", "no move within"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := playertest.CheckScript(t, pv.Checks(playertest.BoardOf(t, "gomoku")), tt.id, tt.script)
				if f.Held() || errors.Is(f.Err, protocol.ErrSkipped) || !strings.Contains(f.Err.Error(), tt.want) {
					t.Errorf("%v\n%s", f.Err, strings.Join(f.Lines, "\n"))
				}
			})
		})
	}
}

// TestChecksUntested does not blame a requirement for what went wrong before.
func TestChecksUntested(t *testing.T) {
	const begun = "> START 15\n< OK\n>...\n> INFO time_left 100000\n"
	for id, script := range map[string]string{
		"turn-limit":  begun + ">...\n> BEGIN\n< 99,99\n",
		"time-left":   "> START 15\n< ERROR\n",
		"second-game": begun + "> BEGIN\n!exit 1\n",
		"restart":     begun + "> BEGIN\n< 7,7\n>...\n>~ TURN .*\n< 7,7\n",
		"at-once":     begun + "> BEGIN\n< 15,15\n",
		"turn":        begun + "> BEGIN\n< 15,15\n",
		"end":         begun + "> BEGIN\n!exit 1\n",
		"takeback":    begun + "> BEGIN\n~ 11s\n",
		"begin":       "> START 15\n!exit 1\n",
		"move-now":    begun + ">...\n>~ TURN .*\n< SUGGEST 1,1\n",
	} {
		t.Run(id, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := playertest.CheckScript(t, pv.Checks(playertest.BoardOf(t, "gomoku")), id, script)
				if !f.Skipped() {
					t.Errorf("%v\n%s", f.Err, strings.Join(f.Lines, "\n"))
				}
			})
		})
	}
}

// TestChecksHold runs single checks against brains that do right in ways which a
// careless check takes for wrong.
func TestChecksHold(t *testing.T) {
	const begun = "> START 15\n< OK\n>...\n> INFO time_left 100000\n"
	five := begun + "> BEGIN\n< 7,7\n"
	for y := 6; y > 2; y-- {
		five += fmt.Sprintf(">...\n>~ TURN .*\n< 7,%d\n", y)
	}
	limit := func(d string) string {
		return begun + ">...\n> BEGIN\n~ " + d + "\n< 3,3\n>...\n>~ TURN .*\n< 4,4\n>...\n>~ TURN .*\n< 6,6\n"
	}
	for _, tt := range []struct{ id, script string }{
		{"turn", five}, // the game is over: no further TURN
		{"turn-limit", limit("590ms")},
		{"swap2", begun + "> SWAP2BOARD\n> DONE\n< MESSAGE hm\n< 1,1 2,2 3,3\n"},
		{"swap2-choice", begun + ">...\n> DONE\n< SWAP\n"},
		{"restart", five + "> RESTART\n< OK\n>...\n> TURN 7,3\n< 2,2\n"},
		// It complains about INFO, which is passed over.
		{"restart", five + "> RESTART\n< OK\n> INFO time_left 100000\n< ERROR what\n> TURN 7,3\n< 2,2\n"},
		{"second-game", five + "> START 15\n< OK\n>...\n> INFO time_left 100000\n< ERROR what\n>...\n> TURN 7,3\n< 2,2\n"},
		{"unknown", begun + "< ERROR what\n> KIBITZCHECK 1\n< UNKNOWN\n"},
		{"memory", begun + "< ERROR what\n> INFO max_memory 367001600\n"},
		{"swap2", begun + "< ERROR what\n> SWAP2BOARD\n> DONE\n< 1,1 2,2 3,3\n"},
		{"begin", begun + "> BEGIN\n< DEBUG x\n< MESSAGE y\n<  7 , 7 \n"},
		{"begin", begun + "> BEGIN\n< SUGGEST 3,4\n> PLAY 3,4\n< 3,4\n"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if f := playertest.CheckScript(t, pv.Checks(playertest.BoardOf(t, "gomoku")), tt.id, tt.script); !f.Held() {
					t.Errorf("%v\n%s", f.Err, strings.Join(f.Lines, "\n"))
				}
			})
		})
	}
}
