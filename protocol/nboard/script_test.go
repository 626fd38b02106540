package nboard_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/link/linktest"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/protocol/nboard"
)

// A script of testdata/host is a conversation of link/linktest in whose comments
// stands what the referee does. Lines of the form
//
//	#% verb arguments => outcome
//
// are done one after the other, beside the conversation; "=> outcome" is what the
// action must come to. "#%%" begins the script of the next process.
func TestHostScripts(t *testing.T) {
	linktest.Files(t, "testdata/host/*.txt", 20, func(t *testing.T, text string) {
		synctest.Test(t, func(t *testing.T) { play(t, text) })
	})
}

// referee does the actions of a script.
type referee struct {
	t     *testing.T
	cfg   protocol.Config
	host  *nboard.Host
	seat  game.Seat
	clk   [2]clock.Clock
	mu    sync.Mutex
	warns []string
	wg    sync.WaitGroup
}

func play(t *testing.T, text string) {
	r := &referee{t: t}
	r.cfg = protocol.Config{Name: "X", Now: time.Now, Dialect: map[string]string{}, Warn: r.warn}
	scripts := strings.Split(text, "\n#%%")
	r.cfg.Dial = linktest.Dialer(t, scripts...)
	for n, line := range strings.Split(text, "\n") {
		action, ok := strings.CutPrefix(line, "#% ")
		if !ok {
			continue
		}
		do, want, _ := strings.Cut(action, "=>")
		f := strings.Fields(do)
		want = strings.TrimSpace(want)
		if got := r.do(f[0], f[1:]); got != want {
			t.Errorf("line %d: %s\n got %s\nwant %s", n+1, strings.TrimSpace(do), got, want)
			break
		}
	}
	r.wg.Wait()
	if r.host != nil {
		if err := r.host.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	for _, w := range r.warns {
		t.Errorf("warning: %s", w)
	}
}

func (r *referee) warn(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warns = append(r.warns, text)
}

// open makes the host when it is first needed, after all configuration.
func (r *referee) open() error {
	if r.host != nil {
		return nil
	}
	p, err := nboard.NewHost(r.cfg)
	if err != nil {
		return err
	}
	r.host = p.(*nboard.Host)
	return nil
}

func (r *referee) do(verb string, args []string) string {
	switch verb {
	case "config":
		r.config(args)
		return ""
	case "sleep":
		time.Sleep(duration(r.t, args[0]))
		return ""
	case "warned":
		return r.warned()
	}
	if err := r.open(); err != nil {
		return err.Error()
	}
	switch verb {
	case "new":
		return outcome(r.newGame(args))
	case "tell":
		r.tell(args)
		return ""
	case "choose", "suggest":
		return r.choose(verb, args)
	case "stop":
		r.wg.Go(func() {
			time.Sleep(duration(r.t, args[0]))
			r.host.Stop()
		})
		return ""
	case "hint", "analyze":
		return r.analyse(verb, args)
	case "learn":
		return outcome(r.host.Learn(r.t.Context()))
	case "over":
		var result game.Result
		if len(args) > 0 { // the reason why the host's seat lost
			result = game.Win(r.seat.Other(), game.Reason(args[0]), "")
		}
		r.host.Over(result)
		return ""
	case "name":
		return r.host.EngineName()
	case "evidence":
		return strings.Join(r.host.Evidence(), "; ")
	}
	r.t.Fatalf("unknown action %q", verb)
	return ""
}

// warned takes the first warning.
func (r *referee) warned() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.warns) == 0 {
		return ""
	}
	w := r.warns[0]
	r.warns = r.warns[1:]
	return w
}

