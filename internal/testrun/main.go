// Command testrun runs go test with the flags and packages that it is given, prints
// what failed and one line per package, and ends with "N passed, N failed, N skipped".
//
// The tests play real engines, browsers, databases and clusters on a machine that may be
// busy. If few packages fail, they are run once more with nothing beside them; what then
// passes is named as unsteady and does not fail the run. A data race, a panic and what
// does not build always do.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

func main() {
	sum := flag.String("sum", "", "a file for the last line")
	flag.Parse()
	ok, err := run(os.Stdout, *sum, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

func run(out io.Writer, file string, args []string) (bool, error) {
	r := newReport(out)
	if err := test(r, args); err != nil {
		return false, err
	}
	unsteady := r.again()
	if len(unsteady) > 0 {
		fmt.Fprintf(out, "== once more, alone: %s\n", strings.Join(unsteady, " "))
		if err := test(r, append(append([]string{"-count=1", "-p=1"}, flags(args)...), unsteady...)); err != nil {
			return false, err
		}
	}
	line, ok := r.sum()
	if ok && len(unsteady) > 0 {
		fmt.Fprintf(out, "UNSTEADY: failed beside the others and passed alone, see above: %s\n", strings.Join(unsteady, " "))
	}
	fmt.Fprintln(out, line)
	if file != "" {
		if err := os.WriteFile(file, []byte(line+"\n"), 0o644); err != nil {
			return false, err
		}
	}
	return ok, nil
}

// flags leaves those of the arguments that are flags, which are written -NAME=VALUE.
func flags(args []string) (list []string) {
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			list = append(list, a)
		}
	}
	return list
}

// test runs go test once. That tests fail is no error: the report knows.
func test(r *report, args []string) error {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	failed := r.read(out)
	err = cmd.Wait()
	if failed != nil {
		return failed
	}
	if err != nil && r.built && len(r.failing()) == 0 {
		return fmt.Errorf("go test ended with %w though no test failed", err)
	}
	return nil
}
