package sqlstore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kibitz/hall/store"
)

// commonPosition is in how many games a position must have occurred for it to be no
// help in finding games of one player.
const commonPosition = 2000

// branch is a part of a search: the games in which the player that is looked for, if
// any, has one of the seats.
type branch struct {
	// seat is that of the view, 1 or 2.
	seat  int
	from  string
	order string
	where
}

// FindGames implements store.Games.
func (x games) FindGames(q store.GameQuery) (store.GamePage, error) {
	from, args, err := x.find(&q)
	if err != nil {
		return store.GamePage{}, err
	}
	list, err := rows(x.tx, gameCols, from, args...)
	if err != nil {
		return store.GamePage{}, err
	}
	var p store.GamePage
	if most := limit(q.Limit); len(list) > most {
		list = list[:most]
		p.Next = writeCursor(list[most-1].n)
	}
	for i := range list {
		p.Games = append(p.Games, list[i].Game)
	}
	return p, nil
}

// find says where one game more than a page has is found.
func (x games) find(q *store.GameQuery) (string, []any, error) {
	list, err := x.branches(q)
	if err != nil {
		return "", nil, err
	}
	before, err := readCursor(q.Cursor)
	if err != nil {
		return "", nil, err
	}
	most := limit(q.Limit) + 1
	var parts []string
	var args []any
	for i, b := range list {
		if before > 0 {
			b.add(b.order+" < ?", before)
		}
		parts = append(parts, fmt.Sprintf("SELECT n FROM (SELECT g.n AS n FROM %s%s ORDER BY %s DESC LIMIT ?) AS part%d", b.from, b.String(),
			b.order, i))
		args = append(append(args, b.args...), most)
	}
	return "FROM games g WHERE n IN (" + strings.Join(parts, " UNION ") + ") ORDER BY n DESC LIMIT ?",
		append(args, most), nil
}

// A cursor is the number of the last game of a page.
func writeCursor(n int64) string { return strconv.FormatInt(n, 36) }

func readCursor(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(s, 36, 64)
	if err != nil || n < 1 || writeCursor(n) != s {
		return 0, fmt.Errorf("%w: %.30q does not continue any page", store.ErrInvalid, s)
	}
	return n, nil
}

