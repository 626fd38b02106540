// Package live is what an audience may know of a game that is played: a State, and Deltas that each
// lead from one State to the next. It is what viewers, people who play, and pages are told.
package live

import (
	"errors"
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/journal"
)

// State is all that an audience may know of a game: what a snapshot holds. Times are
// in milliseconds.
type State struct {
	Game    string `json:"game"`
	Attempt int    `json:"attempt"`
	// Seq is the number of the latest event in it.
	Seq        uint64        `json:"seq"`
	For        wire.Audience `json:"for"`
	Spec       string        `json:"spec"`
	Names      [2]string     `json:"names"`
	Controls   [2]string     `json:"controls"`
	Opening    string        `json:"opening,omitempty"`
	Commitment string        `json:"commitment,omitempty"`
	Rated      bool          `json:"rated,omitempty"`
	View       *wire.View    `json:"view,omitempty"`
	Clocks     *[2]Clock     `json:"clocks,omitempty"`
	History    []Entry       `json:"history,omitempty"`
	Said       [2]*Said      `json:"said,omitzero"`
	// Kibitz is what a third engine said last.
	Kibitz *Kibitz `json:"kibitz,omitempty"`
	Result *Result `json:"result,omitempty"`
	// Wait tells why no clock runs although a seat is on turn, or will not; nil if one does.
	Wait *Wait `json:"wait,omitempty"`
	// Asks is what the seats ask of each other, at most one thing each.
	Asks []journal.Ask `json:"asks,omitempty"`
	// Presence is whether the persons of the seats are there; nil where none is, or it is not known.
	// It is told beside the frames, with the time at which it is.
	Presence [2]*journal.Presence `json:"-"`
	// At is the time of the latest event, since 1970: when Clocks were right.
	At int64 `json:"at"`
}

// Clock is a seat's clock.
type Clock struct {
	// Left is what remains of the running budget, of a turn where there is no other limit; when it has run
	// out, More budgets follow, each of Next. It does not fall for the first Free of what comes of a turn.
	Left    int64 `json:"left"`
	Free    int64 `json:"free,omitempty"`
	Next    int64 `json:"next,omitempty"`
	More    int   `json:"more,omitempty"`
	Total   int64 `json:"total"`
	Moves   int   `json:"moves,omitempty"`
	Periods int   `json:"periods,omitempty"`
	Stage   int   `json:"stage,omitempty"`
}

// After is what is left when the clock has run for a while, in milliseconds; leftOf of the pages does the same.
func (k *Clock) After(ran int64) int64 {
	left := k.Left - max(0, ran-k.Free)
	for more := k.More; left < 0 && more > 0; more-- {
		left += k.Next
	}
	return left
}

// Entry is a decision, as far as the audience may know it: its steps, or notices. The
// entries up to one with Ended are a turn.
type Entry struct {
	By      wire.Seat `json:"by"`
	Steps   []string  `json:"steps,omitempty"`
	Notices []Notice  `json:"notices,omitempty"`
	Refused bool      `json:"refused,omitempty"`
	Forced  bool      `json:"forced,omitempty"`
	Opening bool      `json:"opening,omitempty"`
	// Ended tells that it completed the turn.
	Ended bool  `json:"ended,omitempty"`
	Used  int64 `json:"used,omitempty"`
	// Error is the transmission error, where it is known.
	Error int64 `json:"error,omitempty"`
}

// Decisions is how many decisions were made, as a question counts those before it.
func (s *State) Decisions() (n int) {
	for i := range s.History {
		n += s.History[i].weight()
	}
	return n
}

// weight is how many steps of the game an entry stands for.
func (e *Entry) weight() int {
	if e.Refused {
		return 0
	}
	n, moved := len(e.Steps), 0
	for _, x := range e.Notices {
		switch x.Kind {
		case Played:
			n++
		case Moved:
			moved++
		}
	}
	if n == 0 { // else it is what others are told of the same step
		n = moved
	}
	return n
}

// NoticeKind is the name of a game.NoticeKind.
type NoticeKind string

// The kinds.
const (
	Played  NoticeKind = "played"
	Moved   NoticeKind = "moved"
	Refused NoticeKind = "refused"
	Took    NoticeKind = "took"
	Lost    NoticeKind = "lost"
	Scored  NoticeKind = "scored"
)

// Notice is a fact that the audience was told.
type Notice struct {
	Kind   NoticeKind   `json:"kind"`
	By     wire.Seat    `json:"by"`
	Move   string       `json:"move,omitempty"`
	Points []wire.Point `json:"points,omitempty"`
	Count  int          `json:"count,omitempty"`
}

// Game is the notice as a player is told of it.
func (n *Notice) Game() (game.Notice, error) {
	out := game.Notice{By: n.By.Game(), Points: wire.GamePoints(n.Points), Count: n.Count}
	for k := range game.Scored + 1 {
		if k.String() == string(n.Kind) {
			out.Kind = k
		}
	}
	var err error
	if n.Move != "" {
		out.Move, err = journal.ParseMove(n.Move)
	}
	return out, err
}

