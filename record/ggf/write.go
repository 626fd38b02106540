package ggf

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// Append appends one game on one line, without a line end. The tags stand in the
// order GM PC DT PB PW RB RW RE TI (or TB TW) TY KB KW KM BO, then comments and
// moves; those that say nothing are left out. Values lose the characters that
// the format cannot hold. Tags that the format does not know are not written.
//
// The error tells what cannot be written: another game, a board that is not one,
// a decision that is neither a square nor a pass.
func Append(dst []byte, g *record.Game) ([]byte, error) {
	if g.Spec.ID() != "othello" && g.Spec != "" {
		return dst, fmt.Errorf("%q cannot be written as GGF, only othello can", g.Spec)
	}
	size := Size(g.Spec)
	board := StandardBoard(size)
	if g.Start != "" {
		var err error
		if board, err = ParseText(g.Start, size); err != nil {
			return dst, err
		}
	}
	dst = append(dst, "(;GM[Othello]"...)
	dst = appendTag(dst, "PC", g.Place, false)
	dst = appendTag(dst, "DT", formatDate(g.Date), false)
	dst = appendTag(dst, "PB", g.Names[0], true)
	dst = appendTag(dst, "PW", g.Names[1], true)
	dst = appendTag(dst, "RB", g.Ratings[0], false)
	dst = appendTag(dst, "RW", g.Ratings[1], false)
	dst = appendResultTag(dst, g, board)
	dst = appendClocks(dst, g)
	dst = appendTag(dst, "TY", typeOf(g, size), true)
	for _, key := range []string{"KB", "KW", "KM"} {
		v, _ := g.Tag(key)
		dst = appendTag(dst, key, v, false)
	}
	dst = append(appendBoard(append(dst, "BO["...), board), ']')
	dst = appendComment(dst, g.Comment)
	for i := range g.Steps {
		var err error
		if dst, err = appendStep(dst, &g.Steps[i], board); err != nil {
			return dst, err
		}
	}
	return append(dst, ";)"...), nil
}

// Write writes games, a line each. Games that were read from one match line, and
// still stand together, share a line again.
func Write(w io.Writer, games ...*record.Game) error {
	var buf []byte
	for i := 0; i < len(games); {
		n := matchLine(games[i:])
		if n > 1 {
			buf = strconv.AppendInt(buf, int64(n), 10)
			buf = append(buf, ' ')
		}
		for range n {
			var err error
			if buf, err = Append(buf, games[i]); err != nil {
				return fmt.Errorf("game %d: %w", i+1, err)
			}
			i++
		}
		buf = append(buf, '\n')
	}
	_, err := w.Write(buf)
	return err
}

// matchLine returns how many games from the first on belong to one match line.
func matchLine(games []*record.Game) int {
	v, ok := games[0].Tag(TagMatch)
	first, count, cut := strings.Cut(v, "/")
	n, err := strconv.Atoi(count)
	if !ok || !cut || first != "1" || err != nil || n < 1 || n > len(games) {
		return 1
	}
	for i, g := range games[:n] {
		if v, _ := g.Tag(TagMatch); v != fmt.Sprintf("%d/%d", i+1, n) {
			return 1
		}
	}
	return n
}

func appendTag(dst []byte, key, value string, always bool) []byte {
	value = Clean(value)
	if value == "" && !always {
		return dst
	}
	dst = append(append(dst, key...), '[')
	return append(append(dst, value...), ']')
}

// Clean returns a value with brackets and line ends replaced by blanks and the
// blanks around it removed.
func Clean(value string) string {
	if strings.ContainsAny(value, "[]\r\n") {
		value = strings.Map(func(r rune) rune {
			switch r {
			case '[', ']', '\r', '\n':
				return ' '
			}
			return r
		}, value)
	}
	return strings.TrimSpace(value)
}

// Name returns a name as engines can read it: printable ASCII, at most 31
// characters.
func Name(name string) string {
	b := make([]byte, 0, 31)
	for _, r := range Clean(name) {
		if len(b) == 31 {
			break
		}
		if r < ' ' || r > '~' {
			r = '?'
		}
		b = append(b, byte(r))
	}
	return strings.TrimSpace(string(b))
}

func appendResultTag(dst []byte, g *record.Game, board Board) []byte {
	if v, ok := g.Tag(TagResult); ok && g.Result == nil {
		return appendTag(dst, "RE", v, true)
	}
	komi := 0.0
	if v, ok := g.Tag("KM"); ok {
		komi, _ = ParseNumber(v)
	}
	return append(appendResult(append(dst, "RE["...), g.Result, board.Squares(), komi), ']')
}

func appendClocks(dst []byte, g *record.Game) []byte {
	value := func(tag string, seat int) string {
		if v, ok := g.Tag(tag); ok {
			return v
		}
		if c, ok := FromControl(g.Clocks[seat]); ok {
			return c.String()
		}
		return ""
	}
	if v, ok := g.Tag("TI"); ok {
		return appendTag(dst, "TI", v, false)
	}
	black, white := value("TB", 0), value("TW", 1)
	if black == white {
		return appendTag(dst, "TI", black, false)
	}
	return appendTag(appendTag(dst, "TB", black, false), "TW", white, false)
}

func typeOf(g *record.Game, size int) string {
	if v, ok := g.Tag(TagType); ok {
		return v
	}
	v := strconv.Itoa(size)
	if a, _ := g.Spec.Option("anti"); a == "true" {
		v += "a"
	}
	return v
}

func appendComment(dst []byte, text string) []byte {
	if text == "" {
		return dst
	}
	for line := range strings.SplitSeq(text, "\n") {
		dst = appendTag(dst, "CO", line, false)
	}
	return dst
}

func appendStep(dst []byte, st *record.Step, board Board) ([]byte, error) {
	if st.Move.Op == game.Resign {
		return dst, nil // the result says it
	}
	if st.Move.Op != game.Pass && (st.Move.Op != game.Place || !st.Move.To.On(board.Size, board.Size)) {
		return dst, fmt.Errorf("the decision %q cannot be written as GGF, only squares of the board and passes can", st.Move)
	}
	if st.By == game.Second {
		dst = append(dst, "W["...)
	} else {
		dst = append(dst, "B["...)
	}
	it := Item{Move: st.Move, Time: st.Used, Timed: st.Timed}
	if st.Info != nil {
		it.Eval = st.Info.Eval
	}
	dst = append(AppendItem(dst, &it), ']')
	return appendComment(dst, st.Comment), nil
}
