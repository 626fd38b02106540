package sqlstore

import "kibitz/hall/store"

// workerTokens are the tokens of workers.
type workerTokens struct{ *tx }

func workerTokenCols(t *store.WorkerToken) []col {
	return []col{{"name", (*ident)(&t.Name)}, {"hash", &t.Hash}, {"made_by", &t.By}, {"created", &t.Created}}
}

// AddWorkerToken implements store.WorkerTokens.
func (x workerTokens) AddWorkerToken(t *store.WorkerToken) error {
	ok, err := x.insertNew("worker_tokens", workerTokenCols(t)...)
	if err != nil || !ok {
		return or(err, taken("worker", t.Name))
	}
	return nil
}

// WorkerToken implements store.WorkerTokens.
func (x workerTokens) WorkerToken(name string) (store.WorkerToken, error) {
	return get(x.tx, "worker", name, workerTokenCols, "FROM worker_tokens WHERE name = ?", name)
}

// WorkerTokens implements store.WorkerTokens.
func (x workerTokens) WorkerTokens() ([]store.WorkerToken, error) {
	return rows(x.tx, workerTokenCols, "FROM worker_tokens ORDER BY name")
}

// RemoveWorkerToken implements store.WorkerTokens.
func (x workerTokens) RemoveWorkerToken(name string) error {
	n, err := x.exec("DELETE FROM worker_tokens WHERE name = ?", name)
	return one(n, err, "worker", name)
}
