package sqlstore

import (
	"slices"

	"kibitz/hall/store"
)

// rooms is store.Rooms: rooms, their chat, and saved positions.
type rooms struct{ *tx }

func roomCols(r *store.Room) []col {
	return []col{
		{"id", &r.ID},
		{"version", &r.Version},
		{"name", &r.Name},
		{"owner", &r.Owner},
		{"game", (*ident)(&r.Game)},
		{"listed", &r.Listed},
		{"is_open", &r.Open},
		{"created", &r.Created},
		{"changed", &r.Changed},
		{"state", &r.State},
	}
}

// roomSet is what may change of a room.
func roomSet(r *store.Room) []col {
	return without(roomCols(r), "id", "version", "created")
}

func (x rooms) AddRoom(r *store.Room) error {
	return x.addVersioned("room", "rooms", r.ID, &r.Version, append(roomSet(r), col{"created", r.Created})...)
}

func (x rooms) Room(id string) (store.Room, error) {
	return get(x.tx, "room", id, roomCols, "FROM rooms WHERE id = ?", id)
}

func (x rooms) SetRoom(r *store.Room) error {
	return x.setVersioned("room", "rooms", r.ID, &r.Version, roomSet(r)...)
}

func (x rooms) Rooms(q store.RoomQuery) ([]store.Room, error) {
	var w where
	if q.Listed {
		w.add("listed = 1")
	}
	if q.Open {
		w.add("is_open = 1")
	}
	given(&w, "game = ?", q.Game)
	given(&w, "owner = ?", q.Owner)
	if !q.Before.IsZero() {
		w.add("(changed, id) < (?, ?)", q.Before, q.BeforeID)
	}
	return rows(x.tx, roomCols, "FROM rooms"+w.String()+" ORDER BY changed DESC, id DESC LIMIT ?",
		append(w.args, limit(q.Limit))...)
}

func messageCols(m *store.Message) []col {
	return []col{
		{"id", &m.ID},
		{"room", &m.Room},
		{"at", &m.At},
		{"user_id", &m.User},
		{"name", &m.Name},
		{"channel", &m.Channel},
		{"body", &m.Text},
	}
}

func (x rooms) AddMessage(m *store.Message) error {
	// Numbers are given in the order in which messages can be read: while the row of
	// the room is locked nobody else is given one in it.
	if ok, err := x.has("SELECT 1 FROM rooms WHERE id = ?"+x.d.Lock, m.Room); err != nil || !ok {
		return or(err, notFound("room", m.Room))
	}
	return x.number(&m.ID, "messages", "id", without(messageCols(m), "id")...)
}

func (x rooms) Messages(room string, channels []string, after int64, most int) ([]store.Message, error) {
	var w where
	w.add("room = ?", room)
	if len(channels) > 0 {
		in(&w, "channel", channels)
	}
	order := ""
	if after < 0 {
		order = " DESC"
	} else {
		w.add("id > ?", after)
	}
	list, err := rows(x.tx, messageCols, "FROM messages"+w.String()+" ORDER BY id"+order+" LIMIT ?", append(w.args, limit(most))...)
	if after < 0 {
		slices.Reverse(list)
	}
	return list, err
}

func savedCols(s *store.Saved) []col {
	return []col{
		{"id", (*ident)(&s.ID)},
		{"user_id", &s.User},
		{"name", &s.Name},
		{"spec", &s.Spec},
		{"position", &s.Position},
		{"moves", &s.Moves},
		{"created", &s.Created},
	}
}

func (x rooms) AddSaved(s *store.Saved) error {
	if err := x.wantUser(s.User); err != nil {
		return err
	}
	ok, err := x.insertNew("saved", savedCols(s)...)
	if err != nil || !ok {
		return or(err, taken("saved position", s.ID))
	}
	return nil
}

func (x rooms) Saved(id string) (store.Saved, error) {
	return get(x.tx, "saved position", id, savedCols, "FROM saved WHERE id = ?", id)
}

func (x rooms) SavedBy(user int64) ([]store.Saved, error) {
	return rows(x.tx, savedCols, "FROM saved WHERE user_id = ? ORDER BY created DESC, id", user)
}

func (x rooms) RemoveSaved(id string) error {
	n, err := x.exec("DELETE FROM saved WHERE id = ?", id)
	return one(n, err, "saved position", id)
}
