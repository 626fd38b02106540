package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"kibitz/game"
	"kibitz/match"
	"kibitz/record/pos"
	"kibitz/run"
)

// cgcFiles are the files that the options of c-gomoku-cli name. Games stand in them
// in the order of their numbers, however they end.
type cgcFiles struct {
	w    *cgcWatch
	out  map[string]*os.File
	logs map[int]*os.File // by slot
	// wait holds what games wrote that those before them still wait for, next is the
	// number of the game that is due.
	wait map[int]map[string][]byte
	next int
	err  error
	rng  *rand.Rand
}

func newCGCFiles(w *cgcWatch) *cgcFiles {
	return &cgcFiles{
		w: w, out: map[string]*os.File{}, logs: map[int]*os.File{}, wait: map[int]map[string][]byte{},
		rng: rand.New(rand.NewPCG(w.o.srand, 1)),
	}
}

// open opens the files, which are appended to.
func (f *cgcFiles) open() error {
	o := f.w.o
	for kind, name := range map[string]string{"pgn": o.pgn, "sgf": o.sgf, "msg": o.msg, "sample": o.sample.file} {
		if name == "" {
			continue
		}
		file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return fmt.Errorf("-%s: %w", kind, err)
		}
		f.out[kind] = file
	}
	return nil
}

// close writes what waits and closes the files.
func (f *cgcFiles) close() {
	for i := f.next; len(f.wait) > 0; i++ {
		f.flush(i)
	}
	for _, file := range f.out {
		f.note(file.Close())
	}
	for _, file := range f.logs {
		f.note(file.Close())
	}
}

func (f *cgcFiles) note(err error) { f.err = errors.Join(f.err, err) }

// add takes a game that is over.
func (f *cgcFiles) add(p *run.Game, end cgcEnd) {
	lines := trafficOf(p.Log)
	if f.w.o.log {
		f.log(p, lines)
	}
	all := map[string][]byte{}
	if o := f.w.o; !o.gauntlet || !o.losing || f.w.outcome(p) == 0 {
		all["pgn"], all["sgf"], all["msg"] = f.pgn(p, end), f.sgf(p, end), f.messages(p, lines)
		all["sample"] = f.samples(p, end)
	}
	f.wait[p.Pairing.Index] = all
	for f.wait[f.next] != nil {
		f.flush(f.next)
		f.next++
	}
}

func (f *cgcFiles) flush(i int) {
	for kind, file := range f.out {
		if _, err := file.Write(f.wait[i][kind]); err != nil {
			f.note(err)
		}
	}
	delete(f.wait, i)
}

// log appends the lines of a game to the file of its slot, and with -debug prints
// what the engines had to say.
func (f *cgcFiles) log(p *run.Game, lines []trafficLine) {
	file := f.logs[p.Slot]
	if file == nil {
		var err error
		if file, err = os.Create(fmt.Sprintf("c-gomoku-cli.%d.log", p.Slot+1)); err != nil {
			f.note(err)
			return
		}
		f.logs[p.Slot] = file
	}
	black, white := f.w.seats(p)
	names := [2]string{black, white}
	var b bytes.Buffer
	for _, l := range lines {
		arrow := "->"
		if l.mark == '>' {
			arrow = "<-"
		}
		fmt.Fprintf(&b, "%s %s %s\n", names[l.seat], arrow, l.text)
		if f.w.o.debug && l.mark == '<' {
			for _, kind := range []string{"MESSAGE", "UNKNOWN", "DEBUG", "ERROR"} {
				if tail, ok := strings.CutPrefix(l.text, kind); ok {
					f.w.say("engine %s output %s:%s", names[l.seat], strings.ToLower(kind), tail)
				}
			}
		}
	}
	if _, err := file.Write(b.Bytes()); err != nil {
		f.note(err)
	}
}

