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
	"kibitz/rules"
)

// guardKeys are the keys of an engine that limit it, beside memory and cpus.
var guardKeys = []string{"network", "files", "processes", "handles", "filesize", "cputime", "tmp", "write", "read", "enforce", "environ"}

// guardSpec is what an engine's keys say of its limits.
type guardSpec struct {
	NoNetwork, ReadOnly bool
	Processes, Handles  int
	FileSize, Temp      int64
	CPUTime             time.Duration
	Writable            []string // folders, beside the engine's own
	Readable            []string // folders and files that files=ro leaves in sight
	Unenforced          bool     // memory is told to the engine, no more
	MostMemory          int64    // at which it is ended, 0 for what guard.Beyond grants
	Bare                bool     // its environment holds what is named, and little else
	said                map[string]bool
}

// byDefault sets the keys that are not written for an engine or for all: of a program
// alone.
func (e *engineSpec) byDefault(keys ...string) error {
	if len(e.Cmd) == 0 {
		return nil
	}
	for _, word := range keys {
		key, value, _ := strings.Cut(word, "=")
		if e.Guard.said[key] {
			continue
		}
		if err := e.Guard.set(key, value); err != nil {
			return err
		}
	}
	return nil
}

func (g *guardSpec) set(key, value string) (err error) {
	if g.said == nil {
		g.said = map[string]bool{}
	}
	g.said[key] = true
	switch key {
	case "network":
		g.NoNetwork, err = parseSwitch(key, value, "off", "on")
	case "files":
		g.ReadOnly, err = parseSwitch(key, value, "ro", "rw")
	case "environ":
		g.Bare, err = parseSwitch(key, value, "none", "all")
	case "write":
		g.Writable, err = readPaths(g.Writable, key, value, true)
	case "read":
		g.Readable, err = readPaths(g.Readable, key, value, false)
	case "enforce":
		var on bool
		g.MostMemory = 0
		if on, err = parseBool(key, value); err != nil {
			on = true
			if g.MostMemory, err = parseBytes(key, value); err != nil {
				err = fmt.Errorf("enforce=%s: must be 1, 0, or the memory at which the engine is ended, such as 450M", value)
			}
		}
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

// readPaths adds a list of paths, with colons between, which must exist.
func readPaths(list []string, key, value string, folders bool) ([]string, error) {
	for _, path := range filepath.SplitList(value) {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		switch st, bad := os.Stat(path); {
		case bad != nil && !folders:
			return nil, fmt.Errorf("%s=%s: there is no %s", key, value, path)
		case bad != nil || folders && !st.IsDir():
			return nil, fmt.Errorf("%s=%s: there is no folder %s", key, value, path)
		}
		list = append(list, path)
	}
	return list, nil
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
	homes  []string      // the engines' own folders, which others with files=ro do not see
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

// partEngines keeps the folders of engines from the sight of the others, also where
// theirs lie around them.
func (a *app) partEngines(list []*engineSpec) {
	a.guards.mu.Lock()
	defer a.guards.mu.Unlock()
	for _, e := range list {
		if len(e.Cmd) > 0 && !sharedFolder(e) && !slices.Contains(a.guards.homes, e.Dir) {
			a.guards.homes = append(a.guards.homes, e.Dir)
		}
	}
}

// othersHomes are the folders of other engines that an engine must not see.
func (g *guards) othersHomes(e *engineSpec) []string {
	own := slices.Concat([]string{e.Dir, filepath.Dir(e.Cmd[0])}, e.Cmd[1:], e.Guard.Writable, e.Guard.Readable)
	return hiddenBut(g.homes, slices.DeleteFunc(own, func(path string) bool { return !filepath.IsAbs(path) }))
}

// secludes reports whether a game has facts that an engine could learn from the files of
// the run.
func secludes(r rules.Rules) bool { return r.Doc().Info != rules.Perfect }

// sayUnlimited says once, of the first engine that is a program, what it may do, and how
// that is limited.
func (r *matchRun) sayUnlimited() {
	for i, e := range r.engines {
		if len(e.Cmd) == 0 {
			continue
		}
		if text := e.unlimited(secludes(r.rules)); text != "" {
			r.a.tell(r.names[i] + text)
		}
		return
	}
}

// unlimited says what an engine is not limited in, empty if there is nothing.
func (e *engineSpec) unlimited(hidden bool) string {
	l := e.enforced()
	var what, how []string
	add := func(limited bool, name, key string) {
		if !limited {
			what, how = append(what, name), append(how, key)
		}
	}
	add(l.ReadOnly, "files", "files=ro")
	add(l.NoNetwork, "network", "network=off")
	add(l.Memory > 0, "memory", "memory=1G")
	add(l.Processes > 0, "processes", "processes=64")
	if what == nil {
		return ""
	}
	text := fmt.Sprintf(" is a program that runs with your rights; not limited: %s; to limit all engines: --each '%s' (docs/guard.md)", strings.Join(what, ", "), strings.Join(how, " "))
	if hidden && !l.ReadOnly {
		text += "; with files=rw it may read what is hidden in this game from the files of the run"
	}
	return text
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
		Memory: g.MostMemory, Told: e.Memory, CPUTime: g.CPUTime, Processes: g.Processes, Handles: g.Handles,
		FileSize: g.FileSize, Temp: g.Temp, NoNetwork: g.NoNetwork, ReadOnly: g.ReadOnly,
		Sockets: e.Program.wine != nil, // by which its processes find each other
	}
	switch {
	case g.Unenforced:
		l.Memory, l.Told = 0, 0
	case l.Memory == 0 && e.Memory > 0:
		l.Memory = guard.Beyond(e.Memory)
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
	l.Visible = slices.Concat(e.Guard.Readable, e.Program.visible())
	l.Hidden = append(hiddenBut(a.guards.hidden, e.Program.visible()), a.guards.othersHomes(e)...)
	l.Writable = append(l.Writable, e.Program.writable()...)
	return l
}

// hideOwn keeps from engines with files=ro what the run writes.
func (r *matchRun) hideOwn() {
	if r.dir != nil {
		r.a.hide(r.dir.path)
	}
	for _, f := range r.records {
		r.a.hide(f.Name())
	}
	r.a.partEngines(r.engines)
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
