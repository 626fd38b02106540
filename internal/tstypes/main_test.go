package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The committed types are those of the sources.
func TestCurrent(t *testing.T) {
	want, err := made("../..")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../hall/web/src/wire.ts")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("hall/web/src/wire.ts is not what the Go types say (%v): go generate ./game/wire", err)
	}
}

// What JSON may leave out is optional, what it may write as null is that, and named strings are
// the unions of their constants.
func TestForms(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a/a.go", `package a

import (
	"time"

	"kibitz/b"
)

// Top is the root.
type Top struct {
	base
	Must   *int              `+"`json:\"must\"`"+`
	May    *b.Other          `+"`json:\"may,omitempty\"`"+` // or not
	List   []*b.Other        `+"`json:\"list\"`"+`
	Two    [2]*b.Other       `+"`json:\"two,omitzero\"`"+`
	At     time.Time         `+"`json:\"at,omitzero\"`"+`
	Kind   b.Kind            `+"`json:\"kind\"`"+`
	Word   string            `+"`json:\"word\" enum:\"x,y\" doc:\"one of two\"`"+`
	Open   b.Open            `+"`json:\"open\"`"+`
	Many   *[]string         `+"`json:\"many,omitempty\"`"+`
	Table  map[string]b.Kind `+"`json:\"table\"`"+`
	Hidden chan int          `+"`json:\"-\"`"+`
}

type base struct {
	Own bool `+"`json:\"own,omitempty\"`"+`
}
`)
	write("b/b.go", `package b

type Other struct{}

type Open string

type Kind string

const (
	Red  Kind = "red"
	Blue Kind = "blue"
)
`)
	got, err := typesOf(folder, []root{{"a", "Top", "Top"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"export type Kind = 'red' | 'blue'\n", "/** Top is the root. */\nexport interface Top extends base {\n",
		"  readonly must: number | null\n", "  /** or not */\n  readonly may?: Other\n", "  readonly list: readonly Other[]\n",
		"  readonly two?: readonly [Other | null, Other | null]\n", "  readonly at?: string\n", "  readonly kind: Kind\n",
		"  /** one of two */\n  readonly word: 'x' | 'y'\n", "  readonly open: string\n", "  readonly many?: readonly string[]\n",
		"  readonly table: Readonly<Record<string, Kind>>\n", "export interface base {\n  readonly own?: boolean\n}",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("lacks %q", want)
		}
	}
	if strings.Contains(string(got), "Hidden") {
		t.Error("a field that is not written is among the types")
	}
	write("a/c.go", "package a\n\ntype Bad struct {\n\tF func() `json:\"f\"`\n}\n")
	if _, err := typesOf(folder, []root{{"a", "Bad", "Bad"}}); err == nil || !strings.Contains(err.Error(), "a.Bad") {
		t.Errorf("a function is a type: %v", err)
	}
	if _, err := typesOf(folder, []root{{"a", "None", "None"}}); err == nil {
		t.Error("a type that is not there was found")
	}
}
