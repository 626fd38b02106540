package guard_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"kibitz/link/guard"
)

// attacks are what the program of testdata tries under files=ro and network=off. The
// target is a path of another engine's folder (other), of its own (own), or a process of
// the same user that is no engine (victim). Free is what comes of it without limits, empty
// if that hangs on the machine.
var attacks = []struct{ attack, target, free, guarded string }{
	{"read", "other", "ok", "ENOENT"},
	{"name", "other", "ok", "ENOENT"},
	{"write", "other", "ok", "ENOENT"},
	{"lease", "other", "ok", "ENOENT"},
	{"lease", "own", "ok", "EPERM"},
	{"notify", "folder", "", "ENOENT"},
	{"flock", "other", "ok", "ENOENT"},
	{"record", "other", "ok", "ENOENT"},
	{"ofd", "other", "ok", "ENOENT"},
	{"record", "shm", "ok", "ENOENT"},
	{"flock", "own", "ok", "ok"}, // its own business
	{"inotify", "folder", "ok", "ENOSYS"},
	{"inotify", "own", "ok", "ENOSYS"},
	{"fanotify", "", "", "ENOSYS"},
	{"abstract", "abstract", "ok", "EPERM"},
	{"addkey", "", "ok", "EPERM"},
	{"session", "", "ok", "EPERM"},
	{"shm", "remove", "ok", "ENOSYS"},
	{"sem", "remove", "ok", "ENOSYS"},
	{"msg", "remove", "ok", "ENOSYS"},
	{"flags", "other", "", "ENOENT"},
	{"flags", "own", "", "EPERM"},
	{"project", "other", "", "ENOENT"},
	{"project", "own", "", "EPERM"},
	{"version", "other", "", "ENOENT"},
	{"version", "own", "", "EPERM"},
	{"verity", "other", "", "ENOENT"},
	{"verity", "own", "", "EPERM"},
	{"mode", "own", "ok", "ok"}, // says so, and does nothing
	{"owner", "victim", "", "ESRCH"},
	{"kill", "victim", "", "ESRCH"},
	{"trace", "victim", "", "ESRCH"},
	{"peek", "victim", "", "ESRCH"},
	{"pidfd", "victim", "", "ESRCH"},
	{"limit", "victim", "", "EPERM"},
	{"environ", "victim", "ok", "ENOENT"},
	{"mem", "victim", "ok", "ENOENT"},
	{"fd", "victim", "ok", "ENOENT"},
	{"cmdline", "victim", "ok", "ENOENT"},
	{"root", "victim", "ok", "ENOENT"},
	{"everybody", "", "", "ESRCH ok"},
	{"ring", "", "", "ENOSYS"},
	{"umount", "proc", "", "EPERM"},
	{"remount", "usr", "", "EPERM"},
	{"device", "", "", "EPERM EACCES"},
	{"apart", "", "", "EPERM EINVAL"},
	{"escape", "", "", "ENOENT EPERM EACCES"},
}

