package remote

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/player"
)

// chatting prints before it decides, and something to its standard error.
type chatting struct {
	player.Player
	print func(mark byte, at time.Time, line []byte)
}

func (c *chatting) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	for i := range 600 {
		c.print('<', time.Time{}, fmt.Appendf(nil, "line %d", i))
	}
	time.Sleep(time.Second)
	c.print('!', time.Time{}, []byte("an error"))
	return c.Player.Choose(ctx, p)
}

// What passes between an engine and its host comes where it is wanted, before the answer that came
// of it; of much the latest.
func TestPrint(t *testing.T) {
	for _, wanted := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			r := open(t, "othello")
			far := &chatting{Player: random.New(random.Options{Seed: 1})}
			var lines []string
			o := Options{Session: "g"}
			if wanted {
				o.Printed = func(mark byte, text string) { lines = append(lines, string(rune(mark))+" "+text) }
			}
			j := join(far, r.Spec(), o, false)
			defer j.Close()
			far.print = j.client.Print
			far.print('#', time.Time{}, []byte("before the game"))
			s := r.New()
			if err := j.NewGame(t.Context(), &player.Setup{ID: "g", Spec: r.Spec()}); err != nil {
				t.Fatal(err)
			}
			if _, err := j.Choose(t.Context(), &player.Prompt{Turn: s.Turn(), Moves: s}); err != nil {
				t.Fatal(err)
			}
			if !wanted {
				if len(lines) > 0 {
					t.Errorf("%d lines that nobody wants", len(lines))
				}
				return
			}
			far.print('<', time.Time{}, []byte("the last line"))
			j.Over(game.Result{})
			j.AwaitPrinted(t.Context())
			n := len(lines)
			if n < 2 || lines[n-1] != "< the last line" {
				t.Fatalf("the last lines: %q", lines[max(0, n-3):])
			}
			n--
			if n != maxPrinted+2 || lines[0] != "# before the game" || lines[1] != "< line 100" || lines[n-2] != "< line 599" || lines[n-1] != "! an error" {
				t.Errorf("%d lines: %q", n, lines)
			}
		})
	}
}

func TestLinesAreBounded(t *testing.T) {
	for _, text := range []string{
		`{"v":2,"k":"lines","lines":[{"m":"","t":"x"}]}`, `{"v":2,"k":"lines","lines":[{"m":"<script>","t":"x"}]}`,
	} {
		if _, err := decode([]byte(text)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
	f, err := decode([]byte(`{"v":2,"k":"lines","lines":[{"m":"!","t":"a\u0000b"}]}`))
	if err != nil || f.Lines[0].Text == "a\x00b" {
		t.Errorf("%v %v", f, err)
	}
}
