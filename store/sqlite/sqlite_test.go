package sqlite

import (
	"path/filepath"
	"testing"

	"kibitz/store"
	"kibitz/store/storetest"
)

func open1(t testing.TB, path string) store.Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return open1(t, filepath.Join(t.TempDir(), "a hall?#%.db")) })
}
