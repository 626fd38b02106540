package main

import (
	"bufio"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/link/procfs"
)

// TestEngineMemory searches on the large board at the highest level for nearly as long as it is
// given: the program has less than Gomocup's 350 MB resident, whether it is told of them or not,
// and with more threads too.
func TestEngineMemory(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("thinks for seconds")
	}
	for name, info := range map[string]string{
		"told":    "INFO max_memory 367001600\r\n",
		"threads": "INFO max_memory 367001600\r\nINFO thread_num 4\r\n",
		"untold":  "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			searchWithin(t, info, 350<<20)
		})
	}
}

// searchWithin has the engine play against itself for some turns of two seconds, and wants its
// process to have had fewer bytes resident than most.
func searchWithin(t *testing.T, info string, most int64) {
	engine := exec.CommandContext(t.Context(), programAt(t, filepath.Join(t.TempDir(), "kibitz")), "engine", "gomoku", "--level", "9")
	in, err := engine.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := engine.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = engine.Process.Kill(); _ = engine.Wait() }()
	lines := bufio.NewScanner(out)
	// next returns the first line that is no remark.
	next := func() string {
		for lines.Scan() {
			if word, _, _ := strings.Cut(lines.Text(), " "); word != "MESSAGE" && word != "DEBUG" {
				return lines.Text()
			}
		}
		t.Fatal("the engine has ended", lines.Err())
		return ""
	}
	if _, err := fmt.Fprint(in, "START 20\r\nINFO timeout_match 0\r\nINFO timeout_turn 2000\r\nINFO time_left 2147483647\r\n"+info); err != nil {
		t.Fatal(err)
	}
	if said := next(); said != "OK" {
		t.Fatalf("START: %s", said)
	}
	stones := []string{"9,9", "12,8", "8,12", "13,13", "11,5", "6,8"}
	var thought time.Duration
	const turns = 5
	for range turns {
		board := "BOARD\r\n"
		for i, s := range stones {
			board += fmt.Sprintf("%s,%d\r\n", s, 1+(len(stones)-i)%2)
		}
		began := time.Now()
		if _, err := fmt.Fprint(in, board+"DONE\r\n"); err != nil {
			t.Fatal(err)
		}
		stones = append(stones, next())
		thought += time.Since(began)
	}
	had := procfs.Peak(engine.Process.Pid)
	t.Logf("%d MB after %s of thinking: %v", had>>20, thought.Round(time.Millisecond), stones)
	if thought < turns*time.Second/2 {
		t.Errorf("thought for %s in %d turns: no real search", thought, turns)
	}
	if had == 0 || had >= most {
		t.Errorf("%d bytes were resident, of %d", had, most)
	}
}
