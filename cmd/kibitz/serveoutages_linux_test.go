package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kibitz/hall/bus"
	"kibitz/internal/hallclient"
	"kibitz/internal/slowline"
	"kibitz/internal/smalldisk"
)

// outage is something behind the halls that is away for a while.
type outage struct {
	what string
	// late tells that it is felt only when what there is has been used up.
	late bool
	// unfelt tells that it is nothing: the service is a little slow, and nobody says so.
	unfelt bool
	// node tells that a hall or a worker is away, not what stands behind them: the others
	// go on and say nothing of it, and who asks a hall that is stopped waits as long as he
	// is patient.
	node       bool
	begin, end func()
	lasts      time.Duration
	began      time.Time
	ended      time.Time
	// seen is what was seen from its beginning until it was over for everybody.
	seen seen
}

// seen is what people and operators saw of an outage.
type seen struct {
	mu sync.Mutex
	// down and up are when /readyz first told of it, and when it last did; told is what
	// it said.
	down, up time.Time
	told     map[string]bool
	// pages counts what pages answered, slowest is the longest wait for anything.
	pages   map[int]int
	slowest time.Duration
	renews  int
	// charged is the most that a person's clock was charged beyond his own thinking.
	charged time.Duration
	moves   int
}

// outages are those of a run, the current one last.
type outages struct {
	mu   sync.Mutex
	list []*outage
}

// now is the outage that goes on, or was the latest.
func (o *outages) now() *outage {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.list) == 0 {
		return nil
	}
	return o.list[len(o.list)-1]
}

// outagePerson plays one game after another against built-in engines, as a patient person
// does: what is not taken is sent again.
type outagePerson struct {
	c      *chaos
	o      *outages
	client hallclient.Client
	games  int
	lost   []string
	// said is what was answered since the latest turn.
	said []string
}

// ask asks the halls in turn.
func (p *outagePerson) ask(ctx context.Context, method, path string, in, out any) error {
	var err error
	for _, url := range p.c.urls {
		once, cancel := context.WithTimeout(ctx, 10*time.Second)
		began := time.Now()
		err = p.client.Ask(once, url, method, path, in, out)
		cancel()
		if x := p.o.now(); x != nil {
			x.seen.waited(time.Since(began))
		}
		p.said = append(p.said, fmt.Sprint(time.Since(began).Round(time.Millisecond), " ", err))
		if err == nil {
			return nil
		}
	}
	return err
}

// keep asks until it is done.
func (p *outagePerson) keep(ctx context.Context, method, path string, in, out any) {
	for ctx.Err() == nil && p.ask(ctx, method, path, in, out) != nil {
		time.Sleep(500 * time.Millisecond)
	}
}

func (p *outagePerson) run(ctx context.Context) {
	p.keep(ctx, "POST", "/account/guest", nil, nil)
	for ctx.Err() == nil {
		p.play(ctx)
	}
}

