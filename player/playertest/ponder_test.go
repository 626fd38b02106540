package playertest_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/player/playertest"
)

// ponder drives a dark chess engine over framed messages; one message is one
// line of the connection.
type ponder struct{ wire }

func (h *ponder) NewGame(_ context.Context, s *player.Setup) error {
	h.seat, h.err = s.Seat, nil
	v := s.View.View()
	cells := make([]string, 0, len(v.Cells))
	for y := v.Height - 1; y >= 0; y-- {
		for x := range v.Width {
			c := cmp.Or(v.At(game.Pt(x, y)).Piece, '-')
			cells = append(cells, string(c))
		}
	}
	var counts []string
	for _, tray := range v.Trays {
		for _, it := range tray.Items {
			counts = append(counts, fmt.Sprint(it.Count))
		}
	}
	var past []string
	for _, u := range s.History {
		past = append(past, plyText(u.Steps))
	}
	fields := append(append(cells, counts...), fmt.Sprint(len(past)))
	fields = append(fields, past...)
	fields = append(fields, fmt.Sprint(s.Clocks[s.Seat].Remaining().Milliseconds()))
	colour := map[game.Colour]int{game.Red: 0, game.Black: 1, game.NoColour: 2}[s.Colours[s.Seat]]
	for _, m := range []string{"/start " + strings.Join(fields, ","), fmt.Sprintf("/turn %d %d", s.Seat, colour)} {
		h.send(m)
		word, _, _ := strings.Cut(m, " ")
		if err := h.until(noTime, func(l string) bool { return l == word }); err != nil {
			return err
		}
	}
	return nil
}

func plyText(steps []game.Move) string {
	if steps[0].Op == game.Flip {
		return fmt.Sprintf("%s(%c)", square(steps[0].To), game.DarkChessPieces[steps[1].Arg])
	}
	return square(steps[0].From) + "-" + square(steps[0].To)
}

func (h *ponder) Tell(u *player.Update) {
	word, last := "/move", 0
	if u.Steps[0].Op == game.Flip {
		word = "/flip"
	}
	if u.Result != nil {
		last = 1
	}
	h.send(fmt.Sprintf("%s %s %d %d", word, plyText(u.Steps), u.Clocks[h.seat].Remaining().Milliseconds(), last))
}

func (h *ponder) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	var ans player.Answer
	err := h.until(p.Deadline, func(l string) bool {
		if arg, ok := strings.CutPrefix(l, "/flip "); ok {
			ans.Steps = []game.Move{game.FlipAt(pt(arg))}
			return true
		}
		arg, ok := strings.CutPrefix(l, "/move ")
		if ok {
			ans.Steps = []game.Move{game.ShiftTo(pt(arg[:2]), pt(arg[3:]))}
		}
		return ok
	})
	return ans, err
}

// Over takes what the engine sends too late, then sends it away.
func (h *ponder) Over(game.Result) {
	_ = h.until(time.Now().Add(20*time.Millisecond), func(string) bool { return false })
	h.send("/exit")
}

// darkView shows the staged line's board: the position after the history.
type darkView struct{ *staged }

func (d darkView) View(a game.Audience) game.View {
	v := game.View{For: a, Width: 4, Height: 8, Cells: make([]game.Cell, 32), Turn: d.Turn()}
	for i := range v.Cells {
		v.Cells[i] = game.Cell{Piece: 'X', Owner: game.Nobody}
	}
	for _, p := range d.plies[:d.done] {
		if p.move.Op == game.Deal {
			v.Cells[p.move.To.Index(4)] = game.Cell{Piece: game.DarkChessPieces[p.move.Arg], Owner: game.Nobody}
		}
	}
	alive := game.Tray{Name: "alive", Owner: game.Nobody}
	for i, n := range []int{1, 2, 2, 2, 2, 2, 5, 1, 2, 2, 2, 2, 2, 5} {
		alive.Items = append(alive.Items, game.TrayItem{Piece: game.DarkChessPieces[i], Count: n})
	}
	v.Trays = []game.Tray{alive}
	return v
}

const hidden8 = "X,X,X,X,X,X,X,X"

func TestPonder(t *testing.T) {
	start := "/start " + strings.Repeat(hidden8+",", 4) + "1,2,2,2,2,2,5,1,2,2,2,2,2,5,0,"
	first := NewScript(t, `
		> `+start+`100000
		< /start
		> /turn 0 2
		< /turn
		< /flip b6
		> /flip b6(k) 99000 0
		> /flip b5(P) 99000 0
		< /move b6-b5
		> /move b6-b5 98000 1
		< /flip a1
		! late
		> /exit
	`)
	second := NewScript(t, `
		> `+start+`200000
		< /start
		> /turn 1 2
		< /turn
		> /flip b6(k) 200000 0
		< /flip b5
		> /flip b5(P) 198000 0
		> /move b6-b5 198000 1
		! late
		> /exit
	`)
	pos := darkLine()
	tb := &playertest.Table{Position: darkView{pos}, Deal: pos.deal}
	twoClocks(tb)
	_, err := tb.Play(context.Background(), [2]player.Player{
		fixedTime{&ponder{wire{conn: first}}, time.Second}, fixedTime{&ponder{wire{conn: second}}, 2 * time.Second},
	})
	if err != nil {
		t.Fatal(err)
	}
	first.Done()
	second.Done()
}

// TestPonderResumed hands over the position and the history.
func TestPonderResumed(t *testing.T) {
	row := "X,X,X,X,"
	board := strings.Repeat(row, 4) + "X,P,X,X," + "X,k,X,X," + row + row
	first := NewScript(t, `
		> /start `+board+`1,2,2,2,2,2,5,1,2,2,2,2,2,5,2,b6(k),b5(P),100000
		< /start
		> /turn 0 1
		< /turn
		< /move b6-b5
		> /move b6-b5 99000 1
		! eof
		> /exit
	`)
	pos := darkLine()
	tb := &playertest.Table{Position: darkView{pos}, Deal: pos.deal}
	twoClocks(tb)
	for _, p := range pos.plies[:4] {
		tb.Opening = append(tb.Opening, p.move)
	}
	if _, err := tb.Play(context.Background(), [2]player.Player{fixedTime{&ponder{wire{conn: first}}, time.Second}, &mute{}}); err != nil {
		t.Fatal(err)
	}
	first.Done()
}
