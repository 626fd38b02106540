package rules_test

import (
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/nogo"
	"kibitz/games/surakarta"
	"kibitz/rules"
)

// TestStateOf reads positions as the states of their game.
func TestStateOf(t *testing.T) {
	g := nogo.Game()
	const begun = "...../.b.../...../...w./..... b"
	for text, want := range map[string]string{"": "...../...../...../...../..... b", begun: begun} {
		if st, err := rules.StateOf[*nogo.State](g, "nogo:size=5", text); err != nil || st.Text() != want {
			t.Errorf("%q: %v, %v", text, st, err)
		}
	}
	for _, tt := range []struct {
		spec       game.Spec
		text, want string
	}{
		{"nogo:size=5", "?", "?"},
		{"nogo:size=99", "", "99"},
	} {
		if st, err := rules.StateOf[*nogo.State](g, tt.spec, tt.text); err == nil || st != nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %q: %v, %v", tt.spec, tt.text, st, err)
		}
	}
	if st, err := rules.StateOf[*surakarta.State](g, "nogo:size=5", ""); err == nil || st != nil ||
		err.Error() != "the states of nogo are *nogo.State, not *surakarta.State" {
		t.Errorf("%v, %v", st, err)
	}
}
