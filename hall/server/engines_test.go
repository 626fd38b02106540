package server

import (
	"strings"
	"testing"
)

// An engine that is allowed for a game that there is not would never be offered: the game is named.
func TestEngineOfNoGame(t *testing.T) {
	h := newHouse(t, build{idle: true})
	boss := h.admin()
	set := func(games ...string) answer {
		return boss.do("PUT", "/api/v1/admin/engines/edax", map[string]any{"games": games, "enabled": true})
	}
	set("othello").want(204)
	if a := set("othello", "chess").want(422); !strings.Contains(a.body, `"#/games/1"`) {
		t.Error(a.body)
	}
}
