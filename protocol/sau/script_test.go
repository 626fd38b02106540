package sau_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/link/linktest"
	"kibitz/match"
	"kibitz/player"
	"kibitz/protocol"
)

// TestConversations plays the files of testdata/match: games of the real referee
// between scripted engines. Each file is an archive. Every "black" and every "white"
// is the script of one process of that side, in the notation of package linktest;
// "black plays" or "white plays" are the turns of a player in this program instead,
// in the letters of the protocol and separated by semicolons. The lines of "match"
// are
//
//	spec SPEC
//	black KEY=VALUE, white KEY=VALUE    a switch of the host
//	config restart=auto|game|never start=3s reply=1s
//	retries N | tc TIME | stall TIME | abort TIME
//	game => WINNER REASON [/REGEXP for the detail/]
//	name black|white => TEXT
//	warned TEXT | silent | evidence TEXT
//	close
//
// A game is played where "game" stands; the winner is black, white, draw or nobody.
func TestConversations(t *testing.T) {
	linktest.Files(t, "testdata/match/*.txt", 1, converse)
}

// converse plays one archive in a bubble of its own, where time costs nothing.
func converse(t *testing.T, text string) {
	synctest.Test(t, func(t *testing.T) {
		d := &driver{t: t}
		scripts := map[string][]string{}
		var lines []string
		for _, p := range linktest.Parts(text) {
			switch p[0] {
			case "match":
				lines = strings.Split(p[1], "\n")
			case "black", "white", "black plays", "white plays":
				scripts[p[0]] = append(scripts[p[0]], p[1])
			default:
				t.Fatalf("unknown part %q", p[0])
			}
		}
		for s, name := range []string{"black", "white"} {
			if turns := scripts[name+" plays"]; turns != nil {
				d.bots[s] = &lister{t: t, text: turns[0]}
				continue
			}
			d.cfg[s] = protocol.Config{
				Name: name, Now: time.Now, Dial: linktest.Dialer(t, scripts[name]...), Dialect: map[string]string{},
				Warn: func(s string) { d.warnings = append(d.warnings, name+": "+s) },
			}
		}
		for i, l := range lines {
			if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
				d.line = i + 1
				d.run(l)
			}
		}
		d.close()
		for s, b := range d.bots {
			if b != nil && b.left() != "" {
				t.Errorf("%s has not played %q", []string{"black", "white"}[s], b.left())
			}
		}
		if t.Failed() {
			t.Logf("warnings: %q", d.warnings)
		}
	})
}

// driver is one file that is played.
type driver struct {
	t        *testing.T
	line     int
	spec     game.Spec
	cfg      [2]protocol.Config
	bots     [2]*lister
	hosts    [2]player.Player
	policy   match.Policy
	control  clock.Control
	abort    time.Duration
	warnings []string
	outcome  match.Outcome
}

func (d *driver) fatalf(format string, args ...any) {
	d.t.Helper()
	d.t.Fatalf("match line %d: %s (warnings %q)", d.line, fmt.Sprintf(format, args...), d.warnings)
}

func (d *driver) close() {
	for s, h := range d.hosts {
		if h != nil {
			if err := h.Close(); err != nil {
				d.t.Errorf("Close: %v", err)
			}
		}
		d.hosts[s] = nil
	}
}

func (d *driver) duration(s string) time.Duration {
	v, err := time.ParseDuration(s)
	if err != nil {
		d.fatalf("%v", err)
	}
	return v
}

