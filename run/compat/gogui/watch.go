package gogui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/internal/wholefile"
	"kibitz/match/recorded"
	"kibitz/opening"
	"kibitz/record"
	"kibitz/record/sgf"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/compat"
)

// watch writes a run into the files of gogui-twogtp, which prints nothing else.
type watch struct {
	compat.Silent
	*compat.Env
	o        *Options
	rules    rules.Rules
	openings []opening.Opening
	held     *os.File // the lock
	// programs are black, white and those who look on; names are what the first two are
	// called in the run, control is their clock.
	programs []program
	names    []string
	control  clock.Control

	mu    sync.Mutex
	table *Table
	moves []*Moves       // of the games that the table has, in order
	died  map[string]int // in how many games, by label
	err   error

	following sync.Mutex
	followers map[int][]*follower    // by slot
	live      map[string][]*follower // by the name of the game
}

// openTable takes up the table that there is, or begins one.
func (w *watch) openTable() error {
	name := w.o.Prefix + ".dat"
	data, err := os.ReadFile(name)
	if w.o.Prefix == "" || errors.Is(err, fs.ErrNotExist) || err == nil && w.o.Force {
		w.table = &Table{Properties: w.properties()}
		return nil
	}
	if err == nil {
		w.table, err = ParseTable(data)
	}
	if err != nil {
		return compat.Fail("%s: %v", name, err)
	}
	if n := len(w.table.Games); w.o.Games > 0 && n >= w.o.Games {
		return compat.Fail("%s has %s already; -force begins anew", name, plain.Count(n, "game"))
	}
	now := w.properties()
	for _, key := range []string{"Game", "BlackCommand", "WhiteCommand"} {
		before, ok := w.table.Properties[key]
		switch {
		case !ok || before == now[key]:
		case key == "Game":
			return compat.Fail("%s: its games are of %s, not of %s", name, before, now[key])
		default:
			w.Warned(fmt.Sprintf("%s: its games were played by other programs: %s is %q, was %q", name, key, now[key], before))
		}
	}
	for i := range w.table.Games {
		n := w.table.Games[i].Number
		tree, err := readTree(w.file(n))
		if err != nil {
			w.Warned(fmt.Sprintf("%v: duplicates of game %d are not found", err, n))
			continue
		}
		w.moves = append(w.moves, MovesOf(n, tree))
	}
	return nil
}

// file is the name of the file of a game.
func (w *watch) file(number int) string { return fmt.Sprintf("%s-%d.sgf", w.o.Prefix, number) }

// Finished writes a game.
func (w *watch) Finished(d *run.Finished) {
	w.mu.Lock()
	defer w.mu.Unlock()
	g := d.Game
	if w.o.Verbose && g.Slot == 0 {
		w.traffic(g)
	}
	row := Game{Number: g.Pairing.Index, Exchanged: g.Pairing.First == 1, Referee: "?", Duplicate: "-"}
	said := w.unfollow(g)
	for seat, e := range compat.Engines(g) {
		row.Time[e] = g.Outcome.Used[seat].Seconds()
		row.CPU[e] = g.Outcome.Resources[seat].CPU.Seconds()
	}
	w.fault(g, &row)
	w.err = errors.Join(w.err, w.write(g, &row, said))
}

// moveLimit is why a game was not played to its end that has too many moves.
const moveLimit = "move limit exceeded"

// fault tells of a game that was not played to its end.
func (w *watch) fault(g *run.Game, row *Game) {
	res := g.Outcome.Result
	switch res.Reason {
	case game.ByCrash, game.ByDisconnect, game.ByStart:
		for seat, e := range compat.Engines(g) {
			if g.Outcome.Faulty[seat] {
				w.died[w.programs[e].label]++
			}
		}
	case game.ByIllegal, game.ByStall, game.ByProtocol, game.ByResource:
	case game.ByAdjudication:
		if w.o.MaxMoves >= 0 && strings.HasPrefix(res.Detail, "the limit of ") {
			row.Failed, row.Why = true, moveLimit
		}
		return
	default:
		return
	}
	row.Failed, row.Why = true, res.Detail
}

// write writes the file of a game and its line of the table. said is what the referee says of
// the result.
func (w *watch) write(g *run.Game, row *Game, said string) error {
	rec := w.record(g)
	result := resultOf(g.Outcome.Result)
	if row.Why == moveLimit {
		rec.Result, result = nil, "?"
	}
	if strings.HasSuffix(result, "+R") { // then nobody is asked
		said = result
	}
	rec.Comment = w.describe(g, result, said)
	tree, err := sgf.ToTree(rec)
	if err != nil {
		return err
	}
	moves := MovesOf(row.Number, tree)
	row.Moves = moves.Len()
	row.Duplicate = Duplicate(moves, w.comparable(row))
	row.Black, row.White, row.Referee = result, result, said
	if row.Exchanged {
		for _, s := range []*string{&row.Black, &row.White, &row.Referee} {
			*s = inverted(*s)
		}
	}
	w.table.Add(*row)
	at, _ := slices.BinarySearchFunc(w.moves, row.Number, func(m *Moves, n int) int { return m.Number - n })
	w.moves = slices.Insert(w.moves, at, moves)
	if w.o.Prefix == "" {
		return nil
	}
	err = wholefile.Write(w.file(row.Number), sgf.Append(nil, tree))
	return errors.Join(err, wholefile.Write(w.o.Prefix+".dat", w.table.Append(nil)))
}

// record is a game as gogui-twogtp writes it.
func (w *watch) record(g *run.Game) *record.Game {
	rec := &record.Game{
		Spec: w.rules.Spec(), Names: [2]string{w.programs[g.Pairing.First].label, w.programs[g.Pairing.Second].label},
		Date: g.Began.Local().Format("2006-01-02"), Result: &g.Outcome.Result, Steps: recorded.Steps(&g.Outcome),
	}
	if !w.control.None() {
		text := w.control.String()
		rec.Clocks = [2]string{text, text}
	}
	if w.o.DebugToComment {
		comment(rec.Steps, compat.Lines(g.Log))
	}
	return rec
}

// comparable are the games of which one may be a duplicate: where seats are exchanged, those
// with the same ones.
func (w *watch) comparable(row *Game) []*Moves {
	if !w.o.Alternate {
		return w.moves
	}
	var out []*Moves
	for _, m := range w.moves {
		if (m.Number%2 == 1) == row.Exchanged {
			out = append(out, m)
		}
	}
	return out
}

// resultOf is the result as tables have it, of the seats: a win on time or by a fault is one
// without a score.
func resultOf(res game.Result) string {
	letter := compat.Result(res.Winner(), "B", "W", "")
	switch {
	case letter == "" && res.Points[0] == 0:
		return "?"
	case letter == "":
		return "0"
	case res.Reason == game.ByResign:
		return letter + "+R"
	case res.HasBoard && res.Reason != game.ByTime:
		return fmt.Sprintf("%s+%g", letter, res.Board[res.Winner()]-res.Board[res.Winner().Other()])
	}
	return letter + "+"
}

// inverted is a result with the seats exchanged.
func inverted(result string) string {
	if rest, ok := strings.CutPrefix(result, "B"); ok {
		return "W" + rest
	}
	if rest, ok := strings.CutPrefix(result, "W"); ok {
		return "B" + rest
	}
	return result
}
