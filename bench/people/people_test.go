package people

import (
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	boards "kibitz/game/wire"
	"kibitz/hall/bus"
	"kibitz/hall/live"
	"kibitz/hall/room"
	"kibitz/internal/hallclient"
)

// The same seed is the same script, another seed another one; all ways to go are in it.
func TestScript(t *testing.T) {
	s := Script{Seed: 1, Scale: 1, Clocks: []string{"300+3", "inf"}, Games: []string{"othello", "nogo"}, Grace: time.Minute}
	other := s
	other.Seed = 2
	seen := map[string]bool{}
	same := 0
	for visitor := range 200 {
		for n := range 5 {
			x := s.Visit(visitor, n)
			if !reflect.DeepEqual(x, s.Visit(visitor, n)) {
				t.Fatalf("visit %d of visitor %d is not the same again", n, visitor)
			}
			if reflect.DeepEqual(x, other.Visit(visitor, n)) {
				same++
			}
			seen[string(x.Finish)] = true
			if x.Finish == Goes {
				seen["go "+string(x.In)] = true
			}
		}
	}
	if same > 0 {
		t.Errorf("%d visits are the same with another seed", same)
	}
	for _, state := range States() {
		if !seen["go "+string(state)] {
			t.Errorf("nobody goes in state %q", state)
		}
	}
	for _, f := range []Finish{Resigns, Aborts, Plays, Goes} {
		if !seen[string(f)] {
			t.Errorf("nobody ends a game by %q", f)
		}
	}
}

// alone is a visitor of a hall that says what the test lets it say.
func alone(t *testing.T, asked string) *visitor {
	t.Helper()
	r := &run{cfg: &Config{Now: time.Now, Script: Script{Scale: 1}}, ledger: newLedger()}
	v := &visitor{r: r, client: hallclient.Client{HTTP: &http.Client{Transport: says(asked)}}, in: make(chan news, 64), tabs: []*tab{nil}}
	v.begin(&room.Current{ID: "g"}, 0)
	return v
}

// says is a hall with one answer to everything.
type says string

func (s says) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(string(s)))}, nil
}

// found is what was found in all.
func found(v *visitor) string { return v.r.ledger.summary() }

func told(raw string) *roomNews {
	n := &roomNews{}
	if err := json.Unmarshal([]byte(raw), n); err != nil {
		panic(err)
	}
	return n
}

func TestVisitorFinds(t *testing.T) {
	move := live.Entry{By: "first", Steps: []string{"p1,1"}}
	state := func(seq uint64) *live.State { return &live.State{Game: "g", Seq: seq, View: &boards.View{}} }
	for _, c := range []struct {
		name  string
		asked string // what the room says when it is asked
		do    func(ctx context.Context, v *visitor)
		want  string
	}{
		{"a game that begins", "", func(ctx context.Context, v *visitor) {
			v.in <- news{room: told(`{"id":"r","room":{"game":{"id":"n","first":0},"you":{"place":0}}}`)}
			v.in <- news{game: "n", state: state(1)}
			v.begins(ctx, "g", time.Now())
		}, "nothing"},
		{"a wait with a reason", `{"room":{"game":{"id":"n"}},"state":"queued","waiting":"no worker offers it"}`, func(ctx context.Context, v *visitor) {
			v.in <- news{room: told(`{"id":"r","room":{"game":{"id":"n","first":0},"you":{"place":0}}}`)}
			time.AfterFunc(time.Minute, func() { v.in <- news{game: "n", state: state(1)} })
			v.begins(ctx, "g", time.Now())
		}, "nothing"},
		{"a wait without a reason", `{"room":{"game":{"id":"n"}},"state":"queued"}`, func(ctx context.Context, v *visitor) {
			v.in <- news{room: told(`{"id":"r","room":{"game":{"id":"n","first":0},"you":{"place":0}}}`)}
			time.AfterFunc(time.Minute, func() { v.in <- news{game: "n", state: state(1)} })
			v.begins(ctx, "g", time.Now())
		}, NoReason + " 1"},
		{"a game that never begins", `{"room":{"game":{"id":"n"}},"state":"queued"}`, func(ctx context.Context, v *visitor) { v.begins(ctx, "g", time.Now()) }, NeverEnds + " 1, " + NoReason + " 1"},
		{
			"a game that is over before it is seen", `{"room":{"last":{"id":"n","result":{"reason":"abort"}}}}`,
			func(ctx context.Context, v *visitor) { v.begins(ctx, "g", time.Now()) }, Unseen + " 1",
		},
		{"the game before", `{"room":{"last":{"id":"g","result":{"reason":"five"}}}}`, func(ctx context.Context, v *visitor) { v.begins(ctx, "g", time.Now()) }, NeverEnds + " 1"},
		{"news that is late", `{"room":{"game":{"id":"n"}},"state":"running"}`, func(ctx context.Context, v *visitor) {
			time.AfterFunc(2*time.Second, func() {
				v.in <- news{room: told(`{"id":"r","room":{"game":{"id":"n","first":0},"you":{"place":0}}}`)}
				v.in <- news{game: "n", state: state(1)}
			})
			v.begins(ctx, "g", time.Now())
		}, "nothing"},
		{"a decision that shows", "", func(ctx context.Context, v *visitor) {
			v.unseen = []string{"p1,1"}
			v.in <- news{game: "g", state: state(2), fresh: []live.Entry{move}}
			v.check(ctx, "p1,1")
		}, "nothing"},
		{"a decision that is swallowed", "", func(ctx context.Context, v *visitor) {
			v.unseen = []string{"p1,1"}
			v.in <- news{game: "g", state: state(2), fresh: []live.Entry{{By: "second", Steps: []string{"p1,1"}}}}
			v.in <- news{game: "g", seat: &bus.SeatState{Game: "g", Seq: 1, Prompt: 1}}
			v.check(ctx, "p1,1")
		}, Swallowed + " 1"},
		{"a decision that is taken back", "", func(ctx context.Context, v *visitor) {
			v.unseen = []string{"p1,1"}
			v.in <- news{game: "g", state: state(2), undid: true}
			v.check(ctx, "p1,1")
		}, "nothing"},
		{"a resignation without effect", "", func(ctx context.Context, v *visitor) {
			v.effect(ctx, "resign", func() bool { return v.over })
		}, NoEffect + " 1"},
		{"a resignation that ends the game", "", func(ctx context.Context, v *visitor) {
			time.AfterFunc(time.Second, func() { v.in <- news{game: "g", over: true} })
			v.effect(ctx, "resign", func() bool { return v.over })
		}, "nothing"},
		{"an opponent who has gone sees no offer", "", func(ctx context.Context, v *visitor) {
			v.table = newTable()
			v.effect(ctx, "draw", func() bool { return v.table.sees(1) == "draw" })
		}, "nothing"},
		{"lost by absence though there", "", func(ctx context.Context, v *visitor) {
			v.state = &live.State{Result: &live.Result{Points: [2]float64{0, 1}, Reason: "disconnect"}}
			v.ended(ctx)
		}, Missed + " 1"},
		{"won by the other's absence", "", func(ctx context.Context, v *visitor) {
			v.state = &live.State{Result: &live.Result{Points: [2]float64{1, 0}, Reason: "disconnect"}}
			v.ended(ctx)
		}, "nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v := alone(t, c.asked)
				c.do(t.Context(), v)
				if got := found(v); got != c.want {
					t.Errorf("found %s, want %s", got, c.want)
				}
			})
		})
	}
}

