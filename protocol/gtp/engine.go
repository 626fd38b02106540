package gtp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// engine is the side that answers a manager.
type engine struct {
	forms   Forms
	conn    link.Conn
	s       protocol.Server
	session player.Session
	form    Form
	points  grid.Names
	spec    game.Spec
	clocks  [2]clock.Control
	letters string
	rows    string
	join    string
	first   string
	swapped bool // the colours of the game are exchanged
	style   style
	turn    turnBooks
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
	e := &engine{
		forms: l, conn: conn, s: s, spec: s.Game, letters: s.Dialect["letters"], rows: s.Dialect["rows"], join: s.Dialect["join"],
		first: s.Dialect["first"], style: styleOf(s.Dialect["turn"]),
	}
	e.session = s.Session()
	if err := e.setGame(s.Game); err != nil {
		return err
	}
	e.table = commands(e.form.Hidden)
	if s.CPUTime != nil {
		e.table = append(e.table, command{"cputime", 0, (*engine).cpuTime})
	}
	if s.ReadFile != nil && !e.form.Hidden {
		e.table = append(e.table, command{"loadsgf", 1, (*engine).loadSGF})
	}
	defer e.session.Finish()
	defer e.endPhantom()
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

// handler answers one command.
type handler func(e *engine, ctx context.Context, args []string) (string, error)

// command is a row of the table of commands.
type command struct {
	name string
	args int // how many there must be at least
	run  handler
}

// commands lists what the engine side understands, in the order of list_commands.
// Of a game with hidden stones it knows less than the commands of a board assume.
func commands(hidden bool) []command {
	list := []command{
		{"protocol_version", 0, constant("2")},
		{"name", 0, func(e *engine, _ context.Context, _ []string) (string, error) { return e.s.Name, nil }},
		{"version", 0, func(e *engine, _ context.Context, _ []string) (string, error) { return e.s.Version, nil }},
		{"known_command", 1, (*engine).knownCommand},
		{"list_commands", 0, (*engine).listCommands},
		{"quit", 0, func(e *engine, _ context.Context, _ []string) (string, error) { e.quit = true; return "", nil }},
		{"boardsize", 1, (*engine).boardsize},
		{"rectangular_boardsize", 2, (*engine).boardsize},
		{"clear_board", 0, (*engine).clearBoard},
		{"komi", 1, (*engine).komi},
		{"genmove", 1, (*engine).genmove},
		{"showboard", 0, (*engine).showboard},
		{"time_settings", 3, (*engine).timeSettings},
		{"kgs-time_settings", 1, (*engine).kgsTimeSettings},
		{"time_left", 3, (*engine).timeLeft},
		{"set_game", 1, (*engine).setGameCommand},
		{"list_games", 0, (*engine).listGames},
	}
	if hidden {
		return append(list,
			command{phantomSeat, 1, (*engine).phantomSeat},
			command{phantomAccepted, 2, (*engine).phantomAccepted},
			command{phantomRefused, 2, (*engine).phantomRefused},
			command{phantomMoved, 1, (*engine).phantomMoved},
			command{phantomPassed, 1, (*engine).phantomPassed},
		)
	}
	return append(list, []command{
		{"play", 2, (*engine).play},
		{"reg_genmove", 1, (*engine).regGenmove},
		{"undo", 0, (*engine).undo},
		{"list_stones", 1, (*engine).listStones},
		{"final_score", 0, (*engine).finalScore},
		{"gogui-rules_game_id", 0, func(e *engine, _ context.Context, _ []string) (string, error) { return e.form.Names[0], nil }},
		{"gogui-rules_board_size", 0, (*engine).rulesSize},
		{"gogui-rules_board", 0, (*engine).rulesBoard},
		{"gogui-rules_side_to_move", 0, (*engine).rulesSide},
		{"gogui-rules_legal_moves", 0, (*engine).rulesLegal},
		{"gogui-rules_final_result", 0, (*engine).finalScore},
	}...)
}

func constant(text string) handler {
	return func(*engine, context.Context, []string) (string, error) { return text, nil }
}

func (e *engine) answer(ctx context.Context, c Command) (string, error) {
	i := slices.IndexFunc(e.table, func(r command) bool { return r.name == c.Name })
	if i < 0 {
		return "", errors.New("unknown command")
	}
	if len(c.Args) < e.table[i].args {
		return "", errors.New("syntax error")
	}
	return e.table[i].run(e, ctx, c.Args)
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
	f, err := e.forms.of(spec.ID())
	if err != nil {
		return err
	}
	e.endPhantom()
	if err := e.session.NewGame(spec, ""); err != nil {
		return err
	}
	w, h := e.s.Position.Size()
	n, err := f.lettering(w, h, e.letters, e.rows)
	if err != nil {
		return err
	}
	e.form, e.points, e.spec = f.joined(e.join), n, spec
	e.swapped = f.swapped(e.first)
	e.turn = turnBooks{}
	e.resetClocks()
	return nil
}

func (e *engine) resetClocks() {
	for i, c := range e.clocks {
		e.session.Clocks[i] = clock.New(c)
	}
}

// boardsize chooses the size; one number is a square.
func (e *engine) boardsize(_ context.Context, args []string) (string, error) {
	w, err := strconv.Atoi(args[0])
	h := w
	if err == nil && len(args) > 1 {
		h, err = strconv.Atoi(args[1])
	}
	if err != nil {
		return "", errors.New("syntax error")
	}
	if haveW, haveH := e.s.Position.Size(); w == haveW && h == haveH {
		return "", e.setGame(e.spec)
	}
	old := e.spec
	spec := withSize(e.spec, w, h)
	if err := e.setGame(spec); err == nil {
		if haveW, haveH := e.s.Position.Size(); haveW == w && haveH == h {
			return "", nil
		}
	}
	if err := e.setGame(old); err != nil {
		return "", err
	}
	return "", errors.New("unacceptable size")
}

// withSize changes the size in a specification: size, or width and height.
func withSize(spec game.Spec, w, h int) game.Spec {
	if w == h {
		return with(spec, fmt.Sprintf("size=%d", w), "size", "width", "height")
	}
	return with(spec, fmt.Sprintf("width=%d,height=%d", w, h), "size", "width", "height")
}

// with writes an option into a specification in the place of those with the keys.
func with(spec game.Spec, option string, keys ...string) game.Spec {
	id, rest, _ := strings.Cut(string(spec), ":")
	var items []string
	for item := range strings.SplitSeq(rest, ",") {
		key, _, _ := strings.Cut(item, "=")
		if item != "" && !slices.Contains(keys, key) {
			items = append(items, item)
		}
	}
	return game.Spec(id + ":" + strings.Join(append(items, option), ","))
}

func (e *engine) clearBoard(context.Context, []string) (string, error) { return "", e.setGame(e.spec) }

// komi is accepted and has no meaning but for games that have one.
func (e *engine) komi(_ context.Context, args []string) (string, error) {
	if _, err := strconv.ParseFloat(args[0], 64); err != nil {
		return "", errors.New("syntax error")
	}
	if !e.form.Komi || e.phantom.begun {
		return "", nil
	}
	old := e.spec
	if err := e.setGame(with(e.spec, "komi="+args[0], "komi")); err != nil {
		return "", errors.Join(errors.New("unacceptable komi"), e.setGame(old))
	}
	return "", nil
}

// seat returns whose move a colour argument asks for.
func (e *engine) seat(text string) (game.Seat, error) {
	c, err := colourOf(text)
	if err != nil {
		return game.Nobody, errSyntax
	}
	for s := range game.Seat(2) {
		if e.colour(s) == c {
			return s, nil
		}
	}
	return game.Nobody, fmt.Errorf("nobody plays %s", c)
}

// colour returns what a seat plays with, as the commands call it.
func (e *engine) colour(s game.Seat) game.Colour {
	if !s.IsPlayer() {
		return game.NoColour
	}
	c := e.s.Position.Colours()[s]
	if e.swapped {
		c = other(c)
	}
	return c
}

func (e *engine) genmove(ctx context.Context, args []string) (string, error) {
	if e.form.Hidden {
		return e.attempt(ctx, args[0])
	}
	return e.generate(ctx, args[0], true)
}

func (e *engine) regGenmove(ctx context.Context, args []string) (string, error) {
	return e.generate(ctx, args[0], false)
}

// noDeadline: how long a manager waits beyond the clocks is not known here, and
// the clocks come in whole seconds: 0 left may be most of one.
var noDeadline time.Time

// spend runs the seat's clock; a manager that sends time_left corrects it.
func (e *engine) spend(seat game.Seat, used time.Duration) {
	k := e.session.Clocks[seat].Spend(used)
	k.Fallen = false // whether it fell is the manager's business
	e.session.Clocks[seat] = k
}

// endTurn ends the turn of the seat on its clock.
func (e *engine) endTurn(seat game.Seat) {
	e.session.Clocks[seat] = e.session.Clocks[seat].EndTurn()
}

func (e *engine) finalScore(context.Context, []string) (string, error) {
	r, over := e.s.Position.Result()
	if !over {
		return "", errors.New("cannot score")
	}
	w := r.Winner()
	if w == game.Nobody {
		return "0", nil
	}
	letter := "B"
	if e.colour(w) == game.White {
		letter = "W"
	}
	if !r.HasBoard {
		return letter + "+", nil
	}
	return letter + "+" + strconv.FormatFloat(r.Board[w]-r.Board[w.Other()], 'f', -1, 64), nil
}
