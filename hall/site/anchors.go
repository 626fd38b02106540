package site

import (
	"sync"
	"time"

	"kibitz/game/look"
	"kibitz/hall/play"
	"kibitz/hall/store"
)

// anchorAge is how long the anchor of a game's levels stands.
const anchorAge = 7 * 24 * time.Hour

// anchors are the ratings of level 1 of games as people's results tell them, each counted anew after a while.
type anchors struct {
	mu sync.Mutex
	of map[string]anchor
}

type anchor struct {
	elo float64
	at  time.Time
}

// anchor is the rating of level 1 of a game, 0 while it is not known.
func (h *Site) anchor(tx store.Tx, g *look.Game) (float64, error) {
	h.anchors.mu.Lock()
	defer h.anchors.mu.Unlock()
	now := h.now()
	if a, ok := h.anchors.of[g.ID]; ok && now.Sub(a.at) < anchorAge {
		return a.elo, nil
	}
	var above []float64
	for _, l := range g.Levels {
		if l.Measured {
			above = append(above, float64(l.Elo))
		}
	}
	elo, _, err := play.Anchor(tx, g.ID, above)
	if err != nil {
		return 0, err
	}
	if h.anchors.of == nil {
		h.anchors.of = map[string]anchor{}
	}
	h.anchors.of[g.ID] = anchor{elo, now}
	return elo, nil
}
