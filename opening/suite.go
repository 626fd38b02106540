package opening

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/rules"
)

// Balance is the name of the only kind of suite there is.
const Balance = "balanced"

//go:embed suites/*.txt
var suites embed.FS

// Suite is one of the lists of openings that come with the program. Its comment
// says how it was made.
type Suite struct {
	// Name is that of its file without the extension.
	Name string
	// Spec is the game with its options.
	Spec game.Spec
	// Data is a list as ReadList reads it.
	Data []byte
}

// Suites returns all suites in the order of their names.
func Suites() []Suite {
	var out []Suite
	files, err := fs.Glob(suites, "suites/*.txt")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	for _, f := range files {
		data, err := suites.ReadFile(f)
		if err != nil {
			panic(err) // it was listed
		}
		s := Suite{Name: strings.TrimSuffix(path.Base(f), ".txt"), Data: data}
		for line := range bytes.Lines(data) {
			if spec, ok := bytes.CutPrefix(line, []byte("# game: ")); ok {
				s.Spec = game.Spec(bytes.TrimSpace(spec))
				break
			}
		}
		out = append(out, s)
	}
	return out
}

// SuiteFor returns the suite of a kind for a game. Where there is none for exactly
// these rules, it is one whose game, board and rule (of five in a row) are the same;
// the error says which there are and how to get openings without.
func SuiteFor(kind string, r rules.Rules) (Suite, error) {
	if kind != Balance {
		return Suite{}, fmt.Errorf("suite=%s: unknown; there is one for each game, suite=%s", kind, Balance)
	}
	all := Suites()
	spec := r.Spec()
	if i := slices.IndexFunc(all, func(s Suite) bool { return s.Spec == spec }); i >= 0 {
		return all[i], nil
	}
	var have []game.Spec
	for _, s := range all {
		if s.Spec.ID() != spec.ID() {
			continue
		}
		if alike(s.Spec, spec) {
			return s, nil
		}
		have = append(have, s.Spec)
	}
	return Suite{}, &NoSuiteError{spec, have}
}

// NoSuiteError tells that there is no suite for rules, and for which of the game's there are some.
type NoSuiteError struct {
	Spec game.Spec
	Have []game.Spec
}

func (e *NoSuiteError) Error() string {
	have := make([]string, len(e.Have))
	for i, s := range e.Have {
		have[i] = string(s)
	}
	return fmt.Sprintf("no suite for %s: there are some for %s", e.Spec, strings.Join(have, " and "))
}

// alike reports whether two specifications of a game agree in what openings depend
// on most.
func alike(a, b game.Spec) bool {
	for _, key := range []string{"size", "width", "height", "rule", "opening", "continuous"} {
		x, _ := a.Option(key)
		if y, _ := b.Option(key); x != y {
			return false
		}
	}
	return true
}
