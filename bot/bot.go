package bot

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// Engine is the part of a bot that knows its game. It is used by one goroutine;
// nothing in it needs to be safe for concurrent use.
type Engine interface {
	// Reset puts the engine at the start of the game that s describes: s.Spec
	// from s.Start. It must not look at s.History, which follows through Update.
	// It is also called to follow an undo and for whole-game analysis, so what
	// was learned (tables) may stay where it cannot do harm. Errors are for
	// people: a position or an option that the engine cannot play.
	Reset(s *player.Setup) error
	// Update follows the game. u.Rewind is always 0, undo is done by Reset and
	// repetition. u belongs to the caller again after the return.
	Update(u *player.Update) error
	// Think decides. It returns soon after t.Poll or t.More has said so, with
	// the best it has; with several steps if the turn has several. It may be
	// asked in the middle of a turn (t.Turn.Step > 0), and for either seat. An
	// answer without steps means that the engine has none, and a legal move is
	// taken for it.
	//
	// In analysis (t.Analysing) the steps are ignored and what counts are the
	// reports: each iteration reports its t.Lines best first moves, Rank 1 first.
	Think(t *Task) player.Answer
}

// Pacer is implemented by engines that can estimate how long the game will last;
// time is shared out over that many turns. Without it, 25 are assumed.
type Pacer interface {
	// TurnsLeft returns the number of turns that the seat on turn will probably
	// still have, the current one included; at least 1.
	TurnsLeft() int
}

// Leveler is implemented by engines whose levels have been measured; the others have
// those of LevelOf.
type Leveler interface {
	// Level returns the strength of level n, from 1 to 9.
	Level(n int) Level
}

// Varier is implemented by engines whose points are small or large: see Options.Variety.
type Varier interface {
	// Near returns by how many points a move may be worse than the best one to be
	// drawn instead of it.
	Near() float64
}

// Blunderer is implemented by engines that can make a mistake of their own; the
// others make a random legal move when their level has them blunder.
type Blunderer interface {
	// Blunder returns a bad but credible decision; without steps a random legal
	// move is made.
	Blunder(t *Task) player.Answer
}

// Forgetter is implemented by engines that remember something between turns.
type Forgetter interface {
	// Forget is called before the Reset of each new game, so that no game depends
	// on those before it.
	Forget()
}

// Starter is implemented by engines that cannot start from every position.
type Starter interface {
	// CanStart says from where the engine can begin a game.
	CanStart(spec game.Spec) player.Start
}

// Options configures a bot.
type Options struct {
	// Level is the strength from 1 to 9; 0 is MaxLevel.
	Level int
	// Seed decides all random choices, together with Setup.ID and the number of
	// decisions so far. With the same seed, level and game a bot that no clock
	// cuts short plays the same moves, whatever it has played before.
	Seed uint64
	// Now is the time source. It must not be nil.
	Now func() time.Time
	// Memory bounds the tables in bytes, 0 for the engine's own default. A limit
	// in the set-up of a game counts if it is lower.
	Memory int64
	// Name is what the player calls itself, empty for a name of its own.
	Name string
	// Variety is in how many plies from the start of a game moves are drawn by lot
	// among those that are nearly the best, so that games differ; 0 leaves it at what
	// the engine does by itself.
	Variety int
}

// Task is one request to think. Engines may change the exported fields.
type Task struct {
	// Seat is the seat to decide, Nobody in analysis when it is not known.
	Seat game.Seat
	// Moves are the legal decisions, nil in analysis.
	Moves []game.Move
	// Lines is how many first moves to evaluate: 1 in play, n for "hint n".
	Lines int
	// Depth is the deepest iteration allowed, 0 if unlimited.
	Depth int
	// Nodes is the number of positions allowed, 0 if unlimited; in an analysis more, until
	// something was reported.
	Nodes int64
	// Soft is the time after which no iteration should begin, Hard the time
	// after which thinking ends; 0 if unlimited. Without a clock only Hard may be
	// set, and it is then no time that ought to be used. An engine may stretch Soft up
	// to Hard where the position is difficult.
	Soft, Hard time.Duration
	// Lost tells that time up to Hard which is not used is lost, as where each turn
	// has its own: nothing is saved for later turns.
	Lost bool
	// Threads is how many goroutines may think, at least 1. With more than one what is
	// played depends on how they are run.
	Threads int
	// Rand is the source of random choices for this task.
	Rand *rand.Rand
	// Rejected is that of the prompt.
	Rejected player.Rejection

	p         *Player
	halt      *atomic.Bool // ends the task from outside
	began     time.Time
	count     int64
	stopped   bool
	looked    time.Duration // when Poll looked at the clock last, 0 for never
	away      time.Duration // the longest between two such looks
	analysing bool
	told      bool // something was reported
	done      <-chan struct{}
	yield     func(game.Info) bool
}