func duration(t *testing.T, s string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (r *referee) config(args []string) {
	for _, a := range args {
		key, value, _ := strings.Cut(a, "=")
		kind, name, named := strings.Cut(key, ".")
		switch {
		case named && kind == "dialect":
			r.cfg.Dialect[name] = value
		case named && kind == "option":
			r.cfg.Options = append(r.cfg.Options, protocol.Option{Key: name, Value: value})
		case key == "start":
			r.cfg.StartLimit = duration(r.t, value)
		case key == "pong":
			r.cfg.ReplyLimit = duration(r.t, value)
		case a == "restart=never":
			r.cfg.Restart = protocol.RestartNever
		case a == "restart=game":
			r.cfg.Restart = protocol.RestartEachGame
		default:
			r.t.Fatalf("config %q", a)
		}
	}
}

func outcome(err error) string {
	var f *player.Failure
	switch {
	case err == nil:
		return ""
	case errors.As(err, &f):
		s := "failure " + f.Error()
		if len(f.Evidence) > 0 {
			s += " | " + strings.Join(f.Evidence, "; ")
		}
		return s
	}
	return "error " + err.Error()
}

func moveOf(t *testing.T, s string) game.Move {
	t.Helper()
	switch {
	case s == "pass":
		return game.PassMove()
	case s == "off":
		return game.PlaceAt(game.NoPoint)
	case len(s) != 2:
		t.Fatalf("move %q", s)
	}
	return game.PlaceAt(game.Pt(int(s[0]-'a'), int(s[1]-'1')))
}

func nameOf(m game.Move) string {
	switch {
	case m.Op == game.Pass:
		return "pass"
	case m.To == game.NoPoint:
		return "off"
	}
	return string([]byte{'a' + byte(m.To.X), '1' + byte(m.To.Y)})
}

// newGame: black|white|both, tc=SECONDS, inc=SECONDS, st=SECONDS, otc= for the
// opponent, depth=N, start=TEXT (with _ for blanks), spec=, history=f5d6pass.
func (r *referee) newGame(args []string) error {
	s := &player.Setup{ID: "g", Spec: "othello", Width: 8, Height: 8, Names: [2]string{"Ann", "Bob"}}
	var own, other clock.Control
	for _, a := range args {
		key, value, _ := strings.Cut(a, "=")
		switch key {
		case "black":
			r.seat = game.First
		case "white":
			r.seat = game.Second
		case "both":
			r.seat = game.Nobody
		case "tc":
			own.Main = duration(r.t, value)
			other.Main = own.Main
		case "inc":
			own.Increment = duration(r.t, value)
			other.Increment = own.Increment
		case "overtime":
			own.Overtime = duration(r.t, value)
			other.Overtime = own.Overtime
		case "st":
			own.Turn = duration(r.t, value)
			other.Turn = own.Turn
		case "otc":
			other = clock.Control{Main: duration(r.t, value)}
		case "depth":
			s.Limits.Depth, _ = strconv.Atoi(value)
		case "start":
			s.Start = strings.ReplaceAll(value, "_", " ")
		case "spec":
			s.Spec = game.Spec(value)
		case "history":
			for i := 0; i+1 < len(value); i += 2 {
				m, by := value[i:i+2], game.Seat(i/2%2)
				u := player.Update{By: by}
				if m == "--" {
					m = "pass"
				}
				u.Steps = []game.Move{moveOf(r.t, m)}
				s.History = append(s.History, u)
			}
		default:
			r.t.Fatalf("new %q", a)
		}
	}
	s.Seat = r.seat
	if r.seat == game.Second {
		own, other = other, own
	}
	r.clk = [2]clock.Clock{clock.New(own), clock.New(other)}
	s.Clocks = r.clk
	return r.host.NewGame(r.t.Context(), s)
}

// tell: b|w and a move with used=, eval=, forced; or rewind N.
func (r *referee) tell(args []string) {
	u := &player.Update{Clocks: r.clk}
	if args[0] == "rewind" {
		u.Rewind, _ = strconv.Atoi(args[1])
		r.host.Tell(u)
		return
	}
	if args[0] == "w" {
		u.By = game.Second
	}
	u.Steps = []game.Move{moveOf(r.t, args[1])}
	for _, a := range args[2:] {
		key, value, _ := strings.Cut(a, "=")
		switch key {
		case "used":
			u.Used = duration(r.t, value)
		case "eval":
			v, _ := strconv.ParseFloat(value, 64)
			u.Info = &game.Info{Eval: game.Eval{Unit: game.Discs, Lo: v, Hi: v}}
		case "forced":
			u.Forced = true
		default:
			r.t.Fatalf("tell %q", a)
		}
	}
	r.clk[u.By] = r.clk[u.By].Spend(u.Used).EndTurn()
	u.Clocks = r.clk
	r.host.Tell(u)
	u.Steps[0] = game.Move{} // the host must not have kept it
}

// choose: deadline=, depth=, again. The outcome is move, evaluation, time.
func (r *referee) choose(verb string, args []string) string {
	p := &player.Prompt{Seat: r.seat, Clocks: r.clk}
	ctx, cancel := context.WithCancel(r.t.Context())
	defer cancel()
	for _, a := range args {
		key, value, _ := strings.Cut(a, "=")
		switch key {
		case "deadline":
			p.Deadline = time.Now().Add(duration(r.t, value))
		case "depth":
			p.Limits.Depth, _ = strconv.Atoi(value)
		case "again":
			p.Again, p.Rejected = 1, player.AnswerIllegal
		case "cancel":
			time.AfterFunc(duration(r.t, value), cancel)
		default:
			r.t.Fatalf("choose %q", a)
		}
	}
	ask := r.host.Choose
	if verb == "suggest" {
		ask = r.host.Suggest
	}
	a, err := ask(ctx, p)
	if err != nil {
		return outcome(err)
	}
	if a.Unread != "" {
		return fmt.Sprintf("unread %s raw %q", a.Unread, a.Raw)
	}
	s := fmt.Sprintf("%s used %s raw %q", nameOf(a.Steps[0]), a.Used, a.Raw)
	if !a.Measured {
		s += " not measured"
	}
	if in := infoText(a.Info); in != "" {
		s += " " + in
	}
	return s
}

func infoText(in game.Info) string {
	var f []string
	if in.Rank > 0 {
		f = append(f, fmt.Sprintf("#%d", in.Rank))
	}
	for i, m := range in.PV {
		if i == 0 {
			f = append(f, "pv")
		}
		f = append(f, nameOf(m))
	}
	if in.Eval.Known() {
		f = append(f, fmt.Sprintf("eval %v", in.Eval.Lo))
		if in.Eval.Lo != in.Eval.Hi {
			f[len(f)-1] += fmt.Sprintf("..%v", in.Eval.Hi)
		}
	}
	if in.Depth > 0 {
		f = append(f, fmt.Sprintf("depth %d", in.Depth))
	}
	if in.Bound == game.Exact {
		f = append(f, "exact")
	}
	if in.Nodes > 0 {
		f = append(f, fmt.Sprintf("nodes %d", in.Nodes))
	}
	if in.Book {
		f = append(f, fmt.Sprintf("book %d", in.Games))
	}
	return strings.Join(f, " ")
}

// analyse: lines, budget=, depth=, enough=N stops after so many lines, cancel=.
func (r *referee) analyse(verb string, args []string) string {
	q := player.Question{WholeGame: verb == "analyze"}
	ctx, cancel := context.WithCancel(r.t.Context())
	defer cancel()
	enough := 1000
	for _, a := range args {
		key, value, _ := strings.Cut(a, "=")
		switch key {
		case "budget":
			q.Budget = duration(r.t, value)
		case "depth":
			q.Depth, _ = strconv.Atoi(value)
		case "enough":
			enough, _ = strconv.Atoi(value)
		case "cancel":
			time.AfterFunc(duration(r.t, value), cancel)
		default:
			q.Lines, _ = strconv.Atoi(a)
		}
	}
	var got []string
	err := r.host.Analyse(ctx, q, func(in game.Info) bool {
		got = append(got, infoText(in))
		return len(got) < enough
	})
	if err != nil {
		got = append(got, outcome(err))
	}
	return strings.Join(got, ", ")
}
