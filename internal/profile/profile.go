// Package profile writes what a command did with processor, memory and goroutines, so that
// nobody need attach to it.
package profile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
)

// Names of the files, for go tool pprof and, the last, go tool trace.
const (
	Processor = "processor.pprof"
	Memory    = "memory.pprof"
	Trace     = "trace.out"
)

// Start begins to write into a folder, which is made if there is none. The function that it
// returns ends that, and writes the memory in use and all that was ever allocated.
func Start(dir string) (end func() error, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var files [3]*os.File
	closeAll := func() error {
		var errs []error
		for _, f := range files {
			if f != nil {
				errs = append(errs, f.Close())
			}
		}
		return errors.Join(errs...)
	}
	for i, name := range []string{Processor, Memory, Trace} {
		if files[i], err = os.Create(filepath.Join(dir, name)); err != nil {
			return nil, errors.Join(err, closeAll())
		}
	}
	if err := pprof.StartCPUProfile(files[0]); err != nil {
		return nil, errors.Join(err, closeAll())
	}
	if err := trace.Start(files[2]); err != nil {
		pprof.StopCPUProfile()
		return nil, errors.Join(err, closeAll())
	}
	return func() error {
		trace.Stop()
		pprof.StopCPUProfile()
		runtime.GC() // so that what is in use is what is still needed
		return errors.Join(pprof.Lookup("allocs").WriteTo(files[1], 0), closeAll())
	}, nil
}
