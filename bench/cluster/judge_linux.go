package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// verdict is what the database says of the games.
type verdict struct {
	states   map[string]int
	attempts map[int]int // how many games were begun so often
	reasons  map[string]int
	numbers  int      // different pairings that have a result
	twice    int      // pairings with more than one
	records  int      // results with a record
	open     []string // games that are not over, with state and attempt
}

func (v *verdict) String() string {
	if v == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "states %v, reasons %v\n", v.states, v.reasons)
	fmt.Fprintf(&b, "begun so often: %v; results of %d pairings, %d with more than one, %d with a record\n", v.attempts, v.numbers, v.twice,
		v.records)
	if n := len(v.open); n > 0 {
		fmt.Fprintf(&b, "not over, with the number of the attempt: %s\n", strings.Join(v.open[:min(n, 20)], ", "))
	}
	return b.String()
}

// judge reads all games past the hall: every pairing has exactly one result that counts.
func judge(ctx context.Context, url string, games int) (*verdict, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx) //nolint:errcheck // it was read
	v := &verdict{states: map[string]int{}, attempts: map[int]int{}, reasons: map[string]int{}}
	rows, err := conn.Query(ctx, `SELECT id, state, attempt, reason FROM games`)
	if err != nil {
		return nil, err
	}
	var id, state, reason string
	var attempt int
	if _, err := pgx.ForEachRow(rows, []any{&id, &state, &attempt, &reason}, func() error {
		if state != "over" {
			v.open = append(v.open, fmt.Sprintf("%s %s %d", id, state, attempt))
		}
		v.states[state]++
		v.attempts[attempt]++
		v.reasons[reason]++
		return nil
	}); err != nil {
		return nil, err
	}
	const counted = `SELECT room, tournament, idx, count(*) AS n FROM games WHERE state = 'over' GROUP BY room, tournament, idx`
	if err := conn.QueryRow(ctx, `SELECT count(*), count(*) FILTER (WHERE n > 1) FROM (`+counted+`) AS x`).Scan(&v.numbers,
		&v.twice); err != nil {
		return v, err
	}
	if err := conn.QueryRow(ctx,
		`SELECT count(*) FROM games g JOIN records r ON r.n = g.n WHERE g.state = 'over'`).Scan(&v.records); err != nil {
		return v, err
	}
	switch {
	case v.states["over"] != games || len(v.states) != 1:
		return v, fmt.Errorf("%v games by state; want %d that are over", v.states, games)
	case v.numbers != games || v.twice != 0:
		return v, fmt.Errorf("%d pairings have a result, %d more than one; want %d and none", v.numbers, v.twice, games)
	case v.records != games:
		return v, fmt.Errorf("%d of %d results have a record", v.records, games)
	case v.reasons["abort"] > 0:
		return v, errors.New("games were aborted")
	}
	return v, nil
}
