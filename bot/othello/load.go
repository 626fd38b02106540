package othello

import (
	_ "embed"
	"sync"
	// for the weights
	"kibitz/bot/othello/internal/pattern"
)

//go:embed weights.bin
var packed []byte

// loadWeights and edgeTable make the tables that all engines share when the first
// of them needs them. They are never written afterwards.
var (
	loadWeights = sync.OnceValues(func() (*pattern.Weights, error) { return pattern.Read(packed) })
	edgeTable   = sync.OnceValue(makeEdges)
)
