package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	told "kibitz/game/wire"
	"kibitz/hall/bus"
	"kibitz/hall/records"
	"kibitz/hall/store"
)

func (fakeViews) Branches(context.Context, game.Spec, string, []string) (*records.Branches, error) {
	return &records.Branches{Key: 42, List: []records.Branch{{Key: 42, Step: "p2,3", Name: "c4"}, {Key: 7}}}, nil
}

func (fakeViews) Setup(_ context.Context, w *records.SetupWish) (*records.Setup, error) {
	return &records.Setup{Spec: game.Spec(w.Spec), View: &game.View{Width: 1, Height: 1, Cells: make([]game.Cell, 1)}}, nil
}

// Line is that of one board with one decision.
func (fakeViews) Line(_ context.Context, spec game.Spec, _ string, moves []string, from int) (*records.Line, error) {
	if spec != "othello" || len(moves) > 0 && moves[0] == "x" {
		return nil, errors.New("no such decision")
	}
	l := &records.Line{Spec: spec, Legal: []string{"p2,3"}}
	for i := from; i <= len(moves); i++ {
		l.Views = append(l.Views, &game.View{For: game.Arbiter, Width: 1, Height: 1, Cells: make([]game.Cell, 1)})
		if i > from {
			l.Steps = append(l.Steps, records.Step{By: game.First, Text: moves[i-1], Name: moves[i-1]})
		}
	}
	return l, nil
}

// fakeAnalyst says one thing about a position; where it is to wait it thinks until its
// caller has gone.
type fakeAnalyst struct {
	wait         bool
	asked, ended chan bus.Analysis
	fails        error
}

