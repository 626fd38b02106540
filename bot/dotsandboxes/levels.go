package dotsandboxes

import "kibitz/bot"

// Level returns the strength of level n: positions for each turn. Neighbours are
// about equally far from each other at a tenth of a second for a turn, see
// docs/measured/strength.md.
func (e *engine) Level(n int) bot.Level {
	return bot.Levels{
		{Nodes: 60, Blunder: 0.45},
		{Nodes: 60, Blunder: 0.22},
		{Nodes: 60, Blunder: 0.04},
		{Nodes: 450},
		{Nodes: 1_800},
		{Nodes: 18_000},
		{Nodes: 64_000},
		{Nodes: 200_000},
		{},
	}.At(n)
}
