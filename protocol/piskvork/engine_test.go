package piskvork_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/link/linktest"
	"kibitz/player"
	"kibitz/protocol"
	pv "kibitz/protocol/piskvork"
)

// TestServe plays the files of testdata/engine: "spec" and "dialect" are how the
// brain is started, "manager" is the script of the manager, "bot" what the player
// answers, one turn a line with depth=, eval=, nodes=, wait=, and "calls", if
// there, what the player must have been told.
func TestServe(t *testing.T) {
	linktest.Files(t, "testdata/engine/*.txt", 1, func(t *testing.T, text string) {
		synctest.Test(t, func(t *testing.T) { manage(t, text) })
	})
}

func manage(t *testing.T, archive string) {
	p := map[string]string{}
	for _, x := range linktest.Parts(archive) {
		p[x[0]] = x[1]
	}
	bot := &scripted{t: t, stop: make(chan struct{}, 1)}
	for l := range strings.Lines(p["bot"]) {
		if l = strings.TrimSpace(l); l != "" {
			bot.answers = append(bot.answers, l)
		}
	}
	spec := game.Spec(strings.TrimSpace(p["spec"]))
	if spec == "" {
		spec = canonical(t, "gomoku")
	}
	srv := protocol.Server{
		Player: bot, Position: board(), Now: time.Now, Name: "Bot", Version: "2", Author: "Kibitz", Game: spec,
		Limits: player.Limits{Memory: 1 << 30},
	}
	if d := strings.TrimSpace(p["dialect"]); d != "" {
		srv.Dialect = map[string]string{"rules": d}
	}
	if strings.Contains(archive, "-- analyst --") {
		srv.Player = thinker{bot}
	}
	conn, done := linktest.Start(t, p["manager"])
	err := pv.Serve(t.Context(), conn, srv)
	if err != nil {
		t.Errorf("Serve: %v", err)
	}
	_ = conn.Close()
	done()
	if want, ok := p["calls"]; ok {
		if d := cmp.Diff(strings.Split(strings.TrimSpace(want), "\n"), bot.calls); d != "" {
			t.Error(d)
		}
	}
	if len(bot.answers) > 0 {
		t.Errorf("answers that nobody asked for: %q", bot.answers)
	}
}

// scripted is a player with fixed answers that notes how it is called.
type scripted struct {
	t       *testing.T
	mu      sync.Mutex
	answers []string
	calls   []string
	stop    chan struct{}
}

func (s *scripted) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, fmt.Sprintf(format, args...))
}

func (s *scripted) NewGame(_ context.Context, u *player.Setup) error {
	line := fmt.Sprintf("new %s %s memory=%d", u.Spec, u.Seat, u.Limits.Memory)
	if u.Start != "" {
		line += " from " + u.Start
	}
	for _, h := range u.History {
		line += " " + text(h.Steps)
	}
	s.note("%s", line)
	return nil
}

func (s *scripted) Tell(u *player.Update) { s.note("tell %s", text(u.Steps)) }

func clockText(k clock.Clock) string {
	if k.Control.None() {
		return "none"
	}
	line := ""
	if k.Control.Turn > 0 {
		line = " turn=" + k.Control.Turn.String()
	}
	if k.Control.Timed() {
		line += " match=" + k.Control.Main.String() + " left=" + k.Left.String()
	}
	return line[1:]
}

func (s *scripted) next() (plain []string, table map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.answers) == 0 {
		s.t.Error("asked more often than there are answers")
		return []string{"0,0"}, nil
	}
	plain, table = args(strings.Fields(s.answers[0]))
	s.answers = s.answers[1:]
	return plain, table
}

func (s *scripted) wait(ctx context.Context, d string) {
	if d == "" {
		return
	}
	v, err := time.ParseDuration(d)
	if err != nil {
		s.t.Error(err)
	}
	select {
	case <-time.After(v):
	case <-s.stop:
		s.note("stopped")
	case <-ctx.Done():
		s.note("cancelled")
	}
}

func (s *scripted) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	s.note("choose %s %s depth=%d", p.Seat, clockText(p.Clocks[p.Seat]), p.Limits.Depth)
	select {
	case <-s.stop:
	default:
	}
	plain, table := s.next()
	s.wait(ctx, table["wait"])
	if plain[0] == "fail" {
		return player.Answer{}, player.Fail(game.ByCrash, nil, "the bot\nfell over")
	}
	var a player.Answer
	d := driver{t: s.t}
	a.Steps = d.moves(strings.Join(plain, " "))
	a.Info = infoOf(table)
	return a, nil
}

func infoOf(table map[string]string) (i game.Info) {
	i.Depth, _ = strconv.Atoi(table["depth"])
	n, _ := strconv.Atoi(table["nodes"])
	i.Nodes = int64(n)
	if v, err := strconv.ParseFloat(table["eval"], 64); err == nil {
		i.Eval = points(v)
	}
	if v, err := strconv.ParseFloat(table["mate"], 64); err == nil {
		i.Eval = mate(v)
	}
	return i
}

func (s *scripted) Stop() {
	select {
	case s.stop <- struct{}{}:
	default:
	}
}
func (s *scripted) Over(r game.Result) { s.note("over %s", r.Reason) }
func (s *scripted) Close() error       { return nil }

// thinker is a scripted player that analyses too: an answer is one variation.
type thinker struct{ *scripted }

func (s thinker) Analyse(ctx context.Context, q player.Question, yield func(game.Info) bool) error {
	s.note("analyse lines=%d depth=%d budget=%s", q.Lines, q.Depth, q.Budget)
	d := driver{t: s.t}
	for rank := 1; rank <= q.Lines; rank++ {
		plain, table := s.next()
		i := infoOf(table)
		i.Rank, i.PV = rank, d.moves(strings.Join(plain, " "))
		yield(i)
		s.wait(ctx, table["wait"])
	}
	return nil
}
