package server

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"kibitz/hall/contest"
	"kibitz/hall/lobby"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// Lengths of time are numbers of seconds in the API, whatever the database holds.
func TestSeconds(t *testing.T) {
	h := newContestHall(t)
	var doc struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Type any `json:"type"`
				}
			}
		}
	}
	ann := h.register("ann")
	if err := json.Unmarshal([]byte(ann.do("GET", "/api/v1/openapi.json", nil).want(200).body), &doc); err != nil {
		t.Fatal(err)
	}
	var seen []string
	for name, s := range doc.Components.Schemas {
		for field, p := range s.Properties {
			if slices.Contains([]string{"delay", "pause", "grace", "stall"}, field) {
				if seen = append(seen, field); p.Type != "number" {
					t.Errorf("%s: %s is described as %v, want a number of seconds", name, field, p.Type)
				}
			}
		}
	}
	slices.Sort(seen)
	if want := []string{"delay", "grace", "pause", "pause", "pause", "stall", "stall"}; !slices.Equal(seen, want) {
		t.Errorf("lengths of time in the description: %q, want %q", seen, want)
	}
	var v lobby.RoomView
	ann.do("POST", roomsPath, obj{"settings": obj{"game": "othello", "delay": 60, "pause": 7.5}}).want(201).into(&v)
	if c := v.Room.Settings; c.Delay != 60 || c.Pause != 7.5 || c.Grace != 300 || c.Game != "othello" {
		t.Errorf("%+v", c)
	}
	ann.do("POST", roomsPath+"/"+v.ID+"/commands", obj{"do": "set", "settings": obj{"grace": 90}}).want(200).into(&v)
	if c := v.Room.Settings; c.Delay != 60 || c.Pause != 7.5 || c.Grace != 90 {
		t.Errorf("%+v", c)
	}
	for _, wrong := range []obj{{"pause": 61}, {"pause": 5e9}, {"delay": 1e300}, {"delay": -1}, {"grace": 9.5}} {
		wrong["game"] = "othello"
		ann.do("POST", roomsPath, obj{"settings": wrong}).want(422)
	}
	// The database holds nanoseconds, as it always has.
	err := h.store.View(t.Context(), func(tx store.Tx) error {
		r, err := tx.Room(v.ID)
		if err != nil {
			return err
		}
		s, err := room.Parse(r.State)
		if c := s.Settings; c.Delay != time.Minute || c.Pause != 7500*time.Millisecond || c.Grace != 90*time.Second {
			t.Errorf("stored are %+v", c)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	set := contest.Config{}
	set.Rules.Stall, set.Rules.NoDraw = 90*time.Second, true
	text, err := json.Marshal(set.Shown().Rules)
	if want := `{"noDraw":true,"stall":90}`; err != nil || string(text) != want {
		t.Errorf("rules are shown as %s, want %s", text, want)
	}
}
