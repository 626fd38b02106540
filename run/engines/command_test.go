package engines

import (
	"slices"
	"testing"
)

func TestSplitCommand(t *testing.T) {
	for text, want := range map[string][]string{
		`./mine -t 2`:                   {"./mine", "-t", "2"},
		`'my engine' "a b" c\ d`:        {"my engine", "a b", "c d"},
		`C:\engines\mine.exe -t 2`:      {`C:\engines\mine.exe`, "-t", "2"},
		`"C:\my engines\mine.exe" x`:    {`C:\my engines\mine.exe`, "x"},
		`'C:\my engines\mine.exe' a\ b`: {`C:\my engines\mine.exe`, "a b"},
	} {
		if got, err := SplitCommand(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}
