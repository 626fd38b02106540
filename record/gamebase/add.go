package gamebase

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"kibitz/game"
)

// batchVisits is how many positions are collected before they are written.
const batchVisits = 200_000

// Adder adds games. What it has taken is written in batches, each a transaction of
// games and their positions together, so that whatever happens a game is in the
// base with all its positions or not at all. A batch is written while the next is taken.
type Adder struct {
	b       *Base
	most    int
	taken   *batch
	spare   *batch
	writing chan error // of the batch that is being written, nil if there is none
	err     error      // a batch could not be written: nothing more is taken
	// Added and Known count the games that were new and those that the base, or
	// this adder, had already; after Flush all are counted.
	Added, Known int
}

// batch are games and the moves played in them.
type batch struct {
	games []Game
	rows  []row
	names map[string]int64
	added int
}

// Adder returns an adder, to be closed.
func (b *Base) Adder() *Adder {
	return &Adder{b: b, most: batchVisits, taken: &batch{}, spare: &batch{}}
}

// Add takes a game. An error is that of a batch before, and stays.
func (a *Adder) Add(ctx context.Context, e Entry) error {
	if a.err != nil {
		return a.err
	}
	if n := a.b.plies; n > 0 && len(e.Visits) > n {
		e.Visits = e.Visits[:n]
	}
	t := a.taken
	for _, v := range e.Visits {
		t.rows = append(t.rows, row{key: v.Key, move: v.Move, game: int32(len(t.games)), seat: int8(v.Seat)})
	}
	t.games = append(t.games, e.Game)
	if len(t.rows)+10*len(t.games) < a.most {
		return nil
	}
	if err := a.written(); err != nil {
		return err
	}
	a.taken, a.spare, a.writing = a.spare, a.taken, make(chan error, 1)
	go func() { a.writing <- a.b.write(ctx, t) }()
	return nil
}

// written waits for the batch that is being written.
func (a *Adder) written() error {
	if a.writing != nil {
		a.err = <-a.writing
		a.writing = nil
		if a.err == nil {
			a.count(a.spare)
		}
	}
	return a.err
}

// count counts a batch that is written, and clears it.
func (a *Adder) count(t *batch) {
	a.Added += t.added
	a.Known += len(t.games) - t.added
	clear(t.games)
	t.games, t.rows = t.games[:0], t.rows[:0]
}

// Flush writes what was taken.
func (a *Adder) Flush(ctx context.Context) error {
	if err := a.written(); err != nil || len(a.taken.games) == 0 {
		return err
	}
	if a.err = a.b.write(ctx, a.taken); a.err == nil {
		a.count(a.taken)
	}
	return a.err
}

func (b *Base) write(ctx context.Context, t *batch) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	t.names = map[string]int64{}
	added, ids, err := t.insertGames(ctx, tx)
	if err != nil {
		return err
	}
	if err := t.insertPlayed(ctx, tx, ids); err != nil {
		return err
	}
	t.added = added
	return tx.Commit()
}

// row is one move of one of the games that an adder has taken.
type row struct {
	key, move int64
	game      int32
	seat      int8
}

// insertGames inserts the games that are new and returns the numbers of all, 0 for those
// that are known.
func (t *batch) insertGames(ctx context.Context, tx *sql.Tx) (added int, ids []int64, err error) {
	insert, err := tx.PrepareContext(ctx, `INSERT INTO game(print, spec, start, first, second, event, source, round, place, date, year, opening,
		winner, points0, points1, board0, board1, reason, detail, plies, moves) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(print) DO NOTHING`)
	if err != nil {
		return 0, nil, err
	}
	defer insert.Close() //nolint:errcheck // the transaction ends it in any case
	ids = make([]int64, len(t.games))
	for i := range t.games {
		if ids[i], err = t.insertGame(ctx, tx, insert, &t.games[i]); err != nil {
			return 0, nil, err
		}
		if ids[i] != 0 {
			added++
		}
	}
	return added, ids, nil
}

// insertGame inserts one game and returns its number, 0 if it is known.
func (t *batch) insertGame(ctx context.Context, tx *sql.Tx, insert *sql.Stmt, g *Game) (int64, error) {
	var ids [5]int64
	for i, s := range []string{string(g.Spec), g.Players[0], g.Players[1], g.Event, g.Source} {
		var err error
		if ids[i], err = t.nameID(ctx, tx, s); err != nil {
			return 0, err
		}
	}
	var winner, points0, points1, board0, board1 any
	reason, detail := "", ""
	if r := g.Result; r != nil {
		winner, points0, points1, reason, detail = int(r.Winner()), r.Points[0], r.Points[1], string(r.Reason), r.Detail
		if r.HasBoard {
			board0, board1 = r.Board[0], r.Board[1]
		}
	}
	moves := g.packMoves()
	res, err := insert.ExecContext(ctx, g.print(moves), ids[0], g.Start, ids[1], ids[2], ids[3], ids[4], g.Round, g.Place, g.Date, g.Year(),
		g.Opening,
		winner, points0, points1, board0, board1, reason, detail, len(g.Moves), moves)
	if err != nil {
		return 0, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return 0, err
	}
	return res.LastInsertId()
}

// nameID returns the number of a text that many games share.
func (t *batch) nameID(ctx context.Context, tx *sql.Tx, s string) (int64, error) {
	if id, ok := t.names[s]; ok {
		return id, nil
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO name(text) VALUES(?) ON CONFLICT(text) DO NOTHING", s); err != nil {
		return 0, err
	}
	var id int64
	if err := tx.QueryRowContext(ctx, "SELECT id FROM name WHERE text=?", s).Scan(&id); err != nil {
		return 0, err
	}
	t.names[s] = id
	return id, nil
}

// insertPlayed adds up the moves played in the games that are new, whose numbers are not 0,
// as a run. A game counts once for each position and move however often it came there.
func (t *batch) insertPlayed(ctx context.Context, tx *sql.Tx, ids []int64) error {
	t.rows = slices.DeleteFunc(t.rows, func(r row) bool { return ids[r.game] == 0 })
	rows := t.rows
	if len(rows) == 0 {
		return nil
	}
	slices.SortFunc(rows, func(x, y row) int { // numbers of games rise with their places
		if x.key != y.key { // nearly always
			return cmp.Compare(x.key, y.key)
		}
		return cmp.Or(cmp.Compare(x.move, y.move), cmp.Compare(x.game, y.game))
	})
	w, err := newRun(ctx, tx)
	if err != nil {
		return err
	}
	for i, sum := 0, (tally{}); i < len(rows); {
		sum = tally{key: rows[i].key, move: rows[i].move, ids: sum.ids[:0]}
		for last := int32(-1); i < len(rows) && rows[i].key == sum.key && rows[i].move == sum.move; i++ {
			if r := rows[i]; r.game != last {
				sum.add(&t.games[r.game], game.Seat(r.seat))
				sum.ids = append(sum.ids, uint32(ids[r.game]))
				last = r.game
			}
		}
		if err := w.add(ctx, &sum); err != nil {
			return err
		}
	}
	if err := w.end(ctx, tx); err != nil {
		return err
	}
	return mergeFull(ctx, tx)
}
