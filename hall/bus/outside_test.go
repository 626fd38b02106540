package bus

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"kibitz/game"
	"kibitz/internal/freeport"
)

// childFolder is what makes the test binary a server: the folder of its streams; the
// second variable is where it listens.
const (
	childFolder = "KIBITZ_BUS_TEST_FOLDER"
	childListen = "KIBITZ_BUS_TEST_LISTEN"
)

// serveAsChild runs a server until its input ends, if the process was started for that.
func serveAsChild() bool {
	folder := os.Getenv(childFolder)
	if folder == "" {
		return false
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	b, err := Open(context.Background(), Options{Folder: folder, Listen: os.Getenv(childListen), Token: "s", Now: time.Now, Log: log})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(b.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = b.Close()
	return true
}

// child starts a server in a process of its own.
func child(t *testing.T, folder, listen string) (addr string, kill func()) {
	t.Helper()
	exe := must(os.Executable())(t)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childFolder+"="+folder, childListen+"="+listen)
	cmd.Stderr = os.Stderr
	in := must(cmd.StdinPipe())(t)
	out := must(cmd.StdoutPipe())(t)
	check(t, cmd.Start())
	kill = func() {
		_ = cmd.Process.Kill()
		_ = in.Close()
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		kill()
		t.Fatalf("the server did not start: %v", err)
	}
	return strings.TrimSpace(line), kill
}

// TestKilled: a server outside is killed in the middle and comes back with its store.
// What was kept is there, what is published meanwhile arrives, who listened listens.
func TestKilled(t *testing.T) {
	folder := t.TempDir()
	addr, kill := child(t, folder, ports(t, 1)[0])
	states := make(chan bool, 16)
	b := open(t, Options{URL: "nats://" + addr, Token: "s"})
	b.Notify(func(ready bool) { states <- ready })
	if _, err := Open(limit(t, time.Second), Options{URL: "nats://" + addr, Token: "wrong", Now: time.Now}); err == nil {
		t.Fatal("a wrong token was taken")
	}
	ctx := limit(t, 2*time.Minute)
	lives := make(chan Live, 16)
	defer must(b.SubscribeLive("g", game.Public, func(l Live) { lives <- l }))(t).Close()
	worker := must(b.Register(Worker{ID: "w"}))(t)
	defer worker.Close()
	check(t, b.Enqueue(ctx, Job{Game: "kept"}))
	check(t, b.PublishResult(ctx, Result{Game: "kept", Attempt: 1}))
	log := must(b.OpenLog("g", 1))(t)
	check(t, log.Append(ctx, []byte("one")))
	check(t, log.Flush(ctx))

	kill()
	if receive(t, states) {
		t.Fatal("the loss was not told")
	}
	if b.Ready() {
		t.Fatal("ready without a server")
	}
	// Meanwhile: a line, a result, a job, somebody who waits for one.
	check(t, log.Append(ctx, []byte("two")))
	sent, took := make(chan error, 2), make(chan string, 2)
	go func() { sent <- b.PublishResult(ctx, Result{Game: "meanwhile", Attempt: 1}) }()
	go func() { sent <- b.Enqueue(ctx, Job{Game: "late"}) }()
	go func() {
		for range 2 {
			d, err := b.Take(ctx, none)
			if err != nil {
				return
			}
			if err := d.Done(ctx); err != nil {
				return
			}
			took <- d.Job.Game
		}
	}()
	time.Sleep(300 * time.Millisecond)
	_, kill = child(t, folder, addr)
	defer kill()
	if !receive(t, states) || !b.Ready() {
		t.Fatal("the return was not told")
	}
	check(t, receive(t, sent))
	check(t, receive(t, sent))
	games := map[string]bool{receive(t, took): true, receive(t, took): true}
	if !games["kept"] || !games["late"] {
		t.Errorf("jobs %v", games)
	}
	results := make(chan string, 4)
	defer must(b.ServeResults(func(_ context.Context, r Result) error { results <- r.Game; return nil }))(t)()
	games = map[string]bool{receive(t, results): true, receive(t, results): true}
	if !games["kept"] || !games["meanwhile"] {
		t.Errorf("results %v", games)
	}
	check(t, log.Close(ctx))
	if attempt, lines, err := b.ReadLog(ctx, "g", nil); err != nil || attempt != 1 || len(lines) != 2 || string(lines[1]) != "two" {
		t.Errorf("log: attempt %d, %q, %v", attempt, lines, err)
	}
	check(t, b.PublishLive(Live{Game: "g", To: game.Public, Seq: 9, Line: []byte("x")}))
	if l := receive(t, lives); l.Seq != 9 {
		t.Errorf("live %+v", l)
	}
	worker.Update(Worker{ID: "w", Slots: 1}) // the registry was in memory
	for {
		if l := must(b.Workers(ctx))(t); len(l) == 1 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestEmptyReturn: a server that comes back without its store gets the streams anew.
func TestEmptyReturn(t *testing.T) {
	addr, kill := child(t, t.TempDir(), ports(t, 1)[0])
	states := make(chan bool, 16)
	b := open(t, Options{URL: "nats://" + addr, Token: "s", Timeout: time.Second})
	b.Notify(func(ready bool) { states <- ready })
	ctx := limit(t, 2*time.Minute)
	check(t, b.Enqueue(ctx, Job{Game: "lost"}))
	results := make(chan string, 4)
	defer must(b.ServeResults(func(_ context.Context, r Result) error { results <- r.Game; return nil }))(t)()
	kill()
	receive(t, states)
	_, kill = child(t, t.TempDir(), addr)
	defer kill()
	if !receive(t, states) {
		t.Fatal("the return was not told")
	}
	check(t, b.Enqueue(ctx, Job{Game: "again"}))
	if d := must(b.Take(ctx, none))(t); d.Job.Game != "again" {
		t.Errorf("took %+v", d.Job)
	}
	check(t, b.PublishResult(ctx, Result{Game: "again", Attempt: 1}))
	if g := receive(t, results); g != "again" {
		t.Errorf("result of %s", g)
	}
}

// ports are addresses that were free a moment ago.
func ports(t *testing.T, n int) []string {
	t.Helper()
	return must(freeport.Take(n, rand.IntN))(t)
}

// servers starts NATS servers of one cluster, and returns their addresses.
func servers(t *testing.T, n int) (list []*server.Server, addresses []string) {
	t.Helper()
	var routes []*url.URL
	for _, a := range ports(t, n) {
		routes = append(routes, &url.URL{Scheme: "nats-route", Host: a})
	}
	for i, r := range routes {
		so := &server.Options{
			ServerName: fmt.Sprint("n", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: "s", NoSigs: true, NoLog: true,
			JetStream: true, StoreDir: t.TempDir(), MaxPayload: maxPayload, Routes: routes,
		}
		host, port, err := address(r.Host)
		check(t, err)
		so.Cluster = server.ClusterOpts{Name: "c", Host: host, Port: port}
		s := must(server.NewServer(so))(t)
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		s.Start()
		list, addresses = append(list, s), append(addresses, "nats://"+s.Addr().String())
	}
	return list, addresses
}

// replicated reports whether three servers have all of a stream.
func replicated(s *jetstream.StreamInfo) bool {
	behind := func(p *jetstream.PeerInfo) bool { return !p.Current }
	return s.Cluster != nil && len(s.Cluster.Replicas) == 2 && !slices.ContainsFunc(s.Cluster.Replicas, behind)
}

// TestCluster: three servers outside keep the streams together, as somebody has told them to;
// one is stopped while jobs and results go through, and all arrive once.
func TestCluster(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("three servers take several seconds to agree")
	}
	list, addresses := servers(t, 3)
	ctx := limit(t, 3*time.Minute)
	var hubs [3]*Bus
	for i := range hubs {
		hubs[i] = open(t, Options{
			URL: strings.Join(append(addresses[i:], addresses[:i]...), ","), Token: "s", Timeout: 2 * time.Second, Lease: 3 * time.Second,
		})
		if i > 0 {
			continue
		}
		for _, s := range hubs[0].streams() {
			c := s.now().CachedInfo().Config
			c.Replicas = 3
			must(hubs[0].conn.js.UpdateStream(ctx, c))(t)
			for !replicated(must(s.now().Info(ctx))(t)) {
				time.Sleep(50 * time.Millisecond)
			}
		}
	}

	const jobs = 200
	results := make(chan string, 4*jobs)
	for _, b := range hubs[1:] {
		defer must(b.ServeResults(func(_ context.Context, r Result) error { results <- r.Game; return nil }))(t)()
	}
	work, stop := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer stop()
	for _, b := range []*Bus{hubs[0], hubs[0], hubs[1], hubs[2]} {
		workers.Go(func() {
			for {
				d, err := b.Take(work, none)
				if err != nil {
					return
				}
				if b.PublishResult(work, Result{Game: d.Job.Game, Attempt: 1}) != nil {
					return
				}
				_ = d.Done(work) // at worst it comes again, which counts once
			}
		})
	}
	for i := range jobs {
		if i == jobs/2 {
			list[0].Shutdown()
		}
		check(t, hubs[1+i%2].Enqueue(ctx, Job{Game: fmt.Sprint("g", i)}))
	}
	seen := map[string]int{}
	for len(seen) < jobs {
		select {
		case g := <-results:
			seen[g]++
		case <-ctx.Done():
			t.Fatalf("%d of %d results", len(seen), jobs)
		}
	}
	for g, n := range seen {
		if n > 1 {
			t.Errorf("%s has %d results", g, n)
		}
	}
	info := must(hubs[1].Queue.jobs.now().Info(ctx))(t)
	if info.Config.Replicas != 3 {
		t.Errorf("the queue is kept %d times", info.Config.Replicas)
	}
}
