package engines

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"kibitz/link/wine"
)

// cacheDir is the folder of a run for what it unpacks and makes for its engines.
const cacheDir = "cache"

// Programs makes engines ready to be executed that are not so as they lie there:
// archives are unpacked, Windows programs get a Windows.
type Programs struct {
	dir string
	// own tells that dir was made for one command and goes with it.
	own bool
	say func(string)

	mu       sync.Mutex // guards what follows
	prefixes *wine.Prefixes
}

// NewPrograms returns the programs of a run, which lie in its folder; say is told what
// takes its time.
func NewPrograms(run string, say func(string)) (*Programs, error) {
	dir, err := filepath.Abs(filepath.Join(run, cacheDir))
	if err != nil {
		return nil, err
	}
	return &Programs{dir: dir, say: say}, nil
}

// OwnPrograms returns the programs of a command that has no run, which lie in a folder
// made for it.
func OwnPrograms(say func(string)) (*Programs, error) {
	dir, err := os.MkdirTemp("", "kibitz-programs-")
	if err != nil {
		return nil, err
	}
	return &Programs{dir: dir, own: true, say: say}, nil
}

// Ready makes the engine of a command ready that has no run; done removes what was made
// for it.
func (l *Launcher) Ready(ctx context.Context, e *Spec) (done func(), err error) {
	if !e.Program.needy() && !e.Keep {
		return func() {}, nil
	}
	p, err := OwnPrograms(l.Tell)
	if err != nil {
		return nil, err
	}
	done = func() {
		if err := p.Close(); err != nil {
			l.Warn(e.Name + ": " + strings.Join(strings.Fields(err.Error()), " "))
		}
	}
	if err = p.Ready(ctx, e); err == nil {
		err = p.Seat(e)
	}
	if err != nil {
		done()
		return nil, err
	}
	return done, nil
}

// Ready makes an engine ready.
func (p *Programs) Ready(ctx context.Context, e *Spec) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.Program.archive != "" {
		if err := p.unpack(ctx, e); err != nil {
			return &Failure{fmt.Sprintf("%s: %v", e.Name, err)}
		}
	}
	if e.Program.wine == nil {
		return nil
	}
	if p.prefixes == nil {
		p.say("Wine makes a Windows for the engines of this run, which takes some seconds")
		p.prefixes = wine.NewPrefixes(e.Program.wine, filepath.Join(p.dir, "wine"))
	}
	if err := p.prefixes.Make(ctx); err != nil {
		return &Failure{fmt.Sprintf("%s: %v", e.Name, err)}
	}
	return nil
}

// Seat gives one player of an engine what it does not share with others, and the folder that
// all players of the engine have.
func (p *Programs) Seat(e *Spec) (err error) {
	if e.Keep {
		e.Program.kept = filepath.Join(p.dir, "kept", "engine-"+url.QueryEscape(e.Name))
		if err := os.MkdirAll(e.Program.kept, 0o755); err != nil {
			return err
		}
	}
	if e.Program.wine != nil {
		e.Program.prefix, err = p.prefixes.Take()
	}
	return err
}

// Release takes it back.
func (e *Spec) Release() error {
	if e.Program.prefix == nil {
		return nil
	}
	return e.Program.prefix.Close()
}

// visible are the folders of the run that the engine must be able to read, although
// the others are hidden from it.
func (p *Program) visible() []string {
	var out []string
	if p.folder != "" {
		out = append(out, p.folder)
	}
	if p.prefix != nil {
		out = append(out, p.prefix.Readable()...)
	}
	return out
}

// writable are the folders that the engine must be able to write to, also where what is around
// them is hidden.
func (p *Program) writable() []string {
	var out []string
	if p.prefix != nil {
		out = append(out, p.prefix.Writable()...)
	}
	if p.kept != "" {
		out = append(out, p.kept)
	}
	return out
}

// hiddenBut returns what is hidden when some folders below are not: of a folder that
// holds such ones, all else that is in it now.
func hiddenBut(hidden, visible []string) []string {
	var out []string
	hidden, visible = truePaths(hidden), truePaths(visible)
	for _, h := range hidden {
		switch inside := func(v string) bool { return strings.HasPrefix(v, h+string(filepath.Separator)) }; {
		case slices.Contains(visible, h):
		case !slices.ContainsFunc(visible, inside):
			out = append(out, h)
		default:
			entries, err := os.ReadDir(h)
			if err != nil {
				out = append(out, h)
			}
			for _, e := range entries {
				out = append(out, hiddenBut([]string{filepath.Join(h, e.Name())}, visible)...)
			}
		}
	}
	return out
}

// truePaths returns absolute paths without links; one that does not exist stays as it
// is.
func truePaths(list []string) []string {
	out := slices.Clone(list)
	for i, path := range out {
		if abs, err := filepath.Abs(path); err == nil {
			out[i] = abs
		}
		if real, err := filepath.EvalSymlinks(out[i]); err == nil {
			out[i] = real
		}
	}
	return out
}

// Close ends what runs for the engines and removes what no later part of the run needs.
func (p *Programs) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	if p.prefixes != nil {
		err = p.prefixes.Close()
	}
	if p.own {
		return errors.Join(err, os.RemoveAll(p.dir))
	}
	_ = os.Remove(p.dir) // unless something was unpacked or is kept
	return err
}
