package storetest

import (
	"testing"

	"kibitz/hall/store"
)

func testWorkerTokens(t *testing.T, s store.Store) {
	b := store.WorkerToken{Name: "b", Hash: []byte{1, 0, 255}, By: 7, Created: noon()}
	a := store.WorkerToken{Name: "a", Hash: []byte{2}, Created: noon()}
	for _, w := range []store.WorkerToken{b, a} {
		do(t, s, func(x store.Tx) error { return x.AddWorkerToken(&w) })
	}
	refuse(t, s, store.ErrTaken, func(x store.Tx) error { return x.AddWorkerToken(&a) })
	same(t, read(t, s, func(x store.Tx) ([]store.WorkerToken, error) { return x.WorkerTokens() }), []store.WorkerToken{a, b})
	same(t, read(t, s, func(x store.Tx) (store.WorkerToken, error) { return x.WorkerToken("b") }), b)
	miss(t, s, func(x store.Tx) error { _, err := x.WorkerToken("c"); return err })
	do(t, s, func(x store.Tx) error { return x.RemoveWorkerToken("b") })
	refuse(t, s, store.ErrNotFound, func(x store.Tx) error { return x.RemoveWorkerToken("b") })
	same(t, read(t, s, func(x store.Tx) ([]store.WorkerToken, error) { return x.WorkerTokens() }), []store.WorkerToken{a})
}
