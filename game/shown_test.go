package game_test

import (
	"testing"

	"kibitz/game"
)

func TestShown(t *testing.T) {
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{"plain text\tand a tab", 100, "plain text\tand a tab"},
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc…"},
		{"ab№", 3, "ab…"}, // not within a character
		{"two\nlines\r", 100, "two\ufffdlines\ufffd"},
		{"\x1b[2Jgone", 100, "\ufffd[2Jgone"},
		{"GBK \xba\xec", 100, "GBK \ufffd\ufffd"},
		{"\u009b2J", 100, "\ufffd2J"},
	} {
		if got := game.Shown(tt.text, tt.most); got != tt.want {
			t.Errorf("%q of %d bytes is shown as %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}
