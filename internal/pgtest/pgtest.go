// Package pgtest starts PostgreSQL for tests.
//
// A cluster lives in a folder of its own, is reached through a socket in it, and ends
// with the test that started it. It writes nothing to the disk on purpose: it is quick
// and survives being killed, not a failure of power.
package pgtest

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// wait is how long a cluster may take to begin, on a machine with much else to do.
const wait = 2 * time.Minute

// Cluster is a running PostgreSQL.
type Cluster struct {
	bin, dir string
	cmd      *exec.Cmd
	out      *bytes.Buffer
	last     atomic.Int64
}

// Start starts a cluster that ends with the test. The test is skipped if PostgreSQL
// is not installed.
func Start(t testing.TB) *Cluster {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		t.Skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
	}
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	c := &Cluster{bin: filepath.Dir(slices.Max(found)), dir: dir}
	if err := own(dir); err != nil {
		t.Skipf("PostgreSQL does not run as root: %v", err)
	}
	init := c.command("initdb", "-D", filepath.Join(dir, "data"), "-A", "trust", "-U", "kibitz", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
	if out, err := init.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	t.Cleanup(func() { c.end(quit) })
	c.Begin(t)
	return c
}

// Begin starts the cluster again after Kill.
func (c *Cluster) Begin(t testing.TB) {
	t.Helper()
	c.out = &bytes.Buffer{}
	c.cmd = c.command("postgres", "-D", filepath.Join(c.dir, "data"), "-k", c.dir, "-c", "listen_addresses=", "-c", "fsync=off", "-c",
		"full_page_writes=off",
		"-c", "shared_buffers=32MB", "-c", "max_connections=200")
	c.cmd.Stderr = c.out
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), wait)
	defer cancel()
	for {
		err := c.exec(ctx, "SELECT 1")
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("PostgreSQL does not begin: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Kill ends the cluster at once, as kill -9 of its first process does.
func (c *Cluster) Kill() { c.end(kill) }

// Signal sends a signal to all processes of the cluster, on systems with /proc.
func (c *Cluster) Signal(s os.Signal) {
	parent := strconv.Itoa(c.cmd.Process.Pid)
	list, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range list {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		rest := string(data[bytes.LastIndexByte(data, ')')+1:])
		if f := strings.Fields(rest); len(f) > 1 && f[1] == parent {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Signal(s)
			}
		}
	}
	_ = c.cmd.Process.Signal(s)
}

// Again starts the cluster if it has ended by itself.
func (c *Cluster) Again(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	for ctx.Err() == nil {
		if c.exec(ctx, "SELECT 1") == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	c.end(kill)
	c.Begin(t)
}

func (c *Cluster) end(signal os.Signal) {
	if c.cmd == nil || c.cmd.Process == nil {
		return
	}
	_ = c.cmd.Process.Signal(signal)
	_ = c.cmd.Wait()
	c.cmd = nil
}

// Database makes a database, empty or as another one is that nobody is connected to,
// and returns its address.
func (c *Cluster) Database(t testing.TB, template string) string {
	t.Helper()
	name := fmt.Sprintf("test%d", c.last.Add(1))
	query := "CREATE DATABASE " + name
	if template != "" {
		u, err := url.Parse(template)
		if err != nil {
			t.Fatal(err)
		}
		query += " TEMPLATE " + u.Path[1:]
	}
	if err := c.exec(t.Context(), query); err != nil {
		t.Fatal(err)
	}
	return c.address(name)
}

func (c *Cluster) address(name string) string {
	return "postgres://kibitz@/" + name + "?host=" + url.QueryEscape(c.dir)
}

// exec runs a statement outside of the databases of tests.
func (c *Cluster) exec(ctx context.Context, query string) error {
	conn, err := pgx.Connect(ctx, c.address("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // the statement has been run
	_, err = conn.Exec(ctx, query)
	return err
}

// Tool is a program of PostgreSQL that reaches the cluster as its owner does.
func (c *Cluster) Tool(name string, args ...string) *exec.Cmd {
	cmd := c.command(name, args...)
	cmd.Env = append(cmd.Env, "PGHOST="+c.dir, "PGDATABASE=postgres", "PGUSER=kibitz")
	return cmd
}

// Socket is the folder with the cluster's socket.
func (c *Cluster) Socket() string { return c.dir }

// command is a program of PostgreSQL, run by somebody who may.
func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(c.bin, name), args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "PGHOST=", "PGDATABASE=", "PGUSER=")
	as(cmd)
	return cmd
}
