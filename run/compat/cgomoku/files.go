package cgomoku

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/match"
	"kibitz/record/pos"
	"kibitz/run"
	"kibitz/run/compat"
)

// open opens the files that the options name.
func (w *watch) open() error {
	for _, x := range [][2]string{{"pgn", w.o.pgn}, {"sgf", w.o.sgf}, {"msg", w.o.msg}, {"sample", w.o.sample.file}} {
		if err := w.files.Open(x[0], "-"+x[0], x[1], false); err != nil {
			return err
		}
	}
	return nil
}

// write writes a game into the files.
func (w *watch) write(g *run.Game, e end) {
	lines := compat.Lines(g.Log)
	if w.o.log {
		w.log(g, lines)
	}
	texts := map[string][]byte{}
	if !w.o.gauntlet || !w.o.losing || w.outcome(g) == 0 {
		texts["pgn"], texts["sgf"], texts["msg"], texts["sample"] = w.pgn(g, e), w.sgf(g, e), w.messages(g, lines), w.positions(g, e)
	}
	w.files.Add(g.Pairing.Index, texts)
}

// log appends the lines of a game to the file of its slot, and with -debug prints what the
// engines had to say.
func (w *watch) log(g *run.Game, lines []compat.Line) {
	key := fmt.Sprint("log", g.Slot)
	if !w.files.Has(key) {
		w.files.Note(w.files.Open(key, "-log", fmt.Sprintf("c-gomoku-cli.%d.log", g.Slot+1), true))
	}
	names := w.seats(g)
	for _, l := range lines {
		arrow := "->"
		if l.Mark == '>' {
			arrow = "<-"
		}
		w.files.Writeln(key, fmt.Sprintf("%s %s %s", names[l.Seat], arrow, l.Text))
		if !w.o.debug || l.Mark != '<' {
			continue
		}
		for _, kind := range []string{"MESSAGE", "UNKNOWN", "DEBUG", "ERROR"} {
			if tail, ok := strings.CutPrefix(l.Text, kind); ok {
				w.Say("engine %s output %s:%s", names[l.Seat], strings.ToLower(kind), tail)
			}
		}
	}
}

// messages is what engines said while they were to move, with the number of the stone that
// they were about to place.
func (w *watch) messages(g *run.Game, lines []compat.Line) []byte {
	names := w.seats(g)
	var b bytes.Buffer
	fmt.Fprintf(&b, "------------------------------\nGame ID: %d\nEngines: %s x %s\n", g.Pairing.Index+1, names[0], names[1])
	stone := openingStones(g.Outcome.Steps) + 1
	var thinking [2]bool
	for _, l := range lines {
		verb, rest, _ := strings.Cut(l.Text, " ")
		verb = strings.ToUpper(verb)
		switch {
		case l.Mark == '>' && (verb == "BEGIN" || verb == "TURN" || verb == "DONE"):
			thinking[l.Seat] = true
		case l.Mark != '<' || !thinking[l.Seat]:
		case strings.HasPrefix(verb, "MESSAGE"):
			fmt.Fprintf(&b, "%d) %s: %s\n", stone, names[l.Seat], rest)
		case isCoordinates(l.Text):
			thinking[l.Seat] = false
			stone++
		}
	}
	return b.Bytes()
}

// isCoordinates tells a move, two numbers and a comma.
func isCoordinates(s string) bool {
	x, y, ok := strings.Cut(strings.TrimSpace(s), ",")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return ok && digits(x) && digits(strings.TrimSpace(y))
}

// openingStones counts the stones of an opening.
func openingStones(steps []match.Step) int {
	n := 0
	for i := range steps {
		if steps[i].Move.Op == game.Place && steps[i].Opening {
			n++
		}
	}
	return n
}

