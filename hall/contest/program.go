package contest

import (
	"slices"

	"kibitz/hall/bus"
)

// Unnamed returns the entries in play that may still be any program of their name. Which
// one is settled before their first game (Program), and stays.
func (s *State) Unnamed() []Entry {
	if s.Phase != Playing {
		return nil
	}
	var out []Entry
	for i, n := range s.field {
		if e := s.EntryOf(i); e.Kind == bus.EngineSeat && e.Hash == "" {
			if _, gone := s.gone[n]; !gone {
				out = append(out, *e)
			}
		}
	}
	return out
}

// Named returns the entries in play that are one program each of the hall's workers.
func (s *State) Named() []Entry {
	return slices.DeleteFunc(s.Present(), func(e Entry) bool { return e.Kind != bus.EngineSeat || e.Hash == "" })
}

// program settles which program an entry is.
func (s *State) program(e *Event) error {
	if e.Entry == nil || e.Entry.Number < 1 || e.Entry.Number > len(s.Entries) || e.Entry.Hash == "" {
		return broken(e, "it names no entry and no program")
	}
	x := &s.Entries[e.Entry.Number-1]
	if x.Hash != "" {
		return broken(e, "entry %d is a program already", x.Number)
	}
	x.Hash = e.Entry.Hash
	return nil
}
