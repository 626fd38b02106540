package play

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/health"
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

// Queue is what a hall knows of the games that no worker has begun: for what they wait, and
// how many come before.
type Queue struct {
	// now is the time as a store keeps it.
	now    func() time.Time
	health *health.Monitor

	mu sync.Mutex
	// unsent are queued games whose job the bus has not taken.
	unsent map[string]bool
	// sent is since when this hall lets workers have the jobs of queued games.
	sent map[string]time.Time
	// waits says for what queued games wait that no worker can play.
	waits map[string]game.Why
	// ahead is how many games come before a queued one, lines how many wait for a place of
	// a kind.
	ahead, lines map[string]int
	// workers are those that lived at the latest sweep.
	workers Offers
	// lasted is how long the latest games took that were played in places of a kind.
	lasted map[string][]time.Duration
}

// It is told how long a wait may be by the median of so many games, as soon as so many are known.
const (
	gamesLooked = 20
	gamesKnown  = 5
)

// played takes how long a game took.
func (q *Queue) played(g *store.Game) {
	w, err := WorkOf(g)
	if err != nil || g.State != store.Over || g.Begun.IsZero() {
		return
	}
	place := queuedOf(g, &w).place
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lasted[place] = append(q.lasted[place], g.Ended.Sub(g.Begun))
	q.lasted[place] = q.lasted[place][max(0, len(q.lasted[place])-gamesLooked):]
}

// About is how long a game will wait that so many come before, by how long the latest ones took
// and how many are played at a time: 0 if that is not known.
func (q *Queue) About(place string, before int) time.Duration {
	q.mu.Lock()
	defer q.mu.Unlock()
	slots := 0
	for i := range q.workers {
		slots += q.workers[i].Slots
	}
	if place == bus.PlaceProgram {
		slots *= bus.ProgramsPerSlot
	}
	list := q.lasted[place]
	if slots == 0 || len(list) < gamesKnown {
		return 0
	}
	median := slices.Sorted(slices.Values(list))[len(list)/2]
	return median * time.Duration(before+1) / time.Duration(slots)
}

// line finds how many games come before each of a queue: those that wait for a place of the
// same kind and were there earlier. It returns the rooms of those whose number is another one.
func (q *Queue) line(list []queuedGame) (rooms []string) {
	slices.SortStableFunc(list, func(a, b queuedGame) int { return cmp.Or(a.told.Compare(b.told), cmp.Compare(a.id, b.id)) })
	before, count := make(map[string]int, len(list)), map[string]int{}
	for i := range list {
		g := &list[i]
		before[g.id] = count[g.place]
		count[g.place]++
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	maps.DeleteFunc(q.sent, func(id string, _ time.Time) bool { _, queued := before[id]; return !queued })
	for i := range list {
		if g := &list[i]; g.room != "" && before[g.id] != q.ahead[g.id] {
			rooms = append(rooms, g.room)
		}
	}
	q.ahead, q.lines = before, count
	return rooms
}

// Before is how many games come before one in the queue, as the latest sweep saw it: all
// that wait for a place of the kind before one that is new in it.
func (q *Queue) Before(id, place string) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n, known := q.ahead[id]; known {
		return n
	}
	return q.lines[place]
}

// atOnce is how long a game that is the next one may take to begin without a word: whatever
// takes a second says for what it waits.
const atOnce = 700 * time.Millisecond

// Waits says for what a queued game waits, empty if for its turn alone.
func (q *Queue) Waits(id string) string { return q.WaitsFor(id).Text }

// WaitsFor is Waits as a code; the zero Why for its turn alone.
func (q *Queue) WaitsFor(id string) game.Why {
	q.mu.Lock()
	defer q.mu.Unlock()
	sent, was := q.sent[id]
	switch away, _ := q.health.Away(health.Queue); {
	case q.waits[id].Text != "":
		return q.waits[id]
	case away != nil:
		return game.Why{Code: bus.WhyQueue, Text: "waiting: " + away.Text()}
	case q.unsent[id]:
		return game.Why{Code: bus.WhyQueue, Text: unsentText}
	case was && q.ahead[id] == 0 && q.now().Sub(sent) >= atOnce:
		return game.Why{Code: bus.WhyWorker, Text: "waiting: no worker has begun the game yet"}
	}
	return game.Why{}
}

// Living are the workers as the latest sweep saw them.
func (q *Queue) Living() Offers {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.workers
}
