package results_test

import (
	"fmt"
	"slices"
	"testing"

	"kibitz/game"
	"kibitz/rating/results"
	"kibitz/record"
)

func add(p *results.Pool, first, second string, points float64, opening string) {
	g := &record.Game{Names: [2]string{first, second}, Tags: []record.Tag{{Key: "opening", Value: opening}}}
	p.Add(g, &game.Result{Points: [2]float64{points, 1 - points}}, true)
}

// Two games of an opening with seats exchanged are a pair; who has the lower number is
// seen first.
func ExamplePool() {
	p := results.New()
	add(p, "Ann", "Bob", 1, "1")
	add(p, "Bob", "Ann", 0.5, "1")
	add(p, "Ann", "Bob", 0, "2")
	pairs, _ := p.Pairs(p.Number("Bob"), p.Number("Ann"))
	fmt.Println(pairs.N, p.Halves(), results.Between(p.Duels(), 0, 1).N)
	// Output: [0 1 0 0 0] 1 [1 1 1]
}

// What does not count is told by its reason.
func TestLeft(t *testing.T) {
	p := results.New()
	p.Add(&record.Game{Names: [2]string{"a", "b"}}, nil, false)
	add(p, "", "b", 1, "")
	add(p, "a", "a", 1, "")
	if p.Len() != 0 || p.Left != (results.Left{Unfinished: 1, Nameless: 1, Alone: 1}) {
		t.Errorf("%d %+v", p.Len(), p.Left)
	}
}

// Games whose record does not say their group have none.
func TestGroups(t *testing.T) {
	p := results.New()
	add(p, "a", "b", 1, "")
	add(p, "b", "a", 1, "x")
	for by, want := range map[results.Group][]string{
		results.ByOpening: {"x"}, results.BySeat: {"a first", "b first"}, results.ByPair: {"a - b"}, results.ByHost: nil,
	} {
		if list, names := p.Observed(by); !slices.Equal(names, want) || len(list) != 2 || by == results.ByOpening && list[0].Group != -1 {
			t.Errorf("%s: %v %+v", by, names, list)
		}
	}
}
