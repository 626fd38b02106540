package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/consolelog"
	"kibitz/journal"
)

// consoleOf reads a console of a result.
func consoleOf(t *testing.T, data []byte) (out []bus.ConsoleLine) {
	t.Helper()
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	text, err := dec.DecodeAll(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), "\n")
	var c bus.Console
	if err := json.Unmarshal([]byte(head), &c); err != nil || !c.Over {
		t.Fatalf("%s: %v", head, err)
	}
	defer func() {
		if c.Next != len(out)+1 {
			t.Errorf("%d lines before %d", len(out), c.Next)
		}
	}()
	for line := range strings.Lines(rest) {
		var l bus.ConsoleLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}

func textOf(list []bus.ConsoleLine) string {
	var b strings.Builder
	for _, l := range list {
		b.WriteString(l.Mark + " " + l.Text + "\n")
	}
	return b.String()
}

// pliesOf is how many decisions had been made before each line that begins so.
func pliesOf(list []bus.ConsoleLine, mark string) (out []int) {
	for _, l := range list {
		if strings.HasPrefix(l.Mark+" "+l.Text, mark) {
			out = append(out, l.Ply)
		}
	}
	return out
}

// Lines belong to the decision that is being made when they pass, however late they are heard;
// after a move was taken back to that which is made anew.
func TestConsolePlies(t *testing.T) {
	at := func(n int) time.Time { return time.Unix(int64(n), 0) }
	c := &console{seat: game.First, next: 1, told: 1, log: consolelog.NewWriter(nil)}
	c.note(at(2), 1)
	c.note(at(4), 2)
	c.note(at(6), -2)
	for _, n := range []int{7, 1, 2, 3, 4, 5} {
		c.add('<', at(n), nil)
	}
	if got := pliesOf(c.all(&bus.Play{}).Lines, "< "); !slices.Equal(got, []int{1, 0, 0, 1, 1, 3}) {
		t.Errorf("plies %v", got)
	}
}

// What engines print is told while a game runs where it hides nothing and the room allows
// it, and is kept until the end in any case.
func TestConsole(t *testing.T) {
	for _, c := range []struct {
		spec  game.Spec
		lines bool
		told  bool
	}{{"othello", true, true}, {"othello", false, false}, {"phantomgo:size=5", true, false}} {
		synctest.Test(t, func(t *testing.T) {
			h := newHall()
			_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(10 * time.Millisecond), ID: "w"})
			p := bots("g", c.spec)
			p.Lines, p.Console = c.lines, true
			h.add(p)
			r := h.result(t, "g")
			end()
			for s := range game.Seat(2) {
				kept := consoleOf(t, r.Consoles[s])
				other := "secret of " + p.Seats[s.Other()].Name
				if text := textOf(kept); !strings.Contains(text, "< depth 3 secret of "+p.Seats[s].Name) || strings.Contains(text, other) || !strings.Contains(text, "< move ") {
					t.Errorf("%s, %s: %.300s", c.spec, s, text)
				}
				if plies := pliesOf(kept, "< move "); c.spec == "othello" && !slices.Equal(plies[:3], []int{int(s), 2 + int(s), 4 + int(s)}) {
					t.Errorf("%s decides at %v", s, plies)
				}
				if !c.told {
					if len(h.printed[s]) > 0 || h.consoles[s] != nil {
						t.Errorf("%s, lines %v: %s is told %+v", c.spec, c.lines, s, h.printed[s])
					}
					continue
				}
				var heard []bus.ConsoleLine
				for _, m := range h.printed[s] {
					if heard = append(heard, m.Lines...); m.Next != len(heard)+1 || m.Attempt != 1 || m.Seat != s {
						t.Fatalf("%d lines before %+v", len(heard), m)
					}
				}
				if n := len(h.printed[s]); n < 2 || !h.printed[s][n-1].Over || h.printed[s][n-2].Over || textOf(heard) != textOf(kept) {
					t.Errorf("told %d times:\n%s\nkept:\n%s", n, textOf(heard), textOf(kept))
				}
				if all := h.consoles[s](); textOf(all.Lines) != textOf(kept) || !all.Over {
					t.Errorf("%+v", all)
				}
			}
		})
	}
}

