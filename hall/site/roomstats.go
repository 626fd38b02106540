package site

import (
	"maps"
	"slices"

	"kibitz/hall/lobby"
	"kibitz/hall/records"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
)

// statsModel is what the games of a room came to.
func statsModel(w *words.Catalogue, st *lobby.RoomStats, s *room.Shown) pages.Stats {
	out := pages.Stats{Draws: pages.Count{Count: st.Draws.Count, Ratio: st.Draws.Ratio}}
	for _, g := range st.Games {
		l := pages.GameLine{
			ID: g.ID, Spec: string(s.Settings.Game), State: string(store.Over), Over: true, Names: called(w, g.Players), Points: g.Points,
			Board: g.Board, Reason: g.Reason, Plies: g.Plies, Begun: g.Ended, Hints: g.Hints,
		}
		l.Won = [2]bool{g.Points[0] > g.Points[1], g.Points[1] > g.Points[0]}
		l.Draw = g.Points[0] == g.Points[1] && g.Points[0] > 0
		out.Games = append(out.Games, l)
	}
	for _, name := range sortedKeys(st.Wins) {
		out.Wins = append(out.Wins, pages.Count{Name: pages.Called(w, name), Count: st.Wins[name].Count, Ratio: st.Wins[name].Ratio})
	}
	for _, name := range sortedKeys(st.Reasons) {
		out.Reasons = append(out.Reasons, pages.Count{Name: name, Count: st.Reasons[name].Count, Ratio: st.Reasons[name].Ratio})
	}
	for i := range st.Sides {
		out.Sides = append(out.Sides, sideModel(w, &st.Sides[i]))
	}
	return out
}

func sideModel(w *words.Catalogue, x *lobby.SideStats) pages.SideStats {
	count := func(n int) pages.Count { return pages.Count{Count: n, Ratio: float64(n) / float64(x.Games)} }
	out := pages.SideStats{
		Name: pages.Called(w, x.Name), Link: linkOfSeat(records.SeatView{User: x.User, Engine: x.Engine}), Seat: x.Seat, Games: x.Games,
		Wins: count(x.Wins), Draws: count(x.Draws), Losses: count(x.Losses), Plies: x.Plies, Seconds: x.Seconds,
	}
	for _, why := range slices.Sorted(maps.Keys(x.Forfeits)) {
		c := count(x.Forfeits[why])
		c.Name = why
		out.Forfeits = append(out.Forfeits, c)
	}
	return out
}

func sortedKeys(m map[string]lobby.CountOf) []string {
	return slices.Sorted(maps.Keys(m))
}
