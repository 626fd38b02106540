package gamebase

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"slices"

	"kibitz/game"
)

// batchVisits is how many positions are collected before they are written.
const batchVisits = 1_000_000

// Adder adds games. What it has taken is written in batches, each a transaction of
// games and their positions together, so that whatever happens a game is in the
// base with all its positions or not at all.
type Adder struct {
	b       *Base
	batch   int
	entries []Entry
	visits  int
	names   map[string]int64
	// Added and Known count the games that were new and those that the base, or
	// this adder, had already.
	Added, Known int
}

// Adder returns an adder, to be closed.
func (b *Base) Adder() *Adder { return &Adder{b: b, batch: batchVisits} }

// SetBatch sets how many positions are collected before they are written; more are
// quicker and need more memory, about 100 bytes each. It is a million by itself.
func (a *Adder) SetBatch(n int) { a.batch = n }

// Add takes a game. Its Visits belong to the adder.
func (a *Adder) Add(ctx context.Context, e Entry) error {
	if n := a.b.plies; n > 0 && len(e.Visits) > n {
		e.Visits = e.Visits[:n]
	}
	a.entries = append(a.entries, e)
	if a.visits += len(e.Visits) + 10; a.visits < a.batch {
		return nil
	}
	return a.Flush(ctx)
}

// Flush writes what was taken.
func (a *Adder) Flush(ctx context.Context) error {
	if len(a.entries) == 0 {
		return nil
	}
	tx, err := a.b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	a.names = map[string]int64{}
	added, rows, err := a.insertGames(ctx, tx)
	if err != nil {
		return err
	}
	if err := insertPlayed(ctx, tx, rows); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	a.Added += added
	a.Known += len(a.entries) - added
	a.entries, a.visits = a.entries[:0], 0
	return nil
}

// row is one move of one game.
type row struct {
	key, move int64
	id        int64
	seat      int8
	entry     int32
}

// insertGames inserts the games that are new and returns the moves played in them.
func (a *Adder) insertGames(ctx context.Context, tx *sql.Tx) (added int, rows []played, err error) {
	insert, err := tx.PrepareContext(ctx, `INSERT INTO game(print, spec, start, first, second, event, source, round, place, date, year, opening,
		winner, points0, points1, board0, board1, reason, detail, plies, moves) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(print) DO NOTHING`)
	if err != nil {
		return 0, nil, err
	}
	defer insert.Close() //nolint:errcheck // the transaction ends it in any case
	list := make([]row, 0, a.visits)
	for i := range a.entries {
		id, err := a.insertGame(ctx, tx, insert, &a.entries[i].Game)
		if err != nil {
			return 0, nil, err
		}
		if id == 0 {
			continue
		}
		added++
		for _, v := range a.entries[i].Visits {
			list = append(list, row{key: v.Key, move: v.Move, id: id, seat: int8(v.Seat), entry: int32(i)})
		}
	}
	slices.SortFunc(list, func(x, y row) int {
		return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.move, y.move), cmp.Compare(x.id, y.id))
	})
	return added, a.sum(list), nil
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

// played is a row of the table of that name.
type played struct {
	key, move int64
	Count
	list []byte
}

// sum adds up sorted rows; a game counts once for each position and move however
// often it came there.
func (a *Adder) sum(rows []row) []played {
	var out []played
	for i := range rows {
		r := &rows[i]
		if i > 0 && rows[i-1].key == r.key && rows[i-1].move == r.move {
			if rows[i-1].id == r.id {
				continue
			}
		} else {
			out = append(out, played{key: r.key, move: r.move})
		}
		p := &out[len(out)-1]
		g := &a.entries[r.entry].Game
		p.add(g, game.Seat(r.seat))
		p.list = binary.LittleEndian.AppendUint32(p.list, uint32(r.id))
	}
	return out
}

func insertPlayed(ctx context.Context, tx *sql.Tx, rows []played) error {
	// Joining bytes gives a text to SQLite, whatever bytes they are: the cast makes
	// it bytes again.
	upsert, err := tx.PrepareContext(ctx, `INSERT INTO played VALUES(?,?,?,?,?,?,?,?,?,?) ON CONFLICT(key, move) DO UPDATE SET
		games=games+excluded.games, wins=wins+excluded.wins, draws=draws+excluded.draws, losses=losses+excluded.losses,
		scored=scored+excluded.scored, score=score+excluded.score, last=max(last, excluded.last), list=CAST(list || excluded.list AS BLOB)`)
	if err != nil {
		return err
	}
	defer upsert.Close() //nolint:errcheck // the transaction ends it in any case
	for i := range rows {
		p := &rows[i]
		if _, err := upsert.ExecContext(ctx, p.key, p.move, p.Games, p.Wins, p.Draws, p.Losses, p.Scored, p.Score, p.Last, p.list); err != nil {
			return err
		}
	}
	return nil
}
