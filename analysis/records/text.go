package records

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"kibitz/analysis"
	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/rules"
)

// unitNames say in what a unit counts.
var unitNames = map[game.Unit]string{
	game.NoUnit: "none", game.Discs: "discs", game.Points: "points", game.WinChance: "chance", game.MateIn: "turns",
}

// lossText prints what a turn lost.
func lossText(l analysis.Loss, unit game.Unit) string {
	switch {
	case !l.Known:
		return "?"
	case l.Swing != "":
		return l.Swing
	case unit == game.WinChance:
		return fmt.Sprintf("%.1f%%", 100*l.Value)
	}
	return plain.Number(l.Value)
}

// betterText says what would have been better, empty if nothing.
func betterText(r rules.Rules, p *analysis.Position) string {
	if len(p.Best) == 0 || p.Loss.Swing == "" && p.Loss.Value <= 0 {
		return ""
	}
	return fmt.Sprintf("better %s (%s)", rules.FormatTurn(r, p.Best), plain.Eval(p.Before))
}

// costText says what a turn lost, in points and of the chance, and what would have been better.
func costText(r rules.Rules, p *analysis.Position, j *analysis.Judged) string {
	what := "lost " + lossText(p.Loss, p.Before.Unit)
	if p.Loss.Swing != "" {
		what = "went from " + p.Loss.Swing
	}
	if j.Known && p.Before.Unit != game.WinChance {
		what += fmt.Sprintf(", %.1f%% of the chance", j.Lost)
	}
	turn := rules.FormatTurn(r, p.Played) + plain.Prefixed(" ", j.Mark.String())
	return turn + " " + what + plain.Prefixed(": ", betterText(r, p))
}

func (n *Analyst) show(x *analysed, rep *analysis.Report) error {
	if n.JSON {
		return n.showJSON(x, rep)
	}
	if !rep.Any() {
		return nil
	}
	w, r := n.W, x.line.Rules
	names := x.game.Names
	title := fmt.Sprintf("%s: %s - %s", r.Spec(), x.full[0], x.full[1])
	if len(n.games) > 1 {
		title = fmt.Sprintf("game %d, %s", x.number, title)
	}
	unit, rv := rep.Unit(), rep.Review(n.Scale(r))
	in := ""
	if unit != game.NoUnit {
		in = " in " + unitNames[unit]
	}
	fmt.Fprintf(w, "%s\n%s, method %s, evaluations%s as the seat on turn sees them\n", title, n.Name, rep.Method, in)
	if !n.Quiet {
		n.table(x, rep, &rv)
	}
	for s, side := range rep.Sides() {
		fmt.Fprintf(w, "%s (%s): %s\n", names[s], game.Seat(s), sideText(&side, unit))
	}
	for s := range rv.Sides {
		if side := &rv.Sides[s]; side.Known {
			fmt.Fprintf(w, "%s (%s): %s\n", names[s], game.Seat(s), reviewText(side))
		}
	}
	if unit != game.NoUnit {
		unjudged(w, rep, &rv, r.Doc().Info == rules.Private)
	}
	if list := rep.Worst(n.Worst, &rv); len(list) > 0 {
		fmt.Fprintln(w, "worst moves:")
		for _, i := range list {
			p := &rep.Positions[i]
			fmt.Fprintf(w, "  %3d %s %s\n", p.Ply, names[p.Seat], costText(r, p, &rv.Turns[i]))
		}
	}
	if unit == game.NoUnit && !n.mute {
		n.mute = true
		n.Warn(n.Name + " reports no evaluations: only its choice of moves is compared")
	}
	fmt.Fprintln(w)
	return nil
}

// unjudged says how many turns were not judged, and why.
func unjudged(w io.Writer, rep *analysis.Report, rv *analysis.Review, private bool) {
	var chance, hidden, silent int
	for i := range rep.Positions {
		switch p := &rep.Positions[i]; {
		case !p.Wanted || p.Forced || len(p.Played) == 0 || rv.Turns[i].Known:
		case p.Chance:
			chance++
		case private:
			hidden++
		default:
			silent++
		}
	}
	for _, x := range []struct {
		n   int
		why string
	}{
		{chance, "chance decided something after"},
		{hidden, "seats evaluate by what each knows"},
		{silent, "one of the two positions has no evaluation"},
	} {
		if x.n > 0 {
			fmt.Fprintf(w, "not judged: %s, because %s\n", plain.Count(x.n, "turn"), x.why)
		}
	}
}