// leastAnalysed is how many positions an analysis may look at until it has something to tell: an
// evaluation of nothing judges no turn.
const leastAnalysed = 20_000

// Poll counts n more positions and reports whether thinking must end now. Once
// true it stays true. It costs a reading of the clock: call it about every
// thousand positions, not for each. Whoever else waits for the processor has a turn: the
// runtime alone would let him wait for 10 ms.
func (t *Task) Poll(n int64) bool {
	runtime.Gosched()
	t.count += n
	if t.stopped {
		return true
	}
	if t.halt != nil && t.halt.Load() {
		t.stopped = true
		return true
	}
	if t.Nodes > 0 && t.count >= t.Nodes && (t.told || !t.analysing || t.yield == nil || t.count >= leastAnalysed) {
		t.stopped = true
		return true
	}
	if t.Hard > 0 && t.look() >= t.Hard {
		t.stopped = true
		return true
	}
	select {
	case <-t.done:
		t.stopped = true
	default:
	}
	return t.stopped
}

// look looks at the clock, and notes how long it did not.
func (t *Task) look() time.Duration {
	now := t.Elapsed()
	if t.looked > 0 {
		t.away = max(t.away, now-t.looked)
	}
	t.looked = now
	return now
}

// More reports whether the iteration of this depth, counted from 1, should begin.
func (t *Task) More(depth int) bool {
	if t.Depth > 0 && depth > t.Depth {
		return false
	}
	if t.Poll(0) {
		return false
	}
	return t.Soft <= 0 || t.Elapsed() < t.Soft
}

// UseAll lets iterations begin until Hard if time that is not used is lost: a part of
// one is better than nothing.
func (t *Task) UseAll() {
	if t.Lost {
		t.Soft = t.Hard
	}
}

// Elapsed returns the time since the task began.
func (t *Task) Elapsed() time.Duration {
	if t.p == nil {
		return 0
	}
	return t.p.now().Sub(t.began)
}

// Count returns the number of positions counted by Poll.
func (t *Task) Count() int64 { return t.count }

// Analysing reports whether the task is an analysis, whose reports are read.
func (t *Task) Analysing() bool { return t.analysing }

// Heard reports whether somebody reads reports.
func (t *Task) Heard() bool { return t.yield != nil }

// Pondering reports whether the task is an analysis that nobody reads, in the opponent's
// time.
func (t *Task) Pondering() bool { return t.analysing && t.yield == nil }

// Report streams one line of the running search. Time and Nodes are filled in
// where they are zero. Where nobody reads it costs nothing. The PV must not be changed
// afterwards.
func (t *Task) Report(info game.Info) {
	if t.yield == nil || t.stopped && t.halt != nil && t.halt.Load() {
		return
	}
	t.fill(&info)
	t.told = true
	if !t.yield(info) {
		t.stopped = true
		t.yield = nil
	}
}

func (t *Task) fill(info *game.Info) {
	if info.Time == 0 {
		info.Time = t.Elapsed()
	}
	if info.Nodes == 0 {
		info.Nodes = t.count
	}
}

// Follow is an engine's Update: it gives each step to the engine, until one is refused.
func Follow(u *player.Update, step func(game.Move) error) error {
	for _, m := range u.Steps {
		if err := step(m); err != nil {
			return err
		}
	}
	return nil
}

// TableBytes returns how large a table may be: want, but no more than a quarter
// of the limit (0 is none), because the limit is for the whole process.
func TableBytes(limit, want int64) int64 {
	if limit > 0 {
		return min(want, limit/4)
	}
	return want
}
