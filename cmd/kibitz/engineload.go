package main

import (
	"fmt"
	"os"
)

// mostLoaded is the largest file that a manager may have loaded, in bytes.
const mostLoaded = 16 << 20

// files returns what reads files for the manager: for the one that has started the
// engine and may read them itself, not for whoever reaches it over the network.
func (c engineCmd) files() func(name string) ([]byte, error) {
	if c.Listen != "" || len(c.Address) > 0 {
		return nil
	}
	return func(name string) ([]byte, error) {
		i, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if !i.Mode().IsRegular() || i.Size() > mostLoaded {
			return nil, fmt.Errorf("%s is no file of at most %d bytes", name, mostLoaded)
		}
		return os.ReadFile(name)
	}
}
