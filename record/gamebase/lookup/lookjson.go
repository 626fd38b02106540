package lookup

import (
	"io"
	"math"

	"kibitz/internal/plain"
	"kibitz/record/gamebase"
)

// Counted are games by their results, as JSON.
type Counted struct {
	Games  int      `json:"games"`
	Wins   int      `json:"wins"`
	Draws  int      `json:"draws"`
	Losses int      `json:"losses"`
	Points *float64 `json:"points"`
	Scored int      `json:"scored"`
	Score  *float64 `json:"score"`
	Last   int      `json:"last"`
}

func newCounted(c *gamebase.Count) Counted {
	j := Counted{Games: c.Games, Wins: c.Wins, Draws: c.Draws, Losses: c.Losses, Scored: c.Scored, Last: c.Last}
	if p := c.Points(); !math.IsNaN(p) {
		j.Points = &p
	}
	if m := c.Mean(); !math.IsNaN(m) {
		j.Score = &m
	}
	return j
}

// Played is a move that was played.
type Played struct {
	Move string   `json:"move"`
	Same []string `json:"same,omitempty"`
	Counted
	Share    float64 `json:"share"`
	Reached  int     `json:"reached,omitempty"`
	Examples []Found `json:"examples,omitempty"`
}

// Other is a move that was not played, and leads to a position that is known.
type Other struct {
	Move    string `json:"move"`
	Reached int    `json:"reached"`
}

// Answer is a look-up as JSON.
type Answer struct {
	Type     string `json:"type"`
	Game     string `json:"game"`
	Position string `json:"position"`
	Seat     string `json:"seat"`
	Counted
	Ended int      `json:"ended"`
	Moves []Played `json:"moves"`
	Other []Other  `json:"other"`
}

// JSON prints it as one object.
func (o *Looked) JSON(w io.Writer) error {
	j := Answer{
		Type: "look", Game: string(o.r.Spec()), Position: o.s.Text(), Seat: o.s.Turn().Seat.String(),
		Counted: newCounted(&o.look.All), Ended: o.look.Ended.Games, Moves: []Played{}, Other: []Other{},
	}
	for i := range o.look.Moves {
		m := &o.look.Moves[i]
		p := Played{
			Move: o.r.FormatMove(m.Move), Counted: newCounted(&m.Count), Share: share(m.Games, o.look.All.Games), Reached: o.reached[m.Move],
		}
		for _, x := range m.Same {
			p.Same = append(p.Same, o.r.FormatMove(x))
		}
		for _, id := range m.Latest {
			if g := o.games[id]; g != nil {
				p.Examples = append(p.Examples, newFound(g))
			}
		}
		j.Moves = append(j.Moves, p)
	}
	for _, m := range o.other {
		j.Other = append(j.Other, Other{o.r.FormatMove(m), o.reached[m]})
	}
	return plain.JSONLine(w, j)
}
