package piskvork

import (
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// Console reads games out of what passed between a manager and brains.
func Console() record.Console {
	return record.Console{Protocol: "Piskvork", Games: []string{GameID}, Hear: hear}
}

// overheard is a conversation as it goes on.
type overheard struct {
	*record.Hearing
	// stones are those of a BOARD that is being told, nil outside.
	stones []Command
	// choosing: what brains answer are colours and stones of swap2, which BOARD tells when it is over.
	choosing bool
}

func hear(h *record.Hearing, lines []record.Said) {
	o := overheard{Hearing: h}
	for _, s := range lines {
		c := ParseCommand([]byte(s.Text))
		switch {
		case c.Verb == NoVerb || c.Verb == StoneLine && c.Bad:
		case o.stones != nil && c.Verb == StoneLine:
			o.stones = append(o.stones, c)
		case o.stones != nil && c.Verb == Done:
			o.board(s.Line)
		case c.Verb == StoneLine:
			if h.Known > 0 && c.Field == 0 && !o.choosing {
				h.Turn(s.Line, game.PlaceAt(c.At))
			}
		default:
			o.command(s, &c)
		}
	}
}

// alone tells that a word is the whole line: else it is prose.
func alone(text string) bool { return !strings.ContainsAny(strings.TrimSpace(text), " \t") }

// command is a line of the manager. One of another case is prose, unless it has what belongs to it.
func (o *overheard) command(s record.Said, c *Command) {
	switch c.Verb {
	case Start, RectStart:
		if c.Bad {
			return
		}
		o.Known++
		o.Begin()
		if c.W == c.H {
			o.Size(c.W)
		} else {
			o.Option("width", strconv.Itoa(c.W))
			o.Option("height", strconv.Itoa(c.H))
		}
	case Restart, Begin, Board, YxBoard, Swap2Board:
		if !alone(s.Text) {
			return
		}
		o.Known++
		o.choosing = c.Verb == Swap2Board
		switch c.Verb {
		case Restart:
			o.Begin()
		case Board, YxBoard:
			o.stones = []Command{}
		}
	case Turn, Takeback:
		if c.Bad {
			if o.Known > 0 {
				o.Fail(s.Line, "%q: two numbers from 0 with a comma between them were due", clip([]byte(s.Text)))
			}
			return
		}
		o.Known++
		o.choosing = false
		if c.Verb == Turn {
			o.Turn(s.Line, game.PlaceAt(c.At))
		} else if !o.Empty() {
			o.Back()
		}
	case Info:
		o.info(c)
	}
}

func (o *overheard) info(c *Command) {
	switch key := strings.ToLower(string(c.Key)); key {
	case "rule":
		n, err := strconv.Atoi(string(c.Value))
		name, continuous, _, ok := RuleCodes{}.Rule(n)
		if err != nil || !ok {
			return
		}
		o.Known++
		o.Option("rule", name)
		if continuous {
			o.Option("continuous", "true")
		}
	case "timeout_turn", "timeout_match", "time_left", "max_memory", "game_type":
		o.Known++
	}
}

// board is a position that was told, in the order in which it came about where it can be so: own stones
// are those of who is to move.
func (o *overheard) board(line int) {
	var own, their []game.Move
	for i := range o.stones {
		switch c := &o.stones[i]; c.Field {
		case OwnStone:
			own = append(own, game.PlaceAt(c.At))
		case TheirStone:
			their = append(their, game.PlaceAt(c.At))
		}
	}
	o.stones, o.choosing = nil, false
	first, second := own, their
	if len(their) > len(own) {
		first, second = their, own
	}
	if len(first)-len(second) > 1 {
		o.Fail(line, "BOARD has %d stones of one and %d of the other", len(first), len(second))
		return
	}
	g := &record.Game{Spec: o.Spec, Line: 1}
	for i := range first {
		g.Steps = append(g.Steps, record.Step{By: game.Nobody, Move: first[i], Line: line})
		if i < len(second) {
			g.Steps = append(g.Steps, record.Step{By: game.Nobody, Move: second[i], Line: line})
		}
	}
	o.Become(g)
}
