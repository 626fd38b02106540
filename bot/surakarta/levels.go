package surakarta

import "kibitz/bot"

// Level returns the strength of level n: positions for each turn. Neighbours are
// about equally far from each other at a tenth of a second for a turn, see
// docs/measured/strength.md.
func (e *engine) Level(n int) bot.Level {
	return bot.Levels{
		{Nodes: 60, Blunder: 0.45},
		{Nodes: 60, Blunder: 0.31},
		{Nodes: 60, Blunder: 0.18},
		{Nodes: 60, Blunder: 0.07},
		{Nodes: 380},
		{Nodes: 1_900},
		{Nodes: 8_400},
		{Nodes: 43_000},
		{},
	}.At(n)
}
