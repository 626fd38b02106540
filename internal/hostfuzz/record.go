package hostfuzz

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"kibitz/games"
	"kibitz/link"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/rules"
)

// recorder starts honest engines and keeps what they say as a script.
type recorder struct {
	hosts Hosts
	c     Case

	wg     sync.WaitGroup
	script bytes.Buffer
	begun  bool

	mu  sync.Mutex // guards err: engines that follow each other may overlap
	err error      // of an engine
}

// record returns the script of a conversation with an honest engine.
func (h Hosts) record(f *testing.F, i int, how uint8) []byte {
	f.Helper()
	r := &recorder{hosts: h, c: h.Cases[i]}
	h.converse(f, r, time.Now, r.c, how&^silent)
	r.wg.Wait()
	if r.err != nil {
		f.Fatalf("case %d: the honest engine ended with %v", i, r.err)
	}
	if r.script.Len() == 0 && how&asks == 0 {
		f.Fatalf("case %d: the honest engine has said nothing", i)
	}
	return r.script.Bytes()
}

func (r *recorder) dial(context.Context) (link.Conn, error) {
	if r.begun {
		r.script.WriteByte(End)
	}
	r.begun = true
	ours, theirs := link.Pipe()
	rs, err := games.OpenSpec(r.c.Spec)
	if err != nil {
		return nil, err
	}
	r.wg.Go(func() {
		err := r.hosts.Protocol.Serve(context.Background(), theirs, protocol.Server{
			Player: playertest.NewRandom(9), Position: rules.NewBoard(games.OpenSpec), Now: time.Now,
			Name: "Bot", Version: "1", Author: "Kibitz", Game: rs.Spec(), Dialect: r.c.Serve,
		})
		_ = theirs.Close()
		if errors.Is(err, io.ErrClosedPipe) {
			return // the host has heard enough; the engine's last line may be on its way
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.err = err
	})
	return &recording{Conn: ours, script: &r.script}, nil
}

// recording is a connection of which the words of the other end are kept.
type recording struct {
	link.Conn
	script *bytes.Buffer
}

func (c *recording) ReadLine(deadline time.Time) ([]byte, error) {
	line, err := c.Conn.ReadLine(deadline)
	if err == nil {
		c.script.Write(line)
		c.script.WriteByte('\n')
	}
	return line, err
}

func (c *recording) Write(p []byte) error {
	c.script.WriteByte(Wait)
	return c.Conn.Write(p)
}
