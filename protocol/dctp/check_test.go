package dctp_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot"
	botdarkchess "kibitz/bot/darkchess"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/dctp"
)

// TestChecksOnOwnEngine holds the engine side to every requirement and every piece
// of advice.
func TestChecksOnOwnEngine(t *testing.T) {
	// Thinking takes no time by the test's clock, on a busy machine either.
	synctest.Test(t, checksOnOwnEngine)
}

func checksOnOwnEngine(t *testing.T) {
	dial := playertest.Served(dctp.Serve, func() protocol.Server {
		return protocol.Server{
			Player: botdarkchess.New(bot.Options{Level: 2, Now: time.Now}), Position: board(), Now: time.Now,
			Name: "Own", Version: "1", Game: "darkchess:noeat=180,repetition=3",
		}
	})
	list := dctp.Checks(playertest.BoardOf(t, "darkchess"))
	if n := playertest.CheckAll(t, protocol.Config{Dial: dial, Now: time.Now}, time.Second, list); n != len(list) {
		t.Errorf("%d of %d requirements were held", n, len(list))
	}
}

// TestChecksOnScripts runs single checks against engines that breach them, and
// against some that do right in an unusual way (want is empty).
func TestChecksOnScripts(t *testing.T) {
	const ready = "> 7 reset_board\n< =7\n> 15 time_settings 10000\n< =15\n> 14 ready\n< =14\n"
	const line = "> 11 flip b4 P\n< =11\n> 16 time_left red 9000\n< =16\n> 11 flip b5 p\n< =11\n> 16 time_left black 9000\n< =16\n" +
		"> 10 move b4 b5\n< =10\n> 16 time_left red 9000\n< =16\n> 11 flip c5 g\n< =11\n> 16 time_left black 9000\n< =16\n"
	for _, tt := range []struct{ id, script, want string }{
		{"reset", "> 7 reset_board\n< ?7 no\n", "?7 no"},
		{"reset", "> 7 reset_board\n!signal segmentation fault\n", "segmentation fault"},
		{"reset", "> 7 reset_board\n< board\n< =7 \n> 15 time_settings 10000\n< =15\n> 14 ready\n~ 61s\n", "no reply to 14 ready"},
		{"flip", ready + "> 12 genmove unknown\n< =12 a1 a2\n", "no own piece face up on a1"},
		{"flip", ready + "> 12 genmove unknown\n< noise\n< =12 a1-a1\n", ""},
		{"echo", ready + line + "> 12 genmove red\n< =12 b5 b4\n> 12 genmove red\n< =12 b4 b3\n", `"b4 b3" is not possible: there is no own piece face up on b4`},
		{"echo", ready + line + "> 12 genmove red\n< =12 b5 b4\n> 12 genmove red\n< ?12 black is to move\n", "genmove must not change the board"},
		{"echo", ready + line + "> 12 genmove red\n< =12 b5 b4\n> 12 genmove red\n< =12 a1 a1\n", ""},
		{"reply", ready + line + "> 12 genmove red\n< =12 b4 b5\n", "with rows counted from the other end it would be"},
		{"reply", ready + line + "> 12 genmove red\n< =12 b5 c5\n", "not possible"},
		{"reply", ready + line + "> 12 genmove red\n< =12 c5 c5\n", "not possible"},
		{"reply", ready + line + "> 12 genmove red\n< =12 b5 b4\n", ""},
		{"number", "> 7 resetboard\n< =8\n~ 61s\n", "no reply"},
		{"again", ready + line + "> 12 genmove red\n!exit 1\n", "skipped"},
		{"quit", ready + "> 5 quit\n< =5\n~ 3s\n", "still runs"},
		{"quit", ready + "> 5 quit\n< =5\n!exit 0\n", ""},
		{"version", "> 0 protocol_version\n< =0 1.0.0\n> 1 name\n< =1\n", "answered by nothing"},
		{"settings", "> 7 reset_board\n< =7\n> 6 boardsize 8 4\n!signal segmentation fault\n", "segmentation fault"},
		{"quiet", "> 7 reset_board\n< board\n< =7\n", "came before the reply"},
		{"quiet", "> 7 reset_board\n< =7\n< board\n", "came after the reply"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := playertest.CheckScript(t, dctp.Checks(playertest.BoardOf(t, "darkchess")), tt.id, tt.script)
				if f.Held() != (tt.want == "") || f.Err != nil && !strings.Contains(f.Err.Error(), tt.want) {
					t.Errorf("%v, want %q\n%s", f.Err, tt.want, strings.Join(f.Lines, "\n"))
				}
			})
		})
	}
}
