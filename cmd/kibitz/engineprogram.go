package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// findExecutable makes the executable's path absolute, so that an engine finds it
// from whatever directory it runs in.
func (e *engineSpec) findExecutable() error {
	path, err := exec.LookPath(e.Cmd[0])
	if err != nil {
		return fmt.Errorf("engine %q: cannot run %q: %s", e.Text, e.Cmd[0], whyNot(e.Cmd[0], err))
	}
	if strings.EqualFold(filepath.Ext(path), ".zip") {
		return fmt.Errorf("engine %q: archives are not unpacked yet: unpack %q and name the executable", e.Text, path)
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	if err := interpreter(path); err != nil {
		return fmt.Errorf("engine %q: cannot run %q: %w", e.Text, path, err)
	}
	e.Cmd[0] = path
	if e.Dir == "" {
		e.Dir = filepath.Dir(path)
	}
	if e.Dir, err = filepath.Abs(e.Dir); err != nil {
		return err
	}
	if st, err := os.Stat(e.Dir); err != nil || !st.IsDir() {
		return fmt.Errorf("engine %q: dir=%s: there is no such folder", e.Text, e.Dir)
	}
	return nil
}
