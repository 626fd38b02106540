package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/archive"
	"kibitz/hall/bus"
	"kibitz/hall/worker"
	"kibitz/hall/worker/factory"
	"kibitz/journal"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/run/watchdog"
	"kibitz/tournament"
)

// botFactory makes players of built-in engines alone.
func botFactory(t *testing.T) *factory.Factory {
	t.Helper()
	a := &app{now: time.Now, stderr: t.Output()}
	return factory.New(factory.Config{
		Launcher: a.launcher(), Programs: &engines.Programs{}, Sums: engines.NewSums(a.now), Warn: func(text string) { t.Error(text) },
	})
}

// playedOnBus lets a worker play a game, and returns what it says.
func playedOnBus(t *testing.T, f *factory.Factory, play *bus.Play) bus.Result {
	t.Helper()
	b, err := bus.Open(t.Context(), bus.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	begin, err := b.ServeBegin(func(_ context.Context, _ bus.Begin) (bus.Begun, error) { return bus.Begun{Play: play}, nil })
	if err != nil {
		t.Fatal(err)
	}
	defer begin.Close()
	told := make(chan bus.Result, 1)
	stop, err := b.ServeResults(func(_ context.Context, r bus.Result) error { told <- r; return nil })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	w, err := f.Worker(b, watchdog.New(time.Now), worker.Config{ID: "w", Slots: 1})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); w.Run(t.Context()) }()
	defer func() { w.Drain(); <-ended }()
	if err := b.Enqueue(t.Context(), bus.Job{Game: play.Game}); err != nil {
		t.Fatal(err)
	}
	return <-told
}

// botGame is a game of two built-in engines.
func botGame(spec game.Spec) *bus.Play {
	seed := sha256.Sum256([]byte(spec))
	return &bus.Play{
		Game: "g", Attempt: 1, Spec: spec, Seed: seed[:], Commitment: tournament.Commitment(seed), Reveal: true,
		Seats: [2]bus.Seat{{Kind: bus.BotSeat, Name: "One", Engine: "bot=1"}, {Kind: bus.BotSeat, Name: "Two", Engine: "bot=1"}},
	}
}

