package screen

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"kibitz/internal/plain"
	"kibitz/term"
)

// The screen: two lines of head, the body, a line of keys. The body has boards on the
// left and figures on the right; where no board fits, a list of games.
const (
	headLines  = 2
	footLines  = 1
	leastWide  = 40 // of the screen
	leastHigh  = 8
	leastPanel = 36
	leastCell  = 34 // what names, clocks and evaluations take
	cellGap    = 2
	cellHead   = 3 // lines above a board
	// leastFigures are the lines that the figures take below boards.
	leastFigures = 6
)

func (m *model) style(s, code string) string {
	return term.Styled(s, code, m.colour)
}

// faint is for what is only there to guide the eye.
func (m *model) faint(s string) string { return m.style(s, term.Faint) }

// screen draws everything: as many lines as there are, none wider than the terminal.
func (m *model) screen() string {
	if m.width == 0 || m.height == 0 {
		return ""
	}
	if m.width < leastWide || m.height < leastHigh {
		return strings.Join(sized([]string{"too small: at least", fmt.Sprintf("%d x %d", leastWide, leastHigh), m.progress()},
			m.width, m.height), "\n")
	}
	lines := append(m.head(), sized(m.body(), m.width, m.bodyHigh())...)
	lines = append(lines, m.foot())
	return strings.Join(sized(lines, m.width, m.height), "\n")
}

func (m *model) bodyHigh() int { return max(0, m.height-headLines-footLines) }

// body is what stands between head and foot.
func (m *model) body() []string {
	switch g := m.game(m.large); {
	case m.help:
		return m.keys()
	case g != nil:
		return m.largeGame(g)
	}
	l := m.grid()
	if l.below {
		out := append(m.boards(l), "")
		return append(out, m.panel(m.width, m.bodyHigh()-len(out))...)
	}
	return beside(m.boards(l), m.panel(m.width-l.wide-cellGap, m.bodyHigh()), l.wide, m.bodyHigh())
}

// head tells what is played and how far it is.
func (m *model) head() []string {
	title := m.style(clean(string(m.facts.Rules.Spec())), term.Head) + "  " + m.facts.Format
	return []string{apart(title, m.state(), m.width), apart(m.progress(), m.running(), m.width)}
}

// state is what the run is about, in one word.
func (m *model) state() string {
	switch {
	case m.frame.status.Drained:
		return m.style("ending", term.Warning)
	case m.frame.status.Paused:
		return m.style("paused", term.Second)
	}
	return "playing"
}

// progress tells how many games are over, how long it took and what is left.
func (m *model) progress() string {
	t := m.frame.tally
	if t == nil {
		return ""
	}
	gone := m.frame.at.Sub(m.facts.Began)
	text := fmt.Sprintf("%d of %s, %s gone", t.Done, plain.Count(t.Of, "game"), (gone + m.facts.Earlier).Truncate(time.Second))
	if t.Done < t.Of && t.Done > m.facts.Before && !m.frame.status.Drained {
		text += ", " + plain.Remaining(gone, t.Done-m.facts.Before, t.Of-m.facts.Before) + " left"
	}
	return text
}

// running tells how many games run at a time.
func (m *model) running() string {
	st := m.frame.status
	return fmt.Sprintf("%d running, at most %d", st.Playing, st.Limit)
}

// foot is a notice, or the keys.
func (m *model) foot() string {
	if m.notice != "" && (m.until.IsZero() || m.frame.at.Before(m.until)) {
		return m.style(m.notice, term.Head)
	}
	if m.large != "" {
		return m.faint("tab next game  esc all games  p pause  d drain  + - games at a time  ? help")
	}
	return m.faint("p pause  d drain  + - games at a time  tab a game large  q quit  ? help")
}

func (m *model) keys() []string {
	return []string{
		"",
		"p          pause: no further games start; again: games start again",
		"+ -        more or fewer games at a time",
		"d          drain: running games end, and the run with them",
		"q ctrl+c   the same; once more stops at once. kibitz resume plays the rest",
		"tab right down, shift+tab left up",
		"           one game large, the next one, the one before",
		"esc enter  all games",
		"?          this page",
		"",
		"The boards show what a spectator may know. A game that is over stays",
		"until another needs its place.",
	}
}

