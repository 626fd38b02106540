package deptest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// What belongs to the whole process is not changed to hand a value from one part of
// Kibitz to another, and no text of an own error is read to learn what was wrong.
func TestNoProcessState(t *testing.T) {
	allowed := map[string]string{
		"link/guard/world_linux.go": "os.Chdir", // in a process of its own, before the engine is executed
		"cmd/kibitz/usual.go":       readsError, // of kong, which has no type for it
	}
	files := 0
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".." && name != "../..") {
			if d != nil && d.IsDir() && err == nil {
				return filepath.SkipDir
			}
			return err
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		path := strings.TrimPrefix(filepath.ToSlash(name), "../../")
		for _, what := range processState(f) {
			if allowed[path] != what {
				t.Errorf("%s: %s", path, what)
			}
		}
		return nil
	})
	if err != nil || files < 500 {
		t.Fatalf("%d files read: %v", files, err)
	}
}

const readsError = "a regular expression reads the text of an error"

// processState lists what a file does that it must not.
func processState(f *ast.File) (out []string) {
	patterns := map[string]bool{} // variables that hold regular expressions
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 && strings.HasPrefix(called(v.Values[0]), "regexp.") {
			patterns[v.Names[0].Name] = true
		}
		return true
	})
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if x := selector(left); x == "os.Stdout" || x == "os.Stderr" {
					out = append(out, x+" is assigned to")
				}
			}
		case *ast.SelectorExpr:
			if selector(n) == "os.Chdir" {
				out = append(out, "os.Chdir")
			}
		case *ast.CallExpr:
			s, ok := n.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, _ := s.X.(*ast.Ident)
			if x == nil || !patterns[x.Name] && x.Name != "regexp" {
				return true
			}
			for _, arg := range n.Args {
				if strings.HasSuffix(called(arg), ".Error") {
					out = append(out, readsError)
				}
			}
		}
		return true
	})
	return out
}

// selector is a name of a package or a field, such as os.Stdout.
func selector(e ast.Expr) string {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if x, ok := s.X.(*ast.Ident); ok {
		return x.Name + "." + s.Sel.Name
	}
	return "." + s.Sel.Name
}

// called is the function that an expression calls.
func called(e ast.Expr) string {
	if c, ok := e.(*ast.CallExpr); ok {
		return selector(c.Fun)
	}
	return ""
}

func TestProcessState(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "", `package p
var number = regexp.MustCompile("x")
func f(err error) {
	os.Chdir("/")
	os.Stdout, os.Stderr = nil, nil
	number.FindString(err.Error())
	number.FindString("plain")
}`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if got := processState(f); len(got) != 4 {
		t.Errorf("found %q, want four", got)
	}
}
