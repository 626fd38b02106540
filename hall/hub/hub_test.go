package hub_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/games"
	"kibitz/hall/hub"
	"kibitz/hall/live"
	"kibitz/internal/leaks"
	"kibitz/internal/twin"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// reader is a browser: it knows nothing but the frames that it was sent.
type reader struct {
	state live.State
	have  hub.ID
	any   bool
	views int
}

func (r *reader) take(f hub.Frame) error {
	switch f.Kind {
	case "view":
		r.state = live.State{}
		if err := json.Unmarshal(f.Data, &r.state); err != nil {
			return err
		}
		r.any = true
		r.views++
	case "delta":
		var d live.Delta
		if err := json.Unmarshal(f.Data, &d); err != nil {
			return err
		}
		if !r.any {
			return errors.New("a delta before a snapshot")
		}
		s, err := live.Apply(r.state, &d)
		if err != nil {
			return err
		}
		r.state = s
	default:
		return fmt.Errorf("a frame of kind %q", f.Kind)
	}
	r.have = f.ID
	return nil
}

// like reports how a board differs from one that rules have drawn.
func like(v *wire.View, want *game.View) error {
	if v == nil {
		return errors.New("no board")
	}
	if v.Width != want.Width || v.Height != want.Height || len(v.Pieces) != len(want.Cells) || len(v.Lines) != len(want.Lines) {
		return errors.New("another board")
	}
	for i, c := range want.Cells {
		piece, own := byte('.'), byte('-')
		if c.Piece != 0 {
			piece = c.Piece
		}
		if c.Owner.IsPlayer() {
			own = '0' + byte(c.Owner)
		}
		if v.Pieces[i] != piece || v.Owners[i] != own {
			return fmt.Errorf("cell %d is %c%c, want %c%c", i, v.Pieces[i], v.Owners[i], piece, own)
		}
	}
	for i, l := range want.Lines {
		if v.Lines[i][0] != int(l.At.X) || v.Lines[i][1] != int(l.At.Y) || (v.Lines[i][2] == 1) != l.Vertical {
			return fmt.Errorf("line %d differs", i)
		}
	}
	if want.HasScore && *v.Score != want.Score {
		return fmt.Errorf("score %v, want %v", *v.Score, want.Score)
	}
	if v.Seat != wire.SeatOf(want.Turn.Seat) || len(v.Trays) != len(want.Trays) || len(v.Marks) != len(want.Marks) {
		return errors.New("turn, trays or marks differ")
	}
	return nil
}

// Whoever joins, whenever, with whatever losses on the way to the hall and whatever
// breaks of his own connection, ends with the same state, and with the board that the
// rules have drawn for him.
func TestJoinAnyTime(t *testing.T) {
	for _, spec := range []string{"othello", "dotsandboxes:size=4", "gomoku:size=7", "darkchess", "phantomgo:size=5,maxplies=60"} {
		t.Run(spec, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { joinAnyTime(t, spec) })
		})
	}
}