func (f *fakeAnalyst) Analyse(ctx context.Context, q bus.Analysis, fn func(bus.Analysed) error) error {
	if f.fails != nil {
		return f.fails
	}
	if f.asked != nil {
		f.asked <- q
		defer func() { f.ended <- q }()
	}
	a := bus.Analysed{Ply: len(q.Moves), Seat: game.Second, Final: !f.wait, Lines: []bus.AnalysedLine{{
		Eval: game.Eval{Unit: game.Discs, Lo: 4, Hi: 4}, Depth: 6, Nodes: 1000, Time: time.Second, Moves: []string{"p2,3", "-"},
	}}}
	err := fn(a)
	if err == nil && q.Whole {
		err = fn(bus.Analysed{Review: &told.Review{Accuracy: [2]float64{88.5, 100}, Turns: []told.ReviewedTurn{{
			Ply: 2, Lost: 6.5, Mark: "?!", Rank: 1, Best: []string{"p2,3"}, Good: []string{"p2,3"},
		}}}})
	}
	if err != nil || !f.wait {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}

// analysisEvents asks for an analysis and returns the events as they come; the channel
// ends with the stream.
func analysisEvents(t *testing.T, url string, c *client, body map[string]any) (events <-chan string, leave func()) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/x-ndjson")
	for name, value := range c.cookie {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	a, err := http.DefaultClient.Do(r) //nolint:bodyclose // the goroutine below closes it
	if err != nil {
		t.Fatal(err)
	}
	out := make(chan string, 16)
	go func() {
		defer close(out)
		defer a.Body.Close()
		if a.StatusCode != http.StatusOK {
			out <- a.Status
			return
		}
		for s := bufio.NewScanner(a.Body); s.Scan(); {
			if s.Text() != "" {
				out <- s.Text()
			}
		}
	}()
	return out, cancel
}

// analysisHall is a hall whose engine is f, reached over the network.
func analysisHall(t *testing.T, f *fakeAnalyst) (*testHall, string) {
	t.Helper()
	s := newSite(t, func(c *Config) { full(c); c.Analyst, c.FairEvery = f, 10*time.Millisecond })
	srv := httptest.NewUnstartedServer(nil)
	srv.Config = s.hall.Server()
	srv.Start()
	t.Cleanup(srv.Close)
	return s, srv.URL
}

// An analysis is what the engine says, then its end; why there is none is said too.
func TestAnalysis(t *testing.T) {
	f := &fakeAnalyst{}
	s, url := analysisHall(t, f)
	c := s.register("alice")
	events, _ := analysisEvents(t, url+"/api/v1/analyses", c, map[string]any{"spec": "othello", "moves": []string{"d3"}, "engine": "bot=3", "lines": 2})
	want := `{"id":"","event":"lines","data":{"ply":1,"by":"second","lines":[{"unit":1,"lo":4,"hi":4,"depth":6,"nodes":1000,"time":1000,"line":["p2,3","-"]}],"final":true}}`
	if got := <-events; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := <-events; got != `{"id":"","event":"end","data":{}}` {
		t.Errorf("the end is %s", got)
	}
	f.fails = &bus.AskError{Code: bus.AnalysisBusy, Text: "all places are taken"}
	events, _ = analysisEvents(t, url+"/api/v1/analyses", c, map[string]any{"spec": "othello", "engine": "bot=3"})
	if got := <-events; got != `{"id":"","event":"end","data":{"fault":"busy","detail":"all places are taken","said":"Many positions are being analysed. Try again in a moment."}}` {
		t.Errorf("the end is %s", got)
	}
	for code, body := range map[string]map[string]any{
		"input":     {"spec": "chess", "engine": "bot=3"},
		"not-found": {"spec": "othello", "engine": "stockfish"},
	} {
		if got := c.do("POST", "/api/v1/analyses", body).code(); got != code {
			t.Errorf("%v: %s, want %s", body, got, code)
		}
	}
	for _, engine := range []string{"bot=0", "bot=10", "bot=03", "bot=random"} {
		c.do("POST", "/api/v1/analyses", map[string]any{"spec": "othello", "engine": engine}).want(422)
	}
	c.do("POST", "/api/v1/analyses", map[string]any{"spec": "othello", "engine": "bot=1", "lines": 61}).want(422)
}

// The engine stops when its caller goes, and when his account asks for something else.
func TestAnalysisStops(t *testing.T) {
	f := &fakeAnalyst{wait: true, asked: make(chan bus.Analysis, 8), ended: make(chan bus.Analysis, 8)}
	s, url := analysisHall(t, f)
	c := s.register("alice")
	ask := map[string]any{"spec": "othello", "engine": "bot=1"}
	first, _ := analysisEvents(t, url+"/api/v1/analyses", c, ask)
	<-first
	one := <-f.asked
	second, leave := analysisEvents(t, url+"/api/v1/analyses", c, ask)
	<-second
	if x := <-f.ended; x.ID != one.ID {
		t.Error("the second analysis of an account did not end the first")
	}
	if got := <-first; !strings.Contains(got, `"fault":"replaced"`) {
		t.Errorf("the first ended with %s", got)
	}
	two := <-f.asked
	leave()
	if x := <-f.ended; x.ID != two.ID {
		t.Error("another analysis ended than the one whose caller has gone")
	}
}

// An account has analyses beside each other, each ended by the next one in its place alone.
func TestAnalysesBeside(t *testing.T) {
	f := &fakeAnalyst{wait: true, asked: make(chan bus.Analysis, 8), ended: make(chan bus.Analysis, 8)}
	s, url := analysisHall(t, f)
	c := s.register("alice")
	ask := func(beside int) map[string]any {
		return map[string]any{"spec": "othello", "engine": "bot=1", "beside": beside}
	}
	var ids []string
	for i := range 4 {
		events, _ := analysisEvents(t, url+"/api/v1/analyses", c, ask(i))
		<-events
		ids = append(ids, (<-f.asked).ID)
	}
	events, leave := analysisEvents(t, url+"/api/v1/analyses", c, ask(2))
	<-events
	if x := <-f.ended; x.ID != ids[2] {
		t.Errorf("%s ended, want that in the same place, %s of %v", x.ID, ids[2], ids)
	}
	leave()
	<-f.ended
	if len(f.ended) > 0 {
		t.Errorf("%s ended too", (<-f.ended).ID)
	}
	c.do("POST", "/api/v1/analyses", ask(4)).want(422)
	s.guest().do("POST", "/api/v1/analyses", ask(2)).want(429)
}

// Guests may ask for less; an address has a bound, whoever asks.
func TestAnalysisLimits(t *testing.T) {
	f := &fakeAnalyst{wait: true, asked: make(chan bus.Analysis, 8), ended: make(chan bus.Analysis, 8)}
	s, url := analysisHall(t, f)
	long := func(whole bool) map[string]any {
		return map[string]any{"spec": "othello", "engine": "bot=1", "seconds": 60, "depth": 7, "nodes": 5000, "whole": whole}
	}
	guest, player := s.guest(), s.register("alice")
	for _, x := range []struct {
		by     *client
		whole  bool
		one    time.Duration
		longer time.Duration
	}{
		{guest, false, 10 * time.Second, time.Minute},
		{guest, true, time.Second, 4 * time.Minute},
		{player, false, time.Minute, 2 * time.Minute},
		{player, true, 5 * time.Second, 16 * time.Minute},
	} {
		events, leave := analysisEvents(t, url+"/api/v1/analyses", x.by, long(x.whole))
		<-events
		if q := <-f.asked; q.Time != x.one || q.Total > x.longer || q.Whole != x.whole || q.Depth != 7 || q.Nodes != 5000 {
			t.Errorf("an analysis of %v for %v, want %v and at most %v", q.Time, q.Total, x.one, x.longer)
		}
		leave()
		<-f.ended
	}
	for range 4 { // as many as an address may have, of those that take long
		first := ""
		// The places of those who have left are free a moment after their engines have ended.
		for n := 0; n == 0 || strings.HasPrefix(first, "429") && n < 1000; n++ {
			events, _ := analysisEvents(t, url+"/api/v1/analyses", s.guest(), long(true))
			first = <-events
		}
		if !strings.Contains(first, `"lines"`) {
			t.Fatalf("an analysis of an address that has few begins with %s", first)
		}
	}
	if events, _ := analysisEvents(t, url+"/api/v1/analyses", s.guest(), long(false)); !strings.HasPrefix(<-events, "429") {
		t.Error("an address had one analysis more than it may")
	}
}

// Whoever plays a game has none of its kind analysed, nor do his bots; others have, and who plays
// against an engine of the hall for nothing.
func TestAnalysisIsFair(t *testing.T) {
	s, url := analysisHall(t, &fakeAnalyst{})
	alice, bob, carol := s.register("alice"), s.register("bob"), s.register("carol")
	robot := s.bot(alice, "robot")
	engine := store.Seat{Name: "Level 3", Engine: "bot=3"}
	for id, g := range map[string]store.Game{
		"running": {Seats: [2]store.Seat{{Name: "alice", User: alice.id}, {Name: "x"}}},
		"casual":  {Seats: [2]store.Seat{{Name: "bob", User: bob.id}, engine}},
		"rated":   {Seats: [2]store.Seat{engine, {Name: "carol", User: carol.id}}, Rated: true},
	} {
		g.ID, g.State, g.Spec = id, store.Running, "othello"
		s.addGame(g, "")
	}
	ask := map[string]any{"spec": "othello", "engine": "bot=1"}
	for _, c := range []*client{alice, robot, carol} {
		if code := c.do("POST", "/api/v1/analyses", ask).want(409).code(); code != "playing" {
			t.Errorf("refused with %s", code)
		}
	}
	events, _ := analysisEvents(t, url+"/api/v1/analyses", bob, ask)
	if got := <-events; !strings.Contains(got, `"lines"`) {
		t.Errorf("bob got %s", got)
	}
}

// A game that begins while its analysis runs ends that.
func TestAnalysisEndsWhenAGameBegins(t *testing.T) {
	f := &fakeAnalyst{wait: true, asked: make(chan bus.Analysis, 1), ended: make(chan bus.Analysis, 1)}
	s, url := analysisHall(t, f)
	c := s.register("alice")
	events, _ := analysisEvents(t, url+"/api/v1/analyses", c, map[string]any{"spec": "othello", "engine": "bot=1"})
	<-events
	s.addGame(store.Game{ID: "running", State: store.Running, Spec: "othello", Seats: [2]store.Seat{{Name: "alice", User: c.id}, {Name: "x"}}}, "")
	<-f.ended
	if got := <-events; !strings.Contains(got, `"fault":"playing"`) {
		t.Errorf("the analysis ended with %s", got)
	}
}

// An analysis board answers with a part of the boards, and refuses what cannot be.
func TestBoardLine(t *testing.T) {
	s := newSite(t, full)
	c := s.client()
	var l struct {
		Views []json.RawMessage
		Steps []records.ReplayStep
		Legal []string
	}
	c.do("POST", "/api/v1/boards/line", map[string]any{"spec": "othello", "moves": []string{"a", "b", "c"}, "from": 1}).want(200).into(&l)
	if len(l.Views) != 3 || len(l.Steps) != 2 || l.Steps[0].Steps[0] != "b" || l.Legal[0] != "p2,3" {
		t.Errorf("got %+v", l)
	}
	for _, body := range []map[string]any{
		{"spec": "othello", "moves": []string{"x"}}, {"spec": "chess"}, {"spec": "othello", "from": 1}, {"spec": "othello", "moves": make([]string, 700)},
	} {
		c.do("POST", "/api/v1/boards/line", body).want(422)
	}
}

// A game is reviewed once: asked again it is the same, byte by byte, and no engine thinks.
func TestReviewIsKept(t *testing.T) {
	f := &fakeAnalyst{asked: make(chan bus.Analysis, 3), ended: make(chan bus.Analysis, 3)}
	s, url := analysisHall(t, f)
	c := s.register("alice")
	s.addGame(store.Game{ID: "g1", Listed: true, Seats: [2]store.Seat{{Name: "a"}, {Name: "alice", User: c.id}}}, `{"kibitz":1}`)
	for who, mine := range map[*client]bool{c: true, s.client(): false} { // whose own turns come first
		if page := who.do("GET", "/games/g1", nil).want(200).body; strings.Contains(page, ` data-mine="1"`) != mine || strings.Contains(page, " data-mine=") != mine {
			t.Errorf("a page of a game that is one's own: %v, and its script is told otherwise", mine)
		}
	}
	const path = "/api/v1/games/g1/review"
	c.do("GET", path, nil).want(404)
	said := func() (out []string) {
		events, _ := analysisEvents(t, url+path, c, nil)
		for e := range events {
			out = append(out, e)
		}
		return out
	}
	first, second := said(), said()
	if len(first) != 3 || !strings.Contains(first[0], `"lines"`) || !strings.Contains(first[1], `"accuracy":[88.5,100]`) ||
		!strings.Contains(first[1], `"course":[{"ply":2,`) || !slices.Equal(second, first[1:]) {
		t.Errorf("the review is %q, then %q", first, second)
	}
	if q := <-f.asked; q.Engine != "bot=6" || !q.Whole || !slices.Equal(q.Moves, []string{"+3,2", "-"}) || len(f.asked) > 0 {
		t.Errorf("%+v was asked, and %d more", q, len(f.asked))
	}
	var got struct {
		Accuracy [2]float64
		Course   []struct{ Ply int }
	}
	s.client().do("GET", path, nil).want(200).into(&got)
	if got.Accuracy != [2]float64{88.5, 100} || len(got.Course) != 1 {
		t.Errorf("the review that is kept is %+v", got)
	}
	s.addGame(store.Game{ID: "running", State: store.Running, Listed: true, Seats: [2]store.Seat{{Name: "a"}, {Name: "b"}}}, "")
	c.do("POST", "/api/v1/games/running/review", nil).want(409)

	// What was played in a position is counted, and what leads on from there.
	var x records.ExploredView
	for x.Cut = true; x.Cut; { // a busy machine counts a part in time
		x = records.ExploredView{}
		s.client().do("GET", "/api/v1/base?game=othello&since=2020-01-01", nil).want(200).into(&x)
	}
	if x.Games != 1 || x.Lost != 1 || x.Last == 0 || len(x.Moves) != 1 || x.Moves[0].Name != "c4" || x.Moves[0].Games != 1 {
		t.Errorf("the base says %+v", x)
	}
	x = records.ExploredView{}
	if s.client().do("GET", "/api/v1/base?game=othello&rating=1500", nil).want(200).into(&x); x.Games != 0 {
		t.Errorf("without ratings it says %+v", x)
	}
	s.client().do("GET", "/api/v1/base?game=othello&since=yesterday", nil).want(422)
}
