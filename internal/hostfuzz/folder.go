package hostfuzz

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"time"

	"kibitz/games"
	"kibitz/link"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/rules"
)

// folder is that of an engine which is started for every question and answers with a
// file. What it writes is the script up to the next Wait.
type folder struct {
	dir    string
	answer func() (file []byte, wrote bool, err error)
	ended  func() link.Conn
	file   string
}

// Path implements protocol.Folder.
func (f *folder) Path() string { return f.dir }

// Close implements protocol.Folder.
func (f *folder) Close() error { return os.RemoveAll(f.dir) }

// Dial implements protocol.Folder: the engine has ended when it returns.
func (f *folder) Dial(context.Context) (link.Conn, error) {
	data, wrote, err := f.answer()
	if err == nil && wrote {
		err = os.WriteFile(filepath.Join(f.dir, f.file), data, 0o600)
	}
	return f.ended(), err
}

// folder returns one whose engine goes by the script. Silence and End are engines that
// write nothing.
func (e *engine) folder(file string) func(context.Context) (protocol.Folder, error) {
	return func(context.Context) (protocol.Folder, error) {
		dir, err := os.MkdirTemp("", "hostfuzz-")
		return &folder{
			dir: dir, file: file,
			ended: func() link.Conn {
				e.pass(e.now().Add(time.Millisecond))
				return &process{&conn{e: e, split: link.NewSplitter(link.Limits{}), ended: true}}
			},
			answer: func() ([]byte, bool, error) {
				e.turn()
				s := e.script
				n := bytes.IndexAny(s, "\x1c\x1d\x1e")
				if n < 0 {
					e.script = nil
					return s, len(s) > 0, nil
				}
				e.script = s[n+1:]
				return s[:n], s[n] == Wait, nil
			},
		}, err
	}
}

// folder returns one whose engine is the engine side of the protocol.
func (r *recorder) folder(file string) func(context.Context) (protocol.Folder, error) {
	return func(ctx context.Context) (protocol.Folder, error) {
		rs, err := games.OpenSpec(r.c.Spec)
		if err != nil {
			return nil, err
		}
		dir, err := os.MkdirTemp("", "hostfuzz-")
		return &folder{
			dir: dir, file: file,
			ended: func() link.Conn {
				ours, theirs := link.Pipe()
				_ = theirs.Close()
				return ours
			},
			answer: func() ([]byte, bool, error) {
				err := r.hosts.Protocol.Turn(ctx, dir, protocol.Server{
					Player: playertest.NewRandom(9), Position: rules.NewBoard(games.OpenSpec), Now: time.Now, Game: rs.Spec(), Dialect: r.c.Serve,
				})
				if err != nil {
					return nil, false, err
				}
				data, err := os.ReadFile(filepath.Join(dir, file))
				r.script.Write(data)
				r.script.WriteByte(Wait)
				return nil, false, err
			},
		}, err
	}
}
