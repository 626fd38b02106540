package server

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// Whoever sends a form that cannot be meant is told where in it the faults are.
func TestProblemPointers(t *testing.T) {
	h := newContestHall(t)
	ann := h.register("ann")
	open := h.make(ann, obj{"game": "othello", "open": true})
	for name, c := range map[string]struct {
		path, detail string
		sent         obj
		want         []Fault
	}{
		"settings": {
			tournamentsPath, "points x: write W/D/L; max-moves: must be a number",
			obj{"game": "othello", "points": "x"},
			[]Fault{{"#/points", "points x: write W/D/L"}, {"#/maxMoves", "max-moves: must be a number"}},
		},
		"an engine of several": {
			tournamentsPath, `engine "no": there is none`,
			obj{"game": "othello", "engines": []string{"bot=1", "no"}},
			[]Fault{{"#/engines/1", `engine "no": there is none`}},
		},
		"an engine that enters": {
			tournamentsPath + "/" + open.ID + "/entries", `engine "no": there is none`,
			obj{"engine": "no"},
			[]Fault{{"#/engine", `engine "no": there is none`}},
		},
		"a number that is none": {
			tournamentsPath, "validation failed",
			obj{"game": "othello", "games": "x"},
			[]Fault{{"#/games", "expected integer"}},
		},
		"one of a list": {
			tournamentsPath, "validation failed",
			obj{"game": "othello", "engines": []any{"bot=1", 2}},
			[]Fault{{"#/engines/1", "expected string"}},
		},
		"a query": {tournamentsPath + "?start=1", "validation failed", obj{"game": "othello"}, []Fault{{"", "query.start: unknown query parameter"}}},
	} {
		var got struct {
			Detail string
			Errors []Fault
		}
		a := ann.do("POST", c.path, c.sent).want(422)
		if err := json.Unmarshal([]byte(a.body), &got); err != nil || got.Detail != c.detail || !reflect.DeepEqual(got.Errors, c.want) {
			t.Errorf("%s: %v, %s", name, err, a.body)
		}
		if kind := a.head.Get("Content-Type"); kind != "application/problem+json" {
			t.Errorf("%s: %s", name, kind)
		}
	}
	var doc struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal([]byte(ann.do("GET", "/api/v1/openapi.json", nil).want(200).body), &doc); err != nil {
		t.Fatal(err)
	}
	if p := doc.Components.Schemas["ErrorDetail"].Properties; p["pointer"] == nil || p["detail"] == nil || p["location"] != nil {
		t.Errorf("faults are described as %v", p)
	}
}

// Every fault stands beside the field that its pointer names, one of no field above the page.
func TestFaultsBesideFields(t *testing.T) {
	page := `<html><head></head><body><p>x <span class="detail">all</span></p><form action="/tournaments"><input name="points"/><input name="seeds"/>` +
		`<textarea name="engines"></textarea></form></body></html>`
	err := &FormError{Faults: []Fault{{"#/engines/1", "no engine"}, {"#/points", "seeds: no"}}}
	got := string(refill([]byte(page), "/tournaments", nil, err.Error(), fieldFaults(err)))
	for _, want := range []string{
		`aria-describedby="fault-points" autofocus=""/><span class="field-fault" id="fault-points" role="alert" lang="en">seeds: no</span>`,
		`<span class="field-fault" id="fault-engines" role="alert" lang="en">no engine</span>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %s\n%s", want, got)
		}
	}
	if strings.Contains(got, "fault-seeds") || strings.Contains(got, `class="detail"`) {
		t.Error(got)
	}
	err.Faults = []Fault{{"#/draw", "draw: no"}, {"#/points", "no"}}
	if got = string(refill([]byte(page), "/tournaments", nil, err.Error(), fieldFaults(err))); !strings.Contains(got, `class="detail"`) {
		t.Errorf("the fault of no field is lost: %s", got)
	}
}
