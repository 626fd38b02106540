package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// fullCommands stand for those of the package full, in the same order and words. It builds
// what they need and becomes it.
type fullCommands struct {
	Base       handOver `cmd:"" group:"records" passthrough:"" help:"Keep games in one file and look positions up in it."`
	Serve      handOver `cmd:"" group:"hall" passthrough:"" help:"Open a hall: rooms, people, engines, spectators, in the browser."`
	Worker     handOver `cmd:"" group:"hall" passthrough:"" help:"Play games for a hall elsewhere."`
	Backup     handOver `cmd:"" group:"hall" passthrough:"" help:"Write all that a hall keeps into one file."`
	Restore    handOver `cmd:"" group:"hall" passthrough:"" help:"Fill an empty hall from the file of a backup."`
	Account    handOver `cmd:"" group:"hall" passthrough:"" help:"Set a password, or unlock an account, at the hall's own machine."`
	Join       handOver `cmd:"" group:"author" passthrough:"" help:"Let an engine of this machine play in a room of a hall."`
	Manual     handOver `cmd:"" hidden:"" passthrough:"" help:"Write the manual pages of all commands."`
	Completion handOver `cmd:"" hidden:"" passthrough:"" help:"Print the script by which a shell completes commands and flags."`
}

// handOver is a command that only a program has which is built in full.
type handOver struct {
	Args []string `arg:"" optional:"" name:"flags" help:"As the program says that is built in full."`
}

// mainPackage is the import path of this program.
const mainPackage = "kibitz/cmd/kibitz"

// Run builds the program in full, of the source that this one was built from, and becomes it.
func (handOver) Run(a *app) error {
	a.alone.Store(true) // an interrupt ends the building
	source, err := source()
	if err != nil {
		return fmt.Errorf("this program has no halls and no game bases (%w): build it with them where its source is, by "+
			"go build -tags full ./cmd/kibitz", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	of := sha256.Sum256([]byte(source))
	program := filepath.Join(cache, "kibitz", hex.EncodeToString(of[:8]), "kibitz")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if _, err := os.Stat(program); errors.Is(err, os.ErrNotExist) {
		a.warn("building the part for halls and game bases, once; it takes a few minutes")
	}
	// What only a debugger reads would take as long again to be linked.
	build := exec.CommandContext(a.ctx, "go", "build", "-tags=full", "-ldflags=-s", "-o", program, mainPackage)
	build.Dir, build.Stderr = source, a.stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("go build -tags full: %w", err)
	}
	args := append([]string{"kibitz"}, os.Args[1:]...)
	if err := syscall.Exec(program, args, os.Environ()); !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	child := exec.Command(program, args[1:]...) // on Windows, where no program becomes another
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = child.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(exit.ExitCode())
	}
	return err
}

// source is the folder of this package's source: that which the program was built from or,
// where it does not tell, as after -trimpath, that of the module of the working directory.
func source() (string, error) {
	where := ""
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		if _, err := os.Stat(file); err == nil {
			where = filepath.Dir(file)
		}
	}
	list := exec.Command("go", "list", "-f", "{{.Dir}}", mainPackage)
	list.Dir = where
	out, err := list.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("there is no go command here")
	}
	if err != nil {
		return "", errors.New("its source is not here")
	}
	return strings.TrimSpace(string(out)), nil
}