func joinAnyTime(t *testing.T, spec string) {
	g := play(t, spec, 7)
	for a := range game.Audience(3) {
		rng := rand.New(rand.NewPCG(uint64(a), 9))
		w := newWorker()
		w.begin("g", &g)
		h := hub.New(hub.Options{Source: w, Now: time.Now, Frames: 16})
		var mu sync.Mutex
		var all []*reader
		var wg sync.WaitGroup
		join := func() {
			r := &reader{}
			mu.Lock()
			all = append(all, r)
			mu.Unlock()
			breaks := rng.IntN(3)
			slow := time.Duration(rng.IntN(3000)) * time.Millisecond
			wg.Go(func() {
				for {
					v, err := h.Watch(hub.Key{Game: "g", To: a}, hub.Meta{}, r.have)
					if err != nil {
						t.Error(err)
						return
					}
					for n := 0; ; n++ {
						f, err := v.Next(t.Context())
						if errors.Is(err, io.EOF) {
							v.Close()
							return
						}
						if err == nil {
							err = r.take(f)
						}
						if err != nil {
							t.Error(err)
							v.Close()
							return
						}
						time.Sleep(slow)
						if breaks > 0 && n == 5 {
							breaks--
							break
						}
					}
					v.Close()
					time.Sleep(slow)
				}
			})
		}
		for w.step("g", a, rng.IntN(10) == 0) {
			if rng.IntN(4) == 0 {
				join()
			}
			time.Sleep(time.Duration(rng.IntN(900)) * time.Millisecond)
			synctest.Wait()
		}
		join()
		wg.Wait()
		for i, r := range all {
			if r.state.Result == nil || r.state.Seq != uint64(len(g[a].lines)) {
				t.Fatalf("%s: viewer %d of %d did not see the end: %d of %d events", a, i, len(all), r.state.Seq, len(g[a].lines))
			}
			if err := like(r.state.View, g[a].last); err != nil {
				t.Errorf("%s: viewer %d: %v", a, i, err)
			}
			if want := all[len(all)-1]; !reflect.DeepEqual(history(r.state), history(want.state)) || !reflect.DeepEqual(r.state.Clocks, want.state.Clocks) {
				t.Errorf("%s: viewer %d has another history than the last one:\n%v\n%v", a, i, history(r.state), history(want.state))
			}
		}
		if len(all) < 3 {
			t.Errorf("only %d viewers", len(all))
		}
		h.Close()
		if w.listening() != 0 {
			t.Errorf("%d subscriptions are left", w.listening())
		}
	}
}

func history(s live.State) string {
	data, _ := json.Marshal(s.History)
	return string(data)
}

// One subscription serves all viewers of a game and ends some time after the last.
func TestOneSubscription(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := play(t, "othello", 1)
		w := newWorker()
		w.begin("g", &g)
		h := hub.New(hub.Options{Source: w, Now: time.Now})
		var list []*hub.Viewer
		for range 100 {
			v, err := h.Watch(hub.Key{Game: "g", To: game.Public}, hub.Meta{}, hub.ID{})
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, v)
		}
		synctest.Wait()
		if w.listening() != 1 || h.Stats().Viewers != 100 {
			t.Errorf("%d subscriptions for %d viewers", w.listening(), h.Stats().Viewers)
		}
		for range 5 {
			w.step("g", game.Public, false)
		}
		synctest.Wait()
		a, _ := list[0].Next(t.Context())
		b, _ := list[1].Next(t.Context())
		if &a.Data[0] != &b.Data[0] || &a.Event[0] != &b.Event[0] {
			t.Error("a snapshot is encoded for each viewer")
		}
		if want := fmt.Sprintf("id: %s\nevent: view\ndata: %s\n\n", a.ID, a.Data); string(a.Event) != want {
			t.Errorf("the event is %q, want %q", a.Event, want)
		}
		for _, v := range list {
			v.Close()
			v.Close()
		}
		time.Sleep(4 * time.Second)
		if w.listening() != 1 {
			t.Error("the subscription ended at once")
		}
		time.Sleep(2 * time.Second)
		if w.listening() != 0 || h.Stats().Games != 0 {
			t.Error("the subscription outlives its viewers")
		}
		h.Close()
		if _, err := h.Watch(hub.Key{Game: "g"}, hub.Meta{}, hub.ID{}); !errors.Is(err, hub.ErrClosed) {
			t.Error(err)
		}
	})
}

