package guard

import (
	"errors"
	"io/fs"
	"os"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

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

// ruleset is what Landlock is told, for this thread and what comes of it.
type ruleset struct {
	attr ll.RulesetAttr
	// paths are allowed rights, port, if it is not 0, what may be connected to.
	paths []rule
	port  int
}

type rule struct {
	path   string
	rights uint64
}

// restrict takes away files and network, as far as Landlock can; the filter of system
// calls sees to what it leaves open.
func (p *plan) restrict(refused func(string, ...any)) {
	abi, err := ll.LandlockGetABIVersion()
	if err != nil || abi < 1 {
		switch {
		case p.ReadOnly && p.World != nil:
			refused("files=ro: the engine may write to what it finds open, and to the sockets of others: this kernel has no Landlock (Linux " +
				"5.13, and landlock among its security modules)")
		case p.ReadOnly:
			refused("files=ro: the engine reads and writes what you may: this kernel has no Landlock (Linux 5.13, and landlock among its " +
				"security modules)")
		}
		abi = 0
	}
	var r ruleset
	switch known := fileRights(abi); {
	case p.ReadOnly && abi >= 1:
		r.attr.HandledAccessFS = known
		r.paths = p.readOnly()
		if abi >= 6 {
			r.attr.Scoped = ll.ScopeSignal | ll.ScopeAbstractUnixSocket
		} else if p.World == nil || !p.World.Isolated {
			refused("files=ro: the engine may send signals to your other processes: this kernel's Landlock is version %d, and 6 is needed "+
				"(Linux 6.12)", abi)
		}
	case len(p.Groups) > 0 && abi >= 2:
		r.attr.HandledAccessFS = known & rightsWrite &^ (rightsRead | ll.AccessFSIoctlDev)
		r.add(rightsWrite, cover("/", p.Groups)...)
	}
	if p.NoNetwork && abi >= 4 && p.Port > 0 {
		r.attr.HandledAccessNet = ll.AccessNetBindTCP | ll.AccessNetConnectTCP
		r.port = p.Port
	} else if p.Port > 0 {
		refused("network=off: this kernel is too old to allow one port alone, so any may be connected to (Landlock %d, needs 4)", abi)
	}
	if r.attr == (ll.RulesetAttr{}) {
		return
	}
	if err := r.enforce(); err != nil {
		refused("%s: %v", p.asked(), err)
	}
}

func (r *ruleset) add(rights uint64, paths ...string) {
	for _, path := range paths {
		r.paths = append(r.paths, rule{path, rights})
	}
}

// readOnly are the rules for an engine that sees what the plan says and writes into its
// own folders alone.
func (p *plan) readOnly() []rule {
	var r ruleset
	if p.World != nil { // in which nothing else is, and what is hidden is empty
		r.add(rightsRead, "/")
		r.add(rightsWrite, p.Writable...)
	} else {
		for _, path := range append(real(p.Readable), "/proc") {
			r.add(rightsRead, cover(path, append(inside(path, p.Hidden), "/dev"))...)
		}
		for _, dir := range p.Writable {
			r.add(rightsWrite, cover(dir, inside(dir, p.Hidden))...)
		}
	}
	r.add(rightsFile, devices...)
	return r.paths
}

// enforce sets the rules for this thread, for good.
func (r *ruleset) enforce() error {
	set, err := ll.LandlockCreateRuleset(&r.attr, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(set) }()
	for _, one := range r.paths {
		if err := r.allow(set, one); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &os.PathError{Op: "landlock", Path: one.path, Err: err}
		}
	}
	if r.port > 0 {
		if err := ll.LandlockAddNetPortRule(set, &ll.NetPortAttr{AllowedAccess: ll.AccessNetConnectTCP, Port: uint64(r.port)}, 0); err != nil {
			return err
		}
	}
	return ll.LandlockRestrictSelf(set, 0)
}

// allow adds one rule; a file takes no rights of folders.
func (r *ruleset) allow(set int, one rule) error {
	fd, err := unix.Open(one.path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	rights := one.rights & r.attr.HandledAccessFS
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= rightsFile
	}
	if rights == 0 {
		return nil
	}
	return ll.LandlockAddPathBeneathRule(set, &ll.PathBeneathAttr{ParentFd: fd, AllowedAccess: rights}, 0)
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
