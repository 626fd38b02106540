package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkLevel9 plays games of level 9 against itself at a tenth of a second a turn
// and tells how many positions a second it searches in the first, second and last
// third of the turns, in millions, and what is allocated for a thousand positions,
// tables, records and journal included.
func BenchmarkLevel9(b *testing.B) {
	for _, id := range slices.Sorted(maps.Keys(bots())) {
		b.Run(id, func(b *testing.B) {
			var nodes, micros [3]float64
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				dir := filepath.Join(b.TempDir(), "run")
				var out, errs bytes.Buffer
				a := &app{stdin: strings.NewReader(""), stdout: &output{Writer: &out}, stderr: &errs, now: time.Now, ctx: b.Context(), drain: make(chan struct{})}
				args := []string{"match", "--game", id, "--engine", "bot=9 name=a", "--engine", "bot=9 name=b", "--each", "st=0.1", "--games", "8", "--quiet", "--out", dir}
				if id != "darkchess" && id != "phantomgo" { // which begin differently by themselves
					args = append(args, "--openings", "suite order=random", "--seed", "1")
				}
				if status := run(a, args); status != 0 {
					b.Fatal(errs.String())
				}
				addSpeed(b, dir, &nodes, &micros)
			}
			runtime.ReadMemStats(&after)
			for i, name := range []string{"early", "middle", "late"} {
				b.ReportMetric(nodes[i]/max(1, micros[i]), name+"-M/s")
			}
			thousands := (nodes[0] + nodes[1] + nodes[2]) / 1000
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/thousands, "B/1000")
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/thousands, "allocs/1000")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// addSpeed adds up the positions and the microseconds of the turns of all games that
// took more than 5 ms, by the third of the game they are in.
func addSpeed(b *testing.B, dir string, nodes, micros *[3]float64) {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "games", "*.json"))
	if err != nil || len(files) == 0 {
		b.Fatal("no records", err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		var game struct {
			Steps []struct {
				Info struct{ Nodes, Us float64 }
			}
		}
		if err := json.Unmarshal(data, &game); err != nil {
			b.Fatal(err)
		}
		for i, s := range game.Steps {
			if s.Info.Us > 5000 {
				third := i * 3 / len(game.Steps)
				nodes[third] += s.Info.Nodes
				micros[third] += s.Info.Us
			}
		}
	}
}
