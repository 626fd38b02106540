package bus

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"kibitz/internal/smalldisk"
)

// tried is what Check says within four seconds, more than a hall gives it: the machine may
// be busy.
func tried(t *testing.T, b *Bus, deep bool) error {
	t.Helper()
	return b.Check(limit(t, 4*time.Second), deep)
}

// TestCheck writes to each stream, and leaves nothing behind that anybody would take for
// a job, a result or a log.
func TestCheck(t *testing.T) {
	b := open(t, Options{Folder: t.TempDir()})
	ctx := limit(t, time.Minute)
	took := make(chan Result, 10)
	defer must(b.ServeResults(func(_ context.Context, r Result) error { took <- r; return nil }))(t)()
	for range 5 {
		for _, deep := range []bool{false, true} {
			check(t, b.Check(ctx, deep))
		}
	}
	check(t, b.PublishResult(ctx, Result{Game: "g", Attempt: 1}))
	if r := receive(t, took); r.Game != "g" {
		t.Errorf("result of %q", r.Game)
	}
	if pools := must(b.pending(ctx, none))(t); len(pools) > 0 {
		t.Errorf("jobs in %v", pools)
	}
	if n := must(b.Logs.stream.now().Info(ctx))(t).State.Msgs; n > 0 {
		t.Errorf("%d messages stay", n)
	}
	if err := b.Mend(ctx); !errors.Is(err, errWell) {
		t.Errorf("nothing was to be mended: %v", err)
	}
}

// TestFullDiskEmbedded fills the disk below the queue while results are published: Check
// says so, Mend does nothing before there is space, and then everything goes on, with
// all that was acknowledged.
func TestFullDiskEmbedded(t *testing.T) {
	t.Parallel()
	dir := smalldisk.Mount(t, 24)
	// The job is kept however long it takes until the server does what it should.
	b := open(t, Options{Folder: dir, Lease: 5 * time.Minute})
	ctx := limit(t, 3*time.Minute)
	job := Job{Game: "g", Try: 1}
	check(t, b.Enqueue(ctx, job))
	d := must(b.Take(ctx, none))(t)
	check(t, b.PublishResult(ctx, Result{Game: "kept", Attempt: 1, Record: make([]byte, 1<<20)}))

	free := smalldisk.Fill(t, dir)
	waits := make(chan error, 1)
	go func() { waits <- b.PublishResult(ctx, Result{Game: "waits", Attempt: 1, Record: make([]byte, 2<<20)}) }()
	for err := error(nil); err == nil; err = tried(t, b, true) {
	}
	if err := tried(t, b, true); !errors.Is(err, ErrStuck) && !errors.Is(err, ErrFull) {
		t.Errorf("with a full disk: %v", err)
	}
	if err := b.Mend(ctx); err == nil {
		t.Error("mended without space")
	}
	free()
	if err := tried(t, b, false); err == nil {
		t.Fatal("the server heals by itself: Mend is not needed any more")
	}
	began := time.Now()
	for err := b.Mend(ctx); err != nil && ctx.Err() == nil; err = b.Mend(ctx) {
		t.Log(err)
	}
	check(t, tried(t, b, true))
	t.Logf("mended after %s", time.Since(began))
	check(t, receive(t, waits))
	seen := map[string]bool{}
	got := make(chan string, 10)
	defer must(b.ServeResults(func(_ context.Context, r Result) error { got <- r.Game; return nil }))(t)()
	for len(seen) < 2 {
		seen[receive(t, got)] = true
	}
	if !seen["kept"] || !seen["waits"] {
		t.Errorf("results of %v", seen)
	}
	check(t, d.Progress(ctx))
	check(t, d.Done(ctx))
}

// TestFullDiskOutside is the same with a server outside, which keeps its error until it
// is started anew: Check tells what is wrong, and Mend that it is not ours.
func TestFullDiskOutside(t *testing.T) {
	t.Parallel()
	dir := smalldisk.Mount(t, 24)
	srv, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true, MaxPayload: 8 << 20})
	check(t, err)
	srv.Start()
	defer func() { srv.Shutdown(); srv.WaitForShutdown() }()
	if !srv.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not begin")
	}
	b := open(t, Options{URL: srv.ClientURL()})
	check(t, tried(t, b, true))
	free := smalldisk.Fill(t, dir)
	for err = nil; err == nil; err = tried(t, b, true) {
	}
	if !errors.Is(err, ErrStuck) && !errors.Is(err, ErrFull) {
		t.Errorf("with a full disk: %v", err)
	}
	free()
	if err := tried(t, b, false); !errors.Is(err, ErrStuck) {
		t.Errorf("with space again: %v; if the server now heals by itself, the hall's words about it are wrong", err)
	}
	if err := b.Mend(t.Context()); b.Mends() || !errors.Is(err, errWell) {
		t.Errorf("a server outside is mended: %v", err)
	}
}
