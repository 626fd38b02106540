// Package psq reads and writes the records of the Piskvork manager.
//
// A record says who played player 0 and player 1 and which of them moved first;
// here the first mover is seat First. It names neither the rule nor who won: an
// end by a foul or a line is found by replaying, an end by time or a fault of the
// brain is told by the end code, and loses for the side that was to move.
package psq

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// Keys under which Game.Tags hold what a file says beyond the fields of
// record.Game.
const (
	// TagLevels is "7:7", the levels of players 0 and 1.
	TagLevels = "levels"
	// TagStart is the number of the player who moved first, 0 or 1.
	TagStart = "start"
	// TagEnd is the end code.
	TagEnd = "end"
)

// End codes of a file, and of the live file of a running game.
const (
	EndNormal  = 0  // a line, a foul or a full board
	EndTimeout = 15 // the side to move was too slow
	EndError   = -2 // any other fault of the side to move
	EndSaved   = -1 // saved by hand, with no names

	liveStart   = 2
	liveExit    = 3
	liveIllegal = 7
	liveMemory  = 16
)

const eol = "\r\n"

// ruled stands between the head and what a person ruled: readers of the format pass over the rest of
// that line, and no other has room for it.
const ruled = ", # "

// Read reads a file with one game.
func Read(data []byte) (*record.Game, error) {
	lines := record.Lines(data)
	if len(lines) == 0 {
		return nil, record.Errorf(1, 0, "an empty file is no Piskvork record")
	}
	g := &record.Game{Line: 1}
	width, height, start, err := header(lines[0], g)
	if err != nil {
		return nil, err
	}
	g.Spec = Spec(width, height)
	n := 1
	for ; n < len(lines); n++ {
		s, ok, err := move(lines[n], n+1)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		if !s.Move.To.On(width, height) {
			return nil, record.Errorf(n+1, 0, "the point %q lies outside the board of %dx%d", lines[n], width, height)
		}
		s.By = game.Seat(len(g.Steps) % 2)
		g.Steps = append(g.Steps, s)
	}
	trailer(g, lines, n, start)
	if _, ruling, ok := strings.Cut(lines[0], ruled); ok {
		g.ReadRuling(ruling)
	}
	return g, nil
}

// header reads "Piskvorky 20x20, 7:7, 0".
func header(line string, g *record.Game) (width, height, start int, err error) {
	var p0, p1 int
	n, scanErr := fmt.Sscanf(line, "Piskvorky %dx%d, %d:%d, %d", &width, &height, &p0, &p1, &start)
	if scanErr != nil || n != 5 {
		return 0, 0, 0, record.Errorf(1, 0, "%q is no header: it must be like \"Piskvorky 20x20, 7:7, 0\"", game.Shown(line, 40))
	}
	if start != 0 && start != 1 {
		return 0, 0, 0, record.Errorf(1, 0, "the first player is %d: it must be 0 or 1", start)
	}
	if width < 1 || height < 1 || width > 127 || height > 127 {
		return 0, 0, 0, record.Errorf(1, 0, "a board of %dx%d does not exist: sides go from 1 to 127", width, height)
	}
	g.Tags = append(g.Tags,
		record.Tag{Key: TagLevels, Value: fmt.Sprintf("%d:%d", p0, p1)},
		record.Tag{Key: TagStart, Value: strconv.Itoa(start)})
	return width, height, start, nil
}

// Spec returns the specification of a board without a rule, which files do not
// tell.
func Spec(width, height int) game.Spec {
	if width == height {
		return game.Spec(fmt.Sprintf("gomoku:size=%d", width))
	}
	return game.Spec(fmt.Sprintf("gomoku:width=%d,height=%d", width, height))
}

// move reads "x,y,ms" with points from 1; ok is false for a line of another kind.
func move(line string, at int) (s record.Step, ok bool, err error) {
	fields := strings.Split(line, ",")
	if len(fields) < 2 {
		return s, false, nil
	}
	var v [3]int
	for i := range min(3, len(fields)) {
		n, err := strconv.Atoi(strings.TrimSpace(fields[i]))
		if err != nil && i < 2 {
			return s, false, nil
		}
		if err != nil {
			return s, false, record.Errorf(at, 0, "%q is no time in milliseconds", game.Shown(fields[i], 40))
		}
		v[i] = n
	}
	if v[0] < 1 || v[1] < 1 || v[0] > 127 || v[1] > 127 {
		return s, false, record.Errorf(at, 0, "%q is no point: columns and rows start at 1", game.Shown(line, 40))
	}
	s = record.Step{
		Move: game.PlaceAt(game.Pt(v[0]-1, v[1]-1)), Line: at,
		Used: record.Millis(int64(v[2])), Timed: len(fields) > 2,
	}
	return s, true, nil
}

