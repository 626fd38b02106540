package catalog_test

import (
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/catalog"
)

// Each level of each game is allowed more than the one before it, and the last is
// bounded by the clock alone.
func TestLevelsRise(t *testing.T) {
	for _, g := range catalog.All() {
		id, newBot := g.Rules.ID, g.Engine
		var last bot.Level
		for n := 1; n <= bot.MaxLevel; n++ {
			p, ok := newBot(bot.Options{Level: n, Now: time.Now}).(interface{ Strength() bot.Level })
			if !ok {
				t.Fatalf("%s: the player does not tell its strength", id)
			}
			l := p.Strength()
			switch {
			case n == bot.MaxLevel && l != bot.Level{}:
				t.Errorf("%s: level %d is bounded: %+v", id, n, l)
			case n < bot.MaxLevel && l.Nodes <= 0:
				t.Errorf("%s: level %d is not bounded: %+v", id, n, l)
			case n > 1 && n < bot.MaxLevel && (l.Nodes < last.Nodes || l.Depth < last.Depth || l.Blunder > last.Blunder || l == last):
				t.Errorf("%s: level %d is %+v, level %d %+v", id, n-1, last, n, l)
			}
			last = l
		}
	}
}

// Rabbit, whom a first visitor meets, answers within a second and a half on any machine: it looks at so few
// positions that half a millisecond for each would do.
func TestRabbitAnswersAtOnce(t *testing.T) {
	const rabbit, most = 2, 3000
	for _, g := range catalog.All() {
		p := g.Engine(bot.Options{Level: rabbit, Now: time.Now}).(interface{ Strength() bot.Level })
		if l := p.Strength(); l.Nodes <= 0 || l.Nodes > most {
			t.Errorf("%s: Rabbit looks at %d positions a turn, not at most %d", g.Rules.ID, l.Nodes, most)
		}
	}
}
