package main

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"kibitz/internal/pgtest"
	"kibitz/internal/syncbuf"
)

// TestSeveralServersPage does what docs/hall.md says about several servers, with a role,
// addresses and folders of the test in the place of the page's: the role and the database
// suffice for the first start, NATS takes its token and its settings from the file as it
// stands, halls and workers come in, and one hall alone tells the password of admin.
func TestSeveralServersPage(t *testing.T) {
	t.Parallel()
	pg := pgtest.Start(t)
	page, err := os.ReadFile("../../docs/hall.md")
	if err != nil {
		t.Fatal(err)
	}
	section := regexp.MustCompile(`(?s)\n## Several servers\n(.*?)\n## `).FindSubmatch(page)
	if section == nil {
		t.Fatal("the page has no section on several servers")
	}
	blocks := regexp.MustCompile(`(?m)(?:^    .*\n)+`).FindAllString(string(section[1]), -1)
	if len(blocks) != 5 {
		t.Fatalf("%d blocks: %q", len(blocks), blocks)
	}
	for i := range blocks {
		blocks[i] = strings.TrimSpace(strings.ReplaceAll(blocks[i], "\n    ", "\n"))
	}
	queue := pageQueue(t, blocks[1], blocks[2])
	// The owner of the test's cluster has the name of the page's role.
	psql, _ := strings.CutPrefix(strings.ReplaceAll(blocks[0], "kibitz", "pagerole"), "sudo -u postgres psql ")
	var args []string
	for _, m := range regexp.MustCompile(`-c "([^"]*)"`).FindAllStringSubmatch(psql, -1) {
		args = append(args, "-c", m[1])
	}
	if out, err := pg.Tool("psql", append([]string{"-v", "ON_ERROR_STOP=1"}, args...)...).CombinedOutput(); err != nil || len(args) != 4 {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	dir := t.TempDir()
	fit := strings.NewReplacer("--addr 0.0.0.0:8080 --data /var/lib/kibitz", "", "postgres://kibitz:PASSWORD@db/hall", "postgres://pagerole:PASSWORD@/hall?host="+url.QueryEscape(pg.Socket()), "queue:4222", queue)
	words := strings.Fields(fit.Replace(blocks[3]))
	if len(words) != 6 || words[1] != "serve" {
		t.Fatal(words)
	}
	halls := []*testHall{openHall(t, filepath.Join(dir, "a"), words[2:]...), openHall(t, filepath.Join(dir, "b"), words[2:]...)}
	tells := 0
	for i, h := range halls {
		tells += strings.Count(h.stderr.String(), "the account admin has the password")
		res, err := h.client.Get(h.url + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Errorf("hall %d is not ready: %s\n%s", i, res.Status, h.stderr.String())
		}
	}
	if tells != 1 {
		t.Errorf("%d halls tell the password of admin", tells)
	}
	const alone = "another hall has this database, and a queue of its own"
	for i, h := range halls {
		if strings.Contains(h.stderr.String(), alone) {
			t.Errorf("hall %d: %s", i, h.stderr.String())
		}
	}
	if h := openHall(t, filepath.Join(dir, "c"), words[2:4]...); words[2] != "--db" || !strings.Contains(h.stderr.String(), alone) {
		t.Errorf("a hall without the others' queue:\n%s", h.stderr.String())
	}
	pageWorker(t, strings.Fields(fit.Replace(blocks[4]))[1:])
}

// pageQueue runs a nats-server by its file, but for port and folder.
func pageQueue(t *testing.T, conf, command string) (addr string) {
	t.Helper()
	if command != "nats-server -c nats.conf" {
		t.Errorf("started by %q", command)
	}
	file := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := server.ProcessConfigFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if o.Port != 4222 || o.Authorization != "TOKEN" || o.PingInterval != 5*time.Second || o.MaxPingsOut != 2 || !o.JetStream || o.StoreDir != "/var/lib/nats" {
		t.Errorf("%+v", o)
	}
	o.Host, o.Port, o.StoreDir, o.NoSigs, o.NoLog = "127.0.0.1", server.RANDOM_PORT, t.TempDir(), true, true
	srv, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
	if !srv.ReadyForConnections(time.Minute) {
		t.Fatal("NATS does not begin")
	}
	return srv.Addr().String()
}

// pageWorker runs a worker until it waits for games.
func pageWorker(t *testing.T, args []string) {
	t.Helper()
	var out, errs syncbuf.Buffer
	drain := make(chan struct{})
	a := newApp()
	a.stdout, a.stderr, a.drain, a.ctx = &out, &errs, drain, t.Context()
	ended := make(chan int, 1)
	go func() { ended <- executeFull(a, args) }()
	for end := time.Now().Add(beginLimit); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if strings.Contains(errs.String(), "waiting for games") {
			break
		}
	}
	close(drain)
	if status := <-ended; status != 0 || !strings.Contains(errs.String(), "waiting for games") {
		t.Errorf("%v: status %d\n%s", args, status, errs.String())
	}
}
