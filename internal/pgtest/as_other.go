//go:build !linux

package pgtest

import (
	"errors"
	"os"
	"os/exec"
)

var quit, kill = os.Kill, os.Kill

func own(string) error { return errors.New("tests with PostgreSQL run on Linux") }

func as(*exec.Cmd) {}
