package remote

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/match"
	"kibitz/player"
)

// talker is an engine that speaks off turn and answers offers.
type talker struct {
	slow
	reply player.Offer

	mu   sync.Mutex
	hear func(player.Interjection)
	asks []player.Offer
}

func newTalker(seed uint64, think time.Duration) *talker {
	return &talker{slow: slow{Player: random.New(random.Options{Seed: seed}), think: think}, reply: player.DeclineOffer}
}

func (w *talker) Listen(hear func(player.Interjection)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hear = hear
}

// speak says something if anybody listens.
func (w *talker) speak(i player.Interjection) {
	w.mu.Lock()
	hear := w.hear
	w.mu.Unlock()
	if hear != nil {
		hear(i)
	}
}

func (w *talker) Offered(_ context.Context, o player.Offer) (player.Offer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asks = append(w.asks, o)
	return w.reply, nil
}

// What an engine says off turn is heard once and in order, over good connections and
// bad ones, also when another program takes the engine's place in the game.
func TestOffTurnHeard(t *testing.T) {
	for _, bad := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			far := newTalker(1, 0)
			j := join(far, "othello", Options{Session: "g"}, bad)
			defer j.Close()
			if err := j.NewGame(t.Context(), &player.Setup{ID: "g", Spec: "othello"}); err != nil {
				t.Fatal(err)
			}
			draw, undo := player.Interjection{Offer: player.OfferDraw}, player.Interjection{Offer: player.OfferUndo}
			far.speak(draw) // before anybody listens: it waits
			time.Sleep(time.Minute)
			var mu sync.Mutex
			var heard []player.Interjection
			j.Listen(func(i player.Interjection) {
				mu.Lock()
				defer mu.Unlock()
				heard = append(heard, i)
			})
			for range 5 {
				far.speak(undo)
			}
			time.Sleep(time.Minute)
			j.stop()
			j.wg.Wait()
			next := newTalker(2, 0)
			later := NewClient(next, "othello", time.Now)
			defer later.Close()
			ctx, cancel := context.WithCancel(t.Context())
			var wg sync.WaitGroup
			defer wg.Wait()
			defer cancel()
			wg.Go(func() {
				for ctx.Err() == nil {
					_ = later.Serve(ctx, j.wire)
				}
			})
			time.Sleep(time.Minute)
			next.speak(player.Interjection{Resign: true})
			time.Sleep(time.Minute)
			mu.Lock()
			defer mu.Unlock()
			want := []player.Interjection{draw, undo, undo, undo, undo, undo, {Resign: true}}
			if !slices.Equal(heard, want) {
				t.Errorf("bad=%v: heard %+v", bad, heard)
			}
		})
	}
}

// Off turn an engine at the other end can resign, offer a draw and take one.
func TestOffTurn(t *testing.T) {
	play := func(t *testing.T, say player.Interjection, reply player.Offer) (match.Outcome, *talker) {
		far, other := newTalker(1, time.Second), newTalker(2, 10*time.Second)
		other.reply = reply
		a := join(far, "othello", Options{Session: "a"}, false)
		b := join(other, "othello", Options{Session: "b"}, false)
		defer a.Close()
		defer b.Close()
		g := &match.Game{ID: "g", Rules: open(t, "othello"), Now: time.Now}
		g.Sides[0], g.Sides[1] = match.Side{Player: a, Name: "far"}, match.Side{Player: b, Name: "other"}
		g.Policy.MaxMoves = 10
		time.AfterFunc(5*time.Second, func() { far.speak(say) }) // the other one thinks
		return match.Play(t.Context(), g), other
	}
	for _, tt := range []struct {
		say   player.Interjection
		reply player.Offer
		want  game.Reason
		asks  int
	}{
		{player.Interjection{Resign: true}, player.DeclineOffer, game.ByResign, 0},
		{player.Interjection{Offer: player.OfferDraw}, player.AcceptOffer, game.ByAgreement, 1},
		{player.Interjection{Offer: player.OfferDraw}, player.DeclineOffer, game.ByAdjudication, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			o, other := play(t, tt.say, tt.reply)
			if o.Result.Reason != tt.want || len(other.asks) != tt.asks || tt.want == game.ByResign && o.Result.Winner() != game.Second {
				t.Errorf("%+v answered with %v: %+v, asked %v", tt.say, tt.reply, o.Result, other.asks)
			}
		})
	}
}
