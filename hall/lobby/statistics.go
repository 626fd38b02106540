package lobby

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/hall/play"
	"kibitz/hall/store"
)

// RoomGame is a row of a room's statistics.
type RoomGame struct {
	ID      string      `json:"id"`
	Index   int         `json:"index"`
	Players [2]string   `json:"players"`
	Points  [2]float64  `json:"points"`
	Reason  string      `json:"reason"`
	Plies   int         `json:"plies"`
	Seconds [2]float64  `json:"seconds"`
	Ended   time.Time   `json:"ended"`
	Board   *[2]float64 `json:"board,omitempty" doc:"the score on the board, where the game has one"`
	Hints   [2]int      `json:"hints" doc:"how many hints each seat was given"`
}

// CountOf is how many games, and what part of all.
type CountOf struct {
	Count int     `json:"count"`
	Ratio float64 `json:"ratio"`
}

// RoomStats are the games of a room that are over, and what they come to: how often
// each player won, games were drawn, and each reason ended one.
type RoomStats struct {
	Games   []RoomGame         `json:"games" doc:"the latest thousand"`
	Wins    map[string]CountOf `json:"wins"`
	Draws   CountOf            `json:"draws"`
	Reasons map[string]CountOf `json:"reasons"`
	// Sides are the players in each seat, in the order of their names.
	Sides []SideStats `json:"sides" doc:"each player in each seat"`
}

// SideStats is what games came to for one player in one seat.
type SideStats struct {
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

// Statistics returns the games of a room that are news for the caller, and their counts.
func (rm *Rooms) Statistics(ctx context.Context, in *RoomPath) (*RoomStats, error) {
	by := ActorOf(ctx)
	var list []store.Game
	err := rm.cfg.Store.View(ctx, func(tx store.Tx) error {
		_, s, err := RoomOf(tx, in.Room, by)
		if err != nil {
			return err
		}
		page, err := tx.FindGames(store.GameQuery{Room: in.Room, States: []store.GameState{store.Over}, Limit: 1000})
		list = page.Games[:0:0]
		for _, g := range page.Games {
			if s.PlaceOf(by.ID) < 0 && !by.Arbiter && rm.cfg.Now().Before(g.Ended.Add(s.Settings.Delay)) {
				continue // not yet news for spectators
			}
			list = append(list, g)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := countGames(list)
	return &out, nil
}

func countGames(list []store.Game) RoomStats {
	out := RoomStats{Games: []RoomGame{}, Wins: map[string]CountOf{}, Reasons: map[string]CountOf{}}
	one := func(c CountOf) CountOf {
		c.Count++
		c.Ratio = float64(c.Count) / float64(len(list))
		return c
	}
	for i := range list {
		g := &list[i]
		names := [2]string{g.Seats[0].Name, g.Seats[1].Name}
		row := RoomGame{
			ID: g.ID, Index: g.Index, Players: names, Points: g.Result.Points, Reason: string(g.Result.Reason), Plies: g.Plies,
			Seconds: g.Seconds, Ended: g.Ended,
		}
		if g.Result.HasBoard {
			board := g.Result.Board
			row.Board = &board
		}
		if w, err := play.WorkOf(g); err == nil {
			row.Hints = w.Hints
		}
		out.Games = append(out.Games, row)
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
func countSides(list []store.Game) []SideStats {
	type key struct {
		store.Seat
		seat int
	}
	found := map[key]*SideStats{}
	out := []SideStats{}
	for i := range list {
		g := &list[i]
		for n := range g.Seats {
			k := key{g.Seats[n], n}
			s := found[k]
			if s == nil {
				s = &SideStats{Name: k.Name, Engine: k.Engine, User: k.User, Seat: n, Forfeits: map[string]int{}}
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
	slices.SortFunc(out, func(a, b SideStats) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), a.Seat-b.Seat, strings.Compare(a.Engine, b.Engine), cmp.Compare(a.User, b.User))
	})
	return out
}

func (s *SideStats) count(g *store.Game) {
	s.Games++
	s.Plies += float64(g.Plies)
	s.Seconds += g.Seconds[s.Seat]
	switch w := g.Result.Winner(); {
	case w == game.Seat(s.Seat):
		s.Wins++
	case w.IsPlayer():
		s.Losses++
		if g.Result.Reason.Forfeit() {
			s.Forfeits[string(g.Result.Reason)]++
		}
	case g.Result.Draw():
		s.Draws++
	}
}
