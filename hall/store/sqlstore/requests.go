package sqlstore

import "kibitz/hall/store"

// requests is store.Requests: the answers that are remembered.
type requests struct{ *tx }

func requestCols(r *store.Request) []col {
	return []col{
		{"user_id", &r.User},
		{"request_key", (*ident)(&r.Key)},
		{"hash", &r.Hash},
		{"status", &r.Status},
		{"header", &r.Header},
		{"body", &r.Body},
		{"expires", &r.Expires},
	}
}

func (x requests) AddRequest(r *store.Request) error {
	ok, err := x.insertNew("requests", requestCols(r)...)
	if err != nil || !ok {
		return or(err, taken("key", r.Key))
	}
	return nil
}

func (x requests) Request(user int64, key string) (store.Request, error) {
	return get(x.tx, "key", key, requestCols, "FROM requests WHERE user_id = ? AND request_key = ?", user, key)
}

func (x requests) SetRequest(r *store.Request) error {
	n, err := x.update("requests", without(requestCols(r), "user_id", "request_key"), "user_id = ? AND request_key = ?", r.User, r.Key)
	return one(n, err, "key", r.Key)
}

func (x requests) RemoveRequest(user int64, key string) error {
	_, err := x.exec("DELETE FROM requests WHERE user_id = ? AND request_key = ?", user, key)
	return err
}
