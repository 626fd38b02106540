package sau_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/player/playertest"
	"kibitz/protocol"
)

// TestChecksOnOwnEngine holds the engine side to every requirement and every piece
// of advice, on every game.
func TestChecksOnOwnEngine(t *testing.T) {
	for _, id := range forms.Games() {
		t.Run(id, func(t *testing.T) {
			spec := canonical(t, id)
			synctest.Test(t, func(t *testing.T) {
				dial := playertest.Served(forms.Serve, func() protocol.Server {
					return protocol.Server{Player: serveRandom(), Position: board(), Now: time.Now, Name: "Own", Game: spec}
				})
				list := forms.Checks(playertest.BoardOf(t, spec))
				if n := playertest.CheckAll(t, protocol.Config{Dial: dial, Now: time.Now}, time.Second, list); n != len(list) || n < 13 {
					t.Errorf("%d of %d requirements were held", n, len(list))
				}
			})
		})
	}
	if forms.Checks(playertest.BoardOf(t, "othello")) != nil {
		t.Error("checks for a game that the protocol does not play")
	}
}

// one runs a single check against a scripted engine.
func one(t *testing.T, spec, id, script string) protocol.Finding {
	t.Helper()
	return playertest.CheckScript(t, forms.Checks(playertest.BoardOf(t, canonical(t, spec))), id, script)
}

const (
	named = "> name?\n< name X\n"
	black = named + "> new black\n"
	white = named + "> new white\n"
)

// TestChecksFindFaults runs single checks against engines that breach them.
func TestChecksFindFaults(t *testing.T) {
	for _, tt := range []struct{ spec, id, script, want string }{
		{"nogo", "name", "> name?\n< hello\n~ 21s\n", "no name within 4s"},
		{"nogo", "name", "> name?\n!exit 1\n", "the engine ended (exit status 1)"},
		{"nogo", "new-black", black + "< move JA\n", "not a point of the 9x9 board"},
		{"nogo", "new-black", black + "< move 3%\n", "a point of two letters"},
		{"nogo", "new-black", black + "~ 61s\n", "no move within 5s"},
		{"nogo", "new-black", black + "< move pass\n", "a pass is no move of this game"},
		{"nogo", "new-white", white + "< move EE\n", "came at new white"},
		{"nogo", "answer", white + ">~ move ..\n< move AA\n", "a9 is occupied"},
		{"nogo", "one-move", black + "< move EE\n< move EF\n", "came after the move"},
		{"nogo", "one-move", black + "< move EE\n>~ move ..\n<" + `"move EF\nmove EG\n"` + "\n", "came after the second move"},
		{"nogo", "error", black + "< move EE\n> error\n< move EE\n", "came again after error"},
		{"nogo", "error", black + "< move EE\n> error\n< sorry\n~ 61s\n", "no move within"},
		{"nogo", "quit", black + "< move EE\n> quit\n~ 3s\n", "still runs"},
		{"nogo", "end", black + "< move EE\n> end\n!exit 0\n", "the engine ended"},
		{"nogo", "end", black + "< move EE\n> end\n> name?\n~ 2s\n", "no name within 1s"},
		{"nogo", "second-game", black + "< move EE\n>~ move ..\n< move FF\n> end\n> new white\n>~ move AA\n< move AA\n", "in a second game as white"},
		{"nogo", "new-again", black + "< move EE\n> new black\n~ 61s\n", "no move within"},
		{"nogo", "final-move", black + "< move EE\n>~ \"?move ..\n> end\n!exit 0\n", "the engine ended"},
		{"nogo", "canonical", black + "< move ee\n", "move ee instead of move EE"},
		{"amazons", "new-black", black + "< move AAAAAA\n", "no amazon of the side to move on a10"},
		{"amazons", "new-black", black + "< move ADBDBE\n", "no amazon of the side to move on a7"},
		{"amazons", "new-black", black + "< move DJDDDB\n", ""},
		{"amazons", "new-black", black + "< move DJGJDB\n", "the amazon on d1 cannot go to g1"},
		{"amazons", "new-black", black + "< move DJFIFB\n", "the amazon on d1 cannot go to f2"},
		{"amazons", "new-black", black + "< move DJDDFG\n", "the amazon on d7 cannot shoot at f4"},
		{"amazons", "answer", white + ">~ move .*\n< move AGBGBH\n", "no amazon of the side to move on a4"},
		{"connect6", "new-black", black + "< move JJKK\n", "black's first turn is one stone: move JJ@@"},
		{"connect6", "lone-stone", white + ">~ move ..@@\n!signal segmentation fault\n", "segmentation fault"},
		{"connect6", "lone-stone", white + ">~ move ..@@\n< move JJ@@\n", "the turn is not complete"},
		{"connect6", "lone-stone", white + ">~ move ..@@\n< move JJJJ\n", "two different points"},
		{"connect6", "first-form", black + "< move JJ\n", "instead of move XX@@"},
		{"surakarta", "new-black", black + "< move AFAE\n", "no piece of the side to move on a1"},
		{"surakarta", "new-black", black + "< move BBBA\n", "a piece of the same side stands on b6"},
		{"surakarta", "new-black", black + "< move BBBD\n", "b3 is empty and not next to b5"},
		{"dotsandboxes", "new-black", black + "< move 1 AGA\n", "is not a line of the board"},
		{"dotsandboxes", "new-black", black + "< move 1 BAF\n", "is not a line of the board"},
		{"dotsandboxes", "new-black", black + "< move 2 AAABAA\n", "a5v is beyond the end of the turn"},
		{"dotsandboxes", "answer", white + "> move 1 AAA\n< move 1 AAA\n", "line a6h is already drawn"},
		{"dotsandboxes", "turns", white + "> move 1 AAA\n< move 1 ABA\n> move 1 ADB\n< move 1 BAA\n>~ move .*\n< move 1 BBA\n", "the turn is not complete"},
		{"phantomgo", "refuse", white + "> move go\n< move EE\n> refuse\n< move EE\n", "came again after refuse"},
		{"phantomgo", "refuse", white + "> move go\n< move EE\n> refuse\n~ 61s\n", "after refuse"},
		{"phantomgo", "accept", black + "< move EE\n> accept\n< move EF\n", "came after accept"},
		{"phantomgo", "accept", black + "< move EE\n> accept\n> move go\n< move EE\n", "own stone stands"},
		{"phantomgo", "accept", black + "< move EE\n> accept\n> move go\n< move FF\n> accept\n> take 1 FB\n< move AB\n", "came after accept and take"},
		{"phantomgo", "taked", black + "< move EE\n> accept\n> taked 1 EE\n> move go\n~ 61s\n", "no move within"},
		{"phantomgo", "taked", black + "< move EE\n> accept\n> taked 1 EE\n> move go\n<" + `"move FF\nmove GG\n"` + "\n", "came after the answer to taked"},
		{"phantomgo", "pass", black + "< move EE\n> accept\n> move pass\n~ 61s\n", "no move within"},
		{"phantomgo", "new-black", black + "< move JJ\n", "neither a point of the 9x9 board"},
	} {
		t.Run(tt.spec+" "+tt.id, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := one(t, tt.spec, tt.id, tt.script)
				if tt.want == "" {
					if !f.Held() {
						t.Errorf("%v\n%s", f.Err, strings.Join(f.Lines, "\n"))
					}
					return
				}
				if f.Held() || errors.Is(f.Err, protocol.ErrSkipped) || !strings.Contains(f.Err.Error(), tt.want) {
					t.Errorf("%v\n%s", f.Err, strings.Join(f.Lines, "\n"))
				}
			})
		})
	}
}

