package readfile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot"
	botdarkchess "kibitz/bot/darkchess"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
)

// checked is the configuration of an engine that is a function.
func checked(t testing.TB, dialect map[string]string, engine func(dir string)) protocol.Config {
	return protocol.Config{
		Name: "X", Now: time.Now, Dialect: dialect,
		Folder: func(context.Context) (protocol.Folder, error) {
			return &fakeFolder{dir: tempDir(t), engine: engine}, nil
		},
	}
}

// finding runs the check of a name against an engine.
func finding(t *testing.T, c protocol.Config, id string) (found protocol.Finding) {
	t.Helper()
	list := Checks(playertest.BoardOf(t, "darkchess"))
	i := slices.IndexFunc(list, func(c protocol.Check) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("there is no check %q", id)
	}
	protocol.RunChecks(t.Context(), c, time.Second, list[i:i+1], func(f protocol.Finding) { found = f })
	return found
}

// TestChecksOnOwnEngine holds the engine side to every requirement and every piece of advice.
func TestChecksOnOwnEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := served(t, "darkchess", player.Limits{}, func() player.Player {
			return botdarkchess.New(bot.Options{Level: 2, Now: time.Now})
		})
		list := Checks(playertest.BoardOf(t, "darkchess"))
		if n := playertest.CheckAll(t, checked(t, nil, engine), time.Second, list); n != len(list) || n == 0 {
			t.Errorf("%d of %d requirements were held", n, len(list))
		}
	})
}

// TestChecksFindFaults runs single checks against engines that breach them, and against some
// that do right in an unusual way (want is empty).
func TestChecksFindFaults(t *testing.T) {
	always := func(answer string) func(string) {
		return func(dir string) { _ = os.WriteFile(filepath.Join(dir, MoveFile), []byte(answer), 0o600) }
	}
	asleep := func(answer string, d time.Duration) func(string) {
		return func(dir string) {
			always(answer)(dir)
			time.Sleep(d)
		}
	}
	// notes keeps an answer for each game that it has seen, and goes by it.
	notes := func(known, other string) func(string) {
		return func(dir string) {
			path := filepath.Join(dir, "notes")
			answer := known
			if _, err := os.Stat(path); err == nil {
				answer = other
			}
			_ = os.WriteFile(path, nil, 0o600)
			always(answer)(dir)
		}
	}
	for i, tt := range []struct {
		id      string
		engine  func(dir string)
		dialect map[string]string
		want    string
	}{
		{"first", always("1 a1 0 0"), nil, ""},
		{"first", always("0 a1 a2"), nil, "0 a1 a2 0 is not possible: there is no own piece face up on a1"},
		{"first", always(""), nil, "move.txt is empty"},
		{"first", func(string) {}, nil, "without writing move.txt"},
		{"first", asleep("1 a1 0 0", time.Minute), nil, "move.txt is written, and the engine still runs after 5s"},
		{"second", always("1 b4 b4"), nil, "not possible: nothing is face down on b4"},
		{"reply", always("0 b5 b4"), nil, ""},
		{"reply", always("0 b4 b5"), nil, "with rows counted from the other end it would be"},
		{"reply", always("2 a0 a0"), nil, "skipped: it resigns"},
		{"capture", always("0 b5 b6"), nil, "not possible"},
		{"step", always("0 a1 b1"), nil, "not possible"},
		{"take", always("0 a1 b1"), nil, "not possible"},
		{"jump", always("0 a1 a2"), nil, "not possible"},
		{"jump", always("0 a1 a5"), nil, ""},
		{"flip", always("0 a1 a2"), nil, "not possible"},
		{"flip", always("0 d8 d8"), nil, ""},
		{"twice", notes("0 b5 b4", "0 b4 b3"), nil, "asked again"},
		{"again", notes("0 b5 b4", "0 b5 b4"), nil, "the next game in the same folder"},
		{"names", always("0 a1 a2"), nil, "not possible"},
		{"time", asleep("0 b5 b4", 6*time.Second), nil, "still runs after 5s"},
		{"time", asleep("0 b5 b4", 4*time.Second), nil, ""},
		{"time", asleep("0 b5 b4", 6*time.Second), map[string]string{"time": "13"}, "skipped"},
	} {
		t.Run(fmt.Sprint(i, " ", tt.id), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := finding(t, checked(t, tt.dialect, tt.engine), tt.id)
				if f.Held() != (tt.want == "") || f.Err != nil && !strings.Contains(f.Err.Error(), tt.want) {
					t.Errorf("%v, want %q\n%s", f.Err, tt.want, strings.Join(f.Lines, "\n"))
				}
			})
		})
	}
}

// A finding has what stood in the files, and what the engine printed. Where nothing was
// answered the rest is not tested.
func TestChecksShow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := finding(t, checked(t, nil, func(dir string) { _ = os.WriteFile(filepath.Join(dir, MoveFile), []byte("7"), 0o600) }), "second")
		want := "> board.txt: 1 plies, time 5, the last b4(P)\n< thinking\n< move.txt: 7"
		if got := strings.Join(f.Lines, "\n"); !strings.HasPrefix(got, want) {
			t.Errorf("got\n%s", got)
		}
		var failed, skipped int
		list := Checks(playertest.BoardOf(t, "darkchess"))
		protocol.RunChecks(t.Context(), checked(t, nil, func(string) {}), time.Second, list, func(f protocol.Finding) {
			if f.Skipped() {
				skipped++
			} else if !f.Held() {
				failed++
			}
		})
		if failed != 1 || skipped == 0 {
			t.Errorf("%d failed, %d skipped", failed, skipped)
		}
	})
}
