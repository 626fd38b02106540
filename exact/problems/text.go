package problems

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/rules"
)

// Output prints solutions as they come and counts them.
type Output struct {
	W io.Writer
	// JSON prints objects; Quiet prints only what is wrong or unsolved.
	JSON, Quiet bool
	Summary     Summary

	headed bool
}

type solution struct {
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

// Summary counts what was solved.
type Summary struct {
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

// Show prints one solution.
func (o *Output) Show(s *Solved) error {
	o.Summary.Positions++
	o.Summary.Nodes += s.sol.Nodes
	o.Summary.Seconds += s.cpu.Seconds()
	if s.scored || s.named {
		o.Summary.Compared++
	}
	switch {
	case !s.ok:
		o.Summary.Unsolved++
	case len(s.bad) > 0:
		o.Summary.Solved++
		o.Summary.Wrong++
	default:
		o.Summary.Solved++
	}
	if o.JSON {
		return plain.JSONLine(o.W, o.object(s))
	}
	if o.Quiet && s.ok && len(s.bad) == 0 {
		return nil
	}
	if !o.headed {
		o.headed = true
		fmt.Fprintf(o.W, "%5s  %-11s  %-8s  %-8s  %14s  %9s  %s\n",
			"line", "result", "expected", "best", "positions", "cpu s", "variation")
	}
	fmt.Fprintf(o.W, "%5d  %-11s  %-8s  %-8s  %14d  %9.3f  %s\n",
		s.line, s.result(), s.expected(), s.best(), s.sol.Nodes, s.cpu.Seconds(), rules.FormatLine(s.rules, s.sol.Line))
	for _, text := range s.bad {
		fmt.Fprintf(o.W, "       WRONG: %s\n", text)
	}
	return nil
}

// result is what was found, in few characters.
func (s *Solved) result() string {
	if !s.ok {
		return "not solved"
	}
	if score, ok := scoreOf(&s.sol, s.state.Turn().Seat); ok {
		return plain.Signed(score)
	}
	return winnerText(s.sol.Winner())
}

func (s *Solved) expected() string {
	switch {
	case s.scored:
		return plain.Signed(s.score)
	case s.named:
		return strings.TrimPrefix(strings.TrimSuffix(winnerText(s.winner), " wins"), "a ")
	}
	return "-"
}

// best is the first turn of the line.
func (s *Solved) best() string {
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

func (o *Output) object(s *Solved) solution {
	j := solution{
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
	if score, ok := scoreOf(&s.sol, s.state.Turn().Seat); ok {
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

// Finish prints the totals.
func (o *Output) Finish(wall time.Duration) error {
	o.Summary.Wall = wall.Seconds()
	o.Summary.NPS = perSecond(o.Summary.Nodes, o.Summary.Seconds)
	if o.JSON {
		return plain.JSONLine(o.W, o.Summary)
	}
	s := &o.Summary
	_, err := fmt.Fprintf(o.W, "%s, %d solved, %d compared, %d wrong; "+
		"%d positions searched in %.3f s of processor time (%.1f million/s), %.3f s by the clock\n",
		plain.Count(s.Positions, "problem"), s.Solved, s.Compared, s.Wrong, s.Nodes, s.Seconds, s.NPS/1e6, s.Wall)
	return err
}

// Fault says what is not as it should be, "" if all is.
func (s *Summary) Fault() string {
	switch all := plain.Count(s.Positions, "position"); {
	case s.Wrong > 0:
		return fmt.Sprintf("%d of %s not as the file says", s.Wrong, all)
	case s.Left > 0:
		return "stopped before " + plain.Count(s.Left, "position")
	case s.Unsolved > 0:
		return fmt.Sprintf("%d of %s not solved", s.Unsolved, all)
	}
	return ""
}
