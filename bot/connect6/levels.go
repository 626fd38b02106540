package connect6

import "kibitz/bot"

// Level returns the strength of level n: positions for each turn. Neighbours are
// about equally far from each other at a tenth of a second for a turn, see
// docs/measured/strength.md.
func (e *engine) Level(n int) bot.Level {
	return bot.Levels{
		{Nodes: 60, Blunder: 0.50},
		{Nodes: 60, Blunder: 0.30},
		{Nodes: 60, Blunder: 0.12},
		{Nodes: 60, Blunder: 0.01},
		{Nodes: 750},
		{Nodes: 3_100},
		{Nodes: 7_700},
		{Nodes: 18_000},
		{},
	}.At(n)
}
