package engines

import (
	"encoding/hex"
	"fmt"
	"io"
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
var guardKeys = []string{"network", "files", "processes", "handles", "filesize", "cputime", "tmp", "write", "read", "enforce", "environ"}

// Guard is what an engine's keys say of its limits.
type Guard struct {
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

// ByDefault sets the keys that are not written for an engine or for all: of a program
// alone.
func (e *Spec) ByDefault(keys ...string) error {
	if len(e.Cmd) == 0 {
		return nil
	}
	for _, word := range keys {
		key, value, _ := strings.Cut(word, "=")
		if e.Guard.said[key] {
			continue
		}
		if err := e.Guard.set(e.folder, key, value); err != nil {
			return err
		}
	}
	return nil
}

func (g *Guard) set(folder Folder, key, value string) (err error) {
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
		g.Writable, err = folder.addPaths(g.Writable, key, value, true)
	case "read":
		g.Readable, err = folder.addPaths(g.Readable, key, value, false)
	case "enforce":
		var on bool
		g.MostMemory = 0
		if on, err = ParseBool(key, value); err != nil {
			on = true
			if g.MostMemory, err = ParseBytes(key, value); err != nil {
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
		g.FileSize, err = ParseBytes(key, value)
	case "tmp":
		g.Temp, err = ParseBytes(key, value)
	case "cputime":
		if g.CPUTime, err = parseSeconds(key, value); err == nil && g.CPUTime == 0 {
			err = fmt.Errorf("cputime=%s: must be seconds above 0", value)
		}
	}
	return err
}

// addPaths adds a list of paths, with colons between, which must exist.
func (f Folder) addPaths(list []string, key, value string, folders bool) ([]string, error) {
	for _, path := range filepath.SplitList(value) {
		path, err := f.Abs(path)
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
	allowed, err := AllowedProcessors()
	if err != nil {
		return nil, fmt.Errorf("cpus=%s: %w", value, err)
	}
	list, err := ParseProcessors(value, allowed)
	if err != nil {
		return nil, fmt.Errorf("cpus=%s: %w", value, err)
	}
	return list, nil
}

// Guards keep the engines of one command.
type Guards struct {
	// Strict makes a limit that is refused an error.
	Strict bool

	mu         sync.Mutex
	supervisor *guard.Supervisor // made with the first engine
	hidden     []string          // folders that no engine with files=ro may read
	homes      []string          // the engines' own folders, which others with files=ro do not see
	asked      []guard.Limits
	told       map[string]bool
}

// Hide keeps a folder from the sight of engines with files=ro.
func (g *Guards) Hide(dir string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.hidden = append(g.hidden, dir)
}

// Part keeps the folders of engines from the sight of the others, also where
// theirs lie around them.
func (g *Guards) Part(list []*Spec) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, e := range list {
		if len(e.Cmd) > 0 && !sharedFolder(e) && !slices.Contains(g.homes, e.Dir) {
			g.homes = append(g.homes, e.Dir)
		}
	}
}

// othersHomes are the folders of other engines that an engine must not see.
func (g *Guards) othersHomes(e *Spec) []string {
	own := slices.Concat([]string{e.Dir, filepath.Dir(e.Cmd[0])}, e.Cmd[1:], e.Guard.Writable, e.Guard.Readable)
	return hiddenBut(g.homes, slices.DeleteFunc(own, func(path string) bool { return !filepath.IsAbs(path) }))
}

// Unlimited says what an engine is not limited in, empty if there is nothing.
func (e *Spec) Unlimited(hidden bool) string {
	l := e.Enforced()
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
	text := fmt.Sprintf(" is a program that runs with your rights; not limited: %s; to limit all engines: --each '%s' (docs/guard.md)",
		strings.Join(what, ", "), strings.Join(how, " "))
	if hidden && !l.ReadOnly {
		text += "; with files=rw it may read what is hidden in this game from the files of the run"
	}
	return text
}

// Admit makes the supervisor, and tells once what the system does not enforce of an
// engine's limits. callBack tells that the engine connects to Kibitz.
func (l *Launcher) Admit(e *Spec, callBack bool) error {
	g := l.Guards
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.supervisor == nil {
		var token [4]byte
		if _, err := io.ReadFull(l.Random, token[:]); err != nil {
			return err
		}
		var err error
		if g.supervisor, err = guard.New(guard.Options{Token: hex.EncodeToString(token[:]), Lost: true}); err != nil {
			return err
		}
		g.told = map[string]bool{}
	}
	want := e.Enforced()
	if callBack && want.NoNetwork {
		want.Port = 1 // each connection has its own
	}
	if !want.Any() || slices.ContainsFunc(g.asked, func(x guard.Limits) bool { return reflect.DeepEqual(x, want) }) {
		return nil
	}
	g.asked = append(g.asked, want)
	refused, err := g.supervisor.Refusals(want)
	if err != nil {
		return fmt.Errorf("engine %q: its limits cannot be set: %w", e.Text, err)
	}
	if g.Strict && len(refused) > 0 {
		return &Failure{fmt.Sprintf("engine %q: not all limits can be enforced, and --strict asks for that: %s", e.Text,
			strings.Join(refused, "; "))}
	}
	for _, text := range refused {
		if !g.told[text] {
			g.told[text] = true
			l.Tell("warning: " + text)
		}
	}
	return nil
}

// Enforced are the limits of an engine without its folders.
func (e *Spec) Enforced() guard.Limits {
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
func (g *Guards) limitsOf(e *Spec) guard.Limits {
	l := e.Enforced()
	if !l.ReadOnly {
		return l
	}
	l.Writable = slices.Clone(e.Guard.Writable)
	if !sharedFolder(e) {
		l.Writable = append(l.Writable, e.Dir)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	l.Visible = slices.Concat(e.Guard.Readable, e.Program.visible())
	l.Hidden = append(hiddenBut(g.hidden, e.Program.visible()), g.othersHomes(e)...)
	l.Writable = append(l.Writable, e.Program.writable()...)
	return l
}

// Holder returns who keeps the engines of this command, nil before the first.
func (g *Guards) Holder() *guard.Supervisor {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.supervisor
}

// Close ends what engines have left behind.
func (g *Guards) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.supervisor.Close()
	g.supervisor = nil
	return err
}
