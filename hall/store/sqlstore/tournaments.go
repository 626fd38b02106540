package sqlstore

import (
	"kibitz/hall/store"
)

const tournamentCols = "id, version, name, owner, game, state, listed, created, changed, settings, secret"

func intoTournament(t *store.Tournament) []any {
	return []any{&t.ID, &t.Version, &t.Name, &t.Owner, &t.Game, &t.State, &t.Listed, &t.Created, &t.Changed, &t.Settings, &t.Secret}
}

// AddTournament implements store.Tournaments.
func (x *tx) AddTournament(t *store.Tournament) error {
	if t.Version != 0 {
		return conflict("tournament", t.ID)
	}
	n, err := x.exec("INSERT INTO tournaments("+tournamentCols+") VALUES ("+marks(11)+") ON CONFLICT DO NOTHING",
		ident(t.ID), 1, t.Name, t.Owner, ident(t.Game), ident(t.State), t.Listed, t.Created, t.Changed, t.Settings, t.Secret)
	if err != nil || n == 0 {
		return or(err, taken("tournament", t.ID))
	}
	t.Version = 1
	return nil
}

// Tournament implements store.Tournaments.
func (x *tx) Tournament(id string) (t store.Tournament, err error) {
	ok, err := x.row(intoTournament(&t), "SELECT "+tournamentCols+" FROM tournaments WHERE id = ?", id)
	return found(t, ok, err, "tournament", id)
}

// SetTournament implements store.Tournaments.
func (x *tx) SetTournament(t *store.Tournament) error {
	n, err := x.exec(`UPDATE tournaments SET version = version + 1, name = ?, owner = ?, game = ?, state = ?, listed = ?, changed = ?, settings = ?, secret = ?
		WHERE id = ? AND version = ?`,
		t.Name, t.Owner, ident(t.Game), ident(t.State), t.Listed, t.Changed, t.Settings, t.Secret, t.ID, t.Version)
	if err != nil {
		return err
	}
	if n == 0 {
		return x.lost("tournament", "tournaments", t.ID)
	}
	t.Version++
	return nil
}

// Tournaments implements store.Tournaments.
func (x *tx) Tournaments(q store.TournamentQuery) ([]store.Tournament, error) {
	var w where
	if len(q.States) > 0 {
		running := true
		for _, s := range q.States {
			w.args = append(w.args, s)
			running = running && s != store.Finished && s != store.Cancelled
		}
		w.conds = append(w.conds, "state IN ("+marks(len(q.States))+")")
		if running {
			w.add("state NOT IN ('finished', 'cancelled')")
		}
	}
	if q.Game != "" {
		w.add("game = ?", q.Game)
	}
	if q.Owner != 0 {
		w.add("owner = ?", q.Owner)
	}
	if q.Listed {
		w.add("listed = 1")
	}
	if !q.Before.IsZero() {
		w.add("(created, id) < (?, ?)", q.Before, q.BeforeID)
	}
	return rows(x, intoTournament, "SELECT "+tournamentCols+" FROM tournaments"+w.String()+" ORDER BY created DESC, id DESC LIMIT ?",
		append(w.args, limit(q.Limit))...)
}

// AddTournamentEvent implements store.Tournaments.
func (x *tx) AddTournamentEvent(id string, e *store.TournamentEvent) error {
	if ok, err := x.has("SELECT 1 FROM tournaments WHERE id = ?"+x.d.Lock, id); err != nil || !ok {
		return or(err, notFound("tournament", id))
	}
	var last int64
	if _, err := x.row([]any{&last}, "SELECT coalesce(max(seq), 0) FROM tournament_events WHERE tournament = ?", id); err != nil {
		return err
	}
	if e.Seq != last+1 {
		return conflict("tournament", id)
	}
	_, err := x.exec("INSERT INTO tournament_events(tournament, seq, at, kind, by_user, data) VALUES (?, ?, ?, ?, ?, ?)",
		id, e.Seq, e.At, e.Kind, e.By, e.Data)
	return err
}

// TournamentEvents implements store.Tournaments.
func (x *tx) TournamentEvents(q store.TournamentEventQuery) ([]store.TournamentEvent, error) {
	var w where
	w.add("tournament = ?", q.Tournament)
	w.add("seq > ?", q.After)
	if q.Before > 0 {
		w.add("seq < ?", q.Before)
	}
	if len(q.Kinds) > 0 {
		kinds := make([]any, len(q.Kinds))
		for i, k := range q.Kinds {
			kinds[i] = k
		}
		w.add("kind IN ("+marks(len(kinds))+")", kinds...)
	}
	order := " ORDER BY seq"
	if q.Latest {
		order += " DESC"
	}
	if q.Limit > 0 {
		order += " LIMIT ?"
		w.args = append(w.args, q.Limit)
	}
	return rows(x, func(e *store.TournamentEvent) []any {
		return []any{&e.Seq, &e.At, &e.Kind, &e.By, &e.Data}
	}, "SELECT seq, at, kind, by_user, data FROM tournament_events"+w.String()+order, w.args...)
}

const engineCols = "name, spec, hash, games, enabled, added"

func intoEngine(e *store.Engine) []any {
	return []any{&e.Name, &e.Spec, &e.Hash, &e.Games, &e.Enabled, &e.Added}
}

// SetEngine implements store.Engines.
func (x *tx) SetEngine(e *store.Engine) error {
	_, err := x.exec("INSERT INTO engines("+engineCols+") VALUES ("+marks(6)+`) ON CONFLICT(name) DO UPDATE SET
		spec = excluded.spec, hash = excluded.hash, games = excluded.games, enabled = excluded.enabled, added = excluded.added`,
		ident(e.Name), e.Spec, e.Hash, e.Games, e.Enabled, e.Added)
	return err
}

// Engine implements store.Engines.
func (x *tx) Engine(name string) (e store.Engine, err error) {
	ok, err := x.row(intoEngine(&e), "SELECT "+engineCols+" FROM engines WHERE name = ?", name)
	return found(e, ok, err, "engine", name)
}

// Engines implements store.Engines.
func (x *tx) Engines() ([]store.Engine, error) {
	return rows(x, intoEngine, "SELECT "+engineCols+" FROM engines ORDER BY name")
}

// RemoveEngine implements store.Engines.
func (x *tx) RemoveEngine(name string) error {
	n, err := x.exec("DELETE FROM engines WHERE name = ?", name)
	return one(n, err, "engine", name)
}
