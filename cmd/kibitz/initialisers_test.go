package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestInitialisers lists the packages that do much before main, whatever the command: ours
// make no table, pattern or schema before it is asked for, and of others' none joins those
// that are known. Bytes stand for time, which is another one on every machine: 60 kB of
// them took a quarter of a millisecond where a start took 54.
func TestInitialisers(t *testing.T) {
	const own, others = 16_000, 60_000
	known := []string{
		"github.com/danielgtaylor/huma/v2", "github.com/nats-io/nats-server/v2/server",
		"golang.org/x/net/html",
	}
	ofTests := []string{"kibitz/cmd/kibitz", "github.com/google/go-cmp/cmp", "pgregory.net/rapid"}
	cmd := exec.Command(os.Args[0], "-test.run=^$") // which is the program, and its tests
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// init kibitz/hall/web/pages @5.5 ms, 0.13 ms clock, 89872 bytes, 837 allocs
	traced := regexp.MustCompile(`(?m)^init (\S+) @.* clock, (\d+) bytes, (\d+) allocs$`).FindAllStringSubmatch(string(out), -1)
	var large, ours []string
	for _, m := range traced {
		bytes, _ := strconv.Atoi(m[2])
		switch {
		case slices.Contains(ofTests, m[1]):
		case !strings.HasPrefix(m[1], "kibitz/"):
			if bytes > others {
				large = append(large, m[1])
			}
		case bytes > own:
			ours = append(ours, fmt.Sprintf("%s allocates %s bytes in %s pieces", m[1], m[2], m[3]))
		}
	}
	if len(ours) > 0 {
		t.Errorf("before main, whatever the command (sync.OnceValue waits until it is asked):\n%s", strings.Join(ours, "\n"))
	}
	slices.Sort(large)
	if !slices.Equal(large, known) {
		t.Errorf("packages of others with more than %d bytes before main: %q, known are %q", others, large, known)
	}
	if len(traced) < 100 {
		t.Errorf("only %d initialisers are traced", len(traced))
	}
}
