// Package guard keeps engines in cells: untrusted programs whose memory, processor
// time, processes, files and network are limited before their first instruction, and
// of which nothing is left when the cell is closed.
//
// A Supervisor knows what the system can do and owns the cells; a Cell holds one engine
// with everything that it starts. On Linux the limits are set by Kibitz itself, which
// is executed again between fork and exec of the engine (see Helper), and a cell is a
// control group where one may be made. Otherwise orphans, processes that left the
// engine's process group, are known by a mark in their environment and come back to
// Kibitz, which is a subreaper. Other systems run engines without limits: the Supervisor
// says so.
package guard

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Limits are what an engine, with all that it starts, may use. Zero values mean no
// limit.
type Limits struct {
	// Memory is the most resident memory in bytes. Where there is no control group
	// for it the sum is sampled, and the engine is ended when it is above.
	Memory int64
	// Told is how much memory the engine was told it may have, if that is another
	// number; it stands in the words of a verdict.
	Told int64
	// CPUTime is the most processor time of the engine's life.
	CPUTime time.Duration
	// Processes is how many processes and threads there may be at a time.
	Processes int
	// Handles is how many files, pipes and sockets one process may hold open.
	Handles int
	// FileSize is the most bytes of one file that is written.
	FileSize int64
	// Temp is how many bytes may lie in the private temporary folder, which every
	// engine with limits has.
	Temp int64
	// NoNetwork takes the network away. Port, if it is not 0, is the one TCP port
	// to which the engine may connect all the same.
	// Sockets in the file system stay if Sockets is set, since Wine lives by them.
	NoNetwork bool
	Port      int
	Sockets   bool
	// ReadOnly gives the engine a world of its own: it writes to Writable and the
	// private temporary folder, reads Visible, its folder, the files of its command and
	// the system's programs, and knows of no other file, process or socket. What is
	// below Hidden it does not see either way.
	ReadOnly bool
	Writable []string
	Visible  []string
	Hidden   []string
	// Pinned keeps an engine that has any other limit on the processors on which it
	// is started.
	Pinned bool
}

// leastBeyond and shareBeyond are how much memory an engine may have beyond what it was
// told: a share of it, and at least so much.
const (
	leastBeyond = 32 << 20
	shareBeyond = 8
)

// Beyond returns at how much memory an engine is ended that was told it may have so
// much. Engines reserve what they are told for their tables and need their program, its
// libraries and stacks besides, and the managers they were written for measure later
// and coarser.
func Beyond(told int64) int64 { return told + max(leastBeyond, told/shareBeyond) }

// mostMemory is the limit of memory in words.
func (l *Limits) mostMemory() string {
	if l.Told > 0 && l.Told != l.Memory {
		return fmt.Sprintf("%s, it was told %s", Bytes(l.Memory), Bytes(l.Told))
	}
	return Bytes(l.Memory)
}

// Any reports whether anything is limited.
func (l *Limits) Any() bool {
	return l.Memory > 0 || l.CPUTime > 0 || l.Processes > 0 || l.Handles > 0 || l.FileSize > 0 || l.Temp > 0 || l.NoNetwork || l.ReadOnly
}

// Options are what a Supervisor is made with.
type Options struct {
	// Temp is the folder in which the engines' private temporary folders are made,
	// the system's one for such things if empty.
	Temp string
	// Token tells this Supervisor from others of the same program, now and earlier.
	Token string
	// Lost tells that engines which a Kibitz that was killed has left behind are to
	// be ended first.
	Lost bool
}

// cover returns paths that together hold everything below root but what is below the
// hidden ones. Symbolic links between are left out, since a rule for a link is a rule
// for what it leads to; where that is not hidden it has its own place.
func cover(root string, hidden []string) []string {
	switch {
	case slices.ContainsFunc(hidden, func(h string) bool { return below(root, h) }):
		return nil
	case !slices.ContainsFunc(hidden, func(h string) bool { return below(h, root) }):
		return []string{root}
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if e.Type()&os.ModeSymlink == 0 {
			out = append(out, cover(filepath.Join(root, e.Name()), hidden)...)
		}
	}
	return out
}

// inside returns the hidden folders that lie in dir: one in a hidden folder is seen
// all the same, if it is named itself.
func inside(dir string, hidden []string) []string {
	return slices.DeleteFunc(slices.Clone(hidden), func(h string) bool { return h != dir && !below(h, dir) })
}

// below reports whether a clean absolute path is root or below it.
func below(path, root string) bool {
	if root == path {
		return true
	}
	return strings.HasPrefix(path, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator))
}

// real returns paths without links, clean and absolute. What does not exist yet is
// taken where it would be; what cannot be is left out.
func real(paths []string) []string {
	var out []string
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			continue
		}
		path, err := filepath.EvalSymlinks(abs)
		if errors.Is(err, os.ErrNotExist) {
			path, err = filepath.EvalSymlinks(filepath.Dir(abs))
			path = filepath.Join(path, filepath.Base(abs))
		}
		if err == nil {
			out = append(out, path)
		}
	}
	return out
}

// Environ returns an environment in which every variable stands once, with the value
// that is given last: programs take the first that they find.
func Environ(env []string, more ...string) []string {
	out := make([]string, 0, len(env)+len(more))
	seen := map[string]bool{}
	all := slices.Concat(env, more)
	for i := len(all) - 1; i >= 0; i-- {
		key, _, _ := strings.Cut(all[i], "=")
		if !seen[key] {
			seen[key] = true
			out = append(out, all[i])
		}
	}
	slices.Reverse(out)
	return out
}

// Bytes prints a number of bytes in the largest unit that leaves it readable.
func Bytes(n int64) string {
	const units = "KMGT"
	if n < 1<<10 {
		return fmt.Sprintf("%d bytes", n)
	}
	x, unit := float64(n), byte(0)
	for i := 0; i < len(units) && x >= 1<<10; i++ {
		x, unit = x/(1<<10), units[i]
	}
	if x >= 10 || x == float64(int64(x)) {
		return fmt.Sprintf("%.0f %cB", x, unit)
	}
	return fmt.Sprintf("%.1f %cB", x, unit)
}
