package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/hall/bus"
	"kibitz/internal/freeport"
	"kibitz/internal/syncbuf"
)

// freeAddress is one of this machine at which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	list, err := freeport.Take(1, rand.IntN)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// startWorker runs kibitz worker in the test.
func startWorker(t *testing.T, flags ...string) (log *syncbuf.Buffer, stop func()) {
	t.Helper()
	drain, log := make(chan struct{}), &syncbuf.Buffer{}
	w := newApp()
	w.stderr, w.drain = log, drain
	ended := make(chan int, 1)
	go func() {
		ended <- executeFull(w, append([]string{"worker", "--slots", "1", "--analyses", "0"}, flags...))
	}()
	return log, func() {
		close(drain)
		if status := <-ended; status != 0 {
			t.Errorf("the worker ends with status %d:\n%s", status, log)
		}
	}
}

// admin makes the client the account admin of a hall on its first start.
func (h *testHall) admin() {
	h.t.Helper()
	h.ask("POST", "/api/v1/account/login", map[string]any{"name": "admin", "password": adminPassword(h.t, h.stderr)}, nil)
}

// adminPassword is the password that one of halls tells on its first start: where it listens comes
// by another pipe, and may come first.
func adminPassword(t *testing.T, errs ...*syncbuf.Buffer) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		for _, b := range errs {
			if m := firstPassword.FindStringSubmatch(b.String()); m != nil {
				return m[1]
			}
		}
	}
	t.Fatalf("nobody tells the password of admin:\n%s", errs)
	return ""
}

