package server

import (
	"bytes"
	"testing"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/store"
	"kibitz/hall/store/backup"
	"kibitz/hall/store/sqlite/sqlitetest"
)

// earlier are rows of a database in the form that commit be2e6b9 wrote: rules by scores
// were the text of flags.
type earlier struct {
	to      *backup.Writer
	changed map[string]int
}

func (e *earlier) Row(table string, row []byte) error {
	now, before := `\"rules\":{\"noDraw\":true`, `\"rules\":{\"noDraw\":true,\"draw\":\"move=40 count=8 score=10\",\"resign\":\"count=3 score=900\"`
	was := bytes.ReplaceAll(row, []byte(now), []byte(before))
	if !bytes.Equal(was, row) {
		e.changed[table]++
	}
	return e.to.Row(table, was)
}

// A tournament that an earlier hall has begun is restored of its backup and played to its end.
func TestTournamentOfEarlierHall(t *testing.T) {
	a := newContestHall(t)
	ann := a.register("ann")
	v := a.make(ann, obj{"game": "othello", "engines": []string{"bot=1", "bot=2"}, "games": 4, "concurrency": 2, "start": true})
	ids := a.q.jobs
	if len(ids) != 2 {
		t.Fatalf("jobs %q", ids)
	}
	var file bytes.Buffer
	to, err := backup.NewWriter(&file, "be2e6b9", time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	old := &earlier{to, map[string]int{}}
	if err := a.db.Dump(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	if err := to.Finish(); err != nil {
		t.Fatal(err)
	}
	if old.changed["tournaments"] != 1 || old.changed["games"] != 2 {
		t.Fatalf("changed rows: %v", old.changed)
	}
	var b *contestHall
	s := newSite(t, func(cfg *Config) {
		cfg.Store = restored(t, &file)
		b = withTournaments(cfg, cfg.Store)
	})
	s.store, b.testHall = b.db, s
	for _, id := range ids {
		begun, err := b.p.Begin(t.Context(), bus.Begin{Game: id, Worker: "w", Ticket: ticketOf(b.db, id)})
		if err != nil || begun.Play == nil {
			t.Fatalf("%v, %v", begun, err)
		}
		if r := begun.Play.Rules; r.Draw != (bus.DrawRule{FromMove: 40, Count: 8, Score: 10}) || r.Resign != (bus.ResignRule{Count: 3, Score: 900}) || !r.NoDraw {
			t.Errorf("%+v", r)
		}
		r := bus.Result{Game: id, Attempt: begun.Play.Attempt, Worker: "w", Result: verdict(id), Plies: 60, Begun: time.Now(), Ended: time.Now(), Record: []byte("r")}
		if err := b.p.Result(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if n := b.playAll(); n != 2 {
		t.Errorf("%d games after those that had begun", n)
	}
	if got := b.look(b.register("bob"), v.ID); got.State != "finished" || got.Over != 4 || got.Settings.Rules.Draw.Count != 8 {
		t.Errorf("%+v", got)
	}
}

// restored is a store with what a backup holds.
func restored(t *testing.T, file *bytes.Buffer) store.Store {
	t.Helper()
	st := sqlitetest.Open(t)
	r, err := backup.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := st.Load(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return st
}
