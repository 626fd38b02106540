package sqlstore

import (
	"testing"
	"time"

	"kibitz/hall/store"
)

// What is given by a pointer is kept as what it points to.
func TestValue(t *testing.T) {
	kind, n, yes, at := store.Person, 300, true, time.UnixMicro(17)
	for _, tt := range []struct{ is, to, want any }{
		{kind, &kind, string(kind)},
		{n, &n, int64(n)},
		{yes, &yes, int64(1)},
		{at, &at, int64(17)},
	} {
		for _, a := range []any{tt.is, tt.to} {
			if got, err := value(a); got != tt.want || err != nil {
				t.Errorf("%T is kept as %v (%T), %v, want %v", a, got, got, err, tt.want)
			}
		}
	}
}
