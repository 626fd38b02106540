package native_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/record"
	"kibitz/record/native"
)

func outline(line []byte) (id string, errors []time.Duration, ok bool) {
	id, ok = native.Outline(line, func(err time.Duration) { errors = append(errors, err) })
	return id, errors, ok
}

// general returns the same from the whole record.
func general(line []byte) (id string, errors []time.Duration, err error) {
	r, err := native.Parse(line, open)
	if err != nil {
		return "", nil, err
	}
	for i := range r.Steps {
		if e := r.Steps[i].Error; e > 0 {
			errors = append(errors, e)
		}
	}
	return r.ID, errors, nil
}

// plainRecord is one as a run writes it.
func plainRecord() *native.Record {
	r := full()
	r.ID = "000017"
	r.Steps[3].Error = 7 * time.Microsecond
	r.Steps[4].Variations = nil
	r.Comment = `,"us":3,"err":9 and "variations" and "id":"x"`
	return r
}

func TestOutline(t *testing.T) {
	text, err := open("gomoku:rule=freestyle,size=15,opening=swap2")
	if err != nil {
		t.Fatal(err)
	}
	line, err := native.Append(nil, plainRecord(), text)
	if err != nil {
		t.Fatal(err)
	}
	wantID, wantErrors, err := general(line)
	if err != nil || len(wantErrors) != 2 {
		t.Fatal(wantErrors, err)
	}
	if id, errors, ok := outline(line); !ok || id != wantID || !slices.Equal(errors, wantErrors) {
		t.Errorf("%s %v %v, want %s %v", id, errors, ok, wantID, wantErrors)
	}
	nested, err := native.Append(nil, full(), text)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, ok := outline(nested); ok {
		t.Error("a record with variations is left to Parse")
	}
	nameless, err := native.Append(nil, &native.Record{Game: record.Game{Spec: "gomoku", Steps: []record.Step{{By: game.First, Move: at(1, 1)}}}}, text)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, ok := outline(nameless); ok {
		t.Error("a record without an identifier is left to Parse")
	}
}

// What is not as Append writes it is left to Parse.
func TestOutlineLeaves(t *testing.T) {
	text, err := open("gomoku:rule=freestyle,size=15,opening=swap2")
	if err != nil {
		t.Fatal(err)
	}
	line, err := native.Append(nil, plainRecord(), text)
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		`{"format"`:          `{ "format"`,
		`"version":1`:        `"version":2`,
		`"id":"000017"`:      `"id":"\u0030"`,
		`"event":"E"`:        `"event":"E","id":"y"`,
		`"result":{`:         `"result":{"err":3,`,
		`"us":1234567,"err"`: `"err"`,
		`"err":42`:           `"err":4.2`,
		`"steps":[`:          `"steps":[[`,
	} {
		if bytes.Count(line, []byte(from)) != 1 {
			t.Fatalf("%s is not once in %s", from, line)
		}
		if _, _, ok := outline([]byte(strings.Replace(string(line), from, to, 1))); ok {
			t.Errorf("read with %s in the place of %s", to, from)
		}
	}
	for cut := range len(line) - 1 {
		if _, _, ok := outline(line[:cut]); ok {
			t.Fatalf("read when cut at %d", cut)
		}
	}
}

func BenchmarkOutline(b *testing.B) {
	text, err := open("gomoku")
	if err != nil {
		b.Fatal(err)
	}
	r := &native.Record{Game: record.Game{ID: "000001", Spec: "gomoku"}}
	for i := range 61 {
		r.Steps = append(r.Steps, record.Step{By: game.Seat(i & 1), Move: at(i%15, i/15), Timed: true, Used: time.Millisecond})
	}
	line, err := native.Append(nil, r, text)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if _, ok := native.Outline(line, func(time.Duration) {}); !ok {
			b.Fatal("left to Parse")
		}
	}
}
