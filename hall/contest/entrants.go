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

// entry returns an entry that is on the list, by its number, which stands at a place of a command.
func (t *Entrants) entry(place string, number int) (*Entry, error) {
	if number == 0 {
		return nil, refuse.Value(place, "%s is missing: the number of an entry", place).Because(game.WhyChoice)
	}
	if number < 1 || number > len(t.Entries) || t.left[number] {
		return nil, refuse.Value(place, "there is no entry %d", number).Because(game.WhyChoice)
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

// lookedAhead is how many games of the schedule ToMeet looks at.
const lookedAhead = 1000

// ToMeet returns the pairs of the hall's engines that are still to meet, each pair of programs
// once: before the start whom the format may pair, later who plays the next games that are not
// handed out, as far as they are known.
func (s *State) ToMeet() (out [][2]Entry) {
	seen := map[[4]string]bool{}
	add := func(a, b *Entry) {
		if a.Kind != bus.EngineSeat || b.Kind != bus.EngineSeat || a.Engine == b.Engine {
			return
		}
		if a.Engine > b.Engine {
			a, b = b, a
		}
		if key := [4]string{a.Engine, a.Hash, b.Engine, b.Hash}; !seen[key] {
			seen[key] = true
			out = append(out, [2]Entry{*a, *b})
		}
	}
	switch s.Phase {
	case Entering:
		list := s.Present()
		seeds := len(list)
		if s.Settings.Format == tournament.Gauntlet {
			seeds = max(1, s.Settings.Seeds)
		}
		for i := range list {
			for k := i + 1; k < len(list) && i < seeds; k++ {
				if k >= seeds || s.Settings.Format != tournament.Gauntlet {
					add(&list[i], &list[k])
				}
			}
		}
	case Playing:
		looked := 0
		for i := 0; looked < lookedAhead; i++ {
			if _, known := s.latest[i]; known {
				continue
			}
			p, ok := s.director.Find(i)
			if !ok {
				break
			}
			if looked++; p.Award == tournament.Played {
				add(s.EntryOf(p.First), s.EntryOf(p.Second))
			}
		}
	}
	return out
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
