package report

// head is a column of the list of games.
type head struct {
	Name   string
	Key    int
	Number bool
}

// Heads are the columns of the list of games.
func (p *page) Heads() []head {
	var out []head
	for i, name := range []string{
		"Game", "Round", "First seat", "Second seat", "Result", "Reason", "Decisions", "Time, first", "second", "Lateness", "Transmission",
		"Opening", "Files",
	} {
		out = append(out, head{name, i, i == 1 || i == 4 || i >= 6 && i <= 10})
	}
	return out
}

// Empty names the columns that say nothing in this run, as classes of the list.
func (p *page) Empty() string {
	late, transit, opening, rounds := true, true, true, true
	for _, g := range p.Games {
		late, transit, opening, rounds = late && g.Late == 0, transit && g.Transit == 0, opening && g.Opening == "", rounds && g.Round <= 1
	}
	out := ""
	for _, x := range []struct {
		none bool
		name string
	}{{rounds, "no-round "}, {late, "no-late "}, {transit, "no-transit "}, {opening, "no-opening "}} {
		if x.none {
			out += x.name
		}
	}
	return out
}
