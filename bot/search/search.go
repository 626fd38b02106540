package search

import (
	"cmp"
	"math"
	"sync"

	"kibitz/bot"
	"kibitz/game"
)

// Line is a first move with what was found about it.
type Line struct {
	// Move is the first move and PV the line that begins with it.
	Move Move
	PV   []Move
	// Value is for the side on turn at the root. Of moves that are not among the best,
	// as many as were asked for, it is an upper bound.
	Value int

	historyIndex int32
}

// Result is what a search found.
type Result struct {
	// Lines are all first moves, the best first. They are valid until the next search.
	Lines []Line
	// Depth is that of the last complete iteration, 0 if there was none.
	Depth int
	// Part says that a deeper iteration was broken off: the first line is then the best
	// of those that it came to, and values of the others cannot be compared with it.
	Part bool
}

// Search searches positions of one game and remembers what it finds. It is used by one
// goroutine, whatever number it employs.
type Search[P Position] struct {
	o              Options[P]
	table          table
	reduce         *[64][64]uint8
	lateMoveCounts *[64]uint8
	shared         shared
	workers        []*worker[P]
	helpers        sync.WaitGroup
}

// New returns a search for a game.
func New[P Position](o Options[P]) *Search[P] {
	if o.Win <= 0 || o.MateThreshold <= 0 || o.MateThreshold > o.Win || o.Win >= Inf-MaxPly {
		panic("search: want 0 < MateThreshold <= Win < Inf-MaxPly")
	}
	o.MaxDepth = cmp.Or(o.MaxDepth, MaxPly/2)
	o.PollEvery = cmp.Or(o.PollEvery, 256)
	s := &Search[P]{o: o}
	if o.Reduce != nil {
		s.reduce = new([64][64]uint8)
		for d := range s.reduce {
			for i := range s.reduce[d] {
				s.reduce[d][i] = uint8(o.Reduce(d, i))
			}
		}
	}
	if o.LateMoves != nil {
		s.lateMoveCounts = new([64]uint8)
		for d := range s.lateMoveCounts {
			s.lateMoveCounts[d] = uint8(min(max(o.LateMoves(d), 1), math.MaxUint8))
		}
	}
	return s
}

// Forget makes the next search independent of those before it.
func (s *Search[P]) Forget() {
	s.helpers.Wait()
	s.table.Forget()
}

// Run searches the position by iterative deepening for as long as the task allows, and
// streams so many lines as the task wants after each iteration. lines is how many first
// moves are to get a value of their own, if more. memory is the limit of the process in
// bytes, 0 for none. The position is afterwards as it was.
func (s *Search[P]) Run(t *bot.Task, p P, lines int, memory int64) Result {
	t.UseAll()
	w := s.ready(t, p, memory)
	if len(w.rootMoves) == 0 {
		return Result{}
	}
	defer w.meter.poll()
	s.help(t, p)
	defer s.shared.stop.Store(true)
	lines = min(max(lines, t.Lines, 1), len(w.rootMoves))
	done, part := 0, false
	for depth := 1; depth <= s.o.MaxDepth && t.More(depth); depth++ {
		if depth > 1 && w.proveRoot() {
			break
		}
		if part = !w.iterate(depth, lines); part {
			break
		}
		done = depth
		s.report(t, depth)
		if s.decided(w.rootMoves[0].Value, depth) {
			break
		}
	}
	return Result{Lines: w.rootMoves, Depth: done, Part: part}
}

// Value searches one position of several that a decision depends on, to a depth at most,
// and reports nothing. It is false if the search was stopped.
func (s *Search[P]) Value(t *bot.Task, p P, depth int, memory int64) (v int, ok bool) {
	w := s.ready(t, p, memory)
	defer w.meter.poll()
	for d := 1; len(w.rootMoves) > 0 && d <= depth && t.More(d); d++ {
		if ok = w.iterate(d, 1); !ok {
			break
		}
		if v = w.rootMoves[0].Value; s.decided(v, d) {
			break
		}
	}
	return v, ok
}

