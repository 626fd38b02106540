package wthor_test

import (
	"fmt"
	"slices"
	"testing"

	"kibitz/record"
	"kibitz/record/wthor"
)

func TestFromRecords(t *testing.T) {
	list := []*record.Game{
		{Spec: "othello", Names: [2]string{"Ann", ""}, Event: "Cup", Date: "2024-05-01"},
		{Spec: "othello", Names: [2]string{"Bea", "Ann"}, Date: "2024"},
	}
	b, players, events, err := wthor.FromRecords(list)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(players.List, []string{"???", "Ann", "Bea"}) || !slices.Equal(events.List, []string{"???", "Cup"}) || b.Header.GameYear != 2024 {
		t.Errorf("%q %q %d", players.List, events.List, b.Header.GameYear)
	}
	g, err := b.Record(1, players, events)
	if err != nil || g.Names != [2]string{"Bea", "Ann"} || g.Date != "2024" {
		t.Errorf("%+v %v", g, err)
	}
	list[0].Date = "2023-12-31"
	if b, _, _, err := wthor.FromRecords(list); err != nil || b.Header.GameYear != 0 {
		t.Errorf("games of two years: %d %v", b.Header.GameYear, err)
	}
	many := make([]*record.Game, 40_000)
	for i := range many {
		many[i] = &record.Game{Spec: "othello", Names: [2]string{fmt.Sprint("a", i), fmt.Sprint("b", i)}}
	}
	if _, _, _, err := wthor.FromRecords(many); err == nil {
		t.Error("80,000 names were numbered in 16 bits")
	}
}
