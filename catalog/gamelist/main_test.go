package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What is made of the catalog is committed as it would be made now.
func TestCurrent(t *testing.T) {
	for name, want := range made() {
		got, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the catalog says (%v): go generate ./catalog", name, err)
		}
	}
}
