package piskvork_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/link/linktest"
	"kibitz/player"
	"kibitz/protocol"
	pv "kibitz/protocol/piskvork"
)

// TestConversations plays the files of testdata/host. Each is an archive: "game"
// says what the referee does, every "engine" is the script of one process, in the
// notation of package linktest. The lines of "game" are
//
//	dialect KEY=VALUE | option KEY=VALUE | config restart=auto|game|never start=3s reply=1s
//	new SPEC [seat=second] [tc=60s] [inc=1s] [delay=1s] [st=5s] [memory=N] [threads=N] [depth=N] [nodes=N] [history=7,7;8,8] [id=X]
//	choose [deadline=5s] [again=1] [left=59s] [stop=100ms] [cancel=100ms]
//	suggest | consult 10,10 12,10 | tell 8,8 [choose:1] [pass] [scored=1,1;2,2] | rewind 2 | over | close | wait 1s | ponder [off]
//	analyse [lines=3] [budget=1s] [depth=4] [game=true] [stop=1s]
//	forbidden | name | hash clear|load FILE|dump FILE|usage
//	warned TEXT | evidence TEXT
//
// with "=> RESULT" for what must come of it: decisions, "fail REASON /regexp/", or
// a text. Answers of choose are told to the host as a referee does.
func TestConversations(t *testing.T) {
	linktest.Files(t, "testdata/host/*.txt", 1, converse)
}

// converse plays one archive in a bubble of its own, where time costs nothing.
func converse(t *testing.T, text string) {
	synctest.Test(t, func(t *testing.T) {
		d := &driver{t: t}
		var engines []string
		var lines []string
		for _, p := range linktest.Parts(text) {
			switch p[0] {
			case "game":
				lines = strings.Split(p[1], "\n")
			case "engine":
				engines = append(engines, p[1])
			default:
				t.Fatalf("unknown part %q", p[0])
			}
		}
		d.cfg = protocol.Config{
			Name: "brain", Now: time.Now, Dial: linktest.Dialer(t, engines...),
			// What is sent before every turn would fill the scripts; time_left.txt has it.
			Dialect: map[string]string{"timeleft": "clock"},
			Warn:    func(s string) { d.warnings = append(d.warnings, s) },
		}
		for i, l := range lines {
			if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
				d.line = i + 1
				d.run(l)
			}
		}
		if d.host != nil {
			_ = d.host.Close()
		}
		if t.Failed() {
			t.Logf("warnings: %q", d.warnings)
		}
	})
}

type driver struct {
	t        *testing.T
	line     int
	cfg      protocol.Config
	host     player.Player
	warnings []string
	setup    player.Setup
	decided  int
}

func (d *driver) fatalf(format string, args ...any) {
	d.t.Helper()
	d.t.Fatalf("game line %d: %s (warnings %q)", d.line, fmt.Sprintf(format, args...), d.warnings)
}

// args splits "a b k=v" into words and a table.
func args(words []string) (plain []string, table map[string]string) {
	table = map[string]string{}
	for _, w := range words {
		if k, v, ok := strings.Cut(w, "="); ok {
			table[k] = v
		} else {
			plain = append(plain, w)
		}
	}
	return plain, table
}

func (d *driver) duration(s string) time.Duration {
	if s == "" {
		return 0
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		d.fatalf("%v", err)
	}
	return v
}

func (d *driver) number(s string) int {
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		d.fatalf("%v", err)
	}
	return n
}

func (d *driver) moves(text string) (list []game.Move) {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == ';' }) {
		if n, ok := strings.CutPrefix(w, "choose:"); ok {
			list = append(list, game.ChooseArg(d.number(n)))
			continue
		}
		if w == "pass" {
			list = append(list, game.PassMove())
			continue
		}
		x, y, ok := strings.Cut(w, ",")
		if !ok {
			d.fatalf("%q is no point", w)
		}
		list = append(list, game.PlaceAt(game.Pt(d.number(x), d.number(y))))
	}
	return list
}

func text(steps []game.Move) string {
	var list []string
	for _, m := range steps {
		switch m.Op {
		case game.Choose:
			list = append(list, fmt.Sprintf("choose:%d", m.Arg))
		case game.Pass:
			list = append(list, "pass")
		default:
			list = append(list, fmt.Sprintf("%d,%d", m.To.X, m.To.Y))
		}
	}
	return strings.Join(list, " ")
}

