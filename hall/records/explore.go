package records

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/hall/problem"
	"kibitz/hall/store"
)

// Branches are the positions that a position leads to, by the keys of their games.
type Branches struct {
	Key  int64
	List []Branch
	// Opening is what people call the way there, empty if it has no name.
	Opening string
}

// Branch is one of them: Step leads there in the journal's form, Name as boards call it.
type Branch struct {
	Key        int64
	Step, Name string
}

const (
	// exploredMost is how many games are counted for a move, the latest first; exploredAll for all of them.
	exploredMost, exploredAll = 2000, 20_000
	// exploredTime is how long a base is asked.
	exploredTime = 150 * time.Millisecond
)

// Explorer tells what was played in a hall.
type Explorer struct {
	Store store.Store
	Lines LineReader
}

// ExploreQuery asks for what was played in a position.
type ExploreQuery struct {
	Game     string  `query:"game" required:"true" minLength:"1" maxLength:"200" doc:"what is played: othello, gomoku:rule=renju"`
	Position string  `query:"position" maxLength:"8000" doc:"in the game's text form; empty for the initial one"`
	Moves    string  `query:"moves" maxLength:"20000" doc:"decisions made from there, in the journal's form, an underscore or a blank between them"`
	Rating   float64 `query:"rating" minimum:"0" maximum:"10000" doc:"both players have at least this rating now"`
	Players  string  `query:"players" enum:"engines,people" doc:"games of engines alone, or of people alone; all if it is not given"`
	Since    string  `query:"since" maxLength:"10" doc:"first day that counts: 2026-01-31"`
}

// ExploredView is what was played in a position.
type ExploredView struct {
	ExploredCount
	Opening string         `json:"opening,omitempty" doc:"what the opening is called: those of Othello and of renju have names"`
	Moves   []ExploredMove `json:"moves" doc:"those that were played, the most frequent first; other orders of moves that lead to the same position count"`
	Cut     bool           `json:"cut,omitempty" doc:"not all moves could be counted in time"`
}

// ExploredCount counts games.
type ExploredCount struct {
	Games int           `json:"games"`
	First int           `json:"first" doc:"won by the first seat"`
	Drawn int           `json:"drawn"`
	Last  int           `json:"last,omitempty" doc:"year of the latest"`
	More  bool          `json:"more,omitempty" doc:"there are earlier ones that were not counted: it looks at 2000 a move"`
	Best  *ExploredPair `json:"best,omitempty" doc:"the best rated pair"`
	Lost  int           `json:"second" doc:"won by the second seat"`
	// Score is what the first seat had more on the board at the end, on average.
	Score *float64 `json:"score,omitempty" doc:"discs, boxes or territory that the first seat had more at the end, on average"`
}

// ExploredPair is a game and who played it.
type ExploredPair struct {
	Game  string    `json:"game"`
	Names [2]string `json:"names"`
}

// ExploredMove is a move that was played.
type ExploredMove struct {
	Step string `json:"step" doc:"in the journal's form"`
	Name string `json:"name" doc:"as boards call it"`
	ExploredCount
}

func countOf(e *store.Explored) ExploredCount {
	c := ExploredCount{Games: e.Games, First: e.Won[0], Lost: e.Won[1], Drawn: e.Draws, More: e.More}
	if !e.Last.IsZero() {
		c.Last = e.Last.Year()
	}
	if e.Scored > 0 {
		mean := math.Round(e.Score/float64(e.Scored)*10) / 10
		c.Score = &mean
	}
	if e.BestGame != "" {
		c.Best = &ExploredPair{e.BestGame, e.Best}
	}
	return c
}

// Explore tells what was played in a position.
func (x *Explorer) Explore(ctx context.Context, in *ExploreQuery) (ExploredView, error) {
	out := ExploredView{Moves: []ExploredMove{}}
	if x.Lines == nil {
		return out, problem.ErrAbsent
	}
	q := store.Exploring{Rating: in.Rating, Players: store.PlayedBy(in.Players), Most: exploredMost}
	if in.Since != "" {
		var err error
		if q.Since, err = time.Parse(time.DateOnly, in.Since); err != nil {
			return out, problem.At("#/since", problem.Input("since: want a day such as 2026-01-31"))
		}
	}
	moves := strings.FieldsFunc(in.Moves, func(r rune) bool { return r == '_' || r == ' ' })
	if err := Readable(&BoardWish{Spec: in.Game, Position: in.Position, Moves: moves}); err != nil {
		return out, err
	}
	b, err := x.Lines.Branches(ctx, game.Spec(in.Game), in.Position, moves)
	if err != nil {
		return out, NoPosition(err)
	}
	out.Opening = b.Opening
	quick, stop := context.WithTimeout(ctx, exploredTime)
	defer stop()
	err = x.Store.View(quick, func(tx store.Tx) error {
		q.Position = b.Key
		all, err := tx.Explore(&q)
		if err != nil || all.Games == 0 {
			return err
		}
		out.ExploredCount = countOf(&all)
		left := exploredAll - all.Looked
		for _, m := range b.List {
			if q.Position, q.Most = m.Key, min(exploredMost, left); left <= 0 {
				out.Cut = true
				return nil
			}
			e, err := tx.Explore(&q)
			if err != nil {
				return err
			}
			left -= e.Looked
			if e.Games > 0 {
				out.Moves = append(out.Moves, ExploredMove{m.Step, m.Name, countOf(&e)})
			}
		}
		return nil
	})
	if err != nil && quick.Err() != nil && ctx.Err() == nil || errors.Is(err, context.DeadlineExceeded) {
		out.Cut, err = true, nil
	}
	slices.SortStableFunc(out.Moves, func(a, b ExploredMove) int { return cmp.Compare(b.Games, a.Games) })
	return out, err
}
