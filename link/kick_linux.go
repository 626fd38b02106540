package link

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The cheapest wait for a quick peer is a read that blocks: one call, no poll and no
// timer, which cost a tenth of a whole move. What it lacks is a way to end it. That
// is a signal to the thread that is in it, one that lets calls be interrupted; after
// the signals that the runtime sends they go on.
const (
	// kickSignal is a real-time signal that nobody uses: the runtime's handler
	// returns from it at once.
	kickSignal = syscall.Signal(61)
	// kickPause is how long a kick waits for its effect at first: a signal that comes
	// just before the read has none. It waits twice as long each time, up to kickMost,
	// because these signals queue up for a thread that does not get to run.
	kickPause = time.Millisecond
	kickMost  = 64 * time.Millisecond
	// blockLeast is how far away a deadline must be for a blocking read, which the
	// janitor ends within two ticks.
	blockLeast = 4 * tick
)

// sigaction is the kernel's structure on the machines named in allowKicks.
type sigaction struct{ handler, flags, restorer, mask uint64 }

// allowKicks lets the signal interrupt what it hits, and reports whether it does.
var allowKicks = sync.OnceValue(func() bool {
	const restart = 0x10000000 // SA_RESTART
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return false
	}
	var a sigaction
	act := func(set, get *sigaction) bool {
		_, _, e := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(kickSignal), uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(get)),
			unsafe.Sizeof(a.mask), 0, 0)
		return e == 0
	}
	if !act(nil, &a) || a.handler <= 1 {
		return false // no handler of the runtime: the signal would end the program
	}
	a.flags &^= restart
	return act(&a, nil)
})

// blocking is a read that a kick ends.
type blocking struct {
	// in tells that a thread is in it, tid which one that was when it was asked last: the
	// goroutine that reads is on another one hardly ever, and asking is a system call.
	in  atomic.Bool
	tid atomic.Int32
	// reads counts down to the next time that it is asked. A goroutine that had to wait
	// otherwise may be anywhere: then it is 0.
	reads uint8
	// roused reports whether there is a reason not to begin.
	roused func() bool
}

// sameThread is for how many reads a thread is taken to be the same.
const sameThread = 64

// read waits for as long as nobody kicks; unix.EINTR means that somebody did.
func (b *blocking) read(fd int, p []byte) (int, error) {
	if b.reads == 0 {
		b.reads = sameThread
		b.tid.Store(int32(unix.Gettid()))
	}
	b.reads--
	b.in.Store(true)
	defer b.in.Store(false)
	if b.roused() { // who rouses later finds the read
		return 0, unix.EINTR
	}
	n, err := unix.Read(fd, p)
	if err != nil {
		b.reads = 0
	}
	return n, err
}

// waits reports whether a thread is in the read.
func (b *blocking) waits() bool { return b.in.Load() }

// patience is how many signals, in 31 ms, the thread that should be in the read is sent before
// all are: it may only not get to run.
const patience = 5

// kick ends a running read: by signals to the thread that should be in it, and if they do
// not help by one to each.
func (b *blocking) kick() {
	pause := kickPause
	for n := 0; b.in.Load(); n++ {
		if err := unix.Tgkill(os.Getpid(), int(b.tid.Load()), kickSignal); err != nil || n >= patience {
			kickAll()
		}
		time.Sleep(pause)
		pause = min(2*pause, kickMost)
	}
}

// kickAll sends the signal to all threads. Each goes on with what it does, as after those that
// the runtime sends.
func kickAll() {
	list, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return
	}
	for _, e := range list {
		if tid, err := strconv.Atoi(e.Name()); err == nil {
			_ = unix.Tgkill(os.Getpid(), tid, kickSignal) // one that has ended is not in the read
		}
	}
}
