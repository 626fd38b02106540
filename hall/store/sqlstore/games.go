package sqlstore

import (
	"time"

	"kibitz/game"
	"kibitz/hall/store"
)

// gameSet are the columns of a game that are given, gameCols those that are read.
const (
	gameSet = `id, spec, game, room, tournament, idx, state, attempt, worker, name1, name2, name1_key, name2_key, user1, user2, engine1, engine2,
		subject1, subject2, rated, speed, opening, opening_key, created, begun, ended, played, hidden, listed, job,
		points1, points2, board1, board2, has_board, reason, detail, winner, plies, seconds1, seconds2, ruled, note`
	gameCols = `g.n, g.id, g.spec, g.room, g.tournament, g.idx, g.state, g.attempt, g.worker, g.name1, g.name2, g.user1, g.user2, g.engine1, g.engine2,
		g.rated, g.speed, g.opening, g.created, g.begun, g.ended, g.hidden, g.listed, g.job,
		g.points1, g.points2, g.board1, g.board2, g.has_board, g.reason, g.detail, g.plies, g.seconds1, g.seconds2, g.ruled, g.note`
)

// numbered is a game with its number.
type numbered struct {
	n int64
	store.Game
}

func intoGame(g *numbered) []any {
	r := &g.Result
	return []any{
		&g.n, &g.ID, &g.Spec, &g.Room, &g.Tournament, &g.Index, &g.State, &g.Attempt, &g.Worker, &g.Seats[0].Name, &g.Seats[1].Name,
		&g.Seats[0].User, &g.Seats[1].User, &g.Seats[0].Engine, &g.Seats[1].Engine, &g.Rated, &g.Speed, &g.Opening, &g.Created, &g.Begun,
		&g.Ended,
		&g.Hidden, &g.Listed, &g.Job, &r.Points[0], &r.Points[1], &r.Board[0], &r.Board[1], &r.HasBoard, &r.Reason, &r.Detail,
		&g.Plies, &g.Seconds[0], &g.Seconds[1], &g.Ruled, &g.Note,
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

// AddGame implements store.Games.
func (x *tx) AddGame(g *store.Game) error {
	if ok, err := x.has("SELECT 1 FROM game_ids WHERE id = ?", g.ID); err != nil || ok {
		return or(err, taken("game", g.ID))
	}
	places := places(g)
	for _, p := range places {
		if ok, err := x.has("SELECT 1 FROM game_places WHERE place = ? AND idx = ?", p, g.Index); err != nil || ok {
			return or(err, taken("number in "+p+":", g.Index))
		}
	}
	r, s := &g.Result, &g.Seats
	opening := fold(g.Opening)
	var n int64
	_, err := x.row([]any{&n}, "INSERT INTO games("+gameSet+") VALUES ("+marks(43)+") RETURNING n",
		ident(g.ID), ident(g.Spec), ident(g.Spec.ID()), ident(g.Room), ident(g.Tournament), g.Index, ident(g.State), g.Attempt, g.Worker,
		s[0].Name, s[1].Name, fold(s[0].Name), fold(s[1].Name), s[0].User, s[1].User, s[0].Engine, s[1].Engine,
		ident(s[0].Subject()), ident(s[1].Subject()), g.Rated, g.Speed, g.Opening, opening, g.Created, g.Begun, g.Ended, played(g), g.Hidden,
		g.Listed, g.Job,
		r.Points[0], r.Points[1], r.Board[0], r.Board[1], r.HasBoard, ident(r.Reason), r.Detail, winner(g.State, r), g.Plies, g.Seconds[0],
		g.Seconds[1],
		g.Ruled, g.Note)
	if err != nil {
		return err
	}
	if _, err := x.exec("INSERT INTO game_ids(id, n) VALUES (?, ?)", g.ID, n); err != nil {
		return err
	}
	for _, p := range places {
		if _, err := x.exec("INSERT INTO game_places(place, idx, n) VALUES (?, ?, ?)", p, g.Index, n); err != nil {
			return err
		}
	}
	if opening == "" {
		return nil
	}
	_, err = x.exec("INSERT INTO openings(opening_key) VALUES (?) ON CONFLICT DO NOTHING", opening)
	return err
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

const byID = " WHERE g.n = (SELECT n FROM game_ids WHERE id = ?)"

// Game implements store.Games.
func (x *tx) Game(id string) (store.Game, error) {
	g, err := x.game(id, "")
	return g.Game, err
}

func (x *tx) game(id, suffix string) (g numbered, err error) {
	ok, err := x.row(intoGame(&g), "SELECT "+gameCols+" FROM games g"+byID+suffix, id)
	return found(g, ok, err, "game", id)
}

// SetGame implements store.Games.
func (x *tx) SetGame(g *store.Game, was store.GameState) error {
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
		if err := x.removeRecord(old.n); err != nil {
			return err
		}
	}
	r := &g.Result
	_, err = x.exec(`UPDATE games SET state = ?, worker = ?, rated = ?, listed = ?, job = ?, points1 = ?, points2 = ?, board1 = ?, board2 = ?, has_board = ?,
		reason = ?, detail = ?, winner = ?, ended = ?, plies = ?, seconds1 = ?, seconds2 = ?, ruled = ?, note = ? WHERE n = ?`,
		ident(g.State), g.Worker, g.Rated, g.Listed, g.Job, r.Points[0], r.Points[1], r.Board[0], r.Board[1], r.HasBoard,
		ident(r.Reason), r.Detail, winner(g.State, r), ended, plies, seconds[0], seconds[1], g.Ruled, g.Note, old.n)
	return err
}

// BeginAttempt implements store.Games.
func (x *tx) BeginAttempt(a store.Attempt) (store.Game, error) {
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
	_, err = x.exec("UPDATE games SET state = 'running', attempt = ?, worker = ?, begun = ?, played = ? WHERE n = ?", g.Attempt, g.Worker,
		g.Begun, g.Begun, g.n)
	if err != nil {
		return store.Game{}, err
	}
	return g.Game, nil
}

// EndAttempt implements store.Games.
func (x *tx) EndAttempt(e *store.Ending) (bool, error) {
	r := &e.Result
	var n int64
	ok, err := x.row([]any{&n}, `UPDATE games SET state = 'over', worker = '', points1 = ?, points2 = ?, board1 = ?, board2 = ?, has_board = ?, reason = ?, detail = ?,
		winner = ?, plies = ?, seconds1 = ?, seconds2 = ?, ended = ?
		WHERE n = (SELECT n FROM game_ids WHERE id = ?) AND attempt = ? AND state IN ('running', 'parked') RETURNING n`,
		r.Points[0], r.Points[1], r.Board[0], r.Board[1], r.HasBoard, ident(r.Reason), r.Detail,
		winner(store.Over, r), e.Plies, e.Seconds[0], e.Seconds[1], e.Ended, e.Game, e.Attempt)
	if err != nil || !ok {
		return false, err
	}
	for seat, data := range e.Consoles {
		if len(data) == 0 {
			continue
		}
		if _, err := x.exec("INSERT INTO consoles(n, seat, data) VALUES (?, ?, ?)", n, seat, data); err != nil {
			return false, err
		}
	}
	if e.Record == nil && len(e.Positions) == 0 {
		return true, nil
	}
	list := firsts(e.Positions)
	if _, err := x.exec("INSERT INTO records(n, record, positions) VALUES (?, ?, ?)", n, e.Record, packPositions(list)); err != nil {
		return false, err
	}
	if err := x.addPositions(n, list); err != nil {
		return false, err
	}
	return true, nil
}

// Record implements store.Games.
func (x *tx) Record(id string) (b []byte, err error) {
	ok, err := x.row([]any{&b}, "SELECT r.record FROM records r WHERE r.n = (SELECT n FROM game_ids WHERE id = ?)", id)
	return found(b, ok && len(b) > 0, err, "record of", id)
}

// Console implements store.Games.
func (x *tx) Console(id string, seat int) (b []byte, err error) {
	ok, err := x.row([]any{&b}, "SELECT c.data FROM consoles c WHERE c.n = (SELECT n FROM game_ids WHERE id = ?) AND c.seat = ?", id, seat)
	return found(b, ok, err, "console of", id)
}

// RemoveGame implements store.Games.
func (x *tx) RemoveGame(id string) error {
	g, err := x.game(id, x.d.Lock)
	if err != nil {
		return err
	}
	if g.State != store.Over && g.State != store.Aborted {
		return conflict("game", id)
	}
	if err := x.removeRecord(g.n); err != nil {
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
