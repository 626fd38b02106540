package sgf

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/record"
)

// Private properties that Kibitz writes.
const (
	// propChoice is a choice of the swap2 opening: stay, swap or more.
	propChoice = "KC"
	// propUsed is the time used for a move in seconds, where BL and WL cannot say
	// it.
	propUsed = "KT"
	// propTried are points that were refused before the move of the node, in games
	// with hidden stones.
	propTried = "KA"
)

// choices are the words of propChoice.
var choices = [...]string{game.Swap2Stay: "stay", game.Swap2Swap: "swap", game.Swap2More: "more"}

// maxDepth bounds how deep variations may be nested.
const maxDepth = 200

// Read returns the games of a file that have a mapping. A game that cannot be
// read is left out; the error then joins a *record.Error for each, and the other
// games are returned beside it.
func Read(data []byte) ([]*record.Game, error) {
	trees, err := Parse(data)
	errs := []error{err}
	var games []*record.Game
	for _, t := range trees {
		g, err := FromTree(t)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		games = append(games, g)
	}
	return games, errors.Join(errs...)
}

// reader turns one tree into a record.
type reader struct {
	g      *record.Game
	m      *mapping
	w, h   int
	swap2  bool
	native bool   // points are written in board notation
	setup  []byte // row by row what stone.what says, 0 for nothing; nil without a set-up
	toMove game.Seat
	plays  bool // PL was given
	left   [2]time.Duration
	timed  [2]bool // left is known
}

// FromTree returns the record that a tree holds, if its game has a mapping.
func FromTree(t *Tree) (*record.Game, error) {
	root := t.Root
	gm := 1
	if p := root.Get("GM"); p != nil {
		n, err := strconv.Atoi(root.Simple("GM"))
		if err != nil {
			return nil, record.Errorf(p.Line, p.Column, "GM[%s] is not the number of a game", root.Simple("GM"))
		}
		gm = n
	}
	m := mappingOf(root, gm)
	if m == nil {
		return nil, record.Errorf(root.Line, root.Column,
			"GM[%d]: only Go (1), Othello (2), Gomoku (4), Amazons (18) and Connect6 can be read", gm)
	}
	r := &reader{g: &record.Game{Line: root.Line, Warnings: t.Warnings}, m: m}
	var err error
	if r.w, r.h, err = sizes(root.Simple("SZ"), m.size); err != nil {
		at := root.Get("SZ")
		return nil, record.Errorf(at.Line, at.Column, "%v", err)
	}
	spec, warnings := m.spec(r.w, r.h, root)
	r.g.Spec = spec
	opening, _ := spec.Option("opening")
	r.swap2 = opening == "swap2"
	r.g.Warnings = append(r.g.Warnings, warnings...)
	r.native = m.board && hasDigits(root)
	r.root(root)
	if err := r.mainLine(root); err != nil {
		return nil, err
	}
	if hasPass(r.g.Steps) {
		r.g.Spec = withPass(r.g.Spec)
	}
	if !r.plays && r.setup != nil && r.whiteBegins(root) {
		r.toMove = game.Second
	}
	r.g.Start = m.start(r.w, r.h, r.stones(), r.toMove, r.plays)
	if r.swap2 {
		r.exchange()
	}
	return r.g, nil
}

// whiteBegins reports whether a set-up that does not name the side to move (PL) is
// White's to play on: its first move says so, or without moves a handicap (HA).
func (r *reader) whiteBegins(root *Node) bool {
	if len(r.g.Steps) > 0 {
		return r.g.Steps[0].By == game.Second
	}
	n, err := strconv.Atoi(root.Simple("HA"))
	return err == nil && n > 1
}

// hasDigits reports whether any move of the tree holds a digit.
func hasDigits(root *Node) bool {
	stack := []*Node{root}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], n.Next...)
		for i := range n.Props {
			switch n.Props[i].Key {
			case "B", "W", "AB", "AW":
				for _, v := range n.Props[i].Values {
					if strings.ContainsAny(v, "123456789") {
						return true
					}
				}
			}
		}
	}
	return false
}

// root reads the properties that describe the game.
func (r *reader) root(n *Node) {
	g := r.g
	plain := map[string]*string{
		"PB": &g.Names[0], "PW": &g.Names[1], "BR": &g.Ratings[0], "WR": &g.Ratings[1],
		"EV": &g.Event, "RO": &g.Round, "PC": &g.Place, "DT": &g.Date, "GN": &g.ID,
	}
	for i := range n.Props {
		p := &n.Props[i]
		v := Simple(p.Values[0])
		if field := plain[p.Key]; field != nil {
			*field = v
			continue
		}
		switch p.Key {
		case "FF", "GM", "CA", "SZ", "B", "W", "AB", "AW", "AE", "PL", "RU", propChoice, propUsed, propTried, "BL", "WL", "TE":
		case "C", "GC":
			g.Comment = joinText(g.Comment, Text(p.Values[0]))
		case "TM":
			r.clock(v, n.Simple("OT"))
		case "OT":
			if n.Get("TM") == nil || clockText(n.Simple("TM"), v) == "" {
				g.Tags = append(g.Tags, record.Tag{Key: "OT", Value: v})
			}
		case "AA":
			if !r.m.turns {
				g.Tags = append(g.Tags, record.Tag{Key: "AA", Value: v})
			}
		case "KM":
			if r.m.id != "go" {
				g.Tags = append(g.Tags, record.Tag{Key: "KM", Value: v})
			}
		case "RE":
			var warning string
			if g.Result, warning = r.m.result(v, n.Simple("TE")); warning != "" {
				g.Warnings = append(g.Warnings, warning)
			}
		default:
			for _, raw := range p.Values {
				g.Tags = append(g.Tags, record.Tag{Key: p.Key, Value: Text(raw)})
			}
		}
	}
	rule := n.Simple("RU")
	if id, _ := ruleOptions(rule); rule != "" && r.m.id != "gomoku" && id != g.Spec.ID() {
		g.Tags = append(g.Tags, record.Tag{Key: "RU", Value: rule})
	}
}