// TestAttacks tries all attacks as the user of the tests and, where that is root, as one
// who is not.
func TestAttacks(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Run("ordinary", func(t *testing.T) { asNobody(t, "TestAttacks") })
	}
	w := newWorld(t)
	lost := refusals(t, w.supervisor, guard.Limits{ReadOnly: true, NoNetwork: true})
	if strings.Contains(lost, "files=ro") {
		t.Skipf("this machine does not part engines from it: %s", lost)
	}
	var args, free []string
	for _, a := range attacks {
		args = append(args, a.attack+"="+w.targets[a.target])
		if a.free != "" {
			free = append(free, a.attack+"="+w.targets[a.target])
		}
	}
	limits := guard.Limits{ReadOnly: true, NoNetwork: true, Writable: []string{w.own}}
	x := w.launch(t, limits, args...)
	for i, a := range attacks {
		if got := x.next(); !slices.Contains(strings.Fields(a.guarded), got) {
			t.Errorf("%s: %s instead of %s", args[i], got, a.guarded)
		}
	}
	x.end()
	w.intact(t)
	// Where there are fewer namespaces names may be seen, and no attack does more.
	for _, all := range []bool{false, true} {
		w.supervisor.Worsen(all)
		x := w.launch(t, limits, args...)
		for i, a := range attacks {
			got := x.next()
			// A signal's owner may be named then, and is not reached: the victim lives.
			seen := a.attack == "cmdline" || all && a.attack == "name" || a.attack == "pidfd" || a.attack == "owner"
			if got == "ok" && !seen && !slices.Contains(strings.Fields(a.guarded), got) {
				t.Errorf("without namespaces (all: %v): %s: %s", all, args[i], got)
			}
		}
		x.end()
		w.intact(t)
	}
	// The attacks are ones.
	x = w.launch(t, guard.Limits{}, free...)
	for _, a := range attacks {
		if a.free == "" {
			continue
		}
		if got := x.next(); got != a.free {
			t.Errorf("without limits: %s %s: %s instead of %s", a.attack, a.target, got, a.free)
		}
	}
	x.end()
}

// An engine's sisters, of which its parent knows nothing, end with it.
func TestSisters(t *testing.T) {
	w := newWorld(t)
	for range 3 {
		x := w.launch(t, guard.Limits{ReadOnly: true}, "sister=", "sister=", "sister=")
		for range 3 {
			if got := x.next(); got != "ok" {
				t.Error(got)
			}
		}
		x.end()
	}
	w.intact(t)
}

// arena is what attacks are made in: two engines' folders and a process of nobody's.
type arena struct {
	supervisor *guard.Supervisor
	program    string
	own        string
	targets    map[string]string
	victim     *exec.Cmd
}

func newWorld(t *testing.T) *arena {
	t.Helper()
	compiler, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("there is no gcc that makes the attacking program")
	}
	base := t.TempDir()
	a := &arena{supervisor: supervisor(t), own: filepath.Join(base, "own")}
	other := filepath.Join(base, "other")
	a.program = filepath.Join(a.own, "attack")
	files := map[string]string{"own": filepath.Join(a.own, "file"), "other": filepath.Join(other, "hall.db"), "shm": filepath.Join(other, "hall.db-shm")}
	for _, dir := range []string{a.own, other} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(compiler, "-O1", "-pthread", "-o", a.program, "testdata/attack.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	a.victim = exec.Command("sleep", "600")
	a.victim.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := a.victim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = a.victim.Process.Kill()
		_ = a.victim.Wait()
	})
	name := fmt.Sprintf("kibitz-attack-%d", os.Getpid())
	l, err := net.Listen("unix", "@"+name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	files["folder"], files["abstract"], files["victim"] = other, name, strconv.Itoa(a.victim.Process.Pid)
	files["proc"], files["usr"], files["remove"] = "/proc", "/usr", "remove"
	a.targets = files
	return a
}

// launch runs the attacking program, which finds what it names by the whole path alone.
func (a *arena) launch(t *testing.T, l guard.Limits, args ...string) *run {
	t.Helper()
	return launchProgram(t, a.supervisor, l, a.program, args...)
}

// intact looks whether the victim lives and files are as they were.
func (a *arena) intact(t *testing.T) {
	t.Helper()
	if err := a.victim.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the victim: %v", err)
	}
	for _, file := range []string{"own", "other", "shm"} {
		if st, err := os.Stat(a.targets[file]); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", file, st, err)
		}
	}
}

// asNobody runs a test of this program anew as the user nobody.
func asNobody(t *testing.T, test string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "kibitz-ordinary-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	const nobody = 65534
	source, err := os.ReadFile("testdata/attack.c")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{"bin", "bin/testdata", "tmp"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, b := range map[string][]byte{"bin/guard.test": self, "bin/testdata/attack.c": source} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(filepath.Join(dir, "tmp"), nobody, nobody); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "bin/guard.test"), "-test.run", "^"+test+"$", "-test.v")
	cmd.Dir = filepath.Join(dir, "bin")
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(dir, "tmp"), "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "--- SKIP") {
		t.Skipf("%s", out)
	}
}

