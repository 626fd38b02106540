package gogui

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kibitz/internal/wholefile"
	"kibitz/record/sgf"
	"kibitz/run/compat"
)

// readTree reads the first game of a file.
func readTree(name string) (*sgf.Tree, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	trees, err := sgf.Parse(data)
	if len(trees) == 0 {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return trees[0], nil
}

// compareFiles prints which of the files are duplicates of earlier ones.
func compareFiles(env *compat.Env, files []string) error {
	var earlier []*Moves
	for i, name := range files {
		tree, err := readTree(name)
		if err != nil {
			return compat.Fail("-compare: %v", err)
		}
		m := MovesOf(i, tree)
		if i > 0 && m.Size != earlier[0].Size {
			return compat.Fail("-compare: %s: its board is not of the size of the others", name)
		}
		env.Say("%d %s %s", i, name, Duplicate(m, earlier))
		earlier = append(earlier, m)
	}
	return nil
}

// analyzeFile writes what a table says.
func analyzeFile(env *compat.Env, o *Options) error {
	data, err := os.ReadFile(o.Analyze)
	if err != nil {
		return fmt.Errorf("-analyze: %w", err)
	}
	t, err := ParseTable(data)
	if err != nil {
		return fmt.Errorf("-analyze: %s: %w", o.Analyze, err)
	}
	base := o.Analyze
	if ext := filepath.Ext(base); strings.EqualFold(ext, ".dat") {
		base = strings.TrimSuffix(base, ext)
	}
	page, summary := base+".html", base+".summary.dat"
	for _, name := range []string{page, summary} {
		if _, err := os.Stat(name); err == nil && !o.Force {
			return compat.Fail("-analyze: %s exists; -force writes over it", name)
		}
	}
	x := Analyze(t)
	for _, text := range x.Odd {
		env.Warned(text)
	}
	var b bytes.Buffer
	if err := x.WritePage(&b, t, filepath.Base(base)); err != nil {
		return err
	}
	if err := errors.Join(wholefile.Write(page, b.Bytes()), wholefile.Write(summary, x.AppendSummary(nil))); err != nil {
		return compat.Fail("-analyze: %v", err)
	}
	return nil
}
