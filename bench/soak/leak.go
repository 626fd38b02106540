//go:build linux

package main

import (
	"fmt"
	"time"
)

// allowance is how much more of something a process may hold at the end than when it
// had settled. Processes of engines are kept between games, of each as many as there are
// games at a time, with what they have started, and are gathered by and by: ten more of
// them, each with three descriptors, are no leak.
type allowance struct {
	what  string
	of    func(*sample) float64
	most  float64
	grows float64 // and for each game, since a run keeps a few words of it
}

func allowances() []allowance {
	return []allowance{
		{"file descriptors", func(s *sample) float64 { return float64(s.descriptors) }, 30, 0},
		{"threads", func(s *sample) float64 { return float64(s.threads) }, 12, 0},
		{"resident MiB", func(s *sample) float64 { return float64(s.memory) / (1 << 20) }, 12, 1.0 / 1024},
		{"processes below", func(s *sample) float64 { return float64(s.children) }, 30, 0},
		{"dead children", func(s *sample) float64 { return float64(s.zombies) }, 6, 0},
		{"temporary files", func(s *sample) float64 { return float64(s.temporary) }, 16, 0},
		{"control groups", func(s *sample) float64 { return float64(s.groups) }, 20, 0},
	}
}

// course is how something went in a run after it had settled.
type course struct {
	what        string
	first, last float64 // of the line through the samples
	most        float64 // that the rise may be
}

// leaks reports whether it rose by more than it may.
func (c *course) leaks() bool { return c.last-c.first > c.most }

// leastSamples are needed to tell a rise from chance.
const leastSamples = 12

// settled drops the first quarter of the samples.
func settled(all []sample) []sample { return all[len(all)/4:] }

// courses fits lines through samples. There are none if there are too few of them.
func courses(all []sample) []course {
	if len(all) < leastSamples {
		return nil
	}
	list := settled(all)
	var out []course
	games := float64(list[len(list)-1].games - list[0].games)
	for _, a := range allowances() {
		first, last := line(list, a.of)
		out = append(out, course{a.what, first, last, a.most + a.grows*games})
	}
	return out
}

// line returns the ends of the line of least squares through the samples over time.
func line(list []sample, of func(*sample) float64) (first, last float64) {
	n := float64(len(list))
	var sx, sy, sxx, sxy float64
	for i := range list {
		x, y := list[i].at.Seconds(), of(&list[i])
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	slope := 0.0
	if d := n*sxx - sx*sx; d > 0 {
		slope = (n*sxy - sx*sy) / d
	}
	at := func(s *sample) float64 { return sy/n + slope*(s.at.Seconds()-sx/n) }
	return at(&list[0]), at(&list[len(list)-1])
}

// row prints a sample.
func (s *sample) row() string {
	quiet := ""
	if s.quiet {
		quiet = "  (no game runs)"
	}
	return fmt.Sprintf("%8s %7d games %4d descriptors %3d threads %6.1f MiB %4d processes %2d dead %4d temporary %4d groups%s",
		s.at.Round(time.Second), s.games, s.descriptors, s.threads, float64(s.memory)/(1<<20), s.children, s.zombies, s.temporary, s.groups,
		quiet)
}
