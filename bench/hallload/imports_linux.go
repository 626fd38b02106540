//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"os"
	"regexp"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/hallclient"
	"kibitz/link/procfs"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/rules"
)

const importsPage = `# Games imported into a hall, measured

%s, %s, ` + "`make imports`" + `. %d random games of %s in Kibitz's own records are sent to a hall in forms of %d, ` +
	`one after the other; meanwhile one page after the other is asked for.

| | |
|---|---|
| games a second, each form | %s |
| games a second in all | %.0f |
| processor time of the hall a game | %.3f ms |
| largest resident memory of the hall | %d MiB |
| pages meanwhile | %d: p50 %s, p99 %s, at most %s |
| the same pages without an import | %d: p50 %s, p99 %s, at most %s |
| games of the initial position, first page | %s |
`

// importPages are what is asked for while games are imported.
var importPages = []string{"/", "/games", "/games?game=othello", "/api/v1/games?player=player+7"}

// loadImports measures imports and writes the page.
func loadImports(ctx context.Context, args []string) error {
	o := &options{alone: true}
	f := flag.NewFlagSet("hallload imports", flag.ContinueOnError)
	report := f.String("report", "", "page that is written")
	count := f.Int("games", 50_000, "how many games")
	each := f.Int("each", 5000, "how many in a form, which may have 16 MiB")
	spec := f.String("spec", "othello", "what is played")
	profile := f.String("profile", "", "folder of profiles of the hall")
	f.StringVar(&o.program, "kibitz", "bin/kibitz", "the program that is measured")
	f.StringVar(&o.dir, "dir", "", "folder for the hall and its log; none: a new one that is removed")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *profile != "" {
		o.flags = append(o.flags, "--profile", *profile)
	}
	remove, err := o.ownFolder()
	if err != nil {
		return err
	}
	defer remove()
	h, err := startHall(ctx, o, o.dir, time.Now)
	if err != nil {
		return err
	}
	m := &importing{url: "http://" + h.addr, spec: *spec}
	err = m.run(ctx, h, *count, *each)
	if err = errors.Join(err, h.stop()); err != nil {
		return err
	}
	quiet := &m.quiet
	page := fmt.Sprintf(importsPage, time.Now().Format(time.DateOnly), machine(), *count, *spec, *each, m.rates, m.rate, m.cpu, m.peak>>20,
		m.busy.n, m.busy.at(0.5), m.busy.at(0.99), m.busy.most, quiet.n, quiet.at(0.5), quiet.at(0.99), quiet.most, m.found)
	fmt.Print(page)
	if *report == "" {
		return nil
	}
	return os.WriteFile(*report, []byte(page), 0o644)
}

// importing is a measurement of imports.
type importing struct {
	url, spec   string
	client      hallclient.Client
	busy, quiet delays
	rates       string
	rate, cpu   float64
	peak        int64
	found       time.Duration
}

var adminPassword = regexp.MustCompile(`account admin has the password (\S+);`)

func (m *importing) run(ctx context.Context, h *hall, count, each int) error {
	text, err := os.ReadFile(h.stderr)
	if err != nil {
		return err
	}
	password := adminPassword.FindSubmatch(text)
	if password == nil {
		return errors.New("the hall does not tell the password of admin")
	}
	err = m.client.Ask(ctx, m.url, http.MethodPost, "/account/login", map[string]any{"name": "admin", "password": string(password[1])}, nil)
	if err != nil {
		return err
	}
	for n := range 100 {
		if err := m.pages(ctx, n, &m.quiet); err != nil {
			return err
		}
	}
	asking, stop := context.WithCancel(ctx)
	var asked sync.WaitGroup
	asked.Go(func() {
		for n := 100; asking.Err() == nil; n++ {
			_ = m.pages(asking, n, &m.busy) // what is cut off at the end is not counted
			time.Sleep(20 * time.Millisecond)
		}
	})
	err = m.forms(ctx, h, count, each)
	stop()
	asked.Wait()
	if err != nil {
		return err
	}
	var initial struct {
		Key int64 `json:"key,string"`
	}
	if err := m.client.Ask(ctx, m.url, http.MethodPost, "/boards", map[string]any{"spec": m.spec}, &initial); err != nil {
		return err
	}
	begun := time.Now()
	err = m.get(ctx, http.DefaultClient, fmt.Sprintf("/api/v1/games?position=%d&hasPosition=true&limit=100", initial.Key))
	m.found = time.Since(begun).Round(100 * time.Microsecond)
	return err
}

