package gtp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"kibitz/game/grid"
	"kibitz/player"
	"kibitz/protocol"
)

// Checks returns what an engine can be tested for. Requirements come from the GTP
// 2 draft, advice from what managers of the field rely on; for games with hidden
// stones there are the commands of phantom.go in the place of play and undo.
func (l Forms) Checks(board player.Position) []protocol.Check {
	f, err := l.of(board.Spec().ID())
	if err != nil {
		return nil
	}
	c := checker{form: f}
	c.size, _ = board.Size()
	const open, hidden, both = 1, 2, 3
	var out []protocol.Check
	for _, l := range []struct {
		games            int
		id, text, source string
		advice           bool
		run              func(checker, *probe) error
	}{
		{both, "genmove", "genmove is answered by a move", "GTP 2: genmove", false, checker.checkGenmove},
		{
			both, "protocol", "protocol_version is answered by 2", "GTP 2: protocol_version", false,
			func(_ checker, p *probe) error { return p.exactly("protocol_version", "2") },
		},
		{both, "name", "name and version are answered", "GTP 2: name", false, answered("name", "version")},
		{both, "list", "list_commands names the commands that the engine knows", "GTP 2: list_commands", false, checker.checkList},
		{both, "known", "known_command is answered by true and false", "GTP 2: known_command", false, checkKnown},
		{both, "unknown", "an unknown command is answered by ? and a text", "GTP 2: error messages", false, checkUnknown},
		{both, "ids", "a numbered command is answered with its number, one without by none", "GTP 2: command identity", false, checkIDs},
		{open, "play", "play is accepted and an occupied point is not", "GTP 2: play", false, checker.checkPlay},
		{
			hidden, "points", "a point is the same in what is read and in what is written",
			"Kibitz: Phantom Go over GTP", false, checker.checkPoints,
		},
		{
			hidden, "attempt", "an attempt may be refused, and another point is tried then",
			"Kibitz: Phantom Go over GTP", false, checker.checkAttempt,
		},
		{
			hidden, "captures", "stones that are taken and lost, and passes, are understood",
			"Kibitz: Phantom Go over GTP", false, checker.checkCaptures,
		},
		{open, "keeps", "genmove plays its move on the engine's own board", "GTP 2: genmove", false, checker.checkKeeps},
		{both, "game", "the first moves in turn are answered", "GTP 2: genmove", false, checker.checkGame},
		{both, "clear", "clear_board begins anew", "GTP 2: clear_board", false, checker.checkClear},
		{both, "quit", "quit is answered and ends the process", "GTP 2: quit", false, checkQuit},
		{open, "undo", "undo takes back a move", "GTP 2: undo", true, checker.checkUndo},
		{
			both, "time", "time_settings and time_left are known", "GTP 2: time_settings", true,
			answered("time_settings 60 5 1", "time_left b 60 0"),
		},
		{both, "comments", "comments and empty lines are ignored", "GTP 2: preprocessing", true, checkComments},
		{
			both, "showboard", "showboard is known", "GTP 2: showboard", true,
			func(_ checker, p *probe) error { _, err := p.ok("showboard"); return err },
		},
	} {
		if f.Hidden && l.games == open || !f.Hidden && l.games == hidden {
			continue
		}
		out = append(out, protocol.Check{
			ID: l.id, Requirement: l.text, Source: l.source, Advice: l.advice, Needed: l.id == "genmove",
			Run: func(_ context.Context, p *protocol.Probe) error {
				list := dialects()
				if err := p.Config.CheckDialects("gtp", list); err != nil {
					return err
				}
				c := c
				c.style, c.swapped = styleOf(p.Config.Switch(list, "turn")), c.form.swapped(p.Config.Switch(list, "first"))
				c.form = c.form.joined(p.Config.Switch(list, "join"))
				var err error
				if c.names, err = c.form.lettering(c.size, c.size, p.Config.Switch(list, "letters"), p.Config.Switch(list, "rows")); err != nil {
					return err
				}
				return l.run(c, &probe{Probe: p})
			},
		})
	}
	return out
}

// checker knows the game that an engine is checked on, and how it is written.
type checker struct {
	form    Form
	size    int
	names   grid.Names
	style   style
	swapped bool
}

// probe is a conversation with one engine.
type probe struct {
	*protocol.Probe
	awake bool // it has answered once
}

// ask sends a command and waits for the line that begins its reply.
func (p *probe) ask(command string) (Reply, error) {
	if err := p.Send("\n", command); err != nil {
		return Reply{}, err
	}
	return p.reply(command)
}

func (p *probe) reply(command string) (Reply, error) {
	within := p.Patience
	switch {
	case strings.HasPrefix(command, "genmove"):
		within = p.Thought()
	case !p.awake:
		within = p.Ready()
	}
	var got Reply
	_, err := p.Receive(within, "reply to "+command, func(line string) bool {
		r, ok := ParseReply([]byte(line))
		got = r
		return ok
	})
	p.awake = p.awake || err == nil
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

// answered expects of each command that it is known.
func answered(commands ...string) func(checker, *probe) error {
	return func(_ checker, p *probe) error {
		for _, command := range commands {
			protocol.Got(p.ok(command))
		}
		return nil
	}
}

func (c checker) checkList(p *probe) error {
	r := protocol.Got(p.ok("list_commands"))
	more := protocol.Got(p.Quiet(500 * time.Millisecond))
	text := "\n" + r.Text + "\n" + strings.Join(more, "\n") + "\n"
	need := []string{"genmove", "play", "clear_board", "quit"}
	if c.form.Hidden {
		need = append([]string{"genmove", "clear_board", "quit"}, phantomCommands...)
	}
	for _, name := range need {
		if !strings.Contains(text, "\n"+name+"\n") {
			return fmt.Errorf("%s is not in the list", name)
		}
	}
	return nil
}

func checkKnown(_ checker, p *probe) error {
	protocol.Must(p.exactly("known_command genmove", "true"))
	return p.exactly("known_command kibitzcheck", "false")
}

func checkUnknown(_ checker, p *probe) error {
	r, err := p.ask("kibitzcheck")
	if err == nil && r.OK {
		return fmt.Errorf("an unknown command was accepted")
	}
	return err
}

func checkIDs(_ checker, p *probe) error {
	r := protocol.Got(p.ask("17 name"))
	if !r.HasID || r.ID != 17 {
		return fmt.Errorf("the reply to command 17 does not begin with =17")
	}
	if r = protocol.Got(p.ask("name")); r.HasID && r.ID == 17 {
		return fmt.Errorf("the reply to a command without a number carries one")
	}
	return nil
}

func checkComments(_ checker, p *probe) error {
	protocol.Must(p.Send("\n", "", "# a comment", "   ", "name # another"))
	r, err := p.reply("name")
	if err == nil && !r.OK {
		return fmt.Errorf("answered by ? %s", r.Text)
	}
	return err
}

func checkQuit(_ checker, p *probe) error {
	// Until it has answered once it may still be starting.
	protocol.Got(p.ask("protocol_version"))
	protocol.Must(p.Send("\n", "quit"))
	return p.Ends(2 * time.Second)
}