// A game that ends unheard, because its worker is lost or it was aborted, ends the
// streams of all its viewers; that is asked once for all of them, and not while events
// come.
func TestEndsUnheard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := play(t, "othello", 1)
		w := newWorker()
		w.begin("g", &g)
		var asked atomic.Int64
		var over atomic.Bool
		h := hub.New(hub.Options{Source: w, Now: time.Now, Ended: func(_ context.Context, k hub.Key) bool {
			if k != (hub.Key{Game: "g", To: game.Public}) {
				t.Errorf("asked about %v", k)
			}
			asked.Add(1)
			return over.Load()
		}})
		defer h.Close()
		const viewers = 50
		var ends atomic.Int64
		for range viewers {
			v, err := h.Watch(hub.Key{Game: "g", To: game.Public}, hub.Meta{}, hub.ID{})
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				defer v.Close()
				for {
					if _, err := v.Next(t.Context()); err != nil {
						if errors.Is(err, io.EOF) {
							ends.Add(1)
						}
						return
					}
				}
			}()
		}
		for range 60 {
			w.step("g", game.Public, false)
			time.Sleep(time.Second)
		}
		if n := asked.Load(); n != 0 {
			t.Errorf("asked %d times while events came", n)
		}
		time.Sleep(40 * time.Second)
		if n := asked.Load(); n != 2 || ends.Load() != 0 {
			t.Errorf("asked %d times in 40 s of silence, want 2; %d viewers were sent away", n, ends.Load())
		}
		over.Store(true)
		time.Sleep(15 * time.Second)
		synctest.Wait()
		if n := ends.Load(); n != viewers || h.Stats().Games != 0 || w.listening() != 0 {
			t.Errorf("the end reached %d of %d viewers; %d games, %d subscriptions are left", n, viewers, h.Stats().Games, w.listening())
		}
	})
}

// A later attempt begins with a snapshot, and what comes of the older one is ignored.
func TestAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := play(t, "othello", 1), play(t, "othello", 2)
		w := newWorker()
		w.begin("g", &first)
		h := hub.New(hub.Options{Source: w, Now: time.Now})
		defer h.Close()
		v, err := h.Watch(hub.Key{Game: "g", To: game.Public}, hub.Meta{}, hub.ID{})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		for range 20 {
			w.step("g", game.Public, false)
		}
		synctest.Wait()
		r := &reader{}
		f, err := v.Next(t.Context())
		if err != nil || r.take(f) != nil || r.state.Attempt != 1 {
			t.Fatal(f, err)
		}
		w.begin("g", &second)
		for w.step("g", game.Public, false) {
			synctest.Wait()
			w.mu.Lock() // a worker that does not know that it is late
			late := w.fns[hub.Key{Game: "g", To: game.Public}]
			for _, fn := range late {
				fn(liveOf("g", 1, 21, first[2].lines[20]))
			}
			w.mu.Unlock()
		}
		for {
			f, err := v.Next(t.Context())
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := r.take(f); err != nil {
				t.Fatal(err)
			}
		}
		if r.state.Attempt != 2 || r.views != 2 {
			t.Errorf("attempt %d after %d snapshots", r.state.Attempt, r.views)
		}
		if err := like(r.state.View, second[2].last); err != nil {
			t.Error(err)
		}
	})
}

// With a delay nothing is seen before its time, also by those who come first or late;
// players are not delayed.
func TestDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const delay = time.Minute
		base := time.Now()
		g := play(t, "othello", 3) // a second a turn
		took := time.Since(base)
		w := newWorker()
		w.begin("g", &g)
		h := hub.New(hub.Options{Source: w, Now: time.Now})
		defer h.Close()
		sent := map[uint64]time.Time{}
		var mu sync.Mutex
		var wg sync.WaitGroup
		watch := func(to game.Audience, want time.Duration) {
			wg.Go(func() {
				v, err := h.Watch(hub.Key{Game: "g", To: to, Delay: delay}, hub.Meta{}, hub.ID{})
				if err != nil {
					t.Error(err)
					return
				}
				defer v.Close()
				r := &reader{}
				for {
					f, err := v.Next(t.Context())
					if err != nil {
						break
					}
					if err := r.take(f); err != nil {
						t.Error(err)
						break
					}
					mu.Lock()
					at := sent[f.ID.Seq]
					mu.Unlock()
					if ago := time.Since(at); ago < want {
						t.Errorf("event %d is seen after %s", f.ID.Seq, ago)
					}
				}
				if err := like(r.state.View, g[to].last); err != nil {
					t.Error(err)
				}
			})
		}
		watch(game.Public, delay)
		watch(game.ToFirst, 0)
		n := uint64(0)
		for i := 0; ; i++ {
			mu.Lock()
			n++
			sent[n] = time.Now()
			mu.Unlock()
			w.restamp("g", int(n)-1, time.Now())
			more := w.step("g", game.Public, false)
			w.step("g", game.ToFirst, false)
			if !more {
				break
			}
			time.Sleep(took / time.Duration(len(g[2].lines)))
			if i == 40 {
				watch(game.Public, delay)
			}
		}
		wg.Wait()
	})
}

