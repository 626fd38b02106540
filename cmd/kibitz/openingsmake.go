package main

import (
	"context"
	"fmt"
	"strconv"

	"kibitz/bot"
	"kibitz/game"
	openings "kibitz/opening"
	"kibitz/player"
	"kibitz/rules"
)

// botJudge evaluates openings with a built-in engine. Each evaluation is a game of
// its own to it, so that none depends on those before.
type botJudge struct {
	rules  rules.Rules
	player player.Player
}

// judgeMemory bounds the tables of each engine that evaluates: what is looked at is
// small, and emptying a table costs time.
const judgeMemory = 64 << 20

// newJudges builds so many evaluators of a level.
func newJudges(a *app, r rules.Rules, level, n int) ([]openings.Evaluator, func(), error) {
	var list []openings.Evaluator
	var players []player.Player
	release := func() {
		for _, p := range players {
			p.Close() //nolint:errcheck // a built-in engine ends without errors
		}
	}
	for range n {
		p, err := a.launcher().Bot(r.Spec().ID(), strconv.Itoa(level), bot.Options{Memory: judgeMemory})
		if err != nil {
			release()
			return nil, nil, err
		}
		players = append(players, p)
		list = append(list, &botJudge{r, p})
	}
	return list, release, nil
}

// Evaluate returns the engine's last word within the bounds of its level.
func (j *botJudge) Evaluate(ctx context.Context, o *openings.Opening) (game.Eval, error) {
	s := &openings.Opening{Start: o.Start}
	st, err := s.State(j.rules)
	if err != nil {
		return game.Eval{}, err
	}
	d := j.rules.Doc()
	setup := &player.Setup{
		ID: "opening", Spec: j.rules.Spec(), Width: d.Width, Height: d.Height, Seat: game.Nobody, Start: o.Start, ToMove: st.Turn().Seat,
	}
	var notices []game.Notice
	for i, m := range o.Steps {
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
