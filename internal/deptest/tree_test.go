package deptest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
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
	for file, f := range goFiles(t) {
		for _, what := range processState(f) {
			if allowed[file] != what {
				t.Errorf("%s: %s", file, what)
			}
		}
	}
}

// goFiles reads all files of the tree but tests, by their paths.
func goFiles(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".." {
				return filepath.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		files[strings.TrimPrefix(filepath.ToSlash(name), "../../")] = f
		return err
	})
	if err != nil || len(files) < 500 {
		t.Fatalf("%d files read: %v", len(files), err)
	}
	return files
}

// mostMethods is how many methods a type has at most. One with more is several in one,
// and wants to be divided by what its parts hold and do.
const mostMethods = 40

func TestMethods(t *testing.T) {
	for name, n := range methods(goFiles(t)) {
		if n > mostMethods {
			t.Errorf("%s has %d methods, at most %d are allowed: divide it", name, n, mostMethods)
		}
	}
}

// methods counts the methods of each type, as package.Type. Those of one name in files
// for different systems are one.
func methods(files map[string]*ast.File) map[string]int {
	counts := map[string]int{}
	seen := map[[2]string]bool{}
	for file, f := range files {
		for _, d := range f.Decls {
			m, ok := d.(*ast.FuncDecl)
			if !ok || m.Recv == nil {
				continue
			}
			typ := m.Recv.List[0].Type
			if star, ok := typ.(*ast.StarExpr); ok {
				typ = star.X
			}
			switch generic := typ.(type) {
			case *ast.IndexExpr:
				typ = generic.X
			case *ast.IndexListExpr:
				typ = generic.X
			}
			id, _ := typ.(*ast.Ident)
			name := path.Dir(file) + "." + id.Name
			if key := [2]string{name, m.Name.Name}; !seen[key] {
				seen[key] = true
				counts[name]++
			}
		}
	}
	return counts
}

func TestMethodsCounted(t *testing.T) {
	files := map[string]*ast.File{}
	for name, text := range map[string]string{
		"a/x_linux.go":   "package a\nfunc (c *C) M() {}\nfunc (C) N() {}\nfunc F() {}",
		"a/x_windows.go": "package a\nfunc (c *C) M() {}\nfunc (l *List[T]) N() {}\nfunc (p Pair[K, V]) N() {}",
		"b/x.go":         "package b\nfunc (c C) M() {}",
	} {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = f
	}
	want := map[string]int{"a.C": 2, "a.List": 1, "a.Pair": 1, "b.C": 1}
	if got := methods(files); !maps.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
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