// Games that differ in nothing but what is hidden are the same streams, to the last
// byte, for those who may not know.
func TestTwins(t *testing.T) {
	r, err := games.Open("phantomgo:size=5,maxplies=60")
	if err != nil {
		t.Fatal(err)
	}
	differ := 0
	for seed := range uint64(8) {
		watched := game.Seat(seed % 2)
		a, b, stats, err := twin.Pair(r, watched, 24, seed)
		if err != nil {
			t.Fatal(err)
		}
		if a.Over || b.Over {
			continue // the result tells
		}
		differ += stats.Other + stats.Refused
		for _, to := range []game.Audience{game.To(watched), game.Public} {
			x, y := stream(t, &a, to, watched), stream(t, &b, to, watched)
			if len(x) < 2000 || x != y {
				t.Fatalf("seed %d: the streams for %s differ (%d, %d bytes):\n%s", seed, to, len(x), len(y), twin.Difference(x, y))
			}
		}
	}
	if differ < 50 {
		t.Errorf("the pairs differ in %d decisions only", differ)
	}
}

// stream plays a game of a pair and returns all that a viewer is sent. The hidden seat
// thinks for as long in either game.
func stream(t *testing.T, g *twin.Game, to game.Audience, watched game.Seat) (out string) {
	synctest.Test(t, func(t *testing.T) {
		told := playTurns(t, "phantomgo:size=5,maxplies=60", g, watched)
		w := newWorker()
		w.begin("g", &told)
		h := hub.New(hub.Options{Source: w, Now: time.Now})
		defer h.Close()
		v, err := h.Watch(hub.Key{Game: "g", To: to}, hub.Meta{}, hub.ID{})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		var b bytes.Buffer
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				f, err := v.Next(t.Context())
				if err != nil {
					break
				}
				fmt.Fprintf(&b, "%s %s %s\n", f.ID, f.Kind, f.Data)
			}
		})
		synctest.Wait() // when he joins is the same in both
		for w.step("g", to, false) {
			synctest.Wait()
		}
		wg.Wait()
		out = b.String()
	})
	return out
}