// ready returns the worker of the task, which has listed the first moves.
func (s *Search[P]) ready(t *bot.Task, p P, memory int64) *worker[P] {
	s.helpers.Wait()
	s.shared.nodes.Store(0)
	s.table.many = false
	s.fit(t, memory)
	w := s.worker(0)
	s.begin(w, p, t)
	return w
}

// decided reports whether a value will not become better: the game is over within the
// depth, or it is enough.
func (s *Search[P]) decided(v, depth int) bool {
	v = max(v, -v)
	return s.o.Win-v <= depth || s.o.Enough > 0 && v >= s.o.Enough
}

// fit makes the table as large as the task and the limit of memory want it.
func (s *Search[P]) fit(t *bot.Task, memory int64) {
	want := s.o.TableBytes
	if t.Nodes > 0 {
		want = min(want, t.Nodes*s.table.EntryBytes()/2)
	}
	s.table.Fit(memory, want)
}

// worker returns the i-th worker, which is made if it is missing.
func (s *Search[P]) worker(i int) *worker[P] {
	for len(s.workers) <= i {
		w := &worker[P]{o: &s.o, table: &s.table, reduce: s.reduce, lateMoveCounts: s.lateMoveCounts}
		for ply := range w.stack {
			w.stack[ply].Ply, w.stack[ply].Meter = ply, &w.meter
		}
		if s.o.HistorySize > 0 {
			w.history = make([]int32, s.o.HistorySize)
		}
		s.workers = append(s.workers, w)
	}
	return s.workers[i]
}

// begin puts a worker on a position; t is nil for those that only help.
func (s *Search[P]) begin(w *worker[P], p P, t *bot.Task) {
	w.pos = p
	w.noisy, _ = any(p).(Quiescence)
	w.null, _ = any(p).(NullMover)
	w.prover, _ = any(p).(WinProver)
	w.frontier, _ = any(p).(Frontier)
	w.chance, _ = any(p).(ChanceNode)
	w.chanceDepth = 0
	w.verify = nil
	if t != nil {
		w.verify, _ = any(p).(RootVerifier)
	}
	if s.o.NullReduction == 0 {
		w.null = nil
	}
	w.meter = Meter{task: t, shared: &s.shared, every: s.o.PollEvery}
	w.limit = MaxPly
	clear(w.history)
	for i := range w.stack {
		w.stack[i].killers = [2]Move{}
	}
	w.listRootMoves()
}

// help starts the other goroutines. They end soon after shared.stop is set; the answer
// does not wait for them, but the next search does.
func (s *Search[P]) help(t *bot.Task, p P) {
	s.table.many = t.Threads > 1 && s.o.Fork != nil
	if !s.table.many {
		return
	}
	s.shared.stop.Store(false)
	for i := 1; i < t.Threads; i++ {
		w := s.worker(i)
		s.begin(w, s.o.Fork(p, w.pos), nil)
		s.helpers.Go(func() {
			// Every other one is a ply ahead, so that they do not all do the same.
			for depth := 1 + i&1; depth <= s.o.MaxDepth && w.iterate(depth, 1); depth++ {
			}
			w.meter.poll()
		})
	}
}

// report streams the lines of an iteration.
func (s *Search[P]) report(t *bot.Task, depth int) {
	w := s.workers[0]
	w.meter.poll()
	if s.o.Describe == nil || !t.Heard() {
		return
	}
	for i := range min(max(t.Lines, 1), len(w.rootMoves)) {
		rank := i + 1
		if t.Lines <= 1 {
			rank = 0
		}
		t.Report(s.Info(&w.rootMoves[i], depth, rank))
	}
}

// Info describes a line for the outside; rank is 0 if there is only one.
func (s *Search[P]) Info(l *Line, depth, rank int) game.Info {
	x := s.o.Describe(l)
	x.Depth, x.Rank = depth, rank
	return x
}

// Draw returns the number of a line that is drawn by lot among those, of the first
// lines, that are worth at most by less than the best. Of one line nothing is drawn.
func (r Result) Draw(t *bot.Task, lines, by int) int {
	if lines == 1 {
		return 0
	}
	n := 1
	for !r.Part && n < min(lines, len(r.Lines)) && r.Lines[n].Value >= r.Lines[0].Value-by {
		n++
	}
	return t.Rand.IntN(n)
}