// TestChecksHold runs single checks against engines that do right in ways which a
// careless check takes for wrong.
func TestChecksHold(t *testing.T) {
	for _, tt := range []struct{ spec, id, script string }{
		{"nogo", "name", "> name?\n< Loading 1 2 3\n< name X Y\n"},
		{"nogo", "new-black", black + "< thinking\n< move EE\n"},
		{"nogo", "new-white", white + "< moving soon\n"},
		{"nogo", "one-move", black + "< move EE\n< I moved EE\n>~ move ..\n< board\n< move FF\n< done\n"},
		{"nogo", "quit", black + "< move EE\n> quit\n< Quit!\n!exit 0\n"},
		{"connect6", "new-black", black + "< move JJ\n"},
		{"connect6", "answer", white + ">~ move ..@@\n< move JJKK junk\n"},
		{"phantomgo", "refuse", white + "> move go\n< move EE\n> refuse\n< move pass\n"},
		{"phantomgo", "turns", white + "> move go\n< move pass\n"},
		{"phantomgo", "accept", black + "< move EE\n> accept\n< unknown command\n> move go\n< move FF\n> accept\n> take 1 FB\n< unknown command\n> move go\n< move AA\n"},
		{"surakarta", "answer", white + "> move ABAC\n< move AEAD\n"},
	} {
		t.Run(tt.spec+" "+tt.id, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if f := one(t, tt.spec, tt.id, tt.script); !f.Held() {
					t.Errorf("%v\n%s", f.Err, strings.Join(f.Lines, "\n"))
				}
			})
		})
	}
}

// TestChecksUntested does not blame a requirement for what went wrong before.
func TestChecksUntested(t *testing.T) {
	for id, script := range map[string]string{
		"new-black":   "> name?\n!exit 1\n",
		"turns":       white + ">~ move ..\n< move ZZ\n",
		"one-move":    black + "< move ZZ\n",
		"quit":        black + "!exit 1\n",
		"error":       black + "!exit 1\n",
		"end":         black + "< move 1\n",
		"second-game": black + "< move EE\n< move FF\n",
		"final-move":  black + "!exit 1\n",
	} {
		t.Run(id, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if f := one(t, "nogo", id, script); !f.Skipped() {
					t.Errorf("%v\n%s", f.Err, strings.Join(f.Lines, "\n"))
				}
			})
		})
	}
}
