package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is the release that this source becomes.
const version = "0.1.0"

type versionCmd struct{}

// Help returns the example that --help shows.
func (versionCmd) Help() string { return "Example: kibitz version" }

// Run prints version, commit and Go version on one line.
func (versionCmd) Run(a *app) error {
	commit := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = s.Value
			}
		}
	}
	fmt.Fprintf(a.stdout, "kibitz %s commit %s %s %s/%s\n", version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
