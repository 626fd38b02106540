package main

import (
	"database/sql"
	"encoding/binary"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	hallrecords "kibitz/hall/records"
	"kibitz/hall/store"
	"kibitz/hall/store/halldir"
)

// TestServePositions compares the positions under which a hall finds a game that it has
// played with those of the same game imported: with a dealer, and without one.
func TestServePositions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hall")
	h := openHall(t, dir)
	specs := []string{"othello", "darkchess", "gomoku:opening=swap2"}
	for _, spec := range specs {
		id := h.room(map[string]any{"game": spec, "clocks": []string{"30+1", "30+1"}},
			map[string]any{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=1"},
			map[string]any{"do": "sit", "place": 1, "kind": "bot", "engine": "bot=2"},
			map[string]any{"do": "start"})
		h.await(id, func(r *hallRoom) bool { return r.Room.Played == 1 })
	}
	h.stop()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, halldir.DatabaseFile))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for n, spec := range specs {
		var packed []byte
		if err := db.QueryRow("SELECT record FROM records WHERE n = ?", n+1).Scan(&packed); err != nil {
			t.Fatal(err)
		}
		var in []hallrecords.Imported
		left, err := hallArchive().Import(t.Context(), "game.json", unpacked(t, packed), "", "", func(list []hallrecords.Imported) error {
			in = append(in, list...)
			return nil
		})
		if err != nil || len(in) != 1 || len(left) != 0 || in[0].Spec.ID() != spec[:len(in[0].Spec.ID())] {
			t.Fatalf("%s: the record cannot be imported: %+v, %v, %v", spec, in, left, err)
		}
		if err := db.QueryRow("SELECT positions FROM records WHERE n = ?", n+1).Scan(&packed); err != nil {
			t.Fatal(err)
		}
		var played []store.Position
		for len(packed) > 8 {
			ply, size := binary.Varint(packed[8:])
			played = append(played, store.Position{Key: int64(binary.LittleEndian.Uint64(packed)), Ply: int(ply)})
			packed = packed[8+max(1, size):]
		}
		if want := in[0].Positions; len(want) < 9 || want[0].Ply != 0 || !slices.Equal(played, want) {
			t.Errorf("%s: played it is found by\n%v\nimported by\n%v", spec, played, want)
		}
	}
}

func unpacked(t *testing.T, packed []byte) []byte {
	t.Helper()
	r, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := r.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
