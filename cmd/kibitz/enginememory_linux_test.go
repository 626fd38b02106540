package main

import (
	"bufio"
	"fmt"
	"os/exec"
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

// searchWithin has the engine think about two positions for a second each, and wants its
// process to have had fewer bytes resident than most.
func searchWithin(t *testing.T, info string, most int64) {
	engine := exec.CommandContext(t.Context(), "kibitz", "engine", "gomoku", "--level", "9")
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
	if _, err := fmt.Fprint(in, "START 20\r\nINFO timeout_match 0\r\nINFO timeout_turn 1000\r\nINFO time_left 2147483647\r\n"+info); err != nil {
		t.Fatal(err)
	}
	if said := next(); said != "OK" {
		t.Fatalf("START: %s", said)
	}
	var thought time.Duration
	const turns = 2
	for shift := range turns {
		began := time.Now()
		board := "BOARD\r\n"
		for i, at := range [][2]int{{9, 9}, {10, 7}, {7, 8}, {8, 11}} {
			board += fmt.Sprintf("%d,%d,%d\r\n", at[0]+shift, at[1]-shift, 1+(i+1)%2)
		}
		if _, err := fmt.Fprint(in, board+"DONE\r\n"); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s after %s", next(), time.Since(began).Round(time.Millisecond))
		thought += time.Since(began)
	}
	had := procfs.Peak(engine.Process.Pid)
	t.Logf("%d MB", had>>20)
	if thought < turns*time.Second/2 {
		t.Errorf("thought for %s in %d turns: no real search", thought, turns)
	}
	if had == 0 || had >= most {
		t.Errorf("%d bytes were resident, of %d", had, most)
	}
}
