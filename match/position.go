package match

import (
	"errors"
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/rules"
)

// position is the game as its rules see it: where it stands, and how it came there.
type position struct {
	rules  rules.Rules
	doc    *rules.Doc
	dealer rules.Dealer
	state  rules.State
	// forcer and coloured are the state, if it can do that.
	forcer   rules.Forcer
	coloured rules.Coloured
	start    rules.State // before the opening, to play through again
	moves    []game.Move // all that was applied to it, the dealer's included
	dealt    map[uint64]game.Move
	// steps and notices are what was decided last, and what that told.
	steps   []game.Move
	notices []game.Notice
}

// errTooMany is what a decision beyond the end of the turn is refused with,
// errTooFew the last one of an answer that was meant to be the whole turn.
var (
	errTooMany = errors.New("the turn was complete before this decision")
	errTooFew  = errors.New("the turn is not complete after this decision")
)

// setUp begins from the text of a position, empty for the initial one.
func (p *position) setUp(text string) error {
	s, err := rules.Start(p.rules, text)
	if err != nil {
		return fmt.Errorf("start position: %w", err)
	}
	p.start = s.Clone()
	p.restore(s)
	return nil
}

func (p *position) restore(s rules.State) {
	p.state = s
	p.forcer, _ = s.(rules.Forcer)
	p.coloured, _ = s.(rules.Coloured)
}

// colours returns what the seats play with now.
func (p *position) colours() [2]game.Colour {
	if p.coloured != nil {
		return p.coloured.Colours()
	}
	return p.doc.Colours
}

// hidden reports whether decisions are no public facts.
func (p *position) hidden() bool { return p.doc.Info == rules.Private }

// forced returns the move of a seat on turn that has no choice, which makes no turn of its own.
func (p *position) forced() (m game.Move, is bool) {
	if p.forcer == nil {
		return m, false
	}
	return p.forcer.Forced()
}

// clear forgets what was decided last, before the next decision is made.
func (p *position) clear() { p.steps, p.notices = p.steps[:0], p.notices[:0] }

// make makes a move as a step of the decision.
func (p *position) make(m game.Move) (err error) {
	if p.notices, err = p.state.Apply(m, p.notices); err == nil {
		p.moves, p.steps = append(p.moves, m), append(p.steps, m)
	}
	return err
}

// applied is what became of the steps of an answer.
type applied struct {
	refused bool      // a hidden fact forbids bad
	bad     game.Move // the step that was refused, or is not accepted for why
	why     error
	broken  error // the game cannot go on
	extra   int   // decisions that came after the end of the game
}

// apply makes all steps of an answer or none; steps after the one that ends the
// game are ignored and counted, unless they pass. If the steps are to be the
// whole turn, it must be over after them. What was made and what it told are in p.steps
// and p.notices.
func (p *position) apply(seat game.Seat, steps []game.Move, whole bool) (a applied) {
	p.clear()
	begun := len(p.moves)
	for i, m := range steps {
		if i > 0 {
			t := p.state.Turn()
			if t.Seat == game.Nobody {
				a.extra = idle(steps[i:])
				break
			}
			if t.Seat != seat || t.Step == 0 {
				return applied{bad: m, why: errTooMany, broken: p.rollback(begun)}
			}
		}
		told := len(p.notices)
		if p.notices, a.why = p.state.Apply(m, p.notices); a.why != nil {
			return applied{bad: m, why: a.why, broken: p.rollback(begun)}
		}
		if refusal(p.notices[told:]) {
			p.notices = append(p.notices[:0], p.notices[told:]...)
			p.steps = p.steps[:0]
			return applied{refused: true, bad: m, broken: p.rollback(begun)}
		}
		p.moves = append(p.moves, m)
		p.steps = append(p.steps, m)
		if err := p.deal(); err != nil {
			return applied{broken: err}
		}
	}
	if t := p.state.Turn(); whole && t.Seat == seat && t.Step > 0 {
		return applied{bad: steps[len(steps)-1], why: errTooFew, broken: p.rollback(begun)}
	}
	return a
}