func (d *driver) run(line string) {
	order, want, _ := strings.Cut(line, "=>")
	want = strings.TrimSpace(want)
	words := strings.Fields(order)
	plain, table := args(words[1:])
	switch words[0] {
	case "dialect":
		for k, v := range table {
			d.cfg.Dialect[k] = v
		}
	case "option":
		k, v, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(order, "option")), "=")
		d.cfg.Options = append(d.cfg.Options, protocol.Option{Key: k, Value: strings.TrimSpace(v)})
	case "config":
		d.config(table)
	case "new":
		_, table = args(words[2:])
		d.newGame(words[1], table, want)
	case "choose":
		d.choose(table, want)
	case "consult":
		d.open().(player.Consulter).Consult(func(_ context.Context, _ *player.Prompt, m game.Move) game.Move {
			if at := text([]game.Move{m}); at != plain[0] {
				d.fatalf("%s is proposed, not %s", at, plain[0])
			}
			time.Sleep(time.Minute) // which is nobody's time
			return d.moves(plain[1])[0]
		})
	case "suggest":
		a, err := d.host.(player.Suggester).Suggest(context.Background(), d.prompt(table))
		d.check(a, err, want)
	case "tell":
		d.tell(d.moves(strings.Join(plain, " ")), table)
	case "rewind":
		n := d.number(plain[0])
		d.decided -= n
		d.host.Tell(&player.Update{Rewind: n})
	case "over":
		var r game.Result
		if why := table["lost"]; why != "" {
			r = game.Win(d.setup.Seat.Other(), game.Reason(why), "")
		} else if why := table["won"]; why != "" {
			r = game.Win(d.setup.Seat, game.Reason(why), "")
		}
		d.host.Over(r)
	case "close":
		if err := d.host.Close(); err != nil {
			d.fatalf("Close: %v", err)
		}
	case "wait":
		time.Sleep(d.duration(plain[0]))
	default:
		d.runMore(words[0], order, plain, table, want)
	}
}

func (d *driver) runMore(word, order string, plain []string, table map[string]string, want string) {
	switch word {
	case "ponder":
		if err := d.open().(player.Ponderer).Ponder(len(plain) == 0); err != nil {
			d.fatalf("%v", err)
		}
	case "analyse":
		d.analyse(table, want)
	case "forbidden":
		list, err := d.host.(*pv.Host).Forbidden(context.Background())
		var steps []game.Move
		for _, p := range list {
			steps = append(steps, game.PlaceAt(p))
		}
		d.check(player.Answer{Steps: steps}, err, want)
	case "hash":
		order := map[string]player.HashOrder{"clear": player.HashClear, "load": player.HashLoad, "dump": player.HashDump, "usage": player.HashUsage}
		got, err := d.host.(player.Hasher).Hash(context.Background(), order[plain[0]], strings.Join(plain[1:], " "))
		if err != nil {
			got = "fail " + err.Error()
		}
		if got != want {
			d.fatalf("%q, want %q", got, want)
		}
	case "name":
		if got := d.host.(player.Namer).EngineName(); got != want {
			d.fatalf("the name is %q", got)
		}
	case "warned":
		text := strings.TrimSpace(strings.TrimPrefix(order, "warned"))
		if !strings.Contains(strings.Join(d.warnings, "\n"), text) {
			d.fatalf("no warning %q", text)
		}
	case "silent":
		if len(d.warnings) > 0 {
			d.fatalf("there are warnings")
		}
	case "evidence":
		text := strings.TrimSpace(strings.TrimPrefix(order, "evidence"))
		if got := d.host.(player.Witness).Evidence(); !strings.Contains(strings.Join(got, "\n"), text) {
			d.fatalf("the evidence is %q", got)
		}
	default:
		d.fatalf("unknown order %q", word)
	}
}

func (d *driver) config(table map[string]string) {
	switch table["restart"] {
	case "game":
		d.cfg.Restart = protocol.RestartEachGame
	case "never":
		d.cfg.Restart = protocol.RestartNever
	}
	d.cfg.StartLimit, d.cfg.ReplyLimit = d.duration(table["start"]), d.duration(table["reply"])
}

func (d *driver) open() player.Player {
	if d.host == nil {
		h, err := pv.NewHost(d.cfg)
		if err != nil {
			d.fatalf("%v", err)
		}
		d.host = h
	}
	return d.host
}

func (d *driver) newGame(spec string, table map[string]string, want string) {
	s := player.Setup{
		ID: table["id"], Spec: canonical(d.t, spec),
		Limits: player.Limits{
			Memory: int64(d.number(table["memory"])), Threads: d.number(table["threads"]),
			Depth: d.number(table["depth"]), Nodes: int64(d.number(table["nodes"])),
		},
	}
	r, err := open(s.Spec)
	if err != nil {
		d.fatalf("%v", err)
	}
	s.Width, s.Height = r.Doc().Width, r.Doc().Height
	if table["seat"] == "second" {
		s.Seat = game.Second
	}
	if n, err := strconv.Atoi(table["against"]); err == nil {
		s.Against = player.Against(n)
	}
	k := clock.New(clock.Control{Main: d.duration(table["tc"]), Increment: d.duration(table["inc"]), Delay: d.duration(table["delay"]), Turn: d.duration(table["st"])})
	s.Clocks = [2]clock.Clock{k, k}
	for i, m := range d.moves(table["history"]) {
		s.History = append(s.History, player.Update{By: game.Seat(i % 2), Steps: []game.Move{m}})
	}
	d.setup = s
	d.check(player.Answer{}, d.open().NewGame(context.Background(), &s), want)
}

