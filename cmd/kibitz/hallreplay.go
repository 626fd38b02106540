package main

import (
	"context"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/server"
)

var _ server.Replays = hallArchive{}

// Replay shows a finished game, decision by decision, as all who know it whole see it.
func (h hallArchive) Replay(_ context.Context, data []byte) (*server.Replayed, error) {
	g, l, err := h.line(data)
	if err != nil {
		return nil, err
	}
	out := &server.Replayed{Clocks: g.Clocks, Date: g.Date}
	for n := range l.Len() + 1 {
		v, err := l.View(n, game.Arbiter)
		if err != nil {
			return nil, err
		}
		out.Views = append(out.Views, &v)
	}
	for i := range l.Steps {
		s := &l.Steps[i]
		out.Steps = append(out.Steps, server.ReplayStep{
			By: s.By, Text: journal.FormatMove(s.Move), Name: l.Rules.FormatMove(s.Move), Used: s.Used, Error: s.Error, Timed: s.Timed,
			Forced: s.Forced, Opening: s.Opening, Refused: s.Refused, Info: s.Info, Comment: s.Comment,
		})
	}
	return out, nil
}
