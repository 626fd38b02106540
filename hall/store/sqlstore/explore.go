package sqlstore

import (
	"time"

	"kibitz/hall/store"
)

// exploredAtOnce is how many games one statement looks at.
const exploredAtOnce = 512

// explored is a game that went through a position.
type explored struct {
	n      int64
	winner int
	// scored tells that there is a score on the board, board what the first seat had more.
	scored bool
	board  float64
	played time.Time
	id     string
	names  [2]string
	// rating is the sum of both, below 0 where one has none.
	rating float64
}

func (x games) Explore(q *store.Exploring) (store.Explored, error) {
	var out store.Explored
	visits, blocks, err := x.positions.find(q.Position)
	if err != nil {
		return out, err
	}
	out.Blocks = blocks
	if out.More = len(visits) > q.Most; out.More {
		visits = visits[:q.Most]
	}
	best := -1.0
	for len(visits) > 0 {
		part := visits[:min(len(visits), exploredAtOnce)]
		visits = visits[len(part):]
		out.Looked += len(part)
		list, err := x.explored(q, part)
		if err != nil {
			return out, err
		}
		for i := range list {
			g := &list[i]
			out.Games++
			switch g.winner {
			case 1, 2:
				out.Won[g.winner-1]++
			case 0:
				out.Draws++
			}
			if g.scored {
				out.Scored++
				out.Score += g.board
			}
			if g.played.After(out.Last) {
				out.Last = g.played
			}
			if g.rating > best {
				best, out.BestGame, out.Best = g.rating, g.id, g.names
			}
		}
	}
	if out.Games == 0 {
		out.More = false
	}
	return out, nil
}

// explored reads those of some games that count, the latest first.
func (x games) explored(q *store.Exploring, part []visit) ([]explored, error) {
	var w where
	numbers := make([]any, exploredAtOnce)
	for i := range numbers {
		numbers[i] = part[min(i, len(part)-1)].n // the last one again: there is one statement to prepare
	}
	w.add("g.n IN ("+marks(len(numbers))+")", numbers...)
	w.add("g.state = ?", store.Over)
	w.add("g.listed = 1")
	if !q.Since.IsZero() {
		w.add("g.played >= ?", q.Since)
	}
	if q.Rating > 0 {
		w.add("r1.value >= ? AND r2.value >= ?", q.Rating, q.Rating)
	}
	switch q.Players {
	case store.ByEngines:
		w.add("g.engine1 <> '' AND g.engine2 <> ''")
	case store.ByPeople:
		w.add("g.engine1 = '' AND g.engine2 = ''")
		w.add("NOT EXISTS (SELECT 1 FROM users u WHERE u.id IN (g.user1, g.user2) AND u.kind = ?)", store.Bot)
	}
	return rows(x.tx, func(e *explored) []col {
		return []col{
			{"g.n", &e.n},
			{"g.winner", &e.winner},
			{"g.has_board", &e.scored},
			{"coalesce(g.board1 - g.board2, 0)", &e.board},
			{"g.played", &e.played},
			{"g.id", &e.id},
			{"g.name1", &e.names[0]},
			{"g.name2", &e.names[1]},
			{"coalesce(r1.value + r2.value, -1)", &e.rating},
		}
	}, "FROM games g LEFT JOIN ratings r1 ON r1.subject = g.subject1 AND r1.game = g.game AND r1.speed = g.speed "+
		"LEFT JOIN ratings r2 ON r2.subject = g.subject2 AND r2.game = g.game AND r2.speed = g.speed"+w.String()+" ORDER BY g.n DESC", w.args...)
}