// What passes between a program and its host takes the place of what is made of events.
func TestConsoleOfProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHall()
		build := func(ctx context.Context, p *bus.Play) (*Setup, error) {
			out, err := steadySetup(10*time.Millisecond)(ctx, p)
			out.Consoles[0] = func(fn func(byte, time.Time, []byte)) {
				fn('>', time.Now(), []byte("genmove"))
				fn('!', time.Now(), []byte("thinking\x1b[2J"))
			}
			return out, err
		}
		_, end := start(t, Config{Bus: &line{hall: h}, Build: build, ID: "w"})
		p := bots("g", "othello")
		p.Console = true
		h.add(p)
		r := h.result(t, "g")
		end()
		if text := textOf(consoleOf(t, r.Consoles[0])); text != "> genmove\n! thinking\ufffd[2J\n" {
			t.Errorf("%q", text)
		}
	})
}

// An engine that prints without end is kept in bounds, and its lines keep their numbers.
func TestConsoleBounds(t *testing.T) {
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	c := &console{seat: game.First, next: 1, told: 1, log: consolelog.NewWriter(pack)}
	for i := range 10_000 {
		c.add('!', time.Unix(0, 0), []byte(strings.Repeat("x", i%3000)))
		if len(c.lines) > consoleLines || c.bytes > consoleBytes+consoleLine+3 {
			t.Fatalf("%d lines, %d bytes", len(c.lines), c.bytes)
		}
	}
	for i := range 1000 {
		c.add('<', time.Unix(0, 0), fmt.Append(nil, i))
	}
	all := c.all(&bus.Play{Game: "g", Attempt: 4})
	if all.Next != 11_001 || len(all.Lines) != consoleLines || all.Lines[0].Text != "500" || all.Attempt != 4 {
		t.Errorf("next %d, %d lines from %q", all.Next, len(all.Lines), all.Lines[0].Text)
	}
	c.news(&bus.Play{}, false)
	c.add('<', time.Unix(0, 0), []byte("last"))
	if news := c.news(&bus.Play{}, true); len(news.Lines) != 1 || news.Next != 11_002 || !news.Over {
		t.Errorf("%+v", news)
	}
	// The log has what is told no more.
	data, err := c.whole(&bus.Play{})
	if err != nil {
		t.Fatal(err)
	}
	if list := consoleOf(t, data); len(list) != 11_001 || list[10_000].Text != "0" {
		t.Errorf("%d lines", len(list))
	}
}

// Who plays against an engine hears what it thinks only if the room is open about it.
func TestOpen(t *testing.T) {
	for _, open := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := newHall()
			_, end := start(t, Config{Bus: &line{hall: h}, Build: steadySetup(10 * time.Millisecond), ID: "w"})
			p := people("othello", bus.BotSeat)
			p.Lines, p.Open = true, open
			h.add(p)
			st := h.state(t, game.First, "asked", func(st bus.SeatState) bool { return st.Prompt == 1 })
			h.do(t, bus.SeatInput{Seat: game.First, Prompt: 1, Steps: st.Legal[:1]}, "")
			h.state(t, game.First, "asked again", func(st bus.SeatState) bool { return st.Prompt == 2 })
			h.do(t, bus.SeatInput{Seat: game.First, Act: "resign"}, "")
			h.result(t, "g")
			end()
			if n := numbered(t, h.live[game.ToFirst], game.ToFirst)[journal.KindSaid]; (n > 0) != open {
				t.Errorf("open %v: the player heard %d times what the engine says", open, n)
			}
			if n := numbered(t, h.live[game.Public], game.Public)[journal.KindSaid]; n == 0 {
				t.Error("spectators heard nothing")
			}
		})
	}
}
