package guard

import (
	"errors"
	"math"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ban is a system call that the kernel refuses to the engine, always or because of an
// argument: if that, as far as the mask goes, is none of the values, or is the one.
type ban struct {
	call   string
	errno  unix.Errno
	arg    int
	mask   uint32 // 0 for a ban whatever the arguments
	values []uint32
	one    bool
}

// never, unless and when are the kinds of bans. What does not exist on a machine is
// banned there already; programs get on without what an old kernel has not.
func never(errno unix.Errno, calls ...string) []ban {
	out := make([]ban, len(calls))
	for i, c := range calls {
		out[i] = ban{call: c, errno: errno}
	}
	return out
}

func unless(call string, arg int, mask uint32, good ...uint32) []ban {
	return []ban{{call, unix.EPERM, arg, mask, good, false}}
}

func when(call string, arg int, bad uint32) []ban {
	return []ban{{call, unix.EPERM, arg, whole, []uint32{bad}, true}}
}

const whole = math.MaxUint32

// bans lists what Landlock and resource limits leave open.
func (p *plan) bans() []ban {
	var out []ban
	if p.ReadOnly {
		out = append(out, p.readOnlyBans()...)
	}
	if p.ReadOnly || p.NoNetwork {
		out = append(out, never(unix.ENOSYS, "io_uring_setup")...) // goes round every ban
	}
	if p.ReadOnly || p.Sampled {
		// Memory that stays when its processes have gone, and that others have.
		out = append(out, never(unix.ENOSYS, "shmget", "shmat", "shmctl", "semget", "semop", "semtimedop", "semtimedop_time64", "semctl",
			"msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink", "ipc")...)
	}
	if p.Sampled { // memory that no process is seen to have
		out = append(out, never(unix.ENOSYS, "memfd_create", "memfd_secret")...)
	}
	if p.Pinned {
		out = append(out, never(unix.EPERM, "sched_setaffinity")...)
	}
	if (p.ReadOnly || p.NoNetwork) && !p.Sockets {
		// Behind a socket in the file system may be whoever starts programs for
		// others. Pairs of connected sockets reach nobody.
		out = slices.Concat(out, never(unix.EPERM, "socketcall"), when("socket", 0, unix.AF_UNIX),
			unless("socketpair", 0, whole, unix.AF_UNIX), unless("socketpair", 1, kind, unix.SOCK_STREAM, unix.SOCK_SEQPACKET))
	}
	if p.NoNetwork {
		out = append(out, p.socketBans()...)
	}
	return out
}

// kind is what of a socket's type is no flag.
const kind = 0xf

// unheard is the answer to calls that do nothing and say that it is done: programs
// that set the rights or the time of a file that they have just written get on without,
// and would take an error for the end of the world.
const unheard = unix.Errno(0)

// readOnlyBans keep what a file is beside its content, other processes' priorities
// and limits, and the user's keys.
func (p *plan) readOnlyBans() []ban {
	return slices.Concat(
		never(unheard, "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat",
			"chown32", "fchown32", "lchown32", "utime", "utimes", "futimesat", "utimensat", "utimensat_time64",
			"setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr", "fremovexattr", "removexattrat",
			"file_setattr"),
		never(unix.EPERM, "keyctl", "add_key", "request_key"),
		// Nobody is told of what others do with files, nor kept waiting with a lease.
		never(unix.ENOSYS, "inotify_init", "inotify_init1", "fanotify_init"),
		when("fcntl", 1, unix.F_SETLEASE), when("fcntl", 1, unix.F_NOTIFY),
		when("fcntl64", 1, unix.F_SETLEASE), when("fcntl64", 1, unix.F_NOTIFY),
		attributeBans(),
		unless("prlimit64", 0, whole, 0),
		unless("sched_setaffinity", 0, whole, 0),
		unless("sched_setscheduler", 0, whole, 0),
		unless("sched_setparam", 0, whole, 0),
		unless("sched_setattr", 0, whole, 0),
		unless("setpriority", 1, whole, 0),
		unless("setpriority", 0, whole, unix.PRIO_PROCESS, unix.PRIO_PGRP),
		unless("ioprio_set", 1, whole, 0),
		unless("ioprio_set", 0, whole, 1, 2), // process, group
	)
}

// attributeBans keep what is set of files by device control, which Landlock does not
// see: flags, project, version and label, by the numbers of programs of 64 and 32 bits,
// and that a file can be verified.
func attributeBans() []ban {
	var out []ban
	for _, request := range []uint32{
		unix.FS_IOC_SETFLAGS, 0x40046602, 0x401c5820, 0x40087602, 0x40047602, 0x40086604, 0x40046604, unix.FS_IOC_ENABLE_VERITY, 0x41009432, 0x4008941a, 0x40047211,
	} {
		out = append(out, when("ioctl", 1, request)...)
	}
	return out
}

// socketBans leave what can reach nobody where the engine has a network of its own,
// and TCP where it may connect to one port, which Landlock sees to.
func (p *plan) socketBans() []ban {
	switch {
	case p.Netless:
		return unless("socket", 0, whole, unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
	case p.Port == 0:
		return append(unless("socket", 0, whole, unix.AF_UNIX), never(unix.EPERM, "socketcall")...)
	}
	return slices.Concat(
		unless("socket", 0, whole, unix.AF_INET, unix.AF_INET6),
		unless("socket", 1, kind, unix.SOCK_STREAM),
		unless("socket", 2, whole, 0, unix.IPPROTO_TCP),
		never(unix.EPERM, "listen", "socketcall"),
		// Sending may connect too.
		unless("sendto", 3, unix.MSG_FASTOPEN, 0), unless("sendmsg", 2, unix.MSG_FASTOPEN, 0), unless("sendmmsg", 3, unix.MSG_FASTOPEN, 0),
	)
}

// machine is one of the ways in which programs call the kernel of this machine.
type machine struct {
	arch  uint32
	calls map[string]uint32
}

// Places in what the filter is given of a call.
const (
	atNumber = 0
	atArch   = 4
	atArgs   = 16
)

// oldABI marks the calls of x32, programs with short pointers that nobody has.
const oldABI = 0x40000000

// compile makes the program that the kernel runs at every call.
func compile(bans []ban, machines []machine) []unix.SockFilter {
	prog := []unix.SockFilter{load(atArch)}
	for _, m := range machines {
		part := m.compile(bans)
		prog = append(prog, jump(unix.BPF_JEQ, m.arch, 1, 0), unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: uint32(len(part))})
		prog = append(prog, part...)
	}
	return append(prog, refuse(unix.ENOSYS))
}

func (m *machine) compile(bans []ban) []unix.SockFilter {
	out := []unix.SockFilter{load(atNumber)}
	if m.arch == unix.AUDIT_ARCH_X86_64 {
		out = append(out, jump(unix.BPF_JGE, oldABI, 0, 1), refuse(unix.ENOSYS))
	}
	for _, b := range bans {
		number, ok := m.calls[b.call]
		if !ok {
			continue
		}
		out = append(out, b.compile(number)...)
	}
	return append(out, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
}

// compile tests for one call. The number of the call is loaded before and behind.
func (b *ban) compile(number uint32) []unix.SockFilter {
	if b.mask == 0 {
		return []unix.SockFilter{jump(unix.BPF_JEQ, number, 0, 1), refuse(b.errno)}
	}
	n := uint8(len(b.values))
	out := []unix.SockFilter{
		jump(unix.BPF_JEQ, number, 0, n+4), load(uint32(atArgs + 8*b.arg)),
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: b.mask},
	}
	for i, v := range b.values {
		if b.one {
			out = append(out, jump(unix.BPF_JEQ, v, 0, 1))
		} else {
			out = append(out, jump(unix.BPF_JEQ, v, n-uint8(i), 0))
		}
	}
	return append(out, refuse(b.errno), load(atNumber))
}

func load(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

func jump(test uint16, value uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: value, Jt: yes, Jf: no}
}

func refuse(errno unix.Errno) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(errno)}
}

// filter sets the bans for this thread, for good. It needs no rights but that no
// more may be gained.
func (p *plan) filter() error {
	bans := p.bans()
	if len(bans) == 0 {
		return nil
	}
	if len(machines) == 0 {
		return errors.New("no filter of system calls is known for this processor")
	}
	prog := compile(bans, machines)
	f := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&f)), 0, 0)
}
