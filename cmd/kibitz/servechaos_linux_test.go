package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kibitz/internal/hallclient"
	"kibitz/internal/pgtest"
	"kibitz/internal/slowline"
	"kibitz/internal/syncbuf"
)

// chaosProcess is a program that is killed and begun again.
type chaosProcess struct {
	t    *testing.T
	bin  string
	args []string
	cmd  *exec.Cmd
	out  *syncbuf.Buffer
	errs *syncbuf.Buffer
}

// begin starts it, and waits until it has said what ready finds, which is returned.
func (p *chaosProcess) begin(ready *regexp.Regexp) string {
	p.t.Helper()
	if p.errs == nil {
		p.errs = &syncbuf.Buffer{}
	}
	p.out = &syncbuf.Buffer{}
	p.cmd = exec.CommandContext(p.t.Context(), p.bin, p.args...)
	p.cmd.Env = append(os.Environ(), "KIBITZ_DB=", "KIBITZ_NATS=")
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.errs
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	for end := time.Now().Add(beginLimit); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		for _, b := range []*syncbuf.Buffer{p.out, p.errs} {
			if m := ready.FindStringSubmatch(b.String()); m != nil {
				return m[len(m)-1]
			}
		}
	}
	p.t.Fatalf("%v does not begin:\n%s", p.args, p.errs)
	return ""
}

// kill ends it as kill -9 does.
func (p *chaosProcess) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// signal sends a signal to it.
func (p *chaosProcess) signal(s os.Signal) { _ = p.cmd.Process.Signal(s) }

// chaos is a hall of several processes, and a tournament in it.
type chaos struct {
	t     *testing.T
	pg    *pgtest.Cluster
	db    string
	queue *chaosProcess
	nats  string
	// slowDB and slowNATS are on the way of halls and workers to the services.
	slowDB, slowNATS *slowline.Relay
	halls            [2]*chaosProcess
	urls             [2]string
	workers          []*chaosProcess
	client           hallclient.Client
	id               string
	// told is what was said of games that were over.
	told map[string]string
}

var (
	waitingForGames = regexp.MustCompile(`waiting for games`)
	queueAddress    = regexp.MustCompile(`(?m)^(nats://\S+)$`)
)

// newChaos starts PostgreSQL, a NATS server, two halls that play a game each, and
// workers.
func newChaos(t *testing.T, workers int) *chaos { return newChaosIn(t, workers, "") }

// newChaosIn keeps the store of NATS in a folder, if one is named.
func newChaosIn(t *testing.T, workers int, store string) *chaos {
	t.Helper()
	dir := t.TempDir()
	c := &chaos{t: t, pg: pgtest.Start(t), told: map[string]string{}}
	c.db = c.pg.Database(t, "")
	folder := filepath.Join(dir, "queue")
	if store != "" {
		folder = filepath.Join(store, "queue")
	}
	c.queue = &chaosProcess{t: t, bin: "kibitz-queue", args: []string{folder, "127.0.0.1:0"}}
	c.nats = c.queue.begin(queueAddress)
	t.Cleanup(c.queue.kill)
	c.queue.args[1] = c.nats[len("nats://"+queueToken+"@"):] // it comes back where it was
	c.slowDB = slowline.Start(t, "unix", filepath.Join(c.pg.Socket(), ".s.PGSQL.5432"))
	c.slowNATS = slowline.Start(t, "tcp", c.queue.args[1])
	name, _, _ := strings.Cut(strings.TrimPrefix(c.db, "postgres://kibitz@/"), "?")
	db, nats := "postgres://kibitz@"+c.slowDB.Address()+"/"+name, "nats://"+queueToken+"@"+c.slowNATS.Address()
	for i := range c.halls {
		c.halls[i] = &chaosProcess{t: t, bin: "kibitz", args: []string{
			"serve", "--addr", "127.0.0.1:0", "--data", filepath.Join(dir, fmt.Sprint("hall", i)), "--db", db, "--nats", nats, "--slots", "1",
		}}
		c.urls[i] = c.halls[i].begin(listening)
		t.Cleanup(c.halls[i].kill)
	}
	for range workers {
		w := &chaosProcess{t: t, bin: "kibitz", args: []string{"worker", "--nats", nats, "--slots", "1"}}
		w.begin(waitingForGames)
		t.Cleanup(w.kill)
		c.workers = append(c.workers, w)
	}
	c.must("POST", "/account/login", map[string]any{"name": "admin", "password": adminPassword(t, c.halls[0].errs, c.halls[1].errs)}, nil)
	return c
}

// ask sends a request to the halls in turn until one answers it.
func (c *chaos) ask(method, path string, in, out any) error {
	var all error
	for _, url := range c.urls {
		err := c.askOne(url, method, path, in, out)
		if err == nil {
			return nil
		}
		all = errors.Join(all, err)
	}
	return all
}

func (c *chaos) askOne(url, method, path string, in, out any) error {
	ctx, cancel := context.WithTimeout(c.t.Context(), 5*time.Second)
	defer cancel()
	return c.client.Ask(ctx, url, method, path, in, out)
}

