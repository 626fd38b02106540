package proc

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"kibitz/link"
)

// ending is what is known of the end of a process beside its status.
type ending struct {
	// windows tells that the program was one for Windows, under Wine if layered.
	windows, layered bool
	// starved is how many processes the kernel has killed since the start because
	// memory ran out, anywhere on the machine.
	starved int64
	// ours tells that Kibitz had asked it to end, limited that it had run into a
	// limit, which is told elsewhere.
	ours, limited bool
}

// meanings of signals, by the system's names for them. What needs no words has none.
var meanings = map[string]string{
	"segmentation fault":       "it used memory that is not its own, or its stack ran over",
	"aborted":                  "it gave up by itself: a failed assertion, an exception that nobody caught, or no memory",
	"illegal instruction":      "it was compiled for another processor, or ran into damaged code",
	"bus error":                "it used memory that is not there, such as the end of a file that has become shorter",
	"floating point exception": "most often a division of whole numbers by zero",
	"bad system call":          "it made a call to the system that is forbidden to it",
	"broken pipe":              "it wrote where nobody reads any more",
	"CPU time limit exceeded":  "it used more processor time than it was allowed",
	"file size limit exceeded": "it wrote a larger file than it was allowed",
	"trace/breakpoint trap":    "it ran into a breakpoint, or gave up by itself",
	"terminated":               "Kibitz did not ask it to end",
	"killed":                   "Kibitz did not kill it: a person, another program or the kernel did",
}

// ntstatus are the exit statuses of Windows programs that were not ended by themselves.
var ntstatus = []struct {
	code    uint32
	meaning string
}{
	{0xc0000005, "access violation: it used memory that is not its own"},
	{0xc00000fd, "stack overflow"},
	{0xc000001d, "illegal instruction: it was compiled for another processor"},
	{0xc0000094, "division of whole numbers by zero"},
	{0xc0000017, "no memory"},
	{0xc0000374, "its heap is damaged"},
	{0xc0000409, "it gave up by itself, or its stack is damaged"},
	{0xc0000135, "a DLL that it needs is missing"},
	{0xc0000139, "a DLL that it needs is of another version"},
	{0xc000007b, "a DLL that it needs is damaged or of the other word size"},
	{0xc0000142, "a DLL that it needs could not be made ready"},
	{0xc000013a, "it was interrupted from its console"},
	{0x80000003, "it ran into a breakpoint, or gave up by itself"},
}

// note says what a status means, empty for one that says all.
func (d ending) note(e link.Exit) string {
	switch {
	case d.ours:
		return "when Kibitz ended it"
	case d.limited:
		return ""
	case e.Signal == "killed" && d.starved > 0:
		return fmt.Sprintf("most likely by the kernel for want of memory: it killed %s for that since the engine was started",
			processes(d.starved))
	case e.Signal != "":
		return meanings[e.Signal]
	case d.windows:
		return d.ntNote(e.Code)
	}
	switch {
	case e.Code == 126:
		return "as a shell says it: a command was found and could not be run"
	case e.Code == 127:
		return "as a shell says it: a command was not found, or a library is missing"
	case e.Code > 128 && e.Code < 128+32:
		name := syscall.Signal(e.Code - 128).String()
		text := fmt.Sprintf("as a shell says it: signal %d, %s", e.Code-128, name)
		if m := meanings[name]; m != "" && name != "killed" && name != "terminated" {
			text += ": " + m
		}
		return text
	}
	return ""
}

func processes(n int64) string {
	if n == 1 {
		return "a process"
	}
	return fmt.Sprintf("%d processes", n)
}

// ntNote explains the status of a Windows program, of which Wine passes on the last
// eight bits.
func (d ending) ntNote(code int) string {
	for _, s := range ntstatus {
		switch {
		case d.layered && code == int(s.code&0xff):
			return fmt.Sprintf("under Wine perhaps %08x, %s", s.code, s.meaning)
		case !d.layered && uint32(code) == s.code:
			return fmt.Sprintf("%08x, %s", s.code, s.meaning)
		}
	}
	return ""
}

// ending gathers what is known when a process has ended so; before is how many processes
// had starved when it was started.
func (s *Spec) ending(exit link.Exit, before int64, limited bool) ending {
	d := ending{windows: runtime.GOOS == "windows", layered: s.layered(), limited: limited}
	d.windows = d.windows || d.layered
	if exit.Signal != "" { // who was starved was killed
		d.starved = starved() - before
	}
	return d
}

// layered reports whether the program is one for Windows that Wine runs.
func (s *Spec) layered() bool {
	if runtime.GOOS == "windows" {
		return false
	}
	exe := func(path string) bool { return strings.EqualFold(filepath.Ext(path), ".exe") }
	if exe(s.Path) {
		return true
	}
	if !strings.HasPrefix(filepath.Base(s.Path), "wine") {
		return false
	}
	return slices.ContainsFunc(s.Args, exe)
}
