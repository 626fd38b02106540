package cutechess

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/run"
)

// pgn is a game in PGN with the tags of cutechess-cli.
func (w *Watch) pgn(g *run.Game, end End) []byte {
	var b bytes.Buffer
	tag := func(key, value string) {
		value = cmp.Or(value, "?")
		fmt.Fprintf(&b, "[%s \"%s\"]\n", key, strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(value))
	}
	tag("Event", w.o.Event)
	tag("Site", w.o.Site)
	tag("Date", g.Began.Local().Format("2006.01.02"))
	tag("Round", fmt.Sprint(g.Pairing.Round))
	tag("White", w.Names[g.Pairing.First])
	tag("Black", w.Names[g.Pairing.Second])
	tag("Result", end.Token)
	start := ""
	if i := g.Pairing.Opening; i >= 0 {
		start = w.openings[i].Start
	}
	if !w.o.Minimal {
		w.moreTags(tag, g, end, start)
	} else if start != "" {
		tag("FEN", start)
		tag("SetUp", "1")
		tag("Variant", w.o.Variant)
	}
	w.moves(&b, g, end)
	return b.Bytes()
}

// moreTags are those that stand in verbose games only, in the order of their names.
func (w *Watch) moreTags(tag func(key, value string), g *run.Game, end End, start string) {
	const stamp = "2006-01-02T15:04:05.000 MST"
	now := w.Now()
	white, black := &w.o.Engines[g.Pairing.First].TC, &w.o.Engines[g.Pairing.Second].TC
	if *white != *black {
		tag("BlackTimeControl", black.String())
	}
	if start != "" {
		tag("FEN", start)
	}
	tag("GameDuration", time.Time{}.Add(now.Sub(g.Began)).Format("15:04:05"))
	tag("GameEndTime", now.Local().Format(stamp))
	tag("GameStartTime", g.Began.Local().Format(stamp))
	plies := 0
	for i := range g.Outcome.Steps {
		if g.Outcome.Steps[i].By.IsPlayer() {
			plies++
		}
	}
	tag("PlyCount", fmt.Sprint(plies))
	if start != "" {
		tag("SetUp", "1")
	}
	if word := map[Kind]string{
		OnTime: "time forfeit", Illegal: "illegal move", Disconnected: "abandoned", Stalled: "stalled connection",
		DrawAdjudicated: "adjudication",
	}[end.Kind]; word != "" {
		tag("Termination", word)
	} else if g.Outcome.Result.Reason == game.ByAdjudication {
		tag("Termination", "adjudication")
	}
	if *white == *black {
		tag("TimeControl", white.String())
	}
	tag("Variant", w.o.Variant)
	if *white != *black {
		tag("WhiteTimeControl", white.String())
	}
}

// moves writes the moves in lines of less than 80 characters.
func (w *Watch) moves(b *bytes.Buffer, g *run.Game, end End) {
	width := 0
	put := func(word string) {
		if width == 0 || width+len(word) >= 80 {
			b.WriteString("\n" + word)
			width = len(word)
			return
		}
		b.WriteString(" " + word)
		width += len(word) + 1
	}
	number := 0
	steps := g.Outcome.Steps
	for i := range steps {
		s := &steps[i]
		word := w.rules.FormatMove(s.Move)
		switch {
		case s.By == game.First && (i == 0 || steps[i-1].By != game.First):
			number++
			word = fmt.Sprintf("%d. %s", number, word)
		case s.By == game.Second && i == 0:
			number++
			word = fmt.Sprintf("%d... %s", number, word)
		}
		if note := w.comment(g, i, end); note != "" {
			word += " {" + note + "}"
		}
		put(word)
	}
	if width+len(end.Token) >= 80 {
		b.WriteString("\n" + end.Token + "\n\n")
		return
	}
	b.WriteString(" " + end.Token + "\n\n")
}

// comment is what stands after a move: evaluation, depth and time, and how the game ended
// after the last one.
func (w *Watch) comment(g *run.Game, i int, end End) string {
	steps := g.Outcome.Steps
	s := &steps[i]
	text := ""
	switch {
	case w.o.Minimal:
		return ""
	case s.Opening:
		text = "book"
	case s.By.IsPlayer() && !s.Forced:
		if s.Info != nil && s.Info.Eval.Known() && s.Info.Depth > 0 {
			text = fmt.Sprintf("%+.2f/%d ", s.Info.Eval.Mid(), s.Info.Depth)
		}
		text += seconds(s.Used)
	}
	if i == len(steps)-1 {
		if text != "" {
			text += ", "
		}
		text += end.Reason
	}
	return text
}

// seconds prints a time with the digits that it deserves.
func seconds(d time.Duration) string {
	ms := d.Milliseconds()
	digits := 0
	switch {
	case ms == 0:
		return "0s"
	case ms < 100:
		digits = 3
	case ms < 1000:
		digits = 2
	case ms < 10000:
		digits = 1
	}
	return fmt.Sprintf("%.*fs", digits, float64(ms)/1000)
}
