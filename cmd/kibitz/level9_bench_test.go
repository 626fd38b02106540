package main

import (
	"path/filepath"
	"runtime"
	"testing"

	"kibitz/catalog"
)

// BenchmarkLevel9 plays games of level 9 against itself at a tenth of a second a turn
// and tells how many positions a second it searches in the first, second and last
// third of the turns, in millions, and what is allocated for a thousand positions,
// tables, records and journal included.
func BenchmarkLevel9(b *testing.B) {
	for _, g := range catalog.All() {
		id := g.Rules.ID
		b.Run(id, func(b *testing.B) {
			args := []string{"--game", id, "--engine", "bot=9 name=a", "--engine", "bot=9 name=b", "--each", "st=0.1", "--games", "8"}
			if _, drawn := g.Openings.Get(); drawn { // the others begin with a shuffle
				args = append(args, "--openings", "suite order=random", "--seed", "1")
			}
			var nodes, seconds [3]float64
			var bytes, allocs uint64
			for b.Loop() {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				dir := playRun(b, args...)
				runtime.ReadMemStats(&after)
				bytes, allocs = bytes+after.TotalAlloc-before.TotalAlloc, allocs+after.Mallocs-before.Mallocs
				addSpeed(b, dir, &nodes, &seconds)
			}
			for i, name := range []string{"early", "middle", "late"} {
				b.ReportMetric(nodes[i]/max(1e-6, seconds[i])/1e6, name+"-M/s")
			}
			thousands := (nodes[0] + nodes[1] + nodes[2]) / 1000
			b.ReportMetric(float64(bytes)/thousands, "B/1000")
			b.ReportMetric(float64(allocs)/thousands, "allocs/1000")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// addSpeed adds up the positions and the seconds of the turns of all games that took
// 5 ms and more, by the third of the game they are in.
func addSpeed(b *testing.B, dir string, nodes, seconds *[3]float64) {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "games", "*.json"))
	if err != nil || len(files) == 0 {
		b.Fatal("no records", err)
	}
	for _, f := range files {
		list, err := loadRecords(&app{}, f, "", "")
		if err != nil {
			b.Fatal(err)
		}
		steps := list[0].Steps
		for i, s := range steps {
			if s.Info != nil && s.Info.Time.Milliseconds() >= 5 {
				third := i * 3 / len(steps)
				nodes[third] += float64(s.Info.Nodes)
				seconds[third] += s.Info.Time.Seconds()
			}
		}
	}
}
