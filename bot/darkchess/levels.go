package darkchess

import "kibitz/bot"

// Level returns the strength of level n: positions for each turn. Neighbours are
// about equally far from each other at a tenth of a second for a turn, see
// docs/measured/strength.md.
func (e *engine) Level(n int) bot.Level {
	return bot.Levels{
		{Nodes: 60, Blunder: 0.45},
		{Nodes: 60, Blunder: 0.32},
		{Nodes: 60, Blunder: 0.21},
		{Nodes: 60, Blunder: 0.12},
		{Nodes: 60, Blunder: 0.03},
		{Nodes: 330},
		{Nodes: 2_200},
		{Nodes: 26_000},
		{},
	}.At(n)
}
