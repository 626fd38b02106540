package gomoku

import "kibitz/bot"

// Level returns the strength of level n: positions for each turn. Neighbours are
// about equally far from each other at a tenth of a second for a turn, see
// docs/measured/strength.md.
func (e *engine) Level(n int) bot.Level {
	return bot.Levels{
		{Nodes: 60, Blunder: 0.45},
		{Nodes: 60, Blunder: 0.25},
		{Nodes: 60, Blunder: 0.10},
		{Nodes: 74},
		{Nodes: 560},
		{Nodes: 3_000},
		{Nodes: 8_000},
		{Nodes: 19_000},
		{},
	}.At(n)
}
