package guard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Helper is called first thing by the main function of every program that uses a
// Warden with limits. It returns at once in a program that was started in the usual
// way. In one that a Warden has executed it sets the limits of the plan, executes the
// engine in its own place, and never returns.
func Helper() {
	switch os.Args[0] {
	case probeName:
		os.Exit(0)
	case helperName:
		runtime.LockOSThread()
		words := os.NewFile(wordFD, "words")
		syscall.CloseOnExec(wordFD)
		err := help(words)
		w := word{Error: err.Error()}
		var no syscall.Errno
		if errors.As(err, &no) {
			w.Errno = int(no)
		}
		say(words, w)
		os.Exit(127)
	}
}

func say(to io.Writer, w word) { _ = json.NewEncoder(to).Encode(w) }

// help does what the plan says and returns only what prevents it.
func help(words io.Writer) error {
	in := os.NewFile(planFD, "plan")
	var p plan
	err := json.NewDecoder(in).Decode(&p)
	if err = errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("the guard was told nothing: %w", err)
	}
	refused := func(format string, args ...any) { say(words, word{Refused: fmt.Sprintf(format, args...)}) }
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		refused("the engine may gain rights by set-user-ID programs: %v", err)
	}
	p.restrict(refused)
	if err := dropCapabilities(); err != nil {
		refused("the engine keeps the capabilities of the super-user: %v", err)
	}
	for _, l := range p.Limits {
		if err := setLimit(l); err != nil {
			refused("%s cannot be limited: %v", l.Name, err)
		}
	}
	if err := p.filter(); err != nil {
		refused("%s: what Landlock leaves open stays open (%v)", p.asked(), err)
	}
	for range busyTries {
		if err = syscall.Exec(p.Path, p.Argv, os.Environ()); !errors.Is(err, syscall.ETXTBSY) {
			return err
		}
		time.Sleep(busyPause)
	}
	return err
}

// setLimit lowers a limit of the kernel, soft and hard.
func setLimit(l rlimit) error {
	var now syscall.Rlimit
	if err := syscall.Getrlimit(l.Resource, &now); err != nil {
		return err
	}
	if l.Value > now.Max {
		l.Value = now.Max // it is lower already
	}
	// The syscall package restores the number of open files at exec unless it was
	// set through it.
	return syscall.Setrlimit(l.Resource, &syscall.Rlimit{Cur: l.Value, Max: l.Value})
}

// The rights of files as Landlock knows them; which of them a kernel knows depends
// on its version.
const (
	rightsRead  = ll.AccessFSExecute | ll.AccessFSReadFile | ll.AccessFSReadDir
	rightsFile  = ll.AccessFSExecute | ll.AccessFSReadFile | ll.AccessFSWriteFile | ll.AccessFSTruncate | ll.AccessFSIoctlDev
	rightsWrite = rightsRead | rightsFile | ll.AccessFSRemoveDir | ll.AccessFSRemoveFile | ll.AccessFSMakeDir | ll.AccessFSMakeReg |
		ll.AccessFSMakeSock | ll.AccessFSMakeFifo | ll.AccessFSMakeSym | ll.AccessFSRefer
)

// devices are the files outside its folders that every program may write to.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// asked names what the filter is for.
func (p *plan) asked() string {
	var out []string
	for _, k := range []struct {
		on   bool
		name string
	}{{p.ReadOnly, "files=ro"}, {p.NoNetwork, "network=off"}, {p.Sampled, "memory"}, {p.Pinned, "cpus"}} {
		if k.on {
			out = append(out, k.name)
		}
	}
	return strings.Join(out, ", ")
}