func (d *driver) prompt(table map[string]string) *player.Prompt {
	p := &player.Prompt{
		Seat: d.setup.Seat, Clocks: d.setup.Clocks, Again: d.number(table["again"]),
		Turn: game.Turn{Seat: d.setup.Seat, Phase: "place"},
	}
	if p.Again > 0 {
		p.Rejected = player.AnswerIllegal
	}
	if v, ok := table["deadline"]; ok {
		p.Deadline = time.Now().Add(d.duration(v))
	}
	if v, ok := table["left"]; ok {
		p.Clocks[p.Seat].Left = d.duration(v)
	}
	return p
}

func (d *driver) choose(table map[string]string, want string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if v, ok := table["stop"]; ok {
		time.AfterFunc(d.duration(v), d.host.Stop)
	}
	if v, ok := table["cancel"]; ok {
		time.AfterFunc(d.duration(v), cancel)
	}
	a, err := d.host.Choose(ctx, d.prompt(table))
	d.check(a, err, want)
	if err == nil && table["illegal"] == "" {
		d.tell(append([]game.Move(nil), a.Steps...), nil)
	}
}

func (d *driver) tell(steps []game.Move, table map[string]string) {
	u := &player.Update{Steps: steps}
	if v, ok := table["scored"]; ok {
		n := game.Notice{Kind: game.Scored, Count: 1}
		for _, m := range d.moves(v) {
			n.Points = append(n.Points, m.To)
		}
		u.Notices = append(u.Notices, n)
	}
	d.decided += len(steps)
	d.host.Tell(u)
}

var failLine = regexp.MustCompile(`^fail (\S+)(?: /(.*)/)?$`)

// check compares an answer with "7,7 [depth=3] [eval=12] [mate=3] [nodes=9] [used=1s]".
func (d *driver) check(a player.Answer, err error, want string) {
	d.t.Helper()
	if m := failLine.FindStringSubmatch(want); m != nil {
		d.checkFailure(err, m[1], m[2])
		return
	}
	if err != nil {
		d.fatalf("%v", err)
	}
	if why, ok := strings.CutPrefix(want, "unread "); ok || a.Unread != "" {
		if a.Unread != why || len(a.Steps) > 0 {
			d.fatalf("unread %s", a.Unread)
		}
		return
	}
	plain, table := args(strings.Fields(want))
	if got := text(a.Steps); got != strings.Join(plain, " ") {
		d.fatalf("the answer is %q", got)
	}
	for k, v := range table {
		var got string
		switch k {
		case "depth":
			got = strconv.Itoa(a.Info.Depth)
		case "eval", "mate":
			got = strconv.FormatFloat(a.Info.Eval.Mid(), 'f', -1, 64)
			if (k == "mate") != (a.Info.Eval.Unit == game.MateIn) {
				d.fatalf("the evaluation is %+v", a.Info.Eval)
			}
		case "nodes":
			got = strconv.FormatInt(a.Info.Nodes, 10)
		case "pv":
			got = strings.ReplaceAll(text(a.Info.PV), " ", ";")
		case "raw":
			got = strings.ReplaceAll(a.Raw, " ", "_")
		case "used":
			got = a.Used.String()
			if !a.Measured {
				d.fatalf("the time is not measured")
			}
		}
		if got != v {
			d.fatalf("%s is %s, want %s", k, got, v)
		}
	}
}

func (d *driver) checkFailure(err error, reason, pattern string) {
	d.t.Helper()
	if reason == "unsupported" {
		if !errors.Is(err, player.ErrUnsupported) {
			d.fatalf("%v instead of unsupported", err)
		}
		return
	}
	var f *player.Failure
	if !errors.As(err, &f) {
		d.fatalf("%v instead of the failure %s", err, reason)
	}
	if f.Reason != game.Reason(reason) || !regexp.MustCompile(pattern).MatchString(f.Detail) {
		d.fatalf("the failure is %v, evidence %q", f, f.Evidence)
	}
}

func (d *driver) analyse(table map[string]string, want string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if v, ok := table["stop"]; ok {
		time.AfterFunc(d.duration(v), cancel)
	}
	q := player.Question{Lines: d.number(table["lines"]), Depth: d.number(table["depth"]), Budget: d.duration(table["budget"]), WholeGame: table["game"] != ""}
	enough := d.number(table["enough"])
	var got []string
	err := d.host.(player.Analyst).Analyse(ctx, q, func(i game.Info) bool {
		move := ""
		if len(i.PV) > 0 {
			move = text(i.PV[:1])
		}
		ev := "?"
		if i.Eval.Known() {
			ev = strconv.FormatFloat(i.Eval.Mid(), 'f', -1, 64)
		}
		got = append(got, fmt.Sprintf("%d:%s:%s", i.Rank, move, ev))
		return len(got) != enough
	})
	if failLine.MatchString(want) {
		d.check(player.Answer{}, err, want)
		return
	}
	if err != nil || strings.Join(got, " ") != want {
		d.fatalf("the analysis is %q, %v", strings.Join(got, " "), err)
	}
}
