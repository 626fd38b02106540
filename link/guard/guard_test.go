package guard_test

import (
	"slices"
	"testing"

	"kibitz/link/guard"
)

func TestEnviron(t *testing.T) {
	got := guard.Environ([]string{"A=1", "B=2", "A=3"}, "C=", "B=4=5")
	if want := []string{"A=3", "C=", "B=4=5"}; !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1023: "1023 bytes", 1024: "1 KB", 1536: "1.5 KB", 350 << 20: "350 MB", 367001600 + 1<<19: "350 MB", 2 << 30: "2 GB", 5 << 40: "5 TB"} {
		if got := guard.Bytes(n); got != want {
			t.Errorf("%d: %q instead of %q", n, got, want)
		}
	}
}
