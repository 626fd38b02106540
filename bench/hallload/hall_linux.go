package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"kibitz/internal/freeport"
	"kibitz/internal/hallclient"
)

// hall is a kibitz serve in a process of its own.
type hall struct {
	cmd       *exec.Cmd
	addr, dir string
	bus       string // address of its bus, for workers
	stderr    string // file
	answered  time.Duration
}

// startHall runs the program on a folder and waits until it has answered a request;
// answered is the time from the start of the process until then.
func startHall(ctx context.Context, o *options, dir string, now func() time.Time, more ...string) (*hall, error) {
	h := &hall{dir: dir, stderr: filepath.Join(dir, "stderr.log")}
	free, err := freeport.Take(2, rand.IntN)
	if err != nil {
		return nil, err
	}
	bus := free[1]
	h.addr = free[0]
	log, err := os.OpenFile(h.stderr, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close() //nolint:errcheck // the process has its own
	args := []string{"serve", "--addr", h.addr, "--data", filepath.Join(dir, "hall")}
	switch {
	case o.alone:
	case o.nats == "":
		args = append(args, "--listen", bus)
	default:
		args = append(args, "--nats", o.nats)
	}
	h.cmd = exec.Command(o.program, append(append(args, o.flags...), more...)...)
	h.cmd.Stderr = log
	begun := now()
	if err := h.cmd.Start(); err != nil {
		return nil, err
	}
	for {
		err = probe(h.addr)
		if err == nil {
			break
		}
		if now().Sub(begun) > time.Minute || ctx.Err() != nil {
			return nil, errors.Join(fmt.Errorf("the hall does not answer; see %s", h.stderr), h.kill())
		}
		time.Sleep(time.Millisecond)
	}
	h.answered = now().Sub(begun)
	if h.bus = o.nats; o.nats != "" || o.alone {
		return h, nil
	}
	token, err := os.ReadFile(filepath.Join(dir, "hall", "worker.token"))
	if err != nil {
		return nil, errors.Join(err, h.kill())
	}
	h.bus = "nats://" + strings.TrimSpace(string(token)) + "@" + bus
	return h, nil
}

// probe asks for the lobby, which is answered from the database.
func probe(addr string) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // nothing more is to come
	if _, err := fmt.Fprintf(conn, "GET /api/v1/rooms HTTP/1.0\r\nHost: %s\r\n\r\n", addr); err != nil {
		return err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil && !strings.Contains(line, " 200 ") {
		err = fmt.Errorf("answered %q", line)
	}
	return err
}

// stop interrupts the hall and waits for its end.
func (h *hall) stop() error {
	_ = h.cmd.Process.Signal(syscall.SIGINT)
	return h.cmd.Wait()
}

func (h *hall) kill() error {
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait()
	return nil
}

// guest is an account without a name, from an address of its own.
type guest struct {
	client hallclient.Client
	url    string
}

func newGuest(ctx context.Context, addr string, n int) (*guest, error) {
	client := &http.Client{Transport: hallclient.From(hallclient.Address(n)), Timeout: time.Minute}
	g := &guest{client: hallclient.Client{HTTP: client}, url: "http://" + addr}
	return g, g.ask(ctx, http.MethodPost, "/account/guest", map[string]any{}, nil)
}

// ask sends a request and reads the answer into out, unless that is nil.
func (g *guest) ask(ctx context.Context, method, path string, in, out any) error {
	return g.client.Ask(ctx, g.url, method, path, in, out)
}

// openRoom opens a room in which two built-in engines play a series.
func (g *guest) openRoom(ctx context.Context, spec string, games int) (string, error) {
	var r struct{ ID string }
	err := g.ask(ctx, http.MethodPost, "/rooms", map[string]any{"settings": map[string]any{
		"game": spec, "games": games, "clocks": []string{"inf", "inf"}, "pause": 0, "lines": true,
	}}, &r)
	for _, c := range []map[string]any{
		{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=1"}, {"do": "sit", "place": 1, "kind": "bot", "engine": "bot=1"}, {"do": "start"},
	} {
		if err == nil {
			err = g.ask(ctx, http.MethodPost, "/rooms/"+r.ID+"/commands", c, nil)
		}
	}
	return r.ID, err
}

// running returns the games that are played, by their rooms.
func (g *guest) running(ctx context.Context) (map[string]string, error) {
	at := map[string]string{}
	for next := ""; ; {
		var page struct {
			Games []struct{ ID, Room string }
			Next  string
		}
		if err := g.ask(ctx, http.MethodGet, "/games?state=running&limit=500&cursor="+url.QueryEscape(next), nil, &page); err != nil {
			return nil, err
		}
		for _, x := range page.Games {
			at[x.Room] = x.ID
		}
		if next = page.Next; next == "" {
			return at, nil
		}
	}
}
