package sqlstore

import "kibitz/hall/store"

// workerTokens is store.WorkerTokens: the tokens of workers.
type workerTokens struct{ *tx }

func workerTokenCols(t *store.WorkerToken) []col {
	return []col{{"name", (*ident)(&t.Name)}, {"hash", &t.Hash}, {"made_by", &t.By}, {"created", &t.Created}}
}

func (x workerTokens) AddWorkerToken(t *store.WorkerToken) error {
	ok, err := x.insertNew("worker_tokens", workerTokenCols(t)...)
	if err != nil || !ok {
		return or(err, taken("worker", t.Name))
	}
	return nil
}

func (x workerTokens) WorkerToken(name string) (store.WorkerToken, error) {
	return get(x.tx, "worker", name, workerTokenCols, "FROM worker_tokens WHERE name = ?", name)
}

func (x workerTokens) WorkerTokens() ([]store.WorkerToken, error) {
	return rows(x.tx, workerTokenCols, "FROM worker_tokens ORDER BY name")
}

func (x workerTokens) RemoveWorkerToken(name string) error {
	n, err := x.exec("DELETE FROM worker_tokens WHERE name = ?", name)
	return one(n, err, "worker", name)
}
