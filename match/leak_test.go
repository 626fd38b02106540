package match_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/twin"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
)

// hiddenGame plays Phantom Go between a seat that keeps to the left columns, where
// the seed chooses its points, and one that fills the right ones in order. In
// every turn the hidden seat takes three seconds: at once, or for a number of
// refused attempts on the other's stones and a move. It returns what the watched
// seat was told and asked, and the journal that it and the public may read.
func hiddenGame(t *testing.T, hidden game.Seat, seed uint64, attempts int) (log, readable string) {
	t.Helper()
	r, err := games.Open("phantomgo:size=7")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	left := rng.Perm(14)[:6]
	secret := &fake{quiet: true}
	turn := 0
	secret.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
		if turn == len(left) {
			return player.Answer{Steps: []game.Move{game.ResignMove()}}, nil
		}
		others := turn // stones of the other seat
		if hidden == game.First {
			others--
		}
		if k := min(attempts, max(0, others+1)); p.Again < k {
			time.Sleep(3 * time.Second / time.Duration(k+1))
			return player.Answer{Steps: []game.Move{game.PlaceAt(rightPoint(p.Again))}}, nil
		}
		k := min(attempts, max(0, others+1))
		time.Sleep(3*time.Second - time.Duration(k)*(3*time.Second/time.Duration(k+1)))
		at := left[turn]
		turn++
		return player.Answer{Steps: []game.Move{game.PlaceAt(game.Pt(at%2, at/2))}}, nil
	}
	watched := &fake{}
	watched.choose = func(_ context.Context, _ *player.Prompt) (player.Answer, error) {
		time.Sleep(time.Second)
		return player.Answer{Steps: []game.Move{game.PlaceAt(rightPoint(watched.prompts - 1))}}, nil
	}
	g := &match.Game{ID: "twin", Rules: r, Now: time.Now, Views: true}
	g.Sides[hidden] = match.Side{Player: secret, Name: "secret", Clock: control(t, "600+1")}
	g.Sides[hidden.Other()] = match.Side{Player: watched, Name: "watched", Clock: control(t, "600+1")}
	events := collect(t, g)
	o := match.Play(t.Context(), g)
	if o.Result.Reason != game.ByResign {
		t.Fatalf("the game went wrong: %+v", o.Result)
	}
	return strings.Join(watched.log, "\n"), readBy(t, *events, game.To(hidden.Other()))
}

// readBy is the part of a journal that an audience may read.
func readBy(t *testing.T, events []journal.Event, who game.Audience) string {
	t.Helper()
	var b strings.Builder
	for i := range events {
		ev := &events[i]
		if !ev.To.Includes(who) {
			continue
		}
		ev.Seq = 0 // numbers of the whole journal are no part of what is passed on
		line, err := journal.AppendEvent(nil, ev)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
	}
	return b.String()
}

func rightPoint(n int) game.Point { return game.Pt(4+n%3, n/3) }

// Games that differ only in what a seat may not know look the same to it to the
// last byte: other hidden points, and refused attempts in the place of thinking.
func TestTwinRuns(t *testing.T) {
	for _, hidden := range []game.Seat{game.First, game.Second} {
		synctest.Test(t, func(t *testing.T) {
			log, readable := hiddenGame(t, hidden, 1, 0)
			if len(log) < 1000 || !strings.Contains(readable, `"kind":"view"`) {
				t.Fatalf("too little was told: %d, %d bytes", len(log), len(readable))
			}
			for seed := uint64(2); seed < 8; seed++ {
				for attempts := range 3 {
					log2, readable2 := hiddenGame(t, hidden, seed, attempts)
					readable2 = shift(t, readable2, readable)
					if log2 != log {
						t.Fatalf("the player sees a difference (seed %d, %d attempts):\n%s", seed, attempts, twin.Difference(log, log2))
					}
					if readable2 != readable {
						t.Fatalf("the journal shows a difference (seed %d, %d attempts):\n%s", seed, attempts, twin.Difference(readable, readable2))
					}
				}
			}
		})
	}
}

// pace is how long a scripted player takes for a turn, and whether that is for
// each attempt or for all attempts of a turn together.
type pace struct {
	turn time.Duration
	each bool
}

// of returns the time for attempt number i of n.
func (p pace) of(i, n int) time.Duration {
	switch d := p.turn / time.Duration(n); {
	case p.each:
		return p.turn
	case i == n-1:
		return p.turn - time.Duration(n-1)*d
	default:
		return d
	}
}