// 10,000 viewers of 200 games, half of them slow: nobody loses the end, and what is
// kept does not grow with the viewers' slowness.
func TestManyViewers(t *testing.T) {
	games, viewers := 200, 10_000
	if testing.Short() {
		games, viewers = 50, 1000
	}
	synctest.Test(t, func(t *testing.T) {
		g := play(t, "othello", 5)
		w := newWorker()
		h := hub.New(hub.Options{Source: w, Now: time.Now, Frames: 8})
		ended := atomic.Int64{}
		var wg sync.WaitGroup
		for i := range games {
			w.begin(fmt.Sprint("g", i), &g)
		}
		for i := range viewers {
			id := fmt.Sprint("g", i%games)
			v, err := h.Watch(hub.Key{Game: id, To: game.Public}, hub.Meta{}, hub.ID{})
			if err != nil {
				t.Fatal(err)
			}
			slow := time.Duration(i/games%2) * 5 * time.Second
			wg.Go(func() {
				defer v.Close()
				seq := uint64(0)
				for {
					f, err := v.Next(t.Context())
					if errors.Is(err, io.EOF) {
						break
					}
					if err != nil {
						t.Error(err)
						return
					}
					if f.ID.Seq < seq {
						t.Errorf("event %d after %d", f.ID.Seq, seq)
					}
					seq = f.ID.Seq
					time.Sleep(slow)
				}
				if seq == uint64(len(g[2].lines)) {
					ended.Add(1)
				}
			})
		}
		for more := true; more; time.Sleep(time.Second) {
			for i := range games {
				more = w.step(fmt.Sprint("g", i), game.Public, false)
			}
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		stats := h.Stats()
		wg.Wait()
		t.Logf("%d viewers of %d games: %d slow ones got a snapshot, heap %d MiB", viewers, games, stats.Lost, m.HeapAlloc>>20)
		if n := ended.Load(); n != int64(viewers) {
			t.Errorf("%d of %d viewers saw the end", n, viewers)
		}
		if stats.Lost == 0 {
			t.Error("nobody was too slow: the test tries too little")
		}
		if m.HeapAlloc > 700<<20 {
			t.Errorf("%d MiB", m.HeapAlloc>>20)
		}
		h.Close()
	})
}

func TestParseID(t *testing.T) {
	for text, want := range map[string]hub.ID{"2-57": {2, 57}, "": {}, "57": {}, "-1-3": {}, "1-": {}, "a-b": {}, "1-2-3": {}, "1-99999999999999999999": {}} {
		if got := hub.ParseID(text); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
		if want != (hub.ID{}) && want.String() != text {
			t.Errorf("%v is written %q", want, want.String())
		}
	}
}

// A delta that does not follow is refused, whatever it says.
func TestApplyRefuses(t *testing.T) {
	s := live.State{Seq: 5, View: &wire.View{Pieces: "..", Owners: "--"}}
	for _, d := range []live.Delta{
		{Prev: 4, Seq: 6},
		{Prev: 5, Seq: 6, Cells: []wire.Change{{I: 2, C: "B0"}}},
		{Prev: 5, Seq: 6, Cells: []wire.Change{{I: -1, C: "B0"}}},
		{Prev: 5, Seq: 6, Cells: []wire.Change{{I: 1, C: "B"}}},
	} {
		if _, err := live.Apply(s, &d); err == nil {
			t.Errorf("%+v is applied", d)
		}
	}
	if _, err := live.Apply(live.State{}, &live.Delta{Rest: &wire.Rest{}}); err == nil {
		t.Error("a board that was never shown is changed")
	}
	if !slices.Equal([]byte(s.View.Pieces), []byte("..")) {
		t.Error("the state before has changed")
	}
}

func BenchmarkFanOut(b *testing.B) {
	g := play(b, "othello", 5)
	for b.Loop() {
		w := newWorker()
		w.begin("g", &g)
		h := hub.New(hub.Options{Source: w, Now: time.Now, Frames: 256})
		var wg sync.WaitGroup
		for range 50 {
			v, err := h.Watch(hub.Key{Game: "g", To: game.Public}, hub.Meta{}, hub.ID{})
			if err != nil {
				b.Fatal(err)
			}
			wg.Go(func() {
				defer v.Close()
				for {
					if _, err := v.Next(b.Context()); err != nil {
						return
					}
				}
			})
		}
		for w.step("g", game.Public, false) {
		}
		wg.Wait()
		h.Close()
	}
	b.ReportMetric(float64(50*len(g[2].lines)*b.N)/b.Elapsed().Seconds(), "events*viewers/s")
}

// TestRefresh asks at once for what was told while nothing came through, instead of after
// a silence.
func TestRefresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := play(t, "othello", 1)
		w := newWorker()
		w.begin("g", &g)
		h := hub.New(hub.Options{Source: w, Now: time.Now, Silence: time.Hour})
		defer h.Close()
		v, err := h.Watch(hub.Key{Game: "g", To: game.Public}, hub.Meta{}, hub.ID{})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		var r reader
		seen := func() int {
			synctest.Wait()
			for {
				f, news, err := v.Take()
				if err != nil || news != nil {
					return len(r.state.History)
				}
				if err := r.take(f); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range 20 {
			w.step("g", game.Public, false)
		}
		time.Sleep(2 * time.Second)
		before := seen()
		for range 20 {
			w.step("g", game.Public, true)
		}
		time.Sleep(time.Minute)
		if n := seen(); n != before || before == 0 {
			t.Fatalf("%d entries, %d before", n, before)
		}
		h.Refresh()
		time.Sleep(time.Second)
		if n := seen(); n <= before {
			t.Errorf("%d entries as before", n)
		}
	})
}
