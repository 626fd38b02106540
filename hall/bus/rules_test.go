package bus

import (
	"encoding/json"
	"reflect"
	"testing"
)

// Rules by scores are read as they are written, and as the text of flags that they were.
func TestRulesByScores(t *testing.T) {
	want := Rules{NoDraw: true, Draw: DrawRule{40, 8, 10}, Resign: ResignRule{3, 0.9}}
	now, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		string(now),
		`{"noDraw":true,"draw":"move=40 count=8 score=10","resign":"count=3 score=0.9"}`,
		`{"noDraw":true,"draw":" score=10  count=8 move=40","resign":"score=0.9 count=3"}`,
	} {
		var got Rules
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{`{"draw":"","resign":""}`, `{"draw":null}`, `{}`} {
		var got Rules
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, Rules{}) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{`{"draw":"move"}`, `{"draw":"move=x"}`, `{"draw":"turns=3"}`, `{"resign":"move=3"}`, `{"resign":3}`} {
		var got Rules
		if err := json.Unmarshal([]byte(text), &got); err == nil {
			t.Errorf("%s: read as %+v", text, got)
		}
	}
}