// boardGrid is how games are laid out.
type boardGrid struct {
	columns, rows int
	// wide is of the whole; cellWide and cellHigh of one game.
	wide, cellWide, cellHigh int
	// painted tells that there is room for boards, else games are a list.
	painted bool
	// below tells that the figures stand below the games, else at their right.
	below bool
}

func (l boardGrid) places() int { return l.columns * l.rows }

// newGrid lays games out that are so large each.
func newGrid(wide, high, cellWide, cellHigh int, painted, below bool) boardGrid {
	if below {
		high -= leastFigures
	} else {
		wide -= leastPanel
	}
	l := boardGrid{cellWide: cellWide, cellHigh: cellHigh, painted: painted, below: below}
	l.columns = max(0, (wide+cellGap)/(cellWide+cellGap))
	if !below {
		l.columns = max(0, wide/(cellWide+cellGap))
	}
	l.rows = max(0, (high+1)/(cellHigh+1))
	l.wide = l.columns*(cellWide+cellGap) - cellGap
	return l
}

// grid lays the games out: boards with the figures at their right or below them, if
// there is room for one; else a list.
func (m *model) grid() boardGrid {
	high, cell := m.bodyHigh(), max(m.wide, leastCell)
	var l boardGrid
	if m.wide > 0 {
		if l = newGrid(m.width, high, cell, cellHead+m.high, true, false); l.places() > 0 {
			return l
		}
		if l = newGrid(m.width, high, cell, cellHead+m.high, true, true); l.places() > 0 {
			return l
		}
	}
	if l = newGrid(m.width, high, leastCell, cellHead, false, false); l.places() > 0 {
		l.columns, l.cellWide = 1, min(m.width-leastPanel-cellGap, m.width/2)
	} else {
		l = newGrid(m.width, high, m.width, cellHead, false, true)
		l.rows = max(1, l.rows)
	}
	l.wide = l.cellWide
	return l
}

func (m *model) boards(l boardGrid) []string {
	var out []string
	for row := range l.rows {
		var line []string
		for column := range l.columns {
			var cell []string
			if i := row*l.columns + column; i < len(m.shown) && m.game(m.shown[i]) != nil {
				cell = m.cell(m.game(m.shown[i]), l)
			}
			line = beside(line, cell, column*(l.cellWide+cellGap)-cellGap, l.cellHigh)
		}
		if row > 0 {
			out = append(out, "")
		}
		out = append(out, line...)
	}
	return out
}

// beside puts two blocks side by side, the left one at this width.
func beside(left, right []string, wide, high int) []string {
	if wide <= 0 {
		return sized(right, 0, high)
	}
	out := make([]string, high)
	for i := range out {
		l, r := "", ""
		if i < len(left) {
			l = ansi.Truncate(left[i], wide, "")
		}
		if i < len(right) {
			r = right[i]
		}
		if r != "" {
			l += strings.Repeat(" ", max(0, wide-ansi.StringWidth(l))+cellGap) + r
		}
		out[i] = l
	}
	return out
}

// sized cuts lines and their number; no width is any.
func sized(lines []string, wide, high int) []string {
	out := make([]string, high)
	for i := range out {
		if i < len(lines) {
			out[i] = lines[i]
			if wide > 0 {
				out[i] = ansi.Truncate(lines[i], wide, "")
			}
		}
	}
	return out
}

// apart puts one text at the left and one at the right of a line; the left one gives
// way.
func apart(left, right string, wide int) string {
	left = ansi.Truncate(left, max(0, wide-ansi.StringWidth(right)-1), "…")
	return left + strings.Repeat(" ", max(1, wide-ansi.StringWidth(left)-ansi.StringWidth(right))) + right
}

// fit cuts or fills a text to a width.
func fit(s string, wide int) string {
	s = ansi.Truncate(s, wide, "…")
	return s + strings.Repeat(" ", max(0, wide-ansi.StringWidth(s)))
}

// right fills a text on the left to a width.
func right(s string, wide int) string {
	s = ansi.Truncate(s, wide, "")
	return strings.Repeat(" ", max(0, wide-ansi.StringWidth(s))) + s
}
