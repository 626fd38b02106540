package sqlstore

import (
	"slices"

	"kibitz/hall/store"
)

const roomCols = "id, version, name, owner, game, listed, is_open, created, changed, state"

func intoRoom(r *store.Room) []any {
	return []any{&r.ID, &r.Version, &r.Name, &r.Owner, &r.Game, &r.Listed, &r.Open, &r.Created, &r.Changed, &r.State}
}

// AddRoom implements store.Rooms.
func (x *tx) AddRoom(r *store.Room) error {
	if r.Version != 0 {
		return conflict("room", r.ID)
	}
	n, err := x.exec("INSERT INTO rooms("+roomCols+") VALUES ("+marks(10)+") ON CONFLICT DO NOTHING",
		ident(r.ID), 1, r.Name, r.Owner, ident(r.Game), r.Listed, r.Open, r.Created, r.Changed, r.State)
	if err != nil || n == 0 {
		return or(err, taken("room", r.ID))
	}
	r.Version = 1
	return nil
}

// Room implements store.Rooms.
func (x *tx) Room(id string) (r store.Room, err error) {
	ok, err := x.row(intoRoom(&r), "SELECT "+roomCols+" FROM rooms WHERE id = ?", id)
	return found(r, ok, err, "room", id)
}

// SetRoom implements store.Rooms.
func (x *tx) SetRoom(r *store.Room) error {
	n, err := x.exec(`UPDATE rooms SET version = version + 1, name = ?, owner = ?, game = ?, listed = ?, is_open = ?, changed = ?, state = ?
		WHERE id = ? AND version = ?`, r.Name, r.Owner, ident(r.Game), r.Listed, r.Open, r.Changed, r.State, r.ID, r.Version)
	if err != nil {
		return err
	}
	if n == 0 {
		return x.lost("room", "rooms", r.ID)
	}
	r.Version++
	return nil
}

// lost says why a thing was not changed: it is not there, or was changed meanwhile.
func (x *tx) lost(what, table, id string) error {
	ok, err := x.has("SELECT 1 FROM "+table+" WHERE id = ?", id)
	switch {
	case err != nil:
		return err
	case !ok:
		return notFound(what, id)
	}
	return conflict(what, id)
}

// Rooms implements store.Rooms.
func (x *tx) Rooms(q store.RoomQuery) ([]store.Room, error) {
	var w where
	if q.Listed {
		w.add("listed = 1")
	}
	if q.Open {
		w.add("is_open = 1")
	}
	if q.Game != "" {
		w.add("game = ?", q.Game)
	}
	if q.Owner != 0 {
		w.add("owner = ?", q.Owner)
	}
	if !q.Before.IsZero() {
		w.add("(changed, id) < (?, ?)", q.Before, q.BeforeID)
	}
	return rows(x, intoRoom, "SELECT "+roomCols+" FROM rooms"+w.String()+" ORDER BY changed DESC, id DESC LIMIT ?",
		append(w.args, limit(q.Limit))...)
}

// AddMessage implements store.Rooms.
func (x *tx) AddMessage(m *store.Message) error {
	// Numbers are given in the order in which messages can be read: while the row of
	// the room is locked nobody else is given one in it.
	if ok, err := x.has("SELECT 1 FROM rooms WHERE id = ?"+x.d.Lock, m.Room); err != nil || !ok {
		return or(err, notFound("room", m.Room))
	}
	_, err := x.row([]any{&m.ID}, "INSERT INTO messages(room, at, user_id, name, channel, body) VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
		m.Room, m.At, m.User, m.Name, m.Channel, m.Text)
	return err
}

// Messages implements store.Rooms.
func (x *tx) Messages(room string, channels []string, after int64, most int) ([]store.Message, error) {
	var w where
	w.add("room = ?", room)
	if len(channels) > 0 {
		w.add("channel IN (" + marks(len(channels)) + ")")
		for _, c := range channels {
			w.args = append(w.args, c)
		}
	}
	order := ""
	if after < 0 {
		order = " DESC"
	} else {
		w.add("id > ?", after)
	}
	list, err := rows(x, func(m *store.Message) []any {
		return []any{&m.ID, &m.Room, &m.At, &m.User, &m.Name, &m.Channel, &m.Text}
	}, "SELECT id, room, at, user_id, name, channel, body FROM messages"+w.String()+" ORDER BY id"+order+" LIMIT ?",
		append(w.args, limit(most))...)
	if after < 0 {
		slices.Reverse(list)
	}
	return list, err
}

const savedCols = "id, user_id, name, spec, position, moves, created"

func intoSaved(s *store.Saved) []any {
	return []any{&s.ID, &s.User, &s.Name, &s.Spec, &s.Position, &s.Moves, &s.Created}
}

// AddSaved implements store.Rooms.
func (x *tx) AddSaved(s *store.Saved) error {
	if err := x.wantUser(s.User); err != nil {
		return err
	}
	n, err := x.exec("INSERT INTO saved("+savedCols+") VALUES ("+marks(7)+") ON CONFLICT DO NOTHING",
		ident(s.ID), s.User, s.Name, s.Spec, s.Position, s.Moves, s.Created)
	if err != nil || n == 0 {
		return or(err, taken("saved position", s.ID))
	}
	return nil
}

// Saved implements store.Rooms.
func (x *tx) Saved(id string) (s store.Saved, err error) {
	ok, err := x.row(intoSaved(&s), "SELECT "+savedCols+" FROM saved WHERE id = ?", id)
	return found(s, ok, err, "saved position", id)
}

// SavedBy implements store.Rooms.
func (x *tx) SavedBy(user int64) ([]store.Saved, error) {
	return rows(x, intoSaved, "SELECT "+savedCols+" FROM saved WHERE user_id = ? ORDER BY created DESC, id", user)
}

// RemoveSaved implements store.Rooms.
func (x *tx) RemoveSaved(id string) error {
	n, err := x.exec("DELETE FROM saved WHERE id = ?", id)
	return one(n, err, "saved position", id)
}

// AddRequest implements store.Requests.
func (x *tx) AddRequest(r *store.Request) error {
	n, err := x.exec(`INSERT INTO requests(user_id, request_key, hash, status, header, body, expires) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		r.User, ident(r.Key), r.Hash, r.Status, r.Header, r.Body, r.Expires)
	if err != nil || n == 0 {
		return or(err, taken("key", r.Key))
	}
	return nil
}

// Request implements store.Requests.
func (x *tx) Request(user int64, key string) (r store.Request, err error) {
	ok, err := x.row([]any{&r.User, &r.Key, &r.Hash, &r.Status, &r.Header, &r.Body, &r.Expires},
		"SELECT user_id, request_key, hash, status, header, body, expires FROM requests WHERE user_id = ? AND request_key = ?", user, key)
	return found(r, ok, err, "key", key)
}

// SetRequest implements store.Requests.
func (x *tx) SetRequest(r *store.Request) error {
	n, err := x.exec("UPDATE requests SET hash = ?, status = ?, header = ?, body = ?, expires = ? WHERE user_id = ? AND request_key = ?",
		r.Hash, r.Status, r.Header, r.Body, r.Expires, r.User, r.Key)
	return one(n, err, "key", r.Key)
}

// RemoveRequest implements store.Requests.
func (x *tx) RemoveRequest(user int64, key string) error {
	_, err := x.exec("DELETE FROM requests WHERE user_id = ? AND request_key = ?", user, key)
	return err
}
