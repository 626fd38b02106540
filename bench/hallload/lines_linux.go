//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"kibitz/internal/hallclient"
)

// loadLines measures lines with each number of games, and writes the page.
func loadLines(ctx context.Context, args []string) error {
	o := &options{specs: []string{"gomoku:size=20"}}
	f := flag.NewFlagSet("hallload lines", flag.ContinueOnError)
	counts := f.String("games", "1 20 200", "how many games at a time, measured one after the other")
	every := f.Duration("every", 250*time.Millisecond, "time between two lines of an engine")
	report := f.String("report", "", "page that is written")
	f.StringVar(&o.program, "kibitz", "bin/kibitz", "the program that is measured")
	f.DurationVar(&o.window, "window", 30*time.Second, "how long delays are measured")
	if err := f.Parse(args); err != nil {
		return err
	}
	var rows strings.Builder
	for _, text := range strings.Fields(*counts) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 200 {
			return fmt.Errorf("-games %q: numbers from 1 to 200", text)
		}
		one := *o
		one.games = n
		row, err := measureLines(ctx, &one, *every)
		if err != nil {
			return fmt.Errorf("with %d games: %w", n, err)
		}
		fmt.Fprintln(os.Stderr, row)
		rows.WriteString(row + "\n")
	}
	page := fmt.Sprintf(linesPage, time.Now().Format(time.DateOnly), machine(), *every, o.window, rows.String())
	fmt.Print(page)
	if *report == "" {
		return nil
	}
	return os.WriteFile(*report, []byte(page), 0o644)
}

const linesPage = `# What engines say, measured

%s, %s, ` + "`make lines`" + `. From the moment in which an engine prints a line until it has been read from the stream of its page. Engines are processes that speak Gomocup's protocol, one of the two of each game at a time thinks for 5 s and prints each %s; a worker plays the games, a hall passes on what they say, a connection each watches a game: all on this machine, for %s. The worker tells at most five lines a second of a game, the first at once. A browser draws at its next frame.

| games | lines | p50 | p95 | p99 | most |
|---|---|---|---|---|---|
%s`

// measureLines runs a hall with games and returns the row of the table.
func measureLines(ctx context.Context, o *options, every time.Duration) (row string, err error) {
	remove, err := o.ownFolder()
	if err != nil {
		return "", err
	}
	defer remove()
	_, err = beside(ctx, o, func(m *measurement, ctx context.Context) error {
		row, err = m.hearLines(ctx, every)
		return err
	})
	return row, err
}

// hearLines has engines talk in all games, and those who watch count.
func (m *measurement) hearLines(ctx context.Context, every time.Duration) (row string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := m.startWorker("-aloud", every.String()); err != nil {
		return "", err
	}
	if err := m.openRooms(ctx); err != nil {
		return "", err
	}
	go m.follow(ctx)
	if err := m.await(ctx, 2*time.Minute, m.allPlay); err != nil {
		return "", fmt.Errorf("not all games were begun: %w", err)
	}
	t := &heard{}
	var watching sync.WaitGroup
	for i, id := range *m.current.Load() {
		watching.Go(func() { t.fail(watch(ctx, m.hall.addr, i, id, t)) })
	}
	time.Sleep(thinks) // until all of them are there
	t.begin()
	time.Sleep(m.o.window)
	row = t.row(m.o.games)
	cancel()
	watching.Wait()
	return row, t.fault
}

// heard counts what watchers have read.
type heard struct {
	mu    sync.Mutex
	on    bool
	d     delays
	fault error
}

// begin forgets what came before.
func (h *heard) begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.on, h.d = true, delays{}
}

func (h *heard) add(x time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.on {
		h.d.add(x)
	}
}

// fail keeps the first fault that is not the end of the measurement.
func (h *heard) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.fault == nil && err != nil && !errors.Is(err, context.Canceled) {
		h.fault = err
	}
}

// row ends the counting.
func (h *heard) row(games int) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.on = false
	return fmt.Sprintf("| %d | %d | %d ms | %d ms | %d ms | %d ms |", games, h.d.n, h.d.at(0.5).Milliseconds(), h.d.at(0.95).Milliseconds(),
		h.d.at(0.99).Milliseconds(), h.d.most.Milliseconds())
}

// watch reads the stream of a game as its page does.
func watch(ctx context.Context, addr string, n int, id string, h *heard) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/api/v1/games/"+id+"/events", http.NoBody)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "text/event-stream")
	c := &http.Client{Transport: hallclient.From(hallclient.Address(1000 + n))}
	r, err := c.Do(req)
	if err != nil {
		return err
	}
	defer r.Body.Close() //nolint:errcheck // read only
	if r.StatusCode != http.StatusOK {
		why, err := io.ReadAll(io.LimitReader(r.Body, 1000))
		return errors.Join(fmt.Errorf("the stream of game %s: %s: %s", id, r.Status, why), err)
	}
	lines, last := bufio.NewScanner(r.Body), int64(0)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		at := printed(lines.Bytes())
		if at > last {
			h.add(time.Duration(time.Now().UnixNano() - at))
			last = at
		}
	}
	return lines.Err()
}

// printed finds the latest stamp in an event, 0 if there is none.
func printed(event []byte) int64 {
	i := bytes.LastIndex(event, []byte(stamp))
	if i < 0 {
		return 0
	}
	digits := event[i+len(stamp):]
	if end := bytes.IndexFunc(digits, func(c rune) bool { return c < '0' || c > '9' }); end >= 0 {
		digits = digits[:end]
	}
	at, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		return 0
	}
	return at
}
