package phantomgo

import "kibitz/bot"

// Level returns the strength of level n: positions for each attempt. Neighbours are
// about equally far from each other at a tenth of a second for a turn, see
// docs/measured/strength.md.
func (e *engine) Level(n int) bot.Level {
	return bot.Levels{
		{Nodes: 1_000, Blunder: 0.65},
		{Nodes: 1_000, Blunder: 0.33},
		{Nodes: 1_000, Blunder: 0.06},
		{Nodes: 1_600},
		{Nodes: 3_000},
		{Nodes: 6_500},
		{Nodes: 13_000},
		{Nodes: 32_000},
		{},
	}.At(n)
}
