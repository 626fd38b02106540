package breakthrough

import "kibitz/bot"

// Level returns the strength of level n: positions for each turn.
func (e *engine) Level(n int) bot.Level {
	return bot.Levels{
		{Nodes: 60, Blunder: 0.45},
		{Nodes: 60, Blunder: 0.3},
		{Nodes: 60, Blunder: 0.17},
		{Nodes: 60, Blunder: 0.06},
		{Nodes: 400},
		{Nodes: 2_000},
		{Nodes: 9_000},
		{Nodes: 45_000},
		{},
	}.At(n)
}
