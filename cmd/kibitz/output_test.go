package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/term"
)

// The commands that show what stands in records are such.
func TestNamesOfStrangers(t *testing.T) {
	dir := t.TempDir()
	file, base := filepath.Join(dir, "bad.ggf"), filepath.Join(dir, "bad.base")
	text := "(;GM[Othello]PC[x]DT[2001]PB[A\x1bcB]PW[W]RE[?]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[d3]W[c3];)\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"show", file}, {"verify", file}, {"base", "import", base, file}, {"base", "search", base}, {"base", "look", base}, {"base", "info", base}} {
		var out, errs bytes.Buffer
		a := quietApp(t.Context())
		a.stdout, a.stderr = &term.Output{Writer: &out}, &errs
		if status := executeFull(a, args); status > 1 || strings.Contains(out.String()+errs.String(), "\x1b") {
			t.Errorf("%q: status %d: %q %q", args, status, out.String(), errs.String())
		}
		if args[0] == "show" && !strings.Contains(out.String(), "A�cB") {
			t.Errorf("%q: %q", args, out.String())
		}
	}
}
