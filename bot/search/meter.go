package search

import (
	"runtime"
	"sync/atomic"

	"kibitz/bot"
)

// Meter counts the positions of one goroutine and tells it when to stop.
type Meter struct {
	task    *bot.Task // nil but in the goroutine of the task
	shared  *shared
	every   int64
	nodes   int64 // since the last poll
	stopped bool
}

// shared is what the goroutines of a search tell each other.
type shared struct {
	nodes atomic.Int64 // counted beside the goroutine of the task, not yet told to it
	stop  atomic.Bool
}

// NewMeter returns a meter for what a game does before the search; every is
// Options.PollEvery.
func NewMeter(t *bot.Task, every int64) *Meter { return &Meter{task: t, every: every} }

// Flush passes on to the task what was counted.
func (m *Meter) Flush() { m.poll() }

// Visit counts a position and reports whether the search must end.
func (m *Meter) Visit() bool {
	if m.nodes++; m.nodes >= m.every {
		m.poll()
	}
	return m.stopped
}

// Stopped reports whether the search must end. All values are then worthless.
func (m *Meter) Stopped() bool { return m.stopped }

// poll passes on what was counted.
func (m *Meter) poll() {
	n := m.nodes
	m.nodes = 0
	if m.task == nil {
		runtime.Gosched() // as Task.Poll does
		m.shared.nodes.Add(n)
		m.stopped = m.stopped || m.shared.stop.Load()
		return
	}
	if m.shared != nil {
		n += m.shared.nodes.Swap(0)
	}
	m.stopped = m.task.Poll(n) || m.stopped
}
