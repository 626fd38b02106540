package gtp

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"kibitz/game"
	"kibitz/record"
)

// Console reads games out of what passed between a controller and engines.
func (l Forms) Console() record.Console {
	return record.Console{Protocol: "GTP", Games: l.games(), Hear: l.hear}
}

// overheard are the commands of a conversation that wait for their replies.
type overheard struct {
	*record.Hearing
	form Form
	wait []string
	// letters is "all" where somebody says i.
	letters string
	// from is the mark of the controller's lines, engine that of replies; 0 as long as it is not known.
	from, engine byte
}

func (l Forms) hear(h *record.Hearing, lines []record.Said) {
	form, err := l.of(h.Spec.ID())
	if err != nil {
		return
	}
	o := overheard{Hearing: h, form: form}
	for _, s := range lines {
		if sayI().MatchString(s.Text) {
			o.letters = "all"
		}
		if _, ok := ParseReply([]byte(s.Text)); ok && o.engine == 0 && !strings.HasPrefix(s.Text, "==") {
			o.engine = s.Mark
		}
	}
	for _, s := range lines {
		if reply, ok := ParseReply([]byte(s.Text)); ok && !strings.HasPrefix(s.Text, "==") {
			o.reply(s, &reply)
		} else if c, ok := ParseCommand(s.Text); ok && (o.from == 0 || s.Mark == o.from) &&
			(o.engine == 0 || s.Mark != o.engine) { // which lists commands too
			o.command(s, &c)
		}
	}
}

// sayI finds a point of column i, which the protocol leaves out and some engines do not.
var sayI = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:play \S+|=\d*) .*\bi\d`) })

// command is what was asked: every command waits for a reply.
func (o *overheard) command(s record.Said, c *Command) {
	switch c.Name {
	case "boardsize":
		n, err := strconv.Atoi(strings.Join(c.Args, ""))
		if err != nil {
			return
		}
		o.Size(n)
	case "clear_board":
		o.Begin()
	case "genmove":
		if len(c.Args) != 1 {
			return
		} else if _, err := colourOf(c.Args[0]); err != nil {
			return
		}
	case "play":
		if len(c.Args) < 2 {
			return
		} else if _, err := colourOf(c.Args[0]); err != nil {
			return
		}
		o.turn(s.Line, strings.Join(c.Args[1:], " "))
	case "undo":
		o.Back()
	case "name", "version", "protocol_version", "known_command", "list_commands", "komi", "time_settings", "time_left", "set_game",
		"list_games", "showboard", "final_score", "reg_genmove", "quit":
		o.wait = append(o.wait, c.Name)
		return
	default:
		if s.Mark != 0 { // a command, whatever it is
			o.wait = append(o.wait, c.Name)
		}
		return
	}
	o.Known++
	o.from, o.wait = s.Mark, append(o.wait, c.Name)
}

// reply answers the oldest command.
func (o *overheard) reply(s record.Said, r *Reply) {
	if len(o.wait) == 0 || o.from != 0 && s.Mark == o.from {
		return
	}
	name := o.wait[0]
	o.wait = o.wait[1:]
	switch {
	case name == "play" && !r.OK && len(o.wait) == 0:
		o.Back() // the engine did not take it
	case name == "genmove" && r.OK && !strings.EqualFold(r.Text, "resign"):
		o.turn(s.Line, r.Text)
	}
}

// turn is a turn as text. In a form of several decisions it may be the rest of one.
func (o *overheard) turn(line int, text string) {
	names, err := o.form.lettering(o.Width, o.Height, o.letters, "")
	if err != nil {
		o.Fail(line, "%v", err)
		return
	}
	var begun []game.Move
	if g := o.Games; len(g) > 0 && len(g[len(g)-1].Steps) > 0 {
		steps := g[len(g)-1].Steps
		begun = []game.Move{steps[len(steps)-1].Move}
	}
	steps, err := o.form.Turn.read(nil, names, []byte(text), begun)
	if err != nil {
		o.Fail(line, "%v", err)
		return
	}
	o.Turn(line, steps...)
}