// A worker shows a token of its own from a file, plays under its name, and plays no more
// when the token is revoked; another one shows the common token.
func TestWorkerTokens(t *testing.T) {
	t.Parallel()
	at := freeAddress(t)
	dir := filepath.Join(t.TempDir(), "hall")
	h := openHall(t, dir, "--slots", "0", "--analyses", "0", "--listen", at)
	h.admin()
	var made struct{ Name, Token string }
	h.ask("POST", "/api/v1/admin/worker-tokens", map[string]any{"name": "far"}, &made)
	if !strings.HasPrefix(made.Token, "far.kiw_") {
		t.Fatalf("the token is %q", made.Token)
	}
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(made.Token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	room := func() string {
		return h.room(map[string]any{"game": "othello", "clocks": []string{"60+1", "60+1"}},
			map[string]any{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=1"},
			map[string]any{"do": "sit", "place": 1, "kind": "bot", "engine": "bot=1"},
			map[string]any{"do": "start"})
	}
	workers := func(prefix string) (list []bus.Worker) {
		var all []bus.Worker
		h.ask("GET", "/api/v1/admin/workers", nil, &all)
		for _, w := range all {
			if strings.HasPrefix(w.ID, prefix) {
				list = append(list, w)
			}
		}
		return list
	}
	// What workers say of themselves comes beside the results of their games.
	works := func(far, common int) {
		t.Helper()
		for end := time.Now().Add(time.Minute); len(workers("far-")) != far || len(workers("any-")) != common; time.Sleep(100 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("workers %+v, want %d with a token of their own and %d with the common one", workers(""), far, common)
			}
		}
	}
	_, stop := startWorker(t, "--nats", "nats://"+at, "--token-file", file)
	h.await(room(), func(r *hallRoom) bool { return r.Room.Played == 1 })
	works(1, 0)
	h.ask("DELETE", "/api/v1/admin/worker-tokens/far", nil, nil)
	id := room()
	common := filepath.Join(dir, "worker.token")
	works(0, 0) // a revoked worker goes
	_, halt := startWorker(t, "--nats", "nats://"+at, "--token-file", common)
	h.await(id, func(r *hallRoom) bool { return r.Room.Played == 1 })
	works(0, 1)
	halt()
	stop()
}

// What a worker tries with a token of its own that only others may do stands in the log and
// in the audit log, and on the page of workers.
func TestForgingWorker(t *testing.T) {
	at := freeAddress(t)
	h := openHall(t, filepath.Join(t.TempDir(), "hall"), "--slots", "1", "--analyses", "0", "--listen", at)
	h.admin()
	var made struct{ Name, Token string }
	h.ask("POST", "/api/v1/admin/worker-tokens", map[string]any{"name": "far"}, &made)
	b, err := bus.Open(t.Context(), bus.Options{URL: "nats://" + at, Token: made.Token, Worker: true, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	var refused *bus.AskError
	if _, err := b.AskBegin(t.Context(), bus.Begin{Game: "g", Worker: "hall-x"}); !errors.As(err, &refused) {
		t.Errorf("it asks for a worker of the hall: %v", err)
	}
	var found []struct{ Action, Subject, Detail string }
	for deadline := time.Now().Add(time.Minute); len(found) == 0; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the audit log says nothing")
		}
		h.ask("GET", "/api/v1/admin/audit?action=worker-refused", nil, &found)
	}
	if f := found[0]; f.Subject != "far" || !strings.Contains(f.Detail, "worker hall-x is not one of far") {
		t.Errorf("%+v", f)
	}
	if !strings.Contains(h.stderr.String(), "a worker tried what it may not") {
		t.Errorf("the log says nothing:\n%s", h.stderr)
	}
}

// Beyond this machine workers connect by TLS, and their tokens are all they need for it; one
// without the fingerprint is told what to do.
func TestWorkersByTLS(t *testing.T) {
	_, port, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "hall")
	begin := func(flags ...string) *testHall {
		return openHall(t, dir, append([]string{"--slots", "0", "--analyses", "0", "--listen", "0.0.0.0:" + port}, flags...)...)
	}
	h := begin()
	h.admin()
	var made struct{ Name, Token string }
	h.ask("POST", "/api/v1/admin/worker-tokens", map[string]any{"name": "far"}, &made)
	own := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(own, []byte(made.Token), 0o600); err != nil {
		t.Fatal(err)
	}
	shown, pin := bus.SplitPin(made.Token)
	if pin == "" || !strings.Contains(h.stderr.String(), "their tokens end with ."+pin) {
		t.Fatalf("token %q, log:\n%s", made.Token, h.stderr)
	}
	info, err := os.Stat(filepath.Join(dir, "queue.pem"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info, err)
	}
	at := "nats://127.0.0.1:" + port
	for _, file := range []string{own, filepath.Join(dir, "worker.token")} {
		_, stop := startWorker(t, "--nats", at, "--token-file", file)
		id := h.room(map[string]any{"game": "othello", "clocks": []string{"60+1", "60+1"}},
			map[string]any{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=1"},
			map[string]any{"do": "sit", "place": 1, "kind": "bot", "engine": "bot=1"},
			map[string]any{"do": "start"})
		h.await(id, func(r *hallRoom) bool { return r.Room.Played == 1 })
		stop()
	}
	told := func(url, want string) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		a, log := newApp(), &syncbuf.Buffer{}
		a.stderr, a.ctx = log, ctx
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			executeFull(a, []string{"worker", "--slots", "1", "--analyses", "0", "--nats", url})
		}()
		for deadline := time.Now().Add(time.Minute); !strings.Contains(log.String(), want); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("no %q in\n%s", want, log)
			}
		}
		cancel()
		<-ended
	}
	told("nats://"+shown+"@127.0.0.1:"+port, "take a token that Administration, Workers makes now")
	h.stop()
	begin("--listen-plain")
	told("nats://"+made.Token+"@127.0.0.1:"+port, "the server does not encrypt")
	if common, err := os.ReadFile(filepath.Join(dir, "worker.token")); err != nil || strings.Contains(string(common), "sha256") {
		t.Errorf("the common token of a hall that does not encrypt: %q %v", common, err)
	}
}
