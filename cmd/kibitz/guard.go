package main

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"kibitz/link/guard"
)

// guardKeys are the keys of an engine that limit it, beside memory and cpus.
var guardKeys = []string{"network", "files", "processes", "handles", "filesize", "cputime", "tmp", "write", "enforce"}

// guardSpec is what an engine's keys say of its limits.
type guardSpec struct {
	NoNetwork, ReadOnly bool
	Processes, Handles  int
	FileSize, Temp      int64
	CPUTime             time.Duration
	Writable            []string // folders, beside the engine's own
	Unenforced          bool     // memory is told to the engine, no more
}

func (g *guardSpec) set(key, value string) (err error) {
	switch key {
	case "network":
		g.NoNetwork, err = parseSwitch(key, value, "off", "on")
	case "files":
		g.ReadOnly, err = parseSwitch(key, value, "ro", "rw")
	case "write":
		for _, dir := range filepath.SplitList(value) {
			if dir, err = filepath.Abs(dir); err != nil {
				return err
			}
			if st, bad := os.Stat(dir); bad != nil || !st.IsDir() {
				return fmt.Errorf("write=%s: there is no folder %s", value, dir)
			}
			g.Writable = append(g.Writable, dir)
		}
	case "enforce":
		var on bool
		on, err = parseBool(key, value)
		g.Unenforced = !on
	case "processes":
		g.Processes, err = parseCount(key, value)
	case "handles":
		if g.Handles, err = parseCount(key, value); err == nil && g.Handles < leastHandles {
			err = fmt.Errorf("handles=%s: must be at least %d: no program starts with less", value, leastHandles)
		}
	case "filesize":
		g.FileSize, err = parseBytes(key, value)
	case "tmp":
		g.Temp, err = parseBytes(key, value)
	case "cputime":
		if g.CPUTime, err = parseSeconds(key, value); err == nil && g.CPUTime == 0 {
			err = fmt.Errorf("cputime=%s: must be seconds above 0", value)
		}
	}
	return err
}

// leastHandles is how many open files a dynamically linked program needs to begin.
const leastHandles = 8

// parseSwitch reads one of two words and reports whether it is the first.
func parseSwitch(key, value, yes, no string) (bool, error) {
	if value != yes && value != no {
		return false, fmt.Errorf("%s=%s: must be %s or %s", key, value, yes, no)
	}
	return value == yes, nil
}

// parseOwnProcessors reads the processors of one engine.
func parseOwnProcessors(value string) ([]int, error) {
	allowed, err := allowedProcessors()
	if err != nil {
		return nil, fmt.Errorf("cpus=%s: %w", value, err)
	}
	list, err := parseProcessors(value, allowed)
	if err != nil {
		return nil, fmt.Errorf("cpus=%s: %w", value, err)
	}
	return list, nil
}

// guards keep the engines of one command.
type guards struct {
	mu     sync.Mutex
	warden *guard.Warden // made with the first engine
	hidden []string      // folders that no engine with files=ro may read
	strict bool          // a limit that is refused is an error
	asked  []guard.Limits
	told   map[string]bool
}

// hide keeps a folder from the sight of engines with files=ro.
func (a *app) hide(dir string) {
	a.guards.mu.Lock()
	defer a.guards.mu.Unlock()
	a.guards.hidden = append(a.guards.hidden, dir)
}

// admit makes the warden, and tells once what the system does not enforce of an
// engine's limits. callBack tells that the engine connects to Kibitz.
func (a *app) admit(e *engineSpec, callBack bool) error {
	g := &a.guards
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.warden == nil {
		var token [4]byte
		if _, err := rand.Read(token[:]); err != nil {
			return err
		}
		var err error
		if g.warden, err = guard.New(guard.Options{Token: hex.EncodeToString(token[:]), Lost: true}); err != nil {
			return err
		}
		g.told = map[string]bool{}
	}
	l := e.enforced()
	if callBack && l.NoNetwork {
		l.Port = 1 // each connection has its own
	}
	if !l.Any() || slices.ContainsFunc(g.asked, func(x guard.Limits) bool { return reflect.DeepEqual(x, l) }) {
		return nil
	}
	g.asked = append(g.asked, l)
	refused, err := g.warden.Refusals(l)
	if err != nil {
		return fmt.Errorf("engine %q: its limits cannot be set: %w", e.Text, err)
	}
	if g.strict && len(refused) > 0 {
		return badVerdict("engine %q: not all limits can be enforced, and --strict asks for that: %s", e.Text, strings.Join(refused, "; "))
	}
	for _, text := range refused {
		if !g.told[text] {
			g.told[text] = true
			a.tell("warning: " + text)
		}
	}
	return nil
}

// enforced are the limits of an engine without its folders.
func (e *engineSpec) enforced() guard.Limits {
	g := &e.Guard
	l := guard.Limits{
		Memory: e.Memory, CPUTime: g.CPUTime, Processes: g.Processes, Handles: g.Handles,
		FileSize: g.FileSize, Temp: g.Temp, NoNetwork: g.NoNetwork, ReadOnly: g.ReadOnly,
		Sockets: e.Program.wine != nil, // by which its processes find each other
	}
	if g.Unenforced {
		l.Memory = 0
	}
	return l
}

// limitsOf are the limits of an engine. One that runs in a folder of programs for
// everybody, as that of an interpreter is, may not write there.
func (a *app) limitsOf(e *engineSpec) guard.Limits {
	l := e.enforced()
	if !l.ReadOnly {
		return l
	}
	l.Writable = slices.Clone(e.Guard.Writable)
	if !sharedFolder(e) {
		l.Writable = append(l.Writable, e.Dir)
	}
	a.guards.mu.Lock()
	defer a.guards.mu.Unlock()
	l.Hidden = hiddenBut(a.guards.hidden, e.Program.visible())
	l.Writable = append(l.Writable, e.Program.writable()...)
	return l
}

// hideOwn keeps from engines with files=ro what the run writes.
func (r *matchRun) hideOwn() {
	if r.dir != nil {
		r.a.hide(r.dir.path)
	}
	for _, f := range r.records {
		r.a.hide(f.name)
	}
}

// holder returns who keeps the engines of this command, nil before the first.
func (g *guards) holder() *guard.Warden {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.warden
}

// close ends what engines have left behind.
func (g *guards) close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.warden.Close()
	g.warden = nil
	return err
}
