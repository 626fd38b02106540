package readfile

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games/darkchess"
	"kibitz/link"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
)

var (
	board     = playertest.Board(darkchess.Game())
	canonical = playertest.Canonical(board)
)

// fakeFolder is a folder whose engine is a function: it is called for each ply and
// has ended when it returns.
type fakeFolder struct {
	dir    string
	engine func(dir string)
	wg     sync.WaitGroup
}

func (f *fakeFolder) Path() string { return f.dir }

func (f *fakeFolder) Dial(context.Context) (link.Conn, error) {
	ours, theirs := link.Pipe()
	f.wg.Go(func() {
		_ = theirs.Write([]byte("thinking\n"))
		f.engine(f.dir)
		_ = theirs.Close()
	})
	return ours, nil
}

func (f *fakeFolder) Close() error {
	f.wg.Wait()
	return os.RemoveAll(f.dir)
}

// hosted returns a host whose engine is a function.
func hosted(t testing.TB, dialect map[string]string, engine func(dir string)) *Host {
	t.Helper()
	h, err := NewHost(protocol.Config{
		Name: "X", Now: time.Now, Dialect: dialect,
		Warn: func(text string) { t.Errorf("warned: %s", text) },
		Folder: func(context.Context) (protocol.Folder, error) {
			return &fakeFolder{dir: tempDir(t), engine: engine}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// tempDir makes a folder that whoever asked for it removes.
func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "readfile-test-")
	if err != nil {
		t.Error(err)
	}
	return dir
}

// served returns an engine that is our own engine side with a fresh player.
func served(t testing.TB, spec game.Spec, limits player.Limits, fresh func() player.Player) func(dir string) {
	return func(dir string) {
		p := fresh()
		err := Turn(context.Background(), dir, protocol.Server{
			Player: p, Position: board(), Now: time.Now, Name: "X", Version: "1", Game: spec, Limits: limits,
		})
		if err != nil {
			t.Errorf("the engine: %v", err)
		}
		if _, err := os.Stat(filepath.Join(dir, MoveFile)); err != nil {
			t.Errorf("the engine has not answered: %v", err)
		}
		_ = p.Close()
	}
}