// must asks until it is answered: halls that have just lost something may need a moment.
func (c *chaos) must(method, path string, in, out any) {
	c.t.Helper()
	err := c.ask(method, path, in, out)
	for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); err = c.ask(method, path, in, out) {
		time.Sleep(500 * time.Millisecond)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// begin begins a tournament of three built-in engines, with so many games a pair.
func (c *chaos) begin(games, atATime int) {
	c.t.Helper()
	var v struct{ ID string }
	c.must("POST", "/tournaments", map[string]any{
		"name": "chaos", "game": "othello", "games": games, "concurrency": atATime, "start": true, "each": "tc=60+1", "engines": []string{"bot=4", "bot=5", "bot=6"},
	}, &v)
	c.id = v.ID
}

// chaosStanding is what a tournament says of itself.
type chaosStanding struct {
	State     string
	Over, All int
	Standings []struct {
		Games, Wins, Draws, Losses int
		Points                     float64
	}
}

// reach waits until so many games are over, and notes what is told of them.
func (c *chaos) reach(games int) {
	c.t.Helper()
	var v chaosStanding
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(150 * time.Millisecond) {
		if c.ask("GET", "/tournaments/"+c.id, nil, &v) == nil && v.Over >= games {
			c.note()
			return
		}
	}
	c.t.Fatalf("%d games of %d are over, want %d:\n%s\n%s", v.Over, v.All, games, c.halls[0].errs, c.halls[1].errs)
}

// note reads all games that are over: what was told of one before holds.
func (c *chaos) note() {
	c.t.Helper()
	for cursor := ""; ; {
		var page struct {
			Games []struct {
				ID     string          `json:"id"`
				Result json.RawMessage `json:"result"`
				Ended  string          `json:"ended"`
			} `json:"games"`
			Next string `json:"next"`
		}
		c.must("GET", "/games?state=over&limit=500&tournament="+c.id+"&cursor="+cursor, nil, &page)
		for _, g := range page.Games {
			text := string(g.Result) + g.Ended
			if was := c.told[g.ID]; was != "" && was != text {
				c.t.Errorf("game %s was %s and is %s", g.ID, was, text)
			}
			c.told[g.ID] = text
		}
		if cursor = page.Next; cursor == "" {
			return
		}
	}
}

// judge looks into the database and at the standings: every pairing has one result that
// counts, with its record, and nothing that was told to be over is missing.
func (c *chaos) judge(games int) {
	c.t.Helper()
	c.note()
	ctx := c.t.Context()
	conn, err := pgx.Connect(ctx, c.db)
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.Close(ctx)
	var all, over, numbers, records, again int
	err = conn.QueryRow(ctx, `SELECT count(*), count(*) FILTER (WHERE state = 'over'), count(DISTINCT idx), count(*) FILTER (WHERE attempt > 1),
		(SELECT count(*) FROM records r JOIN games g ON g.n = r.n WHERE g.tournament = $1 AND length(r.record) > 0)
		FROM games WHERE tournament = $1`, c.id).Scan(&all, &over, &numbers, &again, &records)
	if err != nil {
		c.t.Fatal(err)
	}
	if all != games || over != games || numbers != games || records != games || len(c.told) != games {
		c.t.Errorf("%d games of %d numbers, %d over, %d records, %d were told; want %d of each", all, numbers, over, records, len(c.told), games)
	}
	var v chaosStanding
	c.must("GET", "/tournaments/"+c.id, nil, &v)
	points, played := 0.0, 0
	for _, s := range v.Standings {
		points += s.Points
		played += s.Games
		if s.Wins+s.Draws+s.Losses != s.Games {
			c.t.Errorf("standings %+v", s)
		}
	}
	if v.State != "finished" || v.Over != games || played != 2*games || points != float64(games) {
		c.t.Errorf("the tournament: %+v", v)
	}
	c.t.Logf("%d games, %d of them begun more than once", games, again)
}

// TestServeChaos kills NATS, PostgreSQL, a hall with the game that it plays and, in the
// long form (KIBITZ_CHAOS=1, make chaos), workers, each in the middle of a tournament
// and more than once. Every pairing has exactly one result that counts in the end, and
// nothing that was over is lost. A game of a worker that was killed waits for its lease
// of 30 seconds, which makes the form long.
func TestServeChaos(t *testing.T) {
	t.Parallel()
	long := os.Getenv("KIBITZ_CHAOS") != ""
	if testing.Short() && !long {
		t.Skip("plays a tournament on PostgreSQL")
	}
	rounds, each, workers := 1, 20, 1
	if long {
		rounds, each, workers = 4, 150, 3
	}
	c := newChaos(t, workers)
	games := 3 * each
	began := time.Now()
	c.begin(each, 6)
	kills := []struct {
		what string
		kill func(round int)
	}{
		{"NATS", func(int) {
			c.queue.kill()
			time.Sleep(time.Second)
			c.queue.begin(queueAddress)
		}},
		{"PostgreSQL", func(int) {
			c.pg.Kill()
			time.Sleep(time.Second)
			c.pg.Begin(t)
		}},
		{"a hall", func(round int) {
			h := c.halls[round%2]
			h.kill()
			h.errs = nil
			c.urls[round%2] = h.begin(listening)
		}},
		{"a worker", func(round int) {
			w := c.workers[round%workers]
			w.kill()
			w.errs = nil
			w.begin(waitingForGames)
		}},
	}
	if !long {
		kills = kills[:3]
	}
	for i := range rounds * len(kills) {
		c.reach((i + 1) * games / (rounds*len(kills) + 2))
		k := kills[i%len(kills)]
		k.kill(i / len(kills))
		t.Logf("%s: %s was killed when %d games were over", time.Since(began).Round(100*time.Millisecond), k.what, len(c.told))
	}
	c.reach(games)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		var v chaosStanding
		if c.ask("GET", "/tournaments/"+c.id, nil, &v) == nil && v.State == "finished" {
			break
		}
	}
	c.judge(games)
	t.Logf("%s in all", time.Since(began).Round(100*time.Millisecond))
}
