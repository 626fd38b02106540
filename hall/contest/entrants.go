package contest

import (
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/refuse"
	"kibitz/tournament"
)

// Entrants are the engines of a tournament: the list of those that were entered, and
// which of them the engines of the schedule are.
type Entrants struct {
	Entries []Entry
	// left are entries that were taken off the list before the start.
	left map[int]bool
	// field are the numbers of entries by that of the engine in the schedule; gone
	// tells how an engine of the schedule withdrew.
	field []int
	gone  map[int]tournament.Remaining
}

// Present returns the entries that have not been taken off the list.
func (t *Entrants) Present() []Entry {
	return slices.DeleteFunc(slices.Clone(t.Entries), func(e Entry) bool { return t.left[e.Number] })
}

// EntryOf returns the entry of an engine of the schedule.
func (t *Entrants) EntryOf(engine int) *Entry { return &t.Entries[t.field[engine]-1] }

// EngineOf returns the engine of the schedule that an entry is, -1 if it is none.
func (t *Entrants) EngineOf(number int) int { return slices.Index(t.field, number) }

// entry returns an entry that is on the list, by its number.
func (t *Entrants) entry(number int) (*Entry, error) {
	if number < 1 || number > len(t.Entries) || t.left[number] {
		return nil, refuse.Invalid("there is no entry %d", number).Because(game.WhyChoice)
	}
	return &t.Entries[number-1], nil
}

// freeName returns a name that no entry has.
func (t *Entrants) freeName(name string) string {
	free := name
	for n := 2; slices.ContainsFunc(t.Entries, func(x Entry) bool { return strings.EqualFold(x.Name, free) }); n++ {
		free = name + "#" + strconv.Itoa(n)
	}
	return free
}

// enteredBy counts the entries on the list that are an account's.
func (t *Entrants) enteredBy(user int64) (n int) {
	for _, x := range t.Entries {
		if x.User == user && !t.left[x.Number] {
			n++
		}
	}
	return n
}

func (t *Entrants) engineName(engine int) string {
	if engine < 0 || engine >= len(t.field) {
		return ""
	}
	return t.nameOf(t.field[engine])
}

func (t *Entrants) nameOf(number int) string {
	if number < 1 || number > len(t.Entries) {
		return ""
	}
	return t.Entries[number-1].Name
}

// Named returns the entries in play that are one program each of the hall's workers.
func (t *Entrants) Named() []Entry {
	return slices.DeleteFunc(t.Present(), func(e Entry) bool { return e.Kind != bus.EngineSeat || e.Hash == "" })
}

// program settles which program an entry is.
func (t *Entrants) program(e *Event) error {
	if e.Entry == nil || e.Entry.Number < 1 || e.Entry.Number > len(t.Entries) || e.Entry.Hash == "" {
		return broken(e, "it names no entry and no program")
	}
	x := &t.Entries[e.Entry.Number-1]
	if x.Hash != "" {
		return broken(e, "entry %d is a program already", x.Number)
	}
	x.Hash = e.Entry.Hash
	return nil
}