// idle counts the decisions that came after the end of the game. A pass there says
// nothing.
func idle(steps []game.Move) int {
	n := 0
	for _, m := range steps {
		if m.Op != game.Pass {
			n++
		}
	}
	return n
}

// refusal reports whether a hidden fact forbids what was tried.
func refusal(list []game.Notice) bool {
	return slices.ContainsFunc(list, func(n game.Notice) bool { return n.Kind == game.Refused })
}

// refusedStep finds the attempt in the notice that refused it.
func (p *position) refusedStep() []game.Move {
	for i := range p.notices {
		if p.notices[i].Kind == game.Refused {
			return append(p.steps[:0], p.notices[i].Move)
		}
	}
	return nil
}

// rollback brings the position back to the first n moves. Answers that are not
// accepted are rare, so the way there is to play the game again.
func (p *position) rollback(n int) error {
	if len(p.moves) == n {
		return nil
	}
	s := p.start.Clone()
	var scratch []game.Notice
	for _, m := range p.moves[:n] {
		var err error
		if scratch, err = s.Apply(m, scratch[:0]); err != nil {
			return fmt.Errorf("playing the game again: %s: %w", p.rules.FormatMove(m), err)
		}
	}
	p.moves = p.moves[:n]
	p.restore(s)
	return nil
}

// deal plays for chance as long as it is on turn.
func (p *position) deal() error {
	for p.state.Turn().Seat == game.Dealer {
		m, err := p.draw()
		if err == nil {
			err = p.make(m)
		}
		if err != nil {
			return fmt.Errorf("dealer: %w", err)
		}
	}
	return nil
}

// draw returns what chance does: what it did before in the same place, if that
// was taken back, else what the dealer says.
func (p *position) draw() (game.Move, error) {
	if p.dealt != nil {
		if m, ok := p.dealt[p.state.Hash()]; ok && p.state.Check(m) == nil {
			return m, nil
		}
	}
	if p.dealer == nil {
		return game.Move{}, errors.New("chance is to decide and the game has no dealer")
	}
	return p.dealer.Deal(p.state)
}

// turnBegins reports whether a seat begins a turn after so many decisions.
func (p *position) turnBegins(ply int) bool {
	s := p.start.Clone()
	var list []game.Notice
	for _, m := range p.moves[:ply] {
		var err error
		if list, err = s.Apply(m, list[:0]); err != nil {
			return false
		}
	}
	t := s.Turn()
	return t.Seat.IsPlayer() && t.Step == 0
}

// turnsOf is how many turns of steps the seat has begun, without forced and given ones.
func (p *position) turnsOf(seat game.Seat, steps []Step) (n int) {
	s := p.start.Clone()
	var list []game.Notice
	for i, m := range p.moves {
		if t := s.Turn(); t.Seat == seat && t.Step == 0 && i < len(steps) && !steps[i].Forced && !steps[i].Opening {
			n++
		}
		var err error
		if list, err = s.Apply(m, list[:0]); err != nil {
			break
		}
	}
	return n
}

// replay plays the game through once more to find how many of the steps from keep
// on each seat was told, how many turns and plies come before, and what chance
// decided after. steps are those of the outcome.
func (p *position) replay(keep int, steps []Step) (back [2]int, turns, plies int) {
	s := p.start.Clone()
	if p.dealt == nil {
		p.dealt = map[uint64]game.Move{}
	}
	var list []game.Notice
	for i, m := range p.moves {
		by := s.Turn().Seat
		if i >= keep && m.Op == game.Deal {
			p.dealt[s.Hash()] = m
		}
		var err error
		if list, err = s.Apply(m, list[:0]); err != nil {
			return back, turns, plies // rollback reports it
		}
		for n := range list {
			for seat := range back {
				if i >= keep && list[n].Kind == game.Played && list[n].To.Includes(game.To(game.Seat(seat))) {
					back[seat]++
				}
			}
		}
		if i < keep && by.IsPlayer() && !steps[i].Opening {
			plies++
			if t := s.Turn(); t.Seat != by || t.Step == 0 {
				turns++
			}
		}
	}
	return back, turns, plies
}
