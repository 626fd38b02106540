package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// output runs a command of the program and returns what it prints.
func commandOutput(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	a := newApp()
	a.stdout, a.stderr = &out, &errs
	if status := executeFull(a, args); status != 0 {
		t.Fatalf("kibitz %s: status %d: %s", strings.Join(args, " "), status, errs.String())
	}
	return out.String()
}

// TestManual shows that every command has a page, that each flag stands on it, and
// that troff, where there is one, finds nothing wrong.
func TestManual(t *testing.T) {
	dir := t.TempDir()
	commandOutput(t, "manual", dir)
	for _, tt := range []struct{ page, want string }{
		{"kibitz", ".BR kibitz\\-match (1)\nPlay engines against each other."},
		{"kibitz-match", "\n.B \\-\\-concurrency=1\nGames at a time."},
		{"kibitz-base-import", ".BR kibitz\\-base\\-look (1)"},
		{"kibitz-show", ".I <file>"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, tt.page+".1"))
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(text), tt.want) {
			t.Errorf("%s.1 lacks %q:\n%s", tt.page, tt.want, text)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff here: the pages are not formatted")
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) < 25 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		if out, err := exec.Command(groff, "-man", "-ww", "-z", "-Tutf8", page).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", filepath.Base(page), err, out)
		}
	}
}

// TestCompletion completes in a real bash.
func TestCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	script := commandOutput(t, "completion", "bash")
	for _, tt := range []struct{ line, want string }{
		{"ma", "match"},
		{"base i", "import info"},
		{"base ", "import look search info"},
		{"match --ga", "--game --games"},
		{"base look x --g", "--game"},
		{"show nothing-of-that-na", ""},
	} {
		words := strings.Split("kibitz "+tt.line, " ")
		call := fmt.Sprintf("%s\nCOMP_WORDS=(%s); [ %q = '' ] && COMP_WORDS+=(''); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _kibitz; echo \"${COMPREPLY[*]}\"",
			script, strings.Join(words, " "), words[len(words)-1])
		out, err := exec.Command(bash, "--norc", "-c", call).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != tt.want {
			t.Errorf("%q is completed by %q (%v), want %q", tt.line, got, err, tt.want)
		}
	}
	for _, shell := range []string{"zsh", "fish"} {
		script := commandOutput(t, "completion", shell)
		if !strings.Contains(script, "match") || !strings.Contains(script, "concurrency") {
			t.Errorf("%s: the script knows neither match nor --concurrency:\n%s", shell, script)
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		file := filepath.Join(t.TempDir(), shell)
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(path, "-n", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}

// TestOverview: kibitz alone says what to do next: three examples, and commands by who needs
// them, without those of maintainers. Completion and manual pages agree with it.
func TestOverview(t *testing.T) {
	var out bytes.Buffer
	a := newApp()
	a.stdout = &out
	if status := executeFull(a, nil); status != 0 {
		t.Errorf("status %d", status)
	}
	text := out.String()
	if n := strings.Count(text, "\n    kibitz "); n != 3 {
		t.Errorf("%d examples", n)
	}
	rest := text
	for _, want := range []string{
		"\nPlay:\n  play ", "\nLet engines play:\n  match ", "\nWrite an engine:\n  check ", "\nLook at games:\n  show ",
		"\nOpen a hall (the server):\n  serve ", "\nThis program:\n  version ",
	} {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("%q does not follow in\n%s", want, text)
		}
		rest = after
	}
	dir := t.TempDir()
	commandOutput(t, "manual", dir)
	completion := commandOutput(t, "completion", "bash")
	for _, tool := range []string{"perft", "manual", "completion"} {
		if _, err := os.Stat(filepath.Join(dir, "kibitz-"+tool+".1")); err == nil || strings.Contains(text, "\n  "+tool+" ") ||
			strings.Contains(completion, `"`+tool+` "*)`) {
			t.Errorf("%s, a tool of maintainers, is shown", tool)
		}
	}
}
