package sqlstore

import (
	"bytes"
	"time"

	"kibitz/hall/store"
)

// sessions is store.Sessions: what browsers are remembered by.
type sessions struct{ *tx }

func (x sessions) SetSession(hash []byte, user int64, data []byte, expires time.Time) error {
	return x.put("sessions", []string{"hash"}, col{"hash", hash}, col{"user_id", user}, col{"data", data}, col{"expires", expires})
}

func (x sessions) Session(hash []byte, now time.Time) (data []byte, err error) {
	ok, err := x.row([]any{&data}, "SELECT data FROM sessions WHERE hash = ? AND expires > ?", hash, now)
	return found(data, ok, err, "session", "with that hash")
}

func (x sessions) RemoveSession(hash []byte) error {
	_, err := x.exec("DELETE FROM sessions WHERE hash = ?", hash)
	return err
}

func (x sessions) RemoveSessionsOf(user int64, keep []byte) error {
	_, err := x.exec("DELETE FROM sessions WHERE user_id = ? AND user_id <> 0 AND hash <> ?", user, bytes.Clone(keep))
	return err
}

func (x sessions) RemoveExpired(now time.Time) (int, error) {
	total := 0
	for _, step := range []struct {
		query string
		args  []any
	}{
		{"DELETE FROM sessions WHERE expires <= ?", []any{now}},
		{"DELETE FROM requests WHERE expires <= ?", []any{now}},
		{"DELETE FROM challenges WHERE expires <= ?", []any{now.Add(-store.ChallengeStay)}},
		{
			`DELETE FROM users WHERE kind = 'guest' AND seen < ? AND created < ?
			AND NOT EXISTS (SELECT 1 FROM sessions WHERE user_id = users.id AND user_id <> 0)
			AND NOT EXISTS (SELECT 1 FROM rooms WHERE owner = users.id AND is_open = 1)
			AND NOT EXISTS (SELECT 1 FROM games WHERE subject1 = 'user/' || users.id AND subject1 <> '')
			AND NOT EXISTS (SELECT 1 FROM games WHERE subject2 = 'user/' || users.id AND subject2 <> '')`,
			[]any{now.Add(-store.GuestStay), now.Add(-store.GuestStay)},
		},
	} {
		n, err := x.exec(step.query, step.args...)
		if err != nil {
			return 0, err
		}
		total += int(n)
	}
	return total, nil
}
