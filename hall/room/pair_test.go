package room

import (
	"errors"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/refuse"
)

// Two people who have agreed sit and play; who begins is as the host has asked.
func TestPair(t *testing.T) {
	ann, bob := Actor{ID: 1, Name: "Ann"}, Actor{ID: 2, Name: "Bob", Guest: true}
	env := Env{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), ID: "g", Coin: 1}
	set := Defaults("othello")
	set.Access, set.Clocks = Private, [2]string{"600+5", "600+5"}
	for begins, first := range map[Begins]int{HostBegins: 0, OtherBegins: 1, RandomBegins: 1} {
		set.Begins = begins
		s, effects, err := Pair(set, ann, bob, env)
		if err != nil {
			t.Fatal(err)
		}
		if s.Phase != Playing || s.Host != 1 || s.Game == nil || s.Game.First != first || s.Game.ID != "g" || len(s.People) != 2 || !s.Due.IsZero() {
			t.Errorf("%s: %+v", begins, s)
		}
		if s.PlaceOf(1) != 0 || s.PlaceOf(2) != 1 || s.Game.Seat(s.PlaceOf(1)) != game.Seat(first) {
			t.Errorf("%s: the places are %+v", begins, s.Places)
		}
		if len(effects) != 1 || effects[0].Add == nil || effects[0].Add.Places[first].User != 1 || effects[0].Add.Clocks[0] != "600+5" {
			t.Errorf("%s: %+v", begins, effects)
		}
	}
	set.Rated, set.Undo = true, false
	for name, c := range map[string]struct {
		host, other Actor
		want        error
	}{
		"a guest in a rated game":       {ann, bob, refuse.ErrForbidden},
		"a guest asks for a rated game": {bob, ann, refuse.ErrForbidden},
		"with oneself":                  {ann, ann, refuse.ErrInvalid},
		"with nobody":                   {ann, Actor{}, refuse.ErrInvalid},
	} {
		if _, effects, err := Pair(set, c.host, c.other, env); !errors.Is(err, c.want) || effects != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
