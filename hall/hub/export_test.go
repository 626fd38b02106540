package hub

import (
	"kibitz/game"
	"kibitz/hall/live"
	"kibitz/journal"
)

// StateOf is what an audience sees of a game after the lines that it was told.
func StateOf(to game.Audience, lines [][]byte) (live.State, error) {
	b := newBuilder("g", to, 1, &Meta{})
	p := journal.Parser{}
	for i, line := range lines {
		ev, err := p.Parse(line)
		if err == nil {
			_, err = b.add(uint64(i+1), &ev)
		}
		if err != nil {
			return b.state, err
		}
	}
	b.whole()
	return b.state, nil
}

// Stats are counts of what a hub does now.
type Stats struct {
	Games, Viewers int
	// Lost counts how often viewers were too slow and got a snapshot.
	Lost uint64
}

// Stats returns them.
func (h *Hub) Stats() Stats {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := Stats{Games: len(h.topics)}
	for _, t := range h.topics {
		s.Viewers += t.viewers
		t.ring.mu.Lock()
		s.Lost += t.ring.lost
		t.ring.mu.Unlock()
	}
	return s
}
