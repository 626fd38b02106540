package playertest_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/player"
)

// brain drives a Piskvork brain through the swap2 opening: answers of several
// stones are one line and one Answer.
type brain struct {
	wire
	stones  []game.Point // in order, black first
	started bool         // the brain has had its BOARD
}

func (h *brain) NewGame(_ context.Context, s *player.Setup) error {
	h.seat, h.err, h.stones, h.started = s.Seat, nil, h.stones[:0], false
	h.send(fmt.Sprintf("START %d\n", s.Width))
	return h.until(noTime, func(l string) bool { return l == "OK" })
}

func (h *brain) Tell(u *player.Update) {
	for _, m := range u.Steps {
		if m.Op == game.Place {
			h.stones = append(h.stones, m.To)
		}
	}
}

func (h *brain) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	var b strings.Builder
	opening := p.Turn.Phase != "place" || len(h.stones) < 3
	switch last := len(h.stones) - 1; {
	case opening:
		b.WriteString("SWAP2BOARD\n")
		for _, s := range h.stones {
			fmt.Fprintf(&b, "%d,%d\n", s.X, s.Y)
		}
		b.WriteString("DONE\n")
	case h.started:
		fmt.Fprintf(&b, "TURN %d,%d\n", h.stones[last].X, h.stones[last].Y)
	default:
		h.started = true
		b.WriteString("BOARD\n")
		for i, s := range h.stones {
			field := 2
			if (i%2 == 0) == (p.Colours[p.Seat] == game.Black) {
				field = 1
			}
			fmt.Fprintf(&b, "%d,%d,%d\n", s.X, s.Y, field)
		}
		b.WriteString("DONE\n")
	}
	h.send(b.String())
	var ans player.Answer
	err := h.until(p.Deadline, func(l string) bool {
		ans.Raw = l
		ans.Steps = stones(l)
		return l == "SWAP" || ans.Steps != nil
	})
	if opening && p.Turn.Phase == "choose" {
		choice := game.Swap2Swap
		switch len(ans.Steps) {
		case 1:
			choice = game.Swap2Stay
		case 2:
			choice = game.Swap2More
		}
		ans.Steps = append([]game.Move{game.ChooseArg(choice)}, ans.Steps...)
	}
	return ans, err
}

func stones(line string) []game.Move {
	var out []game.Move
	for f := range strings.FieldsSeq(line) {
		var x, y int
		if n, _ := fmt.Sscanf(f, "%d,%d", &x, &y); n != 2 {
			return nil
		}
		out = append(out, game.PlaceAt(game.Pt(x, y)))
	}
	return out
}

func (h *brain) Over(game.Result) { h.send("END\n") }

// TestSwap2 walks the longest path: three stones, two more, and the choice of the
// proposer; the variants differ in that last choice.
func TestSwap2(t *testing.T) {
	at := func(x, y int) game.Move { return game.PlaceAt(game.Pt(x, y)) }
	step := func(s game.Seat, n int, phase string) game.Turn { return game.Turn{Seat: s, Step: n, Phase: phase} }
	start := [2]game.Colour{game.Black, game.White}
	swapped := [2]game.Colour{game.White, game.Black}
	end := game.Win(game.First, "five", "")
	opening := []ply{
		{move: at(7, 7), next: step(0, 1, "place"), colours: start},
		{move: at(8, 7), next: step(0, 2, "place"), colours: start},
		{move: at(9, 9), next: step(1, 0, "choose"), colours: start},
	}
	more := slices.Concat(opening, []ply{
		{move: game.ChooseArg(game.Swap2More), next: step(1, 1, "place"), colours: start},
		{move: at(1, 1), next: step(1, 2, "place"), colours: start},
		{move: at(2, 2), next: step(0, 0, "choose"), colours: start},
	})
	tests := []struct {
		name          string
		plies         []ply
		first, second string
	}{
		{
			"second swaps at three",
			append(opening[:3:3],
				ply{move: game.ChooseArg(game.Swap2Swap), next: step(0, 0, "place"), colours: swapped},
				ply{move: at(3, 3), next: game.Turn{Seat: game.Nobody}, colours: swapped, result: &end}),
			`
			> START 15
			< OK
			> SWAP2BOARD
			>+ DONE
			< 7,7 8,7 9,9
			> BOARD
			>+ 7,7,2
			>+ 8,7,1
			>+ 9,9,2
			>+ DONE
			< 3,3
			> END`,
			`
			> START 15
			< OK
			> SWAP2BOARD
			>+ 7,7
			>+ 8,7
			>+ 9,9
			>+ DONE
			< SWAP
			> END`,
		},
		{
			"first stays at five",
			append(more[:6:6],
				ply{move: game.ChooseArg(game.Swap2Stay), next: step(0, 1, "place"), colours: swapped},
				ply{move: at(3, 3), next: step(1, 0, "place"), colours: swapped},
				ply{move: at(4, 4), next: step(0, 0, "place"), colours: swapped},
				ply{move: at(5, 5), next: game.Turn{Seat: game.Nobody}, colours: swapped, result: &end}),
			`
			> START 15
			< OK
			> SWAP2BOARD
			>+ DONE
			< 7,7 8,7 9,9
			> SWAP2BOARD
			>+ 7,7
			>+ 8,7
			>+ 9,9
			>+ 1,1
			>+ 2,2
			>+ DONE
			< 3,3
			> BOARD
			>+ 7,7,2
			>+ 8,7,1
			>+ 9,9,2
			>+ 1,1,1
			>+ 2,2,2
			>+ 3,3,1
			>+ 4,4,2
			>+ DONE
			< 5,5
			> END`,
			`
			> START 15
			< OK
			> SWAP2BOARD
			>+ 7,7
			>+ 8,7
			>+ 9,9
			>+ DONE
			< 1,1 2,2
			> BOARD
			>+ 7,7,1
			>+ 8,7,2
			>+ 9,9,1
			>+ 1,1,2
			>+ 2,2,1
			>+ 3,3,2
			>+ DONE
			< 4,4
			> END`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plies := make([]ply, len(tt.plies))
			copy(plies, tt.plies)
			for i := range plies {
				plies[i].notices = seen(plies[i].move)
			}
			pos := &staged{spec: "gomoku:opening=swap2", w: 15, h: 15, first: step(0, 0, "place"), colours: start, plies: plies}
			a, b := NewScript(t, tt.first), NewScript(t, tt.second)
			a.Strict, b.Strict = true, true
			play(t, pos, &brain{wire: wire{conn: a}}, &brain{wire: wire{conn: b}}, nil)
			a.Done()
			b.Done()
		})
	}
}
