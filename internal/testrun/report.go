package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// event is one line of go test -json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// tally is what the tests of one package came to.
type tally struct {
	passed, failed, skipped int
	broken                  bool     // the package as a whole failed
	final                   bool     // and for a reason that a second run tells nothing about
	names                   []string // of the tests that failed, those alone that hold no other
}

// report is what one run of go test, or several of them, came to.
type report struct {
	out      io.Writer
	packages map[string]*tally
	outputs  map[string]*strings.Builder
	built    bool // everything was built
	// first is what failed before the second run, nil without one.
	first map[string]*tally
}

func newReport(out io.Writer) *report {
	return &report{out: out, packages: map[string]*tally{}, outputs: map[string]*strings.Builder{}, built: true}
}

// read takes in the output of one run, and prints what failed, what was skipped and a
// line for each package. What is known of a package gives way to what it does now.
func (r *report) read(in io.Reader) error {
	now := map[string]*tally{}
	sc := bufio.NewScanner(in)
	sc.Buffer(make([]byte, 1<<20), 1<<24)
	for sc.Scan() {
		var e event
		if json.Unmarshal(sc.Bytes(), &e) != nil {
			fmt.Fprintln(r.out, sc.Text())
			continue
		}
		if e.Action == "build-fail" {
			r.built = false
			fmt.Fprintf(r.out, "--- %s\n%s", e.Package, r.said(e))
			continue
		}
		p := now[e.Package]
		if p == nil {
			p = &tally{}
			now[e.Package] = p
		}
		r.take(e, p)
	}
	maps.Copy(r.packages, now)
	return sc.Err()
}

// take counts one event of a package.
func (r *report) take(e event, p *tally) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		b := r.outputs[key]
		if b == nil {
			b = &strings.Builder{}
			r.outputs[key] = b
		}
		if b.Len() < 1<<16 {
			b.WriteString(e.Output)
		}
		if excuseless(e.Output) {
			p.final = true
		}
		return
	case "pass":
		if e.Test != "" {
			p.passed++
		} else {
			fmt.Fprintf(r.out, "ok %-40s %6.1fs\n", e.Package, e.Elapsed)
		}
	case "fail":
		if e.Test != "" {
			p.failed++
			if n := len(p.names); n == 0 || !strings.HasPrefix(p.names[n-1], e.Test+"/") {
				p.names = append(p.names, e.Test)
			}
		} else {
			p.broken = true
			r.unfinished(e.Package)
		}
		fmt.Fprintf(r.out, "--- %s\n%s", key, r.said(e))
	case "skip":
		if e.Test != "" {
			p.skipped++
			fmt.Fprintf(r.out, "skipped %s: %s\n", key, lastLine(r.said(e)))
		}
	default:
		return
	}
	delete(r.outputs, key)
}

// unfinished prints what those tests said that a package has begun and not ended when it
// fails as a whole, as it does after a panic or at the bound of its time. Which of them
// got to write the panic is chance.
func (r *report) unfinished(name string) {
	for _, key := range slices.Sorted(maps.Keys(r.outputs)) {
		if test, ok := strings.CutPrefix(key, name+" "); ok && test != "" {
			fmt.Fprintf(r.out, "--- %s was not finished\n%s", key, r.outputs[key])
			delete(r.outputs, key)
		}
	}
}

func (r *report) said(e event) string {
	if b := r.outputs[e.Package+" "+e.Test]; b != nil {
		return b.String()
	}
	return ""
}

// excuseless reports whether a line of output tells of a fault that stays one however
// often the next run passes: a data race, a panic, a test without end.
func excuseless(line string) bool {
	return strings.Contains(line, "WARNING: DATA RACE") || strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}

// failing lists the packages that failed, in order.
func (r *report) failing() (list []string) {
	for name, p := range r.packages {
		if p.broken || p.failed > 0 {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// mostAgain is of how many packages a failure may be chance.
const mostAgain = 3

// again lists the packages to run a second time: all that failed, if these are few and
// what failed may have been a matter of time.
func (r *report) again() []string {
	list := r.failing()
	if !r.built || len(list) > mostAgain || slices.ContainsFunc(list, func(name string) bool { return r.packages[name].final }) {
		return nil
	}
	return list
}

// second tells that what comes is the second run.
func (r *report) second() {
	r.first = map[string]*tally{}
	for _, name := range r.failing() {
		r.first[name] = r.packages[name]
	}
}

// unsteady lists what failed first and passed in the second run: tests, or the package
// where none of its tests did.
func (r *report) unsteady() (list []string) {
	for name, p := range r.first {
		now := r.packages[name]
		for _, test := range p.names {
			if !slices.Contains(now.names, test) {
				list = append(list, name+" "+test)
			}
		}
		if len(p.names) == 0 && !now.broken {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// sum is "N passed, N failed, N skipped", and whether nothing failed, not even at first.
func (r *report) sum() (line string, ok bool) {
	var all tally
	for _, p := range r.packages {
		all.passed += p.passed
		all.failed += p.failed
		all.skipped += p.skipped
	}
	return fmt.Sprintf("%d passed, %d failed, %d skipped", all.passed, all.failed, all.skipped), r.built && len(r.failing())+len(r.first) == 0
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
