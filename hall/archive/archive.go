// Package archive is what a hall, which knows neither games nor formats, asks about finished
// games and about positions, and what bears out the results that workers send.
package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/exact"
	"kibitz/game"
	"kibitz/hall/play"
	"kibitz/hall/records"
	"kibitz/hall/store"
	"kibitz/internal/plain"
	"kibitz/internal/spread"
	"kibitz/journal"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/record/gamebase/index"
	"kibitz/record/replay"
	"kibitz/rules"
)

// Archive is what a hall, which knows neither games nor formats, asks about
// finished games and about positions.
type Archive struct {
	// Set are the formats of records, Open opens the rules of a game by its text.
	Set  *formats.Set
	Open func(text string) (rules.Rules, error)
	// Games are tried on a text that does not say what is played, the most likely first.
	Games []game.Spec
	// Consoles understand conversations with engines.
	Consoles []record.Console
	// Solvers makes what decides positions of a game; nil where nothing does.
	Solvers func(game string) (exact.Solver, error)
}

func (h Archive) openSpec(s game.Spec) (rules.Rules, error) { return h.Open(string(s)) }

var (
	_ records.Views     = Archive{}
	_ records.Converter = Archive{}
	_ records.Importer  = Archive{}
)

// line replays a record in Kibitz's own format.
func (h Archive) line(data []byte) (*record.Game, *replay.Line, error) {
	list, err := h.Set.ReadNative(data)
	if err != nil {
		return nil, nil, err
	}
	if len(list) != 1 {
		return nil, nil, fmt.Errorf("the record holds %s instead of one", plain.Count(len(list), "game"))
	}
	l, err := replay.Play(list[0], h.openSpec)
	if err != nil {
		return nil, nil, err
	}
	return list[0], l, nil
}

// View shows a finished game after so many decisions, as all who know it whole see it.
func (h Archive) View(_ context.Context, data []byte, ply int) (*game.View, error) {
	_, l, err := h.line(data)
	if err != nil {
		return nil, err
	}
	if ply < 0 || ply > l.Len() {
		return nil, fmt.Errorf("ply %d: the game has 0 to %d", ply, l.Len())
	}
	v, err := l.View(ply, game.Arbiter)
	return &v, err
}

// Position checks a position with the decisions made from it, and returns how it looks
// and its key.
func (h Archive) Position(
	_ context.Context, spec game.Spec, position string, moves []string,
) (*game.View, int64, error) {
	r, err := h.Open(string(spec))
	if err != nil {
		return nil, 0, err
	}
	s, err := played(r, position, moves, func(int, rules.State) {})
	if err != nil {
		return nil, 0, err
	}
	v := s.View(game.Arbiter)
	return &v, index.Place(index.Keyer(r), s).Key, nil
}

// played makes decisions from a position; each is called after each of them, with how many were made.
func played(r rules.Rules, position string, moves []string, each func(made int, s rules.State)) (rules.State, error) {
	s, err := rules.Start(r, position)
	if err != nil {
		return nil, fmt.Errorf("position: %w", err)
	}
	for i, text := range moves {
		m, err := readDecision(r, s, text)
		if err == nil {
			_, err = s.Apply(m, nil)
		}
		if err != nil {
			return nil, fmt.Errorf("decision %d, %s: %w", i+1, game.Shown(text, 40), err)
		}
		each(i+1, s)
	}
	return s, nil
}

// Game checks what a room is to play.
func (h Archive) Game(ctx context.Context, spec game.Spec, position string, moves []string) (game.Spec, bool, error) {
	r, err := h.Open(string(spec))
	if err != nil {
		return "", false, err
	}
	if position != "" || len(moves) > 0 {
		v, _, err := h.Position(ctx, r.Spec(), position, moves)
		if err != nil {
			return "", false, err
		}
		if v.Turn.Seat == game.Nobody {
			return "", false, errors.New("position: the game is over there")
		}
	}
	return r.Spec(), r.Doc().Info == rules.Private, nil
}

// readDecision reads a decision in the game's own text or in the journal's form. What is both, as c1 is a
// point and a choice of swap2, is what can be decided in the position.
func readDecision(r rules.Rules, s rules.State, text string) (game.Move, error) {
	m, err := r.ParseMove(text)
	other, no := journal.ParseMove(text)
	if no == nil && (err != nil || other != m && s.Check(m) != nil && s.Check(other) == nil) {
		return other, nil
	}
	return m, err
}

// Formats lists the formats of records.
func (h Archive) Formats() []records.Format {
	var out []records.Format
	for _, f := range h.Set.All() {
		out = append(out, records.Format{
			ID: f.ID, Title: f.Title, Ext: f.Exts[0], Games: f.Games, Reads: true, Writes: f.Write != nil, Variations: f.Variations,
		})
	}
	return out
}

