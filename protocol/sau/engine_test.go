package sau_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kibitz/game"
	"kibitz/link"
	"kibitz/link/linktest"
	"kibitz/player"
	"kibitz/protocol"
)

// TestServe plays the files of testdata/engine: "spec" and "dialect" are how the
// engine is started, "platform" is the script of the platform, "bot" what the player
// answers, one turn a line in the letters of the protocol, with "split" if it gives
// one decision at a time, "wait=TIME", or "resign". "calls", if there, is what the
// player must have been told, "log" what must have been logged.
func TestServe(t *testing.T) {
	linktest.Files(t, "testdata/engine/*.txt", 1, func(t *testing.T, text string) {
		synctest.Test(t, func(t *testing.T) { platform(t, text) })
	})
}

func platform(t *testing.T, archive string) {
	p := map[string]string{}
	for _, x := range linktest.Parts(archive) {
		p[x[0]] = x[1]
	}
	spec := canonical(t, strings.TrimSpace(p["spec"]))
	bot := &scripted{t: t, spec: spec, stop: make(chan struct{}, 1)}
	for l := range strings.Lines(p["bot"]) {
		if l = strings.TrimSpace(l); l != "" {
			bot.answers = append(bot.answers, l)
		}
	}
	var log []string
	srv := protocol.Server{
		Player: bot, Position: board(), Now: time.Now, Name: "Bot", Game: spec, Dialect: map[string]string{},
		Limits: player.Limits{Nodes: 7}, Log: func(s string) { log = append(log, s) },
	}
	for l := range strings.Lines(p["dialect"]) {
		k, v, _ := strings.Cut(strings.TrimSpace(l), "=")
		srv.Dialect[k] = v
	}
	conn, done := linktest.Start(t, p["platform"])
	err := forms.Serve(t.Context(), conn, srv)
	if want := strings.TrimSpace(p["error"]); want != "" && (err == nil || !strings.Contains(err.Error(), want)) || want == "" && err != nil {
		t.Errorf("Serve: %v", err)
	}
	_ = conn.Close()
	done()
	if want, ok := p["calls"]; ok {
		if d := cmp.Diff(strings.Split(strings.TrimSpace(want), "\n"), bot.calls); d != "" {
			t.Error(d)
		}
	}
	var wants []string
	for l := range strings.Lines(p["log"]) {
		wants = append(wants, strings.TrimSpace(l))
	}
	for i, l := range log {
		if i >= len(wants) || !strings.Contains(l, wants[i]) {
			t.Errorf("logged %q", l)
		}
	}
	if len(log) < len(wants) {
		t.Errorf("only %d of the %d lines were logged: %q", len(log), len(wants), log)
	}
	if len(bot.answers) > 0 {
		t.Errorf("answers that nobody asked for: %q", bot.answers)
	}
}

// scripted is a player with fixed answers that notes how it is called.
type scripted struct {
	t       *testing.T
	spec    game.Spec
	mu      sync.Mutex
	answers []string
	rest    []game.Move
	calls   []string
	stop    chan struct{}
}

func (s *scripted) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, fmt.Sprintf(format, args...))
}

// letters writes what a player is told, decision by decision.
func letters(steps []game.Move) string {
	var out []string
	at := func(p game.Point) string { return string([]byte{'A' + byte(p.X), 'A' + byte(p.Y)}) }
	for _, m := range steps {
		switch m.Op {
		case game.Shift:
			out = append(out, at(m.From)+"-"+at(m.To))
		case game.Edge:
			out = append(out, at(m.To)+[]string{"h", "v"}[m.Arg])
		case game.Pass:
			out = append(out, "pass")
		default:
			out = append(out, at(m.To))
		}
	}
	return strings.Join(out, " ")
}

func points(list []game.Point) string {
	var steps []game.Move
	for _, p := range list {
		steps = append(steps, game.PlaceAt(p))
	}
	return letters(steps)
}

func (s *scripted) NewGame(_ context.Context, u *player.Setup) error {
	line := fmt.Sprintf("new %s %s %dx%d nodes=%d", u.Spec, u.Seat, u.Width, u.Height, u.Limits.Nodes)
	if k := u.Clocks[u.Seat]; !k.Control.None() {
		line += " " + k.Control.String()
	}
	for _, h := range u.History {
		line += " [" + letters(h.Steps) + "]"
	}
	s.note("%s", line)
	s.rest = nil
	return nil
}

