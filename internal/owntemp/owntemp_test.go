package owntemp_test

import (
	"os"
	"sync"
	"testing"
	"time"

	"kibitz/internal/filelock"
	"kibitz/internal/owntemp"
)

// A folder that is being made is not taken for one of the dead by others that begin meanwhile.
func TestMakeBesideOthers(t *testing.T) {
	if !filelock.Works {
		t.Skip("no folders are made here")
	}
	base := t.TempDir()
	t.Setenv("TMPDIR", base)
	now := time.Now()
	stop := make(chan struct{})
	var others sync.WaitGroup
	for range 4 {
		others.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					owntemp.RemoveDead(base, now)
				}
			}
		})
	}
	for range 100 {
		var own string
		done, err := owntemp.Make(now, func(dir string) error { own = dir; return nil })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(own); err != nil {
			t.Fatal(err)
		}
		if err := done(); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	others.Wait()
}
