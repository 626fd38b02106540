package main

import (
	"regexp"
	"strings"
)

// nboard plays Othello: the first legal move in scan order. It understands the
// eight by eight board only.
type nboard struct {
	f     *faults
	cells [64]byte // '*', 'O' or '-'
	black bool     // black is on turn
}

func newNBoard(f *faults) *nboard {
	n := &nboard{f: f}
	n.reset("---------------------------O*------*O---------------------------", true)
	return n
}

func (n *nboard) reset(cells string, black bool) {
	copy(n.cells[:], cells)
	n.black = black
}

var (
	boardTag = regexp.MustCompile(`BO\[8 ([*O\-\s]+?)([*O])\]`)
	nameTag  = regexp.MustCompile(`P[BW]\[[^\]]*\]`) // of which a move is a part: W[pa
	moveTag  = regexp.MustCompile(`[BW]\[([A-Ha-h][1-8]|[Pp][Aa](?:[Ss][Ss])?)[^\]]*\]`)
)

func (n *nboard) handle(line string) bool {
	word, arg, _ := strings.Cut(line, " ")
	switch word {
	case "nboard":
		if n.f.ready() {
			n.f.out.say("set myname fault")
		}
	case "ping":
		if n.f.ready() {
			n.f.out.sayf("pong %s", arg)
		}
	case "set":
		if game, ok := strings.CutPrefix(arg, "game "); ok {
			n.setGame(game)
		}
	case "move":
		text, _, _ := strings.Cut(arg, "/")
		n.play(text)
	case "go":
		n.f.move()
	case "hint":
		n.f.out.sayf("search %s 0 0 1", n.first())
	case "learn":
		n.f.out.say("learned")
	case "quit":
		return n.f.mode == "noterm"
	}
	return true
}

func (n *nboard) setGame(ggf string) {
	if m := boardTag.FindStringSubmatch(ggf); m != nil {
		cells := strings.Join(strings.Fields(m[1]), "")
		if len(cells) == 64 {
			n.reset(cells, m[2] == "*")
		}
	}
	for _, m := range moveTag.FindAllStringSubmatch(nameTag.ReplaceAllString(ggf, ""), -1) {
		n.play(m[1])
	}
}

func (n *nboard) colours() (own, other byte) {
	if n.black {
		return '*', 'O'
	}
	return 'O', '*'
}

// flips returns the discs that a move to square s turns over.
func (n *nboard) flips(s int) []int {
	if n.cells[s] != '-' {
		return nil
	}
	own, other := n.colours()
	var all []int
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			var run []int
			x, y := s%8+dx, s/8+dy
			for (dx != 0 || dy != 0) && x >= 0 && x < 8 && y >= 0 && y < 8 && n.cells[y*8+x] == other {
				run = append(run, y*8+x)
				x, y = x+dx, y+dy
			}
			if len(run) > 0 && x >= 0 && x < 8 && y >= 0 && y < 8 && n.cells[y*8+x] == own {
				all = append(all, run...)
			}
		}
	}
	return all
}

func (n *nboard) play(text string) {
	text = strings.ToUpper(text)
	if !strings.HasPrefix(text, "PA") && len(text) >= 2 {
		s := int(text[1]-'1')*8 + int(text[0]-'A')
		if s < 0 || s > 63 {
			return
		}
		own, _ := n.colours()
		for _, t := range append(n.flips(s), s) {
			n.cells[t] = own
		}
	}
	n.black = !n.black
}

// first returns the first legal move of the position without playing it.
func (n *nboard) first() string {
	for s := range n.cells {
		if len(n.flips(s)) > 0 {
			return string([]byte{byte('A' + s%8), byte('1' + s/8)})
		}
	}
	return "PA"
}

func (n *nboard) legal() string { return "=== " + n.first() + "/0.00/0.01" }

func (n *nboard) illegal() string { return "=== Z9" }

func (n *nboard) occupied() string { return "=== D4" }

func (n *nboard) stray() (move, reply string) { return "=== C4/0.00/0.01", "pong 999" }
