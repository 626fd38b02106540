package gomoku

import (
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// passWord is what a pass is written as.
const passWord = "pass"

// The words of the choices of swap2, by number.
var choiceWords = [...]string{game.Swap2Stay: "stay", game.Swap2Swap: "swap", game.Swap2More: "two"}

// columnText returns the letters of a column: a to z, then aa, ab and so on.
func columnText(x int) string {
	if x < 26 {
		return string(rune('a' + x))
	}
	return string([]rune{rune('a' + x/26 - 1), rune('a' + x%26)})
}

// PointText writes a point: h8 is the eighth column from the left, the eighth row
// from the top.
func PointText(p game.Point) string { return string(appendPoint(make([]byte, 0, 6), p)) }

func appendPoint(dst []byte, p game.Point) []byte {
	x, y := int(p.X), int(p.Y)+1
	if x >= 26 {
		dst = append(dst, byte('a'+x/26-1))
	}
	dst = append(dst, byte('a'+x%26))
	if y >= 100 {
		dst = append(dst, byte('0'+y/100))
	}
	if y >= 10 {
		dst = append(dst, byte('0'+y/10%10))
	}
	return append(dst, byte('0'+y%10))
}

// cutPoint reads a point at the start of a text and returns the rest.
func cutPoint(text string) (p game.Point, rest string, err error) {
	n, x := 0, 0
	for n < len(text) && n < 3 && letter(text[n]) >= 0 {
		x = x*26 + letter(text[n]) + 1
		n++
	}
	d, y := n, 0
	for d < len(text) && d < n+4 && text[d] >= '0' && text[d] <= '9' {
		y = y*10 + int(text[d]-'0')
		d++
	}
	switch {
	case n == 0 || d == n:
		return game.NoPoint, text, fmt.Errorf("%q is not a point: write a column letter and a row number, for example h8", game.Shown(text, 20))
	case x > MaxSize || y < 1 || y > MaxSize:
		return game.NoPoint, text, fmt.Errorf("point %q is beyond the largest board of %dx%d", text[:d], MaxSize, MaxSize)
	}
	return game.Pt(x-1, y-1), text[d:], nil
}

// letter returns the number of a letter from 0, -1 for other bytes.
func letter(c byte) int {
	if c |= 0x20; c >= 'a' && c <= 'z' {
		return int(c - 'a')
	}
	return -1
}

// ParseMove reads a point or one of the words stay, swap, two and pass, in any case.
func (r *Rules) ParseMove(text string) (game.Move, error) {
	text = strings.TrimSpace(text)
	if n := choiceOf(text); n >= 0 {
		return game.ChooseArg(n), nil
	}
	if strings.EqualFold(text, passWord) {
		return game.PassMove(), nil
	}
	p, rest, err := cutPoint(text)
	if err != nil {
		return game.Move{}, err
	}
	if rest != "" {
		return game.Move{}, fmt.Errorf("%q after the point %s in %q", game.Shown(rest, 20), PointText(p), game.Shown(text, 20))
	}
	return game.PlaceAt(p), nil
}

// choiceOf returns the number of a choice by its word, -1 for other texts.
func choiceOf(text string) int {
	for n, w := range choiceWords {
		if strings.EqualFold(text, w) {
			return n
		}
	}
	return -1
}

// FormatMove writes a point, or the word of a choice or of a pass.
func (r *Rules) FormatMove(m game.Move) string {
	switch {
	case m.Op == game.Place && m.To.On(MaxSize, MaxSize):
		return PointText(m.To)
	case m.Op == game.Choose && m.Arg >= 0 && int(m.Arg) < len(choiceWords):
		return choiceWords[m.Arg]
	case m == game.PassMove():
		return passWord
	}
	return m.String()
}

// Text returns the position as the list of its decisions: points without
// separators, the choices of swap2 and passes as words between blanks, "-" if there is
// none.
// If the game began from a diagram, that comes first:
//
//	row/row/... black|white [first:second] decisions
//
// with "." for an empty point, X and O for black and white stones, x and o for
// dead ones, the colour to move, and in a continuous game the lines scored.
func (s *State) Text() string {
	b := make([]byte, 0, len(s.base)+4*len(s.log)+1)
	b = append(b, s.base...)
	word := s.base != ""
	for _, n := range s.log {
		isWord := n <= choiceBase
		if len(b) > 0 && (isWord || word) {
			b = append(b, ' ')
		}
		switch {
		case n == passed:
			b = append(b, passWord...)
		case isWord:
			b = append(b, choiceWords[choiceBase-n]...)
		default:
			b = appendPoint(b, game.Pt(int(n)%s.rules.width, int(n)/s.rules.width))
		}
		word = isWord
	}
	if len(b) == 0 {
		return "-"
	}
	return string(b)
}

// Position reads the forms of State.Text. Diagrams may come in several lines or
// with blanks between the points, and without a colour to move when the numbers
// of stones tell it.
func (r *Rules) Position(text string) (rules.State, error) {
	words := strings.Fields(text)
	if len(words) == 1 && words[0] == "-" {
		words = nil
	}
	s := r.start()
	if len(words) > 0 && !isDecision(words[0]) {
		d := diagram{board: &s.board, continuous: r.continuous}
		var err error
		if words, err = d.read(words); err != nil {
			return nil, err
		}
		s.begin(&d)
	}
	for _, w := range words {
		if err := s.play(w); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// isDecision reports whether a word looks like points, a choice or a pass rather than
// like a part of a diagram.
func isDecision(w string) bool {
	if choiceOf(w) >= 0 || strings.EqualFold(w, passWord) {
		return true
	}
	return len(w) > 1 && strings.ContainsAny(w, "0123456789")
}

func (s *State) play(word string) error {
	if n := choiceOf(word); n >= 0 {
		if _, err := s.Apply(game.ChooseArg(n), nil); err != nil {
			return fmt.Errorf("choice %q after %d stones: %w", word, s.Stones(), err)
		}
		return nil
	}
	if strings.EqualFold(word, passWord) {
		if _, err := s.Apply(game.PassMove(), nil); err != nil {
			return fmt.Errorf("pass after %d stones: %w", s.Stones(), err)
		}
		return nil
	}
	for word != "" {
		p, rest, err := cutPoint(word)
		if err != nil {
			return fmt.Errorf("stone %d: %w", s.Stones()+1, err)
		}
		if _, err := s.Apply(game.PlaceAt(p), nil); err != nil {
			return fmt.Errorf("stone %d, %s: %w", s.Stones()+1, PointText(p), err)
		}
		word = rest
	}
	return nil
}

// Arrange implements rules.Arranger. In a continuous game stones are alive or dead, which
// nobody could tell.
func (r *Rules) Arrange(owner func(game.Point) game.Seat, toMove game.Seat) (string, bool) {
	if r.continuous {
		return "", false
	}
	var b strings.Builder
	for y := range r.height {
		if y > 0 {
			b.WriteByte('/')
		}
		for x := range r.width {
			switch owner(game.Pt(x, y)) {
			case game.First:
				b.WriteByte('X')
			case game.Second:
				b.WriteByte('O')
			default:
				b.WriteByte('.')
			}
		}
	}
	if toMove == game.Second {
		return b.String() + " white", true
	}
	return b.String() + " black", true
}

// Compose implements rules.Composer.
func (r *Rules) Compose(v *game.View) (string, rules.Doubt) {
	var stones [2]int
	for i, letters := range [...]string{"Bb", "Ww"} {
		stones[i] = grid.CountOf(v, letters[0]) + grid.CountOf(v, letters[1])
	}
	text, turn := grid.RowsOf(v, "BWbw", "XOxo."), game.First
	if v.Turn.Seat.IsPlayer() && v.Colours[v.Turn.Seat] == game.White {
		turn = game.Second
	}
	text += [...]string{" black", " white"}[turn]
	if r.continuous {
		text += fmt.Sprintf(" %.0f:%.0f", v.Score[0], v.Score[1])
	}
	if r.passes {
		return text, rules.Doubt{}
	}
	return text, rules.DoubtTurns(stones, turn)
}
