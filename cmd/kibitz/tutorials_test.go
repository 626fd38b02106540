package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// varies is what differs from run to run on a page: times, sizes, processor and folders, the
// blanks that columns have for them, and how much is too fast to be checked. What belated finds
// is told on a busy machine alone.
var (
	varies = regexp.MustCompile(`(?:\d+m)?[\d.]+(?:µs|ms|s|m| MB)\b|\b\d{4}-\d\d-\d\d[ T][\d:]+|\b\d+\.\d{6}\b|/\d\.\d\d\b|` +
		`\b\d+ (?:pass|skipped)\b|hint: \S+|[ \t]+`)
	belated = regexp.MustCompile(`; the referee was \S+ late, on no clock`)
)

// TestTutorials runs the tutorials as they stand on their pages: each command of a block
// "console" prints what stands below it, and a file that the page says to save is saved. What
// stands behind "your move>" is typed. With -update what is printed is written to the page.
func TestTutorials(t *testing.T) {
	if testing.Short() {
		t.Skip("four tutorials are played through")
	}
	t.Parallel()
	pages, err := filepath.Glob("../../docs/tutorials/*.md")
	if err != nil || len(pages) < 4 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			t.Cleanup(func() { awaitHall(t, dir) })
			for _, name := range []string{"examples", "go.mod", "go.sum"} {
				if err := os.Symlink(filepath.Join(root, name), filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
			blocks, n := strings.Split(string(data), "\n```"), 0
			for i := 1; i < len(blocks); i += 2 {
				kind, text, _ := strings.Cut(blocks[i], "\n")
				saved := regexp.MustCompile("Save this as `([a-z.]+)`:\\s*$").FindStringSubmatch(blocks[i-1])
				if saved != nil {
					if err := os.WriteFile(filepath.Join(dir, saved[1]), []byte(text+"\n"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if kind != "console" {
					continue
				}
				n++
				blocks[i] = kind + tutorialBlock(t, root, dir, text)
			}
			if n < 3 {
				t.Errorf("%d blocks of commands: the page shows little", n)
			}
			if *update {
				if err := os.WriteFile(page, []byte(strings.Join(blocks, "\n```")), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

var (
	ownPrompt  = regexp.MustCompile(`(?m)^your move[^>\n]*> `)
	ownTyped   = regexp.MustCompile(`(?m)^your move[^>\n]*> (.+)$`)
	goCommands = regexp.MustCompile(`^go build `)
)

// tutorialBlock runs the commands of a block, one after the other, and returns it as it should be.
func tutorialBlock(t *testing.T, root, dir, text string) string {
	t.Helper()
	var out strings.Builder
	port := "8931"
	for _, part := range strings.Split("\n"+text, "\n$ ")[1:] {
		line, want, _ := strings.Cut(part, "\n")
		run := line
		if strings.Contains(text, port) {
			run = strings.ReplaceAll(line, ":"+port, ":"+freePort(t, dir))
		}
		run = strings.Replace(run, "--retry 30 ", "--retry 300 ", 1) // a busy machine takes its time to begin
		c := exec.Command("sh", "-c", run)
		c.Dir = dir
		if goCommands.MatchString(line) {
			c.Dir = root // packages are not built through links
			c.Args[2] = strings.Replace(run, "-o my-engine", "-o "+filepath.Join(dir, "my-engine"), 1)
		}
		var typed []string
		for _, m := range ownTyped.FindAllStringSubmatch(want, -1) {
			typed = append(typed, m[1])
		}
		c.Stdin = strings.NewReader(strings.Join(typed, "\n") + "\n")
		printed, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", line, err, printed)
		}
		got := strings.ReplaceAll(strings.TrimRight(string(printed), "\n"), dir+"/", "/home/you/")
		got = ownPrompt.ReplaceAllStringFunc(got, func(prompt string) string {
			if len(typed) == 0 {
				return prompt
			}
			prompt += typed[0] + "\n"
			typed = typed[1:]
			return prompt
		})
		even := func(s string) string {
			return strings.TrimSpace(varies.ReplaceAllString(belated.ReplaceAllString(s, ""), " "))
		}
		if even(got) != even(want) && !*update {
			t.Errorf("%s prints\n%s\nwant\n%s", line, got, want)
		}
		fmt.Fprintf(&out, "\n$ %s", line)
		if got != "" {
			out.WriteString("\n" + got)
		}
	}
	return out.String()
}

// freePort is the port on which the hall of a page listens here; it is kept in the folder.
func freePort(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(dir, "port")
	if b, err := os.ReadFile(name); err == nil {
		return string(b)
	}
	_, port, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(port), 0o600); err != nil {
		t.Fatal(err)
	}
	return port
}

// awaitHall waits for the hall of a page, if it has one: it was told to end, and writes into the
// folder until it has.
func awaitHall(t *testing.T, dir string) {
	t.Helper()
	pid, err := os.ReadFile(filepath.Join(dir, "hall.pid"))
	if err != nil {
		return
	}
	for range 6000 {
		stat, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") { // nobody need have waited for it
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the hall of the page does not end")
}
