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
	// asked: SWAP2BOARD with so many stones is to be answered, by a colour or stones; else -1.
	// refused: what came so far is that it cannot be.
	asked   int
	refused bool
	// swap2: the stones that are being told are those of SWAP2BOARD.
	swap2 bool
}

func hear(h *record.Hearing, lines []record.Said) {
	o := overheard{Hearing: h, asked: -1}
	for _, s := range lines {
		if o.asked >= 0 && o.chosen(s) {
			continue
		}
		c := ParseCommand([]byte(s.Text))
		switch {
		case c.Verb == NoVerb || c.Verb == StoneLine && c.Bad:
		case o.stones != nil && c.Verb == StoneLine:
			o.stones = append(o.stones, c)
		case o.stones != nil && c.Verb == Done:
			o.board(s.Line)
		case c.Verb == StoneLine:
			if h.Known > 0 && c.Field == 0 {
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
		switch c.Verb {
		case Restart:
			o.Begin()
		case Board, YxBoard, Swap2Board:
			o.stones, o.swap2, o.asked = []Command{}, c.Verb == Swap2Board, -1
		}
	case Turn, Takeback:
		if c.Bad {
			if o.Known > 0 {
				o.Fail(s.Line, "%q: two numbers from 0 with a comma between them were due", clip([]byte(s.Text)))
			}
			return
		}
		o.Known++
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

// chosen is an answer to SWAP2BOARD; what engines say besides is none.
func (o *overheard) chosen(s record.Said) bool {
	r := ParseReply([]byte(s.Text))
	o.refused = o.refused || r.Kind == Error || r.Kind == Unknown
	if r.Kind != Coords && r.Kind != Swap || s.Mark == '>' {
		return false
	}
	steps, ok := swapSteps(make([]game.Move, 0, 1+MaxCoords), &r, o.asked)
	if !ok && o.refused { // it answers something else, and is asked again or helped
		o.asked = -1
		return true
	}
	if !ok {
		o.Fail(s.Line, "SWAP2BOARD with %d stones was answered by %q: %s", o.asked, clip([]byte(s.Text)), swapDue(o.asked))
	}
	o.Turn(s.Line, steps...)
	o.asked = -1
	return true
}

// board is a position that was told, in the order in which it came about where it can be so: own stones
// are those of who is to move. SWAP2BOARD tells no owners: there the stones are in their order.
func (o *overheard) board(line int) {
	var own, their, all []game.Move
	for i := range o.stones {
		c := &o.stones[i]
		m := game.PlaceAt(c.At)
		switch {
		case o.swap2:
			all = append(all, m)
		case c.Field == OwnStone:
			own = append(own, m)
		case c.Field == TheirStone:
			their = append(their, m)
		}
	}
	o.stones = nil
	first, second := own, their
	if len(their) > len(own) {
		first, second = their, own
	}
	if len(first)-len(second) > 1 {
		o.Fail(line, "BOARD has %d stones of one and %d of the other", len(first), len(second))
		return
	}
	for i := range first {
		all = append(all, first[i])
		if i < len(second) {
			all = append(all, second[i])
		}
	}
	if o.swap2 {
		o.asked, o.refused = len(all), false
		o.Option("opening", "swap2")
	}
	if o.asked == 0 {
		o.Begin()
		return
	}
	g := &record.Game{Spec: o.Spec, Line: 1}
	for _, m := range o.decisions(all) {
		g.Steps = append(g.Steps, record.Step{By: game.Nobody, Move: m, Line: line})
	}
	o.Become(g)
}

// decisions are stones with the choices of swap2 between them: those that were heard, else those that
// follow from how many stones lie before whoever is asked.
func (o *overheard) decisions(stones []game.Move) (list []game.Move) {
	if !strings.Contains(string(o.Spec), "opening=swap2") {
		return stones
	}
	var heard []game.Move
	if n := len(o.Games); n > 0 {
		for _, s := range o.Games[n-1].Steps {
			if s.Move.Op == game.Choose {
				heard = append(heard, s.Move)
			}
		}
	}
	more, choices := game.ChooseArg(game.Swap2More), 0
	for n := 0; ; n++ {
		if n == 3 && choices == 0 || n == 5 && choices == 1 && list[3] == more {
			choice := game.ChooseArg(game.Swap2Stay)
			switch last := n == len(stones); {
			case last && o.swap2:
				return list
			case choices < len(heard):
				choice = heard[choices]
			case last:
				choice = game.ChooseArg(game.Swap2Swap)
			case o.swap2:
				choice = more
			}
			list, choices = append(list, choice), choices+1
		}
		if n == len(stones) {
			return list
		}
		list = append(list, stones[n])
	}
}
