package room

import (
	"kibitz/hall/bus"
	"kibitz/hall/refuse"
)

// Pair opens a room in which two people sit who have agreed to play: its host on the first
// place, the other one on the second. Their first game is handed out.
func Pair(set Settings, host, other Actor, e Env) (State, []Effect, error) {
	e.By = host
	s, err := Open(set, e)
	switch {
	case err != nil:
		return s, nil, err
	case host.ID == 0 || other.ID == 0 || host.ID == other.ID:
		return s, nil, refuse.Invalid("it takes two accounts to play")
	case set.Rated && other.Guest:
		return s, nil, refuse.Forbidden("guests play casual games only").Because("guestgame")
	}
	s.People = append(s.People, Person{ID: other.ID, Name: other.Name, Guest: other.Guest, Since: e.Now})
	for i, a := range [2]Actor{host, other} {
		s.Places[i] = Place{Kind: bus.PersonSeat, User: a.ID, Name: a.Name, Guest: a.Guest, Ready: true}
	}
	c := &change{State: &s, Env: e}
	if err := c.series(); err != nil {
		return s, nil, err
	}
	c.schedule()
	return s, c.effects, nil
}
