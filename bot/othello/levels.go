package othello

import "kibitz/bot"

// Level returns the strength of level n: positions for each turn. Neighbours are
// about equally far from each other at a tenth of a second for a turn, see
// docs/measured/strength.md.
func (e *engine) Level(n int) bot.Level {
	return bot.Levels{
		{Nodes: 60, Blunder: 0.45},
		{Nodes: 60, Blunder: 0.28},
		{Nodes: 60, Blunder: 0.13},
		{Nodes: 60, Blunder: 0.05},
		{Nodes: 3_000},
		{Nodes: 9_500},
		{Nodes: 27_000},
		{Nodes: 110_000},
		{},
	}.At(n)
}
