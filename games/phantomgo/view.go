package phantomgo

import (
	"kibitz/game"
)

var (
	colours = [2]game.Colour{game.Black, game.White}
	letters = [...]byte{Black: 'b', White: 'w'}
)

// View shows a seat its own stones, what it was refused in this turn and its
// latest stone; the public none; the arbiter all. How many moves were made and
// how many stones each side took is known to everybody.
func (s *State) View(a game.Audience) game.View {
	v := s.r.names.View(a, game.Crossings, s.Turn(), colours)
	v.Trays = []game.Tray{s.tray(game.First), s.tray(game.Second)}
	v.Notes = []game.Note{game.Notef(game.NoteMove, "move %d of at most %d", s.plies, s.r.maxPlies)}
	for seat := game.First; seat <= game.Second; seat++ {
		if a == game.Arbiter || a == game.To(seat) {
			s.show(&v, seat)
		}
	}
	if a == game.Arbiter && s.board.ko != NoKo {
		x, y := XY(int(s.board.ko))
		v.Notes = append(v.Notes, game.Notef(game.NoteKo, "ko at %s", s.r.names.Format(game.Pt(x, y))))
	}
	if r, over := s.Result(); over {
		v.Result = &r
	}
	return v
}

// tray shows the stones that a seat took.
func (s *State) tray(seat game.Seat) game.Tray {
	colour := uint8(seat) + Black
	t := game.Tray{Name: "taken", Owner: seat}
	if n := s.board.taken[colour]; n > 0 {
		t.Items = []game.TrayItem{{Piece: letters[3-colour], Count: int(n)}}
	}
	return t
}

// show adds what a seat knows: its stones, the latest of them, and its refused
// attempts.
func (s *State) show(v *game.View, seat game.Seat) {
	colour := uint8(seat) + Black
	for y := range v.Height {
		for x := range v.Width {
			if s.board.cell[At(x, y)] == colour {
				v.Cells[y*v.Width+x] = game.Cell{Piece: letters[colour], Owner: seat}
			}
			if s.seat() == seat && s.tried[y]>>x&1 != 0 {
				v.Attempts = append(v.Attempts, game.Pt(x, y))
			}
		}
	}
	if p := int(s.last[seat]); p != 0 {
		x, y := XY(p)
		v.Marks = append(v.Marks, game.Pt(x, y))
	}
}
