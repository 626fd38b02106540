package guard

import (
	"errors"
	"math"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// denyRule is a system call that the kernel refuses to the engine, always or because of an
// argument: if that, as far as the mask goes, is none of the values, or is the one.
type denyRule struct {
	call   string
	errno  unix.Errno
	arg    int
	mask   uint32 // 0: denied whatever the arguments
	values []uint32
	one    bool
}

// deny, allowOnly and denyIf make the kinds of rules. What does not exist on a machine is
// banned there already; programs get on without what an old kernel has not.
func deny(errno unix.Errno, calls ...string) []denyRule {
	out := make([]denyRule, len(calls))
	for i, c := range calls {
		out[i] = denyRule{call: c, errno: errno}
	}
	return out
}

func allowOnly(call string, arg int, mask uint32, good ...uint32) []denyRule {
	return []denyRule{{call, unix.EPERM, arg, mask, good, false}}
}

func denyIf(call string, arg int, bad uint32) []denyRule {
	return []denyRule{{call, unix.EPERM, arg, wholeArg, []uint32{bad}, true}}
}

const wholeArg = math.MaxUint32

// denyRules lists what Landlock and resource limits leave open.
func (p *plan) denyRules() []denyRule {
	var out []denyRule
	if p.ReadOnly {
		out = append(out, p.readOnlyRules()...)
	}
	if p.ReadOnly || p.NoNetwork {
		out = append(out, deny(unix.ENOSYS, "io_uring_setup")...) // goes round every rule
	}
	if p.ReadOnly || p.Sampled {
		// Memory that stays when its processes have gone, and that others have.
		out = append(out, deny(unix.ENOSYS, "shmget", "shmat", "shmctl", "semget", "semop", "semtimedop", "semtimedop_time64", "semctl",
			"msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink", "ipc")...)
	}
	if p.Sampled { // memory that no process is seen to have
		out = append(out, deny(unix.ENOSYS, "memfd_create", "memfd_secret")...)
	}
	if p.Pinned {
		out = append(out, deny(unix.EPERM, "sched_setaffinity")...)
	}
	if (p.ReadOnly || p.NoNetwork) && !p.Sockets {
		// Behind a socket in the file system may be whoever starts programs for
		// others. Pairs of connected sockets reach nobody.
		out = slices.Concat(out, deny(unix.EPERM, "socketcall"), denyIf("socket", 0, unix.AF_UNIX),
			allowOnly("socketpair", 0, wholeArg, unix.AF_UNIX), allowOnly("socketpair", 1, socketType, unix.SOCK_STREAM, unix.SOCK_SEQPACKET))
	}
	if p.NoNetwork {
		out = append(out, p.socketRules()...)
	}
	return out
}

// socketType is what of a socket's type is no flag.
const socketType = 0xf

// silentSuccess is the answer to calls that do nothing and say that it is done: programs
// that set the rights or the time of a file that they have just written get on without,
// and would take an error for the end of the world.
const silentSuccess = unix.Errno(0)

// readOnlyRules keep what a file is beside its content, other processes' priorities
// and limits, and the user's keys.
func (p *plan) readOnlyRules() []denyRule {
	return slices.Concat(
		deny(silentSuccess, "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat",
			"chown32", "fchown32", "lchown32", "utime", "utimes", "futimesat", "utimensat", "utimensat_time64",
			"setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr", "fremovexattr", "removexattrat",
			"file_setattr"),
		deny(unix.EPERM, "keyctl", "add_key", "request_key"),
		// Nobody is told of what others do with files, nor kept waiting with a lease.
		deny(unix.ENOSYS, "inotify_init", "inotify_init1", "fanotify_init"),
		denyIf("fcntl", 1, unix.F_SETLEASE), denyIf("fcntl", 1, unix.F_NOTIFY),
		denyIf("fcntl64", 1, unix.F_SETLEASE), denyIf("fcntl64", 1, unix.F_NOTIFY),
		attributeRules(),
		allowOnly("prlimit64", 0, wholeArg, 0),
		allowOnly("sched_setaffinity", 0, wholeArg, 0),
		allowOnly("sched_setscheduler", 0, wholeArg, 0),
		allowOnly("sched_setparam", 0, wholeArg, 0),
		allowOnly("sched_setattr", 0, wholeArg, 0),
		allowOnly("setpriority", 1, wholeArg, 0),
		allowOnly("setpriority", 0, wholeArg, unix.PRIO_PROCESS, unix.PRIO_PGRP),
		allowOnly("ioprio_set", 1, wholeArg, 0),
		allowOnly("ioprio_set", 0, wholeArg, 1, 2), // process, group
	)
}

// attributeRules keep what is set of files by device control, which Landlock does not
// see: flags, project, version and label, by the numbers of programs of 64 and 32 bits,
// and that a file can be verified.
func attributeRules() []denyRule {
	var out []denyRule
	for _, request := range []uint32{
		unix.FS_IOC_SETFLAGS, 0x40046602, 0x401c5820, 0x40087602, 0x40047602, 0x40086604, 0x40046604, unix.FS_IOC_ENABLE_VERITY, 0x41009432,
		0x4008941a, 0x40047211,
	} {
		out = append(out, denyIf("ioctl", 1, request)...)
	}
	return out
}

// socketRules leave what can reach nobody where the engine has a network of its own,
// and TCP where it may connect to one port, which Landlock sees to.
func (p *plan) socketRules() []denyRule {
	switch {
	case p.Netless:
		return allowOnly("socket", 0, wholeArg, unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
	case p.Port == 0:
		return append(allowOnly("socket", 0, wholeArg, unix.AF_UNIX), deny(unix.EPERM, "socketcall")...)
	}
	return slices.Concat(
		allowOnly("socket", 0, wholeArg, unix.AF_INET, unix.AF_INET6),
		allowOnly("socket", 1, socketType, unix.SOCK_STREAM),
		allowOnly("socket", 2, wholeArg, 0, unix.IPPROTO_TCP),
		deny(unix.EPERM, "listen", "socketcall"),
		// Sending may connect too.
		allowOnly("sendto", 3, unix.MSG_FASTOPEN, 0), allowOnly("sendmsg", 2, unix.MSG_FASTOPEN, 0),
		allowOnly("sendmmsg", 3, unix.MSG_FASTOPEN, 0),
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
func compile(bans []denyRule, machines []machine) []unix.SockFilter {
	prog := []unix.SockFilter{load(atArch)}
	for _, m := range machines {
		part := m.compile(bans)
		prog = append(prog, jump(unix.BPF_JEQ, m.arch, 1, 0), unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: uint32(len(part))})
		prog = append(prog, part...)
	}
	return append(prog, refuse(unix.ENOSYS))
}

func (m *machine) compile(bans []denyRule) []unix.SockFilter {
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
func (b *denyRule) compile(number uint32) []unix.SockFilter {
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

// filter sets the rules for this thread, for good. It needs no rights but that no
// more may be gained.
func (p *plan) filter() error {
	bans := p.denyRules()
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