// pgn is a game without moves; results are white's.
func (w *watch) pgn(g *run.Game, e end) []byte {
	j, names := w.job(g), w.seats(g)
	result := e.token("0-1", "1-0")
	var b []byte
	for _, x := range [][2]string{
		{"Event", fmt.Sprint(g.Pairing.Index + 1)},
		{"Date", w.date()},
		{"Round", fmt.Sprintf("%d.%d", j.round+1, j.game+1)},
		{"Black", names[0]},
		{"White", names[1]},
		{"Result", result},
		{"Termination", e.reason},
		{"PlyCount", fmt.Sprint(e.plies)},
	} {
		b = fmt.Appendf(b, "[%s \"%s\"]\n", x[0], x[1])
	}
	return fmt.Appendf(b, "%s\n\n", result)
}

func (w *watch) date() string { return w.Now().Local().Format("2006.01.02 15:04:05") }

// moves are the steps that stand.
func (e end) moves(g *run.Game) []match.Step {
	steps := g.Outcome.Steps
	if e.cut {
		steps = steps[:len(steps)-1]
	}
	return steps
}

// sgf is a game with the time of each move.
func (w *watch) sgf(g *run.Game, e end) []byte {
	j, names := w.job(g), w.seats(g)
	var b bytes.Buffer
	fmt.Fprintf(&b, "(;FF[4]GM[4]GN[%d]EV[%s x %s]DT[%s]RO[%d.%d]RU[%d]SZ[%d]PB[%s]PW[%s]RE[%s]TE[%s]\n", g.Pairing.Index+1, names[0],
		names[1], w.date(), j.round+1, j.game+1, w.o.rule, w.o.size, names[0], names[1], compat.Result(e.winner, "B+1", "W+1", "0"), e.reason)
	steps := e.moves(g)
	opening := openingStones(steps)
	inLine := 0
	for i := range steps {
		if opening > 0 && i == opening {
			b.WriteByte('\n')
		}
		if inLine == 8 {
			b.WriteByte('\n')
			inLine = 0
		}
		to := steps[i].Move.To
		fmt.Fprintf(&b, ";%c[%c%c]", "BW"[i%2], 'a'+to.X, 'a'+to.Y)
		if i < opening {
			b.WriteString("C[opening move]")
			continue
		}
		fmt.Fprintf(&b, "C[%dms]", steps[i].Used.Milliseconds())
		inLine++
	}
	b.WriteString(")\n\n")
	return b.Bytes()
}

// positions are those in which engines moved, with the move and what became of the game for
// who was to move: 0 lost, 1 drawn, 2 won. Games that an engine's fault ended have none.
func (w *watch) positions(g *run.Game, e end) (b []byte) {
	if !w.files.Has("sample") || e.fault != "" {
		return nil
	}
	var points []game.Point
	steps := e.moves(g)
	for i := range steps {
		to := steps[i].Move.To
		if !steps[i].Opening && w.samples.Float64() <= w.o.sample.freq {
			result := 1
			if e.winner.IsPlayer() {
				result = map[bool]int{true: 2}[int(e.winner) == i%2]
			}
			b = w.position(b, points, to, result)
		}
		points = append(points, to)
	}
	return b
}

func (w *watch) position(b []byte, points []game.Point, to game.Point, result int) []byte {
	if !w.o.sample.binary {
		return fmt.Appendf(b, "%s,%s,%d\n", pos.Format(points), pos.Format([]game.Point{to}), result)
	}
	packed := func(p game.Point) uint16 { return uint16(p.X)<<5 | uint16(p.Y) }
	b = binary.LittleEndian.AppendUint16(b, uint16(result|len(points)<<2|w.o.size<<11))
	colour := uint16(len(points)%2) << 10 // set for a white stone here, though not below
	b = binary.LittleEndian.AppendUint16(b, uint16(w.o.rule)|(packed(to)|colour)<<3)
	for _, p := range points {
		b = binary.LittleEndian.AppendUint16(b, packed(p))
	}
	return b
}
