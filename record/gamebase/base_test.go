package gamebase_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games"
	"kibitz/record/gamebase"
)

// random returns random games of NoGo on a small board, with results, names and
// dates that repeat.
func random(t *testing.T, n int) []gamebase.Entry {
	t.Helper()
	r, err := games.Open("nogo:size=4")
	if err != nil {
		t.Fatal(err)
	}
	k := keyer(r)
	rng := rand.New(rand.NewPCG(7, 7))
	names := []string{"Ada", "Bob", "Čapek", "Dora"}
	var list []gamebase.Entry
	for i := range n {
		e := gamebase.Entry{Game: gamebase.Game{
			Spec: r.Spec(), Players: [2]string{names[rng.IntN(4)], names[rng.IntN(4)]}, Date: fmt.Sprintf("20%02d-05-%02d", rng.IntN(20), 1+i%28),
			Event: fmt.Sprintf("cup %d", i%3), Source: "test", Opening: []string{"", "corner", "centre"}[i%3], Round: fmt.Sprint(i),
		}}
		s := r.New()
		for {
			p := place(k, s)
			m, ok := draw(rng, s)
			v := gamebase.Visit{Key: p.Key, Seat: s.Turn().Seat}
			if ok {
				v.Move = p.Canon(m)
			}
			e.Visits = append(e.Visits, v)
			if !ok {
				break
			}
			e.Game.Moves = append(e.Game.Moves, m)
			if _, err := s.Apply(m, nil); err != nil {
				t.Fatal(err)
			}
		}
		if res, over := s.Result(); over && i%7 > 0 {
			e.Game.Result = &res
		}
		if i%11 == 1 {
			drawn := game.Drawn(game.ByAgreement, "")
			drawn.Board, drawn.HasBoard = [2]float64{float64(i), 1}, true
			e.Game.Result = &drawn
		}
		list = append(list, e)
	}
	return list
}