// trailer reads what follows the moves: two names and an end code, or less.
func trailer(g *record.Game, lines []string, n, start int) {
	rest := lines[n:]
	if k := len(rest); k > 0 {
		if code, err := strconv.Atoi(strings.TrimSpace(rest[k-1])); err == nil {
			g.Tags = append(g.Tags, record.Tag{Key: TagEnd, Value: strconv.Itoa(code)})
			g.Result = result(code, game.Seat(len(g.Steps)%2))
			rest = rest[:k-1]
		}
	}
	for i, name := range rest {
		if i >= 2 {
			g.Warnings = append(g.Warnings, fmt.Sprintf("line %d: %q is passed over", n+i+1, game.Shown(name, 40)))
			continue
		}
		g.Names[(i+start)%2] = strings.TrimSpace(name)
	}
}

// result is what an end code means when loser was to move; nil where the code
// does not tell.
func result(code int, loser game.Seat) *game.Result {
	var why game.Reason
	switch code {
	case EndTimeout:
		why = game.ByTime
	case EndError, liveExit:
		why = game.ByCrash
	case liveStart:
		why = game.ByStart
	case liveIllegal:
		why = game.ByIllegal
	case liveMemory:
		why = game.ByResource
	default:
		return nil
	}
	r := game.Win(loser.Other(), why, fmt.Sprintf("end code %d", code))
	return &r
}

// Write returns the game as a file. Choices of an opening are left out, since the
// format has only stones; decisions of other kinds are an error. A game without a
// result and without an end code among its tags counts as saved by hand: -1 and
// no names.
func Write(g *record.Game) ([]byte, error) {
	width, height, err := Size(g.Spec)
	if err != nil {
		return nil, err
	}
	levels, ok := g.Tag(TagLevels)
	if !ok {
		levels = "1:1"
	}
	start := 0
	if v, _ := g.Tag(TagStart); v == "1" {
		start = 1
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "Piskvorky %dx%d, %s, %d", width, height, levels, start)
	if ruling := g.Ruling(); ruling != "" {
		b.WriteString(ruled + ruling)
	}
	b.WriteString(eol)
	for i, s := range g.Steps {
		switch {
		case s.Move.Op == game.Choose:
			continue
		case s.Move.Op == game.Pass:
			return nil, fmt.Errorf("decision %d: a pass cannot be written: the format holds stones only", i+1)
		case s.Move.Op != game.Place || !s.Move.To.On(width, height):
			return nil, fmt.Errorf("decision %d, %s: a Piskvork record holds only stones on the board of %dx%d", i+1, s.Move, width, height)
		}
		fmt.Fprintf(&b, "%d,%d,%d"+eol, int(s.Move.To.X)+1, int(s.Move.To.Y)+1, s.Used.Milliseconds())
	}
	code := endCode(g)
	if code != EndSaved {
		for i := range g.Names {
			b.WriteString(oneLine(g.Names[(i+start)%2]) + eol)
		}
	}
	fmt.Fprintf(&b, "%d"+eol, code)
	return b.Bytes(), nil
}

func endCode(g *record.Game) int {
	if v, ok := g.Tag(TagEnd); ok {
		if n, err := strconv.Atoi(v); err == nil {
			return n
		}
	}
	if g.Result == nil {
		return EndSaved
	}
	switch g.Result.Reason {
	case game.ByTime:
		return EndTimeout
	case game.ByCrash, game.ByIllegal, game.ByProtocol, game.ByResource, game.ByStart, game.ByStall, game.ByDisconnect:
		return EndError
	case game.ByAbort:
		return EndSaved
	}
	return EndNormal
}

// oneLine makes a name fit for a line that must not look like a move or a number.
func oneLine(name string) string {
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r < ' ' }), " ")
	name = strings.TrimSpace(strings.ReplaceAll(name, ",", " "))
	if name == "" {
		return "?"
	}
	if _, err := strconv.Atoi(name); err == nil {
		return "player " + name
	}
	return name
}

// Size returns the size of the board of a specification of five in a row.
func Size(spec game.Spec) (width, height int, err error) {
	if spec.ID() != "gomoku" {
		return 0, 0, fmt.Errorf("the format holds games of gomoku, not of %q", spec.ID())
	}
	size := 15
	for _, o := range []struct {
		key string
		to  *int
	}{{"size", &size}, {"width", &width}, {"height", &height}} {
		if v, ok := spec.Option(o.key); ok {
			if *o.to, err = strconv.Atoi(v); err != nil {
				return 0, 0, fmt.Errorf("option %s=%s of %s is no number", o.key, v, spec)
			}
		}
	}
	width = cmp.Or(width, size)
	height = cmp.Or(height, size)
	if width < 1 || height < 1 || width > 127 || height > 127 {
		return 0, 0, fmt.Errorf("a board of %dx%d does not exist: sides go from 1 to 127", width, height)
	}
	return width, height, nil
}