// Bursts of threads that live for 50 ms are refused by the kernel where it keeps the limit:
// as a control group, or in a user namespace of the engine's own, which is tried apart from
// the guard: where there can be one, sampling is a fault. Otherwise it is said that they are
// sampled. Of memory that is sampled the kernel keeps a wider bound.
func TestBursts(t *testing.T) {
	if raced {
		t.Skip("the race detector's helper has more threads than any other")
	}
	if os.Geteuid() == 0 {
		t.Run("ordinary", func(t *testing.T) { asNobody(t, "TestBursts") })
	}
	w := newWorld(t)
	for _, l := range []guard.Limits{{Processes: 60}, {Processes: 60, ReadOnly: true}} {
		lost := refusals(t, w.supervisor, l)
		switch sampled := strings.Contains(lost, "processes: sampled"); {
		case sampled && ownNamespace():
			t.Errorf("files=ro %v: this machine's kernel can count, and processes are sampled: %s", l.ReadOnly, lost)
			continue
		case sampled:
			t.Logf("neither a control group nor a user namespace counts, and that is said: %s", lost)
			continue
		}
		for range 5 {
			x := w.launch(t, l, "threads=55", "threads=150")
			a, b := x.next(), ""
			if x.lines.Scan() {
				b = x.lines.Text()
			}
			// The kernel counts the guard's own threads too, so that it may let some more be made than
			// the limit says; whoever is seen with these has gone beyond it.
			beyond := b == "" && strings.HasSuffix(x.cell.Reached(), "processes and threads; its limit is 60")
			if a != "ok" || b != "EAGAIN" && !beyond {
				t.Errorf("files=ro %v: 55 threads: %s; 150 threads: %s (%s)", l.ReadOnly, a, b, x.cell.Reached())
			}
			x.end()
		}
	}
	l := guard.Limits{Memory: 100 << 20}
	lost := refusals(t, w.supervisor, l)
	if !strings.Contains(lost, "memory: sampled") {
		if x := w.launch(t, l, "burst=300"); x.lines.Scan() {
			t.Errorf("300 MB of 100 MB for a moment: %s (%s)", x.lines.Text(), lost)
		}
		return
	}
	// Where memory is sampled, and that is said, the kernel keeps a wider bound.
	x := w.launch(t, l, "reserve=3000", "reserve=5000")
	if a, b := x.next(), x.next(); a != "ok" || b != "ENOMEM" {
		t.Errorf("3000 MB: %s; 5000 MB: %s", a, b)
	}
	x.end()
}

// ownNamespace reports whether an ordinary user can have a user namespace here, in which the
// kernel counts what he starts; for root it never counts.
func ownNamespace() bool {
	if os.Geteuid() == 0 {
		return false
	}
	one := []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
	group := []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	cmd := exec.Command("/bin/sh", "-c", ":")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, UidMappings: one, GidMappings: group}
	return cmd.Run() == nil
}

// What the machine cannot part an engine from is said.
func TestLesserWaysAreSaid(t *testing.T) {
	w := supervisor(t)
	l := guard.Limits{ReadOnly: true}
	if lost := refusals(t, w, l); lost != "" {
		t.Skipf("this machine has none of them: %s", lost)
	}
	w.Worsen(false)
	if lost := refusals(t, w, l); !strings.Contains(lost, "command lines of other processes: this test wants none") {
		t.Errorf("without numbers of its own: %q", lost)
	}
	w.Worsen(true)
	if lost := refusals(t, w, l); !strings.Contains(lost, "sees the names, sizes and times of files that it cannot open") {
		t.Errorf("without namespaces: %q", lost)
	}
}
