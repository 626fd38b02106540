package main

import (
	"fmt"
	"strings"
)

// piskvork plays five in a row: the first empty point in scan order.
type piskvork struct {
	f          *faults
	width      int
	height     int
	taken      map[[2]int]int
	inBoard    bool
	last       [2]int
	haveStones bool
}

func newPiskvork(f *faults) *piskvork {
	return &piskvork{f: f, width: 15, height: 15, taken: map[[2]int]int{}}
}

func (p *piskvork) reset(w, h int) {
	p.width, p.height, p.taken, p.haveStones = w, h, map[[2]int]int{}, false
}

func (p *piskvork) handle(line string) bool {
	if p.inBoard {
		p.boardLine(line)
		return true
	}
	word, arg, _ := strings.Cut(line, " ")
	var x, y int
	switch strings.ToUpper(word) {
	case "START":
		if _, err := fmt.Sscanf(arg, "%d", &x); err != nil || x < 5 || x > 127 {
			p.f.out.say("ERROR unsupported size")
			return true
		}
		p.reset(x, x)
		p.ok()
	case "RECTSTART":
		if _, err := fmt.Sscanf(arg, "%d,%d", &x, &y); err != nil {
			p.f.out.say("ERROR unsupported size")
			return true
		}
		p.reset(x, y)
		p.ok()
	case "RESTART":
		p.reset(p.width, p.height)
		p.ok()
	case "BEGIN":
		p.f.move()
	case "TURN":
		if _, err := fmt.Sscanf(arg, "%d,%d", &x, &y); err != nil {
			p.f.out.sayf("ERROR bad coordinates %q", arg)
			return true
		}
		p.put(x, y, 2)
		p.f.move()
	case "BOARD":
		p.taken = map[[2]int]int{}
		p.inBoard = true
	case "TAKEBACK":
		if _, err := fmt.Sscanf(arg, "%d,%d", &x, &y); err == nil {
			delete(p.taken, [2]int{x, y})
		}
		p.ok()
	case "ABOUT":
		if p.f.ready() {
			p.f.out.say(`name="fault", version="1", author="tests"`)
		}
	case "END":
		return p.f.mode == "noterm"
	case "INFO":
	default:
		p.f.out.sayf("UNKNOWN %s", word)
	}
	return true
}

func (p *piskvork) ok() {
	if p.f.ready() {
		p.f.out.say("OK")
	}
}

func (p *piskvork) boardLine(line string) {
	if line == "DONE" {
		p.inBoard = false
		p.f.move()
		return
	}
	var x, y, f int
	if _, err := fmt.Sscanf(line, "%d,%d,%d", &x, &y, &f); err == nil {
		p.put(x, y, f)
	}
}

func (p *piskvork) put(x, y, who int) {
	p.taken[[2]int{x, y}] = who
	p.last, p.haveStones = [2]int{x, y}, true
}

// legal chooses a point, plays it and returns its line.
func (p *piskvork) legal() string {
	for i := range p.width * p.height {
		x, y := i%p.width, i/p.width
		if _, there := p.taken[[2]int{x, y}]; !there {
			p.put(x, y, 1)
			return fmt.Sprintf("%d,%d", x, y)
		}
	}
	return "ERROR the board is full"
}

func (p *piskvork) illegal() string { return fmt.Sprintf("%d,3", p.width+84) }

func (p *piskvork) occupied() string {
	if !p.haveStones {
		return p.illegal()
	}
	return fmt.Sprintf("%d,%d", p.last[0], p.last[1])
}

func (p *piskvork) stray() (move, reply string) { return "3,3", "OK" }