// branches says how the games of a query are found.
func (x games) branches(q *store.GameQuery) ([]branch, error) {
	var all where
	x.d.filter(q, &all)
	seats, err := seats(q)
	if err != nil {
		return nil, err
	}
	from, order := "games g", "g.n"
	if q.HasPosition {
		first, err := x.positionFirst(q)
		if err != nil {
			return nil, err
		}
		// SQLite takes the tables of a cross join in the order in which they stand;
		// PostgreSQL finds the better one itself.
		from = "games g CROSS JOIN positions p"
		if first {
			from, order = "positions p CROSS JOIN games g", "p.n"
		}
		all.add("p.position_key = ? AND p.n = g.n", q.Position)
	}
	out := make([]branch, 0, 2)
	for _, me := range seats {
		b := branch{seat: me, from: from, order: order, where: where{conds: slices.Clone(all.conds), args: slices.Clone(all.args)}}
		if err := b.view(q); err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// positionFirst tells whether the games of a query are best found by their position.
func (x games) positionFirst(q *store.GameQuery) (bool, error) {
	if q.Player == "" && q.Subject == "" && q.Opponent == "" && q.Room == "" && q.Tournament == "" && q.Opening == "" && q.From.IsZero() &&
		q.To.IsZero() {
		return true, nil
	}
	var n int
	_, err := x.row([]any{&n}, "SELECT count(*) FROM (SELECT 1 FROM positions WHERE position_key = ? LIMIT ?) AS few", q.Position,
		commonPosition)
	return n < commonPosition, err
}

// filter adds what does not depend on who has which seat. What is said twice lets
// SQLite use an index of some rows only.
func (d *Dialect) filter(q *store.GameQuery, w *where) {
	if q.Room != "" {
		w.add("g.room = ? AND g.room <> ''", q.Room)
	}
	if q.Tournament != "" {
		w.add("g.tournament = ? AND g.tournament <> ''", q.Tournament)
	}
	if q.Game != "" {
		w.add("g.game = ?", q.Game)
	}
	if q.Spec != "" {
		w.add("g.spec = ?", q.Spec)
	}
	if len(q.States) > 0 {
		in(w, "g.state", q.States)
		if !slices.Contains(q.States, store.Over) {
			w.add("g.state <> 'over'")
		}
	}
	if q.Reason != "" {
		w.add("g.reason = ? AND g.reason <> ''", q.Reason)
	}
	if !q.From.IsZero() {
		w.add("g.played >= ?", q.From)
	}
	if !q.To.IsZero() {
		w.add("g.played < ?", q.To)
	}
	if q.Opening != "" {
		w.add("g.opening_key <> '' AND g.opening_key IN (SELECT opening_key FROM openings WHERE "+d.Find+"(opening_key, ?) > 0)", fold(q.Opening))
	}
	if q.Rated {
		w.add("g.rated = 1")
	}
	if q.Listed {
		w.add("g.listed = 1")
	}
}

// seats are those from whose view a query is meant.
func seats(q *store.GameQuery) ([]int, error) {
	switch {
	case q.Seat < 0 || q.Seat > 2:
		return nil, fmt.Errorf("%w: seat %d; there are 1 and 2", store.ErrInvalid, q.Seat)
	case q.Seat > 0:
		return []int{q.Seat}, nil
	case q.Player != "" || q.Subject != "":
		return []int{1, 2}, nil
	}
	return []int{1}, nil
}

// view adds what depends on whose seat it is.
func (b *branch) view(q *store.GameQuery) error {
	other := 3 - b.seat
	if q.Player != "" {
		b.add(fmt.Sprintf("g.name%d_key = ?", b.seat), fold(q.Player))
	}
	if q.Subject != "" {
		b.add(fmt.Sprintf("g.subject%d = ? AND g.subject%d <> ''", b.seat, b.seat), q.Subject)
	}
	if q.Opponent != "" {
		b.add(fmt.Sprintf("g.name%d_key = ?", other), fold(q.Opponent))
	}
	switch q.Outcome {
	case "":
	case "win":
		b.add("g.winner = ?", b.seat)
	case "loss":
		b.add("g.winner = ?", other)
	case "draw":
		b.add("g.winner = 0")
	default:
		return fmt.Errorf("%w: outcome %.30q; there are win, draw and loss", store.ErrInvalid, q.Outcome)
	}
	return nil
}

// Tally implements store.Games.
func (x games) Tally(q store.GameQuery, by store.TallyBy) ([]store.Tally, error) {
	list, err := x.branches(&q)
	if err != nil {
		return nil, err
	}
	var parts []string
	var args []any
	for _, b := range list {
		key, label, err := tallyKey(by, b.seat)
		if err != nil {
			return nil, err
		}
		b.add("g.winner >= 0")
		parts = append(parts, fmt.Sprintf(`SELECT %s AS k, %s AS label, CASE WHEN g.winner = %d THEN 1 ELSE 0 END AS won, CASE WHEN g.winner = 0 THEN 1 ELSE 0 END AS drawn,
			CASE WHEN g.winner = %d THEN 1 ELSE 0 END AS lost, g.plies AS plies, g.seconds%d AS seconds FROM %s%s`,
			key, label, b.seat, 3-b.seat, b.seat, b.from, b.String()))
		args = append(args, b.args...)
	}
	from := "FROM (" + strings.Join(parts, " UNION ALL ") + ") AS parts GROUP BY k ORDER BY count(*) DESC, k"
	if q.Limit > 0 {
		from += " LIMIT ?"
		args = append(args, q.Limit)
	}
	return rows(x.tx, func(t *store.Tally) []col {
		return []col{
			{"max(label)", &t.Key},
			{"sum(won)", &t.Wins},
			{"sum(drawn)", &t.Draws},
			{"sum(lost)", &t.Loses},
			{"sum(plies)", &t.Plies},
			{"sum(seconds)", &t.Seconds},
		}
	}, from, args...)
}

// tallyKey returns what games are grouped by, and what is shown of it.
func tallyKey(by store.TallyBy, seat int) (key, label string, err error) {
	switch by {
	case store.ByGame:
		key = "g.game"
	case store.ByReason:
		key = "g.reason"
	case store.ByRoom:
		key = "g.room"
	case store.BySeat:
		key = fmt.Sprintf("'%d'", seat)
	case store.ByOpponent:
		return fmt.Sprintf("g.name%d_key", 3-seat), fmt.Sprintf("g.name%d", 3-seat), nil
	default:
		return "", "", fmt.Errorf("%w: results are not counted by %.30q", store.ErrInvalid, string(by))
	}
	return key, key, nil
}
