package catalog

import (
	"slices"
	"time"

	"kibitz/bot"
	"kibitz/game"
	"kibitz/game/look"
	"kibitz/rules"
)

// rulings is the option of games that the SAU platform plays by rules of its own.
func rulings() look.Choice {
	return look.Choice{Key: "rulings", Values: []string{"proper", "sau"}, Rest: true}
}

// offer is what a game offers to whoever wants to play it.
func (g *Game) offer() look.Offer {
	var out look.Offer
	choices, _ := g.Choices.Get()
	for _, c := range choices {
		if i := slices.IndexFunc(g.Rules.Options, func(o rules.Option) bool { return o.Key == c.Key }); i >= 0 {
			c.Default = g.Rules.Options[i].Default
		}
		out.Choices = append(out.Choices, c)
	}
	ladder, measured := g.Ladder.Get()
	for n := range bot.MaxLevel {
		l := look.Level{Elo: ladder[n], Measured: measured}
		if p, ok := g.Engine(bot.Options{Level: n + 1, Now: func() time.Time { return time.Time{} }}).(interface{ Strength() bot.Level }); ok {
			l.Nodes, l.Blunder = p.Strength().Nodes, p.Strength().Blunder
		}
		out.Levels = append(out.Levels, l)
	}
	if r, err := rules.Open([]rules.Game{g.Rules}, g.Rules.ID); err == nil {
		if v := r.New().View(game.Public); v.Shape != game.Dots {
			for i, c := range v.Colours {
				if c != game.NoColour {
					out.Colours[i] = c.String()
				}
			}
		}
	}
	return out
}
