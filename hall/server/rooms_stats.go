package server

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/hall/store"
)

type roomGame struct {
	ID      string     `json:"id"`
	Index   int        `json:"index"`
	Players [2]string  `json:"players"`
	Points  [2]float64 `json:"points"`
	Reason  string     `json:"reason"`
	Plies   int        `json:"plies"`
	Seconds [2]float64 `json:"seconds"`
	Ended   time.Time  `json:"ended"`
}

type countOf struct {
	Count int     `json:"count"`
	Ratio float64 `json:"ratio"`
}

// roomStats are the games of a room that are over, and what they come to: how often
// each player won, games were drawn, and each reason ended one.
type roomStats struct {
	Games   []roomGame         `json:"games" doc:"the latest thousand"`
	Wins    map[string]countOf `json:"wins"`
	Draws   countOf            `json:"draws"`
	Reasons map[string]countOf `json:"reasons"`
	// Sides are the players in each seat, in the order of their names.
	Sides []sideStats `json:"sides" doc:"each player in each seat"`
}

// sideStats is what games came to for one player in one seat.
type sideStats struct {
	Name   string `json:"name"`
	Engine string `json:"engine,omitempty"`
	User   int64  `json:"user,omitempty"`
	Seat   int    `json:"seat" doc:"0 for the first"`
	Games  int    `json:"games"`
	Wins   int    `json:"wins"`
	Draws  int    `json:"draws"`
	Losses int    `json:"losses"`
	// Plies and Seconds are averages of a game; Seconds are the player's own.
	Plies    float64        `json:"plies" doc:"of a game, on average"`
	Seconds  float64        `json:"seconds" doc:"the player's own in a game, on average"`
	Forfeits map[string]int `json:"forfeits" doc:"lost games by reasons that are not of the board"`
}

func (h *Hall) roomStatistics(ctx context.Context, in *roomPath) (*body[roomStats], error) {
	by := actorOf(ctx)
	var list []store.Game
	err := h.view(ctx, func(tx store.Tx) error {
		_, s, err := roomOf(tx, in.Room, by)
		if err != nil {
			return err
		}
		page, err := tx.FindGames(store.GameQuery{Room: in.Room, States: []store.GameState{store.Over}, Limit: 1000})
		list = page.Games[:0:0]
		for _, g := range page.Games {
			if s.PlaceOf(by.ID) < 0 && !by.Arbiter && h.now().Before(g.Ended.Add(s.Settings.Delay)) {
				continue // not yet news for spectators
			}
			list = append(list, g)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return reply(countGames(list)), nil
}

func countGames(list []store.Game) roomStats {
	out := roomStats{Games: []roomGame{}, Wins: map[string]countOf{}, Reasons: map[string]countOf{}}
	one := func(c countOf) countOf {
		c.Count++
		c.Ratio = float64(c.Count) / float64(len(list))
		return c
	}
	for i := range list {
		g := &list[i]
		names := [2]string{g.Seats[0].Name, g.Seats[1].Name}
		out.Games = append(out.Games, roomGame{g.ID, g.Index, names, g.Result.Points, string(g.Result.Reason), g.Plies, g.Seconds, g.Ended})
		reason := string(g.Result.Reason)
		out.Reasons[reason] = one(out.Reasons[reason])
		switch w := g.Result.Winner(); {
		case w.IsPlayer():
			out.Wins[names[w]] = one(out.Wins[names[w]])
		case g.Result.Draw():
			out.Draws = one(out.Draws)
		}
	}
	out.Sides = countSides(list)
	return out
}

// countSides counts for each player in each seat.
func countSides(list []store.Game) []sideStats {
	type key struct {
		store.Seat
		seat int
	}
	found := map[key]*sideStats{}
	out := []sideStats{}
	for i := range list {
		g := &list[i]
		for n := range g.Seats {
			k := key{g.Seats[n], n}
			s := found[k]
			if s == nil {
				s = &sideStats{Name: k.Name, Engine: k.Engine, User: k.User, Seat: n, Forfeits: map[string]int{}}
				found[k] = s
			}
			s.count(g)
		}
	}
	for _, s := range found {
		s.Plies /= float64(s.Games)
		s.Seconds /= float64(s.Games)
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b sideStats) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), a.Seat-b.Seat, strings.Compare(a.Engine, b.Engine), cmp.Compare(a.User, b.User))
	})
	return out
}

// count adds a game.
func (s *sideStats) count(g *store.Game) {
	s.Games++
	s.Plies += float64(g.Plies)
	s.Seconds += g.Seconds[s.Seat]
	switch w := g.Result.Winner(); {
	case w == game.Seat(s.Seat):
		s.Wins++
	case w.IsPlayer():
		s.Losses++
		if forfeits(g.Result.Reason) {
			s.Forfeits[string(g.Result.Reason)]++
		}
	case g.Result.Draw():
		s.Draws++
	}
}

// forfeits reports whether who loses by a reason has not lost on the board.
func forfeits(why game.Reason) bool {
	switch why {
	case game.ByTime, game.ByIllegal, game.ByCrash, game.ByStall, game.ByProtocol, game.ByResource, game.ByStart, game.ByDisconnect:
		return true
	}
	return false
}
