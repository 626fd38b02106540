package rules

import (
	"fmt"

	"kibitz/game"
)

// Board is a position that can be set, played on and taken back. It is what the
// engine side of a protocol, a person at a terminal and a record reader play on.
type Board struct {
	open  func(game.Spec) (Rules, error)
	rules Rules
	start State
	state State
	moves []game.Move
}

// NewBoard returns a board that finds rules through open.
func NewBoard(open func(game.Spec) (Rules, error)) *Board { return &Board{open: open} }

// BoardOf returns a board of the game of r, in its initial position. It knows no other
// game.
func BoardOf(r Rules) *Board {
	b := NewBoard(func(spec game.Spec) (Rules, error) { return nil, fmt.Errorf("%s is not %s", spec, r.Spec()) })
	b.rules, b.start, b.state = r, r.New(), r.New()
	return b
}

// Reset starts the game of the specification from a text position, or from the
// initial position if start is empty.
func (b *Board) Reset(spec game.Spec, start string) error {
	r := b.rules
	if r == nil || r.Spec() != spec {
		var err error
		if r, err = b.open(spec); err != nil {
			return err
		}
	}
	s, err := Start(r, start)
	if err != nil {
		return err
	}
	b.rules, b.start, b.state, b.moves = r, s, s.Clone(), b.moves[:0]
	return nil
}

// Spec returns the canonical specification, empty before the first Reset.
func (b *Board) Spec() game.Spec {
	if b.rules == nil {
		return ""
	}
	return b.rules.Spec()
}

// State returns the current state; callers must not change it.
func (b *Board) State() State { return b.state }

// Size returns the size of the board.
func (b *Board) Size() (width, height int) {
	d := b.rules.Doc()
	return d.Width, d.Height
}

// Turn says who decides now.
func (b *Board) Turn() game.Turn { return b.state.Turn() }

// Colours returns what the seats play with now.
func (b *Board) Colours() [2]game.Colour { return ColoursOf(b.rules, b.state) }

// Legal appends what the seat on turn may decide.
func (b *Board) Legal(dst []game.Move) []game.Move { return b.state.Legal(dst) }

// Check returns why m is not acceptable, nil if it is.
func (b *Board) Check(m game.Move) error { return b.state.Check(m) }

// Apply makes a decision of the seat on turn, the dealer's included.
func (b *Board) Apply(m game.Move) ([]game.Notice, error) {
	n, err := b.state.Apply(m, nil)
	if err != nil {
		return nil, err
	}
	b.moves = append(b.moves, m)
	return n, nil
}

// Undo takes back the latest n decisions by playing the others again.
func (b *Board) Undo(n int) error {
	if n < 0 || n > len(b.moves) {
		return fmt.Errorf("cannot take back %d of %d decisions", n, len(b.moves))
	}
	s := b.start.Clone()
	keep := b.moves[:len(b.moves)-n]
	for _, m := range keep {
		prolong(s)
		if _, err := s.Apply(m, nil); err != nil {
			return fmt.Errorf("replaying %s: %w", b.rules.FormatMove(m), err)
		}
	}
	b.state, b.moves = s, keep
	return nil
}

// Prolong lets a game go on that a count alone has ended, and reports whether it did.
// Undo knows of it.
func (b *Board) Prolong() bool { return prolong(b.state) }

func prolong(s State) bool {
	p, can := s.(Prolonger)
	return can && p.Prolong()
}

// Len returns how many decisions were applied since the start.
func (b *Board) Len() int { return len(b.moves) }

// Moves returns the decisions since the start; callers must not change them.
func (b *Board) Moves() []game.Move { return b.moves }

// Result returns the outcome once the game is over.
func (b *Board) Result() (game.Result, bool) { return b.state.Result() }

// View builds what the audience may know.
func (b *Board) View(a game.Audience) game.View { return b.state.View(a) }

// Text returns the position in the game's text form.
func (b *Board) Text() string { return b.state.Text() }

// ParseMove reads a decision in the game's text form.
func (b *Board) ParseMove(text string) (game.Move, error) { return b.rules.ParseMove(text) }

// FormatMove writes a decision in the game's text form.
func (b *Board) FormatMove(m game.Move) string { return b.rules.FormatMove(m) }

// Arrange implements player.Arranger where the rules can.
func (b *Board) Arrange(owner func(game.Point) game.Seat, toMove game.Seat) (string, bool) {
	if a, ok := b.rules.(Arranger); ok {
		return a.Arrange(owner, toMove)
	}
	return "", false
}
