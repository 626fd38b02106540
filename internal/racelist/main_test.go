package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func TestStarts(t *testing.T) {
	for text, want := range map[string]bool{
		"go f()":                          true,
		"var wg sync.WaitGroup; wg.Go(f)": true,
		"time.AfterFunc(1, f)":            true,
		"t.Parallel()":                    true,
		"f(); x.Stop(); <-c":              false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nfunc g() {\n"+text+"\n}\n", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if starts(f) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// A package is named if it, its tests, or what they use within the module starts
// goroutines; what has no tests is not.
func TestShow(t *testing.T) {
	list := []*pkg{
		{Path: "kibitz/plain", Uses: []string{"strings"}, HasTests: true},
		{Path: "kibitz/own", Starts: true, HasTests: true},
		{Path: "kibitz/tests", TestStarts: true, HasTests: true},
		{Path: "kibitz/far", Uses: []string{"kibitz/near"}, HasTests: true},
		{Path: "kibitz/near", Uses: []string{"kibitz/own"}},
		{Path: "kibitz/served", TestUses: []string{"net/http/httptest"}, HasTests: true},
		{Path: "kibitz/used", TestUses: []string{"kibitz/plain"}, HasTests: true},
		{Path: "kibitz/beside", TestUses: []string{"kibitz/tests"}, HasTests: true},
	}
	var b bytes.Buffer
	if err := show(&b, list); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(b.String()), " "); got != "kibitz/own kibitz/tests kibitz/far kibitz/served" {
		t.Errorf("named: %s", got)
	}
}
