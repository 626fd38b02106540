package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/journal"
	"kibitz/report/board"
)

// viewer is a game as the page shows it move by move: the items of the first
// position, then what each turn takes away and puts. Kinds of items are
// numbered in the order of page.Kinds.
type viewer struct {
	ID     string    `json:"id"`
	Names  [2]string `json:"names"`
	Result string    `json:"result"`
	// Ground is the number of the empty board.
	Ground int `json:"ground"`
	// Moves, By, Times (ms), Evals (view of the first seat), Said (the evaluation as
	// text) and Depths belong to the turns; nil is unknown.
	Moves  []string   `json:"m"`
	By     string     `json:"b"`
	Times  []*float64 `json:"t"`
	Evals  []*float64 `json:"e"`
	Said   []string   `json:"s"`
	Depths []*int     `json:"d"`
	// Gone and Put hold kind, x, y of items, for the start and each turn.
	Gone [][]int `json:"x"`
	Put  [][]int `json:"p"`
	// Notes are the texts below the board, "" where nothing changed.
	Notes []string `json:"n"`
	// Review is that of a whole game: its plies are numbers of turns from 0, its moves texts.
	Review *wire.Review `json:"r,omitempty"`

	kind   int // 0 for a forfeit
	last   game.View
	style  board.Style
	kinds  []string // numbers of the kinds until the page renumbers them
	ground string
	open   string
}

// review adds what a review says, its turns found by the decisions before them.
func (v *viewer) review(rv *wire.Review, turns [][]journal.Step, format func(game.Move) string) {
	turnOf := map[int]int{}
	ply := 0
	for k, turn := range turns[:min(len(turns), len(v.Moves))] {
		for i := range turn {
			for range turn[i].Steps {
				turnOf[ply] = k
				ply++
			}
		}
	}
	own := *rv
	own.Turns = []wire.ReviewedTurn{}
	for _, t := range rv.Turns {
		k, ok := turnOf[t.Ply]
		if !ok {
			continue
		}
		best := make([]string, len(t.Best))
		for i, text := range t.Best {
			if best[i] = text; format != nil {
				if m, err := journal.ParseMove(text); err == nil {
					best[i] = format(m)
				}
			}
		}
		t.Ply, t.Best, t.Good = k, best, []string{}
		own.Turns = append(own.Turns, t)
	}
	v.Review = &own
}

func newViewer(g *Game, p *Played, list []Position) *viewer {
	v := &viewer{ID: g.ID, Names: p.Start.Names, Result: resultText(&g.Result, p.Start.Names)}
	v.style.Title = fmt.Sprintf("final position of game %s", g.ID)
	var before []board.Item
	note := ""
	turns := Turns(p.Steps)
	for i := range list {
		items := board.Items(&list[i].View)
		v.Gone = append(v.Gone, v.flat(without(before, items)))
		v.Put = append(v.Put, v.flat(without(items, before)))
		before = items
		text := noteOf(&list[i].View)
		if text == note {
			text = ""
		} else {
			note = text
		}
		v.Notes = append(v.Notes, text)
		if i > 0 && i <= len(turns) {
			v.turn(&list[i], turns[i-1])
		}
	}
	v.edge()
	v.last = list[len(list)-1].View
	v.ground, v.open = board.Ground(&v.last), board.Open(&v.last, v.style)
	return v
}

// Turns groups the decisions of a game by turns: what a seat decided, however many answers
// that took, with its attempts that did not stand.
func Turns(steps []journal.Step) [][]journal.Step {
	var out [][]journal.Step
	from := 0
	for i := range steps {
		if steps[i].Ended || i == len(steps)-1 {
			out = append(out, steps[from:i+1])
			from = i + 1
		}
	}
	return out
}

