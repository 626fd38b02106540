package report

import (
	"encoding/json"

	"kibitz/game"
)

// data is what the page's script reads.
type data struct {
	Engines []string          `json:"engines"`
	Texts   []string          `json:"texts"`
	Games   []json.RawMessage `json:"games"`
	Charts  []Chart           `json:"charts"`
	Kinds   []string          `json:"kinds"`
	Viewers []*viewer         `json:"viewers"`

	index  map[string]int
	size   int // bytes of Texts
	viewer map[*Game]int
}

func newData(m *Model) *data {
	d := &data{
		Texts: []string{""}, Games: []json.RawMessage{}, Charts: m.Charts, Viewers: []*viewer{},
		index: map[string]int{"": 0}, viewer: map[*Game]int{},
	}
	for _, e := range m.cfg.Engines {
		d.Engines = append(d.Engines, e.Name)
	}
	return d
}

// text returns the number of a text that many games share.
func (d *data) text(s string) int {
	i, ok := d.index[s]
	if !ok {
		i = len(d.Texts)
		d.index[s] = i
		d.Texts = append(d.Texts, s)
		d.size += len(s) + 3
	}
	return i
}

// line is a game as a list of values: identifier, round, engines, way (0 the first
// seat won, 1 the second, 2 a draw, 3 none), reason, detail, plies, microseconds of
// both, of lateness and of transmission error, opening, record, log,
// number of the viewer, closed. Texts are numbers.
func (d *data) line(g *Game, r row, brief bool) []any {
	way := 3
	switch {
	case g.Result.Winner() == game.First:
		way = 0
	case g.Result.Winner() == game.Second:
		way = 1
	case g.Result.Draw():
		way = 2
	}
	detail := ""
	if !brief || g.Forfeit() || g.Ruled != "" {
		detail = r.Detail
	}
	closed := 0
	if g.Closed {
		closed = 1
	}
	return []any{
		g.ID, g.Round, g.Engines[0], g.Engines[1], way, d.text(string(g.Result.Reason)), detail, g.Plies,
		g.Used[0].Microseconds(), g.Used[1].Microseconds(),
		g.Late.Microseconds(), g.Transit.Microseconds(), d.text(g.Opening), d.text(r.Record), d.text(r.Log), r.Viewer, closed,
	}
}
