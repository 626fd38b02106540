package orders

import (
	"fmt"
	"os"
	"path/filepath"
)

// shortPath names a file of a folder in few letters, however long the folder's name
// is: the address of a socket has room for about a hundred. release ends it.
func shortPath(dir, name string) (short string, release func() error, err error) {
	if path := filepath.Join(dir, name); len(path) < 100 {
		return path, func() error { return nil }, nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", f.Fd(), name), f.Close, nil
}
