package gomoku

import (
	"fmt"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/rules"
)

// Result returns the outcome once the game is over.
func (s *State) Result() (game.Result, bool) {
	switch {
	case !s.over:
		return game.Result{}, false
	case s.rules.continuous:
		return s.count(), true
	case s.passes == 2:
		return game.Drawn(ByPasses, "both seats passed"), true
	case s.end == Quiet:
		return game.Drawn(ByFull, s.fullText()), true
	}
	mover := s.colour.Other()
	seat := s.SeatOf(mover)
	why := s.end
	if why == Win {
		return game.Win(seat, ByFive, s.lineText(mover)), true
	}
	reason, what := ByOverline, "a line of more than five"
	switch why {
	case DoubleFour:
		reason, what = ByDoubleFour, "two fours"
	case DoubleThree:
		reason, what = ByDoubleThree, "two open threes"
	}
	at := PointText(s.board.Point(int(s.last)))
	return game.Win(seat.Other(), reason, fmt.Sprintf("black %s makes %s", at, what)), true
}

// count decides a continuous game: more lines win.
func (s *State) count() game.Result {
	r := game.Drawn(ByFull, s.fullText())
	switch {
	case s.lines[0] > s.lines[1]:
		r = game.Win(game.First, ByFull, r.Detail)
	case s.lines[1] > s.lines[0]:
		r = game.Win(game.Second, ByFull, r.Detail)
	}
	r.HasBoard = true
	r.Board = [2]float64{float64(s.lines[0]), float64(s.lines[1])}
	return r
}

func (s *State) fullText() string {
	switch s.empty {
	case 0:
		return "no empty point is left"
	case 1:
		return "1 empty point is left"
	}
	return fmt.Sprintf("%d empty points are left", s.empty)
}

// lineText names the line that the latest stone completed.
func (s *State) lineText(c Stone) string {
	i := int(s.last)
	for _, d := range s.board.dirs {
		if !s.board.wins(i, d, c) {
			continue
		}
		n, before, after := s.board.Run(i, d, c)
		return fmt.Sprintf("%s has %d in a line, %s to %s", colourOf(c), n,
			PointText(s.board.Point(before+d)), PointText(s.board.Point(after-d)))
	}
	return ""
}

func colourOf(c Stone) game.Colour {
	if c == Black {
		return game.Black
	}
	return game.White
}

// Forbidden returns the points on which black may not play in renju, whoever is
// on turn, in rows from the top left. It is empty for every other rule, while
// swap2 is still open, and after the end.
func Forbidden(s rules.State) []game.Point {
	st, ok := s.(*State)
	if !ok || st.over || st.board.rule != Renju || st.stage != stagePlay {
		return nil
	}
	var list []game.Point
	for y := range st.rules.height {
		for x := range st.rules.width {
			p := game.Pt(x, y)
			if i := st.board.Index(p); st.board.At(i) == Empty && st.board.Forbidden(i) {
				list = append(list, p)
			}
		}
	}
	return list
}

// View shows the position. It is the same for everybody.
func (s *State) View(a game.Audience) game.View {
	r := s.rules
	v := game.View{
		For:     a,
		Columns: make([]string, r.width), Rows: make([]string, r.height),
	}
	s.Outline(&v)
	for x := range v.Columns {
		v.Columns[x] = columnText(x)
	}
	for y := range v.Rows {
		v.Rows[y] = fmt.Sprint(y + 1)
	}
	if s.last != 0 {
		v.Marks = []game.Point{s.board.Point(int(s.last))}
	}
	if r.continuous {
		v.HasScore = true
		v.Score = [2]float64{float64(s.lines[0]), float64(s.lines[1])}
	}
	if s.colour == Black {
		v.Barred = Forbidden(s)
	}
	v.Won = s.decided()
	v.Notes = s.notes(v.Barred)
	if res, ok := s.Result(); ok {
		v.Result = &res
	}
	return v
}

// Outline implements rules.Outliner.
func (s *State) Outline(v *game.View) {
	grid.Outline(v, game.Crossings, s.rules.width, s.rules.height, s.Turn(), s.Colours())
	of := [...]game.Cell{
		Empty: {Owner: game.Nobody},
		Black: {Piece: 'B', Owner: s.black}, White: {Piece: 'W', Owner: s.black.Other()},
		DeadBlack: {Piece: 'b', Owner: s.black}, DeadWhite: {Piece: 'w', Owner: s.black.Other()},
	}
	for y := range v.Height {
		row := s.board.Index(game.Pt(0, y))
		for x := range v.Width {
			v.Cells[y*v.Width+x] = of[s.board.At(row+x)]
		}
	}
}

// decided are the stones that ended the game: the lines that win, or the foul, of an
// overline all its stones.
func (s *State) decided() []game.Point {
	if !s.over || s.end == Quiet || s.rules.continuous || s.last == 0 {
		return nil
	}
	c, i := s.colour.Other(), int(s.last)
	out := []game.Point{s.board.Point(i)}
	for _, d := range s.board.dirs {
		n, before, after := s.board.Run(i, d, c)
		if s.end == Win && !s.board.wins(i, d, c) || s.end != Win && (s.end != Overline || n <= 5) {
			continue
		}
		for j := before + d; j != after; j += d {
			if j != i {
				out = append(out, s.board.Point(j))
			}
		}
	}
	return out
}

// notes are short facts for people: what can be chosen, and the points where black may
// not play, by what would be wrong there.
func (s *State) notes(barred []game.Point) []game.Note {
	if s.over {
		return nil
	}
	switch {
	case s.stage == stageChoose && s.Stones() == 3:
		return []game.Note{game.Notef(game.NoteSwap2, "swap2: stay white, swap to black, or place two more stones")}
	case s.stage == stageChoose:
		return []game.Note{game.Notef(game.NoteSwap2, "swap2: stay white or swap to black")}
	case s.stage != stagePlay:
		return []game.Note{game.Notef(game.NoteSwap2, "swap2: opening stone %d, %s", s.Stones()+1, colourOf(s.colour))}
	}
	var out []game.Note
	for _, foul := range []struct {
		of         Verdict
		word, text string
	}{{Overline, "overline", "overline"}, {DoubleFour, "44", "double four"}, {DoubleThree, "33", "double three"}} {
		n := game.Note{Code: game.NoteForbidden, Args: []string{foul.word}, Text: foul.text}
		for _, p := range barred {
			if s.board.Judge(s.board.Index(p), Black) == foul.of {
				n.Args = append(n.Args, PointText(p))
				n.Text += " " + PointText(p)
			}
		}
		if len(n.Args) > 1 {
			out = append(out, n)
		}
	}
	return out
}
