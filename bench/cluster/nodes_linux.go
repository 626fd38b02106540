package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// cluster is all processes.
type cluster struct {
	o        *options
	token    string
	password string // of the admin
	procs    []*exec.Cmd
	logs     []string
}

const ports = ":8080"

func (c *cluster) servers() []string {
	return []string{"http://" + address("server1") + ports, "http://" + address("server2") + ports}
}

func (c *cluster) bus() string { return "nats://" + c.token + "@" + address("nats") + ":4222" }

func (c *cluster) database() string {
	return "postgres://kibitz@" + address("db") + ":5432/hall"
}

// open makes the network and starts everything, each when what it needs answers.
func (c *cluster) open(ctx context.Context) error {
	if _, err := exec.LookPath("ip"); err != nil {
		return errNoIP
	}
	program, err := filepath.Abs(c.o.program)
	if err != nil {
		return err
	}
	me, err := os.Executable()
	if err != nil {
		return err
	}
	c.token = rand.Text()
	if err := makeNetwork(); err != nil {
		return err
	}
	if err := c.startDatabase(ctx); err != nil {
		return err
	}
	if err := c.start("nats", nil, me, "nats", filepath.Join(c.o.dir, "queue"), address("nats")+":4222", c.token); err != nil {
		return err
	}
	if err := reach(ctx, address("nats")+":4222"); err != nil {
		return err
	}
	for _, name := range []string{"server1", "server2"} {
		err := c.start(name, nil, program, "serve", "--addr", "0.0.0.0"+ports, "--data", filepath.Join(c.o.dir, name), "--db", c.database(),
			"--nats", c.bus(), "--slots", "0")
		if err == nil {
			err = reach(ctx, address(name)+ports) // the first one makes the tables and the admin
		}
		if err != nil {
			return errors.Join(err, errors.New(string(c.log(name))))
		}
	}
	if c.password, err = c.firstPassword(ctx); err != nil {
		return err
	}
	engines := filepath.Join(c.o.dir, "engines.toml")
	text := ""
	for _, name := range []string{"Tick", "Tock"} {
		text += fmt.Sprintf("[[engine]]\nname = %q\ncmd = \"%s engine %s %s\"\nproto = \"gtp\"\ngames = [\"gomoku\"]\n\n", name, me, c.o.spec,
			c.o.every)
	}
	if err := os.WriteFile(engines, []byte(text), 0o600); err != nil {
		return err
	}
	for _, name := range []string{"worker1", "worker2", "worker3"} {
		if err := c.start(name, nil, program, "worker", "--nats", c.bus(), "--slots", strconv.Itoa(c.o.slots), "--name", name, "--engines",
			engines); err != nil {
			return err
		}
	}
	return nil
}

// start starts a process at a node; as is who runs it, nil for root.
func (c *cluster) start(name string, as *user.User, args ...string) error {
	full := []string{"netns", "exec", node{name: name}.space()}
	if as != nil {
		full = append(full, "setpriv", "--reuid="+as.Uid, "--regid="+as.Gid, "--clear-groups", "--")
	}
	cmd := exec.Command("ip", append(full, args...)...)
	log, err := os.OpenFile(filepath.Join(c.o.dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() //nolint:errcheck // the process has its own
	cmd.Stdout, cmd.Stderr, cmd.Dir = log, log, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.procs, c.logs = append(c.procs, cmd), append(c.logs, name)
	return nil
}

// startDatabase makes a PostgreSQL and the database of the hall.
func (c *cluster) startDatabase(ctx context.Context) error {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return errors.New("PostgreSQL is not installed (Debian: apt-get install postgresql)")
	}
	bin := filepath.Dir(slices.Max(found))
	owner, err := user.Lookup("postgres")
	if err != nil {
		return err
	}
	dir := filepath.Join(c.o.dir, "db")
	uid, _ := strconv.Atoi(owner.Uid)
	gid, _ := strconv.Atoi(owner.Gid)
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, uid, gid), os.Chmod(c.o.dir, 0o755)); err != nil {
		return err
	}
	data := filepath.Join(dir, "data")
	initdb := exec.CommandContext(ctx, filepath.Join(bin, "initdb"), "-D", data, "-A", "trust", "-U", "kibitz", "-E", "UTF8",
		"--locale=C.UTF-8", "--no-sync")
	initdb.Dir = dir
	initdb.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	hba := "host all all " + network + "0/24 trust\n"
	if err := os.WriteFile(filepath.Join(data, "pg_hba.conf"), []byte(hba), 0o600); err != nil {
		return err
	}
	if err := c.start("db", owner, filepath.Join(bin, "postgres"), "-D", data, "-k", dir, "-c", "listen_addresses=*", "-c",
		"max_connections=200", "-c", "shared_buffers=64MB"); err != nil {
		return err
	}
	for {
		err := query(ctx, "postgres://kibitz@"+address("db")+":5432/postgres", "CREATE DATABASE hall")
		if err == nil {
			return nil
		}
		if !pause(ctx, 50*time.Millisecond) {
			return errors.Join(err, ctx.Err())
		}
	}
}

func query(ctx context.Context, url, text string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // the statement has been run
	_, err = conn.Exec(ctx, text)
	return err
}

// reach waits until something listens at an address.
func reach(ctx context.Context, addr string) error {
	for range 600 {
		conn, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil {
			return conn.Close()
		}
		if !pause(ctx, 50*time.Millisecond) {
			return ctx.Err()
		}
	}
	return fmt.Errorf("nobody listens at %s", addr)
}

// pause is false if the context ended.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

var passwordLine = regexp.MustCompile(`account admin has the password (\S+);`)

// firstPassword reads what the first server says of the admin.
func (c *cluster) firstPassword(ctx context.Context) (string, error) {
	for range 100 {
		if m := passwordLine.FindSubmatch(c.log("server1")); m != nil {
			return string(m[1]), nil
		}
		if !pause(ctx, 50*time.Millisecond) {
			break
		}
	}
	return "", fmt.Errorf("server1 does not tell the password of the admin:\n%s", c.log("server1"))
}

func (c *cluster) log(name string) []byte {
	data, _ := os.ReadFile(filepath.Join(c.o.dir, name+".log"))
	return data
}

// tails returns the last lines of every log that are no requests.
func (c *cluster) tails() (out []string) {
	for _, name := range c.logs {
		lines := bytes.Split(bytes.TrimSpace(c.log(name)), []byte("\n"))
		lines = slices.DeleteFunc(lines, func(b []byte) bool { return bytes.Contains(b, []byte("msg=request")) })
		for _, line := range lines[max(0, len(lines)-5):] {
			out = append(out, name+": "+string(line))
		}
	}
	return out
}

// close ends all processes, the latest first, and removes the network.
func (c *cluster) close() error {
	for i := len(c.procs) - 1; i >= 0; i-- {
		p := c.procs[i]
		_ = p.Process.Signal(syscall.SIGINT)
		gone := make(chan struct{})
		go func() {
			_ = p.Wait()
			close(gone)
		}()
		select {
		case <-gone:
		case <-time.After(10 * time.Second):
			_ = p.Process.Kill()
			<-gone
		}
	}
	removeNetwork()
	return nil
}
