package sqlstore

import (
	"time"

	"kibitz/game"
	"kibitz/hall/store"
)

// games is store.Games: games, running and over, with the positions that they went through.
type games struct {
	*tx
	positions positions
}

// numbered is a game with its number.
type numbered struct {
	n int64
	store.Game
}

func gameCols(g *numbered) []col {
	r, s := &g.Result, &g.Seats
	return []col{
		{"n", &g.n},
		{"id", (*ident)(&g.ID)},
		{"spec", (*ident)(&g.Spec)},
		{"room", (*ident)(&g.Room)},
		{"tournament", (*ident)(&g.Tournament)},
		{"idx", &g.Index},
		{"state", (*ident)(&g.State)},
		{"attempt", &g.Attempt},
		{"worker", &g.Worker},
		{"name1", &s[0].Name},
		{"name2", &s[1].Name},
		{"user1", &s[0].User},
		{"user2", &s[1].User},
		{"engine1", &s[0].Engine},
		{"engine2", &s[1].Engine},
		{"rated", &g.Rated},
		{"speed", &g.Speed},
		{"opening", &g.Opening},
		{"created", &g.Created},
		{"begun", &g.Begun},
		{"ended", &g.Ended},
		{"hidden", &g.Hidden},
		{"listed", &g.Listed},
		{"job", &g.Job},
		{"points1", &r.Points[0]},
		{"points2", &r.Points[1]},
		{"board1", &r.Board[0]},
		{"board2", &r.Board[1]},
		{"has_board", &r.HasBoard},
		{"reason", (*ident)(&r.Reason)},
		{"detail", &r.Detail},
		{"plies", &g.Plies},
		{"seconds1", &g.Seconds[0]},
		{"seconds2", &g.Seconds[1]},
		{"ruled", &g.Ruled},
		{"note", &g.Note},
	}
}

// resultSet is how a game has ended, if it has.
func resultSet(state store.GameState, r *game.Result, plies int, seconds [2]float64, ended time.Time) []col {
	return []col{
		{"points1", r.Points[0]},
		{"points2", r.Points[1]},
		{"board1", r.Board[0]},
		{"board2", r.Board[1]},
		{"has_board", r.HasBoard},
		{"reason", ident(r.Reason)},
		{"detail", r.Detail},
		{"winner", winner(state, r)},
		{"plies", plies},
		{"seconds1", seconds[0]},
		{"seconds2", seconds[1]},
		{"ended", ended},
	}
}

// winner is 1 or 2 for the seat that won, 0 for a draw, -1 if nothing is decided.
func winner(state store.GameState, r *game.Result) int {
	switch {
	case state != store.Over || r.Reason == game.ByAbort:
		return -1
	case r.Points[0] > r.Points[1]:
		return 1
	case r.Points[0] < r.Points[1]:
		return 2
	}
	return 0
}

// played is when a game counts as played: when it was begun, before that when it was
// made.
func played(g *store.Game) time.Time {
	if g.Begun.IsZero() {
		return g.Created
	}
	return g.Begun
}

func (x games) AddGame(g *store.Game) error {
	if ok, err := x.has("SELECT 1 FROM game_ids WHERE id = ?", g.ID); err != nil || ok {
		return or(err, taken("game", g.ID))
	}
	places := places(g)
	for _, p := range places {
		if ok, err := x.has("SELECT 1 FROM game_places WHERE place = ? AND idx = ?", p, g.Index); err != nil || ok {
			return or(err, taken("number in "+p+":", g.Index))
		}
	}
	var n int64
	err := x.number(&n, "games", "n", gameRow(g)...)
	if err != nil {
		return err
	}
	if err := x.insert("game_ids", col{"id", g.ID}, col{"n", n}); err != nil {
		return err
	}
	for _, p := range places {
		if err := x.insert("game_places", col{"place", p}, col{"idx", g.Index}, col{"n", n}); err != nil {
			return err
		}
	}
	opening := fold(g.Opening)
	if opening == "" {
		return nil
	}
	_, err = x.insertNew("openings", col{"opening_key", opening})
	return err
}

// gameRow is the row of a new game, without its number.
func gameRow(g *store.Game) []col {
	s := &g.Seats
	return append(without(gameCols(&numbered{Game: *g}), "n"),
		col{"game", ident(g.Spec.ID())}, col{"name1_key", fold(s[0].Name)}, col{"name2_key", fold(s[1].Name)},
		col{"subject1", ident(s[0].Subject())}, col{"subject2", ident(s[1].Subject())}, col{"opening_key", fold(g.Opening)},
		col{"played", played(g)}, col{"winner", winner(g.State, &g.Result)})
}

// places are where a game has its number.
func places(g *store.Game) (list []string) {
	if g.Room != "" {
		list = append(list, "room "+g.Room)
	}
	if g.Tournament != "" {
		list = append(list, "tournament "+g.Tournament)
	}
	return list
}

// byID holds for the rows of a game.
const byID = "n = (SELECT n FROM game_ids WHERE id = ?)"

func (x games) Game(id string) (store.Game, error) {
	g, err := x.game(id, "")
	return g.Game, err
}

