package gtp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/link"
	"kibitz/protocol"
)

// engine is the side that answers a manager: the conversation. What the commands are
// about is the running game, and in games with hidden stones the phantom.
type engine struct {
	s       protocol.Server
	game    runningGame
	phantom phantom
	table   []command
	quit    bool
	out     []byte
}

// Serve answers a manager with the server's player. It returns nil when the
// manager quits, closes the connection or ctx ends.
func (l Forms) Serve(ctx context.Context, conn link.Conn, s protocol.Server) error {
	c := protocol.Config{Dialect: maps.Clone(s.Dialect)}
	maps.DeleteFunc(c.Dialect, func(_, v string) bool { return v == "" })
	if err := c.CheckDialects("gtp", dialects()); err != nil {
		return err
	}
	e := &engine{s: s}
	e.game = runningGame{forms: l, s: &e.s, session: s.Session(), dialect: s.Dialect, spec: s.Game, style: styleOf(s.Dialect["turn"])}
	e.phantom.g = &e.game
	if err := e.setGame(s.Game); err != nil {
		return err
	}
	e.table = e.commands()
	defer e.game.session.Finish()
	defer e.phantom.end()
	for line, err := range protocol.Lines(ctx, conn) {
		if err != nil {
			return fmt.Errorf("gtp: %w", err)
		}
		c, ok := ParseCommand(line)
		if !ok {
			continue
		}
		text, failed := e.answer(ctx, c)
		r := Reply{OK: failed == nil, ID: c.ID, HasID: c.HasID, Text: text}
		if failed != nil {
			r.Text = failed.Error()
			e.s.Logf("%s: %v", c, failed)
		}
		e.out = AppendReply(e.out[:0], r)
		if conn.Write(e.out) != nil || e.quit {
			return nil // a manager that is gone wants no answer
		}
	}
	return nil
}

type handler func(ctx context.Context, args []string) (string, error)

// command is a row of the table of commands.
type command struct {
	name string
	args int // how many there must be at least
	run  handler
}

// commands lists what the engine side understands, in the order of list_commands.
// Of a game with hidden stones it knows less than the commands of a board assume.
func (e *engine) commands() []command {
	g, p := &e.game, &e.phantom
	title, genmove, showboard := constant(g.form.Names[0]), g.generator(true), g.showboard
	if g.form.Hidden {
		genmove, showboard = p.genmove, p.showboard
	}
	list := []command{
		{"protocol_version", 0, constant("2")},
		{"name", 0, constant(e.s.Name)},
		{"version", 0, constant(e.s.Version)},
		{"known_command", 1, e.knownCommand},
		{"list_commands", 0, e.listCommands},
		{"quit", 0, func(context.Context, []string) (string, error) { e.quit = true; return "", nil }},
		{"boardsize", 1, e.boardsize},
		{"rectangular_boardsize", 2, e.boardsize},
		{"clear_board", 0, func(context.Context, []string) (string, error) { return "", e.setGame(g.spec) }},
		{"komi", 1, e.komi},
		{"genmove", 1, genmove},
		{"showboard", 0, showboard},
		{"time_settings", 3, g.timed(parseSettings)},
		{"kgs-time_settings", 1, g.timed(parseKGS)},
		{"time_left", 3, g.timeLeft},
		{"set_game", 1, e.chooseGame},
		{"list_games", 0, title},
	}
	if g.form.Hidden {
		list = append(list, []command{
			{phantomSeat, 1, p.begin},
			{phantomAccepted, 2, p.accepted},
			{phantomRefused, 2, p.refused},
			{phantomMoved, 1, p.moved},
			{phantomPassed, 1, p.passed},
		}...)
	} else {
		list = append(list, []command{
			{"play", 2, g.play},
			{"reg_genmove", 1, g.generator(false)},
			{"undo", 0, g.undo},
			{"list_stones", 1, g.listStones},
			{"final_score", 0, g.finalScore},
			{"gogui-rules_game_id", 0, title},
			{"gogui-rules_board_size", 0, g.rulesSize},
			{"gogui-rules_board", 0, g.rulesBoard},
			{"gogui-rules_side_to_move", 0, g.rulesSide},
			{"gogui-rules_legal_moves", 0, g.rulesLegal},
			{"gogui-rules_final_result", 0, g.finalScore},
		}...)
	}
	if e.s.CPUTime != nil {
		list = append(list, command{"cputime", 0, func(context.Context, []string) (string, error) {
			return strconv.FormatFloat(e.s.CPUTime().Seconds(), 'f', 3, 64), nil
		}})
	}
	if e.s.ReadFile != nil && !g.form.Hidden {
		list = append(list, command{"loadsgf", 1, g.loadSGF})
	}
	return list
}

func constant(text string) handler {
	return func(context.Context, []string) (string, error) { return text, nil }
}

func (e *engine) answer(ctx context.Context, c Command) (string, error) {
	i := slices.IndexFunc(e.table, func(r command) bool { return r.name == c.Name })
	if i < 0 {
		return "", errors.New("unknown command")
	}
	if len(c.Args) < e.table[i].args {
		return "", errSyntax
	}
	return e.table[i].run(ctx, c.Args)
}

func (e *engine) knownCommand(_ context.Context, args []string) (string, error) {
	return strconv.FormatBool(slices.ContainsFunc(e.table, func(r command) bool { return r.name == args[0] })), nil
}

func (e *engine) listCommands(context.Context, []string) (string, error) {
	var b strings.Builder
	for _, r := range e.table {
		b.WriteString(r.name + "\n")
	}
	return b.String(), nil
}

// setGame starts a game of the specification.
func (e *engine) setGame(spec game.Spec) error {
	e.phantom.end()
	return e.game.setGame(spec)
}

// boardsize chooses the size; one number is a square.
func (e *engine) boardsize(_ context.Context, args []string) (string, error) {
	w, err := strconv.Atoi(args[0])
	h := w
	if err == nil && len(args) > 1 {
		h, err = strconv.Atoi(args[1])
	}
	if err != nil {
		return "", errSyntax
	}
	if haveW, haveH := e.s.Position.Size(); w == haveW && h == haveH {
		return "", e.setGame(e.game.spec)
	}
	old := e.game.spec
	if err := e.setGame(withSize(old, w, h)); err == nil {
		if haveW, haveH := e.s.Position.Size(); haveW == w && haveH == h {
			return "", nil
		}
	}
	if err := e.setGame(old); err != nil {
		return "", err
	}
	return "", errors.New("unacceptable size")
}

// komi is accepted and has no meaning but for games that have one.
func (e *engine) komi(_ context.Context, args []string) (string, error) {
	if _, err := strconv.ParseFloat(args[0], 64); err != nil {
		return "", errSyntax
	}
	if !e.game.form.Komi || e.phantom.begun {
		return "", nil
	}
	old := e.game.spec
	if err := e.setGame(with(old, "komi="+args[0], "komi")); err != nil {
		return "", errors.Join(errors.New("unacceptable komi"), e.setGame(old))
	}
	return "", nil
}

// chooseGame accepts the name of the game that is served; the engine is started for
// one game.
func (e *engine) chooseGame(_ context.Context, args []string) (string, error) {
	name := strings.Join(args, " ")
	if !slices.ContainsFunc(e.game.form.Names, func(n string) bool { return strings.EqualFold(n, name) }) {
		return "", errors.New("game not supported")
	}
	return "", e.setGame(e.game.spec)
}
