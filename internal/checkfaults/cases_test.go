// Package checkfaults has engines with one fault each, in this process, and holds the
// check of engines to finding each of them by its own requirement whenever a match
// would: docs/measured/check-faults.md. An engine is the engine side of a protocol with a
// built-in engine behind it; what stands between it and the check goes wrong.
package checkfaults

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"kibitz/bot"
	"kibitz/bot/random"
	"kibitz/catalog"
	"kibitz/games"
	"kibitz/link"
	"kibitz/match/trial"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/readfile"
	"kibitz/rules"
)

// Fine is the verdict of a match that no fault of the engine has decided.
const Fine = "fine"

// Case is a line of the file of faults: a mode in a seat, and what is to be found.
type Case struct {
	Seat, Mode string
	// Requirement is the one that names the fault, "-" for none, Match the verdict of a
	// match, a word of package game or Fine.
	Requirement, Match string
	// Says is a part of what the check says of it.
	Says string
	// Usual are mistakes that stand on the page of the protocol.
	Usual bool
}

//go:embed faults.txt
var faults string

// cases reads the file of faults:
//
//	protocol game
//	    mode => requirement verdict: words of the finding
//	  * mode => requirement verdict: words of the finding of a usual mistake
func cases(text string) ([]Case, error) {
	var list []Case
	seat, n := "", 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, " "):
			seat = line
		default:
			line, usual := strings.CutPrefix(strings.TrimSpace(line), "* ")
			name, rest, ok := strings.Cut(line, " => ")
			found, says, _ := strings.Cut(rest, ": ")
			f := strings.Fields(found)
			if !ok || len(f) != 2 || seat == "" {
				return nil, fmt.Errorf("faults.txt, line %d: write mode => requirement verdict: words", n)
			}
			list = append(list, Case{Seat: seat, Mode: name, Requirement: f[0], Match: f[1], Says: says, Usual: usual})
		}
	}
	return list, nil
}

// Row is what became of a case.
type Row struct {
	Case
	Doc string
	// Broken are the requirements that are, in order, and what is said of each.
	Broken  []Broken
	Verdict string // of a match
	Took    time.Duration
}

// Broken is a requirement that is not held.
type Broken struct{ ID, Detail string }

// named returns what the requirement that is to name the fault says of it.
func (r *Row) named() (string, bool) {
	for _, b := range r.Broken {
		if b.ID == r.Requirement {
			return b.Detail, true
		}
	}
	return "", r.Requirement == "-" && len(r.Broken) == 0
}

// patience is that of the check where nobody says otherwise.
const patience = 5 * time.Second

// try checks an engine, and lets it play.
func (s *seat) try(ctx context.Context, m *mode, c Case) (Row, error) {
	row := Row{Case: c, Doc: m.doc, Verdict: Fine}
	r, err := games.Open(s.spec)
	if err != nil {
		return row, err
	}
	var engines sync.WaitGroup
	defer engines.Wait()
	t := s.trial(r, m, &engines)
	began := time.Now()
	config := t.Config(nil)
	protocol.RunChecks(ctx, config, patience, t.Checks(), func(f protocol.Finding) {
		if f.Held() || f.Skipped() || f.Check.Advice {
			return
		}
		row.Broken = append(row.Broken, Broken{f.Check.ID, f.Err.Error()})
	})
	row.Took = time.Since(began)
	protocol.RunChecks(ctx, config, patience, t.Games(), func(f protocol.Finding) {
		if fault, ok := errors.AsType[*trial.Fault](f.Err); ok && row.Verdict == Fine {
			row.Verdict = string(fault.Reason)
		}
	})
	return row, ctx.Err()
}

// trial has games with an engine that goes wrong.
func (s *seat) trial(r rules.Rules, m *mode, engines *sync.WaitGroup) *trial.Trial {
	opponent := func() (player.Player, error) {
		return catalog.Of(r).Engine(bot.Options{Level: 1, Seed: 1, Now: time.Now}), nil
	}
	return &trial.Trial{
		Protocol: s.entry, Rules: r, Lines: s.lines, Opponent: opponent,
		Random: func() (player.Player, error) { return random.New(random.Options{Seed: 1}), nil },
		Config: func(link.Observer) protocol.Config {
			c := protocol.Config{Name: "engine", Now: time.Now, Hint: s.entry.Hint}
			server := func() protocol.Server {
				p, _ := opponent()
				return protocol.Server{Player: p, Position: rules.NewBoard(games.OpenSpec), Now: time.Now, Name: "engine", Version: "1", Game: r.Spec()}
			}
			c.Dial = func(ctx context.Context) (link.Conn, error) {
				ours, theirs := link.Pipe()
				engines.Go(func() {
					server := server()
					_ = s.entry.Serve(context.WithoutCancel(ctx), &faulty{Conn: theirs, seat: *s, hook: m.hook(s)}, server)
					_ = theirs.Close()
					_ = server.Player.Close()
				})
				return ours, nil
			}
			if s.entry.Turn != nil {
				c.Folder = func(context.Context) (protocol.Folder, error) {
					dir, err := os.MkdirTemp("", "checkfaults-")
					return &folder{dir: dir, seat: s, hook: m.hook(s), server: server, engines: engines}, err
				}
			}
			return c
		},
	}
}

// folder is the folder of an engine that answers by files.
type folder struct {
	dir    string
	seat   *seat
	hook   hook
	server func() protocol.Server

	engines *sync.WaitGroup
}

// Path implements protocol.Folder.
func (f *folder) Path() string { return f.dir }

// Close implements protocol.Folder.
func (f *folder) Close() error { return os.RemoveAll(f.dir) }

// Dial implements protocol.Folder.
func (f *folder) Dial(ctx context.Context) (link.Conn, error) {
	ours, theirs := link.Pipe()
	f.engines.Go(func() {
		server := f.server()
		if err := f.turn(ctx, theirs, server); err != nil {
			_ = theirs.Write([]byte(err.Error() + "\n"))
		}
		_ = theirs.Close()
		_ = server.Player.Close()
	})
	return ours, nil
}

// turn has what the engine reads go wrong, answers one question, and then makes of the answer
// what is wrong.
func (f *folder) turn(ctx context.Context, conn link.Conn, server protocol.Server) error {
	e := &faulty{Conn: conn, seat: *f.seat, hook: f.hook}
	if err := f.rewrite(e, readfile.BoardFile, f.hook.in, strings.Lines); err != nil {
		return err
	}
	if err := f.seat.entry.Turn(ctx, f.dir, server); err != nil {
		return err
	}
	e.moves = 1
	return f.rewrite(e, readfile.MoveFile, f.hook.out, func(text string) iter.Seq[string] { return slices.Values([]string{text}) })
}

// rewrite changes the parts of a file. One of which nothing is left is removed.
func (f *folder) rewrite(e *faulty, name string, hook func(*faulty, string) []string, parts func(string) iter.Seq[string]) error {
	path := filepath.Join(f.dir, name)
	text, err := os.ReadFile(path)
	if err != nil || hook == nil {
		return err
	}
	var list []string
	for part := range parts(string(text)) {
		list = append(list, hook(e, strings.TrimSpace(part))...)
	}
	if e.dead || len(list) == 0 {
		return errors.Join(os.Remove(path), io.EOF)
	}
	return os.WriteFile(path, []byte(strings.Join(list, "\n")+"\n"), 0o600)
}
