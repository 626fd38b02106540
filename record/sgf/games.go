package sgf

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kibitz/game"
	"kibitz/record"
)

// mapping is how one game is written. Adding a game is adding a row.
type mapping struct {
	gm int // value of GM
	// id is the game, size its board where SZ is missing.
	id   string
	size int
	// cells are the letters of an empty point, a black and a white stone and an
	// arrow, where the game has them, in its own text of a position, sep what
	// stands between rows, sides the words for who is to move.
	cells, sep string
	sides      [2]string
	// board tells that points may be written as the game's own players do (f5).
	// FromTop then says where row 1 is.
	board, fromTop bool
	// alternate tells that stones alternate, whoever places them.
	alternate bool
	// turns tells that a move is a turn of Amazons: from, to and arrow.
	turns bool
	// borrowed tells that the game has no number: gm is that of a game whose
	// boards look the same, and RU says which game it is.
	borrowed bool
	// standard are the stones of the initial position, which a file may set up.
	standard []stone
	// total is what the points of both sides sum to at the end, 0 if they do not.
	total float64
}

// stone is what a set-up puts on a point: black, white or burnt.
type stone struct {
	at   game.Point
	what byte
}

const (
	black byte = iota + 1
	white
	burnt
)

var mappings = [...]mapping{
	{gm: 1, id: "go", size: 19, cells: ".bw", sep: "/", sides: [2]string{"b", "w"}},
	{
		gm: 2, id: "othello", size: 8, cells: "-XO", sides: [2]string{"X", "O"}, board: true, fromTop: true, total: 64,
		standard: []stone{{game.Pt(3, 3), white}, {game.Pt(4, 4), white}, {game.Pt(4, 3), black}, {game.Pt(3, 4), black}},
	},
	{gm: 4, id: "gomoku", size: 15, cells: ".XO", sep: "/", sides: [2]string{"black", "white"}, board: true, alternate: true},
	{gm: 4, id: "connect6", size: 19, cells: ".bw", sep: "/", sides: [2]string{"b", "w"}, board: true, borrowed: true},
	{
		gm: 18, id: "amazons", size: 10, cells: ".bw#", sep: "/", sides: [2]string{"b", "w"}, turns: true,
		standard: []stone{
			{game.Pt(3, 0), white},
			{game.Pt(6, 0), white},
			{game.Pt(0, 3), white},
			{game.Pt(9, 3), white},
			{game.Pt(0, 6), black},
			{game.Pt(9, 6), black},
			{game.Pt(3, 9), black},
			{game.Pt(6, 9), black},
		},
	},
}

// Numbers of GM that are no game's own. The list of the format ends with 40, the
// game of dots that is also called Kropki.
const editorGM = 511 // an editor of Connect6 games writes it

// goGames are other games on a Go board, by a word of RU; their stones are written
// as those of Go.
var goGames = []string{"phantomgo", "nogo"}

// mappingOf finds the game of a file: by RU, for those that have no number; then
// by the number. The games of Little Golem have none, but the event names Connect6.
func mappingOf(root *Node, gm int) *mapping {
	if gm == editorGM || root.Get("GM") == nil && strings.HasPrefix(strings.ToLower(root.Simple("EV")), "connect6") {
		return mappingFor("connect6")
	}
	rule, _ := ruleOptions(root.Simple("RU"))
	if m := mappingFor(game.Spec(rule)); m != nil && m.borrowed && m.gm == gm {
		return m
	}
	for i := range mappings {
		if m := &mappings[i]; m.gm == gm && !m.borrowed {
			return m
		}
	}
	return nil
}

// ruleOptions splits RU where Kibitz wrote it: the name of a game, and options of
// it that have no property of their own.
func ruleOptions(text string) (id string, options []string) {
	id, rest, _ := strings.Cut(strings.ToLower(text), " ")
	for o := range strings.SplitSeq(rest, ",") {
		if o = strings.TrimSpace(o); o == "" {
			continue
		}
		if !optionText().MatchString(o) { // a name of several words
			return strings.ReplaceAll(strings.ToLower(text), " ", ""), nil
		}
		options = append(options, o)
	}
	return id, options
}