// turn adds what belongs to a turn.
func (v *viewer) turn(at *Position, turn []journal.Step) {
	by, text := turn[0].By, at.Move
	if turn[0].Opening {
		text = "(" + text + ")"
	}
	v.Moves = append(v.Moves, text)
	seat := "-"
	if by.IsPlayer() {
		seat = string(rune('0' + by))
	}
	v.By += seat
	var used, eval *float64
	var depth *int
	said := ""
	for i := range turn {
		s := &turn[i]
		if by.IsPlayer() && !s.Opening && !s.Forced {
			x := math.Round(s.Used.Seconds()*1e6) / 1e3
			if used != nil {
				x += *used
			}
			used = &x
		}
		if s.Said != nil {
			info := &s.Said.Info
			eval, said = firstEval(info.Eval, by), evalText(info.Eval)
			if info.Depth > 0 {
				depth = &info.Depth
			}
		}
	}
	v.Times, v.Evals, v.Said, v.Depths = append(v.Times, used), append(v.Evals, eval), append(v.Said, said), append(v.Depths, depth)
}

// firstEval turns an evaluation to the view of the first seat; a mate is ±Inf
// until edge gives it a place.
func firstEval(e game.Eval, by game.Seat) *float64 {
	if !e.Known() || !by.IsPlayer() {
		return nil
	}
	x := e.Mid()
	switch e.Unit {
	case game.MateIn:
		x = math.Copysign(math.Inf(1), x)
	case game.WinChance:
		x = 2*x - 1
	}
	if by == game.Second {
		x = -x
	}
	x = math.Round(x*1000) / 1000
	return &x
}

// edge draws mates a little beyond the largest other evaluation.
func (v *viewer) edge() {
	top := 0.0
	for _, x := range v.Evals {
		if x != nil && !math.IsInf(*x, 0) {
			top = max(top, math.Abs(*x))
		}
	}
	top = cmp.Or(top, 1)
	for _, x := range v.Evals {
		if x != nil && math.IsInf(*x, 0) {
			*x = math.Copysign(1.1*top, *x)
		}
	}
}

// evalText prints an evaluation from the view of who reported it.
func evalText(e game.Eval) string {
	if !e.Known() {
		return ""
	}
	switch e.Unit {
	case game.MateIn:
		return fmt.Sprintf("ends in %+g", e.Mid())
	case game.WinChance:
		return fmt.Sprintf("%.1f%%", 100*e.Mid())
	}
	if e.Lo != e.Hi {
		return fmt.Sprintf("%+.4g to %+.4g", e.Lo, e.Hi)
	}
	return fmt.Sprintf("%+.4g", e.Lo)
}

func without(a, b []board.Item) []board.Item {
	var out []board.Item
	for _, it := range a {
		if !slices.Contains(b, it) {
			out = append(out, it)
		}
	}
	return out
}

// flat returns kind, x, y of each item.
func (v *viewer) flat(items []board.Item) []int {
	out := make([]int, 0, 3*len(items))
	for _, it := range items {
		k := slices.Index(v.kinds, it.Kind)
		if k < 0 {
			k = len(v.kinds)
			v.kinds = append(v.kinds, it.Kind)
		}
		out = append(out, k, it.X, it.Y)
	}
	return out
}

// renumber gives the kinds their numbers in the page's list.
func (v *viewer) renumber(all []string) {
	for _, list := range [][][]int{v.Gone, v.Put} {
		for _, flat := range list {
			for i := 0; i < len(flat); i += 3 {
				flat[i] = slices.Index(all, v.kinds[flat[i]])
			}
		}
	}
}

// noteOf is what a view tells beside the board.
func noteOf(v *game.View) string {
	var out []string
	if v.HasScore {
		out = append(out, number(v.Score[0])+"–"+number(v.Score[1]))
	}
	for _, t := range v.Trays {
		var items []string
		for _, it := range t.Items {
			if it.Count > 0 {
				items = append(items, fmt.Sprintf("%c×%d", it.Piece, it.Count))
			}
		}
		if len(items) == 0 {
			continue
		}
		name := t.Name
		if t.Owner.IsPlayer() {
			name += " (" + t.Owner.String() + ")"
		}
		out = append(out, name+": "+strings.Join(items, " "))
	}
	for _, n := range v.Notes {
		out = append(out, n.Text)
	}
	return strings.Join(out, "; ")
}
