package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/contest"
	"kibitz/hall/director"
	"kibitz/hall/hub"
	"kibitz/hall/play"
	"kibitz/hall/problem"
	"kibitz/hall/store"
	"kibitz/rating"
	"kibitz/tournament"
)

// plainMaker makes tournaments of Othello between built-in engines.
type plainMaker struct{}

func (plainMaker) ReadFile(_ string, data []byte) (director.TournamentForm, func(string, error) error, error) {
	f := director.TournamentForm{Game: "othello", Engines: strings.Fields(string(data))}
	return f, func(key string, err error) error { return fmt.Errorf("run.toml:1:2: %s: %w", key, err) }, nil
}

func (plainMaker) Make(_ context.Context, f *director.TournamentForm, file *director.OpeningsFile) (contest.Config, []contest.Opening, error) {
	if f.Game != "othello" {
		return contest.Config{}, nil, errors.New("there is no such game")
	}
	if f.Points == "x" {
		list := []problem.Fault{{Pointer: "#/points", Detail: "points x: write W/D/L"}, {Pointer: "#/maxMoves", Detail: "max-moves: must be a number"}}
		return contest.Config{}, nil, &problem.FormError{Faults: list, Err: errors.New("--points x")}
	}
	set := contest.Config{
		Name: "cup", Game: "othello", Format: tournament.Format(f.Format), Games: max(2, f.Games), Rounds: f.Rounds, Repeat: f.Repeat, Seed: f.Seed, Limit: max(1, f.Concurrency),
		Points: contest.Points{Win: 1, Draw: 0.5}, TieBreaks: tournament.DefaultTieBreaks(""), Clock: cmp.Or(strings.TrimPrefix(f.Each, "tc="), "60"), Rated: !f.Casual, Listed: !f.Unlisted, Open: f.Open, Late: f.Late,
		PerAccount: f.PerAccount, Rules: bus.Rules{NoDraw: true},
	}
	if f.SPRT != "" {
		set.SPRT = &contest.SPRT{Model: rating.Logistic, Elo0: -200, Elo1: 200, Alpha: 0.05, Beta: 0.05}
	}
	var list []contest.Opening
	if file != nil {
		list = []contest.Opening{{Name: "from " + file.Name, Moves: []string{"f5"}}}
	}
	return set, list, nil
}

func (plainMaker) Entry(_ *contest.Config, _, words string) (contest.Entry, error) {
	kind := bus.BotSeat
	if strings.HasPrefix(words, "engine=") {
		kind, words = bus.EngineSeat, strings.TrimPrefix(words, "engine=")
	} else if !strings.HasPrefix(words, "bot=") {
		return contest.Entry{}, fmt.Errorf("engine %q: there is none", words)
	}
	return contest.Entry{Name: "N" + words, Kind: kind, Engine: words}, nil
}

// quiet is a bus that keeps the jobs that were published.
type quiet struct {
	play.Bus
	LiveBus
	mu      sync.Mutex
	jobs    []string
	stopped []string
	heard   map[string][]func([]byte)
	workers []bus.Worker
	// needs are the programs that each job asks for.
	needs map[string][]string
	// out takes the jobs instead, if it is not nil.
	out chan<- string
}

func (q *quiet) Enqueue(_ context.Context, j bus.Job) error {
	if q.out != nil {
		q.out <- j.Game
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs = append(q.jobs, j.Game)
	if q.needs == nil {
		q.needs = map[string][]string{}
	}
	q.needs[j.Game] = j.Needs
	return nil
}

func (q *quiet) Workers(context.Context) ([]bus.Worker, error) { return q.workers, nil }

func (q *quiet) ResultWaits(context.Context, string) (bool, error) { return false, nil }

func (q *quiet) Publish(topic string, payload []byte) error {
	q.mu.Lock()
	list := slices.Clone(q.heard[topic])
	q.mu.Unlock()
	for _, fn := range list {
		fn(payload)
	}
	return nil
}

func (q *quiet) Subscribe(topic string, fn func([]byte)) (*bus.Subscription, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.heard == nil {
		q.heard = map[string][]func([]byte){}
	}
	q.heard[topic] = append(q.heard[topic], fn)
	return nil, nil
}

func (q *quiet) PublishOrder(o bus.Order) error {
	q.stopped = append(q.stopped, o.Game+" "+o.Kind)
	return nil
}

// take returns a job, none if there is none.
func (q *quiet) take() (string, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) == 0 {
		return "", false
	}
	id := q.jobs[0]
	q.jobs = q.jobs[1:]
	return id, true
}

