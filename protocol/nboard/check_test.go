package nboard_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot"
	"kibitz/bot/othello"
	"kibitz/games"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/nboard"
	"kibitz/rules"
)

// TestChecksOnOwnEngine holds the engine side to every requirement and every piece
// of advice.
func TestChecksOnOwnEngine(t *testing.T) {
	// Thinking takes no time by the test's clock, on a busy machine either.
	synctest.Test(t, checksOnOwnEngine)
}

func checksOnOwnEngine(t *testing.T) {
	dial := playertest.Served(nboard.Serve, func() protocol.Server {
		return protocol.Server{
			Player: othello.New(bot.Options{Level: 9, Now: time.Now}), Position: rules.NewBoard(games.OpenSpec), Now: time.Now, Name: "Own", Game: "othello",
		}
	})
	tested := playertest.CheckAll(t, protocol.Config{Dial: dial, Now: time.Now}, 5*time.Second, nboard.Checks(playertest.BoardOf(t, "othello")))
	if tested < 12 {
		t.Errorf("only %d requirements were tested", tested)
	}
}

// TestChecksOnScripts runs single checks against engines that breach them, and
// against some that do right in an unusual way (want is empty).
func TestChecksOnScripts(t *testing.T) {
	const (
		ready = "> nboard 2\n> set depth 4\n>~ set game .*\n> ping 1\n< pong 1\n"
		deep  = "> nboard 2\n> set depth 40\n>~ set game .*\n> ping 1\n< pong 1\n> go\n~ 600ms\n> ping 2\n"
	)
	for _, tt := range []struct{ id, script, want string }{
		{"ready", ">...\n> ping 1\n< pong 2\n~ 31s\n", "no pong 1"},
		{"ready", ">...\n> ping 1\n< Loading weights\n< pong 1\n", ""},
		{"go", ready + "> go\n< === e3\n", "illegal"},
		{"go", ready + "> go\n< === \n", "a square was due behind the three signs"},
		{"go", ready + "> go\n!exit 2\n", "the engine ended (exit status 2)"},
		{"go", ready + "> go\n< status thinking\n< === f5 0.00 0.0\n", ""},
		{"go-once", ready + "> go\n< === f5\n< === f5\n", "a second answer"},
		{"go-keeps", ready + "> go\n< === f5\n> ping 2\n< pong 2\n> go\n< === d6\n", "illegal"},
		{"set-game", ready + "> go\n< === f5\n", "illegal"},
		{"pong-stops", deep + "~ 3s\n", "no pong 2 within 1s"},
		{"pong-stops", "> nboard 2\n> set depth 40\n>~ set game .*\n> ping 1\n< pong 1\n> go\n< === b3\n", "skipped"},
		{"stale", deep + "< pong 2\n< === b3\n", "after pong"},
		{"stale", deep + "< === b3\n< pong 2\n", ""},
		{"stop-answers", deep + "< pong 2\n", "no === line before pong"},
		{"hint", ready + "> hint 2\n< status x\n~ 31s\n", "no search or book line"},
		{"pass", ready + "> go\n< === a1\n", "no pass"},
		{"name", ">...\n>~ set game .*\n~ 31s\n", "no set myname"},
		{"analyze", ready + "> analyze\n< status no\n~ 3s\n", "no analysis line"},
		{"quit", ready + "> quit\n~ 3s\n", "still runs"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := playertest.CheckScript(t, nboard.Checks(playertest.BoardOf(t, "othello")), tt.id, tt.script)
				if f.Held() != (tt.want == "") || f.Err != nil && !strings.Contains(f.Err.Error(), tt.want) {
					t.Errorf("%v, want %q\n%s", f.Err, tt.want, strings.Join(f.Lines, "\n"))
				}
			})
		})
	}
}
