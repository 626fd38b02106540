package gamebase

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"kibitz/game"
)

// Query says which games to find; what is empty does not matter. Names are parts
// of names, without regard to case where the letters are those of English.
type Query struct {
	// IDs are the numbers of the games, if not nil.
	IDs  []int64
	Spec game.Spec
	// Player is a name of either seat, First and Second of that seat.
	Player, First, Second string
	Event, Opening        string
	// Result is "first", "second" or "draw", or "unknown"; "win" and "loss" are
	// Player's.
	Result string
	// Since and Until bound the date, both included, as text: "1984", "2021-05".
	Since, Until string
	// Place, if not nil, is a position that the games came to.
	Place *Place
	// Limit bounds how many are returned, 0 is all; Offset how many are passed over.
	Limit, Offset int
}

func (q *Query) where() (string, []any, error) {
	var parts []string
	var args []any
	add := func(part string, values ...any) {
		parts = append(parts, part)
		args = append(args, values...)
	}
	like := func(column, text string) {
		if text != "" {
			add("instr(lower("+column+".text), lower(?)) > 0", text)
		}
	}
	if q.Spec != "" {
		add("spec.text = ?", string(q.Spec))
	}
	if q.Player != "" {
		add("(instr(lower(first.text), lower(?)) > 0 OR instr(lower(second.text), lower(?)) > 0)", q.Player, q.Player)
	}
	like("first", q.First)
	like("second", q.Second)
	like("event", q.Event)
	if q.Opening != "" {
		add("instr(lower(game.opening), lower(?)) > 0", q.Opening)
	}
	switch q.Result {
	case "":
	case "first", "second":
		add("winner = ?", map[string]int{"first": 0, "second": 1}[q.Result])
	case "draw":
		add("winner NOT IN (0, 1) AND points0 > 0")
	case "unknown":
		add("(winner IS NULL OR winner NOT IN (0, 1) AND points0 = 0)")
	case "win", "loss":
		if q.Player == "" {
			return "", nil, fmt.Errorf("result %s is that of a player: name one", q.Result)
		}
		seats := [2]int{0, 1}
		if q.Result == "loss" {
			seats = [2]int{1, 0}
		}
		add("(instr(lower(first.text), lower(?)) > 0 AND winner = ? OR instr(lower(second.text), lower(?)) > 0 AND winner = ?)",
			q.Player, seats[0], q.Player, seats[1])
	default:
		return "", nil, fmt.Errorf("result %q: known are first second draw unknown win loss", q.Result)
	}
	if q.Since != "" {
		add("replace(date, '.', '-') >= ?", dashed(q.Since))
	}
	if q.Until != "" {
		// A date that begins with the bound is within it.
		add("date <> '' AND substr(replace(date, '.', '-'), 1, ?) <= ?", len(q.Until), dashed(q.Until))
	}
	if len(parts) == 0 {
		return "", nil, nil
	}
	return " WHERE " + strings.Join(parts, " AND "), args, nil
}

func dashed(date string) string { return strings.ReplaceAll(date, ".", "-") }

const columns = `game.id, spec.text, start, first.text, second.text, event.text, source.text, round, place, date, opening,
	winner, points0, points1, board0, board1, reason, detail, moves`

const tables = ` FROM game JOIN name spec ON spec.id=game.spec JOIN name first ON first.id=game.first JOIN name second ON second.id=game.second
	JOIN name event ON event.id=game.event JOIN name source ON source.id=game.source`

// Search returns the games that a query finds, in the order in which they were
// added, and how many there are without Limit and Offset.
func (b *Base) Search(ctx context.Context, q Query) (list []Game, total int, err error) {
	where, args, err := q.where()
	if err != nil {
		return nil, 0, err
	}
	among, some, err := b.among(ctx, &q)
	if err != nil {
		return nil, 0, err
	}
	if some {
		return b.searchAmong(ctx, &q, among, where, args)
	}
	if err := b.db.QueryRowContext(ctx, "SELECT count(*)"+tables+where, args...).Scan(&total); err != nil {
		return nil, 0, err
	}
	limit := q.Limit
	if limit <= 0 {
		limit = -1
	}
	list, err = b.games(ctx, "SELECT "+columns+tables+where+" ORDER BY game.id LIMIT ? OFFSET ?", append(args, limit, q.Offset)...)
	return list, total, err
}