// lossy is a hall that takes moves, loses its first answer and shows the move if it is to.
type lossy struct {
	v     *visitor
	shows bool
	asked int
}

func (l *lossy) RoundTrip(*http.Request) (*http.Response, error) {
	l.asked++
	if l.asked > 1 {
		return &http.Response{StatusCode: http.StatusNoContent, Body: http.NoBody}, nil
	}
	if l.shows {
		shown := live.Entry{By: "first", Steps: []string{"p1,1"}}
		l.v.in <- news{game: "g", state: &live.State{Game: "g", Seq: 2, View: &boards.View{}}, fresh: []live.Entry{shown}}
	}
	return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: io.NopCloser(strings.NewReader("{}"))}, nil
}

// A move whose answer is lost, and that shows before it is sent again, is not swallowed; one
// that never shows is.
func TestLostAnswer(t *testing.T) {
	for shows, want := range map[bool]string{true: Fault + " 1", false: Fault + " 1, " + Swallowed + " 1"} {
		synctest.Test(t, func(t *testing.T) {
			v := alone(t, "")
			l := &lossy{v: v, shows: shows}
			v.client.HTTP.Transport = l
			v.me, v.seat = "first", &bus.SeatState{Game: "g", Seq: 1, Prompt: 1, Legal: []string{"p1,1"}}
			v.decide(t.Context(), rand.New(rand.NewPCG(1, 1)))
			if got := found(v); got != want || l.asked != 2 {
				t.Errorf("shows=%v: found %s after %d requests, want %s", shows, got, l.asked, want)
			}
		})
	}
}

// What was left must be over at its time, and not before; who comes back takes it up.
func TestLedgerDue(t *testing.T) {
	l, now := newLedger(), time.Unix(1000, 0)
	l.leave("a 1", now.Add(time.Second))
	l.leave("a 1", now) // the later one counts
	l.leave("b 2", now.Add(time.Second))
	l.stay("b 2")
	if got := l.due(now); len(got) != 0 {
		t.Errorf("due too early: %v", got)
	}
	if got := l.due(now.Add(time.Second)); len(got) != 1 || got[0] != "a 1" || l.Left() != 0 {
		t.Errorf("due: %v", got)
	}
}

// A section replaces the one of its title, and leaves the others alone.
func TestPut(t *testing.T) {
	page := Put("", "## Before\n\nx\n")
	page = Put(page, "## Now\n\ny\n")
	page = Put(page, "## Before\n\nz\n\n")
	_, sections, _ := strings.Cut(page, "is refused")
	_, sections, _ = strings.Cut(sections, "\n\n")
	if want := "## Before\n\nz\n\n## Now\n\ny\n"; sections != want || !strings.HasPrefix(page, "# A load") {
		t.Errorf("%q\nwant %q", sections, want)
	}
}

// Flat compares medians of quarters.
func TestFlat(t *testing.T) {
	o := &Outcome{Memory: []int64{1, 1, 5, 6, 7, 8, 9, 100, 20, 21}}
	if a, b := o.Flat(); a != 6 || b != 21 {
		t.Errorf("%d and %d", a, b)
	}
}
