package amazons

import "kibitz/bot"

// Level returns the strength of level n: positions for each turn. Neighbours are
// about equally far from each other at a tenth of a second for a turn, see
// docs/measured/strength.md.
func (e *engine) Level(n int) bot.Level {
	return bot.Levels{
		{Nodes: 60, Blunder: 0.45},
		{Nodes: 60, Blunder: 0.33},
		{Nodes: 60, Blunder: 0.19},
		{Nodes: 60, Blunder: 0.08},
		{Nodes: 320},
		{Nodes: 1_500},
		{Nodes: 6_000},
		{Nodes: 24_000},
		{},
	}.At(n)
}
