package deptest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestModulePath gives a copy another path of its module, builds a program of a second module
// that imports a public package, and finds no file that names the old path.
func TestModulePath(t *testing.T) {
	if testing.Short() {
		t.Skip("packages are built under another path")
	}
	list, err := exec.Command("git", "-C", "../..", "ls-files", "-z", "--", "*.go", "*.mod", "*.sum", ".golangci.yml", "hall/web/package.json",
		"scripts/module-path").Output()
	if err != nil {
		t.Skip("not a git repository")
	}
	dir := t.TempDir()
	copied := filepath.Join(dir, "copy")
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			continue // deleted and not committed yet
		}
		to := filepath.Join(copied, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run := func(in, name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = in
		c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	if out, err := exec.Command(filepath.Join(copied, "scripts/module-path"), "kibitz2").CombinedOutput(); err == nil {
		t.Errorf("a path without a host was taken: %s", out)
	}
	run(copied, filepath.Join(copied, "scripts/module-path"), "example.org/kibitz")
	out, _ := exec.Command("grep", "-rnE", `"kibitz/[a-z]|^module kibitz|^replace kibitz|[[:space:]]kibitz v0`, "--include=*.go", "--include=*.mod", copied).Output()
	if len(out) > 0 {
		t.Errorf("the old path is still there:\n%.2000s", out)
	}

	second := filepath.Join(dir, "second")
	if err := os.Mkdir(second, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"go.mod": "module example.net/second\n\ngo 1.26.0\n\nrequire example.org/kibitz v0.0.0\n\nreplace example.org/kibitz => ../copy\n",
		"main.go": `package main

import (
	"fmt"

	"example.org/kibitz/games/breakthrough"
	"example.org/kibitz/rules"
)

func main() {
	r, err := rules.Open([]rules.Game{breakthrough.Game()}, "breakthrough")
	if err != nil {
		panic(err)
	}
	fmt.Println(len(r.New().Legal(nil)), "moves")
}
`,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(second, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := run(second, "go", "run", "."); got != "22 moves\n" {
		t.Errorf("a program of a second module prints %q", got)
	}
}
