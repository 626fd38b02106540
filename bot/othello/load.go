package othello

import (
	_ "embed"
	"sync"

	// for the weights
	"kibitz/bot/othello/internal/pattern"
	"kibitz/games/othello"
)

//go:embed weights.bin
var packed []byte

//go:embed book.bin
var packedBook []byte

// loadWeights, loadBook and edgeTable make the tables that all engines share when the
// first of them needs them. They are never written afterwards.
var (
	loadWeights = sync.OnceValues(func() (*pattern.Weights, error) { return pattern.Read(packed) })
	loadBook    = sync.OnceValues(func() (map[othello.Board]page, error) { return unpack(packedBook) })
	edgeTable   = sync.OnceValue(makeEdges)
)