// among returns the numbers that a query names or that came to its position,
// sorted; some is false if it asks for neither.
func (b *Base) among(ctx context.Context, q *Query) (ids []int64, some bool, err error) {
	if q.IDs != nil {
		ids = slices.Clone(q.IDs)
		slices.Sort(ids)
	}
	if q.Place == nil {
		return ids, q.IDs != nil, nil
	}
	list, err := b.at(ctx, q.Place.Key)
	if err != nil {
		return nil, true, err
	}
	var found []int64
	for _, t := range list {
		for _, id := range t.ids {
			found = append(found, int64(id))
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	if q.IDs != nil {
		found = slices.DeleteFunc(found, func(id int64) bool { _, is := slices.BinarySearch(ids, id); return !is })
	}
	return found, true, nil
}

// searchAmong searches among numbered games, some thousand at a time.
func (b *Base) searchAmong(ctx context.Context, q *Query, ids []int64, where string, args []any) (list []Game, total int, err error) {
	const chunk = 5000
	for part := range slices.Chunk(ids, chunk) {
		marks := strings.TrimSuffix(strings.Repeat("?,", len(part)), ",")
		cond := " WHERE game.id IN (" + marks + ")"
		if where != "" {
			cond += " AND " + strings.TrimPrefix(where, " WHERE ")
		}
		all := make([]any, 0, len(part)+len(args))
		for _, id := range part {
			all = append(all, id)
		}
		all = append(all, args...)
		var n int
		if err := b.db.QueryRowContext(ctx, "SELECT count(*)"+tables+cond, all...).Scan(&n); err != nil {
			return nil, 0, err
		}
		skip := min(n, max(0, q.Offset-total))
		take := n - skip
		if q.Limit > 0 {
			take = min(take, q.Limit-len(list))
		}
		total += n
		if take <= 0 {
			continue
		}
		more, err := b.games(ctx, "SELECT "+columns+tables+cond+" ORDER BY game.id LIMIT ? OFFSET ?", append(all, take, skip)...)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, more...)
	}
	return list, total, nil
}

func (b *Base) games(ctx context.Context, query string, args ...any) ([]Game, error) {
	rows, err := b.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err is looked at
	var list []Game
	for rows.Next() {
		var g Game
		var winner sql.NullInt64
		var points0, points1, board0, board1 sql.NullFloat64
		var reason, detail string
		var moves []byte
		if err := rows.Scan(&g.ID, &g.Spec, &g.Start, &g.Players[0], &g.Players[1], &g.Event, &g.Source, &g.Round, &g.Place, &g.Date, &g.Opening,
			&winner, &points0, &points1, &board0, &board1, &reason, &detail, &moves); err != nil {
			return nil, err
		}
		if winner.Valid {
			g.Result = &game.Result{
				Points: [2]float64{points0.Float64, points1.Float64}, Board: [2]float64{board0.Float64, board1.Float64},
				HasBoard: board0.Valid, Reason: game.Reason(reason), Detail: detail,
			}
		}
		if err := g.unpackMoves(moves); err != nil {
			return nil, err
		}
		list = append(list, g)
	}
	return list, rows.Err()
}

// Info is what a base holds; players and events without a name are not counted.
type Info struct {
	Games, Players, Events int
	Positions              int
	Plies                  int // indexed of each game, 0 for all
	First, Last            int // years, 0 if none is known
	Specs                  []SpecInfo
}

// SpecInfo counts the games of one specification.
type SpecInfo struct {
	Spec  game.Spec
	Games int
}

// Info counts. It reads the whole index.
func (b *Base) Info(ctx context.Context) (*Info, error) {
	in := &Info{Plies: b.plies}
	for _, x := range []struct {
		to    *int
		query string
	}{
		{&in.Games, "SELECT count(*) FROM game"},
		{&in.Players, "SELECT count(*) FROM name WHERE text<>'' AND id IN (SELECT first FROM game UNION SELECT second FROM game)"},
		{&in.Events, "SELECT count(*) FROM name WHERE text<>'' AND id IN (SELECT event FROM game)"},
		{&in.First, "SELECT coalesce(min(year), 0) FROM game WHERE year > 0"},
		{&in.Last, "SELECT coalesce(max(year), 0) FROM game"},
	} {
		if err := b.db.QueryRowContext(ctx, x.query).Scan(x.to); err != nil {
			return nil, err
		}
	}
	var err error
	if in.Positions, err = b.positions(ctx); err != nil {
		return nil, err
	}
	in.Specs, err = b.Specs(ctx)
	return in, err
}

// positions counts the positions of all runs, as they are at one moment.
func (b *Base) positions(ctx context.Context) (n int, err error) {
	tx, err := b.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer tx.Rollback() //nolint:errcheck // it only reads
	runs, err := runsOf(ctx, tx)
	if err != nil {
		return 0, err
	}
	var ids []int64
	for _, r := range runs {
		ids = append(ids, r.id)
	}
	last := int64(0)
	err = merged(ctx, tx, ids, func(t *tally) error {
		if n == 0 || t.key != last {
			n, last = n+1, t.key
		}
		return nil
	})
	return n, err
}

// Specs returns the games that the base holds, the most frequent first.
func (b *Base) Specs(ctx context.Context) ([]SpecInfo, error) {
	rows, err := b.db.QueryContext(ctx, "SELECT name.text, count(*) FROM game JOIN name ON name.id=game.spec "+
		"GROUP BY game.spec ORDER BY count(*) DESC, name.text")
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err is looked at
	var list []SpecInfo
	for rows.Next() {
		var s SpecInfo
		if err := rows.Scan(&s.Spec, &s.Games); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, rows.Err()
}
