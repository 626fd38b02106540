package gamebase

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"slices"
	"strings"

	"kibitz/game"
)

// batchVisits is how many positions are collected before they are written.
const batchVisits = 300_000

// Adder adds games. What it has taken is written in batches, each a transaction of
// games and their positions together, so that whatever happens a game is in the
// base with all its positions or not at all.
type Adder struct {
	b     *Base
	batch int
	games []Game
	rows  []row
	names map[string]int64
	// Added and Known count the games that were new and those that the base, or
	// this adder, had already.
	Added, Known int
}

// Adder returns an adder, to be closed.
func (b *Base) Adder() *Adder { return &Adder{b: b, batch: batchVisits} }

// SetBatch sets how many positions are collected before they are written; more are
// quicker and need more memory, about 50 bytes each. It is 300,000 by itself.
func (a *Adder) SetBatch(n int) { a.batch = n }

// Add takes a game.
func (a *Adder) Add(ctx context.Context, e Entry) error {
	if n := a.b.plies; n > 0 && len(e.Visits) > n {
		e.Visits = e.Visits[:n]
	}
	for _, v := range e.Visits {
		a.rows = append(a.rows, row{key: v.Key, move: v.Move, game: int32(len(a.games)), seat: int8(v.Seat)})
	}
	a.games = append(a.games, e.Game)
	if len(a.rows)+10*len(a.games) < a.batch {
		return nil
	}
	return a.Flush(ctx)
}

// Flush writes what was taken.
func (a *Adder) Flush(ctx context.Context) error {
	if len(a.games) == 0 {
		return nil
	}
	tx, err := a.b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	a.names = map[string]int64{}
	added, ids, err := a.insertGames(ctx, tx)
	if err != nil {
		return err
	}
	if err := a.insertPlayed(ctx, tx, ids); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	a.Added += added
	a.Known += len(a.games) - added
	clear(a.games)
	a.games, a.rows = a.games[:0], a.rows[:0]
	return nil
}

// row is one move of one of the games that an adder has taken.
type row struct {
	key, move int64
	game      int32
	seat      int8
}

// insertGames inserts the games that are new and returns the numbers of all, 0 for those
// that are known.
func (a *Adder) insertGames(ctx context.Context, tx *sql.Tx) (added int, ids []int64, err error) {
	insert, err := tx.PrepareContext(ctx, `INSERT INTO game(print, spec, start, first, second, event, source, round, place, date, year, opening,
		winner, points0, points1, board0, board1, reason, detail, plies, moves) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(print) DO NOTHING`)
	if err != nil {
		return 0, nil, err
	}
	defer insert.Close() //nolint:errcheck // the transaction ends it in any case
	ids = make([]int64, len(a.games))
	for i := range a.games {
		if ids[i], err = a.insertGame(ctx, tx, insert, &a.games[i]); err != nil {
			return 0, nil, err
		}
		if ids[i] != 0 {
			added++
		}
	}
	return added, ids, nil
}

// insertGame inserts one game and returns its number, 0 if it is known.
func (a *Adder) insertGame(ctx context.Context, tx *sql.Tx, insert *sql.Stmt, g *Game) (int64, error) {
	var ids [5]int64
	for i, s := range []string{string(g.Spec), g.Players[0], g.Players[1], g.Event, g.Source} {
		var err error
		if ids[i], err = a.nameID(ctx, tx, s); err != nil {
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
func (a *Adder) nameID(ctx context.Context, tx *sql.Tx, s string) (int64, error) {
	if id, ok := a.names[s]; ok {
		return id, nil
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO name(text) VALUES(?) ON CONFLICT(text) DO NOTHING", s); err != nil {
		return 0, err
	}
	var id int64
	if err := tx.QueryRowContext(ctx, "SELECT id FROM name WHERE text=?", s).Scan(&id); err != nil {
		return 0, err
	}
	a.names[s] = id
	return id, nil
}

// rowsAtOnce is how many rows one statement writes: a call of the database costs as much as
// a row.
const rowsAtOnce = 32

// upsertPlayed adds so many rows to the table played. Joining bytes gives a text to SQLite,
// whatever bytes they are: the cast makes it bytes again.
func upsertPlayed(rows int) string {
	const values = "(?,?,?,?,?,?,?,?,?,?)"
	return `INSERT INTO played VALUES` + strings.Repeat(values+",", rows-1) + values + ` ON CONFLICT(key, move) DO UPDATE SET
		games=games+excluded.games, wins=wins+excluded.wins, draws=draws+excluded.draws, losses=losses+excluded.losses,
		scored=scored+excluded.scored, score=score+excluded.score, last=max(last, excluded.last), list=CAST(list || excluded.list AS BLOB)`
}

// insertPlayed adds up the moves played in the games that are new, whose numbers are not 0,
// in the order of the table. A game counts once for each position and move however often it
// came there.
func (a *Adder) insertPlayed(ctx context.Context, tx *sql.Tx, ids []int64) error {
	a.rows = slices.DeleteFunc(a.rows, func(r row) bool { return ids[r.game] == 0 })
	rows := a.rows
	slices.SortFunc(rows, func(x, y row) int { // numbers of games rise with their places
		return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.move, y.move), cmp.Compare(x.game, y.game))
	})
	many, err := tx.PrepareContext(ctx, upsertPlayed(rowsAtOnce))
	if err != nil {
		return err
	}
	defer many.Close() //nolint:errcheck // the transaction ends it in any case
	args, lists := make([]any, 0, 10*rowsAtOnce), []byte(nil)
	for i := 0; i < len(rows); {
		var c Count
		key, move, last, from := rows[i].key, rows[i].move, int32(-1), len(lists)
		for ; i < len(rows) && rows[i].key == key && rows[i].move == move; i++ {
			if r := rows[i]; r.game != last {
				c.add(&a.games[r.game], game.Seat(r.seat))
				lists = binary.LittleEndian.AppendUint32(lists, uint32(ids[r.game]))
				last = r.game
			}
		}
		args = append(args, key, move, c.Games, c.Wins, c.Draws, c.Losses, c.Scored, c.Score, c.Last, lists[from:])
		if len(args) == cap(args) {
			if _, err := many.ExecContext(ctx, args...); err != nil {
				return err
			}
			args, lists = args[:0], lists[:0]
		}
	}
	if len(args) == 0 {
		return nil
	}
	_, err = tx.ExecContext(ctx, upsertPlayed(len(args)/10), args...)
	return err
}