// scripted returns a player that does what a script says.
func scripted(script []twin.Turn, p pace) *fake {
	f := &fake{}
	turn := 0
	f.choose = func(_ context.Context, q *player.Prompt) (player.Answer, error) {
		tries := script[turn]
		time.Sleep(p.of(q.Again, len(tries)))
		m := tries[q.Again]
		if q.Again == len(tries)-1 {
			turn++
		}
		return player.Answer{Steps: []game.Move{m}}, nil
	}
	return f
}

// twinGame plays a scripted game. It returns what the watched seat was told and
// asked, and the journals that it and that the public may read.
func twinGame(t *testing.T, spec string, script *twin.Game, watched game.Seat) (log, seats, public string, o match.Outcome) {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	players := [2]*fake{}
	players[watched] = scripted(script.Seats[watched], pace{time.Second, true})
	players[watched.Other()] = scripted(script.Seats[watched.Other()], pace{3 * time.Second, false})
	g := &match.Game{ID: "twin", Rules: r, Now: time.Now, Views: true}
	for s, p := range players {
		g.Sides[s] = match.Side{Player: p, Name: game.Seat(s).String(), Clock: control(t, "600+1")}
	}
	events := collect(t, g)
	o = match.Play(t.Context(), g)
	if o.Final != script.Final {
		t.Fatalf("the game went wrong: %+v", o)
	}
	return strings.Join(players[watched].log, "\n"), readBy(t, *events, game.To(watched)), readBy(t, *events, game.Public), o
}

// Whole games with captures and refusals on both sides, ended by their length,
// that differ in nothing a seat is told: neither it nor the public can tell which
// of them is played.
func TestTwinGames(t *testing.T) {
	const spec = "phantomgo:size=5,maxplies=40"
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	different, stones := 0, 0
	for _, watched := range []game.Seat{game.First, game.Second} {
		for seed := range uint64(20) {
			a, b, stats, err := twin.Pair(r, watched, 40, seed)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(a.Final, "plies=40") || strings.Contains(a.Final, "passes=2") {
				continue // it ended by passes: the score tells them apart
			}
			if a.Final != b.Final {
				different++
			}
			stones += stats.Lost + stats.Took
			synctest.Test(t, func(t *testing.T) {
				log, seat, public, o := twinGame(t, spec, &a, watched)
				log2, seat2, public2, o2 := twinGame(t, spec, &b, watched)
				seat2, public2 = shift(t, seat2, seat), shift(t, public2, public)
				for _, c := range [][3]string{{"player", log, log2}, {"seat's journal", seat, seat2}, {"public journal", public, public2}} {
					if c[1] != c[2] {
						t.Errorf("seed %d, %s watched: the %s tells the games apart (%+v):\n%s", seed, watched, c[0], stats, twin.Difference(c[1], c[2]))
					}
					if len(c[1]) < 1000 {
						t.Errorf("too little was told to the %s: %s", c[0], c[1])
					}
				}
				if o.Result != o2.Result || o.Used != o2.Used {
					t.Errorf("seed %d: the games end as %+v %v and %+v %v", seed, o.Result, o.Used, o2.Result, o2.Used)
				}
				for line := range strings.Lines(public) {
					ev, err := journal.ParseEvent([]byte(line))
					if err != nil {
						t.Fatal(err)
					}
					if ev.View != nil && slices.ContainsFunc(ev.View.Cells, func(c game.Cell) bool { return c.Piece != 0 }) {
						t.Errorf("the public sees a stone: %s", line)
					}
				}
			})
		}
	}
	if different < 12 || stones < 30 {
		t.Errorf("only %d pairs differ, with %d captures", different, stones)
	}
}

// shift makes the dates of one journal begin where those of the other do; the
// games were played one after the other.
func shift(t *testing.T, text, like string) string {
	t.Helper()
	first := func(s string) time.Time {
		ev, err := journal.ParseEvent([]byte(s[:strings.IndexByte(s, '\n')]))
		if err != nil {
			t.Fatal(err)
		}
		return ev.Time
	}
	d := first(like).Sub(first(text))
	var out []byte
	for line := range strings.Lines(text) {
		ev, err := journal.ParseEvent([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		ev.Time = ev.Time.Add(d)
		if out, err = journal.AppendEvent(out, &ev); err != nil {
			t.Fatal(err)
		}
	}
	return string(out)
}