// restrict takes away files and network, as far as Landlock can; the filter of system
// calls sees to what it leaves open.
func (p *plan) restrict(refused func(string, ...any)) {
	abi, err := ll.LandlockGetABIVersion()
	if err != nil || abi < 1 {
		if p.ReadOnly {
			refused("files=ro: the engine reads and writes what you may: this kernel has no Landlock (Linux 5.13, and landlock among its security modules)")
		}
		abi = 0
	}
	var parts []any
	var rules []landlock.Rule
	switch known := landlock.AccessFSSet(fileRights(abi)); {
	case p.ReadOnly && abi >= 1:
		parts = append(parts, known)
		rules = append(rules, p.readOnly(known)...)
		if abi >= 6 {
			parts = append(parts, landlock.ScopedSet(ll.ScopeSignal|ll.ScopeAbstractUnixSocket))
		} else {
			refused("files=ro: the engine may send signals to your other processes: this kernel's Landlock is version %d, and 6 is needed (Linux 6.12)", abi)
		}
	case len(p.Groups) > 0 && abi >= 2:
		known &= rightsWrite &^ (rightsRead | ll.AccessFSIoctlDev)
		parts = append(parts, known)
		rules = append(rules, fileRules(known, cover("/", p.Groups), rightsWrite)...)
	}
	if p.NoNetwork && abi >= 4 && p.Port > 0 {
		parts = append(parts, landlock.AccessNetSet(ll.AccessNetBindTCP|ll.AccessNetConnectTCP))
		rules = append(rules, landlock.ConnectTCP(uint16(p.Port)))
	} else if p.Port > 0 {
		refused("network=off: this kernel is too old to allow one port alone, so any may be connected to (Landlock %d, needs 4)", abi)
	}
	if len(parts) == 0 {
		return
	}
	config, err := landlock.NewConfig(parts...)
	if err == nil {
		err = config.Restrict(rules...)
	}
	if err != nil {
		refused("%s: %v", p.asked(), err)
	}
}

// readOnly are the rules for an engine that writes into its own folders alone.
func (p *plan) readOnly(known landlock.AccessFSSet) []landlock.Rule {
	// Devices are terminals, memory that others share, and disks as a whole.
	hidden := append(slices.Clone(p.Hidden), "/dev")
	rules := fileRules(known, cover("/", hidden), rightsRead)
	for _, dir := range p.Writable {
		rules = append(rules, fileRules(known, cover(dir, inside(dir, p.Hidden)), rightsWrite)...)
	}
	return append(rules, fileRules(known, devices, rightsFile)...)
}

// fileRights are the rights that a version of Landlock knows.
func fileRights(abi int) uint64 {
	all := uint64(1)<<13 - 1
	for i, since := range []int{2, 3, 5} { // refer, truncate, device control
		if abi >= since {
			all |= 1 << (13 + i)
		}
	}
	return all
}

// fileRules allow what paths hold, as far as known; a file takes no rights of folders.
func fileRules(known landlock.AccessFSSet, paths []string, rights landlock.AccessFSSet) []landlock.Rule {
	var dirs, files []string
	for _, p := range paths {
		st, err := os.Stat(p)
		switch {
		case err != nil:
		case st.IsDir():
			dirs = append(dirs, p)
		default:
			files = append(files, p)
		}
	}
	var out []landlock.Rule
	if rights &= known; len(dirs) > 0 {
		out = append(out, landlock.PathAccess(rights, dirs...).IgnoreIfMissing())
	}
	if len(files) > 0 {
		out = append(out, landlock.PathAccess(rights&rightsFile, files...).IgnoreIfMissing())
	}
	return out
}

// dropCapabilities takes from this thread what the super-user has beside his files,
// for good: without them the limits cannot be raised again.
func dropCapabilities() error {
	for n := uintptr(0); ; n++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, n, 0, 0, 0); err != nil {
			switch {
			case errors.Is(err, unix.EINVAL): // that was the last one
			case errors.Is(err, unix.EPERM): // there is nothing to drop for this user
			default:
				return err
			}
			break
		}
	}
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return unix.Capset(&head, &none[0])
}

// err turns the helper's last word into the error of the start.
func (w *word) err() error {
	if w.Errno != 0 {
		return syscall.Errno(w.Errno)
	}
	return errors.New(strings.TrimSpace(w.Error))
}
