package gtp

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/protocol"
)

// Checks returns what an engine can be tested for. Requirements come from the GTP
// 2 draft, advice from what managers of the field rely on.
func Checks(spec game.Spec) []protocol.Check {
	c := checker{id: spec.ID(), size: 15}
	if c.id == "othello" {
		c.size = 8
	}
	if v, ok := spec.Option("size"); ok {
		if n, err := strconv.Atoi(v); err == nil {
			c.size = n
		}
	}
	list := []struct {
		id, text, source string
		advice           bool
		run              func(*probe) error
	}{
		{"protocol", "protocol_version is answered by 2", "GTP 2: protocol_version", false, func(p *probe) error { return p.exactly("protocol_version", "2") }},
		{"name", "name and version are answered", "GTP 2: name", false, checkName},
		{"list", "list_commands names the commands that the engine knows", "GTP 2: list_commands", false, checkList},
		{"known", "known_command is answered by true and false", "GTP 2: known_command", false, checkKnown},
		{"unknown", "an unknown command is answered by ? and a text", "GTP 2: error messages", false, checkUnknown},
		{"ids", "a numbered command is answered with its number, one without by none", "GTP 2: command identity", false, checkIDs},
		{"genmove", "genmove is answered by a move", "GTP 2: genmove", false, c.checkGenmove},
		{"play", "play is accepted and an occupied point is not", "GTP 2: play", false, c.checkPlay},
		{"game", "ten moves in turn are answered", "GTP 2: genmove", false, c.checkGame},
		{"clear", "clear_board begins anew", "GTP 2: clear_board", false, c.checkClear},
		{"quit", "quit is answered and ends the process", "GTP 2: quit", false, checkQuit},
		{"undo", "undo takes back a move", "GTP 2: undo", true, c.checkUndo},
		{"time", "time_settings and time_left are known", "GTP 2: time_settings", true, checkTime},
		{"comments", "comments and empty lines are ignored", "GTP 2: preprocessing", true, checkComments},
		{"showboard", "showboard is known", "GTP 2: showboard", true, func(p *probe) error { _, err := p.ok("showboard"); return err }},
	}
	out := make([]protocol.Check, len(list))
	for i, l := range list {
		out[i] = protocol.Check{ID: l.id, Requirement: l.text, Source: l.source, Advice: l.advice, Run: func(_ context.Context, p *protocol.Probe) error {
			return l.run(&probe{Probe: p})
		}}
	}
	return out
}

// checker knows the game that an engine is checked on.
type checker struct {
	id   string
	size int
}

// probe is a conversation with one engine.
type probe struct{ *protocol.Probe }

const slowReply = 30 * time.Second

// ask sends a command and waits for the line that begins its reply.
func (p *probe) ask(command string) (Reply, error) {
	if err := p.Send("\n", command); err != nil {
		return Reply{}, err
	}
	return p.reply(command)
}

func (p *probe) reply(command string) (Reply, error) {
	var got Reply
	_, err := p.Receive(slowReply, "reply to "+command, func(line string) bool {
		r, ok := ParseReply([]byte(line))
		got = r
		return ok
	})
	return got, err
}

// ok wants a reply that is no error.
func (p *probe) ok(command string) (Reply, error) {
	r, err := p.ask(command)
	if err == nil && !r.OK {
		err = fmt.Errorf("%s was answered by ? %s", command, r.Text)
	}
	return r, err
}

func (p *probe) exactly(command, want string) error {
	r, err := p.ok(command)
	if err == nil && strings.TrimSpace(r.Text) != want {
		return fmt.Errorf("%s was answered by %q", command, r.Text)
	}
	return err
}

func checkName(p *probe) error {
	for _, command := range []string{"name", "version"} {
		if _, err := p.ok(command); err != nil {
			return err
		}
	}
	return nil
}

func checkList(p *probe) error {
	r, err := p.ok("list_commands")
	if err != nil {
		return err
	}
	more, err := p.Quiet(500 * time.Millisecond)
	if err != nil {
		return err
	}
	text := "\n" + r.Text + "\n" + strings.Join(more, "\n") + "\n"
	for _, name := range []string{"genmove", "play", "clear_board", "quit"} {
		if !strings.Contains(text, "\n"+name+"\n") {
			return fmt.Errorf("%s is not in the list", name)
		}
	}
	return nil
}

