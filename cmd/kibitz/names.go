package main

import "strconv"

// uniqueNames returns the engines' names, made different where they are equal.
func uniqueNames(engines []*engineSpec) []string {
	given := map[string]int{}
	for _, e := range engines {
		given[e.Name]++
	}
	taken := map[string]bool{}
	out := make([]string, len(engines))
	for i, e := range engines {
		name := e.Name
		for n := 2; taken[name] || name != e.Name && given[name] > 0; n++ {
			name = e.Name + "#" + strconv.Itoa(n)
		}
		taken[name] = true
		out[i] = name
	}
	for i, e := range engines {
		e.Name = out[i]
	}
	return out
}

// sharePlace tells people that they are not alone at this terminal.
func sharePlace(engines []*engineSpec) {
	people := 0
	for _, e := range engines {
		if e.Human {
			people++
		}
	}
	for _, e := range engines {
		e.Shared = e.Human && people > 1
	}
}
