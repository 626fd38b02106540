package surakarta

import (
	"context"
	"fmt"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/player"
)

// starts are positions to search, named.
func starts() map[string]string {
	return map[string]string{
		"start":  "",
		"middle": "b..bb./.bb.b./.w..b./..w.w./.ww.../w.w..w b 0",
		"late":   "b....b/..b.../.w..b./....w./.w..../w....w b 0",
	}
}

// BenchmarkThink measures positions per second of a search to a fixed depth.
func BenchmarkThink(b *testing.B) {
	for name, start := range starts() {
		b.Run(name, func(b *testing.B) { think(b, start, 9, 1) })
	}
}

// BenchmarkThreads measures how much sooner several goroutines come to a depth.
func BenchmarkThreads(b *testing.B) {
	for name, start := range starts() {
		for threads := 1; threads <= 2; threads++ {
			b.Run(fmt.Sprintf("%s/%d", name, threads), func(b *testing.B) { think(b, start, 12, threads) })
		}
	}
}

func think(b *testing.B, start string, depth, threads int) {
	b.Helper()
	p := New(bot.Options{Now: time.Now})
	var nodes int64
	for b.Loop() {
		if err := p.NewGame(context.Background(), &player.Setup{
			Spec: "surakarta:repetition=3,nocapture=50", Start: start, ToMove: game.First,
			Limits: player.Limits{Threads: threads},
		}); err != nil {
			b.Fatal(err)
		}
		a, err := p.Choose(context.Background(), &player.Prompt{Seat: game.First, Limits: player.Limits{Depth: depth}})
		if err != nil {
			b.Fatal(err)
		}
		nodes += a.Info.Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
}
