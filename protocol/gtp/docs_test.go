package gtp_test

import (
	"testing"

	"kibitz/player/playertest"
)

// TestDocs holds the docs page to the switches that exist.
func TestDocs(t *testing.T) {
	playertest.Page(t, forms.Protocol())
}
