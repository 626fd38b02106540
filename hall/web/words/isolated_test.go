package words

import "testing"

// A name in a sentence does not turn the sentence, whatever it is made of; others stay as
// they are.
func TestIsolated(t *testing.T) {
	for text, want := range map[string]string{
		"ann":            "ann",
		"王小明":            "王小明",
		"Łukasz":         "Łukasz",
		"\u05d3\u05df":   "\u2068\u05d3\u05df\u2069",
		"a\u202eb":       "\u2068ab\u2069",
		"a\u2069b\u202e": "\u2068ab\u2069",
		"x\u200fy":       "\u2068x\u200fy\u2069",
	} {
		if got := Isolated(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
