package opening_test

import (
	"errors"
	"strings"
	"testing"

	"kibitz/opening"
	"kibitz/record"
)

// TestReadXOT reads lines as such lists have them: bare, in capitals, numbered, with
// evaluations before and behind, named.
func TestReadXOT(t *testing.T) {
	r := open(t, "othello")
	for text, want := range map[string]string{
		"f5d6c4d3c2b3b4b5":              "f5 d6 c4 d3 c2 b3 b4 b5|",
		"F5D6C4D3C2B3B4B5 -1.00 +0.5":   "f5 d6 c4 d3 c2 b3 b4 b5|",
		"17;f5F4g3G6f3G4e3E2;0;-2":      "f5 f4 g3 g6 f3 g4 e3 e2|",
		"0.5|f5d6c3|-0.5":               "f5 d6 c3|",
		"f5d6c3d3\tRose Bill":           "f5 d6 c3 d3|Rose Bill",
		"# 8 plies\n\n f5 d6 c3 ":       "f5 d6 c3|",
		"nothing here":                  "! line 1:1: no column of this line holds squares: write them behind each other, for example f5d6c3d3",
		"f5d6c3\n  1.5 f5d6i3":          "! line 2:3: no column of this line holds squares: write them behind each other, for example f5d6c3d3",
		"f5d6c3\n1.5, f5d6c3d3c4f4h8h7": "! line 2:18: opening, move 7, h8: h8 flips nothing",
	} {
		var got opening.Opening
		err := opening.ReadXOT([]byte(text), func(g *record.Game) (err error) {
			got, err = opening.From(g, r, 0)
			return err
		})
		if bad, ok := strings.CutPrefix(want, "! "); ok {
			if _, ok := errors.AsType[*record.Error](err); !ok || err.Error() != bad {
				t.Errorf("%q: error %v, want %s", text, err, bad)
			}
			continue
		}
		if have := moves(&got, r) + "|" + got.Name; err != nil || have != want {
			t.Errorf("%q: %q, %v, want %q", text, have, err, want)
		}
	}
	for line, want := range map[string]bool{
		"f5d6c4d3c2b3b4b5 0.5": true, "3, f5d6c4d3c2b3b4b5": true, "f5d6c4d3c2b3b4b5": false, "76": false, "1. f5 d6 2. c3": false,
	} {
		if opening.LooksXOT(line) != want {
			t.Errorf("LooksXOT(%q) is %v", line, !want)
		}
	}
}

func FuzzReadXOT(f *testing.F) {
	f.Add("F5D6C4 -1.00\n2;d3c3 name")
	f.Fuzz(func(t *testing.T, text string) {
		err := opening.ReadXOT([]byte(text), func(g *record.Game) error {
			if len(g.Steps) == 0 || g.Line < 1 {
				t.Errorf("%+v", g)
			}
			return nil
		})
		var at *record.Error
		if err != nil && (!errors.As(err, &at) || at.Line < 1 || at.Column < 1) {
			t.Errorf("error %v without its place", err)
		}
	})
}
