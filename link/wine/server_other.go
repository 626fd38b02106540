//go:build !unix

package wine

import "os/exec"

// Elsewhere Windows programs need no Wine.
func serverName(string) (string, bool) { return "", false }

func serverFolder(string) string { return "" }

func apart(*exec.Cmd) {}
