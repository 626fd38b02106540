package ggf

import (
	"errors"
	"fmt"
	"strings"

	"kibitz/record"
)

// Read returns the games of a file in order. Numbers before a game ("2 (;...;)
// (;...;)") say how many games make one match. A game that cannot be read is
// left out; the error then joins a *record.Error for each, with line and column
// (counted in bytes), and the other games are returned beside it.
func Read(data []byte) ([]*record.Game, error) {
	s := scanner{data: data, line: 1}
	var games []*record.Game
	var errs []error
	// A match line: its number, how many games of it were met, and which of
	// them were readable.
	count, seen := 0, 0
	var match []*record.Game
	closeMatch := func() {
		for i, g := range match {
			if g == nil || count == 1 {
				continue
			}
			setTag(g, TagMatch, fmt.Sprintf("%d/%d", i+1, count))
			if seen != count {
				g.Warnings = append(g.Warnings, fmt.Sprintf("the match line says %d games and has %d", count, seen))
			}
		}
		count, seen, match = 0, 0, match[:0]
	}
	for s.skipBlanks(); !s.done(); s.skipBlanks() {
		if n, ok := s.count(); ok {
			closeMatch()
			count = n
			continue
		}
		raw, err := s.game()
		var g *record.Game
		if err == nil {
			g, err = raw.decode(&s)
		}
		if err != nil {
			errs = append(errs, err)
		} else {
			games = append(games, g)
		}
		if count > 0 && raw.tags != nil {
			seen++
			match = append(match, g)
			if seen == count {
				closeMatch()
			}
		}
	}
	closeMatch()
	return games, errors.Join(errs...)
}

// Parse returns the single game in text; more or fewer are an error.
func Parse(text []byte) (*record.Game, error) {
	games, err := Read(text)
	if err != nil {
		return nil, err
	}
	if len(games) != 1 {
		return nil, record.Errorf(1, 1, "%d games where one is expected, written (;GM[Othello]...;)", len(games))
	}
	return games[0], nil
}

// rawTag is one tag[value] with the offset of the tag's name and of the value.
type rawTag struct {
	name, value string
	at, valueAt int
}

// rawGame is a game before its values are read.
type rawGame struct {
	at   int
	tags []rawTag
}

// scanner cuts a file into games and tags. Its place only grows, so that lines
// are counted once.
type scanner struct {
	data []byte
	pos  int

	line, lineAt, counted int
}

func (s *scanner) done() bool { return s.pos >= len(s.data) }

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func (s *scanner) skipBlanks() {
	for !s.done() && blank(s.data[s.pos]) {
		s.pos++
	}
}

// place returns line and column of an offset. It is fastest for growing ones.
func (s *scanner) place(at int) (line, column int) {
	if at < s.counted {
		s.line, s.lineAt, s.counted = 1, 0, 0
	}
	for ; s.counted < at; s.counted++ {
		if s.data[s.counted] == '\n' {
			s.line++
			s.lineAt = s.counted + 1
		}
	}
	return s.line, at - s.lineAt + 1
}

func (s *scanner) errorf(at int, format string, args ...any) error {
	line, column := s.place(at)
	return record.Errorf(line, column, format, args...)
}

// count reads a number that stands before a game.
func (s *scanner) count() (int, bool) {
	i, n := s.pos, 0
	for i < len(s.data) && s.data[i] >= '0' && s.data[i] <= '9' && n < 100_000 {
		n = 10*n + int(s.data[i]-'0')
		i++
	}
	if i == s.pos || (i < len(s.data) && !blank(s.data[i]) && s.data[i] != '(') {
		return 0, false
	}
	s.pos = i
	return n, true
}

// opens reports whether a game begins at i: "(;", blanks, letters, "[".
func (s *scanner) opens(i int) bool {
	if i+1 >= len(s.data) || s.data[i] != '(' || s.data[i+1] != ';' {
		return false
	}
	i += 2
	for i < len(s.data) && blank(s.data[i]) {
		i++
	}
	start := i
	for i < len(s.data) && letter(s.data[i]) && i-start < 4 {
		i++
	}
	return i > start && i < len(s.data) && s.data[i] == '['
}

func letter(c byte) bool { c |= 0x20; return c >= 'a' && c <= 'z' }

// recover moves to the next place where a game can begin.
func (s *scanner) recover(from int) {
	for s.pos = from; s.pos < len(s.data); s.pos++ {
		if s.data[s.pos] == '(' && s.opens(s.pos) {
			return
		}
	}
}

// game reads "(;" tags ";)". After an error it stands where the next game may
// begin.
func (s *scanner) game() (rawGame, error) {
	g := rawGame{at: s.pos}
	if s.pos+1 >= len(s.data) || s.data[s.pos] != '(' || s.data[s.pos+1] != ';' {
		err := s.errorf(s.pos, "%q stands where a game should begin, which is written (;GM[Othello]...;)", s.excerpt())
		s.recover(s.pos + 1)
		return g, err
	}
	s.pos += 2
	g.tags = []rawTag{}
	for {
		s.skipBlanks()
		if s.pos+1 < len(s.data) && s.data[s.pos] == ';' && s.data[s.pos+1] == ')' {
			s.pos += 2
			return g, nil
		}
		t, err := s.tag()
		if err != nil {
			return g, err
		}
		g.tags = append(g.tags, t)
	}
}

func (s *scanner) excerpt() string {
	end := min(len(s.data), s.pos+20)
	return string(s.data[s.pos:end])
}

func (s *scanner) tag() (rawTag, error) {
	at := s.pos
	for !s.done() && letter(s.data[s.pos]) {
		s.pos++
	}
	n := s.pos - at
	s.skipBlanks()
	if n == 0 || n > 3 || s.done() || s.data[s.pos] != '[' {
		s.pos = at
		var err error
		if s.done() {
			err = s.errorf(at, "the game does not end, which is written ;)")
		} else {
			err = s.errorf(at, "%q is no tag, which is one to three letters and a value in []", s.excerpt())
		}
		s.recover(at)
		return rawTag{}, err
	}
	s.pos++
	start := s.pos
	for i := start; i < len(s.data); i++ {
		switch s.data[i] {
		case ']':
			s.pos = i + 1
			return rawTag{
				name:    strings.ToUpper(string(s.data[at : at+n])),
				value:   string(s.data[start:i]),
				at:      at,
				valueAt: start,
			}, nil
		case '(':
			if s.opens(i) {
				err := s.errorf(start-1, "the value of %s is not closed by ] before the next game begins", s.data[at:at+n])
				s.pos = i
				return rawTag{}, err
			}
		}
	}
	err := s.errorf(start-1, "the value of %s is not closed by ]", s.data[at:at+n])
	s.pos = len(s.data)
	return rawTag{}, err
}
