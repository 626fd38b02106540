//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// print writes what was measured.
func (m *measurement) print(w io.Writer, asJSON bool) error {
	c := m.crowd
	d := c.delays
	if asJSON {
		return json.NewEncoder(w).Encode(map[string]any{
			"games": m.o.games, "spectators": m.o.spectators, "specs": m.o.specs, "slow": m.o.slow,
			"p50_ms": d.at(0.5).Milliseconds(), "p90_ms": d.at(0.9).Milliseconds(), "p99_ms": d.at(0.99).Milliseconds(),
			"p999_ms": d.at(0.999).Milliseconds(), "max_ms": d.most.Milliseconds(),
			"delays": d.n, "gaps": c.tally.gaps, "behind": m.behind, "late": c.tally.late, "broken": c.tally.broken, "failed": c.tally.failed,
			"ends":        c.tally.ends,
			"slow_broken": c.slow.broken, "slow_late": c.slow.late, "slow_gaps": c.slow.gaps, "slow_behind": m.slowBehind,
			"first_answer_ms": m.hall.answered.Milliseconds(), "quiet": m.quiet, "arriving": m.arriving, "window": m.window, "after": m.after,
		})
	}
	p := func(format string, a ...any) { fmt.Fprintf(w, format+"\n", a...) }
	p("%d games of %s, a decision every %s; %d spectators, %.1f%% of them slow", m.o.games, strings.Join(m.o.specs, ", "), m.o.every,
		m.o.spectators, m.o.slow*100)
	p("first answer of the hall after %s", m.hall.answered.Round(time.Millisecond))
	p("delay from the referee to the spectator, %d events in %s: p50 %s, p90 %s, p99 %s, p99.9 %s, most %s", d.n, m.o.window, d.at(0.5),
		d.at(0.9), d.at(0.99), d.at(0.999), d.most)
	p("gaps %d, behind %d, snapshots for being late %d, broken %d, refused %d %s; games seen to their end %d", c.tally.gaps, m.behind,
		c.tally.late, c.tally.broken, c.tally.failed, c.tally.why, c.tally.ends)
	if m.o.slow > 0 {
		p("slow readers: cut off %d, snapshots for being late %d, gaps %d, not where the others are after 10s %d %s", c.slow.broken, c.slow.late,
			c.slow.gaps, m.slowBehind, c.slow.why)
	}
	p("%-22s %8s %8s %8s %8s %10s %10s %10s %10s %9s %6s", "", "seconds", "hall", "worker", "load", "hall MiB", "peak MiB", "worker MiB",
		"socket MiB", "frames/s", "avg")
	for _, x := range []struct {
		name string
		span
	}{{"games alone", m.quiet}, {"spectators arrive", m.arriving}, {"window", m.window}, {"slow ones read again", m.after}} {
		s := x.span
		if s.Seconds == 0 {
			continue
		}
		p("%-22s %8.1f %7.1f%% %7.1f%% %7.1f%% %10.1f %10.1f %10.1f %10.1f %9.0f %6.1f", x.name, s.Seconds, s.Hall*100, s.Worker*100, s.Load*100,
			mib(s.Resident), mib(s.Peak), mib(s.WorkerResident), mib(s.Sockets), float64(s.Frames)/s.Seconds, s.Average)
	}
	sent := float64(max(1, m.window.Frames))
	p("for each spectator and move: %.0f bytes on the wire, %.1f us of the hall's processor time", float64(m.window.Bytes)/sent,
		m.window.Hall*m.window.Seconds/sent*1e6)
	return nil
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }

// spread writes least, median and most.
func spread(list []time.Duration) string {
	slices.Sort(list)
	return fmt.Sprintf("%s, median %s, most %s", list[0].Round(time.Millisecond), list[len(list)/2].Round(time.Millisecond),
		list[len(list)-1].Round(time.Millisecond))
}

// loadAverage is that of the last minute, 0 if it is unknown.
func loadAverage() float64 {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	word, _, _ := strings.Cut(string(data), " ")
	x, _ := strconv.ParseFloat(word, 64)
	return x
}

// socketMemory is what the kernel uses for TCP, in bytes, 0 if it is unknown.
func socketMemory() int64 {
	data, err := os.ReadFile("/proc/net/sockstat")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		word := strings.Fields(line)
		for i := 0; i+1 < len(word); i++ {
			if word[0] == "TCP:" && word[i] == "mem" {
				n, _ := strconv.ParseInt(word[i+1], 10, 64)
				return n * int64(os.Getpagesize())
			}
		}
	}
	return 0
}
