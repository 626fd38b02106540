package catalog_test

import (
	"runtime"
	"testing"

	"kibitz/catalog"
)

// A hall asks all games what they offer when it starts: engines take their memory when they
// first think.
func TestShownIsLight(t *testing.T) {
	const most = 2 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	catalog.Shown()
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > most {
		t.Errorf("%d bytes were taken, at most %d are meant", took, most)
	}
}
