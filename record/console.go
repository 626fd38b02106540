package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
)

// Console understands conversations with engines of one protocol, as logs and consoles keep
// them.
type Console struct {
	// Protocol is what people call it, Games are the identifiers of those that are played by it.
	Protocol string
	Games    []string
	// Hear follows the lines. What it does not know was not meant for it.
	Hear func(h *Hearing, lines []Said)
}

// Said is a line of a conversation, without what a log writes before it.
type Said struct {
	// Line is where it stands, from 1.
	Line int
	// Mark is '>' or '<', whichever the log writes for its direction; 0 where it tells none.
	Mark byte
	Text string
}

// Hearing is what was understood of a conversation so far.
type Hearing struct {
	// Spec is the game, with the options that are known by now; Width and Height are the size of
	// its usual board.
	Spec          game.Spec
	Width, Height int
	// Echoes tells that the conversations with both engines are heard: what one decided is told
	// to the other, so that a turn that comes twice is one.
	Echoes bool
	// Games are those that were heard; Known is how many lines were understood.
	Games []*Game
	Known int
	// Err is the first thing that cannot be read.
	Err error

	turns []turn // of the latest game
	// echoed tells that the latest turn has come twice.
	echoed bool
}

// turn is a turn of a game: its first step, and how many there are.
type turn struct{ from, n int }

// Begin lets a new game begin, if the latest one has.
func (h *Hearing) Begin() {
	if !h.Empty() {
		h.add(&Game{Spec: h.Spec, Line: 1})
	}
}

func (h *Hearing) add(g *Game) {
	h.Games, h.turns, h.echoed = append(h.Games, g), nil, false
}

// game is the one that is played.
func (h *Hearing) game() *Game {
	if len(h.Games) == 0 {
		h.add(&Game{Spec: h.Spec, Line: 1})
	}
	return h.Games[len(h.Games)-1]
}

// Empty tells that no turn of the game was heard.
func (h *Hearing) Empty() bool { return len(h.Games) == 0 || len(h.game().Steps) == 0 }

// Turn is a turn that somebody made. Behind what cannot be read nothing counts.
func (h *Hearing) Turn(line int, steps ...game.Move) {
	if h.Err != nil {
		return
	}
	g := h.game()
	if n := len(h.turns); h.Echoes && n > 0 && !h.echoed && h.same(h.turns[n-1], steps) {
		h.echoed = true
		return
	}
	h.turns, h.echoed = append(h.turns, turn{len(g.Steps), len(steps)}), false
	for _, m := range steps {
		g.Steps = append(g.Steps, Step{By: game.Nobody, Move: m, Line: line})
	}
}

func (h *Hearing) same(t turn, steps []game.Move) bool {
	had := h.game().Steps[t.from : t.from+t.n]
	return slices.EqualFunc(had, steps, func(s Step, m game.Move) bool { return s.Move == m })
}

// Back takes the latest turn back.
func (h *Hearing) Back() {
	if n := len(h.turns); n > 0 {
		g := h.game()
		g.Steps, h.turns, h.echoed = g.Steps[:h.turns[n-1].from], h.turns[:n-1], false
	}
}

// Become is a game that was told whole, each decision a turn. It takes the place of the latest one
// where one of the two goes on with the other.
func (h *Hearing) Become(g *Game) {
	if h.Err != nil {
		return
	}
	if old := h.game(); old.Start != g.Start && !h.Empty() || !goesOn(old.Steps, g.Steps) {
		h.add(g)
	}
	h.Games[len(h.Games)-1] = g
	h.turns, h.echoed = nil, false
	for i := range g.Steps {
		h.turns = append(h.turns, turn{i, 1})
	}
}

// goesOn tells that one of two lists begins as the other one is.
func goesOn(a, b []Step) bool {
	n := min(len(a), len(b))
	return slices.EqualFunc(a[:n], b[:n], func(x, y Step) bool { return x.Move == y.Move })
}

// Option is an option of the game that was told.
func (h *Hearing) Option(key, value string) {
	id, list, _ := strings.Cut(string(h.Spec), ":")
	var items []string
	for item := range strings.SplitSeq(list, ",") {
		if k, _, _ := strings.Cut(item, "="); item != "" && k != key {
			items = append(items, item)
		}
	}
	h.Spec = game.Spec(id + ":" + strings.Join(append(items, key+"="+value), ","))
	h.game().Spec = h.Spec
}

// Size is a square board that was told.
func (h *Hearing) Size(n int) {
	if n != h.Width || n != h.Height {
		h.Option("size", strconv.Itoa(n))
		h.Width, h.Height = n, n
	}
}

// Fail says why a line cannot be read.
func (h *Hearing) Fail(line int, format string, args ...any) {
	if h.Err == nil {
		h.Err = Errorf(line, 0, "%s", fmt.Sprintf(format, args...))
	}
}
