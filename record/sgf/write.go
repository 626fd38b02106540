package sgf

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/record"
)

// AppendGame writes one game as a tree in UTF-8. The error tells what cannot be
// written: another game, a decision without words in the format.
func AppendGame(dst []byte, g *record.Game) ([]byte, error) {
	t, err := ToTree(g)
	if err != nil {
		return dst, err
	}
	return Append(dst, t), nil
}

// Write writes games, one after the other.
func Write(w io.Writer, games ...*record.Game) error {
	var buf []byte
	for i, g := range games {
		var err error
		if buf, err = AppendGame(buf[:0], g); err != nil {
			return fmt.Errorf("game %d: %w", i+1, err)
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

// writer turns one record into a tree.
type writer struct {
	g     *record.Game
	m     *mapping
	w, h  int
	swap2 bool
	count int // stones written, for games in which they alternate
	left  [2]time.Duration
	inc   time.Duration
	timed bool
}

// ToTree builds the tree of a record.
func ToTree(g *record.Game) (*Tree, error) {
	m := mappingFor(g.Spec)
	if m == nil {
		return nil, fmt.Errorf("%q cannot be written as SGF: it has a form for go, othello, gomoku, connect6, amazons, phantomgo and nogo",
			g.Spec)
	}
	w := &writer{g: g, m: m}
	var err error
	if w.w, w.h, err = m.sizeOf(g.Spec); err != nil {
		return nil, err
	}
	opening, _ := g.Spec.Option("opening")
	w.swap2 = opening == "swap2"
	root := &Node{}
	w.header(root)
	if err := w.start(root); err != nil {
		return nil, err
	}
	for _, t := range g.Tags {
		if validKey(t.Key) && !reserved[t.Key] && (t.Key != "AA" || !m.turns) {
			if p := root.Get(t.Key); p != nil && t.Key == "RU" {
				continue
			} else if p != nil {
				p.Values = append(p.Values, Escape(t.Value))
				continue
			}
			root.Set(t.Key, t.Value)
		}
	}
	if g.Comment != "" {
		root.Set("C", g.Comment)
	}
	w.startClock()
	if err := w.steps(root, g.Steps, 0); err != nil {
		return nil, err
	}
	return &Tree{Root: root}, nil
}

// reserved are the properties that the writer sets by itself.
var reserved = map[string]bool{
	"FF": true, "GM": true, "CA": true, "SZ": true, "PB": true, "PW": true, "BR": true, "WR": true, "EV": true, "RO": true,
	"PC": true, "DT": true, "RE": true, "TE": true, "GN": true, "AB": true, "AW": true, "PL": true, "C": true, "B": true,
	"W": true, "BL": true, "WL": true, "V": true, propChoice: true, propUsed: true, propTried: true,
}

func validKey(k string) bool {
	for i := range len(k) {
		if k[i] < 'A' || k[i] > 'Z' {
			return false
		}
	}
	return k != "" && len(k) <= 8
}

// header sets the properties of the whole game.
func (w *writer) header(n *Node) {
	g := w.g
	n.Set("FF", "4")
	n.Set("GM", strconv.Itoa(w.m.gm))
	n.Set("CA", "UTF-8")
	set := func(key, value string) {
		if value != "" {
			n.Set(key, strings.Join(strings.Fields(value), " "))
		}
	}
	if _, ok := g.Tag("AP"); !ok {
		n.Set("AP", "Kibitz")
	}
	if w.w == w.h {
		n.Set("SZ", strconv.Itoa(w.w))
	} else {
		n.Set("SZ", fmt.Sprintf("%d:%d", w.w, w.h))
	}
	w.rules(n)
	black := 0
	if w.swap2 && flipped(g.Steps) {
		black = 1
	}
	set("PB", g.Names[black])
	set("PW", g.Names[1-black])
	set("BR", g.Ratings[black])
	set("WR", g.Ratings[1-black])
	set("EV", g.Event)
	set("RO", g.Round)
	set("PC", g.Place)
	set("DT", g.Date)
	set("GN", g.ID)
	w.m.formatResult(n, g, black == 1)
	main, inc, ok := simpleClock(g.Clocks[0])
	if ok && g.Clocks[0] == g.Clocks[1] {
		n.Set("TM", number(main))
		if inc > 0 {
			n.Set("OT", number(inc)+" fischer")
		}
		w.left, w.inc, w.timed = [2]time.Duration{main, main}, inc, true
	}
}

// rules names the rules and komi where the specification says them.
func (w *writer) rules(n *Node) {
	spec := w.g.Spec
	switch id := spec.ID(); id {
	case "gomoku":
		rule, ok := spec.Option("rule")
		if !ok {
			rule = "freestyle"
		}
		if w.swap2 {
			rule += "+swap2"
		}
		if v, _ := spec.Option("continuous"); v == "true" {
			rule += "+continuous"
		}
		if v, _ := spec.Option("pass"); v == "true" {
			rule += "+pass"
		}
		n.Set("RU", rule)
	default:
		extra := extraOptions(spec)
		if slices.Contains(goGames, id) || w.m.borrowed || len(extra) > 0 {
			n.Set("RU", strings.TrimSpace(id+" "+strings.Join(extra, ",")))
		}
	}
	if k, ok := spec.Option("komi"); ok {
		n.Set("KM", k)
	}
}

// simpleClock reads "60" or "60+0.5" or "m:s+inc".
func simpleClock(text string) (main, inc time.Duration, ok bool) {
	a, b, _ := strings.Cut(text, "+")
	f, err := strconv.ParseFloat(a, 64)
	if m, s, two := strings.Cut(a, ":"); two {
		mins, err1 := strconv.Atoi(m)
		secs, err2 := strconv.ParseFloat(s, 64)
		if err1 != nil || err2 != nil {
			return 0, 0, false
		}
		f, err = float64(mins)*60+secs, nil
	}
	if err != nil || !(f > 0 && f < 1e8) {
		return 0, 0, false
	}
	if b != "" {
		i, err := strconv.ParseFloat(b, 64)
		if err != nil || !(i >= 0 && i < 1e6) {
			return 0, 0, false
		}
		inc = seconds(i)
	}
	return seconds(f), inc, true
}

// number writes seconds with what they need of decimals, to the microsecond.
func number(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Round(time.Microsecond))/1e9, 'f', -1, 64)
}

// startClock forgets the clock if the steps do not fit it, so that no negative
// time left is written.
func (w *writer) startClock() {
	left := w.left
	for i := range w.g.Steps {
		s := &w.g.Steps[i]
		if !s.By.IsPlayer() || !s.Timed {
			continue
		}
		if left[s.By] -= s.Used; !s.Refused && s.Move.Op != game.Shoot {
			left[s.By] += w.inc
		}
		if left[s.By] < 0 {
			w.timed = false
			return
		}
	}
}

// start sets up the position that the game begins from.
func (w *writer) start(n *Node) error {
	if w.g.Start == "" {
		return nil
	}
	list, toMove, ok := w.m.stones(w.g.Start, w.w, w.h)
	if !ok {
		return fmt.Errorf("the start position %q is not in a form that SGF can set up", w.g.Start)
	}
	var points [4][]string
	for _, s := range list {
		points[s.what] = append(points[s.what], w.point(s.at))
	}
	for c, key := range []string{black: "AB", white: "AW", burnt: "AA"} {
		if len(points[c]) > 0 {
			n.Set(key, points[c]...)
		}
	}
	n.Set("PL", [2]string{"B", "W"}[toMove])
	w.count = int(toMove)
	return nil
}

// point writes a point: Othello in board notation, other games with two letters.
func (w *writer) point(p game.Point) string {
	if w.m.fromTop {
		return string([]byte{'a' + byte(p.X)}) + strconv.Itoa(int(p.Y)+1)
	}
	return FormatPoint(p)
}

// steps appends nodes for the steps below a node, variations beside them.
func (w *writer) steps(n *Node, list []record.Step, depth int) error {
	if depth > 0 { // clocks run along the main line only
		keep := w.timed
		w.timed = false
		defer func() { w.timed = keep }()
	}
	var tried []record.Step
	for i := 0; i < len(list); i++ {
		s := list[i]
		if s.Refused {
			tried = append(tried, s)
			continue
		}
		next := &Node{}
		count, left := w.count, w.left
		var shot *record.Step
		if w.m.turns && s.Move.Op == game.Shift && i+1 < len(list) && list[i+1].Move.Op == game.Shoot {
			i++
			shot = &list[i]
			s.Used += shot.Used
			s.Comment = joinText(s.Comment, shot.Comment)
		}
		if len(tried) > 0 {
			next.Set(propTried, w.tries(tried, &s)...)
			s.Variations = append(slices.Clone(tried[0].Variations), s.Variations...)
			tried = nil
		}
		if err := w.step(next, &s, shot); err != nil {
			return fmt.Errorf("decision %d: %w", i+1, err)
		}
		n.Next = append(n.Next, next)
		if depth < maxDepth {
			keepCount, keepLeft := w.count, w.left
			for _, v := range s.Variations {
				w.count, w.left = count, left
				if err := w.steps(n, v, depth+1); err != nil {
					return err
				}
			}
			w.count, w.left = keepCount, keepLeft
		}
		n = next
	}
	if len(tried) > 0 { // the game ended before one stood
		next := &Node{}
		next.Set(propTried, w.tries(tried, nil)...)
		n.Next = append(n.Next, next)
	}
	return nil
}

// tries returns the points of attempts; their time is that of the move.
func (w *writer) tries(tried []record.Step, s *record.Step) []string {
	var points []string
	for i := range tried {
		points = append(points, w.point(tried[i].Move.To))
		if s != nil {
			s.Used += tried[i].Used
		}
	}
	return points
}

// step sets the properties of one decision; of a turn of Amazons also of its shot.
func (w *writer) step(n *Node, s, shot *record.Step) error {
	m := s.Move
	if m.Op == game.Choose && w.swap2 && m.Arg >= 0 && int(m.Arg) < len(choices) {
		n.Set(propChoice, choices[m.Arg])
		return w.remarks(n, s, s.By)
	}
	colour := s.By
	if w.m.alternate {
		colour = game.Seat(w.count % 2)
	}
	if !colour.IsPlayer() {
		return fmt.Errorf("%s by nobody: the record does not say whose it is", m)
	}
	key := [2]string{"B", "W"}[colour]
	switch {
	case m.Op == game.Place && m.To.On(w.w, w.h) && !w.m.turns:
		n.Set(key, w.point(m.To))
		w.count++
	case m.Op == game.Pass && !w.m.turns:
		n.Set(key, "")
		if w.m.fromTop {
			n.Set(key, "PA")
		}
		w.count++
	case m.Op == game.Shift && w.m.turns && m.From.On(w.w, w.h) && m.To.On(w.w, w.h):
		text := w.point(m.From) + w.point(m.To)
		if shot != nil {
			if !shot.Move.To.On(w.w, w.h) {
				return fmt.Errorf("%s has no form in SGF", shot.Move)
			}
			text += w.point(shot.Move.To)
		}
		n.Set(key, text)
	default:
		return fmt.Errorf("%s has no form in SGF", m)
	}
	return w.remarks(n, s, colour)
}

// remarks sets time, evaluation and comment.
func (w *writer) remarks(n *Node, s *record.Step, colour game.Seat) error {
	if s.Timed {
		if w.timed && s.By == colour && s.By.IsPlayer() && s.Move.Op != game.Choose {
			w.left[s.By] += w.inc - s.Used
			n.Set([2]string{"BL", "WL"}[colour], number(w.left[s.By]))
		} else {
			n.Set(propUsed, number(s.Used))
		}
	}
	if s.Info != nil && s.Info.Eval.Known() && colour.IsPlayer() {
		v := s.Info.Eval.Mid()
		if colour == game.Second {
			v = 0 - v
		}
		n.Set("V", strconv.FormatFloat(v, 'f', -1, 64))
	}
	comment := s.Comment
	if s.Opening {
		if comment != "" {
			comment = "\n" + comment
		}
		comment = "opening move" + comment
	}
	if comment != "" {
		n.Set("C", comment)
	}
	return nil
}