func create(t *testing.T, name string, plies int) *gamebase.Base {
	t.Helper()
	b, err := gamebase.Create(t.Context(), name, plies)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// add adds games in batches of about so many positions.
func add(t *testing.T, b *gamebase.Base, list []gamebase.Entry, batch int) *gamebase.Adder {
	t.Helper()
	a := b.Adder()
	a.SetBatch(batch)
	for _, e := range list {
		if err := a.Add(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a
}

// content is all that a base says: every game and the count of every position.
func content(t *testing.T, b *gamebase.Base, list []gamebase.Entry) string {
	t.Helper()
	var out strings.Builder
	found, total, err := b.Search(t.Context(), gamebase.Query{})
	if err != nil || total != len(found) {
		t.Fatal(total, len(found), err)
	}
	fmt.Fprintln(&out, total)
	for _, g := range found {
		fmt.Fprintln(&out, g.ID, g.Spec, g.Players, g.Date, g.Event, g.Opening, g.Round, g.Moves, g.Refused)
		if g.Result != nil {
			fmt.Fprintln(&out, *g.Result)
		}
	}
	r, err := games.Open("nogo:size=4")
	if err != nil {
		t.Fatal(err)
	}
	k := keyer(r)
	for _, e := range list {
		s := r.New()
		for _, m := range append(e.Game.Moves, game.Move{}) {
			look, err := b.Look(t.Context(), place(k, s), 3)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&out, s.Text(), *look)
			if m == (game.Move{}) {
				break
			}
			if _, err := s.Apply(m, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out.String()
}

// TestBatches: how many games are written at a time, that some are given again, and
// in how many sessions, changes nothing.
func TestBatches(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs side by side in it")
	}
	list := random(t, 150)
	dir := t.TempDir()
	whole := create(t, filepath.Join(dir, "whole"), 0)
	if a := add(t, whole, list, 1<<30); a.Added != 150 || a.Known != 0 {
		t.Errorf("%d added, %d known", a.Added, a.Known)
	}
	want := content(t, whole, list)
	parts := create(t, filepath.Join(dir, "parts"), 0)
	add(t, parts, list[:40], 100)
	add(t, parts, list[20:90], 333)
	if a := add(t, parts, list, 500); a.Added != 60 || a.Known != 90 {
		t.Errorf("%d added, %d known", a.Added, a.Known)
	}
	if got := content(t, parts, list); got != want {
		t.Error("a base that grew in parts says something else")
	}
	if err := parts.Close(); err != nil {
		t.Fatal(err)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "parts*")); err != nil || len(files) != 1 {
		t.Errorf("a closed base is the files %v, %v", files, err)
	}
	again, err := gamebase.Open(t.Context(), filepath.Join(dir, "parts"))
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got := content(t, again, list); got != want {
		t.Error("a base that was closed and opened says something else")
	}
}

// TestKilled copies the files of a base as they are between two batches, as a
// program that is killed leaves them, and after a batch that was given up. Going on
// from the copy gives the same base.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs side by side in it")
	}
	list := random(t, 120)
	dir := t.TempDir()
	whole := create(t, filepath.Join(dir, "whole"), 0)
	add(t, whole, list, 1<<30)
	want := content(t, whole, list)
	b := create(t, filepath.Join(dir, "live"), 0)
	a := b.Adder()
	a.SetBatch(200)
	for i, e := range list[:90] {
		if err := a.Add(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		if i%29 != 28 {
			continue
		}
		name := filepath.Join(dir, fmt.Sprint("copy", i))
		for _, end := range []string{"", "-wal"} {
			data, err := os.ReadFile(filepath.Join(dir, "live"+end))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name+end, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		left := create(t, name, -1)
		in, err := left.Info(t.Context())
		if err != nil || in.Games == 0 || in.Games > i+1 {
			t.Fatalf("after %d games the copy holds %+v, %v", i+1, in, err)
		}
		add(t, left, list, 1000)
		if content(t, left, list) != want {
			t.Errorf("a base that was killed after %d games and completed says something else", i+1)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.Flush(gone); err == nil {
		t.Error("a batch was written though its context has ended")
	}
	rest := b.Adder()
	rest.SetBatch(1)
	if err := errors.Join(rest.Add(gone, list[100]), rest.Flush(t.Context())); err == nil {
		t.Error("a game was written though its context has ended")
	}
	if err := rest.Add(t.Context(), list[101]); err == nil {
		t.Error("a game was taken after a batch that could not be written")
	}
	add(t, b, list, 1000)
	if content(t, b, list) != want {
		t.Error("a base after a batch that was given up says something else")
	}
}

// A base of version 1, whose positions are rows of a table, says the same when it is opened.
func TestOldVersion(t *testing.T) {
	list := random(t, 60)
	name := filepath.Join(t.TempDir(), "base")
	b := create(t, name, 0)
	add(t, b, list, 1<<30)
	want := content(t, b, list)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `DROP TABLE block; DROP TABLE run; PRAGMA user_version=1; CREATE TABLE played(
		key INTEGER NOT NULL, move INTEGER NOT NULL, games INTEGER NOT NULL, wins INTEGER NOT NULL, draws INTEGER NOT NULL,
		losses INTEGER NOT NULL, scored INTEGER NOT NULL, score REAL NOT NULL, last INTEGER NOT NULL, list BLOB NOT NULL,
		PRIMARY KEY(key, move)) STRICT, WITHOUT ROWID`); err != nil {
		t.Fatal(err)
	}
	for i, e := range list {
		seen := map[[2]int64]bool{}
		for _, v := range e.Visits {
			if seen[[2]int64{v.Key, v.Move}] {
				continue
			}
			seen[[2]int64{v.Key, v.Move}] = true
			wins, draws, losses, scored, score := 0, 0, 0, 0, 0.0
			if r := e.Game.Result; r != nil {
				seat := max(v.Seat, game.First)
				switch {
				case r.Winner() == seat:
					wins = 1
				case r.Draw():
					draws = 1
				case r.Winner().IsPlayer():
					losses = 1
				}
				if r.HasBoard {
					scored, score = 1, r.Board[seat]-r.Board[seat.Other()]
				}
			}
			if _, err := db.ExecContext(t.Context(), `INSERT INTO played VALUES(?,?,1,?,?,?,?,?,?,?) ON CONFLICT(key, move) DO UPDATE SET
				games=games+1, wins=wins+excluded.wins, draws=draws+excluded.draws, losses=losses+excluded.losses, scored=scored+excluded.scored,
				score=score+excluded.score, last=max(last, excluded.last), list=CAST(list || excluded.list AS BLOB)`,
				v.Key, v.Move, wins, draws, losses, scored, score, e.Game.Year(), binary.LittleEndian.AppendUint32(nil, uint32(i+1))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"opened", "opened again"} {
		old, err := gamebase.Open(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if got := content(t, old, list); got != want {
			t.Errorf("%s: it says something else:\n%s\nwant\n%s", how, got, want)
		}
		if err := old.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSearch compares every query with a plain loop over the games.
func TestSearch(t *testing.T) {
	list := random(t, 200)
	b := create(t, filepath.Join(t.TempDir(), "base"), 0)
	add(t, b, list, 1<<30)
	r, err := games.Open("nogo:size=4")
	if err != nil {
		t.Fatal(err)
	}
	k, start := keyer(r), r.New()
	if _, err := start.Apply(list[5].Game.Moves[0], nil); err != nil {
		t.Fatal(err)
	}
	at := place(k, start)
	won := func(g *gamebase.Game, name string, by int) bool {
		return g.Result != nil && g.Result.Winner().IsPlayer() && strings.Contains(g.Players[(int(g.Result.Winner())+by)%2], name)
	}
	for i, x := range []struct {
		q    gamebase.Query
		want func(e *gamebase.Entry) bool
	}{
		{gamebase.Query{}, func(*gamebase.Entry) bool { return true }},
		{gamebase.Query{Player: "ada"}, func(e *gamebase.Entry) bool { return slices.Contains(e.Game.Players[:], "Ada") }},
		{gamebase.Query{First: "BO"}, func(e *gamebase.Entry) bool { return e.Game.Players[0] == "Bob" }},
		{gamebase.Query{Second: "apek", Event: "cup 2"}, func(e *gamebase.Entry) bool { return e.Game.Players[1] == "Čapek" && e.Game.Event == "cup 2" }},
		{gamebase.Query{Opening: "corner"}, func(e *gamebase.Entry) bool { return e.Game.Opening == "corner" }},
		{gamebase.Query{Result: "first"}, func(e *gamebase.Entry) bool { return e.Game.Result != nil && e.Game.Result.Winner() == game.First }},
		{gamebase.Query{Result: "second"}, func(e *gamebase.Entry) bool { return e.Game.Result != nil && e.Game.Result.Winner() == game.Second }},
		{gamebase.Query{Result: "draw"}, func(e *gamebase.Entry) bool { return e.Game.Result != nil && e.Game.Result.Draw() }},
		{gamebase.Query{Result: "unknown"}, func(e *gamebase.Entry) bool { return e.Game.Result == nil }},
		{gamebase.Query{Player: "Dora", Result: "win"}, func(e *gamebase.Entry) bool { return won(&e.Game, "Dora", 0) }},
		{gamebase.Query{Player: "Dora", Result: "loss"}, func(e *gamebase.Entry) bool { return won(&e.Game, "Dora", 1) }},
		{gamebase.Query{Since: "2005", Until: "2007.05"}, func(e *gamebase.Entry) bool { return e.Game.Year() >= 2005 && e.Game.Year() <= 2007 }},
		{gamebase.Query{Since: "2010-05-15"}, func(e *gamebase.Entry) bool { return e.Game.Date >= "2010-05-15" }},
		{gamebase.Query{Place: &at}, func(e *gamebase.Entry) bool {
			return slices.ContainsFunc(e.Visits, func(v gamebase.Visit) bool { return v.Key == at.Key })
		}},
		{gamebase.Query{Place: &at, Player: "Ada", Result: "first"}, func(e *gamebase.Entry) bool {
			return e.Visits[1].Key == at.Key && slices.Contains(e.Game.Players[:], "Ada") && e.Game.Result != nil && e.Game.Result.Winner() == game.First
		}},
		{gamebase.Query{IDs: []int64{9, 3, 77}, Spec: r.Spec()}, func(e *gamebase.Entry) bool { return slices.Contains([]string{"2", "8", "76"}, e.Game.Round) }},
		{gamebase.Query{IDs: []int64{}}, func(*gamebase.Entry) bool { return false }},
		{gamebase.Query{Spec: "othello"}, func(*gamebase.Entry) bool { return false }},
	} {
		var want []gamebase.Game
		for j := range list {
			if x.want(&list[j]) {
				g := list[j].Game
				g.ID = int64(j + 1)
				want = append(want, g)
			}
		}
		got, total, err := b.Search(t.Context(), x.q)
		if err != nil || total != len(want) || !reflect.DeepEqual(got, want) {
			t.Errorf("query %d: %d of %d games, want %d, %v", i, len(got), total, len(want), err)
		}
		x.q.Limit, x.q.Offset = 5, 3
		got, total, err = b.Search(t.Context(), x.q)
		if few := want[min(3, len(want)):min(8, len(want))]; err != nil || total != len(want) || len(got) != len(few) || len(few) > 0 && !reflect.DeepEqual(got, few) {
			t.Errorf("query %d, from the fourth game on: %d of %d games, want %d, %v", i, len(got), total, len(few), err)
		}
	}
	for _, q := range []gamebase.Query{{Result: "win"}, {Result: "loss"}, {Result: "lost"}} {
		if _, _, err := b.Search(t.Context(), q); err == nil {
			t.Errorf("%+v found something", q)
		}
	}
}

// TestPlies indexes only the beginning of each game.
func TestPlies(t *testing.T) {
	list := random(t, 50)
	name := filepath.Join(t.TempDir(), "base")
	b := create(t, name, 4)
	add(t, b, list, 1<<30)
	keys := map[int64]bool{}
	for _, e := range list {
		for _, v := range e.Visits[:min(4, len(e.Visits))] {
			keys[v.Key] = true
		}
	}
	in, err := b.Info(t.Context())
	if err != nil || in.Games != 50 || in.Positions != len(keys) || in.Plies != 4 || in.Players != 4 || in.Events != 3 || len(in.Specs) != 1 || in.Specs[0].Games != 50 {
		t.Errorf("%+v, %v, want %d positions", in, err, len(keys))
	}
	if _, err := gamebase.Create(t.Context(), name, 5); err == nil || !strings.Contains(err.Error(), "indexes the first 4 plies of each game; that cannot be changed to the first 5 plies") {
		t.Errorf("another number of plies: %v", err)
	}
	again := create(t, name, -1)
	if again.Plies() != 4 {
		t.Errorf("%d plies", again.Plies())
	}
}

// TestForeign refuses files that are something else.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string][]byte{"text": []byte("hello"), "zeros": bytes.Repeat([]byte{0}, 5000), "sql": nil} {
		file := filepath.Join(dir, name)
		if data != nil {
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := gamebase.Open(t.Context(), file); err == nil {
			t.Errorf("%s was opened", name)
		}
		if _, err := gamebase.Create(t.Context(), file, 0); data != nil && err == nil {
			t.Errorf("%s became a base", name)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "empty"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := gamebase.Open(t.Context(), filepath.Join(dir, "empty")); err == nil || !strings.Contains(err.Error(), "this is no game base") {
		t.Errorf("an empty file: %v", err)
	}
	create(t, filepath.Join(dir, "empty"), 0)
	create(t, filepath.Join(dir, "odd name? with 100% #signs"), 0)
}

// TestYear finds the year of dates as formats write them.
func TestYear(t *testing.T) {
	for date, want := range map[string]int{
		"": 0, "1984": 1984, "2003-12-15 19:33:18 GMT": 2003, "15.12.2003": 2003, "[12345] 1999": 1999, "12345": 0, "?": 0, "03-12-15": 0,
	} {
		if got := (&gamebase.Game{Date: date}).Year(); got != want {
			t.Errorf("the year of %q is %d, want %d", date, got, want)
		}
	}
}
