//go:build unix

package proc

import (
	"strings"
	"testing"

	"kibitz/link"
)

func TestNotes(t *testing.T) {
	unix, wine, windows := ending{}, ending{windows: true, layered: true}, ending{windows: true}
	for _, k := range []struct {
		d    ending
		e    link.Exit
		want string // empty for no note
	}{
		{unix, link.Exit{Code: 0}, ""},
		{unix, link.Exit{Code: 3}, ""},
		{unix, link.Exit{Code: 5}, ""},
		{unix, link.Exit{Code: 126}, "could not be run"},
		{unix, link.Exit{Code: 127}, "a command was not found, or a library is missing"},
		{unix, link.Exit{Code: 128}, ""},
		{unix, link.Exit{Code: 134}, "signal 6, abort"},
		{unix, link.Exit{Code: 137}, "signal 9, killed"},
		{unix, link.Exit{Code: 139}, "signal 11, segmentation fault: it used memory"},
		{unix, link.Exit{Code: 160}, ""},
		{unix, link.Exit{Code: 255}, ""},
		{unix, link.Exit{Code: -1, Signal: "segmentation fault"}, "not its own"},
		{unix, link.Exit{Code: -1, Signal: "CPU time limit exceeded"}, "more processor time"},
		{unix, link.Exit{Code: -1, Signal: "file size limit exceeded"}, "larger file"},
		{unix, link.Exit{Code: -1, Signal: "bad system call"}, "forbidden"},
		{unix, link.Exit{Code: -1, Signal: "user defined signal 1"}, ""},
		{unix, link.Exit{Code: -1, Signal: "killed"}, "Kibitz did not kill it"},
		{ending{starved: 1}, link.Exit{Code: -1, Signal: "killed"}, "by the kernel for want of memory: it killed a process for that since"},
		{ending{starved: 3}, link.Exit{Code: -1, Signal: "killed"}, "it killed 3 processes"},
		{ending{starved: 3}, link.Exit{Code: -1, Signal: "terminated"}, "did not ask"},
		{ending{starved: 3}, link.Exit{Code: 1}, ""},
		{ending{ours: true}, link.Exit{Code: -1, Signal: "terminated"}, "when Kibitz ended it"},
		{ending{limited: true}, link.Exit{Code: -1, Signal: "killed"}, ""},
		{wine, link.Exit{Code: 0}, ""},
		{wine, link.Exit{Code: 1}, ""},
		{wine, link.Exit{Code: 5}, "perhaps c0000005, access violation"},
		{wine, link.Exit{Code: 253}, "perhaps c00000fd, stack overflow"},
		{wine, link.Exit{Code: 53}, "perhaps c0000135, a DLL"},
		{wine, link.Exit{Code: 139}, ""},
		{windows, link.Exit{Code: 5}, ""},
		{windows, link.Exit{Code: 0xc0000005}, "c0000005, access violation"},
		{windows, link.Exit{Code: 0xc0000409}, "c0000409, it gave up"},
	} {
		got := k.d.note(k.e)
		if k.want == "" != (got == "") || !strings.Contains(got, k.want) {
			t.Errorf("%+v of %+v: %q, want %q", k.e, k.d, got, k.want)
		}
	}
}

func TestLayered(t *testing.T) {
	for _, k := range []struct {
		path string
		args []string
		want bool
	}{
		{"/usr/bin/wine", []string{"/e/pbrain-x.EXE", "-q"}, true},
		{"/usr/lib/wine/wine64", []string{"C:\\x.exe"}, true},
		{"/e/pbrain-x.exe", nil, true},
		{"/usr/bin/wine", []string{"--version"}, false},
		{"/e/swine", []string{"x.exe"}, false},
		{"/e/engine", []string{"exe"}, false},
	} {
		if got := (&Spec{Path: k.path, Args: k.args}).layered(); got != k.want {
			t.Errorf("%s %q: %v", k.path, k.args, got)
		}
	}
}
