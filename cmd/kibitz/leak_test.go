package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/catalog"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/twin"
	"kibitz/journal"
	"kibitz/link"
	"kibitz/match"
	"kibitz/protocol"
)

// sent is what was written to an engine, piece by piece with the time since the
// start of the game.
type sent struct {
	mu     sync.Mutex
	begin  time.Time
	pieces []string
}

func (s *sent) add(b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pieces = append(s.pieces, fmt.Sprintf("%v %q", time.Since(s.begin), b))
}

func (s *sent) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.pieces, "\n")
}

// heard is a connection whose writes are kept.
type heard struct {
	link.Conn
	to *sent
}

func (h heard) Write(b []byte) error {
	h.to.add(b)
	return h.Conn.Write(b)
}

// sauEngine speaks the protocol and plays a script, one attempt for each prompt.
// A turn takes the time of wait; the attempts of a turn share it unless each.
func sauEngine(conn link.Conn, name string, script []twin.Turn, wait time.Duration, each bool) {
	turn, try := 0, 0
	move := func() {
		tries := script[turn]
		d := wait
		if n := time.Duration(len(tries)); !each {
			if d = wait / n; try == len(tries)-1 {
				d = wait - (n-1)*(wait/n)
			}
		}
		time.Sleep(d)
		text := "pass"
		if m := tries[try]; m.Op == game.Place {
			text = string([]byte{byte('A' + m.To.X), byte('A' + m.To.Y)})
		}
		if try++; try == len(tries) {
			turn, try = turn+1, 0
		}
		_ = conn.Write([]byte("move " + text + "\n"))
	}
	for {
		line, err := conn.ReadLine(time.Time{})
		if err != nil {
			return
		}
		switch text := string(line); {
		case text == "name?":
			_ = conn.Write([]byte("name " + name + "\n"))
		case text == "new black", strings.HasPrefix(text, "move "), text == "refuse":
			if turn < len(script) { // else it is the end that follows in the same piece
				move()
			}
		case text == "quit":
			_ = conn.Close()
			return
		}
	}
}

// twinMatch plays a scripted game between two engines behind the SAU protocol. It
// returns what the watched one was sent, what journals the seat and the public may
// read before the result.
func twinMatch(t *testing.T, spec string, script *twin.Game, watched game.Seat) (traffic string, journals map[game.Audience]string) {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	sau, err := catalog.ProtocolFor("phantomgo", "sau")
	if err != nil {
		t.Fatal(err)
	}
	control, err := clock.Parse("36000+1")
	if err != nil {
		t.Fatal(err)
	}
	var engines sync.WaitGroup
	begin := time.Now()
	g := &match.Game{ID: "twin", Rules: r, Now: time.Now, Views: true}
	var ears [2]*sent
	for seat := game.First; seat <= game.Second; seat++ {
		ears[seat] = &sent{begin: begin}
		h, err := sau.Host(protocol.Config{
			Name: seat.String(), Now: time.Now,
			Dial: func(context.Context) (link.Conn, error) {
				ours, theirs := link.Pipe()
				wait := 3 * time.Second
				if seat == watched {
					wait = time.Second
				}
				engines.Go(func() { sauEngine(theirs, "engine", script.Seats[seat], wait, seat == watched) })
				return heard{ours, ears[seat]}, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		g.Sides[seat] = match.Side{Player: h, Name: seat.String(), Clock: control}
	}
	var read [game.Arbiter][]byte
	g.Sink = func(ev *journal.Event) {
		if ev.Kind == journal.KindResult {
			return
		}
		c := *ev
		c.Time = time.Unix(0, int64(ev.Time.Sub(begin))).UTC()
		line, err := journal.AppendEvent(nil, &c)
		if err != nil {
			t.Error(err)
		}
		for _, who := range []game.Audience{game.Public, game.To(watched)} {
			if ev.To.Includes(who) {
				read[who] = append(read[who], line...)
			}
		}
	}
	o := match.Play(t.Context(), g)
	for s := range g.Sides {
		if err := g.Sides[s].Player.Close(); err != nil {
			t.Error(err)
		}
	}
	engines.Wait()
	if o.Final != script.Final {
		t.Fatalf("the game went wrong: %+v", o)
	}
	journals = map[game.Audience]string{}
	for _, who := range []game.Audience{game.Public, game.To(watched)} {
		journals[who] = string(read[who])
	}
	return ears[watched].String(), journals
}

// Two games that differ only in what a seat cannot know are, to the byte and to the
// nanosecond, the same game for that seat's engine and for spectators: what the
// process is sent, and what is in the journal for them.
func TestTwinGamesThroughProtocol(t *testing.T) {
	different, captures := 0, 0
	for spec, pairs := range map[string]uint64{"phantomgo:size=5,maxplies=50": 10, "phantomgo:maxplies=60": 3} {
		r, err := games.Open(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, watched := range []game.Seat{game.First, game.Second} {
			for seed := range pairs {
				a, b, stats, err := twin.Pair(r, watched, 400, seed)
				if err != nil {
					t.Fatal(err)
				}
				if !a.Over {
					t.Fatal("the game is not over")
				}
				captures += stats.Lost + stats.Took
				if a.Final != b.Final {
					different++
				}
				synctest.Test(t, func(t *testing.T) {
					traffic, seen := twinMatch(t, spec, &a, watched)
					traffic2, seen2 := twinMatch(t, spec, &b, watched)
					if !strings.HasSuffix(traffic, `"quit\n"`) || strings.Count(traffic, "\n") < 20 {
						t.Errorf("too little was sent:\n%s", traffic)
					}
					if traffic != traffic2 {
						t.Errorf("%s, seed %d, %s: the engine can tell the games apart (%+v):\n%s", spec, seed, watched, stats, twin.Difference(traffic, traffic2))
					}
					for who := range seen {
						x, y := untilOver(t, seen[who], who), untilOver(t, seen2[who], who)
						if x != y {
							t.Errorf("%s, seed %d, %s: the journal for %s tells the games apart (%+v):\n%s", spec, seed, watched, who, stats, twin.Difference(x, y))
						}
					}
				})
			}
		}
	}
	if different < 20 || captures < 50 {
		t.Errorf("only %d pairs differ, with %d captures", different, captures)
	}
}

// untilOver returns a journal up to the last decision: a score by area tells what
// was hidden, and by then everybody may know. It holds no stone that its reader may
// not see.
func untilOver(t *testing.T, text string, who game.Audience) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(text) {
		ev, err := journal.ParseEvent([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if ev.View == nil {
			b.WriteString(line)
			continue
		}
		foreign := func(c game.Cell) bool { return c.Piece != 0 && (ev.To == game.Public || game.To(c.Owner) != who) }
		if slices.ContainsFunc(ev.View.Cells, foreign) {
			t.Fatalf("%s sees a stone: %s", who, line)
		}
		if ev.View.Result == nil {
			b.WriteString(line)
		}
	}
	return b.String()
}
