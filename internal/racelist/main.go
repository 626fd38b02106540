// Command racelist prints the packages of the module whose tests have anything that the
// race detector could find: those that start goroutines, themselves or in their tests, or
// that use what calls back from goroutines of its own (servers, child processes,
// databases). Below the folders in which packages hand what is theirs to goroutines of
// others (handing), those count too that use a package of the module that does so. The
// tests of all other packages run in one goroutine, or use as a whole what starts some, and
// what others do with them at the same time is seen by the tests of those.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	list, err := read("kibitz/...")
	if err == nil {
		err = show(os.Stdout, list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "racelist:", err)
		os.Exit(1)
	}
}

// pkg is what is known of a package: what it imports within the module, and whether it
// starts goroutines, without its tests and in them.
type pkg struct {
	Path               string
	Uses, TestUses     []string
	Starts, TestStarts bool
	HasTests           bool
}

// read asks the go command for the packages that a pattern names.
func read(pattern string) ([]*pkg, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports", pattern)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var list []*pkg
	for dec := json.NewDecoder(out); ; {
		var l struct {
			ImportPath, Dir                    string
			GoFiles, TestGoFiles, XTestGoFiles []string
			Imports, TestImports, XTestImports []string
		}
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		tests := slices.Concat(l.TestGoFiles, l.XTestGoFiles)
		p := &pkg{Path: l.ImportPath, Uses: l.Imports, TestUses: slices.Concat(l.TestImports, l.XTestImports), HasTests: len(tests) > 0}
		if p.Starts, err = anyOf(l.Dir, l.GoFiles); err != nil {
			return nil, err
		}
		if p.TestStarts, err = anyOf(l.Dir, tests); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, cmd.Wait()
}

// anyOf reports whether one of the files starts goroutines.
func anyOf(dir string, files []string) (bool, error) {
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return false, err
		}
		if starts(f) {
			return true, nil
		}
	}
	return false, nil
}

// starts reports whether a file starts goroutines: by a go statement, a group, a timer, or
// as a test that runs beside others.
func starts(f *ast.File) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr:
			found = found || slices.Contains([]string{"Go", "AfterFunc", "Parallel", "RunParallel"}, n.Sel.Name)
		}
		return !found
	})
	return found
}

// callers call back from goroutines of their own.
var callers = []string{"net", "net/http", "net/http/httptest", "os/exec", "os/signal", "database/sql", "testing/synctest"}

// handing are the folders whose packages hand what is theirs to goroutines of others.
var handing = []string{"hall", "journal", "link", "match", "player", "protocol", "run", "tournament"}

// hands reports whether a package lies below one of these folders.
func hands(path string) bool {
	_, below, _ := strings.Cut(path, "/")
	top, _, _ := strings.Cut(below, "/")
	return slices.Contains(handing, top)
}

// callsBack reports whether a package from elsewhere calls back.
func callsBack(path string) bool {
	return slices.Contains(callers, path) || strings.Contains(path, "nats") || strings.Contains(path, "testscript")
}

// show prints the packages that the race detector is for.
func show(w io.Writer, list []*pkg) error {
	known := map[string]*pkg{}
	for _, p := range list {
		known[p.Path] = p
	}
	memo := map[string]bool{}
	var concurrent func(path string) bool
	concurrent = func(path string) bool {
		p := known[path]
		if p == nil {
			return callsBack(path)
		}
		v, done := memo[path]
		if !done {
			memo[path] = false // import cycles do not exist
			v = p.Starts || slices.ContainsFunc(p.Uses, concurrent)
			memo[path] = v
		}
		return v
	}
	for _, p := range list {
		uses := callsBack
		if hands(p.Path) {
			uses = concurrent
		}
		if p.HasTests && (p.Starts || p.TestStarts || slices.ContainsFunc(slices.Concat(p.Uses, p.TestUses), uses)) {
			if _, err := fmt.Fprintln(w, p.Path); err != nil {
				return err
			}
		}
	}
	return nil
}