// play plays one game.
func (p *outagePerson) play(ctx context.Context) {
	var r struct {
		ID   string
		Room struct{ Game *struct{ ID string } }
	}
	p.keep(ctx, "POST", "/rooms", map[string]any{"settings": map[string]any{"game": "othello", "clocks": []string{"150+0", "150+0"}}}, &r)
	for _, do := range []map[string]any{
		{"do": "sit", "place": 0, "kind": "person"}, {"do": "sit", "place": 1, "kind": "bot", "engine": "bot=1"}, {"do": "ready"}, {"do": "start"},
	} {
		if ctx.Err() == nil && p.ask(ctx, "POST", "/rooms/"+r.ID+"/commands", do, &r) != nil {
			time.Sleep(time.Second)
			return // another room will do
		}
	}
	if r.Room.Game == nil {
		return
	}
	id := r.Room.Game.ID
	t := &turns{}
	for n := 0; ctx.Err() == nil; n++ {
		if over := p.follow(ctx, p.c.urls[n%2], id, t); over {
			p.over(ctx, id)
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// over notes how a game ended.
func (p *outagePerson) over(ctx context.Context, id string) {
	var g struct {
		Result struct{ Reason, Detail string } `json:"result"`
	}
	for range 20 {
		if p.ask(ctx, "GET", "/games/"+id, nil, &g) == nil && g.Result.Reason != "" {
			break
		}
		time.Sleep(500 * time.Millisecond)
	}
	p.games++
	if r := g.Result.Reason; r == "time" || r == "disconnect" || r == "abort" {
		p.lost = append(p.lost, id+": "+r+" "+g.Result.Detail)
	}
}

// turns is what a person remembers of his game from turn to turn.
type turns struct {
	prompt, attempt int
	left, own       time.Duration
}

// follow follows a game and answers its questions; it reports whether the game is over.
func (p *outagePerson) follow(ctx context.Context, url, id string, t *turns) (over bool) {
	once, cancel := context.WithTimeout(ctx, 40*time.Second) // then a page would connect anew
	defer cancel()
	req, err := http.NewRequestWithContext(once, http.MethodGet, url+"/api/v1/games/"+id+"/events", nil)
	if err != nil {
		return true
	}
	req.Header.Set("Accept", "application/x-ndjson")
	req.Header.Set("Cookie", p.client.Cookie)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusConflict {
		return true
	}
	for in := bufio.NewReader(res.Body); ; {
		text, err := in.ReadBytes('\n')
		if err != nil {
			return false
		}
		var line struct {
			Event string
			Data  json.RawMessage
		}
		if json.Unmarshal(text, &line) != nil {
			continue
		}
		switch line.Event {
		case "over":
			return true
		case "seat":
			var s bus.SeatState
			if json.Unmarshal(line.Data, &s) != nil || s.Prompt == 0 || len(s.Legal) == 0 || s.Prompt == t.prompt && s.Attempt == t.attempt || !s.Held.IsZero() {
				continue
			}
			p.turn(ctx, id, &s, t)
		}
	}
}

// turn thinks and answers, and looks at what the turn before has cost: what was told may have been
// on its way for long, and is set right by what comes behind it.
func (p *outagePerson) turn(ctx context.Context, id string, s *bus.SeatState, t *turns) {
	shown := time.Now()
	for range 50 {
		now := bus.SeatState{}
		if err := p.ask(ctx, "GET", "/games/"+id+"/seat", nil, &now); err != nil || now.Prompt != s.Prompt || now.Attempt != s.Attempt {
			break
		}
		if now.Held.IsZero() {
			s.Deadline = now.Deadline
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	left := s.Deadline.Sub(shown)
	x := p.o.now()
	if t.prompt > 0 && s.Attempt == t.attempt && x != nil {
		over := t.left - left - t.own
		x.seen.cost(over)
		if over > 2*time.Second {
			p.c.t.Logf("%s: game %s, prompt %d: %s were charged beyond %s of thinking; %s were left, then %s; answers: %s", time.Now().Format(time.TimeOnly), id, t.prompt, over, t.own, t.left, left, p.said)
		}
	}
	p.said = nil
	time.Sleep(time.Second)
	t.prompt, t.attempt, t.left, t.own = s.Prompt, s.Attempt, left, time.Since(shown)
	p.keepMove(ctx, id, s)
}

// keepMove sends a move until it is taken, or is none any more.
func (p *outagePerson) keepMove(ctx context.Context, id string, s *bus.SeatState) {
	for end := time.Now().Add(3 * time.Minute); ctx.Err() == nil && time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
		err := p.ask(ctx, "POST", "/games/"+id+"/moves", map[string]any{"prompt": s.Prompt, "steps": s.Legal[:1]}, nil)
		if err == nil || strings.Contains(err.Error(), " 409 ") || strings.Contains(err.Error(), " 404 ") {
			return
		}
	}
}

func (s *seen) waited(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slowest = max(s.slowest, d)
}

func (s *seen) cost(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.charged = max(s.charged, d)
	s.moves++
}

// look looks at a page and at /readyz of a hall, as a person and a monitor do.
func (s *seen) look(ctx context.Context, url string) {
	get := func(path, accept string) (int, string) {
		once, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		req, err := http.NewRequestWithContext(once, http.MethodGet, url+path, nil)
		if err != nil {
			return 0, ""
		}
		req.Header.Set("Accept", accept)
		began := time.Now()
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return 0, ""
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		s.waited(time.Since(began))
		return res.StatusCode, string(text)
	}
	status, text := get("/readyz", "")
	page, html := get("/", "text/html")
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if status != http.StatusOK {
		if s.down.IsZero() {
			s.down = now
		}
		s.up = now
		s.told[strings.TrimSpace(text)] = true
	}
	s.pages[page]++
	if strings.Contains(html, `http-equiv="refresh"`) {
		s.renews++
	}
}

// outageGames are those of the tournament, which goes on through the outages of two and of
// twenty seconds; some of the outages alone (KIBITZ_OUTAGES=NATS) have three of ten.
const outageGames = 3000

// TestServeOutages (KIBITZ_OUTAGES=1, make outages) lets NATS, PostgreSQL, a hall and a
// worker be killed, stop for twenty seconds and be away for two minutes, and NATS and
// PostgreSQL be slow and have no space, while ten people play and a tournament goes on at two halls
// with three workers.
func TestServeOutages(t *testing.T) {
	if os.Getenv("KIBITZ_OUTAGES") == "" {
		t.Skip("takes a quarter of an hour: make outages")
	}
	store := smalldisk.Mount(t, 600)
	queue := smalldisk.Mount(t, 96)
	t.Setenv("TMPDIR", store) // where the database is made
	c := newChaosIn(t, 3, queue)
	t.Setenv("TMPDIR", os.TempDir())
	for i, h := range c.halls {
		h.args[2] = strings.TrimPrefix(c.urls[i], "http://") // it comes back where it was
	}
	games := outageGames
	only := os.Getenv("KIBITZ_OUTAGES")
	if only != "1" {
		games = outageGames * 3 / 10
	}
	c.begin(games/3, 2)
	o := &outages{}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	people := make([]*outagePerson, 10)
	for i := range people {
		people[i] = &outagePerson{c: c, o: o}
		people[i].client.HTTP = &http.Client{Transport: hallclient.From(hallclient.Address(i))}
		wg.Go(func() { people[i].run(ctx) })
	}
	for _, url := range c.urls {
		wg.Go(func() {
			for ctx.Err() == nil {
				if x := o.now(); x != nil {
					x.seen.look(ctx, url)
				}
				time.Sleep(250 * time.Millisecond)
			}
		})
	}
	var free func()
	again := func() { c.queue.begin(queueAddress) }
	list := []*outage{
		{what: "NATS killed, begun again after 2 s", begin: c.queue.kill, end: again, lasts: 2 * time.Second},
		{what: "PostgreSQL killed, begun again after 2 s", begin: c.pg.Kill, end: func() { c.pg.Begin(t) }, lasts: 2 * time.Second},
		{what: "NATS stopped for 20 s", begin: func() { c.queue.signal(syscall.SIGSTOP) }, end: func() { c.queue.signal(syscall.SIGCONT) }, lasts: 20 * time.Second},
		{what: "PostgreSQL stopped for 20 s", begin: func() { c.pg.Signal(syscall.SIGSTOP) }, end: func() { c.pg.Signal(syscall.SIGCONT) }, lasts: 20 * time.Second},
		{what: "the disk of NATS full for 20 s, NATS then begun again", begin: func() { free = smalldisk.Fill(t, queue) }, end: func() { free(); c.queue.kill(); again() }, lasts: 20 * time.Second},
		{what: "the disk of PostgreSQL full for 20 s", late: true, begin: func() { free = smalldisk.Fill(t, store) }, end: func() { free(); c.pg.Again(t) }, lasts: 20 * time.Second},
		{what: "NATS away for 2 min", begin: c.queue.kill, end: again, lasts: 2 * time.Minute},
		{what: "PostgreSQL away for 2 min", begin: c.pg.Kill, end: func() { c.pg.Begin(t) }, lasts: 2 * time.Minute},
	}
	for _, n := range []struct {
		what  string
		p     *chaosProcess
		ready *regexp.Regexp
	}{{"a hall", c.halls[0], listening}, {"a worker", c.workers[0], waitingForGames}} {
		again := func() {
			n.p.errs = nil
			n.p.begin(n.ready)
		}
		list = append(
			list, []*outage{
				{what: n.what + " killed, begun again after 2 s", node: true, begin: n.p.kill, end: again, lasts: 2 * time.Second},
				{what: n.what + " stopped for 20 s", node: true, begin: func() { n.p.signal(syscall.SIGSTOP) }, end: func() { n.p.signal(syscall.SIGCONT) }, lasts: 20 * time.Second},
				{what: n.what + " away for 2 min", node: true, begin: n.p.kill, end: again, lasts: 2 * time.Minute},
			}...,
		)
	}
	for _, n := range []struct {
		what string
		r    *slowline.Relay
	}{{"NATS", c.slowNATS}, {"PostgreSQL", c.slowDB}} {
		heal := func() { n.r.Slow(0, 0) }
		slow := func(late time.Duration, rate int) func() { return func() { n.r.Slow(late, rate) } }
		list = append(
			list, []*outage{
				{what: n.what + " answers 0.2 s late for 20 s", unfelt: true, begin: slow(200*time.Millisecond, 0), end: heal, lasts: 20 * time.Second},
				{what: n.what + " answers 3 s late for 20 s", begin: slow(3*time.Second, 0), end: heal, lasts: 20 * time.Second},
				{what: n.what + " answers 10 s late for a minute", begin: slow(10*time.Second, 0), end: heal, lasts: time.Minute},
				{what: n.what + " answers 1 kB a second for 20 s", late: true, begin: slow(0, 1000), end: heal, lasts: 20 * time.Second},
				{what: n.what + " answers 100 bytes a second for 20 s", late: true, begin: slow(0, 100), end: heal, lasts: 20 * time.Second},
			}...,
		)
	}
	// The short ones first, while the tournament goes on.
	slices.SortStableFunc(list, func(a, b *outage) int { return cmp.Compare(a.lasts, b.lasts) })
	if only != "1" {
		list = slices.DeleteFunc(list, func(x *outage) bool { return !strings.Contains(x.what, only) })
	}
	time.Sleep(5 * time.Second)
	for _, x := range list {
		x.seen.told, x.seen.pages = map[string]bool{}, map[int]int{}
		x.began = time.Now()
		var v chaosStanding
		_ = c.ask("GET", "/tournaments/"+c.id, nil, &v)
		t.Logf("%s: %s, %d games of the tournament are over", x.began.Format(time.TimeOnly), x.what, v.Over)
		o.mu.Lock()
		o.list = append(o.list, x)
		o.mu.Unlock()
		x.begin()
		time.Sleep(x.lasts)
		x.end()
		x.ended = time.Now()
		time.Sleep(8 * time.Second)
	}
	time.Sleep(5 * time.Second)
	stop()
	wg.Wait()
	for _, x := range list {
		x.judge(t)
	}
	played, lost := 0, 0
	for _, p := range people {
		played += p.games
		lost += len(p.lost)
		for _, l := range p.lost {
			t.Errorf("a person has lost by an outage: %s", l)
		}
	}
	c.reach(games)
	c.judge(games)
	t.Logf("%d games of people, %d of them lost by an outage; %d games of the tournament, each with one result", played, lost, games)
	for i, h := range c.halls {
		t.Logf("hall %d: %d lines that are no requests", i, strings.Count(h.errs.String(), "\n")-strings.Count(h.errs.String(), "msg=request"))
	}
}

// judge prints the row of an outage, and fails what people must not meet.
func (x *outage) judge(t *testing.T) {
	s := &x.seen
	round := func(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }
	told := make([]string, 0, len(s.told))
	for l := range s.told {
		told = append(told, strings.ReplaceAll(l, "\n", " / "))
	}
	down, up := "never", "at once"
	if !s.down.IsZero() {
		down, up = round(s.down.Sub(x.began)).String(), round(s.up.Sub(x.ended)).String()
	}
	t.Logf("| %s | %s | %s | %s | %d turns, %s | 200: %d, 503: %d (%d renew) | %s |", x.what, down, up, round(s.slowest), s.moves, round(max(0, s.charged)),
		s.pages[200], s.pages[503], s.renews, strings.Join(told, "; "))
	switch {
	case s.charged > 1500*time.Millisecond && !x.node || s.charged > 22500*time.Millisecond: // who asks a hall that is stopped waits for it
		t.Errorf("%s: %s charged by error", x.what, s.charged)
	case s.slowest > 6*time.Second && !x.node && !x.unfelt:
		t.Errorf("%s: a request waited for %s", x.what, s.slowest)
	case x.unfelt && !s.down.IsZero():
		t.Errorf("%s: /readyz told of it", x.what)
	case !x.node && !x.unfelt && x.lasts > 5*time.Second && (s.down.IsZero() || !x.late && s.down.Sub(x.began) > 5*time.Second):
		t.Errorf("%s: /readyz told of it %s", x.what, down)
	case s.pages[500] > 0:
		t.Errorf("%s: %d pages were answered by 500", x.what, s.pages[500])
	}
}
