package bus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// DrawRule ends a game as drawn by scores, as match.DrawRule; without a Count there is none.
type DrawRule struct {
	FromMove int     `json:"move,omitempty"`
	Count    int     `json:"count"`
	Score    float64 `json:"score"`
}

// UnmarshalJSON reads an object, or text as halls kept it before there were objects:
// "move=40 count=8 score=10".
func (r *DrawRule) UnmarshalJSON(data []byte) error {
	type plain DrawRule
	return unmarshalRule(data, (*plain)(r), func(key string, n float64) bool {
		switch key {
		case "move":
			r.FromMove = int(n)
		case "count":
			r.Count = int(n)
		case "score":
			r.Score = n
		default:
			return false
		}
		return true
	})
}

// ResignRule ends a game as lost by scores, as match.ResignRule; without a Count there is
// none.
type ResignRule struct {
	Count int     `json:"count"`
	Score float64 `json:"score"`
}

// UnmarshalJSON reads an object, or text as halls kept it before there were objects:
// "count=3 score=900".
func (r *ResignRule) UnmarshalJSON(data []byte) error {
	type plain ResignRule
	return unmarshalRule(data, (*plain)(r), func(key string, n float64) bool {
		switch key {
		case "count":
			r.Count = int(n)
		case "score":
			r.Score = n
		default:
			return false
		}
		return true
	})
}

// unmarshalRule reads an object into plain, or calls set with each key=number word of a
// text; set returns false for a key that it does not know.
func unmarshalRule(data []byte, plain any, set func(key string, n float64) bool) error {
	if !bytes.HasPrefix(data, []byte(`"`)) {
		return json.Unmarshal(data, plain)
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	for _, word := range strings.Fields(text) {
		key, value, _ := strings.Cut(word, "=")
		n, err := strconv.ParseFloat(value, 64)
		if err != nil || !set(key, n) {
			return fmt.Errorf("%q is no rule by scores: %q is not key=number", text, word)
		}
	}
	return nil
}