func mustOpen(t *testing.T, spec string) rules.Rules {
	t.Helper()
	r, err := games.Open(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// packedRecord is a record as a worker sends it.
func packedRecord(t *testing.T, record []byte) []byte {
	t.Helper()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return enc.EncodeAll(record, nil)
}

// What workers play bears its results out, in every game and from an opening; a record that
// was tampered with does not, and the reason is said.
func TestHallVerifier(t *testing.T) {
	t.Parallel()
	v, err := archive.NewVerifier(hallArchive())
	if err != nil {
		t.Fatal(err)
	}
	f := botFactory(t)
	for _, id := range append(catalog.IDs(func(catalog.Game) bool { return true }), "gomoku:rule=renju", "gomoku:opening=swap2") {
		play := botGame(game.Spec(id))
		if id == "othello" {
			for _, text := range []string{"d3", "c5"} {
				m, err := mustOpen(t, id).ParseMove(text)
				if err != nil {
					t.Fatal(err)
				}
				play.Opening = append(play.Opening, journal.FormatMove(m))
			}
		}
		r := playedOnBus(t, f, play)
		positions, err := v.Verify(t.Context(), play, &r)
		if err != nil || len(positions) == 0 || positions[0].Ply != 0 {
			t.Errorf("%s: %d positions, %v", id, len(positions), err)
		}
	}
	play := botGame("darkchess")
	honest := playedOnBus(t, f, play)
	record := unpacked(t, honest.Record)
	change := func(fn func(m map[string]any)) func(*bus.Play, *bus.Result) {
		return func(_ *bus.Play, r *bus.Result) {
			var m map[string]any
			if err := json.Unmarshal(record, &m); err != nil {
				t.Fatal(err)
			}
			fn(m)
			data, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			r.Record = packedRecord(t, data)
		}
	}
	other := botGame("darkchess")
	other.Seed = bytes.Repeat([]byte{1}, 32)
	other.Commitment = tournament.Commitment([32]byte(other.Seed))
	for name, tt := range map[string]struct {
		change func(*bus.Play, *bus.Result)
		want   string
	}{
		"nothing":    {func(_ *bus.Play, r *bus.Result) { r.Record = nil }, "it has no record"},
		"not packed": {func(_ *bus.Play, r *bus.Result) { r.Record = []byte("{}") }, "cannot be unpacked"},
		"a bomb":     {func(_ *bus.Play, r *bus.Result) { r.Record = packedRecord(t, make([]byte, archive.MostRecord+1)) }, "cannot be unpacked"},
		"no record":  {func(_ *bus.Play, r *bus.Result) { r.Record = packedRecord(t, []byte("hello")) }, "cannot be read"},
		"two":        {func(_ *bus.Play, r *bus.Result) { r.Record = packedRecord(t, append(record, record...)) }, "2 games"},
		"other game": {func(p *bus.Play, _ *bus.Result) { p.Game = "h" }, `game "g" instead of "h"`},
		"other spec": {func(p *bus.Play, _ *bus.Result) { p.Spec = "othello" }, "rules"},
		"other seat": {func(p *bus.Play, _ *bus.Result) { p.Seats[1].Name = "Three" }, `second seat "Two" instead of "Three"`},
		"opening":    {func(p *bus.Play, _ *bus.Result) { p.Opening = []string{journal.FormatMove(game.Move{Op: game.Flip})} }, "another opening"},
		"winner": {func(_ *bus.Play, r *bus.Result) {
			r.Result.Points[0], r.Result.Points[1] = 1-r.Result.Points[0], 1-r.Result.Points[1]
		}, "its record says"},
		"reason":     {change(func(m map[string]any) { m["result"].(map[string]any)["reason"] = "time" }), `by "time"`},
		"cut":        {change(func(m map[string]any) { s := m["steps"].([]any); m["steps"] = s[:len(s)-4] }), "not over on the board"},
		"illegal":    {change(func(m map[string]any) { s := m["steps"].([]any); s[9] = s[8] }), "not legal"},
		"shuffle":    {func(p *bus.Play, _ *bus.Result) { p.Seed = other.Seed }, "not of the shuffle"},
		"commitment": {func(p *bus.Play, _ *bus.Result) { p.Commitment = other.Commitment }, "commitment"},
	} {
		p, r := *play, honest
		tt.change(&p, &r)
		if _, err := v.Verify(t.Context(), &p, &r); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
	if _, err := v.Verify(t.Context(), play, &honest); err != nil {
		t.Errorf("the honest one: %v", err)
	}
}

// Whatever a record holds, looking at it takes bounded time and memory, and one large record
// at a time.
func TestHallVerifierBounds(t *testing.T) {
	v, err := archive.NewVerifier(hallArchive())
	if err != nil {
		t.Fatal(err)
	}
	play := botGame("othello")
	honest := playedOnBus(t, botFactory(t), play)
	var m map[string]any
	if err := json.Unmarshal(unpacked(t, honest.Record), &m); err != nil {
		t.Fatal(err)
	}
	steps := m["steps"].([]any)
	record := func(change func(m map[string]any)) []byte {
		c := maps.Clone(m)
		change(c)
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	nulls := "[" + strings.Repeat("null,", archive.MostRecord/5-100) + "null]"
	large := record(func(m map[string]any) { m["comment"] = strings.Repeat("x", archive.MostRecord-64<<10) })
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"nothing but steps":  {[]byte(`{"format":"kibitz","steps":` + nulls + "}"), "values"},
		"steps in a comment": {record(func(m map[string]any) { m["comment"] = nulls[:archive.MostRecord/2] }), ""},
		"deep":               {[]byte(strings.Repeat("[", archive.MostValues-1)), "cannot be read"},
		"many steps":         {record(func(m map[string]any) { m["steps"] = slices.Repeat(steps, 1+archive.MostSteps/len(steps)) }), "decisions"},
		"variations": {record(func(m map[string]any) {
			first := maps.Clone(steps[0].(map[string]any))
			first["variations"] = [][]any{steps, steps}
			m["steps"] = append([]any{first}, steps[1:]...)
		}), "variations"},
		"large": {large, ""},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := honest
		r.Record = packedRecord(t, c.data)
		_, err := v.Verify(t.Context(), play, &r)
		runtime.ReadMemStats(&after)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %.200v, want %q", name, err, c.want)
		}
		if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 400 {
			t.Errorf("%s: %d MiB were used", name, used)
		}
	}
	v.Limit = time.Nanosecond
	if _, err := v.Verify(t.Context(), play, &honest); err == nil || !strings.Contains(err.Error(), "takes more than 1ns to replay") {
		t.Errorf("a slow record: %v", err)
	}
}

// The record of a worker's game names the worker, as residuals by host want it.
func TestHostOfRecords(t *testing.T) {
	r := playedOnBus(t, botFactory(t), botGame("othello"))
	list, err := records().ReadNative(unpacked(t, r.Record))
	if err != nil || len(list) != 1 {
		t.Fatal(len(list), err)
	}
	if host, _ := list[0].Tag("host"); host == "" || host != r.Host {
		t.Errorf("the record was played at %q, the worker is %q", host, r.Host)
	}
}

// hallArchive is what a hall asks about games.
func hallArchive() archive.Archive { return archive.Archive{Set: records(), Open: games.Open} }
