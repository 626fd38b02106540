package protocol_test

import (
	"testing"

	"kibitz/protocol"
)

// An engine that speaks another protocol gives itself away by its answers.
func TestForeign(t *testing.T) {
	for _, k := range []struct {
		line, id string
		is       bool
	}{
		{"? unknown command", "gtp", true},
		{"= ", "gtp", true},
		{"=", "gtp", true},
		{"?\r", "gtp", true},
		{"=== F5", "gtp", false},
		{"=12 c5 c6", "gtp", false},
		{"a = b", "gtp", false},
		{"", "gtp", false},
		{"UNKNOWN command", "piskvork", true},
		{"UNKNOWN", "piskvork", true},
		{"ERROR Unknown command: PROTOCOL_VERSION", "piskvork", true},
		{"OK", "piskvork", true},
		{"OK then", "piskvork", false},
		{"unknown command", "piskvork", false},
		{"? unknown command", "piskvork", false},
		{"OK", "gtp", false},
	} {
		want := ""
		if k.is {
			want = map[string]string{"gtp": "it answers as GTP does: proto=gtp", "piskvork": "it answers as Piskvork does: proto=piskvork"}[k.id]
		}
		if got, plain := protocol.Foreign([]byte(k.line), k.id); got != want || plain {
			t.Errorf("%q under another protocol than %s: %q, plainly %v", k.line, k.id, got, plain)
		}
	}
}