func (s *scripted) Tell(u *player.Update) {
	line := fmt.Sprintf("tell %s %s", u.By, letters(u.Steps))
	for _, n := range u.Notices {
		line += fmt.Sprintf(" %s", n.Kind)
		if n.Kind == game.Refused {
			line += " " + points([]game.Point{n.Move.To})
		} else if len(n.Points) > 0 {
			line += " " + points(n.Points)
		}
	}
	if u.Result != nil {
		line += " result"
	}
	s.note("%s", line)
}

func (s *scripted) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	line := fmt.Sprintf("choose %s", p.Seat)
	if p.Rejected != player.NotRejected {
		line += fmt.Sprintf(" again=%d rejected=%d", p.Again, p.Rejected)
	}
	if !p.Deadline.IsZero() {
		line += " in " + time.Until(p.Deadline).String()
	}
	s.note("%s", line)
	if len(s.rest) == 0 {
		if len(s.answers) == 0 {
			s.t.Errorf("asked once too often: %q", s.calls)
			return player.Answer{}, errors.New("no answer left")
		}
		words := strings.Fields(s.answers[0])
		s.answers = s.answers[1:]
		var turn []string
		split := false
		for _, w := range words {
			switch v, wait := strings.CutPrefix(w, "wait="); {
			case wait:
				d, err := time.ParseDuration(v)
				if err != nil {
					s.t.Fatal(err)
				}
				select {
				case <-time.After(d):
				case <-s.stop:
					s.note("stopped")
				case <-ctx.Done():
					s.note("abandoned")
					return player.Answer{}, player.Fail(game.ByAbort, ctx.Err(), "abandoned")
				}
			case w == "split":
				split = true
			case w == "resign":
				return player.Answer{Steps: []game.Move{game.ResignMove()}}, nil
			case w == "nothing":
				return player.Answer{}, nil
			case w == "fail":
				return player.Answer{}, player.Fail(game.ByProtocol, nil, "broken")
			default:
				turn = append(turn, w)
			}
		}
		s.rest = stepsOf(s.t, s.spec, strings.Join(turn, " "))
		if !split {
			all := s.rest
			s.rest = nil
			return player.Answer{Steps: all}, nil
		}
	}
	m := s.rest[:1]
	s.rest = s.rest[1:]
	return player.Answer{Steps: m}, nil
}

func (s *scripted) Stop() {
	select {
	case s.stop <- struct{}{}:
	default:
	}
}

func (s *scripted) Over(r game.Result) {
	s.note("over %s %v", r.Reason, r.Points)
}

func (s *scripted) Close() error { return nil }

// TestServeRefuses lists what an engine cannot be started with.
func TestServeRefuses(t *testing.T) {
	for _, k := range []struct {
		spec    game.Spec
		dialect map[string]string
		want    string
	}{
		{"othello", nil, "does not play othello"},
		{"nogo", map[string]string{"scan": "any"}, "no switch dialect.scan"},
		{"nogo", map[string]string{"x": "AB"}, "must be one character"},
		{"nogo", map[string]string{"movetime": "-1s"}, "must be a time"},
	} {
		a, b := link.Pipe()
		err := forms.Serve(t.Context(), b, protocol.Server{Player: &scripted{t: t}, Position: board(), Game: k.spec, Dialect: k.dialect})
		if err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%v: %v", k, err)
		}
		_ = a.Close()
	}
}

// FuzzServe sends an engine what it cannot have asked for. It must neither panic nor
// hang nor play a move that its game does not know.
func FuzzServe(f *testing.F) {
	for _, s := range []string{
		"new black\nerror\nerror\nmove AA\n", "new white\nmove AA\nmove BB\n", "move go\nnew black\naccept\ntake 1 AA\nmove go\nrefuse\n",
		"new white\ntaked 2 AAAB\nmove pass\nmove pass\nend\n", "new white\nmove 1 AAA\nmove 2 BAABBA\nerror\n", "name?\nnew red\nquit\n",
		"new black\nend\nnew white\nmove DJDDGD\nend black\n", "new white\nmove JJ@@\nmove KK\n", "new white\ntake 1 AA\nrefuse\nmove EE\n",
	} {
		for n := range forms.Games() {
			f.Add(s, uint8(n))
		}
	}
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		id := forms.Games()[int(which)%len(forms.Games())]
		if len(text) > 400 || !known(id+":") {
			return
		}
		ours, theirs := link.Pipe()
		defer ours.Close()
		p := serveRandom()
		done := make(chan error, 1)
		go func() {
			done <- forms.Serve(context.Background(), theirs, protocol.Server{Player: p, Position: board(), Now: time.Now, Game: canonical(t, id+":")})
		}()
		if err := ours.Write([]byte(text + "\nquit\n")); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("%q: %v", text, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%q: the engine hangs", text)
		}
	})
}
