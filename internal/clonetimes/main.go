// Command clonetimes gives each file of a clone that is as it was committed a time that is made of
// its content, and each folder one and the same. The go command keeps results of tests by the times of
// the files that they open (go help test): with the times of a new clone it finds none of them.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := set("."); err != nil {
		fmt.Fprintln(os.Stderr, "clonetimes:", err)
		os.Exit(1)
	}
}

// set sets the times below the root of a clone.
func set(root string) error {
	changed, err := list(root, "diff-files", "-z", "--name-only")
	if err != nil {
		return err
	}
	own := map[string]bool{} // what is not as it was committed
	for _, name := range changed {
		own[name] = true
	}
	files, err := list(root, "ls-files", "-z", "--stage")
	if err != nil {
		return err
	}
	folders := map[string]bool{}
	for _, f := range files {
		about, name, ok := strings.Cut(f, "\t") // mode, object, stage
		words := strings.Fields(about)
		if !ok || len(words) != 3 || own[name] {
			continue
		}
		t, err := timeOf(words[1])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		path := filepath.Join(root, name)
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			continue // a link, whose time is that of what it leads to
		}
		if err := os.Chtimes(path, t, t); err != nil {
			return err
		}
		for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
			folders[dir] = true
		}
	}
	for dir := range folders {
		if err := os.Chtimes(filepath.Join(root, dir), first, first); err != nil {
			return err
		}
	}
	return nil
}

// first is the earliest time that a file gets.
var first = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// timeOf is the time of a content, by the name of its object: one of the nanoseconds of 24 years.
func timeOf(object string) (time.Time, error) {
	if len(object) < 16 {
		return time.Time{}, fmt.Errorf("%q names no object", object)
	}
	n, err := strconv.ParseUint(object[:15], 16, 64)
	return first.Add(time.Duration(n % uint64(24*365*24*time.Hour))), err
}

// list is what git says about a clone.
func list(root string, args ...string) ([]string, error) {
	cmd := exec.Command("git", append([]string{"-C", root}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.Split(string(bytes.TrimSuffix(out, []byte{0})), "\x00"), nil
}
