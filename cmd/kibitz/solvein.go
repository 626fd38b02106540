package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kibitz/catalog"
	"kibitz/exact"
	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/record/obf"
	"kibitz/replay"
	"kibitz/rules"
)

// problem is a position to solve with what its file says of it.
type problem struct {
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

// problems reads the file.
func (c *solveCmd) problems(a *app) ([]problem, error) {
	number, err := fromOne("--number", c.Number)
	if err != nil {
		return nil, err
	}
	data, err := c.read(a)
	if err != nil {
		return nil, err
	}
	var spec game.Spec
	if c.Game != "" {
		r, err := games.Open(c.Game)
		if err != nil {
			return nil, err
		}
		spec = r.Spec()
		if _, err := catalog.SolverOf(spec.ID()); err != nil {
			return nil, err
		}
	}
	var list []problem
	switch ext := strings.ToLower(filepath.Ext(c.File)); {
	case c.From == "obf" || c.From == "" && slices.Contains([]string{".obf", ".script", ".scr"}, ext),
		c.From == "" && (ext == ".txt" || c.File == "-") && (spec == "" || spec.ID() == "othello") && looksOBF(data):
		if spec != "" && spec.ID() != "othello" {
			return nil, fmt.Errorf("%s: format obf holds positions of othello, not of %s", c.File, spec.ID())
		}
		list, err = obfProblems(data)
	case c.From == "positions" || c.From == "" && (ext == ".txt" || c.File == "-") && !looksNative(data):
		list, err = listProblems(data, spec)
	default:
		list, err = c.recordProblems(data, spec, number)
	}
	if err != nil {
		return nil, record.InFile(c.File, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s holds no position", c.File)
	}
	if number > len(list) {
		return nil, fmt.Errorf("--number %d: %s has %s", number, c.File, plain.Count(len(list), "position"))
	}
	return numbered(list, number), nil
}

// numbered leaves the problem of that number alone, all for 0, and says which each
// one is.
func numbered(list []problem, number int) []problem {
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

func (c *solveCmd) read(a *app) ([]byte, error) {
	if c.File == "-" {
		return io.ReadAll(a.stdin)
	}
	return os.ReadFile(c.File)
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

func obfProblems(data []byte) ([]problem, error) {
	positions, err := obf.Read(data)
	if err != nil {
		return nil, err
	}
	r, err := games.Open("othello")
	if err != nil {
		return nil, err
	}
	var list []problem
	for i := range positions {
		o := &positions[i]
		p := problem{line: o.Line, rules: r, moves: o.Moves}
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

// listProblems reads a list: a position in the game's text form on each line, then
// perhaps a semicolon and what is expected, score=N for the seat on turn or
// winner=first, second or draw. Lines that are empty or begin with # or % hold none.
func listProblems(data []byte, spec game.Spec) ([]problem, error) {
	if spec == "" {
		return nil, fmt.Errorf("a list of positions needs --game")
	}
	r, err := games.OpenSpec(spec)
	if err != nil {
		return nil, err
	}
	var list []problem
	n := 0
	for line := range strings.SplitSeq(string(data), "\n") {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == '%' {
			continue
		}
		text, says, _ := strings.Cut(line, ";")
		p := problem{line: n, rules: r}
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
func (p *problem) expect(words []string) error {
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

// recordProblems takes the last position of each record, or only of the one with the
// number; the others are then empty.
func (c *solveCmd) recordProblems(data []byte, spec game.Spec, number int) ([]problem, error) {
	records, err := records().Read(c.File, data, spec, c.From)
	if err != nil {
		return nil, err
	}
	var list []problem
	for i, g := range records {
		if number > 0 && i+1 != number {
			list = append(list, problem{})
			continue
		}
		l, err := replay.Play(g, games.OpenSpec)
		if err != nil {
			return nil, err
		}
		ply := l.Len()
		if c.Ply != nil {
			ply = *c.Ply
		}
		s, err := l.State(ply)
		if err != nil {
			return nil, record.Errorf(g.Line, 0, "game %d: %v", i+1, err)
		}
		if !s.Turn().Seat.IsPlayer() {
			return nil, record.Errorf(g.Line, 0, "game %d is over on the board after %d decisions, or chance is to decide: name another position with --ply N", i+1, ply)
		}
		list = append(list, problem{line: max(g.Line, 1), rules: l.Rules, state: s})
	}
	return list, nil
}

// compare returns what the file says otherwise.
func (p *problem) compare(v *exact.Verdict) []string {
	var bad []string
	score, scored := scoreFor(v, p.state.Turn().Seat)
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
func (p *problem) compareMoves(x *solver) []string {
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
			score, _ = scoreFor(&v, seat)
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
