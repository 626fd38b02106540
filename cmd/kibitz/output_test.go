package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What strangers wrote into records does nothing to a terminal, however it is cut into
// writes; our own colours pass.
func TestHarmless(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"plain, 黑 ♞\tand\nmore", "plain, 黑 ♞\tand\nmore"},
		{"\x1b[1;36mours\x1b[0m", "\x1b[1;36mours\x1b[0m"},
		{"\x1b]52;c;aGk=\x07", "�]52;c;aGk=�"},
		{"\x1b[2J\x1b[H", "�[2J�[H"},
		{"\u009b2J\x9b2J", "�2J�2J"},
		{"over\rwritten\r\n", "overwritten\n"},
		{"\x1b[1;2;3;4m!", "\x1b[1;2;3;4m!"},
		{"\x00\x7f", "��"},
	} {
		for cut := range len(tt.in) {
			var b bytes.Buffer
			o := &output{Writer: &b, plain: true}
			for _, part := range []string{tt.in[:cut], tt.in[cut:]} {
				if n, err := o.Write([]byte(part)); n != len(part) || err != nil {
					t.Fatal(n, err)
				}
			}
			if b.String() != tt.want {
				t.Errorf("%q cut at %d: %q, want %q", tt.in, cut, b.String(), tt.want)
			}
		}
	}
}

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
		a.stdout, a.stderr = &output{Writer: &out}, &errs
		if status := run(a, args); status > 1 || strings.Contains(out.String()+errs.String(), "\x1b") {
			t.Errorf("%q: status %d: %q %q", args, status, out.String(), errs.String())
		}
		if args[0] == "show" && !strings.Contains(out.String(), "A�cB") {
			t.Errorf("%q: %q", args, out.String())
		}
	}
}
