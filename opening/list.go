package opening

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"kibitz/game"
	"kibitz/record"
	"kibitz/rules"
)

// A list of openings is a text with one opening on each line, like EPD files of
// chess:
//
//	# comment
//	f5 d6 c3; id "Diagonal"
//	---------------------------OX------XO--------------------------- X; id "start"; moves d3 c3
//
// First comes the position in the game's own text form or the decisions that lead
// there from the initial one; then, each after a semicolon, operations: a word and
// its operand. Id is the name, moves are decisions from there, eval and others are
// for people. Quotes go around operands with blanks or semicolons; before the first
// operation a semicolon may be missing if its operand is quoted. Decisions stand
// between blanks or commas, or directly behind each other where that can be read.
// Empty lines mean nothing, nor do those that begin with #, unless they read as a
// position.

// maxLine bounds a line of a list.
const maxLine = 1 << 20

// ReadList calls f for each opening of a list, which is valid during the call only;
// steps know their line and column. It stops at the first error of f. What cannot
// be read is a *record.Error with line and column.
func ReadList(data []byte, r rules.Rules, f func(*record.Game) error) error {
	initial := r.New().Text()
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(make([]byte, 0, 4096), maxLine)
	n := 0
	var g record.Game
	for sc.Scan() {
		n++
		text := strings.TrimPrefix(sc.Text(), "\ufeff")
		g = record.Game{Spec: r.Spec(), Line: n, Steps: g.Steps[:0]}
		l := listLine{rules: r, initial: initial, line: n, text: text, g: &g}
		is, err := l.read()
		if err != nil {
			return err
		}
		if !is {
			continue
		}
		if err := f(&g); err != nil {
			return err
		}
	}
	if err := sc.Err(); err != nil {
		return record.Errorf(n+1, 0, "%v: a line has at most %d characters", err, maxLine)
	}
	return nil
}

// listLine reads one line of a list into a record.
type listLine struct {
	rules   rules.Rules
	initial string
	line    int
	text    string
	g       *record.Game
}

func (l *listLine) errorf(at int, format string, args ...any) error {
	return record.Errorf(l.line, at+1, format, args...)
}

// read reports whether the line holds an opening.
func (l *listLine) read() (bool, error) {
	at := len(l.text) - len(strings.TrimLeft(l.text, " \t\r"))
	if at == len(l.text) {
		return false, nil
	}
	end, next := l.place(at)
	place := strings.TrimRight(l.text[at:end], " \t\r")
	if l.text[at] == '#' {
		if _, err := l.rules.Position(place); err != nil {
			return false, nil
		}
	}
	if err := l.where(place, at); err != nil {
		return false, err
	}
	for next < len(l.text) {
		var err error
		if next, err = l.operation(next); err != nil {
			return false, err
		}
	}
	return true, nil
}

// place finds the end of what stands before the first operation, and where that
// begins.
func (l *listLine) place(at int) (end, next int) {
	rest := l.text[at:]
	semi, quote := strings.IndexByte(rest, ';'), strings.IndexByte(rest, '"')
	switch {
	case quote >= 0 && (semi < 0 || quote < semi):
		// The word before the quote is an operation without its semicolon.
		word := strings.TrimRight(rest[:quote], " \t")
		begin := strings.LastIndexAny(word, " \t") + 1
		return at + begin, at + begin
	case semi >= 0:
		return at + semi, at + semi + 1
	}
	return len(l.text), len(l.text)
}

// where reads the position, or the decisions that lead there.
func (l *listLine) where(place string, at int) error {
	if place == "" {
		return nil
	}
	moveErr := l.moves(place, at)
	if moveErr == nil {
		return nil
	}
	l.g.Steps = l.g.Steps[:0]
	s, err := l.rules.Position(place)
	if err != nil {
		if l.drawn(place) {
			return l.errorf(at, "%v", err)
		}
		return moveErr
	}
	if l.g.Start = place; s.Text() == l.initial {
		l.g.Start = ""
	}
	return nil
}

// drawn reports whether a text looks like a drawn board rather than like decisions.
func (l *listLine) drawn(place string) bool {
	word, _, _ := strings.Cut(place, " ")
	return strings.Count(word, "/") > 2 || len(word) >= 9 && !strings.ContainsAny(word, "123456789")
}

// moves reads decisions between blanks.
func (l *listLine) moves(text string, at int) error {
	for i := 0; i < len(text); {
		if strings.IndexByte(" \t\r", text[i]) >= 0 {
			i++
			continue
		}
		j := i
		for j < len(text) && strings.IndexByte(" \t\r", text[j]) < 0 {
			j++
		}
		if err := l.word(text[i:j], at+i); err != nil {
			return err
		}
		i = j
	}
	return nil
}

