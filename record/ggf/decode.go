package ggf

import (
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// decoder turns the tags of one game into a record.
type decoder struct {
	s     *scanner
	g     *record.Game
	board Board
	typ   Type
	// result is kept until the board is known.
	result *rawTag
	komi   float64
	seen   map[string]bool
}

func (raw *rawGame) decode(s *scanner) (*record.Game, error) {
	d := decoder{s: s, g: &record.Game{}, seen: map[string]bool{}}
	d.g.Line, _ = s.place(raw.at)
	for i := range raw.tags {
		if err := d.tag(&raw.tags[i]); err != nil {
			return nil, err
		}
	}
	if !d.seen["GM"] {
		return nil, s.errorf(raw.at, "the game does not name itself by GM[Othello]")
	}
	if d.board.Size == 0 {
		return nil, s.errorf(raw.at, "the game has no board, which is written BO[8 ... *]")
	}
	d.g.Spec = Spec(d.board.Size, d.typ.Anti)
	if !d.board.Standard() {
		d.g.Start = d.board.Text()
	}
	if d.result != nil {
		d.readResult()
	}
	return d.g, nil
}

func (d *decoder) warn(format string, args ...any) {
	d.g.Warnings = append(d.g.Warnings, fmt.Sprintf(format, args...))
}

func (d *decoder) tag(t *rawTag) error {
	switch t.name {
	case "B", "W":
		return d.move(t)
	case "CO":
		d.comment(strings.TrimSpace(t.value))
		return nil
	case "BT":
		t.name = "TB"
	case "WT":
		t.name = "TW"
	}
	if d.seen[t.name] {
		d.warn("the tag %s stands twice, the last one counts", t.name)
	}
	d.seen[t.name] = true
	switch t.name {
	case "GM":
		name := strings.ToLower(strings.TrimSpace(t.value))
		if name != "othello" && name != "reversi" {
			return d.s.errorf(t.valueAt, "the game is %q, only Othello can be read", game.Shown(t.value, 40))
		}
	case "BO":
		b, err := ParseBoard(t.value)
		if err != nil {
			return d.s.errorf(t.valueAt, "%v", err)
		}
		if len(d.g.Steps) > 0 {
			return d.s.errorf(t.at, "the board BO stands after the first move")
		}
		d.board = b
	case "RE":
		d.result = t
	default:
		d.header(t)
	}
	return nil
}

func (d *decoder) header(t *rawTag) {
	g := d.g
	v := strings.TrimSpace(t.value)
	switch t.name {
	case "PC":
		g.Place = v
	case "DT":
		g.Date = readDate(v)
	case "PB":
		g.Names[0] = v
	case "PW":
		g.Names[1] = v
	case "RB":
		g.Ratings[0] = v
	case "RW":
		g.Ratings[1] = v
	case "TI":
		d.clock(t.name, v, 0, 1)
	case "TB":
		d.clock(t.name, v, 0)
	case "TW":
		d.clock(t.name, v, 1)
	case TagType:
		typ, ok := ParseType(v)
		if !ok {
			d.warn("the match type %q is unknown", game.Shown(v, 40))
		}
		d.typ = typ
		setTag(g, t.name, v)
	case "KB", "KW":
		if it, ok := ParseItem(v); !ok || !it.Eval.Known() {
			d.warn("the komi bid %s[%s] has no evaluation", t.name, game.Shown(v, 40))
		}
		setTag(g, t.name, v)
	case "KM":
		k, ok := ParseNumber(v)
		if !ok || !(k >= -64 && k <= 64) {
			d.warn("the komi %q is no number of discs", game.Shown(v, 40))
			return
		}
		d.komi = k
		setTag(g, t.name, v)
	default:
		setTag(g, t.name, v)
	}
}

// readDate returns a date of the writer's own form without its zone, which is
// how records hold universal time, and any other as it stands.
func readDate(v string) string {
	if s, ok := strings.CutSuffix(v, " GMT"); ok && len(s) == len(dateLayout) {
		if _, ok := ParseDate(v); ok && s[4] == '-' {
			return s
		}
	}
	return v
}

func (d *decoder) clock(tag, v string, seats ...int) {
	c, err := ParseClock(v)
	if err != nil {
		d.warn("%s: %v", tag, err)
		return
	}
	text, ok := c.Control()
	if !ok {
		setTag(d.g, tag, v)
	}
	for _, s := range seats {
		d.g.Clocks[s] = text
	}
}

func (d *decoder) comment(v string) {
	to := &d.g.Comment
	if n := len(d.g.Steps); n > 0 {
		to = &d.g.Steps[n-1].Comment
	}
	if *to != "" && v != "" {
		*to += "\n"
	}
	*to += v
}

func (d *decoder) move(t *rawTag) error {
	if d.board.Size == 0 {
		return d.s.errorf(t.at, "a move stands before the board BO")
	}
	it, ok := ParseItem(t.value)
	if !ok {
		return d.s.errorf(t.valueAt, "%q is no move, write a square or PA", game.Shown(t.value, 40))
	}
	if it.Move.Op == game.Place {
		p := it.Move.To
		if !p.On(d.board.Size, d.board.Size) || d.board.Cells[p.Index(d.board.Size)] == '?' {
			return d.s.errorf(t.valueAt, "%q lies off the board of size %d", game.Shown(t.value, 40), d.board.Size)
		}
	}
	st := record.Step{By: game.First, Move: it.Move, Used: it.Time, Timed: it.Timed}
	if t.name == "W" {
		st.By = game.Second
	}
	if it.Eval.Known() {
		st.Info = &game.Info{Eval: it.Eval}
	}
	st.Line, st.Column = d.s.place(t.at)
	if it.Bad != "" {
		d.warn("line %d: the %s in %s[%s] cannot be read", st.Line, it.Bad, t.name, game.Shown(t.value, 40))
	}
	d.g.Steps = append(d.g.Steps, st)
	return nil
}

func (d *decoder) readResult() {
	r, words, ok := parseResult(d.result.value, d.board.Squares(), d.komi)
	d.g.Result = r
	if words != "" {
		setTag(d.g, TagResult, words)
	}
	if !ok {
		d.warn("the result %q is unknown", game.Shown(words, 40))
	}
}