// Said is what an engine reported last: while it thinks, or with its latest decision.
type Said struct {
	Unit  int      `json:"unit,omitempty"`
	Lo    *float64 `json:"lo,omitempty"`
	Hi    *float64 `json:"hi,omitempty"`
	Depth int      `json:"depth,omitempty"`
	Nodes int64    `json:"nodes,omitempty"`
	Time  int64    `json:"time,omitempty"`
	Line  []string `json:"line,omitempty"`
	Text  string   `json:"text,omitempty"`
	// Name is what the engine calls itself, if it does.
	Name string `json:"name,omitempty"`
}

// Kibitz is what a third engine says of a position: the one after so many steps. Its
// evaluation is as the first seat sees it.
type Kibitz struct {
	Said
	Ply int `json:"ply"`
}

// Wait is what a game waits for: "processor" while engines of other games think on all of
// the machine, "pause" while it is paused, "answer" if it will be as soon as the engine on turn, whose
// clock runs, has answered. Before is how many games come first, Of how many wait.
type Wait struct {
	For    string `json:"for"`
	Before int    `json:"before"`
	Of     int    `json:"of"`
	// By is who has paused the game, Ruled that he is an arbiter, who alone lets it go on.
	By    string `json:"by,omitempty"`
	Ruled bool   `json:"ruled,omitempty"`
	// About is for how many seconds, 0 if too little is known to say.
	About int `json:"about,omitempty"`
}

// Stands reports whether no clock runs.
func (w *Wait) Stands() bool { return w != nil && w.For != journal.ForAnswer }

// Result is how the game ended.
type Result struct {
	Points [2]float64  `json:"points"`
	Board  *[2]float64 `json:"board,omitempty"`
	Reason string      `json:"reason"`
	Detail string      `json:"detail,omitempty"`
}

// Delta leads from one State to the next. What is absent stays as it was.
type Delta struct {
	// Prev and Seq are the numbers of the states before and after.
	Prev uint64 `json:"prev"`
	Seq  uint64 `json:"seq"`
	At   int64  `json:"at"`
	// Rewind takes back that many steps before Entries are added.
	Rewind  int     `json:"rewind,omitempty"`
	Entries []Entry `json:"entries,omitempty"`
	// View replaces the board, or Cells change it, Lines are drawn, Rest is replaced.
	View   *wire.View    `json:"view,omitempty"`
	Cells  []wire.Change `json:"cells,omitempty"`
	Lines  []wire.Line   `json:"lines,omitempty"`
	Rest   *wire.Rest    `json:"rest,omitempty"`
	Clocks *[2]Clock     `json:"clocks,omitempty"`
	Said   [2]*Said      `json:"said,omitzero"`
	Kibitz *Kibitz       `json:"kibitz,omitempty"`
	Result *Result       `json:"result,omitempty"`
	// Wait without a reason tells that the game goes on.
	Wait *Wait `json:"wait,omitempty"`
	// Asks replaces what the seats ask of each other; an empty list ends it.
	Asks *[]journal.Ask `json:"asks,omitempty"`
	// Presence replaces that of a seat.
	Presence [2]*journal.Presence `json:"-"`
}

// ErrGap tells that a delta follows another state than the one at hand.
var ErrGap = errors.New("a frame is missing")

// Apply returns the state after a delta; the state before stays as it is.
func Apply(s State, d *Delta) (State, error) {
	if d.Prev != s.Seq {
		return s, fmt.Errorf("%w: event %d follows %d, not %d", ErrGap, d.Seq, d.Prev, s.Seq)
	}
	s.Seq, s.At = d.Seq, d.At
	if d.Rewind > 0 {
		s.History = rewound(s.History, d.Rewind)
	}
	if len(d.Entries) > 0 {
		s.History = append(slices.Clip(s.History), d.Entries...)
	}
	if d.Clocks != nil {
		s.Clocks = d.Clocks
	}
	for i, x := range d.Said {
		if x != nil {
			s.Said[i] = x
		}
	}
	if d.Kibitz != nil {
		s.Kibitz = d.Kibitz
	}
	if d.Result != nil {
		s.Result = d.Result
	}
	if d.Wait != nil {
		if s.Wait = d.Wait; d.Wait.For == "" {
			s.Wait = nil
		}
	}
	for i, x := range d.Presence {
		if x != nil {
			s.Presence[i] = x
		}
	}
	if d.Asks != nil {
		s.Asks = nil
		if len(*d.Asks) > 0 {
			s.Asks = *d.Asks
		}
	}
	return s, s.redraw(d)
}

func (s *State) redraw(d *Delta) error {
	if d.View != nil {
		s.View = d.View
		return nil
	}
	if len(d.Cells) == 0 && len(d.Lines) == 0 && d.Rest == nil {
		return nil
	}
	if s.View == nil {
		return fmt.Errorf("event %d changes a board that was never shown", d.Seq)
	}
	v, err := s.View.Changed(d.Cells, d.Lines, d.Rest)
	if err != nil {
		return fmt.Errorf("event %d: %w", d.Seq, err)
	}
	s.View = v
	return nil
}

// rewound takes back steps from the end, with the attempts that were refused after them.
func rewound(list []Entry, steps int) []Entry {
	n := len(list)
	for n > 0 && (steps > 0 || list[n-1].weight() == 0) {
		steps -= list[n-1].weight()
		n--
	}
	return list[:n]
}
