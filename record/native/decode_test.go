package native

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// What is read by hand is what the general decoder reads, and what one refuses the other does.
func TestDecodeLikeGeneral(t *testing.T) {
	const plain = `{"format":"kibitz-game","version":1,"id":"7","game":"othello","seats":[{"name":"A"},{"name":"B"}],"steps":[` +
		`{"by":0,"m":"f5"},{"by":1,"m":"d6","us":17},{"by":0,"m":"c3","us":123456,"err":9,"opening":true,"forced":true,"refused":true},` +
		`{"by":-1,"m":"c4","us":0,"info":{"unit":"discs","lo":1,"depth":3,"text":"}\"],{"},"comment":"ä"},` +
		`{"by":1,"m":"c5","variations":[[{"by":1,"m":"e6","variations":[[{"by":1,"m":"f4"}]]}]]},{"by":0,"m":"pa","forced":true}],` +
		`"result":{"points":[1,0],"reason":"full"}}`
	changes := [][2]string{
		{"", ""},
		{`"m":"f5"`, `"m":"f\u0035"`},
		{`"m":"f5"`, "\"m\":\"f\xff\""},
		{`"m":"f5"`, `"m":7`},
		{`"by":0,"m":"f5"`, `"m":"f5","by":0`},
		{`"by":0,"m":"f5"`, `"by":0, "m":"f5"`},
		{`"by":0,"m":"f5"`, `"by":00,"m":"f5"`},
		{`"by":0,"m":"f5"`, `"by":-0,"m":"f5"`},
		{`"us":17`, `"us":017`},
		{`"us":17`, `"us":-17`},
		{`"us":17`, `"us":1.5`},
		{`"us":17`, `"us":17e1`},
		{`"us":17`, `"us":999999999999999999`},
		{`"us":17`, `"us":9999999999999999999`},
		{`"us":17`, `"us":null`},
		{`"us":17`, `"err":4,"us":17`},
		{`"us":17`, `"us":17,"us":18`},
		{`"us":17`, `"us":17,"other":[{"by":5}]`},
		{`"f5"},`, `"f5"}, `},
		{`"f5"},`, `"f5"}`},
		{`"f5"},`, `"f5"},,`},
		{`"f5"},`, `"f5"},null,`},
		{`"forced":true}],`, `"forced":true}]`},
		{`"forced":true}],`, `"forced":true},],`},
		{`"forced":true}],`, `"forced":true`},
		{`"steps":[`, `"steps":[ `},
		{`"steps":[`, `"Steps":[`},
		{`"seats":`, `"more":{"a":1,"steps":[{"by":1,"m":"a1"}]},"seats":`},
		{`"seats":`, `"more":[",\"steps\":[{",[1,"steps"]],"seats":`},
		{`"seats":`, `"steps":[{"by":1,"m":"a1"}],"seats":`},
		{`"result":`, `"steps":[{"by":1,"m":"a1"}],"result":`},
		{`"result":`, `"STEPS":[],"result":`},
		{`"result":`, `"steps":null,"result":`},
		{`"full"}}`, `"full"}`},
		{`"full"}}`, `"full"}}}`},
		{`{"format"`, `[{"format"`},
	}
	for _, c := range changes {
		text := strings.Replace(plain, c[0], c[1], 1)
		var want, got wire
		bad, err := json.Unmarshal([]byte(text), &want), got.decode([]byte(text))
		if (bad == nil) != (err == nil) || err != nil && err.Error() != bad.Error() {
			t.Errorf("%s for %s: %v, want %v", c[1], c[0], err, bad)
		}
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%s for %s: read\n%+v, want\n%+v", c[1], c[0], got, want)
		}
	}
	empty := strings.Replace(plain, plain[strings.Index(plain, "[{\"by"):strings.Index(plain, `],"result"`)], "[", 1)
	var w wire
	if err := w.decode([]byte(empty)); err != nil || len(w.Steps) != 0 || w.Result == nil {
		t.Errorf("without steps: %+v, %v", w, err)
	}
}

func BenchmarkDecode(b *testing.B) {
	us := int64(170_000)
	w := &wire{Format: Format, Version: Version, ID: "17", Game: "gomoku", Date: "2026-01-02 03:04:05", Steps: make([]wireStep, 61)}
	for i := range w.Steps {
		w.Steps[i] = wireStep{By: i & 1, Move: "h8", Used: &us}
	}
	line, err := marshal(w)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		var back wire
		if err := back.decode(line); err != nil {
			b.Fatal(err)
		}
	}
}
