package link

import (
	"os"
	"runtime"
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
	tid atomic.Int32 // the thread in it, 0 if there is none
	// roused reports whether there is a reason not to begin.
	roused func() bool
}

// read waits for as long as nobody kicks; unix.EINTR means that somebody did.
func (b *blocking) read(fd int, p []byte) (int, error) {
	b.tid.Store(int32(unix.Gettid()))
	defer b.tid.Store(0)
	if b.roused() { // who rouses later finds the thread
		return 0, unix.EINTR
	}
	return unix.Read(fd, p)
}

// waits reports whether a thread is in the read.
func (b *blocking) waits() bool { return b.tid.Load() != 0 }

// kick ends a running read.
func (b *blocking) kick() {
	pause := kickPause
	for tid := b.tid.Load(); tid != 0; tid = b.tid.Load() {
		if unix.Tgkill(os.Getpid(), int(tid), kickSignal) != nil {
			return
		}
		time.Sleep(pause)
		pause = min(2*pause, kickMost)
	}
}