func (d *driver) run(line string) {
	order, want, _ := strings.Cut(line, "=>")
	want = strings.TrimSpace(want)
	word, rest, _ := strings.Cut(strings.TrimSpace(order), " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "spec":
		if !known(rest) {
			d.t.Skipf("no game %s", rest)
		}
		d.spec = canonical(d.t, rest)
	case "black", "white":
		k, v, _ := strings.Cut(rest, "=")
		d.cfg[sideOf(word)].Dialect[k] = v
	case "config":
		for w := range strings.FieldsSeq(rest) {
			d.config(w)
		}
	case "retries":
		n, err := strconv.Atoi(rest)
		if err != nil {
			d.fatalf("%v", err)
		}
		d.policy.Retries = n
	case "tc":
		c, err := clock.Parse(rest)
		if err != nil && rest != "none" {
			d.fatalf("%v", err)
		}
		d.control = c
	case "stall":
		d.policy.Stall = d.duration(rest)
	case "abort":
		d.abort = d.duration(rest)
	case "game":
		d.play(want)
	case "name":
		if got := d.hosts[sideOf(rest)].(player.Namer).EngineName(); got != want {
			d.fatalf("the name is %q", got)
		}
	case "warned":
		if !strings.Contains(strings.Join(append(d.warnings, d.outcome.Warnings...), "\n"), rest) {
			d.fatalf("no warning %q, those of the game are %q", rest, d.outcome.Warnings)
		}
	case "silent":
		if len(d.warnings)+len(d.outcome.Warnings) > 0 {
			d.fatalf("there are warnings, those of the game are %q", d.outcome.Warnings)
		}
	case "evidence":
		if !strings.Contains(strings.Join(d.outcome.Evidence, "\n"), rest) {
			d.fatalf("the evidence is %q", d.outcome.Evidence)
		}
	case "close":
		d.close()
	case "wait":
		time.Sleep(d.duration(rest))
	default:
		d.fatalf("unknown order %q", word)
	}
}

func sideOf(name string) int {
	if name == "white" {
		return 1
	}
	return 0
}

func (d *driver) config(word string) {
	k, v, _ := strings.Cut(word, "=")
	for s := range d.cfg {
		switch k {
		case "restart":
			d.cfg[s].Restart = map[string]protocol.Restart{"auto": protocol.RestartAuto, "game": protocol.RestartEachGame, "never": protocol.RestartNever}[v]
		case "start":
			d.cfg[s].StartLimit = d.duration(v)
		case "reply":
			d.cfg[s].ReplyLimit = d.duration(v)
		default:
			d.fatalf("unknown config %q", word)
		}
	}
}

// play plays one game with the referee and compares its result.
func (d *driver) play(want string) {
	r, err := games.OpenSpec(d.spec)
	if err != nil {
		d.fatalf("%v", err)
	}
	g := &match.Game{ID: "g", Rules: r, Policy: d.policy, Now: time.Now}
	for s := range g.Sides {
		p := player.Player(d.bots[s])
		if d.bots[s] == nil {
			if d.hosts[s] == nil {
				if d.hosts[s], err = forms.NewHost(d.cfg[s]); err != nil {
					d.fatalf("%v", err)
				}
			}
			p = d.hosts[s]
		}
		g.Sides[s] = match.Side{Player: p, Name: []string{"black", "white"}[s], Clock: d.control}
	}
	ctx, cancel := context.WithCancel(d.t.Context())
	defer cancel()
	if d.abort > 0 {
		defer time.AfterFunc(d.abort, cancel).Stop()
	}
	d.outcome = match.Play(ctx, g)
	synctest.Wait() // the scripts have read what they will
	res := d.outcome.Result
	winner := map[game.Seat]string{game.First: "black", game.Second: "white", game.Nobody: "nobody"}[res.Winner()]
	if res.Draw() {
		winner = "draw"
	}
	f := strings.SplitN(want, " ", 3)
	if len(f) < 2 || winner != f[0] || string(res.Reason) != f[1] {
		d.fatalf("the result is %s %s (%s), evidence %q", winner, res.Reason, res.Detail, d.outcome.Evidence)
	}
	if len(f) == 3 && !regexp.MustCompile(strings.Trim(f[2], "/")).MatchString(res.Detail) {
		d.fatalf("the detail is %q", res.Detail)
	}
}

// lister plays a list of turns in the letters of the protocol, one decision at a
// time, and resigns when none is left.
type lister struct {
	t     *testing.T
	text  string
	spec  game.Spec
	turns []string
	steps []game.Move
}

