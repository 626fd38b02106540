package guard_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"kibitz/link/guard"
)

// With files=ro nothing of a file changes outside the engine's folders, not its rights
// or times either; nobody who starts programs for others is reached; Kibitz's limits
// and processors stay.
func TestReadOnlyWhole(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file") // which the command names, so that it is seen
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	stream, gram := sockets(t, dir)
	own := strconv.Itoa(os.Getpid())
	acts := []string{
		"chmod=" + file, "touch=" + file, "attribute=" + file, "limit=" + own, "bind=" + own, "unix=" + stream, "unixgram=" + gram,
		"ring", "list=/dev", "read=/dev/tty", fmt.Sprintf("socket=%d %d 0", unix.AF_UNIX, unix.SOCK_DGRAM),
	}
	before := attributes(t, file)
	want := []string{"ok", "ok", "ok", "EPERM", "EPERM", "EPERM", "EPERM", "ENOSYS", "ok EACCES", denied, "EPERM"}
	x := launch(t, supervisor(t), guard.Limits{ReadOnly: true}, acts...)
	expect(t, x, acts, want)
	if after := attributes(t, file); after != before {
		t.Errorf("a file was %s and is %s", before, after)
	}
	free := launch(t, supervisor(t), guard.Limits{Handles: 100}, acts[:4]...) // the acts do what they say
	expect(t, free, acts[:4], []string{"ok", "ok", "ok", "ok"})
	if after := attributes(t, file); after == before {
		t.Errorf("a file is %s still", after)
	}
}

// attributes tells what a file is beside its content.
func attributes(t *testing.T, file string) string {
	t.Helper()
	st, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	n, err := unix.Getxattr(file, "user.x", nil)
	return fmt.Sprint(st.Mode(), st.ModTime().UnixNano(), n, err)
}

func expect(t *testing.T, x *run, acts, want []string) {
	t.Helper()
	for i := range want {
		if got := x.next(); got != want[i] && !slices.Contains(strings.Fields(want[i]), got) {
			t.Errorf("%s: %s instead of %s", acts[i], got, want[i])
		}
	}
}

// sockets waits on two sockets in the file system.
func sockets(t *testing.T, dir string) (stream, gram string) {
	t.Helper()
	stream, gram = filepath.Join(dir, "s"), filepath.Join(dir, "g")
	l, err := net.Listen("unix", stream)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	p, err := net.ListenPacket("unixgram", gram)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return stream, gram
}

// With network=off nobody is reached by any kind of socket; where one port is allowed,
// by no way round it.
func TestNetworkWhole(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	stream, gram := sockets(t, t.TempDir())
	acts := []string{
		"unix=" + stream, "unixgram=" + gram, fmt.Sprintf("fast=%d", port), fmt.Sprintf("socket=%d %d 0", unix.AF_VSOCK, unix.SOCK_STREAM),
		fmt.Sprintf("socket=%d %d %d", unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP), fmt.Sprintf("socket=%d %d 0", unix.AF_INET, unix.SOCK_DGRAM), "ring",
	}
	one := launch(t, supervisor(t), guard.Limits{NoNetwork: true, Port: port + 1}, acts...)
	expect(t, one, acts, []string{"EPERM", "EPERM", "EPERM", "EPERM", "EPERM", "EPERM", "ENOSYS"})
	off := launch(t, supervisor(t), guard.Limits{NoNetwork: true}, acts[:4]...)
	for i, want := range []string{"EPERM", "EPERM", "ENETUNREACH EPERM", "EPERM"} {
		if got := off.next(); !slices.Contains(strings.Fields(want), got) {
			t.Errorf("%s: %s", acts[i], got)
		}
	}
	wine := launch(t, supervisor(t), guard.Limits{NoNetwork: true, Sockets: true}, acts[:1]...)
	expect(t, wine, acts[:1], []string{"ok"})
}

// Memory that is counted by looking at processes cannot be had where that is not seen.
func TestMemoryUnseen(t *testing.T) {
	w := supervisor(t)
	w.Ungroup()
	x := launch(t, w, guard.Limits{Memory: 1 << 30}, "memfd")
	if got := x.next(); got != "ENOSYS" && !raced {
		t.Error(got)
	}
}

// An engine with limits cannot leave its control group, nor its processors if it is
// bound to some.
func TestStays(t *testing.T) {
	w := supervisor(t)
	if !w.Grouped() {
		t.Skip("this system has no control groups to be made")
	}
	var acts []string
	for _, f := range []string{"/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs"} {
		if syscall.Access(f, 2) == nil {
			acts = append(acts, "leave="+f)
		}
	}
	acts = append(acts, "bind=0")
	x := launch(t, w, guard.Limits{Handles: 100, Pinned: true}, acts...)
	for i, a := range acts {
		want := "EACCES"
		if i == len(acts)-1 {
			want = "EPERM"
		}
		if got := x.next(); got != want {
			t.Errorf("%s: %s", a, got)
		}
	}
}
