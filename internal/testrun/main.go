// Command testrun runs go test with the flags and packages that it is given, prints
// what failed and one line per package, and ends with "N passed, N failed, N skipped".
//
// If few packages fail, they are run once more with nothing beside them. That is for
// finding out, not for passing: a test that passes then depends on chance or on who is
// quicker. It is named as unsteady, and the run has failed all the same. A data race, a
// panic and what does not build are not run again.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	sum := flag.String("sum", "", "a file for the last line")
	also := flag.String("also", "", "the folder of a second module, kibitz/FOLDER, all of whose packages are tested with the same flags")
	flag.Parse()
	ok, err := run(os.Stdout, *sum, *also, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

func run(out io.Writer, file, also string, args []string) (bool, error) {
	r := newReport(out)
	if err := test(r, ".", args); err != nil {
		return false, err
	}
	if also != "" {
		if err := test(r, also, append(flags(args), "./...")); err != nil {
			return false, err
		}
	}
	if list := r.again(); len(list) > 0 {
		fmt.Fprintf(out, "== once more, alone: %s\n", strings.Join(list, " "))
		r.second()
		for _, dir := range []string{".", also} {
			if own := of(list, dir, also); len(own) > 0 {
				if err := test(r, dir, slices.Concat(flags(args), []string{"-count=1", "-p=1"}, own)); err != nil {
					return false, err
				}
			}
		}
	}
	for _, name := range r.unsteady() {
		fmt.Fprintf(out, "UNSTEADY: %s failed beside the others, see above, and passed alone\n", name)
	}
	line, ok := r.sum()
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

// of leaves those of the packages whose module is in a folder: kibitz/FOLDER, or kibitz
// itself in ".".
func of(packages []string, dir, also string) (list []string) {
	for _, p := range packages {
		if second := also != "" && strings.HasPrefix(p, "kibitz/"+also+"/"); second == (dir != ".") {
			list = append(list, p)
		}
	}
	return list
}

// test runs go test once in a folder. That tests fail is no error: the report knows.
func test(r *report, dir string, args []string) error {
	cmd := exec.Command("go", append([]string{"test", "-C=" + dir, "-json"}, args...)...)
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
