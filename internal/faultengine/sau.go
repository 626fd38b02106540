package main

import "strings"

// sau plays NoGo, Connect6 or Phantom Go in scan order: the first points that it does
// not know to be taken.
type sau struct {
	f       *faults
	game    string
	size    int
	taken   map[string]bool
	attempt string // in Phantom Go, what was answered last
	turns   int
}

func newSAU(f *faults, game string) *sau {
	s := &sau{f: f, game: game, size: 9, taken: map[string]bool{}}
	if game == "connect6" {
		s.size = 19
	}
	return s
}

func (s *sau) handle(line string) bool {
	word, arg, _ := strings.Cut(line, " ")
	switch word {
	case "name?":
		if s.f.ready() && (s.f.mode != "nameonce" || s.turns == 0) {
			s.f.out.say("name fault")
		}
	case "new":
		s.taken, s.attempt, s.turns = map[string]bool{}, "", 0
		if arg == "black" {
			s.f.move()
		}
	case "move":
		s.turns++
		if s.f.mode == "crashonnone" && strings.Contains(arg, "@@") {
			s.f.die("KILL")
		}
		for i := 0; s.game != "phantomgo" && i+1 < len(arg); i += 2 {
			s.taken[arg[i:i+2]] = true
		}
		s.f.move()
	case "accept":
		s.taken[s.attempt] = true
	case "refuse":
		s.taken[s.attempt] = true // not again
		s.f.move()
	case "taked":
		_, list, _ := strings.Cut(arg, " ")
		for i := 0; i+1 < len(list); i += 2 {
			delete(s.taken, list[i:i+2])
		}
	case "error":
		if s.f.mode == "neverresend" {
			s.f.out.say("Sorry, that was an error")
			return true
		}
		s.f.move()
	case "end":
		switch s.f.mode {
		case "exitonend":
			s.f.out.say("Quit!")
			return false
		case "crashonend":
			s.f.die("KILL")
		}
	case "quit":
		s.f.out.say("Quit!")
		return s.f.mode == "noterm"
	}
	return true
}

// legal chooses the first point, or two in Connect6, and returns its line.
func (s *sau) legal() string {
	n := 1
	if s.game == "connect6" && (s.turns > 0 || len(s.taken) > 0) {
		n = 2
	}
	text := ""
	for i := 0; i < s.size*s.size && n > 0; i++ {
		if at := string([]byte{'A' + byte(i%s.size), 'A' + byte(i/s.size)}); !s.taken[at] {
			text += at
			s.attempt = at
			if s.taken[at] = s.game != "phantomgo"; s.taken[at] {
				s.turns++
			}
			n--
		}
	}
	switch {
	case text == "" && s.game == "phantomgo":
		text = "pass"
	case s.game == "connect6" && len(text) == 2:
		text += "@@"
	}
	return "move " + text
}

func (s *sau) illegal() string { return "move ZZZZ" }

func (s *sau) occupied() string {
	for i := range s.size * s.size {
		if at := string([]byte{'A' + byte(i%s.size), 'A' + byte(i/s.size)}); s.taken[at] {
			return "move " + at + at
		}
	}
	return s.illegal()
}

func (s *sau) stray() (move, reply string) { return "move CC", "name stray" }
