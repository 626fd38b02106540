package screen

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/rules"
	"kibitz/term"
	"kibitz/term/board"
)

// painted draws the board of a game with what stands beside it.
func (m *model) painted(v *game.View) []string {
	var out bytes.Buffer
	board.Painter{W: &out, Colour: m.colour}.Draw(v)
	return strings.Split(strings.TrimRight(clearLines(out.String()), "\n"), "\n")
}

// clearLines removes spaces at the ends of lines.
func clearLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// extent is how wide a board is, and how high with what stands beside it.
func (m *model) extent(g *liveGame) (wide, high int) {
	bare := *g.view
	bare.Trays, bare.Notes, bare.Attempts = nil, nil, nil
	for _, line := range m.painted(&bare) {
		wide = max(wide, ansi.StringWidth(line))
	}
	return wide, len(m.painted(g.view))
}

func (m *model) cell(g *liveGame, l boardGrid) []string {
	out := []string{m.faint(ansi.Truncate(g.title(), l.cellWide, "…"))}
	for seat := game.First; seat <= game.Second; seat++ {
		out = append(out, m.side(g, seat, l.cellWide))
	}
	if l.painted && g.view != nil {
		out = append(out, m.painted(g.view)...)
	}
	return out
}

// title tells how far a game is, or how it ended.
func (g *liveGame) title() string {
	text := "game " + strings.TrimLeft(g.id, "0")
	switch {
	case g.result != nil:
		text += ": " + plain.Result(*g.result, g.names)
	case len(g.moves) > 0:
		text += ", " + plain.Plies(len(g.turns()))
		if g.last != "" {
			text += ", " + g.last
		}
	}
	return clean(text)
}

// side draws a seat of a game: whose turn it is, its pieces, its name, its clock, and
// what it thinks of the position and how deep it looked.
func (m *model) side(g *liveGame, seat game.Seat, wide int) string {
	mark := "  "
	if g.result == nil && g.turn.Seat == seat {
		mark = "> "
	}
	eval := ""
	switch in := g.said[seat]; {
	case g.private && g.result == nil:
		eval = "hidden"
	case in != nil:
		eval = shortInfo(in)
	}
	rest := " " + right(clockText(g.clockAt(seat, m.frame.at)), 7) + " " + right(eval, 9)
	name := fit(clean(g.names[seat]), max(0, wide-len(mark)-2-ansi.StringWidth(rest)))
	return mark + m.style(g.letter(seat), board.OwnerStyle(seat)) + " " + name + rest
}

// letter stands for what a seat plays with.
func (g *liveGame) letter(seat game.Seat) string {
	if g.view == nil {
		return " "
	}
	if c := g.view.Colours[seat]; c != game.NoColour {
		return c.String()[:1]
	}
	return "?"
}

// shortInfo prints an evaluation and its depth: "+2.5/12", "win 3/20", "+9/exact".
func shortInfo(in *game.Info) string {
	text := ""
	if in.Eval.Known() {
		text = strings.Replace(plain.Eval(in.Eval), " in ", " ", 1)
	}
	if d := plain.Depth(in); d != "-" {
		text += "/" + d
	}
	return text
}

// clockText prints what is left of a clock, with the byo-yomi periods left; the time
// used where there is no clock.
func clockText(k clock.Clock) string {
	switch {
	case k.Fallen:
		return "0.0"
	case k.Control.None():
		return "+" + clock.Face(k.Total)
	case !k.Control.Timed():
		return clock.Face(max(0, k.Control.Turn-k.Used))
	}
	text := clock.Face(k.Remaining())
	if k.Stage == clock.InPeriods && k.Periods > 1 {
		text += fmt.Sprintf("x%d", k.Periods)
	}
	return text
}

// largeGame draws one game with all that is known of it.
func (m *model) largeGame(g *liveGame) []string {
	var board []string
	if g.view != nil {
		board = m.painted(g.view)
	}
	wide := max(m.wide, 20)
	for _, line := range board {
		wide = max(wide, ansi.StringWidth(line))
	}
	wide = min(wide, max(m.wide, m.width-leastCell-cellGap))
	text := m.width - wide - cellGap
	if text < leastCell { // one below the other
		return append(append(m.cell(g, boardGrid{cellWide: m.width}), board...), m.details(g, m.width)...)
	}
	out := []string{m.style(ansi.Truncate(g.title(), text, "…"), term.Head)}
	for seat := game.First; seat <= game.Second; seat++ {
		out = append(out, m.side(g, seat, text))
	}
	return beside(board, append(out, m.details(g, text)...), wide, m.bodyHigh())
}

// details are what both engines report and the moves.
func (m *model) details(g *liveGame, wide int) []string {
	var out []string
	if g.result != nil && g.result.Detail != "" {
		out = append(out, wrapped(clean(g.result.Detail), wide)...)
	}
	if g.private && g.result == nil {
		out = append(out, "", m.faint("What the engines report is hidden until the game is over."))
	}
	for seat := game.First; seat <= game.Second; seat++ {
		if in := g.said[seat]; in != nil && !g.private {
			out = append(out, "", m.faint(clean(g.names[seat])+" thinks"))
			out = append(out, wrapped(m.thoughts(in), wide)...)
		}
	}
	room := m.bodyHigh() - cellHead - len(out) - 2
	lines := wrapped(clean(strings.Join(g.turns(), " ")), wide)
	if room < 1 || len(g.moves) == 0 {
		return out
	}
	out = append(out, "", m.faint("moves"))
	return append(out, lines[max(0, len(lines)-room):]...)
}

func (m *model) thoughts(in *game.Info) string {
	var words []string
	if in.Eval.Known() {
		words = append(words, plain.Eval(in.Eval))
	}
	if d := plain.Depth(in); d != "-" {
		words = append(words, "depth "+d)
	}
	if in.Nodes > 0 {
		words = append(words, fmt.Sprintf("%d nodes", in.Nodes))
	}
	if in.Time > 0 {
		words = append(words, in.Time.Round(time.Millisecond).String())
	}
	line := in.Text
	if len(in.PV) > 0 {
		line = rules.FormatLine(m.facts.Rules, in.PV)
	}
	if line != "" {
		words = append(words, line)
	}
	return clean(strings.Join(words, ", "))
}

// wrapped breaks a text into lines.
func wrapped(s string, wide int) []string {
	return strings.Split(ansi.Wrap(s, max(1, wide), ""), "\n")
}
