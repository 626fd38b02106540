package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/rules"
)

// solveOut prints solutions as they come and counts them.
type solveOut struct {
	a      *app
	c      *solveCmd
	sum    solveSummary
	headed bool
}

type solveJSON struct {
	Type     string   `json:"type"`
	Number   int      `json:"number"`
	Line     int      `json:"line"`
	Game     string   `json:"game"`
	Position string   `json:"position"`
	Seat     string   `json:"seat"`
	Solved   bool     `json:"solved"`
	Score    *float64 `json:"score"`
	Winner   *string  `json:"winner"`
	Expected *float64 `json:"expected"`
	OK       bool     `json:"ok"`
	Wrong    []string `json:"wrong,omitempty"`
	Best     *string  `json:"best"`
	PV       string   `json:"pv"`
	Nodes    int64    `json:"nodes"`
	Seconds  float64  `json:"seconds"`
	NPS      float64  `json:"nps"`
}

type solveSummary struct {
	Type      string  `json:"type"`
	File      string  `json:"file"`
	Positions int     `json:"positions"`
	Solved    int     `json:"solved"`
	Compared  int     `json:"compared"`
	Wrong     int     `json:"wrong"`
	Unsolved  int     `json:"unsolved"`
	Left      int     `json:"left"`
	Nodes     int64   `json:"nodes"`
	Seconds   float64 `json:"seconds"`
	Wall      float64 `json:"wall"`
	NPS       float64 `json:"nps"`
}

// perSecond is a rate, 0 if there was no time to measure.
func perSecond(n int64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(n) / seconds
}

// show prints one solution.
func (o *solveOut) show(s solved) error {
	if s.err != nil {
		return s.err
	}
	o.sum.Positions++
	o.sum.Nodes += s.sol.Nodes
	o.sum.Seconds += s.cpu.Seconds()
	if s.scored || s.named {
		o.sum.Compared++
	}
	switch {
	case !s.ok:
		o.sum.Unsolved++
	case len(s.bad) > 0:
		o.sum.Solved++
		o.sum.Wrong++
	default:
		o.sum.Solved++
	}
	if o.c.JSON {
		return plain.JSONLine(o.a.stdout, o.object(&s))
	}
	if o.c.Quiet && s.ok && len(s.bad) == 0 {
		return nil
	}
	if !o.headed {
		o.headed = true
		fmt.Fprintf(o.a.stdout, "%5s  %-11s  %-8s  %-8s  %14s  %9s  %s\n", "line", "result", "expected", "best", "positions", "cpu s", "variation")
	}
	fmt.Fprintf(o.a.stdout, "%5d  %-11s  %-8s  %-8s  %14d  %9.3f  %s\n", s.line, s.result(), s.expected(), s.best(), s.sol.Nodes, s.cpu.Seconds(), rules.FormatLine(s.rules, s.sol.Line))
	for _, text := range s.bad {
		fmt.Fprintf(o.a.stdout, "       WRONG: %s\n", text)
	}
	return nil
}

// result is what was found, in few characters.
func (s *solved) result() string {
	if !s.ok {
		return "not solved"
	}
	if score, ok := scoreFor(&s.sol, s.state.Turn().Seat); ok {
		return plain.Signed(score)
	}
	return winnerText(s.sol.Winner())
}

func (s *solved) expected() string {
	switch {
	case s.scored:
		return plain.Signed(s.score)
	case s.named:
		return strings.TrimPrefix(strings.TrimSuffix(winnerText(s.winner), " wins"), "a ")
	}
	return "-"
}

// best is the first turn of the line.
func (s *solved) best() string {
	st := s.state.Clone()
	seat := st.Turn().Seat
	var list []game.Move
	for _, m := range s.sol.Line {
		if _, err := st.Apply(m, nil); err != nil {
			break
		}
		list = append(list, m)
		if t := st.Turn(); t.Seat != seat || t.Step == 0 {
			break
		}
	}
	return cmp.Or(rules.FormatTurn(s.rules, list), "-")
}

func (o *solveOut) object(s *solved) solveJSON {
	j := solveJSON{
		Type: "position", Number: s.number, Line: s.line, Game: string(s.rules.Spec()), Position: s.state.Text(),
		Seat: s.state.Turn().Seat.String(), Solved: s.ok, OK: s.ok && len(s.bad) == 0, Wrong: s.bad, Nodes: s.sol.Nodes,
		Seconds: s.cpu.Seconds(), NPS: perSecond(s.sol.Nodes, s.cpu.Seconds()),
	}
	if s.scored {
		j.Expected = &s.score
	}
	if !s.ok {
		return j
	}
	if score, ok := scoreFor(&s.sol, s.state.Turn().Seat); ok {
		j.Score = &score
	}
	w := "draw"
	if winner := s.sol.Winner(); winner.IsPlayer() {
		w = winner.String()
	}
	j.Winner = &w
	if b := s.best(); b != "-" {
		j.Best = &b
	}
	j.PV = rules.FormatTurn(s.rules, s.sol.Line)
	return j
}

// finish prints the totals and returns the verdict.
func (o *solveOut) finish(wall time.Duration) error {
	o.sum.Wall = wall.Seconds()
	o.sum.NPS = perSecond(o.sum.Nodes, o.sum.Seconds)
	if o.c.JSON {
		if err := plain.JSONLine(o.a.stdout, o.sum); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(o.a.stdout, "%s, %d solved, %d compared, %d wrong; %d positions searched in %.3f s of processor time (%.1f million/s), %.3f s by the clock\n",
			plain.Count(o.sum.Positions, "problem"), o.sum.Solved, o.sum.Compared, o.sum.Wrong, o.sum.Nodes, o.sum.Seconds, o.sum.NPS/1e6, o.sum.Wall)
	}
	switch {
	case o.sum.Wrong > 0:
		return badVerdict("%d of %s not as the file says", o.sum.Wrong, plain.Count(o.sum.Positions, "position"))
	case o.sum.Left > 0:
		return badVerdict("stopped before %s", plain.Count(o.sum.Left, "position"))
	case o.sum.Unsolved > 0:
		return badVerdict("%d of %s not solved", o.sum.Unsolved, plain.Count(o.sum.Positions, "position"))
	}
	return nil
}