func (x games) game(id, suffix string) (numbered, error) {
	return get(x.tx, "game", id, gameCols, "FROM games WHERE "+byID+suffix, id)
}

func (x games) SetGame(g *store.Game, was store.GameState) error {
	old, err := x.game(g.ID, x.d.Lock)
	if err != nil {
		return err
	}
	if old.State != was {
		return conflict("game", g.ID)
	}
	ended, plies, seconds := old.Ended, old.Plies, old.Seconds
	if ended.IsZero() {
		ended = g.Ended
	}
	if was == store.Over && g.State != store.Over {
		// What was played counts no more.
		ended, plies, seconds = time.Time{}, 0, [2]float64{}
		if err := x.positions.removeRecord(old.n); err != nil {
			return err
		}
	}
	_, err = x.update("games", append(resultSet(g.State, &g.Result, plies, seconds, ended), col{"state", ident(g.State)},
		col{"worker", g.Worker}, col{"rated", g.Rated}, col{"listed", g.Listed}, col{"job", g.Job}, col{"ruled", g.Ruled}, col{"note", g.Note}),
		"n = ?", old.n)
	return err
}

func (x games) BeginAttempt(a store.Attempt) (store.Game, error) {
	g, err := x.game(a.Game, x.d.Lock)
	if err != nil {
		return store.Game{}, err
	}
	switch {
	case g.State == store.Over || g.State == store.Aborted || a.Attempt < g.Attempt || a.Attempt < 1:
		return store.Game{}, conflict("game", a.Game)
	case a.Attempt == g.Attempt:
		if g.State == store.Running && g.Worker == clean(a.Worker) {
			return g.Game, nil
		}
		return store.Game{}, conflict("game", a.Game)
	}
	g.State, g.Attempt, g.Worker = store.Running, a.Attempt, clean(a.Worker)
	if g.Begun.IsZero() {
		g.Begun = time.UnixMicro(a.Now.UnixMicro()).UTC()
	}
	_, err = x.update("games", []col{
		{"state", store.Running}, {"attempt", g.Attempt}, {"worker", g.Worker}, {"begun", g.Begun}, {"played", g.Begun},
	}, "n = ?", g.n)
	if err != nil {
		return store.Game{}, err
	}
	return g.Game, nil
}

func (x games) EndAttempt(e *store.Ending) (bool, error) {
	set, args := assignment(append(resultSet(store.Over, &e.Result, e.Plies, e.Seconds, e.Ended), col{"state", store.Over}, col{"worker", ""}))
	var n int64
	ok, err := x.row([]any{&n}, "UPDATE games SET "+set+" WHERE "+byID+" AND attempt = ? AND state IN ('running', 'parked') RETURNING n",
		append(args, e.Game, e.Attempt)...)
	if err != nil || !ok {
		return false, err
	}
	for seat, data := range e.Consoles {
		if len(data) == 0 {
			continue
		}
		if err := x.insert("consoles", col{"n", n}, col{"seat", seat}, col{"data", data}); err != nil {
			return false, err
		}
	}
	if e.Record == nil && len(e.Positions) == 0 {
		return true, nil
	}
	list := firsts(e.Positions)
	if err := x.insert("records", col{"n", n}, col{"record", e.Record}, col{"positions", packPositions(list)}); err != nil {
		return false, err
	}
	if len(list) == 0 {
		return true, nil
	}
	return true, x.positions.add(n)
}

func (x games) Record(id string) (b []byte, err error) {
	ok, err := x.row([]any{&b}, "SELECT record FROM records WHERE "+byID, id)
	return found(b, ok && len(b) > 0, err, "record of", id)
}

func (x games) Console(id string, seat int) (b []byte, err error) {
	ok, err := x.row([]any{&b}, "SELECT data FROM consoles WHERE "+byID+" AND seat = ?", id, seat)
	return found(b, ok, err, "console of", id)
}

func (x games) Review(id string) (b []byte, err error) {
	ok, err := x.row([]any{&b}, "SELECT data FROM reviews WHERE "+byID, id)
	return found(b, ok, err, "review of", id)
}

func (x games) SetReview(id string, data []byte) error {
	g, err := x.game(id, x.d.Lock)
	if err != nil {
		return err
	}
	if g.State != store.Over {
		return conflict("game", id)
	}
	return x.put("reviews", []string{"n"}, col{"n", g.n}, col{"data", data})
}

func (x games) RemoveGame(id string) error {
	g, err := x.game(id, x.d.Lock)
	if err != nil {
		return err
	}
	if g.State != store.Over && g.State != store.Aborted {
		return conflict("game", id)
	}
	if err := x.positions.removeRecord(g.n); err != nil {
		return err
	}
	for _, p := range places(&g.Game) {
		if _, err := x.exec("DELETE FROM game_places WHERE place = ? AND idx = ?", p, g.Index); err != nil {
			return err
		}
	}
	if _, err := x.exec("DELETE FROM game_ids WHERE id = ?", id); err != nil {
		return err
	}
	_, err = x.exec("DELETE FROM games WHERE n = ?", g.n)
	return err
}
