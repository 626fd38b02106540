package wine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// makeLimit is how long the first prefix may take: seconds, on a busy machine
	// more.
	makeLimit = 3 * time.Minute
	// stopLimit is how long wineserver may take to end what runs in a prefix.
	stopLimit = time.Minute
)

// modelName is the prefix from which the others are copied.
const modelName = "model"

// Prefixes are the prefixes of one run. Their methods may be called from anywhere.
type Prefixes struct {
	in  *Install
	dir string

	mu    sync.Mutex
	made  bool
	base  string // where servers have their folders, empty if nobody knows
	count int
	taken map[*Prefix]bool
}

// NewPrefixes returns prefixes that lie in a folder, which is made when the first is
// needed. What an earlier run has left there is ended and removed then.
func NewPrefixes(in *Install, dir string) *Prefixes {
	return &Prefixes{in: in, dir: dir, taken: map[*Prefix]bool{}}
}

// Make makes the first prefix, which takes seconds; after that it does nothing.
func (p *Prefixes) Make(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.made {
		return nil
	}
	if err := p.clear(); err != nil {
		return err
	}
	model := filepath.Join(p.dir, modelName)
	if err := os.MkdirAll(filepath.Join(model, homeName), 0o700); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, makeLimit)
	defer stop()
	out, err := p.run(ctx, model, p.in.Loader, "wineboot.exe", "--init")
	if server := serverFolder(model); server != "" {
		p.base = filepath.Dir(server)
	}
	down := p.stop(model)
	if err == nil {
		err = awaitRegistry(ctx, model)
	}
	if down = errors.Join(down, kill(model)); err == nil {
		err = down
	}
	if err == nil {
		err = reduce(model, p.in.Libraries)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s cannot make a Windows for the engines: %w%s", p.in.Loader, err, said(out)), p.clear())
	}
	p.made = true
	return nil
}

// registryPause lies between two looks at the files that the server writes.
const registryPause = 50 * time.Millisecond

// awaitRegistry waits until the server has written the registry, which it does when it
// ends, and after half a minute at the latest: before that it must not be killed.
func awaitRegistry(ctx context.Context, prefix string) error {
	for _, name := range []string{"system.reg", "user.reg", "userdef.reg"} {
		for {
			if _, err := os.Stat(filepath.Join(prefix, name)); err == nil {
				break
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("the registry %s is not written: %w", name, ctx.Err())
			case <-time.After(registryPause):
			}
		}
	}
	return nil
}

// said returns the last words of a program, for the end of an error.
func said(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return ": " + last
	}
	return ""
}

// run executes one of Wine's programs in a prefix and returns what it printed.
func (p *Prefixes) run(ctx context.Context, prefix, program string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = environ(os.Environ(), prefix)
	cmd.Dir = prefix
	cmd.WaitDelay = time.Second // services that it has started keep its output open
	f, err := os.CreateTemp(p.dir, "said-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = errors.Join(f.Close(), os.Remove(f.Name())) }()
	cmd.Stdout, cmd.Stderr = f, f
	apart(cmd)
	err = cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	out := make([]byte, 4096)
	n, _ := f.ReadAt(out, 0)
	return out[:n], err
}

// Take returns a prefix for one engine, for as long as it plays; Make must have
// succeeded.
func (p *Prefixes) Take() (*Prefix, error) {
	p.mu.Lock()
	p.count++
	x := &Prefix{of: p, path: filepath.Join(p.dir, strconv.Itoa(p.count))}
	p.taken[x] = true
	p.mu.Unlock()
	model := filepath.Join(p.dir, modelName)
	err := copyTree(model, x.path)
	if err == nil && p.base != "" {
		if name, ok := serverName(x.path); ok {
			x.server = filepath.Join(p.base, name)
			err = os.MkdirAll(x.server, 0o700)
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cannot make a Windows for an engine: %w", err), x.Close())
	}
	return x, nil
}

// Close ends everything that runs in a prefix and removes them all.
func (p *Prefixes) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made = false
	return p.clear()
}

// clear ends and removes all prefixes that lie in the folder, and the folder.
func (p *Prefixes) clear() error {
	entries, err := os.ReadDir(p.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() {
			err = errors.Join(err, p.remove(filepath.Join(p.dir, e.Name())))
		}
	}
	return errors.Join(err, os.RemoveAll(p.dir))
}

// remove ends what runs in a prefix and removes it with the folder of its server. Until
// the run ends an empty file keeps its place, so that a process which is only beginning
// cannot make it anew.
func (p *Prefixes) remove(prefix string) error {
	server := serverFolder(prefix)
	err := kill(prefix)
	if runtime.GOOS != "linux" {
		err = p.stop(prefix)
	}
	gone := prefix + ".gone"
	err = errors.Join(err, os.Rename(prefix, gone), os.WriteFile(prefix, nil, 0o400), kill(prefix))
	if server != "" {
		err = errors.Join(err, os.RemoveAll(server))
		_ = os.Remove(filepath.Dir(server)) // unless there are others
	}
	return errors.Join(err, os.RemoveAll(gone))
}

// stop ends what runs in a prefix in Wine's own way: its server is interrupted, ends
// all programs and writes the registry, however long that takes within the limit.
// (wineserver -k without a number would kill it after some seconds.)
func (p *Prefixes) stop(prefix string) error {
	if serverFolder(prefix) == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopLimit)
	defer cancel()
	for _, word := range []string{"-k2", "-w"} {
		// The exit status tells nothing: it is not 0 if no server runs any more.
		if out, err := p.run(ctx, prefix, p.in.Server, word); ctx.Err() != nil || errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("what Wine has started in %s does not end: %w%s", prefix, err, said(out))
		}
	}
	return nil
}

// Prefix is a Windows for one engine.
type Prefix struct {
	of     *Prefixes
	path   string
	server string // the folder of its server, empty if nobody knows
}

// Command returns what is executed to run a Windows program: Wine with the program and
// its arguments.
func (x *Prefix) Command(program string, args []string) (path string, rest []string) {
	return x.of.in.Loader, append([]string{program}, args...)
}

// Environ returns the environment of an engine in this prefix: env, what Wine needs,
// and further variables that count more.
func (x *Prefix) Environ(env []string, more ...string) []string {
	return merge(environ(env, x.path), more)
}

// Readable are the folders that the engine must be able to read, beside those that it
// can write to and Wine itself.
func (x *Prefix) Readable() []string { return []string{filepath.Join(x.of.dir, modelName), x.path} }

// Writable are the folders that the engine must be able to write to.
func (x *Prefix) Writable() []string {
	if x.server == "" {
		return []string{x.path}
	}
	return []string{x.path, x.server}
}

// Close ends everything that runs in the prefix and removes it.
func (x *Prefix) Close() error {
	x.of.mu.Lock()
	mine := x.of.taken[x]
	delete(x.of.taken, x)
	x.of.mu.Unlock()
	if !mine {
		return nil
	}
	return x.of.remove(x.path)
}
