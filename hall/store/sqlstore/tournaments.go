package sqlstore

import (
	"slices"

	"kibitz/hall/store"
)

// tournaments is store.Tournaments: tournaments and what happened in them.
type tournaments struct{ *tx }

func tournamentCols(t *store.Tournament) []col {
	return []col{
		{"id", &t.ID},
		{"version", &t.Version},
		{"name", &t.Name},
		{"owner", &t.Owner},
		{"game", (*ident)(&t.Game)},
		{"state", (*ident)(&t.State)},
		{"listed", &t.Listed},
		{"created", &t.Created},
		{"changed", &t.Changed},
		{"settings", &t.Settings},
		{"secret", &t.Secret},
	}
}

// tournamentSet is what may change of a tournament.
func tournamentSet(t *store.Tournament) []col {
	return without(tournamentCols(t), "id", "version", "created")
}

func (x tournaments) AddTournament(t *store.Tournament) error {
	return x.addVersioned("tournament", "tournaments", t.ID, &t.Version, append(tournamentSet(t), col{"created", t.Created})...)
}

func (x tournaments) Tournament(id string) (store.Tournament, error) {
	return get(x.tx, "tournament", id, tournamentCols, "FROM tournaments WHERE id = ?", id)
}

func (x tournaments) SetTournament(t *store.Tournament) error {
	return x.setVersioned("tournament", "tournaments", t.ID, &t.Version, tournamentSet(t)...)
}

func (x tournaments) Tournaments(q store.TournamentQuery) ([]store.Tournament, error) {
	var w where
	if len(q.States) > 0 {
		in(&w, "state", q.States)
		if !slices.Contains(q.States, store.Finished) && !slices.Contains(q.States, store.Cancelled) {
			w.add("state NOT IN ('finished', 'cancelled')")
		}
	}
	given(&w, "game = ?", q.Game)
	given(&w, "owner = ?", q.Owner)
	if q.Listed {
		w.add("listed = 1")
	}
	if !q.Before.IsZero() {
		w.add("(created, id) < (?, ?)", q.Before, q.BeforeID)
	}
	return rows(x.tx, tournamentCols, "FROM tournaments"+w.String()+" ORDER BY created DESC, id DESC LIMIT ?",
		append(w.args, limit(q.Limit))...)
}

func tournamentEventCols(e *store.TournamentEvent) []col {
	return []col{{"seq", &e.Seq}, {"at", &e.At}, {"kind", &e.Kind}, {"by_user", &e.By}, {"data", &e.Data}}
}

func (x tournaments) AddTournamentEvent(id string, e *store.TournamentEvent) error {
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
	return x.insert("tournament_events", append(tournamentEventCols(e), col{"tournament", id})...)
}

func (x tournaments) TournamentEvents(q store.TournamentEventQuery) ([]store.TournamentEvent, error) {
	var w where
	w.add("tournament = ?", q.Tournament)
	w.add("seq > ?", q.After)
	if q.Before > 0 {
		w.add("seq < ?", q.Before)
	}
	if len(q.Kinds) > 0 {
		in(&w, "kind", q.Kinds)
	}
	order := " ORDER BY seq"
	if q.Latest {
		order += " DESC"
	}
	if q.Limit > 0 {
		order += " LIMIT ?"
		w.args = append(w.args, q.Limit)
	}
	return rows(x.tx, tournamentEventCols, "FROM tournament_events"+w.String()+order, w.args...)
}