// forms sends the games.
func (m *importing) forms(ctx context.Context, h *hall, count, each int) error {
	var took time.Duration
	before, _ := procfs.CPU(h.cmd.Process.Pid)
	for from := 0; from < count; from += each {
		n := min(each, count-from)
		body, kind, err := m.form(n, uint64(from))
		if err != nil {
			return err
		}
		begun := time.Now()
		if err := m.send(ctx, body, kind, n); err != nil {
			return err
		}
		d := time.Since(begun)
		took += d
		m.rates += fmt.Sprintf("%.0f ", float64(n)/d.Seconds())
	}
	after, _ := procfs.CPU(h.cmd.Process.Pid)
	m.rate, m.cpu = float64(count)/took.Seconds(), (after-before).Seconds()*1000/float64(count)
	m.peak = procfs.Peak(h.cmd.Process.Pid)
	return nil
}

func (m *importing) send(ctx context.Context, body []byte, kind string, n int) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url+"/api/v1/games/import", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", kind)
	req.Header.Set("Cookie", m.client.Cookie)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close() //nolint:errcheck // it was read
	answer, err := io.ReadAll(res.Body)
	if err == nil && (res.StatusCode != http.StatusOK || !bytes.Contains(answer, fmt.Appendf(nil, `"games":%d,`, n))) {
		err = fmt.Errorf("the hall answers %s: %.300s", res.Status, answer)
	}
	return err
}

// pages asks for each page once, as a visitor from an address of his own.
func (m *importing) pages(ctx context.Context, n int, d *delays) error {
	transport := hallclient.From(hallclient.Address(n % 1000))
	defer transport.CloseIdleConnections()
	for _, path := range importPages {
		begun := time.Now()
		if err := m.get(ctx, &http.Client{Transport: transport}, path); err != nil {
			return err
		}
		d.add(time.Since(begun))
	}
	return nil
}

func (m *importing) get(ctx context.Context, client *http.Client, path string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, m.url+path, nil)
	if err != nil {
		return err
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close() //nolint:errcheck // it was read
	if _, err = io.Copy(io.Discard, res.Body); err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", path, res.Status)
	}
	return err
}

// form returns a form with random games.
func (m *importing) form(n int, seed uint64) ([]byte, string, error) {
	r, err := games.Open(m.spec)
	if err != nil {
		return nil, "", err
	}
	set := formats.New(func(s game.Spec) (rules.Rules, error) { return games.Open(string(s)) })
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	w, err := form.CreateFormFile("files", "games.jsonl")
	if err != nil {
		return nil, "", err
	}
	random := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		g, err := randomGame(r, random, int(seed)+i)
		if err != nil {
			return nil, "", err
		}
		if err := set.WriteNative(w, []*record.Game{g}); err != nil {
			return nil, "", err
		}
	}
	err = form.Close()
	return b.Bytes(), form.FormDataContentType(), err
}

// randomGame plays a game at random.
func randomGame(r rules.Rules, random *rand.Rand, i int) (*record.Game, error) {
	s := r.New()
	g := &record.Game{
		ID: fmt.Sprint("g", i), Spec: r.Spec(), Names: [2]string{fmt.Sprint("player ", i%1000), fmt.Sprint("player ", i*7%1000)},
		Date: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Minute).Format(time.DateTime),
	}
	for {
		if res, over := s.Result(); over {
			g.Result = &res
			return g, nil
		}
		list := s.Legal(nil)
		used := time.Duration(random.IntN(900)) * time.Millisecond
		step := record.Step{By: s.Turn().Seat, Move: list[random.IntN(len(list))], Used: used, Timed: true}
		if _, err := s.Apply(step.Move, nil); err != nil {
			return nil, err
		}
		g.Steps = append(g.Steps, step)
	}
}
