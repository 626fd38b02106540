// Command testcount reads the output of go test -json, prints what failed and one
// line per package, and ends with "N passed, N failed, N skipped".
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
)

type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

func main() {
	count := flag.Bool("count", false, "print only the last line")
	flag.Parse()
	outputs := map[string]*strings.Builder{}
	passed, failed, skipped, broken := 0, 0, 0, 0
	sc := bufio.NewScanner(os.Stdin)
	sc.Buffer(make([]byte, 1<<20), 1<<24)
	for sc.Scan() {
		var e event
		if json.Unmarshal(sc.Bytes(), &e) != nil {
			if !*count {
				fmt.Println(sc.Text())
			}
			continue
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			b := outputs[key]
			if b == nil {
				b = &strings.Builder{}
				outputs[key] = b
			}
			if b.Len() < 1<<16 {
				b.WriteString(e.Output)
			}
			continue
		case "pass", "fail", "skip", "build-fail":
		default:
			continue
		}
		if e.Test != "" {
			switch e.Action {
			case "pass":
				passed++
			case "fail":
				failed++
			case "skip":
				skipped++
			}
		}
		if *count {
			continue
		}
		text := ""
		if b := outputs[key]; b != nil {
			text = b.String()
		}
		switch {
		case e.Action == "fail" || e.Action == "build-fail":
			if e.Test == "" {
				broken++
			}
			fmt.Printf("--- %s\n%s", key, text)
		case e.Action == "skip" && e.Test != "":
			fmt.Printf("skipped %s: %s\n", key, lastLine(text))
		case e.Test == "" && e.Action == "pass":
			fmt.Printf("ok %-40s %6.1fs\n", e.Package, e.Elapsed)
		}
		delete(outputs, key)
	}
	fmt.Printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped)
	if failed+broken > 0 {
		os.Exit(1)
	}
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if l := strings.TrimSpace(lines[i]); l != "" && !strings.HasPrefix(l, "--- SKIP") {
			return l
		}
	}
	return ""
}
