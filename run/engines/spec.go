// Package engines makes players of what is said of an engine: a program, an archive, a
// built-in engine or a person, with its clock, limits and guard.
package engines

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"kibitz/clock"
	"kibitz/protocol"
)

// Spec is one engine: who plays, by which clock, and within which limits.
type Spec struct {
	Name  string
	Named bool     // the name was given
	Cmd   []string // executable and arguments; empty for a bot or a person
	Bot   string   // "1" to "9" or "random"
	Human bool
	// Variety is in how many plies a built-in engine draws among its best moves.
	Variety int
	Proto   string
	Dir     string
	Env     []string
	// Options and Dialect are option.X and dialect.X.
	Options []protocol.Option
	Dialect map[string]string
	Control clock.Control
	Depth   int
	Nodes   int64
	Threads int
	Memory  int64
	Guard   Guard
	Margin  time.Duration
	Ponder  bool
	Suspend bool
	// Learn tells that the engine is to learn from each finished game.
	Learn bool
	// Keep tells that the engine is given a folder of its own that stays for the whole run.
	Keep    bool
	Restart protocol.Restart
	// StartLimit is how long the engine may take to become ready, 0 for the
	// protocol's own limit.
	StartLimit time.Duration
	// Direct is link.Options.Direct: few enough games run at a time.
	Direct bool
	// Processors are those that it may run on, none for any.
	Processors []int
	// Program is what the command needs before it can be executed.
	Program Program
	// Shared tells that another person sits at this terminal.
	Shared bool
	// Text is the specification as it was given.
	Text string
	// folder is where the relative paths in it count from.
	folder Folder
}

// DefaultMargin is how long an engine may be over its time.
const DefaultMargin = 100 * time.Millisecond

// Keys are the keys that stand alone; env., option. and dialect. take a name.
var Keys = []string{
	"cmd", "bot", "human", "name", "proto", "dir", "tc", "st", "delay", "bronstein", "byo", "canadian", "overtime",
	"hourglass", "depth", "nodes", "threads", "margin", "ponder", "suspend", "learn", "keep", "memory", "restart",
	"cpus", "network", "files", "processes", "handles", "filesize", "cputime", "tmp", "write", "read", "enforce", "environ",
}

// Parse reads an engine's key=value words; each gives the defaults for all
// engines and may be empty.
func Parse(each, text string) (*Spec, error) {
	common, err := ParseWords(each)
	if err != nil {
		return nil, err
	}
	own, err := ParseWords(text)
	if err != nil {
		return nil, err
	}
	return New(common, own)
}

// New makes an engine of its words and those for all engines. Relative paths count from
// the working directory. The error is an *Error.
func New(each, own Words) (*Spec, error) { return Folder("").New(each, own) }

// New makes an engine whose relative paths count from the folder.
func (f Folder) New(each, own Words) (*Spec, error) {
	e := &Spec{Margin: DefaultMargin, Dialect: map[string]string{}, Text: own.String(), folder: f}
	clocks := map[string]string{}
	for i, part := range []Words{each, own} {
		for _, w := range part {
			if err := e.set(w.Key, w.Value, clocks); err != nil {
				return nil, &Error{Text: part.String(), Key: w.Key, Each: i == 0, Err: err}
			}
		}
	}
	key, err := e.finish(clocks)
	if err == nil {
		key, err = e.checkOwn(own)
	}
	if err != nil {
		_, here := own.Get(key)
		return nil, &Error{Text: e.Text, Key: key, Each: key != "" && !here, Err: err}
	}
	return e, nil
}

// checkOwn refuses words that mean nothing for a built-in engine or a person. As
// defaults for all engines they are meant for the others.
func (e *Spec) checkOwn(own Words) (key string, err error) {
	if len(e.Cmd) > 0 {
		return "", nil
	}
	thinks := e.Bot != "" && e.Bot != "random"
	for _, w := range own {
		kind, _, _ := strings.Cut(w.Key, ".")
		if (kind == "ponder" || w.Key == KeyVariety) && !thinks {
			return w.Key, fmt.Errorf("%s goes with cmd= and bot=1 to bot=9 alone", w.Key)
		}
		if w.Key == KeyVariety {
			continue
		}
		if slices.Contains([]string{"proto", "dir", "restart", "suspend", "learn", "keep", "env", "option", "dialect"}, kind) ||
			slices.Contains(guardKeys, kind) {
			return w.Key, fmt.Errorf("%s goes with cmd= alone", w.Key)
		}
	}
	e.Suspend, e.Learn, e.Keep, e.Ponder = false, false, false, e.Ponder && thinks
	return "", nil
}

