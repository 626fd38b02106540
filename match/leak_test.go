package match_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/games"
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
	var b strings.Builder
	for i := range *events {
		ev := &(*events)[i]
		if ev.To != game.Public && ev.To != game.To(hidden.Other()) {
			continue
		}
		ev.Seq = 0 // numbers of the whole journal are no part of what is passed on
		line, err := journal.AppendEvent(nil, ev)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
	}
	return strings.Join(watched.log, "\n"), b.String()
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
						t.Fatalf("the player sees a difference (seed %d, %d attempts):\n%s", seed, attempts, difference(log, log2))
					}
					if readable2 != readable {
						t.Fatalf("the journal shows a difference (seed %d, %d attempts):\n%s", seed, attempts, difference(readable, readable2))
					}
				}
			}
		})
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

func difference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d\n%s\n%s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}