// messages is what engines said while they were to move, with the number of the
// stone that they were about to place.
func (f *cgcFiles) messages(p *run.Game, lines []trafficLine) []byte {
	if f.out["msg"] == nil {
		return nil
	}
	black, white := f.w.seats(p)
	names := [2]string{black, white}
	var b bytes.Buffer
	fmt.Fprintf(&b, "------------------------------\nGame ID: %d\nEngines: %s x %s\n", p.Pairing.Index+1, black, white)
	stone := stonesOf(p.Outcome.Steps, true) + 1
	var thinking [2]bool
	for _, l := range lines {
		verb, rest, _ := strings.Cut(l.text, " ")
		verb = strings.ToUpper(verb)
		switch {
		case l.mark == '>' && (verb == "BEGIN" || verb == "TURN" || verb == "DONE"):
			thinking[l.seat] = true
		case l.mark != '<' || !thinking[l.seat]:
		case strings.HasPrefix(verb, "MESSAGE"):
			fmt.Fprintf(&b, "%d) %s: %s\n", stone, names[l.seat], rest)
		case isCoordinates(l.text):
			thinking[l.seat] = false
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

// stonesOf counts the stones of a game, or of its opening alone.
func stonesOf(steps []match.Step, opening bool) int {
	n := 0
	for i := range steps {
		if steps[i].Move.Op == game.Place && (steps[i].Opening || !opening) {
			n++
		}
	}
	return n
}

// pgn is a game without moves; results are white's.
func (f *cgcFiles) pgn(p *run.Game, end cgcEnd) []byte {
	if f.out["pgn"] == nil {
		return nil
	}
	j := f.w.jobs[p.Pairing.Index]
	black, white := f.w.seats(p)
	result := end.token("0-1", "1-0")
	var b bytes.Buffer
	tag := func(key, value string) { fmt.Fprintf(&b, "[%s \"%s\"]\n", key, value) }
	tag("Event", fmt.Sprint(p.Pairing.Index+1))
	tag("Date", f.date())
	tag("Round", fmt.Sprintf("%d.%d", j.round+1, j.game+1))
	tag("Black", black)
	tag("White", white)
	tag("Result", result)
	tag("Termination", end.reason)
	tag("PlyCount", fmt.Sprint(end.plies))
	fmt.Fprintf(&b, "%s\n\n", result)
	return b.Bytes()
}

func (f *cgcFiles) date() string { return f.w.a.now().Local().Format("2006.01.02 15:04:05") }

// sgf is a game with the time of each move.
func (f *cgcFiles) sgf(p *run.Game, end cgcEnd) []byte {
	if f.out["sgf"] == nil {
		return nil
	}
	j := f.w.jobs[p.Pairing.Index]
	black, white := f.w.seats(p)
	result := end.token("B+1", "W+1")
	if !end.winner.IsPlayer() {
		result = "0"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "(;FF[4]GM[4]GN[%d]EV[%s x %s]DT[%s]RO[%d.%d]RU[%d]SZ[%d]PB[%s]PW[%s]RE[%s]TE[%s]\n", p.Pairing.Index+1, black, white,
		f.date(), j.round+1, j.game+1, f.w.o.rule, f.w.o.size, black, white, result, end.reason)
	steps := p.Outcome.Steps
	if end.cut {
		steps = steps[:len(steps)-1]
	}
	opening := stonesOf(steps, true)
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

// samples are the positions in which engines moved, with the move and what became of
// the game for who was to move: 0 lost, 1 drawn, 2 won. Games that an engine's fault
// ended have none.
func (f *cgcFiles) samples(p *run.Game, end cgcEnd) []byte {
	if f.out["sample"] == nil || end.fault != "" {
		return nil
	}
	steps := p.Outcome.Steps
	if end.cut {
		steps = steps[:len(steps)-1]
	}
	var points []game.Point
	var b []byte
	for i := range steps {
		to := steps[i].Move.To
		if !steps[i].Opening && f.rng.Float64() <= f.w.o.sample.freq {
			result := 1
			if end.winner.IsPlayer() {
				result = map[bool]int{true: 2}[int(end.winner) == i%2]
			}
			b = f.sample(b, points, to, result)
		}
		points = append(points, to)
	}
	return b
}

func (f *cgcFiles) sample(b []byte, points []game.Point, to game.Point, result int) []byte {
	if !f.w.o.sample.binary {
		return fmt.Appendf(b, "%s,%s,%d\n", pos.Format(points), pos.Format([]game.Point{to}), result)
	}
	packed := func(p game.Point) uint16 { return uint16(p.X)<<5 | uint16(p.Y) }
	b = binary.LittleEndian.AppendUint16(b, uint16(result|len(points)<<2|f.w.o.size<<11))
	colour := uint16(len(points)%2) << 10 // set for a white stone here, though not below
	b = binary.LittleEndian.AppendUint16(b, uint16(f.w.o.rule)|(packed(to)|colour)<<3)
	for _, p := range points {
		b = binary.LittleEndian.AppendUint16(b, packed(p))
	}
	return b
}
