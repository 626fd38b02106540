package problems

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kibitz/exact"
	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/record/obf"
	"kibitz/record/replay"
	"kibitz/rules"
)

// Problem is a position to solve with what its file says of it.
type Problem struct {
	// index counts from 0 what is solved, number from 1 what the file holds.
	index, number, line int
	rules               rules.Rules
	state               rules.State
	// score is the expected score for the seat on turn, if scored; winner the
	// expected winner, if named.
	score         float64
	scored, named bool
	winner        game.Seat
	moves         []obf.Scored
}

// Game is the name of the problem's game.
func (p *Problem) Game() string { return p.rules.Spec().ID() }

// File is a file of problems.
type File struct {
	Name string
	// Game is the game that was named, From the format; "" where the file says it.
	Game game.Spec
	From string
	// Number is the only problem to take, from 1; 0 takes all. Ply is how many decisions
	// of a record stand before the problem, nil for all.
	Number int
	Ply    *int
	// Set reads records, Open the rules of a game.
	Set  *formats.Set
	Open func(game.Spec) (rules.Rules, error)
}

// NumberError is the error of a number that no problem of the file has.
type NumberError struct {
	Name        string
	Number, Has int
}

func (e *NumberError) Error() string {
	return fmt.Sprintf("%d: %s has %s", e.Number, e.Name, plain.Count(e.Has, "position"))
}

// Read reads what the file holds.
func (f *File) Read(data []byte) ([]Problem, error) {
	spec := f.Game
	var list []Problem
	var err error
	switch ext := strings.ToLower(filepath.Ext(f.Name)); {
	case f.From == "obf" || f.From == "" && slices.Contains([]string{".obf", ".script", ".scr"}, ext),
		f.From == "" && (ext == ".txt" || f.Name == "-") && (spec == "" || spec.ID() == "othello") && looksOBF(data):
		if spec != "" && spec.ID() != "othello" {
			return nil, fmt.Errorf("%s: format obf holds positions of othello, not of %s", f.Name, spec.ID())
		}
		list, err = f.positions(data)
	case f.From == "positions" || f.From == "" && (ext == ".txt" || f.Name == "-") && !looksNative(data):
		list, err = f.list(data)
	default:
		list, err = f.records(data)
	}
	if err != nil {
		return nil, record.InFile(f.Name, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s holds no position", f.Name)
	}
	if f.Number > len(list) {
		return nil, &NumberError{f.Name, f.Number, len(list)}
	}
	return numbered(list, f.Number), nil
}

// numbered leaves the problem of that number alone, all for 0, and says which each
// one is.
func numbered(list []Problem, number int) []Problem {
	for i := range list {
		list[i].number = i + 1
	}
	if number > 0 {
		list = list[number-1 : number]
	}
	for i := range list {
		list[i].index = i
	}
	return list
}

func looksNative(data []byte) bool {
	return strings.HasPrefix(strings.TrimSpace(string(data[:min(len(data), 200)])), "{")
}

// looksOBF reports whether the first line that is no remark has 64 cells of Othello.
func looksOBF(data []byte) bool {
	for line := range strings.SplitSeq(string(data), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '%' {
			continue
		}
		_, err := obf.Parse(line)
		return err == nil
	}
	return false
}

func (f *File) positions(data []byte) ([]Problem, error) {
	positions, err := obf.Read(data)
	if err != nil {
		return nil, err
	}
	r, err := f.Open("othello")
	if err != nil {
		return nil, err
	}
	var list []Problem
	for i := range positions {
		o := &positions[i]
		p := Problem{line: o.Line, rules: r, moves: o.Moves}
		if p.state, err = r.Position(o.Text()); err != nil {
			return nil, record.Errorf(o.Line, 0, "%v", err)
		}
		if len(o.Moves) > 0 {
			best, _ := o.Best()
			p.score, p.scored = float64(best), true
		}
		list = append(list, p)
	}
	return list, nil
}

// list reads a list: a position in the game's text form on each line, then
// perhaps a semicolon and what is expected, score=N for the seat on turn or
// winner=first, second or draw. Lines that are empty or begin with # or % hold none.
func (f *File) list(data []byte) ([]Problem, error) {
	if f.Game == "" {
		return nil, errors.New("a list of positions needs --game")
	}
	r, err := f.Open(f.Game)
	if err != nil {
		return nil, err
	}
	var list []Problem
	n := 0
	for line := range strings.SplitSeq(string(data), "\n") {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == '%' {
			continue
		}
		text, says, _ := strings.Cut(line, ";")
		p := Problem{line: n, rules: r}
		if p.state, err = r.Position(strings.TrimSpace(text)); err != nil {
			return nil, record.Errorf(n, 0, "%v", err)
		}
		if err := p.expect(strings.Fields(strings.ReplaceAll(says, ";", " "))); err != nil {
			return nil, record.Errorf(n, len(text)+2, "%v", err)
		}
		list = append(list, p)
	}
	return list, nil
}

// expect reads what a list says of a position.
func (p *Problem) expect(words []string) error {
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		switch {
		case key == "score":
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return fmt.Errorf("score=%s: must be a number", value)
			}
			p.score, p.scored = n, true
		case key == "winner" && value == "first":
			p.winner, p.named = game.First, true
		case key == "winner" && value == "second":
			p.winner, p.named = game.Second, true
		case key == "winner" && value == "draw":
			p.winner, p.named = game.Nobody, true
		default:
			return fmt.Errorf("%q: expected is score=N or winner=first, second or draw", w)
		}
	}
	return nil
}

