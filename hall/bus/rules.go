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
	return unmarshalRule(data, (*plain)(r))
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
	return unmarshalRule(data, (*plain)(r))
}

// unmarshalRule reads an object into plain, or the key=number words of a text as such an
// object.
func unmarshalRule(data []byte, plain any) error {
	if !bytes.HasPrefix(data, []byte(`"`)) {
		return json.Unmarshal(data, plain)
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	object := map[string]json.Number{}
	for word := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(word, "=")
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return fmt.Errorf("%q is no rule by scores: %q is not key=number", text, word)
		}
		object[key] = json.Number(strconv.FormatFloat(n, 'f', -1, 64))
	}
	data, err := json.Marshal(object)
	if err != nil {
		return fmt.Errorf("%q is no rule by scores: %w", text, err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(plain); err != nil {
		return fmt.Errorf("%q is no rule by scores: %w", text, err)
	}
	return nil
}
