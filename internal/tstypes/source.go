package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// own is what import paths of this module begin with.
const own = "kibitz/"

type declared struct {
	folder string
	spec   *ast.TypeSpec
	doc    string
	// imports are the folders of this module, or the paths of others, by the names that the
	// file has for them.
	imports map[string]string
}

// source reads packages of the module below a folder, each once.
type source struct {
	top    string
	types  map[string]map[string]*declared
	values map[string]map[string][]string
}

// find returns a type of a package.
func (s *source) find(folder, name string) (*declared, error) {
	if s.types[folder] == nil {
		if err := s.read(folder); err != nil {
			return nil, err
		}
	}
	d := s.types[folder][name]
	if d == nil {
		return nil, fmt.Errorf("%s has no type %s", folder, name)
	}
	return d, nil
}

// constants are the values of a named string, in the order of the source.
func (s *source) constants(d *declared) []string { return s.values[d.folder][d.spec.Name.Name] }

func (s *source) read(folder string) error {
	s.types[folder], s.values[folder] = map[string]*declared{}, map[string][]string{}
	files, err := filepath.Glob(filepath.Join(s.top, folder, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		imports := map[string]string{}
		for _, i := range f.Imports {
			path := strings.TrimPrefix(strings.Trim(i.Path.Value, `"`), own)
			short := path[strings.LastIndex(path, "/")+1:]
			if i.Name != nil {
				short = i.Name.Name
			}
			imports[short] = path
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				s.declare(folder, g, imports)
			}
		}
	}
	return nil
}

func (s *source) declare(folder string, g *ast.GenDecl, imports map[string]string) {
	for _, spec := range g.Specs {
		switch x := spec.(type) {
		case *ast.TypeSpec:
			doc := x.Doc.Text()
			if doc == "" {
				doc = g.Doc.Text()
			}
			s.types[folder][x.Name.Name] = &declared{folder, x, doc, imports}
		case *ast.ValueSpec:
			kind, named := x.Type.(*ast.Ident)
			if g.Tok != token.CONST || !named {
				continue
			}
			for _, v := range x.Values {
				if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					s.values[folder][kind.Name] = append(s.values[folder][kind.Name], strings.Trim(lit.Value, "\"`"))
				}
			}
		}
	}
}
