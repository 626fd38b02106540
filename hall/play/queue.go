package play

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/store"
)

// queuedGame is a game in the queue, as one sweep saw it.
type queuedGame struct {
	id, room string
	// place is the kind of place at a worker that it waits for.
	place string
	told  time.Time
}

func queuedOf(g *store.Game, w *Work) queuedGame {
	return queuedGame{g.ID, g.Room, bus.PlaceOf(w.Play.Seats[0].Kind, w.Play.Seats[1].Kind), g.Created}
}

// line finds how many games come before each of a queue: those that wait for a place of the
// same kind and were there earlier. It returns the rooms of those whose number is another one.
func (p *Dispatcher) line(list []queuedGame) (rooms []string) {
	slices.SortStableFunc(list, func(a, b queuedGame) int { return cmp.Or(a.told.Compare(b.told), cmp.Compare(a.id, b.id)) })
	before, count := make(map[string]int, len(list)), map[string]int{}
	for i := range list {
		g := &list[i]
		before[g.id] = count[g.place]
		count[g.place]++
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.sent, func(id string, _ time.Time) bool { _, queued := before[id]; return !queued })
	for i := range list {
		if g := &list[i]; g.room != "" && before[g.id] != p.ahead[g.id] {
			rooms = append(rooms, g.room)
		}
	}
	p.ahead, p.lines = before, count
	return rooms
}

// Before is how many games come before one in the queue, as the latest sweep saw it: all
// that wait for a place of the kind before one that is new in it.
func (p *Dispatcher) Before(id, place string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n, known := p.ahead[id]; known {
		return n
	}
	return p.lines[place]
}