func sideText(s *analysis.Side, unit game.Unit) string {
	text := plain.Count(s.Turns, "turn")
	if s.Compared > 0 {
		text += ", mean loss " + meanText(s.Mean(), unit)
	}
	if s.Swings > 0 {
		text += ", the outcome thrown away " + plain.Count(s.Swings, "time")
	}
	if s.Named > 0 {
		text += fmt.Sprintf(", played the best move in %d of %d", s.Agreed, s.Named)
	}
	return text
}

// reviewText says how accurate the turns of a seat were, and how many were not.
func reviewText(s *analysis.Reviewed) string {
	text := fmt.Sprintf("accuracy %.1f", s.Accuracy)
	for m := analysis.Inexact; m <= analysis.Blunder; m++ {
		text += fmt.Sprintf(", %d %s", s.Marks[m], m)
	}
	return text
}

func meanText(v float64, unit game.Unit) string {
	if unit == game.WinChance {
		return fmt.Sprintf("%.1f%%", 100*v)
	}
	return plain.Number(v)
}

// table prints the positions, one to a line.
func (n *Analyst) table(x *analysed, rep *analysis.Report, rv *analysis.Review) {
	r := x.line.Rules
	t := tabwriter.NewWriter(n.W, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  ply\tseat\tplayed\tbest\tbefore\tafter\tloss\tchance\tdepth\tvariation")
	for i := range rep.Positions {
		p := &rep.Positions[i]
		if !p.Wanted {
			continue
		}
		played, after, loss := rules.FormatTurn(r, p.Played), plain.Eval(p.After), lossText(p.Loss, p.Before.Unit)
		switch {
		case len(p.Played) == 0:
			played, after, loss = "-", "-", "-"
		case p.Chance:
			loss = "chance"
		case p.Forced:
			loss = "forced"
		}
		chance := ""
		if j := &rv.Turns[i]; j.Known {
			chance = fmt.Sprintf("%.1f%%%s", j.Lost, plain.Prefixed(" ", j.Mark.String()))
		}
		lines := p.Lines
		if len(lines) == 0 {
			lines = []game.Info{{}}
		}
		for k, in := range lines {
			if k == 0 {
				fmt.Fprintf(t, "%5d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", p.Ply, p.Seat, played, cmp.Or(rules.FormatTurn(r, p.Best), "-"),
					plain.Eval(p.Before), after, loss, cmp.Or(chance, "-"), plain.Depth(&in), rules.FormatLine(r, in.PV))
				continue
			}
			fmt.Fprintf(t, "\t\t\t%d.\t%s\t\t\t\t%s\t%s\n", k+1, plain.Eval(in.Eval), plain.Depth(&in), rules.FormatLine(r, in.PV))
		}
	}
	t.Flush() // whoever gave the writer looks at what it did not take
	n.listForbidden(x, rep)
}

type evalJSON struct {
	Unit  string   `json:"unit"`
	Value float64  `json:"value"`
	Lo    *float64 `json:"lo,omitempty"`
	Hi    *float64 `json:"hi,omitempty"`
}

func newEvalJSON(e game.Eval) *evalJSON {
	if !e.Known() {
		return nil
	}
	j := &evalJSON{Unit: unitNames[e.Unit], Value: e.Mid()}
	if e.Lo != e.Hi {
		j.Lo, j.Hi = &e.Lo, &e.Hi
	}
	return j
}

type lineJSON struct {
	Eval  *evalJSON `json:"eval"`
	Depth int       `json:"depth"`
	Exact bool      `json:"exact"`
	PV    string    `json:"pv"`
}

type positionJSON struct {
	Type    string     `json:"type"`
	Number  int        `json:"number"`
	Ply     int        `json:"ply"`
	Seat    string     `json:"seat"`
	Player  string     `json:"player"`
	Played  *string    `json:"played"`
	Best    *string    `json:"best"`
	Before  *evalJSON  `json:"before"`
	After   *evalJSON  `json:"after"`
	Loss    *float64   `json:"loss"`
	Swing   string     `json:"swing,omitempty"`
	Lost    *float64   `json:"lost,omitempty"`
	Mark    string     `json:"mark,omitempty"`
	Forced  bool       `json:"forced,omitempty"`
	Chance  bool       `json:"chance,omitempty"`
	Depth   int        `json:"depth"`
	Exact   bool       `json:"exact"`
	Nodes   int64      `json:"nodes"`
	Seconds float64    `json:"seconds"`
	PV      string     `json:"pv"`
	Lines   []lineJSON `json:"lines,omitempty"`
	// Forbidden are the points that the engine names, ForbiddenByRules those of the rules where
	// they differ.
	Forbidden        *[]string `json:"forbidden,omitempty"`
	ForbiddenByRules *[]string `json:"forbidden_by_rules,omitempty"`
}

type sideJSON struct {
	Name   string   `json:"name"`
	Turns  int      `json:"turns"`
	Loss   *float64 `json:"loss"`
	Mean   *float64 `json:"mean_loss"`
	Swings int      `json:"swings"`
	Agreed int      `json:"agreed"`
	Named  int      `json:"named"`
	// Accuracy is that of a review, Marks count what it found inexact, mistakes and blunders, Costliest
	// are the plies of the turns that lost most.
	Accuracy  *float64 `json:"accuracy"`
	Marks     [3]int   `json:"marks"`
	Costliest []int    `json:"costliest"`
}

type analysisJSON struct {
	Type      string      `json:"type"`
	Number    int         `json:"number"`
	Game      string      `json:"game"`
	Engine    string      `json:"engine"`
	Method    string      `json:"method"`
	Unit      string      `json:"unit"`
	Positions int         `json:"positions"`
	Complete  bool        `json:"complete"`
	Seats     [2]sideJSON `json:"seats"`
	Worst     []int       `json:"worst"`
}

// showJSON prints an object for each position and one for the game.
func (n *Analyst) showJSON(x *analysed, rep *analysis.Report) error {
	j := analysisJSON{
		Type: "summary", Number: x.number, Game: string(x.line.Rules.Spec()), Engine: n.Name, Method: string(rep.Method),
		Unit: unitNames[rep.Unit()], Complete: !rep.Cut, Worst: []int{},
	}
	rv := rep.Review(n.Scale(x.line.Rules))
	for i := range rep.Positions {
		if !rep.Positions[i].Wanted {
			continue
		}
		j.Positions++
		if err := plain.JSONLine(n.W, n.position(x, &rep.Positions[i], &rv.Turns[i])); err != nil {
			return err
		}
	}
	for s, side := range rep.Sides() {
		j.Seats[s] = sideJSON{Name: x.game.Names[s], Turns: side.Turns, Swings: side.Swings, Agreed: side.Agreed, Named: side.Named}
		if mean := side.Mean(); !math.IsNaN(mean) {
			j.Seats[s].Loss, j.Seats[s].Mean = &side.Loss, &mean
		}
		judged := &rv.Sides[s]
		j.Seats[s].Costliest = []int{}
		if judged.Known {
			j.Seats[s].Accuracy, j.Seats[s].Marks = &judged.Accuracy, [3]int(judged.Marks[analysis.Inexact:])
		}
		for _, i := range judged.Worst {
			j.Seats[s].Costliest = append(j.Seats[s].Costliest, rep.Positions[i].Ply)
		}
	}
	for _, i := range rep.Worst(n.Worst, &rv) {
		j.Worst = append(j.Worst, rep.Positions[i].Ply)
	}
	return plain.JSONLine(n.W, j)
}

func (n *Analyst) position(x *analysed, p *analysis.Position, t *analysis.Judged) positionJSON {
	r := x.line.Rules
	j := positionJSON{
		Type: "position", Number: x.number, Ply: p.Ply, Seat: p.Seat.String(), Player: x.game.Names[p.Seat],
		Before: newEvalJSON(p.Before), After: newEvalJSON(p.After), Swing: p.Loss.Swing, Forced: p.Forced, Chance: p.Chance,
		Mark: t.Mark.String(), Seconds: p.Used.Seconds(),
	}
	if t.Known {
		j.Lost = &t.Lost
	}
	if f, ok := x.forbidden[p.Ply]; ok {
		names := pointNames(r, f.points)
		j.Forbidden = &names
		if f.differ {
			names := pointNames(r, f.rules)
			j.ForbiddenByRules = &names
		}
	}
	if len(p.Played) > 0 {
		t := rules.FormatTurn(r, p.Played)
		j.Played = &t
	}
	if len(p.Best) > 0 {
		t := rules.FormatTurn(r, p.Best)
		j.Best = &t
	}
	if p.Loss.Known && p.Loss.Swing == "" {
		j.Loss = &p.Loss.Value
	}
	for i := range p.Lines {
		in := &p.Lines[i]
		if i == 0 {
			j.Depth, j.Exact, j.Nodes, j.PV = in.Depth, in.Bound == game.Exact, in.Nodes, rules.FormatTurn(r, in.PV)
		}
		if len(p.Lines) > 1 {
			j.Lines = append(j.Lines, lineJSON{
				Eval: newEvalJSON(in.Eval), Depth: in.Depth, Exact: in.Bound == game.Exact, PV: rules.FormatTurn(r, in.PV),
			})
		}
	}
	return j
}
