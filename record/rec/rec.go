// Package rec reads and writes the records of Gomotur, the tournament manager
// before Piskvork: two names, the first mover first, then moves on a board of 20
// by 20, then an end code. It says neither the rule nor who won.
package rec

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// Size is the side of the board, which files do not tell.
const Size = 20

// TagEnd is the key under which Game.Tags hold the end code; the codes are those
// of Piskvork records.
const TagEnd = "end"

const eol = "\r\n"

// Read reads a file with one game.
func Read(data []byte) (*record.Game, error) {
	lines := record.Lines(data)
	if len(lines) < 2 {
		return nil, record.Errorf(1, 0, "a .rec file starts with the names of both players, a line each")
	}
	g := &record.Game{Spec: "gomoku:size=20", Line: 1}
	for i := range g.Names {
		g.Names[i] = strings.TrimSpace(lines[i])
		if _, _, ok := point(g.Names[i]); ok {
			return nil, record.Errorf(i+1, 0, "%q is a move where the name of a player is due", g.Names[i])
		}
	}
	for n, line := range lines[2:] {
		at := n + 3
		p, ms, ok := point(line)
		if !ok {
			tail(g, lines[2+n:], at)
			return g, nil
		}
		if !p.On(Size, Size) {
			return nil, record.Errorf(at, 0, "%q lies outside the board of 20x20", line)
		}
		g.Steps = append(g.Steps, record.Step{
			By: game.Seat(len(g.Steps) % 2), Move: game.PlaceAt(p), Line: at,
			Used: record.Millis(int64(ms)), Timed: ms >= 0,
		})
	}
	return g, nil
}

// point reads "x,y,ms" with points from 0; ms is -1 if it is missing.
func point(line string) (p game.Point, ms int, ok bool) {
	fields := strings.Split(line, ",")
	if len(fields) < 2 {
		return p, 0, false
	}
	v := [3]int{2: -1}
	for i := range min(3, len(fields)) {
		n, err := strconv.Atoi(strings.TrimSpace(fields[i]))
		if err != nil {
			return p, 0, false
		}
		v[i] = n
	}
	if v[0] < 0 || v[1] < 0 || v[0] > 127 || v[1] > 127 {
		return game.NoPoint, v[2], true
	}
	return game.Pt(v[0], v[1]), v[2], true
}

// tail reads the end code; what else follows is passed over with a warning.
func tail(g *record.Game, lines []string, at int) {
	for i, l := range lines {
		if g.ReadRuling(l) {
			continue
		}
		code, err := strconv.Atoi(strings.TrimSpace(l))
		if _, twice := g.Tag(TagEnd); err != nil || twice {
			g.Warnings = append(g.Warnings, fmt.Sprintf("line %d: %.40q is passed over", at+i, l))
			continue
		}
		g.Tags = append(g.Tags, record.Tag{Key: TagEnd, Value: strconv.Itoa(code)})
		if code == 15 {
			r := game.Win(game.Seat(len(g.Steps)%2).Other(), game.ByTime, "end code 15")
			g.Result = &r
		}
	}
}

// Write returns the game as a file. It must be five in a row on a board of 20 by
// 20; choices of an opening are left out.
func Write(g *record.Game) ([]byte, error) {
	if g.Spec.ID() != "gomoku" {
		return nil, fmt.Errorf("a .rec file holds games of gomoku, not of %q", g.Spec.ID())
	}
	if size, ok := g.Spec.Option("size"); !ok || size != "20" {
		return nil, fmt.Errorf("a .rec file holds games on a board of 20x20, not %s", g.Spec)
	}
	var b bytes.Buffer
	for _, n := range g.Names {
		b.WriteString(name(n) + eol)
	}
	for i, s := range g.Steps {
		switch {
		case s.Move.Op == game.Choose:
			continue
		case s.Move.Op == game.Pass:
			return nil, fmt.Errorf("decision %d: a pass cannot be written: the format holds stones only", i+1)
		case s.Move.Op != game.Place || !s.Move.To.On(Size, Size):
			return nil, fmt.Errorf("decision %d, %s: a .rec file holds only stones on a board of 20x20", i+1, s.Move)
		}
		fmt.Fprintf(&b, "%d,%d,%d"+eol, s.Move.To.X, s.Move.To.Y, s.Used.Milliseconds())
	}
	b.WriteString(end(g) + eol)
	if ruling := g.Ruling(); ruling != "" { // behind all that other readers look at
		b.WriteString(ruling + eol)
	}
	return b.Bytes(), nil
}

// name makes a name a line that does not look like a move.
func name(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < ' ' || r == ',' }), " ")
	if s = strings.TrimSpace(s); s == "" {
		return "?"
	}
	return s
}

func end(g *record.Game) string {
	if v, ok := g.Tag(TagEnd); ok {
		if n, err := strconv.Atoi(v); err == nil {
			return strconv.Itoa(n)
		}
	}
	if g.Result == nil {
		return "-1"
	}
	switch g.Result.Reason {
	case game.ByTime:
		return "15"
	case game.ByCrash, game.ByIllegal, game.ByProtocol, game.ByResource, game.ByStart, game.ByStall, game.ByDisconnect:
		return "-2"
	case game.ByAbort:
		return "-1"
	}
	return "0"
}