// contestHall is a hall with tournaments whose games the test plays.
type contestHall struct {
	*testHall
	q *quiet
	t *director.Tournaments
	p *play.Dispatcher
	// db is the store of the dispatcher.
	db store.Store
}

// withTournaments makes a hall with tournaments, over a store that may be another's.
func withTournaments(cfg *Config, db store.Store) *contestHall {
	h := &contestHall{q: &quiet{}, db: db}
	log := slog.New(slog.DiscardHandler)
	h.t = director.NewTournaments(director.TournamentsConfig{Store: db, Now: cfg.Now, Random: rand.Reader, Log: log, Maker: plainMaker{}})
	h.p = play.New(play.Config{Store: db, Bus: h.q, Tournaments: h.t, Now: cfg.Now, Random: rand.Reader, Log: log})
	cfg.Live = &Live{
		Dispatcher: h.p, Bus: h.q, Tournaments: h.t, Hub: hub.New(hub.Options{Now: cfg.Now, Log: log}),
		Game: func(context.Context, game.Spec, string, []string) (game.Spec, bool, error) {
			return "othello", false, nil
		},
	}
	return h
}

func newContestHall(t *testing.T) *contestHall {
	t.Helper()
	var h *contestHall
	s := newSite(t, func(cfg *Config) { h = withTournaments(cfg, cfg.Store) })
	h.testHall = s
	return h
}

// play plays a job as a worker does: the first seat wins, but who has the lower name
// loses in every fifth game, and every seventh is a draw.
func (h *contestHall) play(id string) error {
	b, err := h.p.Begin(context.Background(), bus.Begin{Game: id, Worker: "w", Ticket: ticketOf(h.db, id)})
	if err != nil || b.Play == nil {
		return err
	}
	r := bus.Result{Game: id, Attempt: b.Play.Attempt, Worker: "w", Result: verdict(id), Plies: 60, Begun: time.Now(), Ended: time.Now(), Record: []byte("r")}
	if err := h.p.Result(context.Background(), r); err != nil {
		return err
	}
	return h.p.Result(context.Background(), r) // comes twice
}

func verdict(id string) game.Result {
	_, label, _ := strings.Cut(id, "-")
	n := len(label)
	for _, c := range label {
		n = 31*n + int(c)
	}
	switch n % 7 {
	case 0:
		return game.Drawn("score", "")
	case 1, 2:
		return game.Win(game.Second, "score", "")
	}
	return game.Win(game.First, "score", "")
}

// next takes a game that waits.
func (h *contestHall) next() string {
	h.testHall.t.Helper()
	id, ok := h.q.take()
	if !ok {
		h.testHall.t.Fatal("no game waits")
	}
	return id
}

// sweeper has the hall look after its games and tournaments, each time it is called.
func (h *contestHall) sweeper() func() {
	t, s := h.testHall.t, play.NewReaper(h.p)
	return func() {
		t.Helper()
		if _, err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := h.t.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// playAll plays all jobs, one after another, and returns how many.
func (h *contestHall) playAll() int {
	h.testHall.t.Helper()
	for n := 0; ; n++ {
		id, ok := h.q.take()
		if !ok {
			return n
		}
		if err := h.play(id); err != nil {
			h.testHall.t.Fatal(err)
		}
	}
}

// make makes a tournament.
func (h *contestHall) make(by *client, form map[string]any) director.TournamentView {
	h.testHall.t.Helper()
	var v director.TournamentView
	by.do("POST", tournamentsPath, form).want(201).into(&v)
	return v
}

func (h *contestHall) look(by *client, id string) director.TournamentView {
	h.testHall.t.Helper()
	var v director.TournamentView
	by.do("GET", tournamentsPath+"/"+id, nil).want(200).into(&v)
	return v
}

// command gives a command that has a status.
func (h *contestHall) command(by *client, id string, status int, words map[string]any) answer {
	h.testHall.t.Helper()
	return by.do("POST", tournamentsPath+"/"+id+"/commands", words).want(status)
}

type obj = map[string]any
