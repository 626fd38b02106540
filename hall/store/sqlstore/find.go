package sqlstore

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"
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
	seat int
	from string
	where
}

func (x games) FindGames(q store.GameQuery) (store.GamePage, error) {
	before, err := readCursor(q.Cursor)
	if err != nil {
		return store.GamePage{}, err
	}
	most := limit(q.Limit)
	var list []numbered
	for among, err := range x.parts(&q, before, 4*most) {
		if err != nil {
			return store.GamePage{}, err
		}
		from, args, err := x.find(&q, search{before, among, most + 1 - len(list)})
		if err != nil {
			return store.GamePage{}, err
		}
		more, err := rows(x.tx, gameCols, from, args...)
		if err != nil {
			return store.GamePage{}, err
		}
		if list = append(list, more...); len(list) > most {
			break
		}
	}
	var p store.GamePage
	if len(list) > most {
		list = list[:most]
		if !q.Latest {
			p.Next = writeCursor(list[most-1].n)
		}
	}
	for i := range list {
		p.Games = append(p.Games, list[i].Game)
	}
	return p, nil
}

// search is what a query asks for beside its own conditions.
type search struct {
	before int64   // numbers below it, if it is above 0
	among  []int64 // these numbers, unless it is nil
	most   int
}

// parts returns the numbers of the games that went through the position of a query, the last
// first, in parts of which the first has size or fewer; nil once if the query has no position.
// Where the position is common and there is something else to find games by, they are found
// by that, and those are left that went through it.
func (x games) parts(q *store.GameQuery, before int64, size int) iter.Seq2[[]int64, error] {
	return func(yield func([]int64, error) bool) {
		if !q.HasPosition {
			yield(nil, nil)
			return
		}
		visits, _, err := x.positions.find(q.Position)
		if err != nil {
			yield(nil, err)
			return
		}
		if len(visits) >= commonPosition && narrow(q) {
			x.narrowed(q, visits, before, yield)
			return
		}
		if before > 0 {
			visits = visits[sort.Search(len(visits), func(i int) bool { return visits[i].n < before }):]
		}
		for ; len(visits) > 0; size *= 8 {
			part := visits[:min(size, len(visits))]
			visits = visits[len(part):]
			among := make([]int64, len(part))
			for i, v := range part {
				among[i] = v.n
			}
			if !yield(among, nil) {
				return
			}
		}
	}
}

// narrow tells whether a query has something else to find games by than their position.
func narrow(q *store.GameQuery) bool {
	return q.Player != "" || q.Subject != "" || q.Opponent != "" || q.Room != "" || q.Tournament != "" || q.Opening != "" ||
		!q.From.IsZero() || !q.To.IsZero()
}

// narrowed is parts by what else a query says; visits are those of its position.
func (x games) narrowed(q *store.GameQuery, visits []visit, before int64, yield func([]int64, error) bool) {
	const page = 1000
	for {
		from, args, err := x.find(q, search{before: before, most: page})
		var list []int64
		if err == nil {
			list, err = rows(x.tx, func(n *int64) []col { return []col{{"n", n}} }, from, args...)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		among := make([]int64, 0, len(list))
		for _, n := range list {
			i := sort.Search(len(visits), func(i int) bool { return visits[i].n <= n })
			if i < len(visits) && visits[i].n == n {
				among = append(among, n)
			}
		}
		if len(among) > 0 && !yield(among, nil) || len(list) < page {
			return
		}
		before = list[page-1]
	}
}

// find says where games are found, in their order.
func (x games) find(q *store.GameQuery, s search) (string, []any, error) {
	list, err := x.branches(q, s.among)
	if err != nil {
		return "", nil, err
	}
	by := "g.n DESC"
	if q.Latest {
		by = "g.played DESC, g.n DESC"
	}
	var parts []string
	var args []any
	for i, b := range list {
		if s.before > 0 {
			b.add("g.n < ?", s.before)
		}
		parts = append(parts, fmt.Sprintf("SELECT n FROM (SELECT g.n AS n FROM %s%s ORDER BY %s LIMIT ?) AS part%d", b.from, b.String(), by, i))
		args = append(append(args, b.args...), s.most)
	}
	return "FROM games g WHERE n IN (" + strings.Join(parts, " UNION ") + ") ORDER BY " + by + " LIMIT ?", append(args, s.most), nil
}

// cursorStep tells cursors from what looks like one: only its multiples are.
const cursorStep = 9973

// A cursor is the number of the last game of a page.
func writeCursor(n int64) string { return strconv.FormatInt(n*cursorStep, 36) }

func readCursor(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(s, 36, 64)
	if err != nil || n < 1 || writeCursor(n/cursorStep) != s {
		return 0, fmt.Errorf("%w: %.30q does not continue any page: take next of the page before", store.ErrInvalid, s)
	}
	return n / cursorStep, nil
}

// branches says how the games of a query are found; its position is left to among, the
// numbers of those that went through it, which may be nil.
func (x games) branches(q *store.GameQuery, among []int64) ([]branch, error) {
	seats, err := seats(q)
	if err != nil {
		return nil, err
	}
	out := make([]branch, 0, 2)
	for _, me := range seats {
		b := branch{seat: me, from: "games g"}
		if among != nil {
			// SQLite takes the tables of a cross join in the order in which they stand.
			text, err := json.Marshal(among)
			if err != nil {
				return nil, err
			}
			b.from = x.d.List + " p CROSS JOIN games g"
			b.args = append(b.args, string(text))
			b.add("g.n = p.n")
		}
		x.d.filter(q, &b.where)
		if err := b.view(q); err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// filter adds what does not depend on who has which seat. What is said twice lets
// SQLite use an index of some rows only.
func (d *Dialect) filter(q *store.GameQuery, w *where) {
	given(w, "g.room = ? AND g.room <> ''", q.Room)
	given(w, "g.tournament = ? AND g.tournament <> ''", q.Tournament)
	given(w, "g.game = ?", q.Game)
	given(w, "g.spec = ?", q.Spec)
	if len(q.States) > 0 {
		in(w, "g.state", q.States)
		if !slices.Contains(q.States, store.Over) {
			w.add("g.state <> 'over'")
		}
	}
	given(w, "g.reason = ? AND g.reason <> ''", q.Reason)
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

func (x games) Tally(q store.GameQuery, by store.TallyBy) ([]store.Tally, error) {
	var among []int64
	for part, err := range x.parts(&q, 0, math.MaxInt) {
		if err != nil {
			return nil, err
		}
		among = append(among, part...)
	}
	if q.HasPosition && among == nil {
		among = []int64{}
	}
	list, err := x.branches(&q, among)
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
