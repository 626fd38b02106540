package nogo

import "kibitz/bot"

// Level returns the strength of level n: positions for each turn. Neighbours are
// about equally far from each other at a tenth of a second for a turn, see
// docs/measured/strength.md.
func (e *engine) Level(n int) bot.Level {
	return bot.Levels{
		{Nodes: 1_600, Blunder: 0.45},
		{Nodes: 1_600, Blunder: 0.23},
		{Nodes: 1_600, Blunder: 0.08},
		{Nodes: 2_500},
		{Nodes: 9_500},
		{Nodes: 27_000},
		{Nodes: 75_000},
		{Nodes: 250_000},
		{},
	}.At(n)
}
