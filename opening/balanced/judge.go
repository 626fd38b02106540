package balanced

import (
	"context"
	"fmt"

	"kibitz/game"
	"kibitz/opening"
	"kibitz/player"
	"kibitz/rules"
)

// judge evaluates openings with a built-in engine. Each evaluation is a game of
// its own to it, so that none depends on those before.
type judge struct {
	rules  rules.Rules
	player player.Player
}

// judges builds so many evaluators.
func (o *Order) judges(n int, engine func(level int) (player.Player, error)) ([]opening.Evaluator, func(), error) {
	var list []opening.Evaluator
	var players []player.Player
	release := func() {
		for _, p := range players {
			p.Close() //nolint:errcheck // a built-in engine ends without errors
		}
	}
	for range n {
		p, err := engine(o.Level)
		if err != nil {
			release()
			return nil, nil, err
		}
		players = append(players, p)
		list = append(list, NewJudge(o.Rules, p))
	}
	return list, release, nil
}

// NewJudge returns what evaluates openings with an engine.
func NewJudge(r rules.Rules, p player.Player) opening.Evaluator { return &judge{r, p} }

// Evaluate returns the engine's last word within the bounds of its level.
func (j *judge) Evaluate(ctx context.Context, of *opening.Opening) (game.Eval, error) {
	s := &opening.Opening{Start: of.Start}
	st, err := s.State(j.rules)
	if err != nil {
		return game.Eval{}, err
	}
	d := j.rules.Doc()
	setup := &player.Setup{
		ID: "opening", Spec: j.rules.Spec(), Width: d.Width, Height: d.Height, Seat: game.Nobody, Start: of.Start, ToMove: st.Turn().Seat,
	}
	var notices []game.Notice
	for i, m := range of.Steps {
		by := st.Turn().Seat
		if notices, err = st.Apply(m, notices[:0]); err != nil {
			return game.Eval{}, fmt.Errorf("opening, move %d, %s: %w", i+1, j.rules.FormatMove(m), err)
		}
		next := st.Turn()
		setup.History = append(setup.History, player.Update{
			By: by, Steps: []game.Move{m}, Next: next, Ended: next.Seat != by || next.Step == 0, Colours: rules.ColoursOf(j.rules, st),
		})
	}
	setup.Colours = rules.ColoursOf(j.rules, st)
	if err := j.player.NewGame(ctx, setup); err != nil {
		return game.Eval{}, err
	}
	var last game.Eval
	err = j.player.(player.Analyst).Analyse(ctx, player.Question{Lines: 1}, func(info game.Info) bool {
		if info.Rank <= 1 && info.Eval.Known() {
			last = info.Eval
		}
		return true
	})
	j.player.Over(game.Result{Reason: game.ByAbort})
	return last, err
}
