//go:build unix

package proc_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// spenderKey in the environment makes the test program an engine that uses what it
// is told to.
const spenderKey = "PROC_TEST_SPENDER"

// spender obeys: "burn MILLISECONDS" of processor time, "hold MEGABYTES" and drop
// them again, "child MILLISECONDS" waits for a process that burns them, "with
// MEGABYTES" starts one that holds them and stays, "spent" tells the processor time of
// itself and of the children that it has waited for, "exit" ends.
func spender() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		what, arg, _ := strings.Cut(in.Text(), " ")
		n, _ := strconv.Atoi(arg)
		switch what {
		case "burn":
			burn(time.Duration(n) * time.Millisecond)
		case "hold":
			b, err := syscall.Mmap(-1, 0, n<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			if err == nil {
				err = syscall.Munmap(b)
			}
			if err != nil {
				fmt.Println(err)
			}
		case "child":
			cmd := exec.Command(os.Args[0])
			cmd.Stdin = strings.NewReader("burn " + arg + "\n")
			if err := cmd.Run(); err != nil {
				fmt.Println(err)
			}
		case "with":
			cmd := exec.Command(os.Args[0])
			in, err := cmd.StdinPipe()
			out, err2 := cmd.StdoutPipe()
			if err != nil || err2 != nil || cmd.Start() != nil {
				fmt.Println("no child")
			}
			fmt.Fprintf(in, "hold %s\n", arg)
			_, _ = out.Read(make([]byte, 10))
		case "spent":
			fmt.Println(timeOf(syscall.RUSAGE_SELF) + timeOf(syscall.RUSAGE_CHILDREN))
			continue
		case "exit":
			return
		}
		fmt.Println("done")
	}
}

func burn(d time.Duration) {
	began := timeOf(syscall.RUSAGE_SELF) // to start took some, too
	for timeOf(syscall.RUSAGE_SELF)-began < d {
		for range 1000000 {
		}
	}
}

// timeOf is the processor time of the process, or of its children.
func timeOf(who int) time.Duration {
	var ru syscall.Rusage
	_ = syscall.Getrusage(who, &ru)
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}

// loopElsewhere runs for ever in a thread that is not the first.
func loopElsewhere() {
	runtime.LockOSThread() // this is the first
	go func() {
		runtime.LockOSThread()
		fmt.Println("here")
		burn(time.Hour)
	}()
	select {}
}