func (l *lister) NewGame(_ context.Context, s *player.Setup) error {
	if l.spec = s.Spec; l.turns == nil {
		l.turns = turnsOf(l.text)
	}
	l.steps = nil
	return nil
}

// turnsOf splits a text at semicolons and blank lines.
func turnsOf(text string) (list []string) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		if w = strings.TrimSpace(w); w != "" {
			list = append(list, w)
		}
	}
	return list
}

func (l *lister) Choose(context.Context, *player.Prompt) (player.Answer, error) {
	if len(l.steps) == 0 {
		if len(l.turns) == 0 {
			return player.Answer{Steps: []game.Move{game.ResignMove()}}, nil
		}
		l.steps = stepsOf(l.t, l.spec, l.turns[0])
		l.turns = l.turns[1:]
	}
	m := l.steps[:1]
	l.steps = l.steps[1:]
	return player.Answer{Steps: m}, nil
}

func (l *lister) left() string {
	if l.turns == nil {
		return strings.TrimSpace(l.text)
	}
	return strings.Join(l.turns, ";")
}

func (l *lister) Tell(*player.Update) {}
func (l *lister) Stop()               {}
func (l *lister) Over(game.Result)    {}
func (l *lister) Close() error        { return nil }

// stepsOf reads a turn as the page of the protocol writes it, without the package
// under test.
func stepsOf(t testing.TB, spec game.Spec, text string) (list []game.Move) {
	t.Helper()
	if text == "pass" {
		return []game.Move{game.PassMove()}
	}
	at := func(i int) game.Point {
		if len(text) < i+2 {
			t.Fatalf("%q is too short", text)
		}
		return game.Pt(int(text[i])-'A', int(text[i+1])-'A')
	}
	switch spec.ID() {
	case "amazons":
		return []game.Move{game.ShiftTo(at(0), at(2)), game.ShootAt(at(4))}
	case "surakarta":
		return []game.Move{game.ShiftTo(at(0), at(2))}
	case "connect6":
		list = append(list, game.PlaceAt(at(0)))
		if len(text) > 2 && text[2] != '@' {
			list = append(list, game.PlaceAt(at(2)))
		}
		return list
	case "dotsandboxes":
		_, text, _ = strings.Cut(text, " ")
		for i := 0; i+2 < len(text); i += 3 {
			line, place := int(text[i+1])-'A', int(text[i+2])-'A'
			if text[i] == 'A' {
				list = append(list, game.EdgeAt(game.Pt(place, line), false))
			} else {
				list = append(list, game.EdgeAt(game.Pt(line, place), true))
			}
		}
		return list
	}
	return []game.Move{game.PlaceAt(at(0))}
}

// TestSpecificationGames plays the complete games that the specification of the
// protocol lists, which the original platform has accepted move for move, through two
// hosts: each move of one engine is what the other is told.
func TestSpecificationGames(t *testing.T) {
	linktest.Files(t, "testdata/games/*.txt", 1, func(t *testing.T, text string) {
		// The first line is "SPEC => RESULT".
		head, text, _ := strings.Cut(text, "\n")
		spec, result, _ := strings.Cut(head, "=>")
		turns := turnsOf(text)
		script := [2]string{"> name?\n< name B\n> new black\n", "> name?\n< name W\n> new white\n"}
		for i, turn := range turns {
			script[i%2] += "< move " + turn + "\n"
			if i == len(turns)-1 {
				script[i%2] += "> end\n!silent\n"
				script[1-i%2] += fmt.Sprintf(">%q\n> quit\n", "move "+turn+"\nend\n")
			} else {
				script[1-i%2] += "> move " + turn + "\n"
			}
		}
		last := (len(turns) - 1) % 2
		script[last] = strings.Replace(script[last], "!silent\n", "> quit\n", 1)
		converse(t, fmt.Sprintf("-- match --\nspec %s\ngame => %s\nsilent\n-- black --\n%s-- white --\n%s",
			strings.TrimSpace(spec), strings.TrimSpace(result), script[0], script[1]))
	})
}
