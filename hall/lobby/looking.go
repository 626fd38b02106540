package lobby

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"kibitz/hall/play"
	"kibitz/hall/problem"
	"kibitz/hall/room"
	"kibitz/hall/store"
)

// lookingTopic is where halls tell each other who has the page of a room open.
const lookingTopic = "looking"

const (
	// lookingFor is how long a page counts as open without a sign, fewLook how many may look on for all of them
	// to be told at once of who comes and goes: of more they are told with the next sign of their own.
	lookingFor, fewLook = 3 * play.Heartbeat, 20
	// mostNamed is how many of them have their names told.
	mostNamed = 200
)

// Look is a page of a room that somebody has open; User is 0 for who has no account.
type Look struct {
	Room  string `json:"room"`
	ID    string `json:"id"`
	User  int64  `json:"user,omitempty"`
	Name  string `json:"name,omitempty"`
	Guest bool   `json:"guest,omitempty"`
	Gone  bool   `json:"gone,omitempty"`

	until time.Time
}

// Audience knows who has pages of rooms open, in all halls.
type Audience struct {
	cfg *RoomsConfig

	mu sync.Mutex
	// rooms are the pages by their rooms and identifiers.
	rooms map[string]map[string]Look
}

// note takes up what is told of a page; it reports whether that is new, and how many pages of its room are open.
func (l *Audience) note(x Look, now time.Time) (fresh bool, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	open := l.rooms[x.Room]
	maps.DeleteFunc(open, func(_ string, y Look) bool { return now.After(y.until) })
	_, known := open[x.ID]
	if x.Gone {
		delete(open, x.ID)
	} else {
		if open == nil {
			open = map[string]Look{}
			l.rooms[x.Room] = open
		}
		x.until = now.Add(lookingFor)
		open[x.ID] = x
	}
	if len(open) == 0 {
		delete(l.rooms, x.Room)
	}
	return known == x.Gone, len(open)
}

// of are the pages of a room that are open.
func (l *Audience) of(id string) (out []Look) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.cfg.Now()
	for _, x := range l.rooms[id] {
		if !now.After(x.until) {
			out = append(out, x)
		}
	}
	return out
}

// Opens returns a page of a room that the caller opens, for Looks.
func (l *Audience) Opens(ctx context.Context, id string) Look {
	by := ActorOf(ctx)
	return Look{Room: id, ID: store.NewID(l.cfg.Random, 12), User: by.ID, Name: by.Name, Guest: by.Guest}
}

// Looks tells that a page is open, again and again, or is no longer.
func (l *Audience) Looks(ctx context.Context, x Look, on bool) {
	x.Gone = !on
	fresh, n := l.note(x, l.cfg.Now())
	data, err := json.Marshal(x)
	if err == nil {
		err = l.cfg.Bus.Publish(lookingTopic, data)
	}
	if err != nil {
		l.cfg.Log.DebugContext(ctx, "other halls were not told who looks on", "room", x.Room, "error", problem.OneLine(err))
	}
	if fresh && n <= fewLook {
		l.cfg.Dispatcher.Wake("room." + x.Room)
	}
}

// heard takes up what another hall, or this one, tells of a page.
func (l *Audience) heard(data []byte) {
	var x Look
	if json.Unmarshal(data, &x) == nil && x.Room != "" && x.ID != "" {
		l.note(x, l.cfg.Now())
	}
}

// addTo adds who looks on in a room to what is seen of it: all who have its page open and no place, each
// account once, with the names of accounts.
func (l *Audience) addTo(v *RoomView) {
	places := v.Room.Places
	all := map[int64]room.Person{}
	for _, x := range l.of(v.ID) {
		switch {
		case x.User == 0:
			v.Watching++
		case x.User != places[0].User && x.User != places[1].User:
			all[x.User] = room.Person{ID: x.User, Name: x.Name, Guest: x.Guest, Here: true}
		}
	}
	v.Watching += len(all)
	v.Spectators = slices.SortedFunc(maps.Values(all), func(a, b room.Person) int { return cmp.Compare(a.Name, b.Name) })
	v.Spectators = v.Spectators[:min(len(v.Spectators), mostNamed)]
}