// longest is how many characters a decision has at most, in any game.
const longest = 16

// word reads one decision, or several behind each other, with commas or without.
func (l *listLine) word(word string, at int) error {
	for i := 0; i < len(word); {
		if word[i] == ',' {
			i++
			continue
		}
		var m game.Move
		var err error
		n := min(len(word)-i, longest)
		for ; n > 0; n-- {
			if m, err = l.rules.ParseMove(word[i : i+n]); err == nil {
				break
			}
		}
		if n == 0 {
			_, err = l.rules.ParseMove(game.Shown(word[i:], 20))
			return l.errorf(at+i, "neither a position nor a decision: %v", err)
		}
		l.g.Steps = append(l.g.Steps, record.Step{By: game.Nobody, Move: m, Line: l.line, Column: at + i + 1})
		i += n
	}
	return nil
}

// operation reads the operation at a place and returns where the next begins.
func (l *listLine) operation(at int) (next int, err error) {
	for at < len(l.text) && strings.IndexByte(" \t\r;", l.text[at]) >= 0 {
		at++
	}
	if at == len(l.text) {
		return at, nil
	}
	end := at
	for end < len(l.text) && (letter(l.text[end]) || digit(l.text[end]) || l.text[end] == '_') {
		end++
	}
	word := l.text[at:end]
	if word == "" || !letter(word[0]) {
		return 0, l.errorf(at, "%q where an operation should be: write a word and its operand, for example id \"name\"",
			game.Shown(l.text[at:], 20))
	}
	from := end
	for from < len(l.text) && (l.text[from] == ' ' || l.text[from] == '\t') {
		from++
	}
	next = len(l.text)
	if k := l.semicolon(from); k >= 0 {
		next = k
	} else if strings.Count(l.text[from:], `"`)%2 == 1 {
		return 0, l.errorf(from, "the quotes around the operand of %s are not closed", word)
	}
	operand := strings.TrimRight(l.text[from:next], " \t\r")
	if len(operand) > 1 && operand[0] == '"' && operand[len(operand)-1] == '"' {
		operand = operand[1 : len(operand)-1]
		from++
	}
	switch word {
	case "id":
		l.g.Tags = append(l.g.Tags, record.Tag{Key: TagName, Value: operand})
	case "moves":
		if err := l.moves(operand, from); err != nil {
			return 0, err
		}
	}
	return next, nil
}

// semicolon returns the place of the next semicolon that is not quoted, -1 if there
// is none.
func (l *listLine) semicolon(at int) int {
	quoted := false
	for i := at; i < len(l.text); i++ {
		switch l.text[i] {
		case '"':
			quoted = !quoted
		case ';':
			if !quoted {
				return i
			}
		}
	}
	return -1
}

// Writer writes a list of openings.
type Writer struct {
	w     io.Writer
	rules rules.Rules
}

// NewWriter writes the comment, a line of the list each, and returns the writer of
// the openings.
func NewWriter(w io.Writer, r rules.Rules, comment ...string) (*Writer, error) {
	for _, c := range comment {
		if _, err := fmt.Fprintf(w, "# %s\n", strings.Join(strings.Fields(c), " ")); err != nil {
			return nil, err
		}
	}
	return &Writer{w, r}, nil
}

// Write writes one opening, with what else is known of it as operations.
func (w *Writer) Write(o *Opening, operations ...string) error {
	parts := make([]string, 0, 3+len(operations))
	moves := make([]string, len(o.Steps))
	for i, m := range o.Steps {
		moves[i] = w.rules.FormatMove(m)
	}
	switch text := strings.Join(moves, " "); {
	case o.Start == "" && text == "":
		parts = append(parts, w.rules.New().Text())
	case o.Start == "":
		parts = append(parts, text)
	default:
		parts = append(parts, o.Start)
		if text != "" {
			parts = append(parts, "moves "+text)
		}
	}
	if o.Name != "" {
		parts = append(parts, `id "`+strings.Map(unquoted, o.Name)+`"`)
	}
	parts = append(parts, operations...)
	_, err := fmt.Fprintln(w.w, strings.Join(parts, "; "))
	return err
}

// unquoted replaces what cannot stand between quotes on a line.
func unquoted(r rune) rune {
	switch {
	case r == '"':
		return '\''
	case r < ' ':
		return ' '
	}
	return r
}