func (e *Spec) set(key, value string, clocks map[string]string) error {
	if kind, name, ok := strings.Cut(key, "."); ok && name != "" {
		switch kind {
		case "env":
			e.Env = append(e.Env, name+"="+value)
			return nil
		case "option":
			e.Options = append(e.Options, protocol.Option{Key: name, Value: value})
			return nil
		case "dialect":
			e.Dialect[name] = value
			return nil
		}
	}
	if !slices.Contains(Keys, key) {
		return fmt.Errorf("unknown key %q: known are %s env.X option.X dialect.X", key, strings.Join(Keys, " "))
	}
	return e.setKnown(key, value, clocks)
}

func (e *Spec) setKnown(key, value string, clocks map[string]string) (err error) {
	switch key {
	case "cmd":
		e.Cmd, err = e.folder.splitCommand(value)
	case "bot":
		if n, bad := strconv.Atoi(value); value != "random" && (bad != nil || n < 1 || n > 9) {
			return fmt.Errorf("bot=%s: must be 1 to 9 or random", value)
		}
		e.Bot = value
	case "human":
		e.Human, err = ParseBool(key, value)
	case "name":
		e.Name, e.Named = value, true
		if strings.ContainsFunc(value, unicode.IsControl) {
			err = fmt.Errorf("name=%q: must be one line without control characters", value)
		}
	case "proto":
		e.Proto = value
	case "dir":
		e.Dir = value
	case "depth":
		e.Depth, err = parseCount(key, value)
	case "threads":
		e.Threads, err = parseCount(key, value)
	case "nodes":
		if e.Nodes, err = strconv.ParseInt(value, 10, 64); err != nil || e.Nodes < 1 {
			err = fmt.Errorf("nodes=%s: must be a whole number above 0", value)
		}
	case "margin":
		e.Margin, err = parseSeconds(key, value)
	case "ponder", "suspend", "learn", "keep":
		at := map[string]*bool{"ponder": &e.Ponder, "suspend": &e.Suspend, "learn": &e.Learn, "keep": &e.Keep}[key]
		*at, err = ParseBool(key, value)
	case "memory":
		e.Memory, err = ParseBytes(key, value)
	case "cpus":
		e.Processors, err = parseOwnProcessors(value)
	case "restart":
		policies := map[string]protocol.Restart{"auto": protocol.RestartAuto, "game": protocol.RestartEachGame, "never": protocol.RestartNever}
		p, ok := policies[value]
		if !ok {
			return fmt.Errorf("restart=%s: must be auto, game or never", value)
		}
		e.Restart = p
	default:
		if slices.Contains(guardKeys, key) {
			return e.Guard.set(e.folder, key, value)
		}
		clocks[key] = value
	}
	return err
}

// finish completes the engine when all words are read; key is the one that is wrong.
func (e *Spec) finish(clocks map[string]string) (key string, err error) {
	kinds := 0
	for _, is := range []bool{len(e.Cmd) > 0, e.Bot != "", e.Human} {
		if is {
			kinds++
		}
	}
	if kinds != 1 {
		return "", fmt.Errorf("needs exactly one of cmd=, bot= and human=1")
	}
	if err := e.setVariety(); err != nil {
		return KeyVariety, err
	}
	get := func(key string) (string, bool) { v, ok := clocks[key]; return v, ok }
	if e.Control, err = clock.FromKeys(get); err != nil {
		if of, ok := errors.AsType[*clock.KeyError](err); ok {
			key = of.Key
		}
		return key, err
	}
	if len(e.Cmd) > 0 {
		if err := e.findExecutable(); err != nil {
			return "cmd", err
		}
	}
	if e.Name == "" {
		e.Name = e.DefaultName()
	}
	return "", nil
}

// KeyVariety is the only option of built-in engines.
const KeyVariety = "option.variety"

// setVariety reads the option of a built-in engine; the latest counts.
func (e *Spec) setVariety() (err error) {
	for _, o := range e.Options {
		if e.Bot != "" && "option."+o.Key == KeyVariety {
			if e.Variety, err = strconv.Atoi(o.Value); err != nil || e.Variety < 0 {
				return fmt.Errorf("%s=%s: must be a number of plies, 0 or more", KeyVariety, o.Value)
			}
		}
	}
	return nil
}

// DefaultName is the name of an engine that was given none.
func (e *Spec) DefaultName() string {
	switch {
	case e.Human:
		return "human"
	case e.Bot == "random":
		return "random"
	case e.Bot != "":
		return "level" + e.Bot
	}
	base := filepath.Base(e.Cmd[0])
	for _, ext := range []string{".exe", ".zip"} {
		base = strings.TrimSuffix(base, ext)
	}
	return strings.TrimPrefix(base, "pbrain-")
}
