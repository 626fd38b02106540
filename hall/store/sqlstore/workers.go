package sqlstore

import "kibitz/hall/store"

const workerTokenCols = "name, hash, made_by, created"

func intoWorkerToken(t *store.WorkerToken) []any {
	return []any{&t.Name, &t.Hash, &t.By, &t.Created}
}

// AddWorkerToken implements store.WorkerTokens.
func (x *tx) AddWorkerToken(t *store.WorkerToken) error {
	n, err := x.exec("INSERT INTO worker_tokens("+workerTokenCols+") VALUES ("+marks(4)+") ON CONFLICT DO NOTHING", ident(t.Name), t.Hash,
		t.By, t.Created)
	if err != nil || n == 0 {
		return or(err, taken("worker", t.Name))
	}
	return nil
}

// WorkerToken implements store.WorkerTokens.
func (x *tx) WorkerToken(name string) (t store.WorkerToken, err error) {
	ok, err := x.row(intoWorkerToken(&t), "SELECT "+workerTokenCols+" FROM worker_tokens WHERE name = ?", name)
	return found(t, ok, err, "worker", name)
}

// WorkerTokens implements store.WorkerTokens.
func (x *tx) WorkerTokens() ([]store.WorkerToken, error) {
	return rows(x, intoWorkerToken, "SELECT "+workerTokenCols+" FROM worker_tokens ORDER BY name")
}

// RemoveWorkerToken implements store.WorkerTokens.
func (x *tx) RemoveWorkerToken(name string) error {
	n, err := x.exec("DELETE FROM worker_tokens WHERE name = ?", name)
	return one(n, err, "worker", name)
}