// records takes the last position of each record, or only of the one with the
// number; the others are then empty.
func (f *File) records(data []byte) ([]Problem, error) {
	records, err := f.Set.Read(f.Name, data, f.Game, f.From)
	if err != nil {
		return nil, err
	}
	var list []Problem
	for i, g := range records {
		if f.Number > 0 && i+1 != f.Number {
			list = append(list, Problem{})
			continue
		}
		l, err := replay.Play(g, f.Open)
		if err != nil {
			return nil, err
		}
		ply := l.Len()
		if f.Ply != nil {
			ply = *f.Ply
		}
		s, err := l.State(ply)
		if err != nil {
			return nil, record.Errorf(g.Line, 0, "game %d: %v", i+1, err)
		}
		if !s.Turn().Seat.IsPlayer() {
			return nil, record.Errorf(g.Line, 0,
				"game %d is over on the board after %d decisions, or chance is to decide: name another position with --ply N", i+1, ply)
		}
		list = append(list, Problem{line: max(g.Line, 1), rules: l.Rules, state: s})
	}
	return list, nil
}

// compare returns what the file says otherwise.
func (p *Problem) compare(v *exact.Verdict) []string {
	var bad []string
	score, scored := scoreOf(v, p.state.Turn().Seat)
	if p.scored && !scored {
		bad = append(bad, "the file has a score, the solver finds only who wins")
	}
	if p.scored && scored && p.score != score {
		bad = append(bad, fmt.Sprintf("the score is %s, the file says %s", plain.Signed(score), plain.Signed(p.score)))
	}
	if p.named && p.winner != v.Winner() {
		bad = append(bad, fmt.Sprintf("%s, the file says %s", winnerText(v.Winner()), winnerText(p.winner)))
	}
	return bad
}

// compareMoves solves what each scored move leads to.
func (p *Problem) compareMoves(x *solver) []string {
	var bad []string
	for _, m := range p.moves {
		s := p.state.Clone()
		seat := s.Turn().Seat
		if _, err := s.Apply(m.Move, nil); err != nil {
			bad = append(bad, err.Error())
			continue
		}
		var score float64
		if res, over := s.Result(); over {
			score = res.Board[seat] - res.Board[seat.Other()]
		} else {
			v, ok := x.solve(s, 0)
			if !ok {
				continue
			}
			score, _ = scoreOf(&v, seat)
		}
		if score != float64(m.Score) {
			bad = append(bad, fmt.Sprintf("%s scores %s, the file says %+d", p.rules.FormatMove(m.Move), plain.Signed(score), m.Score))
		}
	}
	return bad
}

func winnerText(s game.Seat) string {
	if s.IsPlayer() {
		return s.String() + " wins"
	}
	return "a draw"
}
