package site

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"kibitz/hall/lobby"
	"kibitz/hall/records"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
)

// mostOwn is how many games of a reader's engines are listed, of how many of each account at most.
const mostOwn, lookedAt = 10, 30

// ownGames are the latest games in which an engine of the reader played, or one of his bots.
func (h *peoplePages) ownGames(ctx context.Context, p *pages.Page) ([]pages.OwnGame, error) {
	if p.Me == nil || h.consoles == nil {
		return nil, nil
	}
	accounts := []int64{p.Me.ID}
	var list []store.Game
	err := h.store.View(ctx, func(tx store.Tx) error {
		bots, err := tx.Users(store.UserQuery{Owner: p.Me.ID})
		if err != nil {
			return err
		}
		for i := range bots {
			accounts = append(accounts, bots[i].ID)
		}
		for _, id := range accounts {
			q, err := h.games.Query(ctx, tx, records.Selection{Subject: store.UserSubject(id)})
			if err != nil {
				return err
			}
			q.States, q.Limit = []store.GameState{store.Over}, lookedAt
			page, err := tx.FindGames(q)
			if err != nil {
				return err
			}
			list = append(list, page.Games...)
		}
		return nil
	})
	slices.SortFunc(list, func(a, b store.Game) int { return cmp.Or(b.Begun.Compare(a.Begun), cmp.Compare(a.ID, b.ID)) })
	list = slices.CompactFunc(list, func(a, b store.Game) bool { return a.ID == b.ID })
	var out []pages.OwnGame
	for i := range list {
		for seat := range list[i].Seats {
			if len(out) == mostOwn || !slices.Contains(accounts, list[i].Seats[seat].User) {
				continue
			}
			if _, none := h.consoles.Find(ctx, list[i].ID, seat); errors.Is(none, lobby.ErrNoConsole) {
				continue // a person sat there
			} else if none != nil {
				return nil, none
			}
			v := records.ViewGame(&list[i])
			out = append(out, pages.OwnGame{Game: lineModel(p.Words, &v), Seat: seat})
		}
	}
	return out, err
}
