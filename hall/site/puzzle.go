package site

import (
	"html/template"
	"net/url"
	"time"

	"kibitz/hall/learn"
	"kibitz/hall/web/pages"
	"kibitz/report/board"
)

// ofDay is the puzzle of a day, the same for everybody: a step of a lesson that is won, as the rules or
// the game's solver prove. Games come in turn.
func (h *learnPages) ofDay(day time.Time, language string, style board.Style) (*pages.Puzzle, error) {
	n := int(day.Unix() / (24 * 60 * 60))
	ids := learn.IDs()
	g, err := h.taught[ids[n%len(ids)]]()
	if err != nil {
		return nil, err
	}
	var won []int
	for i := range g.Page.Steps {
		if g.Page.Steps[i].Win != learn.NoWin {
			won = append(won, i)
		}
	}
	if len(won) == 0 {
		return nil, nil
	}
	s := &g.Steps[won[n/len(ids)%len(won)]]
	return &pages.Puzzle{
		Game: g.ID, Key: s.Key, Do: g.Texts[language].Steps[s.Key].Do,
		Picture: template.URL("data:image/svg+xml," + url.PathEscape(board.SVG(s.Start.View, style))), //nolint:gosec // made here
	}, nil
}
