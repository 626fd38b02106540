package main

import (
	"fmt"
	"math"
	"time"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/link/guard"
	"kibitz/record"
	"kibitz/run"
	"kibitz/tournament"
)

// engineUse is what the processes of an engine used in some games. A nil one is that
// of an engine of which nothing is known.
type engineUse struct {
	games  int
	cpu    time.Duration // of all games together
	memory int64         // the highest peak, 0 if unknown
	told   bool          // people, that it is more than is allowed
}

// newEngineUse returns what was used in one game.
func newEngineUse(u journal.Resources) *engineUse {
	if !u.Known {
		return nil
	}
	return &engineUse{games: 1, cpu: u.CPU, memory: u.Memory}
}

// use counts what the seats of a game used.
func (t *totals) use(p tournament.Pairing, list [2]journal.Resources) {
	for i, engine := range [2]int{p.First, p.Second} {
		if !list[i].Known {
			continue
		}
		if t.used == nil {
			t.used = map[int]*engineUse{}
		}
		if t.used[engine] == nil {
			t.used[engine] = &engineUse{}
		}
		u := t.used[engine]
		u.games++
		u.cpu += list[i].CPU
		u.memory = max(u.memory, list[i].Memory)
	}
}

// remarkMemory tells, once for each engine, that it uses more memory than it was told.
func (r *matchRun) remarkMemory(p *run.Game) {
	if r.cmd.Quiet {
		return
	}
	for i, at := range [2]int{p.Pairing.First, p.Pairing.Second} {
		e, u := r.roster.at(at), r.totals.used[at]
		used := p.Outcome.Resources[i].Memory
		if u == nil || u.told || len(e.Cmd) == 0 || e.Memory == 0 || used <= e.Memory || p.Outcome.Result.Reason == game.ByResource {
			continue
		}
		u.told = true
		text := fmt.Sprintf("%s used %s of memory; it was told %s", p.Names[i], guard.Bytes(used), guard.Bytes(e.Memory))
		if most := e.Enforced().Memory; most > 0 {
			text += " and is ended beyond " + guard.Bytes(most)
		}
		r.warn(text + "; some events allow no more than is told")
	}
}

// mean returns processor seconds a game, rounded to microseconds; nil if unknown.
func (u *engineUse) mean() *float64 {
	if u == nil || u.games == 0 {
		return nil
	}
	x := math.Round(u.cpu.Seconds()/float64(u.games)*1e6) / 1e6
	return &x
}

// peak returns the highest peak in bytes, nil if unknown.
func (u *engineUse) peak() *int64 {
	if u == nil || u.memory == 0 {
		return nil
	}
	return &u.memory
}

// columns returns the two of the table of a run, "-" for what is unknown.
func (u *engineUse) columns() (cpu, memory string) {
	cpu, memory = "-", "-"
	if x := u.mean(); x != nil {
		cpu = meanTime(*x)
	}
	if x := u.peak(); x != nil {
		memory = megabytes(*x)
	}
	return cpu, memory
}

// megabytes prints a size for people, in the unit in which limits are given.
func megabytes(n int64) string {
	mb := float64(n) / (1 << 20)
	if mb < 10 {
		return fmt.Sprintf("%.1f MB", mb)
	}
	return fmt.Sprintf("%.0f MB", mb)
}

// resourcesText tells for people what the seats of a game used: "A 1.2s of processor
// time and 45 MB, B 300ms and 8.1 MB". It is empty where nothing is known.
func resourcesText(list [2]record.Resources, names [2]string) string {
	text := ""
	for i, u := range list {
		if !u.Known {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%s %s of processor time", names[i], meanTime(u.CPU.Seconds()))
		if u.Memory > 0 {
			text += " and " + megabytes(u.Memory) + " of memory"
		}
	}
	return text
}
