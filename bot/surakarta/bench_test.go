package surakarta

import (
	"context"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/player"
)

// BenchmarkThink measures positions per second of a search to a fixed depth.
func BenchmarkThink(b *testing.B) {
	for name, start := range map[string]string{
		"start":  "",
		"middle": "b..bb./.bb.b./.w..b./..w.w./.ww.../w.w..w b 0",
	} {
		b.Run(name, func(b *testing.B) {
			p := New(bot.Options{Now: time.Now})
			var nodes int64
			for b.Loop() {
				if err := p.NewGame(context.Background(), &player.Setup{Spec: "surakarta:repetition=3,nocapture=50", Start: start, ToMove: game.First}); err != nil {
					b.Fatal(err)
				}
				a, err := p.Choose(context.Background(), &player.Prompt{Seat: game.First, Limits: player.Limits{Depth: 9}})
				if err != nil {
					b.Fatal(err)
				}
				nodes += a.Info.Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
		})
	}
}
