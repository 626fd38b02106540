package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v: %s", args[0], err, out)
	}
}

func timesOf(t *testing.T, dir string, names ...string) (list []time.Time) {
	t.Helper()
	for _, name := range names {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, info.ModTime())
	}
	return list
}

// Two clones of one commit have the same times; what somebody has changed keeps its own.
func TestTimes(t *testing.T) {
	made := t.TempDir()
	if err := os.Mkdir(filepath.Join(made, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a": "one", "sub/b": "two", "sub/same": "one"} {
		if err := os.WriteFile(filepath.Join(made, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git(t, made, "init", "-q")
	git(t, made, "add", ".")
	git(t, made, "commit", "-q", "-m", "a")
	clone := t.TempDir()
	git(t, made, "clone", "-q", made, clone)
	for _, dir := range []string{made, clone} {
		if err := set(dir); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"a", "sub/b", "sub/same", "sub"}
	one, two := timesOf(t, made, names...), timesOf(t, clone, names...)
	for i, name := range names {
		if !one[i].Equal(two[i]) {
			t.Errorf("%s: %v and %v", name, one[i], two[i])
		}
	}
	if one[0].Equal(one[1]) || !one[0].Equal(one[2]) || one[0].After(time.Now().Add(-24*time.Hour)) {
		t.Errorf("times: %v", one)
	}
	if err := os.WriteFile(filepath.Join(clone, "a"), []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	now := timesOf(t, clone, "a")[0]
	if err := set(clone); err != nil {
		t.Fatal(err)
	}
	if got := timesOf(t, clone, "a")[0]; !got.Equal(now) {
		t.Errorf("what was changed at %v is of %v", now, got)
	}
}