// Convert turns a record into another format.
func (h Archive) Convert(_ context.Context, data []byte, id string) ([]byte, error) {
	f, err := h.Set.Find("", id)
	if err != nil {
		return nil, err
	}
	if f.Write == nil {
		return nil, fmt.Errorf("format %s can only be read", f.ID)
	}
	g, l, err := h.line(data)
	if err != nil {
		return nil, err
	}
	if err := f.Check(g.Spec.ID()); err != nil {
		return nil, err
	}
	if f.ID == "json" {
		return data, nil
	}
	var b bytes.Buffer
	err = f.Write(&b, []*record.Game{l.Record()})
	return b.Bytes(), err
}

// Rule puts the result that a person has set into a record. The score of the board is that
// of another result.
func (h Archive) Rule(_ context.Context, data []byte, res game.Result, note string) ([]byte, error) {
	res.Board, res.HasBoard = [2]float64{}, false
	return h.Set.Amend(data, func(g *record.Game) {
		g.Rule(res, plain.Ruling(journal.Ruling{Result: res, Note: note}, g.SeatNames()))
	})
}

// Import reads the games of a file. Files beside it are not looked for: the name
// comes from elsewhere.
func (h Archive) Import(
	ctx context.Context, name string, data []byte, id string, spec game.Spec, each func([]records.Imported) error,
) (left []string, err error) {
	base := path.Base(filepath.ToSlash(name))
	if spec != "" {
		r, err := h.Open(string(spec))
		if err != nil {
			return nil, err
		}
		spec = r.Spec()
	}
	before := 0
	var fault error
	unread := h.Set.ReadParts(filepath.Join(os.DevNull, base), data, spec, id, func(list []*record.Game) bool {
		n := max(len(list), before+1) // one game alone has no number
		for len(list) > 0 && fault == nil {
			part := list[:min(len(list), importPart)]
			games, faults := h.importedAll(part)
			for i, err := range faults {
				if err != nil {
					left = append(left, plain.OneLine(record.InFile(formats.Label(base, before+i, n, part[i]), err)))
				}
			}
			if before, list = before+len(part), list[len(part):]; ctx.Err() != nil {
				fault = ctx.Err()
			} else if len(games) > 0 {
				fault = each(games)
			}
		}
		return fault == nil
	})
	if fault != nil {
		return left, fault
	}
	if unread != nil {
		unread = errors.New(strings.ReplaceAll(unread.Error(), filepath.Join(os.DevNull, base), base))
		if before == 0 {
			return nil, unread
		}
		left = slices.Insert(left, 0, plain.OneLine(unread))
	}
	return left, nil
}

// importPart is how many games are replayed at a time.
const importPart = 512

// importedAll makes games of a hall of records, on every processor; the order stays. Those
// that are left out have an error.
func (h Archive) importedAll(list []*record.Game) (out []records.Imported, faults []error) {
	all := make([]records.Imported, len(list))
	faults = make([]error, len(list))
	spread.Over(len(list), func(items iter.Seq[int]) {
		x := index.New(0)
		for i := range items {
			all[i], faults[i] = h.imported(x, list[i])
		}
	})
	for i := range all {
		if faults[i] == nil {
			out = append(out, all[i])
		}
	}
	return out, faults
}

// imported makes a game of a hall of a record.
func (h Archive) imported(x *index.Indexer, g *record.Game) (in records.Imported, err error) {
	l, err := replay.Play(g, h.openSpec)
	if err == nil && l.Illegal != nil {
		err = l.Illegal
	}
	if err != nil {
		return in, err
	}
	full := l.Record()
	if full.Result == nil {
		return in, errors.New("the record tells no result, and the game is not over")
	}
	if len(full.Steps) == 0 {
		return in, errors.New("the record has no decisions")
	}
	in = records.Imported{
		Spec: full.Spec, Names: full.Names, Result: *full.Result, Plies: l.Played(), Played: dayOf(full.Date), Speed: speedOf(full.Clocks),
	}
	in.Opening, _ = full.Tag("opening")
	for i := range full.Steps {
		if s := &full.Steps[i]; s.By.IsPlayer() {
			in.Seconds[s.By] += s.Used.Seconds()
		}
	}
	var b bytes.Buffer
	if err := h.Set.WriteNative(&b, []*record.Game{full}); err != nil {
		return in, err
	}
	in.Record = b.Bytes()
	in.Positions, err = positionsOf(x, l)
	return in, err
}

// positionsOf returns the positions of a game, each once.
func positionsOf(x *index.Indexer, l *replay.Line) ([]store.Position, error) {
	keys, err := x.Keys(l)
	if err != nil {
		return nil, err
	}
	return play.Positions(keys), nil
}

// dayOf reads the date of a record, zero if it tells none.
func dayOf(text string) time.Time {
	text = index.Day(strings.TrimSpace(text))
	for _, form := range []string{time.DateTime, "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04", time.DateOnly, "2006-01", "2006"} {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// speedOf is the class of the slower of two clocks as a record writes them; who has none
// may take for ever.
func speedOf(clocks [2]string) string {
	first, err := clock.Parse(clocks[0])
	second, other := clock.Parse(clocks[1])
	if err != nil || other != nil {
		return string(clock.Untimed)
	}
	return string(clock.SpeedOf(first, second))
}
