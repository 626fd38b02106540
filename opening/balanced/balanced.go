// Package balanced makes random openings that an engine takes for even.
package balanced

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/opening"
	"kibitz/player"
	"kibitz/rules"
	"kibitz/tournament"
)

// Order is what openings to make: the recipe, how many, and with which seed.
type Order struct {
	Rules rules.Rules
	opening.Usual
	Level, Count int
	Seed         uint64
}

// New completes an order with what is usual in the game; zero values and a nil
// window ask for that.
func New(r rules.Rules, u opening.Usual, count, plies, level int, within *float64, seed uint64) (*Order, error) {
	if plies > 0 {
		u.Plies = plies
	}
	level = cmp.Or(level, opening.JudgeLevel)
	if within != nil {
		u.Within = *within
	}
	switch {
	case count < 1 || count > 1_000_000:
		return nil, fmt.Errorf("%d openings: must be from 1 to 1000000", count)
	case plies < 0 || plies > 1000:
		return nil, fmt.Errorf("%d plies: must be from 1 to 1000", plies)
	case level < 1 || level > 8:
		return nil, fmt.Errorf("level %d: must be from 1 to 8 (9 is bounded by a clock alone)", level)
	case !(u.Within >= 0):
		return nil, fmt.Errorf("a window of %g: must be 0 or more", u.Within)
	}
	return &Order{r, u, level, count, seed}, nil
}

// command is the command that makes the openings again.
func (o *Order) command() string {
	return fmt.Sprintf("kibitz openings %s --count %d --plies %d --level %d --within %s --seed %d",
		o.Rules.Spec(), o.Count, o.Plies, o.Level, plain.Number(o.Within), o.Seed)
}

// Comment is the head of a file of the opening.
func (o *Order) Comment() []string {
	return []string{
		fmt.Sprintf("%s: random openings of %d plies that the built-in engine takes for even", o.Rules.Doc().Title, o.Plies),
		"game: " + string(o.Rules.Spec()),
		"made by: " + o.command(),
		fmt.Sprintf("eval is %s for the side to move, at level %d and at most %s from even; candidate is the number of the random line",
			unitName(o.Unit), o.Level, plain.Number(o.Within)),
	}
}

func unitName(u game.Unit) string {
	switch u {
	case game.Discs:
		return "the difference in discs"
	case game.WinChance:
		return "the chance to win"
	}
	return "the engine's own points"
}

// evalText writes an evaluation as an operation of a list.
func evalText(e game.Eval) string { return strconv.FormatFloat(e.Mid(), 'f', 3, 64) }

// Operations are what a list says of an opening beside its decisions.
func Operations(b *opening.Balanced) []string {
	return []string{"eval " + evalText(b.Eval), "candidate " + strconv.Itoa(b.Candidate)}
}

// Make makes the openings and calls f for each as it is found. Engine makes engines of a
// level; so many evaluate side by side, which changes nothing in the openings.
func (o *Order) Make(
	ctx context.Context, engine func(level int) (player.Player, error), workers int,
	progress func(opening.Counts), f func(*opening.Balanced) error,
) (opening.Counts, error) {
	judges, release, err := o.judges(workers, engine)
	if err != nil {
		return opening.Counts{}, err
	}
	defer release()
	s := &opening.Search{
		Turner: opening.NewTurner(o.Rules), Recipe: o.Recipe, Evaluators: judges, Progress: progress,
		Seed: tournament.Seeds{Seed: o.Seed}.At("openings/" + string(o.Rules.Spec())),
	}
	return s.Run(ctx, o.Count, f)
}

type line struct {
	Type  string  `json:"type"`
	ID    string  `json:"id"`
	Game  string  `json:"game"`
	Moves string  `json:"moves"`
	Plies int     `json:"plies"`
	Eval  float64 `json:"eval"`
}

// Summary counts what was tried, as JSON.
type Summary struct {
	Type       string  `json:"type"`
	Game       string  `json:"game"`
	Openings   int     `json:"openings"`
	Candidates int     `json:"candidates"`
	Repeated   int     `json:"repeated"`
	Evaluated  int     `json:"evaluated"`
	Seconds    float64 `json:"seconds"`
}

// Print writes an opening as one line of JSON.
func Print(w io.Writer, r rules.Rules, o *opening.Balanced) error {
	x, err := strconv.ParseFloat(evalText(o.Eval), 64)
	if err != nil {
		return err
	}
	moves := make([]string, len(o.Steps))
	for i, m := range o.Steps {
		moves[i] = r.FormatMove(m)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line{"opening", o.Name, string(r.Spec()), strings.Join(moves, " "), len(moves), x}); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}