var optionText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z]+=[a-z0-9.]+$`)
})

// extraOptions are the options of a specification that no property but RU holds.
func extraOptions(spec game.Spec) []string {
	var out []string
	_, rest, _ := strings.Cut(string(spec), ":")
	for o := range strings.SplitSeq(rest, ",") {
		switch key, _, _ := strings.Cut(o, "="); key {
		case "", "size", "width", "height", "komi", "rule", "opening", "continuous":
		default:
			out = append(out, o)
		}
	}
	return out
}

func mappingFor(spec game.Spec) *mapping {
	id := spec.ID()
	if slices.Contains(goGames, id) {
		id = "go"
	}
	for i := range mappings {
		if mappings[i].id == id {
			return &mappings[i]
		}
	}
	return nil
}

// MaxSize is the largest board whose points have two letters.
const MaxSize = 52

const pointLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Point reads a point of two letters, column and row from the top.
func Point(text string) (game.Point, bool) {
	if len(text) != 2 {
		return game.NoPoint, false
	}
	x, y := strings.IndexByte(pointLetters, text[0]), strings.IndexByte(pointLetters, text[1])
	if x < 0 || y < 0 {
		return game.NoPoint, false
	}
	return game.Pt(x, y), true
}

// FormatPoint writes a point of two letters, empty for one beyond the alphabet.
func FormatPoint(p game.Point) string {
	if !p.On(MaxSize, MaxSize) {
		return ""
	}
	return string([]byte{pointLetters[p.X], pointLetters[p.Y]})
}

// sizes reads SZ, "15" or "15:20".
func sizes(text string, otherwise int) (w, h int, err error) {
	if text == "" {
		return otherwise, otherwise, nil
	}
	a, b, two := strings.Cut(text, ":")
	if !two {
		b = a
	}
	w, err1 := strconv.Atoi(strings.TrimSpace(a))
	h, err2 := strconv.Atoi(strings.TrimSpace(b))
	if err1 != nil || err2 != nil || w < 1 || h < 1 || w > MaxSize || h > MaxSize {
		return 0, 0, fmt.Errorf("SZ[%s] is not a size from 1 to %d, or two of them", text, MaxSize)
	}
	return w, h, nil
}

// spec builds the specification from what the root says.
func (m *mapping) spec(w, h int, root *Node) (game.Spec, []string) {
	id, rule := m.id, strings.ToLower(root.Simple("RU"))
	var opts, warnings []string
	switch m.id {
	case "gomoku":
		r, swap2, known := gomokuRule(rule)
		if !known {
			warnings = append(warnings, fmt.Sprintf("RU[%s] names no known rule: taken as freestyle", rule))
		}
		opts = append(opts, "rule="+r)
		opts = append(opts, sizeOptions(w, h)...)
		if swap2 || strings.Contains(strings.ToLower(root.Simple("ON")), "swap2") {
			opts = append(opts, "opening=swap2")
		}
		if strings.Contains(rule, "continuous") {
			opts = append(opts, "continuous=true")
		}
		if strings.Contains(rule, "pass") {
			opts = append(opts, optionPass)
		}
	case "othello":
		if w != 8 || h != 8 {
			opts = append(opts, sizeOptions(w, h)...)
		}
	case "amazons":
		if named, extra := ruleOptions(rule); named == id {
			opts = append(opts, extra...)
		}
	case "connect6":
		opts = append(opts, sizeOptions(w, h)...)
		if named, extra := ruleOptions(rule); named == id {
			opts = append(opts, extra...)
		}
	default:
		named, extra := ruleOptions(rule)
		if slices.Contains(goGames, named) {
			id = named
			opts = append(opts, extra...)
		}
		opts = append(opts, sizeOptions(w, h)...)
		if k, err := strconv.ParseFloat(root.Simple("KM"), 64); err == nil && id != "nogo" {
			opts = append(opts, "komi="+strconv.FormatFloat(k, 'f', -1, 64))
		}
	}
	if len(opts) == 0 {
		return game.Spec(id), warnings
	}
	return game.Spec(id + ":" + strings.Join(opts, ",")), warnings
}

func sizeOptions(w, h int) []string {
	if w == h {
		return []string{"size=" + strconv.Itoa(w)}
	}
	return []string{"width=" + strconv.Itoa(w), "height=" + strconv.Itoa(h)}
}

// optionPass is what a game of five in a row has in which somebody passes.
const optionPass = "pass=true"

// withPass is the specification of a game in which somebody passes.
func withPass(spec game.Spec) game.Spec {
	if _, says := spec.Option("pass"); spec.ID() != "gomoku" || says {
		return spec
	}
	return spec + "," + optionPass // the rule stands before it
}

// hasPass reports whether a step, or one of its variations, is a pass.
func hasPass(steps []record.Step) bool {
	return slices.ContainsFunc(steps, func(s record.Step) bool {
		return s.Move.Op == game.Pass || slices.ContainsFunc(s.Variations, hasPass)
	})
}

// gomokuRule reads RU: a name, or the number that Gomocup and c-gomoku-cli use.
func gomokuRule(text string) (rule string, swap2, known bool) {
	swap2 = strings.Contains(text, "swap2")
	name := strings.NewReplacer("swap2", "", "continuous", "", "pass", "").Replace(text)
	name = strings.Trim(name, " +,;-/")
	switch name {
	case "", "0", "freestyle", "free", "gomoku":
		return "freestyle", swap2, true
	case "1", "standard", "exact", "exactly five":
		return "standard", swap2, true
	case "2", "4", "renju":
		return "renju", swap2, true
	case "9", "caro":
		return "caro", swap2, true
	case "8", "caro6":
		return "caro6", swap2, true
	}
	return "freestyle", swap2, false
}

// start writes the position that a set-up makes, in the game's own text, empty if
// it is the initial one.
func (m *mapping) start(w, h int, stones []stone, toMove game.Seat, plays bool) string {
	board := make([]byte, w*h)
	for i := range board {
		board[i] = m.cells[0]
	}
	for _, s := range stones {
		board[s.at.Index(w)] = m.cells[s.what]
	}
	initial := make([]byte, w*h)
	for i := range initial {
		initial[i] = m.cells[0]
	}
	if w == m.size && h == m.size || len(m.standard) == 0 {
		for _, s := range m.standard {
			initial[s.at.Index(w)] = m.cells[s.what]
		}
	}
	if len(stones) == 0 {
		board = initial // at most PL was given
	}
	if string(board) == string(initial) && (!plays || toMove != game.Second) {
		return ""
	}
	if toMove != game.Second {
		toMove = game.First
	}
	var b strings.Builder
	for y := range h {
		if y > 0 {
			b.WriteString(m.sep)
		}
		b.Write(board[y*w : (y+1)*w])
	}
	return b.String() + " " + m.sides[toMove]
}

// stones reads back what start writes, for writing AB, AW, AA and PL. ok is false
// for a text in another form, such as one in the middle of a turn.
func (m *mapping) stones(text string, w, h int) (list []stone, toMove game.Seat, ok bool) {
	f := strings.Fields(text)
	if len(f) == 0 || len(f) > 2 && (m.turns || m.borrowed) {
		return nil, game.First, false
	}
	cells := strings.ReplaceAll(f[0], "/", "")
	if len(cells) != w*h {
		return nil, game.First, false
	}
	for i := range len(cells) {
		switch c := cells[i]; {
		case len(m.cells) > int(burnt) && c == m.cells[burnt]:
			list = append(list, stone{game.Pt(i%w, i/w), burnt})
		case c == m.cells[1] || strings.IndexByte("XBxb*#", c) >= 0:
			list = append(list, stone{game.Pt(i%w, i/w), black})
		case c == m.cells[2] || strings.IndexByte("OWow", c) >= 0:
			list = append(list, stone{game.Pt(i%w, i/w), white})
		case strings.IndexByte(".-_+", c) < 0:
			return nil, game.First, false
		}
	}
	toMove = game.First
	if len(f) > 1 && strings.IndexByte("OWow", f[1][0]) >= 0 {
		toMove = game.Second
	}
	return list, toMove, true
}

// sizeOf returns the size of the board of a specification.
func (m *mapping) sizeOf(spec game.Spec) (w, h int, err error) {
	w, h = m.size, m.size
	if spec.ID() == "phantomgo" || spec.ID() == "nogo" {
		w, h = 9, 9
	}
	if err := intOption(spec, "size", &w, &h); err != nil {
		return 0, 0, err
	}
	if err := intOption(spec, "width", &w); err != nil {
		return 0, 0, err
	}
	if err := intOption(spec, "height", &h); err != nil {
		return 0, 0, err
	}
	if w < 1 || h < 1 || w > MaxSize || h > MaxSize {
		return 0, 0, fmt.Errorf("a board of %dx%d cannot be written as SGF: at most %d columns and rows", w, h, MaxSize)
	}
	return w, h, nil
}

func intOption(spec game.Spec, key string, to ...*int) error {
	v, ok := spec.Option(key)
	if !ok || v == "0" {
		return nil
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		return fmt.Errorf("%s of %q is not a number", key, spec)
	}
	for _, p := range to {
		*p = n
	}
	return nil
}
