//go:build linux

package main

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// base is the runner with which the others are compared, -1 if it does not play.
func (b *bench) base() int {
	return slices.IndexFunc(b.runners, func(r runner) bool { return r.name == gomokuCli })
}

// table prints one line for each runner, in Markdown.
func (b *bench) table(w io.Writer) {
	base := b.base()
	fmt.Fprintln(w, "| runner | game | wall us/move | to c-gomoku-cli | own processor us/move | to c-gomoku-cli | games/s | peak MiB | "+
		"restarted: games/s | own processor ms/game |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|")
	for i, r := range b.runners {
		s := b.results[i]
		wall, own := "", ""
		if base >= 0 && base != i {
			wall = ratios(s.reused, b.results[base].reused, wallPerMove)
			own = ratios(s.reused, b.results[base].reused, ownPerMove)
		}
		restarts, cost := "", ""
		if len(s.restarted) > 0 {
			restarts = spread(s.restarted, gamesPerSecond, 0)
			cost = fmt.Sprintf("%.2f", median(values(s.restarted, func(u usage) float64 { return ms(u.own) / float64(u.games) })))
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %.0f | %.1f | %s | %s |\n", r.name, r.game, spread(s.reused, wallPerMove, 1), wall,
			spread(s.reused, ownPerMove, 1), own, median(values(s.reused, gamesPerSecond)), median(values(s.reused, peakMiB)), restarts, cost)
	}
}

// atOnceTable prints what several games at a time bring, beside those one at a time where
// these were measured.
func (b *bench) atOnceTable(w io.Writer, one []series) {
	base := b.base()
	fmt.Fprintln(w, "| runner | game | games/s | to c-gomoku-cli | times one at a time | own processor us/move |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|")
	for i, r := range b.runners {
		list := b.results[i].reused
		if len(list) == 0 {
			continue
		}
		rival, single := "", ""
		if base >= 0 && base != i {
			rival = ratios(list, b.results[base].reused, gamesPerSecond)
		}
		if one != nil {
			single = fmt.Sprintf("%.2f", median(values(list, gamesPerSecond))/median(values(one[i].reused, gamesPerSecond)))
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n", r.name, r.game, spread(list, gamesPerSecond, 0), rival, single,
			spread(list, ownPerMove, 1))
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func wallPerMove(u usage) float64    { return 1e3 * ms(u.wall) / float64(u.moves) }
func ownPerMove(u usage) float64     { return 1e3 * ms(u.own) / float64(u.moves) }
func gamesPerSecond(u usage) float64 { return float64(u.games) / u.wall.Seconds() }
func peakMiB(u usage) float64        { return float64(u.peak) / (1 << 20) }

func values(list []usage, of func(usage) float64) []float64 {
	out := make([]float64, len(list))
	for i, u := range list {
		out[i] = of(u)
	}
	return out
}

// spread is the median with the least and the largest value.
func spread(list []usage, of func(usage) float64, digits int) string {
	v := values(list, of)
	return fmt.Sprintf("%.*f (%.*f to %.*f)", digits, median(v), digits, slices.Min(v), digits, slices.Max(v))
}

// ratios is the median of the ratios within each round, with the least and the
// largest.
func ratios(list, base []usage, of func(usage) float64) string {
	v := values(list, of)
	for i, u := range base {
		if d := of(u); d > 0 {
			v[i] /= d
		} else {
			v[i] = 0
		}
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", median(v), slices.Min(v), slices.Max(v))
}

// median is the middle value, or the mean of the two in the middle.
func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}