func joinText(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}

// clock sets both clocks from TM and OT, where the command line's form can say
// them.
func (r *reader) clock(tm, ot string) {
	text := clockText(tm, ot)
	if text == "" {
		text = clockText(tm, "")
	}
	if text == "" {
		r.g.Tags = append(r.g.Tags, record.Tag{Key: "TM", Value: tm})
		return
	}
	r.g.Clocks = [2]string{text, text}
	if s, err := strconv.ParseFloat(tm, 64); err == nil {
		r.left = [2]time.Duration{seconds(s), seconds(s)}
		r.timed = [2]bool{true, true}
	}
}

// clockText returns "60" or "60+0.5"; empty for what has another form.
func clockText(tm, ot string) string {
	s, err := strconv.ParseFloat(tm, 64)
	if err != nil || !(s > 0 && s < 1e8) {
		return ""
	}
	main := strconv.FormatFloat(s, 'f', -1, 64)
	if ot == "" {
		return main
	}
	num, word, _ := strings.Cut(strings.TrimPrefix(ot, "+"), " ")
	inc, err := strconv.ParseFloat(strings.TrimSuffix(num, "s"), 64)
	if err != nil || !(inc >= 0 && inc < 1e6) || word != "" && !strings.EqualFold(word, "fischer") && !strings.EqualFold(word, "increment") {
		return ""
	}
	return main + "+" + strconv.FormatFloat(inc, 'f', -1, 64)
}

func seconds(s float64) time.Duration { return time.Duration(s*1e9 + 0.5) }

// mainLine walks the first branches; others become variations.
func (r *reader) mainLine(root *Node) error {
	steps, err := r.line(root, true, 0)
	r.g.Steps = steps
	return err
}

// line reads the steps from a node on, along the first branches.
func (r *reader) line(n *Node, main bool, depth int) ([]record.Step, error) {
	var steps []record.Step
	var beside [][]record.Step // other continuations of the step that comes next
	for n != nil {
		more, err := r.node(n, main, len(steps) > 0)
		if err != nil {
			return nil, err
		}
		if len(more) > 0 && len(beside) > 0 {
			more[0].Variations, beside = beside, nil
		}
		steps = append(steps, more...)
		if c := n.Text("C"); c != "" && n.Get("GM") == nil && n.Get("FF") == nil {
			r.comment(steps, c)
		}
		if len(n.Next) == 0 {
			break
		}
		beside = append(beside, r.variations(n.Next[1:], depth)...)
		n = n.Next[0]
	}
	if len(beside) > 0 {
		r.warn(n, "variations without a main line are passed over")
	}
	return steps, nil
}

func (r *reader) warn(n *Node, format string, args ...any) {
	if len(r.g.Warnings) < 100 {
		where := fmt.Sprintf("line %d, column %d: ", n.Line, n.Column)
		r.g.Warnings = append(r.g.Warnings, where+fmt.Sprintf(format, args...))
	}
}

// variations reads branches beside the main one. What cannot be read of them is
// left out.
func (r *reader) variations(list []*Node, depth int) [][]record.Step {
	var out [][]record.Step
	for _, v := range list {
		if depth >= maxDepth {
			r.warn(v, "variations nested deeper than %d are passed over", maxDepth)
			break
		}
		keepLeft, keepTimed := r.left, r.timed
		steps, err := r.line(v, false, depth+1)
		r.left, r.timed = keepLeft, keepTimed
		if err != nil {
			r.warn(v, "variation passed over: %v", err)
			continue
		}
		if len(steps) > 0 {
			out = append(out, steps)
		}
	}
	return out
}

// comment puts a comment to the newest step, or to the game before the first.
func (r *reader) comment(steps []record.Step, text string) {
	if len(steps) == 0 {
		r.g.Comment = joinText(r.g.Comment, text)
		return
	}
	s := &steps[len(steps)-1]
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimSpace(first) == "opening move" {
		s.Opening, text = true, rest
	}
	if ms, ok := strings.CutSuffix(strings.TrimSpace(text), "ms"); ok {
		if n, err := strconv.ParseFloat(ms, 64); err == nil && n >= 0 && n < 1e12 {
			s.Used, s.Timed = time.Duration(n*1e6), true
			return
		}
	}
	if text != "" {
		s.Comment = joinText(s.Comment, text)
	}
}

// exchange sets names, ratings and result of a swap2 game by seat: in the file
// they belong to the colours at the end.
func (r *reader) exchange() {
	if flipped(r.g.Steps) {
		g := r.g
		g.Names[0], g.Names[1] = g.Names[1], g.Names[0]
		g.Ratings[0], g.Ratings[1] = g.Ratings[1], g.Ratings[0]
		if g.Result != nil {
			p := &g.Result.Points
			p[0], p[1] = p[1], p[0]
		}
	}
}

// flipped reports whether the first seat of a swap2 game ends up with white: the
// second takes black by Swap at three stones, or the first stays white at five.
func flipped(steps []record.Step) bool {
	chosen := 0
	out := false
	for i := range steps {
		if steps[i].Move.Op != game.Choose {
			continue
		}
		chosen++
		switch chosen {
		case 1:
			out = steps[i].Move.Arg == game.Swap2Swap
		case 2:
			out = steps[i].Move.Arg == game.Swap2Stay
		}
	}
	return out
}
