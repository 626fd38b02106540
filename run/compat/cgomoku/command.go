package cgomoku

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"kibitz/link"
	"kibitz/link/proc"
	"kibitz/protocol/piskvork"
	"kibitz/run/compat"
	"kibitz/run/engines"
)

// command splits the command line of an engine as c-gomoku-cli does: at blanks, with
// backslashes before what is meant as it stands, and double quotes round a word with
// blanks.
func (e *Engine) command() (words []string) {
	var word []byte
	began, quoted := false, false
	for i := 0; i < len(e.cmd); i++ {
		c := e.cmd[i]
		switch {
		case c == '\\' && i+1 < len(e.cmd):
			i++
			word, began = append(word, e.cmd[i]), true
		case c == '"' && (quoted || !began):
			quoted, began = !quoted, true
		case c == ' ' && !quoted:
			if began {
				words = append(words, string(word))
			}
			word, began = word[:0], false
		default:
			word, began = append(word, c), true
		}
	}
	if began {
		words = append(words, string(word))
	}
	return words
}

// folder is where the engine runs: that of its executable, or ours for one that is found in
// PATH.
func (e *Engine) folder() string {
	if words := e.command(); len(words) > 0 && strings.Contains(words[0], "/") {
		return filepath.Dir(words[0])
	}
	return "."
}

// introduce starts the engine to ask for its name, as c-gomoku-cli does, and ends it.
func (e *Engine) introduce(env *compat.Env) (id piskvork.Identity, err error) {
	fail := func(format string, args ...any) (piskvork.Identity, error) {
		return id, compat.Fail("engine %s %s", e.cmd, fmt.Sprintf(format, args...))
	}
	spec, err := engines.New(nil, compat.Command(e.command()...).With("dir", e.folder()))
	if err != nil {
		return id, err
	}
	if err := env.Launcher.Admit(spec, false); err != nil {
		return id, err
	}
	done, err := env.Launcher.Ready(env.Context, spec)
	if err != nil {
		return id, err
	}
	defer done()
	path, args, environ := spec.Process()
	conn, err := proc.Start(env.Context, proc.Spec{
		Path: path, Args: args, Dir: spec.Dir, Env: environ, Supervisor: env.Launcher.Guards.Holder(), Options: link.Options{Now: env.Now},
	})
	if err != nil {
		return fail("cannot be started: %v", err)
	}
	defer conn.Close() //nolint:errcheck // it is ended for certain
	if err := conn.Write([]byte("ABOUT\r\n")); err != nil {
		return fail("exited before answering ABOUT")
	}
	line, err := conn.ReadLine(env.Now().Add(time.Duration(max(e.tolerance, 10000)) * time.Millisecond))
	if err != nil {
		return fail("exited before answering ABOUT")
	}
	conn.Write([]byte("END\r\n")) //nolint:errcheck // it may be gone already
	return piskvork.ParseAbout(line), nil
}