func checkKnown(p *probe) error {
	if err := p.exactly("known_command genmove", "true"); err != nil {
		return err
	}
	return p.exactly("known_command kibitzcheck", "false")
}

func checkUnknown(p *probe) error {
	r, err := p.ask("kibitzcheck")
	if err == nil && r.OK {
		return fmt.Errorf("an unknown command was accepted")
	}
	return err
}

func checkIDs(p *probe) error {
	r, err := p.ask("17 name")
	if err != nil {
		return err
	}
	if !r.HasID || r.ID != 17 {
		return fmt.Errorf("the reply to command 17 does not begin with =17")
	}
	if r, err = p.ask("name"); err == nil && r.HasID && r.ID == 17 {
		return fmt.Errorf("the reply to a command without a number carries one")
	}
	return err
}

func (c checker) start(p *probe) error {
	if _, err := p.ask(fmt.Sprintf("boardsize %d", c.size)); err != nil {
		return err
	}
	if _, err := p.ok("clear_board"); err != nil {
		return err
	}
	// A second for each move; who knows no time control is not asked to keep it.
	_, err := p.ask("time_settings 0 1 1")
	return err
}

// genmove asks for a move of a colour and checks its form.
func (c checker) genmove(p *probe, colour string) (string, error) {
	r, err := p.ok("genmove " + colour)
	if err != nil {
		return "", err
	}
	text := strings.ToLower(strings.TrimSpace(r.Text))
	if text == "pass" || text == "resign" || text == "pa" {
		return text, nil
	}
	if len(text) < 2 || text[0] < 'a' || text[0] > 'z' {
		return "", fmt.Errorf("genmove %s was answered by %q", colour, text)
	}
	row, err := strconv.Atoi(text[1:])
	if err != nil || row < 1 || row > c.size {
		return "", fmt.Errorf("genmove %s was answered by %q", colour, text)
	}
	return text, nil
}

func (c checker) checkGenmove(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	m, err := c.genmove(p, "b")
	if err == nil && c.id == "othello" && !slices.Contains([]string{"d3", "c4", "f5", "e6"}, m) {
		return fmt.Errorf("%s is no legal first move (rows count from the top)", m)
	}
	return err
}

// stones are two legal first moves of the game.
func (c checker) stones() [2]string {
	if c.id == "othello" {
		return [2]string{"f5", "d6"}
	}
	return [2]string{"h8", "g7"}
}

func (c checker) checkPlay(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	s := c.stones()
	for i, colour := range [2]string{"b", "w"} {
		if _, err := p.ok("play " + colour + " " + s[i]); err != nil {
			return err
		}
	}
	r, err := p.ask("play b " + s[0])
	if err == nil && r.OK {
		return fmt.Errorf("a second stone on %s was accepted", s[0])
	}
	return err
}

func (c checker) checkGame(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	for i := range 10 {
		m, err := c.genmove(p, [2]string{"b", "w"}[i%2])
		if err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		if m == "resign" {
			return nil
		}
	}
	return nil
}

func (c checker) checkClear(p *probe) error {
	if err := c.checkGame(p); err != nil {
		return protocol.Untested(err)
	}
	return c.checkPlay(p)
}

func (c checker) checkUndo(p *probe) error {
	if err := c.start(p); err != nil {
		return err
	}
	s := c.stones()
	for _, command := range []string{"play b " + s[0], "undo", "play b " + s[0]} {
		if _, err := p.ok(command); err != nil {
			return err
		}
	}
	return nil
}

func checkTime(p *probe) error {
	for _, command := range []string{"time_settings 60 5 1", "time_left b 60 0"} {
		if _, err := p.ok(command); err != nil {
			return err
		}
	}
	return nil
}

func checkComments(p *probe) error {
	if err := p.Send("\n", "", "# a comment", "   ", "name # another"); err != nil {
		return err
	}
	r, err := p.reply("name")
	if err == nil && !r.OK {
		return fmt.Errorf("answered by ? %s", r.Text)
	}
	return err
}

func checkQuit(p *probe) error {
	if err := p.Send("\n", "quit"); err != nil {
		return err
	}
	return p.Ends(2 * time.Second)
}
