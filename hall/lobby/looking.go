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

	mu    sync.Mutex
	rooms map[string]*crowd
}

// crowd is who has the page of one room open. What is told of it is made again only when it has changed:
// each of ten thousand pages asks for it with each sign of life.
type crowd struct {
	pages map[string]Look
	ends  time.Time // before which no page ends without a word
	turns int       // how often somebody has come or gone
	told  int       // the turns of which what follows is true

	strangers int           // pages of those without an account
	named     []room.Person // accounts, each once, by their names
}

// leave drops the pages of which nothing has been heard for too long.
func (c *crowd) leave(now time.Time) {
	if !now.After(c.ends) {
		return
	}
	n := len(c.pages)
	maps.DeleteFunc(c.pages, func(_ string, x Look) bool { return now.After(x.until) })
	c.turns += n - len(c.pages)
	c.ends = now.Add(lookingFor)
	for _, x := range c.pages {
		if x.until.Before(c.ends) {
			c.ends = x.until
		}
	}
}

// count makes again what is told, if it has changed.
func (c *crowd) count() {
	if c.told == c.turns {
		return
	}
	c.told, c.strangers = c.turns, 0
	all := map[int64]room.Person{}
	for _, x := range c.pages {
		if x.User == 0 {
			c.strangers++
			continue
		}
		all[x.User] = room.Person{ID: x.User, Name: x.Name, Guest: x.Guest, Here: true}
	}
	c.named = slices.SortedFunc(maps.Values(all), func(a, b room.Person) int { return cmp.Compare(a.Name, b.Name) })
}

// note takes up what is told of a page; it reports whether that is new, how many pages of its room are open,
// and how often somebody has come or gone there.
func (l *Audience) note(x Look, now time.Time) (fresh bool, n, turns int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.rooms[x.Room]
	if c == nil {
		if c = (&crowd{pages: map[string]Look{}, ends: now.Add(lookingFor)}); !x.Gone {
			l.rooms[x.Room] = c
		}
	}
	c.leave(now)
	_, known := c.pages[x.ID]
	x.until = now.Add(lookingFor)
	if c.pages[x.ID] = x; x.Gone {
		delete(c.pages, x.ID)
	}
	if fresh = known == x.Gone; fresh {
		c.turns++
	}
	if len(c.pages) == 0 {
		delete(l.rooms, x.Room)
	}
	return fresh, len(c.pages), c.turns
}

// Opens returns a page of a room that the caller opens, for Looks.
func (l *Audience) Opens(ctx context.Context, id string) Look {
	by := ActorOf(ctx)
	return Look{Room: id, ID: store.NewID(l.cfg.Random, 12), User: by.ID, Name: by.Name, Guest: by.Guest}
}

// Looks tells that a page is open, again and again, or is no longer. It returns another number when somebody
// has come or gone since: of many who look on, each page finds that out with its own signs of life.
func (l *Audience) Looks(ctx context.Context, x Look, on bool) int {
	x.Gone = !on
	fresh, n, turns := l.note(x, l.cfg.Now())
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
	return turns
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
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.rooms[v.ID]
	if c == nil {
		return
	}
	if c.leave(l.cfg.Now()); len(c.pages) == 0 {
		delete(l.rooms, v.ID)
	}
	c.count()
	v.Watching = c.strangers
	for _, p := range c.named {
		if places := v.Room.Places; p.ID == places[0].User || p.ID == places[1].User {
			continue
		}
		if v.Watching++; len(v.Spectators) < mostNamed {
			v.Spectators = append(v.Spectators, p)
		}
	}
}
