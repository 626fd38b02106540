package game

import (
	"math"
	"time"
)

// Unit is the unit in which an engine reports its evaluation.
type Unit uint8

// The units of an evaluation.
const (
	NoUnit    Unit = iota
	Discs          // Othello: final disc difference
	Points         // the engine's own points; 100 is no fixed quantity
	WinChance      // 0 to 1
	MateIn         // turns until the end; negative when the mover loses
)

// Eval is an evaluation from the view of the seat that reports it. Lo and Hi are
// equal unless the engine gave an interval (draws counted for one side and for
// the other). The zero Eval is unknown.
type Eval struct {
	Unit   Unit
	Lo, Hi float64
}

// Known reports whether the engine gave a number at all.
func (e Eval) Known() bool { return e.Unit != NoUnit && !math.IsNaN(e.Lo) }

// Opposite returns the evaluation as the other seat sees it.
func (e Eval) Opposite() Eval {
	if !e.Known() {
		return Eval{}
	}
	if e.Unit == WinChance {
		return Eval{Unit: e.Unit, Lo: 1 - e.Hi, Hi: 1 - e.Lo}
	}
	return Eval{Unit: e.Unit, Lo: 0 - e.Hi, Hi: 0 - e.Lo}
}

// Mid returns the middle of the interval, NaN if unknown.
func (e Eval) Mid() float64 {
	if !e.Known() {
		return math.NaN()
	}
	return (e.Lo + e.Hi) / 2
}

// Bound says how far a depth may be trusted.
type Bound uint8

// The kinds of search result.
const (
	Searched  Bound = iota // ordinary search to Depth plies
	Selective              // solved with the confidence Info.Confidence
	WinLoss                // only the sign is proved
	Exact                  // score proved
)

// Info is what an engine says about its own thinking. Nothing in it is trusted;
// zero values mean that the engine said nothing.
type Info struct {
	Eval       Eval
	Depth      int
	SelDepth   int
	Bound      Bound
	Confidence float64       // per cent, for Selective
	Nodes      int64         // positions searched
	Time       time.Duration // as the engine says, never the referee's measure
	Book       bool          // the line comes from an opening book
	Games      int64         // games behind a book line
	PV         []Move        // principal variation, as far as it could be read
	Text       string        // the variation or remark as the engine wrote it
	Rank       int           // 1 is the best line; 0 if there is only one
}

// Judges reports whether it says of the position what it is worth or how deep it was searched.
func (i *Info) Judges() bool { return i.Eval.Known() || i.Depth > 0 }
