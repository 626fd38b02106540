package mcts

import (
	"math"
	"sync/atomic"
	"time"

	"kibitz/bot"
)

// firstIteration is how many rounds the first iteration has. Each further one has as
// many as all before it.
const firstIteration = 128

// lookEvery is how many rounds are between two looks at whether it is time to end.
const lookEvery = 16

// Search plays rounds, each of which counts as Options.Cost positions, until the task ends or the root
// is proved. In play it ends at Soft, and before that once no other
// move can be played more often in what is left; where a turn's own time is lost if it
// is not used, Soft is Hard. After each iteration tell is called with its number, if
// it is not nil. The tree must have been begun.
//
// With task.Threads above 1 so many goroutines play. On return no other one touches the
// nodes, but the rounds of others that were under way may still be played: they count for
// nothing, and Begin, Resume, Follow and Clear wait for them.
func (t *Tree[G, P]) Search(task *bot.Task, tell func(depth int)) {
	if tell == nil {
		tell = func(int) {}
	}
	task.UseAll()
	c := progress{task: task, began: task.Elapsed()}
	t.wait()
	t.ended = false
	t.startWorkers(&c, task.Threads)
	defer t.stopWorkers()
	until := int64(firstIteration)
	for depth := 1; task.More(depth); depth++ {
		for c.played < until {
			end := t.round(t.workers[0])
			more := 1 + c.rounds.Swap(0)
			c.played += more
			end = task.Poll(more*t.opts.Cost) || end
			if end || t.look(&c) {
				t.mu.Lock()
				tell(depth)
				t.mu.Unlock()
				return
			}
		}
		t.mu.Lock()
		tell(depth)
		t.mu.Unlock()
		until *= 2
	}
}

// progress is what the threads of a search have done.
type progress struct {
	task   *bot.Task
	began  time.Duration // of the task when the search began
	played int64         // rounds
	looks  int64
	rounds atomic.Int64 // of the other threads, not counted in played yet
}

// startWorkers starts the threads beside the first.
func (t *Tree[G, P]) startWorkers(c *progress, threads int) {
	for i := 1; i < threads; i++ {
		h := t.worker(i, uint64(t.workers[0].rand))
		t.helpers.Go(func() {
			for !t.round(h) {
				c.rounds.Add(1)
			}
		})
	}
}

// stopWorkers ends the threads beside the first, without waiting for their rounds.
func (t *Tree[G, P]) stopWorkers() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	for _, h := range t.workers {
		t.cancelRound(h)
	}
}

// look reports, every few rounds, whether more of them are of no use.
func (t *Tree[G, P]) look(c *progress) bool {
	if c.looks++; c.looks%lookEvery != 0 {
		return false
	}
	left, task := math.Inf(1), c.task
	if task.Nodes > 0 {
		left = float64((task.Nodes - task.Count()) / t.opts.Cost)
	}
	if task.Soft > 0 {
		now := task.Elapsed()
		if now >= task.Soft {
			return true
		}
		if spent := now - c.began; spent > 0 {
			left = min(left, float64(c.played)*float64(task.Soft-now)/float64(spent))
		}
	}
	if task.Lines > 1 || task.Analysing() || math.IsInf(left, 1) || t.samples {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ahead() > left
}

// ahead returns how many rounds the most played move is ahead of the next one.
func (t *Tree[G, P]) ahead() float64 {
	first, second := float32(0), float32(math.Inf(-1))
	children := t.children(&t.nodes[0])
	for j := range children {
		c := &children[j]
		switch {
		case c.proof == Loss:
		case c.n > first:
			first, second = c.n, first
		case c.n > second:
			second = c.n
		}
	}
	return float64(first - second)
}
