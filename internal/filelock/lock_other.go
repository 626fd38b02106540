//go:build !unix

// Package filelock locks files against other processes.
package filelock

import "os"

// Lock does nothing where files cannot be locked.
func Lock(*os.File) error { return nil }

// Release closes the file.
func Release(f *os.File) error { return f.Close() }

// Works tells that Lock keeps others out.
const Works = false
