package bus

// DrawRule ends a game as drawn by scores, as match.DrawRule; without a Count there is none.
type DrawRule struct {
	FromMove int     `json:"move,omitempty"`
	Count    int     `json:"count"`
	Score    float64 `json:"score"`
}

// ResignRule ends a game as lost by scores, as match.ResignRule; without a Count there is
// none.
type ResignRule struct {
	Count int     `json:"count"`
	Score float64 `json:"score"`
}
