package bot

// MaxLevel is the strongest level. It is bounded by the clock alone.
const MaxLevel = 9

// FreeNodes bounds thinking where nothing else does: no clock, no limit, the
// strongest level. It keeps an untimed game going, and repeatable.
const FreeNodes = 4_000_000

// Level is the strength of one level. Its bounds hold beside those of the clock
// and of the game; zero means none.
type Level struct {
	// Depth is in plies, Nodes in positions per turn.
	Depth int
	Nodes int64
	// Blunder is the probability, from 0 to 1, that a turn is a mistake.
	Blunder float64
}

// Levels is the strength of the nine levels of a game.
type Levels [MaxLevel]Level

// At returns level n; numbers outside 1 to 9 mean the nearest.
func (l Levels) At(n int) Level { return l[min(max(n, 1), MaxLevel)-1] }

// LevelOf returns the common level n, for a game whose levels nobody has measured.
func LevelOf(n int) Level {
	return Levels{
		{Depth: 1, Nodes: 2_000, Blunder: 0.30},
		{Depth: 1, Nodes: 5_000, Blunder: 0.15},
		{Depth: 2, Nodes: 10_000, Blunder: 0.05},
		{Depth: 3, Nodes: 30_000, Blunder: 0.02},
		{Depth: 4, Nodes: 100_000},
		{Depth: 6, Nodes: 300_000},
		{Depth: 8, Nodes: 1_000_000},
		{Depth: 12, Nodes: 3_000_000},
		{},
	}.At(n)
}
