package checkfaults

import (
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"kibitz/link"
)

// faulty stands between the engine side of a protocol and whoever drives it, and goes
// wrong in one way. It is the connection of that side.
type faulty struct {
	link.Conn
	seat seat
	hook hook

	given   []string // to the engine beside what it is told, first
	swallow int      // answers of the engine that nobody hears
	asked   string   // the latest line that it was told
	moves   int      // own, of this process
	told    int      // moves of the opponent
	games   int      // begun in this process
	dead    bool     // says nothing any more
}

// hook is one fault: what becomes of lines to the engine, and of lines that it says.
// A nil function changes nothing; no line at all is silence.
type hook struct {
	in, out func(e *faulty, line string) []string
}

// ReadLine implements link.Conn.
func (e *faulty) ReadLine(deadline time.Time) ([]byte, error) {
	for {
		if len(e.given) > 0 {
			line := e.given[0]
			e.given = e.given[1:]
			return []byte(line), nil
		}
		b, err := e.Conn.ReadLine(deadline)
		if err != nil {
			return nil, err
		}
		line := string(b)
		if depth.MatchString(line) {
			line = "set depth 4" // deeper takes time that the bubble does not have
		}
		e.asked = line
		if e.seat.words.begins.MatchString(line) {
			e.games++
		}
		if e.seat.words.told.MatchString(line) {
			e.told++
		}
		if e.hook.in == nil {
			return []byte(line), nil
		}
		list := e.hook.in(e, line)
		if e.dead && len(list) == 0 {
			return nil, io.EOF
		}
		e.given = append(e.given, list...)
	}
}

// Write implements link.Conn.
func (e *faulty) Write(p []byte) error {
	var b strings.Builder
	for line := range strings.Lines(string(p)) {
		text := strings.TrimRight(line, "\r\n")
		end := line[len(text):]
		own := e.isMove(text)
		if own {
			e.moves++
		}
		if e.swallow > 0 && text != "" {
			e.swallow--
			continue
		}
		list := []string{text}
		if e.hook.out != nil && text != "" {
			list = e.hook.out(e, text)
		}
		for _, l := range list {
			b.WriteString(l + end)
		}
	}
	if e.dead || b.Len() == 0 {
		return nil
	}
	return e.Conn.Write([]byte(b.String()))
}

// isMove reports whether the engine says a move.
func (e *faulty) isMove(line string) bool {
	w := e.seat.words
	return w.move.MatchString(line) && (w.ask == nil || w.ask.MatchString(e.asked))
}

// die ends the engine: it neither hears nor says anything, and its output is closed.
func (e *faulty) die() []string {
	e.dead = true
	_ = e.Close()
	return nil
}

var depth = regexp.MustCompile(`^set depth \d\d`)

// words are how a protocol says what faults are about.
type words struct {
	move   *regexp.Regexp // a line of the engine that is a move
	ask    *regexp.Regexp // the question that it answers, nil for none
	told   *regexp.Regexp // a line that tells a move of somebody
	begins *regexp.Regexp // a line that begins a game
	point  *regexp.Regexp // a point in one of these, of two groups
	read   func(a, b string) (x, y int)
	write  func(x, y int) string
	turn   func(m string, f func(x, y int) (int, int)) string // in place of these, where it is not points that are written
}

// through moves all points of a line.
func (s *seat) through(line string, f func(x, y int) (int, int)) string {
	return s.words.point.ReplaceAllStringFunc(line, func(m string) string {
		if s.words.turn != nil {
			return s.words.turn(m, f)
		}
		g := s.words.point.FindStringSubmatch(m)
		x, y := s.words.read(g[1], g[2])
		return s.words.write(f(x, y))
	})
}

func decimal(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
