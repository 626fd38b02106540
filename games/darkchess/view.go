package darkchess

import (
	"math/bits"

	"kibitz/game"
)

// View shows the board; what is face down nobody knows.
func (s *State) View(a game.Audience) game.View {
	v := names.View(a, game.Cells, s.Turn(), s.Colours())
	v.Ground, v.Trays = game.Table, s.trays()
	for sq, what := range s.board.cell {
		if what == Empty {
			continue
		}
		v.Cells[sq].Piece = Letters[what]
		if what != Hidden {
			v.Cells[sq].Owner = s.owner(ColourOf(what))
		}
	}
	for _, sq := range s.marks {
		if sq != noSquare {
			v.Marks = append(v.Marks, point(int(sq)))
		}
	}
	if s.r.noEat > 0 {
		v.Notes = append(v.Notes, game.Notef(game.NoteNoEat, "no-eat %d of %d", s.quiet, s.r.noEat))
	}
	if s.pending != noSquare {
		v.Notes = append(v.Notes, game.Notef(game.NoteTurning, "turning over %s", names.Format(point(int(s.pending)))))
	}
	if r, over := s.Result(); over {
		v.Result = &r
	}
	return v
}

func (s *State) owner(colour uint8) game.Seat {
	if first, known := s.colourOf(game.First); !known {
		return game.Nobody
	} else if first == colour {
		return game.First
	}
	return game.Second
}

// trays lists what is face down and what each colour has lost.
func (s *State) trays() []game.Tray {
	hidden := game.Tray{Name: "hidden", Owner: game.Nobody}
	var lost [2]game.Tray
	for p, full := range FullSet {
		down := s.board.down[p]
		if down > 0 {
			hidden.Items = append(hidden.Items, game.TrayItem{Piece: Letters[p], Count: int(down)})
		}
		gone := int(full) - int(down) - bits.OnesCount32(s.board.at[p])
		if c := ColourOf(uint8(p)); gone > 0 {
			lost[c].Items = append(lost[c].Items, game.TrayItem{Piece: Letters[p], Count: gone})
		}
	}
	for c := range lost {
		lost[c].Name, lost[c].Owner = "taken", s.owner(1-uint8(c))
	}
	return []game.Tray{hidden, lost[Red], lost[Black]}
}
