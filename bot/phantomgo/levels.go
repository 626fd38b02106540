package phantomgo

import "kibitz/bot"

// Level returns the strength of level n: positions for each attempt. Neighbours are
// about equally far from each other at a tenth of a second for a turn, see
// docs/strength.md.
func (e *engine) Level(n int) bot.Level {
	return bot.Levels{
		{Nodes: 1_000, Blunder: 0.65},
		{Nodes: 1_000, Blunder: 0.36},
		{Nodes: 1_000, Blunder: 0.06},
		{Nodes: 1_600},
		{Nodes: 3_400},
		{Nodes: 11_000},
		{Nodes: 28_000},
		{Nodes: 69_000},
		{},
	}.At(n)
}
