package engines

import (
	"strconv"
	"strings"
)

// UniqueNames returns the engines' names, made different where they are equal.
func UniqueNames(engines []*Spec) []string {
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

// SharePlace tells people that they are not alone at this terminal.
func SharePlace(engines []*Spec) {
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

// Named reads as much of an engine's words as its name needs; the engine need
// not exist any more.
func Named(words []string) *Spec {
	e := &Spec{Dialect: map[string]string{}}
	for _, w := range words {
		switch key, value, _ := strings.Cut(w, "="); key {
		case "cmd", "bot", "human", "name":
			e.setKnown(key, value, nil) //nolint:errcheck // it was good when the match began
		}
	}
	if e.Name == "" && (e.Human || e.Bot != "" || len(e.Cmd) > 0) {
		e.Name = e.DefaultName()
	}
	return e
}
