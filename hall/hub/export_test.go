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
