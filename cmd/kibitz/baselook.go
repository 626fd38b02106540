package main

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"kibitz/game"
	"kibitz/gamebase"
	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/replay"
	"kibitz/rules"
)

// whereabouts say which position of a base is meant.
type whereabouts struct {
	game, moves, position, record string
	number                        int
	ply                           *int
}

// find returns the position and the rules of its game.
func (w *whereabouts) find(a *app, b *gamebase.Base, name string) (rules.Rules, rules.State, error) {
	if w.record != "" {
		if w.moves != "" || w.position != "" {
			return nil, nil, fmt.Errorf("give either --record, or --position and --moves")
		}
		return w.inRecord(a)
	}
	if w.ply != nil {
		return nil, nil, fmt.Errorf("--ply goes with --record")
	}
	r, err := specOf(a, b, name, w.game)
	if err != nil {
		return nil, nil, err
	}
	s := r.New()
	if w.position != "" {
		if s, err = r.Position(w.position); err != nil {
			return nil, nil, fmt.Errorf("--position: %w", err)
		}
	}
	return r, s, playMoves(r, s, w.moves)
}

// inRecord finds the position in a record.
func (w *whereabouts) inRecord(a *app) (rules.Rules, rules.State, error) {
	list, err := loadRecords(a, w.record, w.game, "")
	if err != nil {
		return nil, nil, err
	}
	if w.number < 1 || w.number > len(list) {
		return nil, nil, fmt.Errorf("--number %d: %s has %s", w.number, w.record, plain.Count(len(list), "game"))
	}
	l, err := replay.Play(list[w.number-1], games.OpenSpec)
	if err != nil {
		return nil, nil, record.InFile(w.record, err)
	}
	ply := l.Len()
	if w.ply != nil {
		ply = *w.ply
	}
	s, err := l.State(ply)
	if err != nil {
		return nil, nil, fmt.Errorf("--ply: %w", err)
	}
	return l.Rules, s, nil
}

// points are moves written without blanks between them: f5d6, h8i10.
var points = regexp.MustCompile(`[a-z][0-9]+|pa(?:ss)?`)

// playMoves plays moves in the game's text form, with blanks or commas between them
// or, where each is a point, without. Forced passes may be left out.
func playMoves(r rules.Rules, s rules.State, text string) error {
	words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return c == ' ' || c == ',' || c == '\t' })
	for i := 0; i < len(words); i++ {
		m, err := r.ParseMove(words[i])
		if err != nil {
			parts := points.FindAllString(words[i], -1)
			if len(parts) < 2 || strings.Join(parts, "") != words[i] {
				return fmt.Errorf("--moves: %w", err)
			}
			words = append(words[:i:i], append(parts, words[i+1:]...)...)
			i--
			continue
		}
		if f, ok := s.(rules.Forcer); ok && m.Op != game.Pass {
			if pass, must := f.Forced(); must {
				if _, err := s.Apply(pass, nil); err != nil {
					return fmt.Errorf("--moves: %w", err)
				}
			}
		}
		if _, err := s.Apply(m, nil); err != nil {
			return fmt.Errorf("--moves: move %d, %s: %w", i+1, r.FormatMove(m), err)
		}
	}
	return nil
}

type countJSON struct {
	Games  int      `json:"games"`
	Wins   int      `json:"wins"`
	Draws  int      `json:"draws"`
	Losses int      `json:"losses"`
	Points *float64 `json:"points"`
	Scored int      `json:"scored"`
	Score  *float64 `json:"score"`
	Last   int      `json:"last"`
}

func newCountJSON(c *gamebase.Count) countJSON {
	j := countJSON{Games: c.Games, Wins: c.Wins, Draws: c.Draws, Losses: c.Losses, Scored: c.Scored, Last: c.Last}
	if p := c.Points(); !math.IsNaN(p) {
		j.Points = &p
	}
	if m := c.Mean(); !math.IsNaN(m) {
		j.Score = &m
	}
	return j
}

type playedJSON struct {
	Move string   `json:"move"`
	Same []string `json:"same,omitempty"`
	countJSON
	Share    float64        `json:"share"`
	Reached  int            `json:"reached,omitempty"`
	Examples []baseGameJSON `json:"examples,omitempty"`
}

type otherJSON struct {
	Move    string `json:"move"`
	Reached int    `json:"reached"`
}

type lookJSON struct {
	Type     string `json:"type"`
	Game     string `json:"game"`
	Position string `json:"position"`
	Seat     string `json:"seat"`
	countJSON
	Ended int          `json:"ended"`
	Moves []playedJSON `json:"moves"`
	Other []otherJSON  `json:"other"`
}

func (o *lookOut) json() error {
	j := lookJSON{
		Type: "look", Game: string(o.r.Spec()), Position: o.s.Text(), Seat: o.s.Turn().Seat.String(),
		countJSON: newCountJSON(&o.look.All), Ended: o.look.Ended.Games, Moves: []playedJSON{}, Other: []otherJSON{},
	}
	for i := range o.look.Moves {
		m := &o.look.Moves[i]
		p := playedJSON{
			Move: o.r.FormatMove(m.Move), countJSON: newCountJSON(&m.Count), Share: share(m.Games, o.look.All.Games), Reached: o.reached[m.Move],
		}
		for _, x := range m.Same {
			p.Same = append(p.Same, o.r.FormatMove(x))
		}
		for _, id := range m.Latest {
			if g := o.games[id]; g != nil {
				p.Examples = append(p.Examples, newBaseGameJSON(g))
			}
		}
		j.Moves = append(j.Moves, p)
	}
	for _, m := range o.other {
		j.Other = append(j.Other, otherJSON{o.r.FormatMove(m), o.reached[m]})
	}
	return plain.JSONLine(o.a.stdout, j)
}
