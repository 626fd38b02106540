package archive

import (
	"context"
	"errors"
	"fmt"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/hall/records"
	"kibitz/rules"
)

// Setup composes a position of the letters of a board.
func (h Archive) Setup(_ context.Context, w *records.SetupWish) (*records.Setup, error) {
	r, err := h.Open(w.Spec)
	if err != nil {
		return nil, err
	}
	c, ok := r.(rules.Composer)
	if !ok {
		return nil, errors.New("positions of this game cannot be set up")
	}
	v := r.New().View(game.Arbiter)
	if len(w.Pieces) != len(v.Cells) {
		return nil, fmt.Errorf("pieces: %d letters, the board has %d points", len(w.Pieces), len(v.Cells))
	}
	for i := range v.Cells {
		v.Cells[i] = game.Cell{Owner: game.Nobody}
		if c := w.Pieces[i]; c != '.' {
			v.Cells[i].Piece = c
		}
	}
	set := (&wire.View{Lines: w.Lines, Rest: wire.Rest{Colours: w.Colours}}).Board()
	v.Lines, v.Trays, v.Turn = set.Lines, nil, game.Turn{Seat: w.Seat.Game()}
	if set.Colours[0] != game.NoColour {
		v.Colours = set.Colours
	}
	taken := game.Tray{Name: "taken"}
	for i := range len(w.Taken) {
		taken.Items = append(taken.Items, game.TrayItem{Piece: w.Taken[i], Count: 1})
	}
	v.Trays = append(v.Trays, taken)
	text, doubt := c.Compose(&v)
	s, err := r.Position(text)
	if err != nil {
		return nil, err
	}
	shown := s.View(game.Arbiter)
	return &records.Setup{Spec: r.Spec(), Text: s.Text(), View: &shown, Doubt: string(doubt.Code), Count: doubt.N}, nil
}
