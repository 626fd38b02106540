package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"kibitz/internal/owntemp"
)

// A worker that was killed leaves its temporary folder, and the next one removes it; those
// of workers that live, and what is no worker's, stay.
func TestTempOfKilledWorker(t *testing.T) {
	temp := t.TempDir()
	folders := func() []string {
		list, err := filepath.Glob(filepath.Join(temp, owntemp.Prefix+"*", "kibitz-programs-*"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			list[i] = filepath.Dir(list[i])
		}
		return list
	}
	begin := func() (folder string, w *exec.Cmd) {
		t.Helper()
		was := folders()
		w = exec.CommandContext(t.Context(), "kibitz", "worker", "--nats", "nats://127.0.0.1:1", "--slots", "1")
		w.Env = append(os.Environ(), "TMPDIR="+temp)
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Process.Kill(); _ = w.Wait() })
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			for _, dir := range folders() {
				if !slices.Contains(was, dir) {
					return dir, w
				}
			}
		}
		t.Fatal("a worker makes no folder")
		return "", nil
	}
	for _, other := range []string{owntemp.Prefix + "young", "kibitz-other"} {
		if err := os.Mkdir(filepath.Join(temp, other), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	killed, w := begin()
	lives, _ := begin()
	if err := w.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = w.Wait()
	if _, err := os.Stat(killed); err != nil {
		t.Fatalf("a killed worker has tidied up: %v", err)
	}
	third, _ := begin()
	if _, err := os.Stat(killed); !os.IsNotExist(err) {
		t.Errorf("the folder of the killed worker is still there: %v", err)
	}
	for _, dir := range []string{lives, third, filepath.Join(temp, owntemp.Prefix+"young"), filepath.Join(temp, "kibitz-other")} {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("what was not the killed worker's is gone: %v", err)
		}
	}
	owntemp.RemoveDead(temp, time.Now().Add(2*owntemp.Young))
	if _, err := os.Stat(filepath.Join(temp, owntemp.Prefix+"young")); !os.IsNotExist(err) {
		t.Errorf("a folder that nobody ever locked stays: %v", err)
	}
}
