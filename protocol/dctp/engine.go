package dctp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

// version is what protocol_version is answered with.
const version = "1.0.0"

// engine is the side that answers a client.
type engine struct {
	s       protocol.Server
	session player.Session
	spec    game.Spec
	main    time.Duration
	quit    bool
	out     []byte
}

// Serve answers a client with the server's player. It returns nil when the client
// quits, closes the connection or ctx ends.
func Serve(ctx context.Context, conn link.Conn, s protocol.Server) error {
	e := &engine{s: s, spec: s.Game}
	e.session = s.Session()
	if err := e.reset(); err != nil {
		return err
	}
	defer e.session.Finish()
	for line, err := range protocol.Lines(ctx, conn) {
		if err != nil {
			return fmt.Errorf("dctp: %w", err)
		}
		r, err := ParseRequest(line)
		if err != nil {
			e.s.Logf("%v", err)
			continue // there is no number to answer with
		}
		text, err := e.answer(ctx, r)
		if err != nil {
			e.s.Logf("%s: %v", line, err)
			text = err.Error()
		}
		e.out = AppendReply(e.out[:0], r.Number, err == nil, text)
		if conn.Write(e.out) != nil || e.quit {
			return nil // a client that is gone wants no answer
		}
	}
	return nil
}

// row is a command as the engine side knows it: how many arguments it needs and
// what it does.
type row struct {
	args int
	run  func(e *engine, ctx context.Context, args []string) (string, error)
}

// commands are the rows by number. init_board is documented nowhere.
var commands = [...]row{
	ProtocolVersion: {0, func(*engine, context.Context, []string) (string, error) { return version, nil }},
	Name:            {0, func(e *engine, _ context.Context, _ []string) (string, error) { return e.s.Name, nil }},
	Version:         {0, func(e *engine, _ context.Context, _ []string) (string, error) { return e.s.Version, nil }},
	KnownCommand:    {1, (*engine).knownCommand},
	ListCommands:    {0, (*engine).listCommands},
	Quit:            {0, func(e *engine, _ context.Context, _ []string) (string, error) { e.quit = true; return "", nil }},
	BoardSize:       {2, (*engine).boardSize},
	ResetBoard:      {0, func(e *engine, _ context.Context, _ []string) (string, error) { return "", e.reset() }},
	NumRepetition:   {1, setting("repetition")},
	NumMovesToDraw:  {1, setting("noeat")},
	Move:            {2, (*engine).move},
	Flip:            {2, (*engine).flip},
	GenMove:         {1, (*engine).genmove},
	GameOver:        {1, (*engine).gameOver},
	Ready:           {0, func(*engine, context.Context, []string) (string, error) { return "", nil }},
	TimeSettings:    {1, (*engine).timeSettings},
	TimeLeft:        {2, (*engine).timeLeft},
	ShowBoard:       {0, (*engine).showBoard},
}

func (e *engine) answer(ctx context.Context, r Request) (string, error) {
	if int(r.Number) >= len(commands) || commands[r.Number].run == nil {
		return "", errors.New("unknown command")
	}
	c := commands[r.Number]
	if len(r.Args) < c.args {
		return "", fmt.Errorf("%s needs %d arguments", r.Number, c.args)
	}
	return c.run(e, ctx, r.Args)
}

// known are the words of the commands that the engine side answers.
func known() []string { return words[:len(words)-1] }

func (e *engine) knownCommand(_ context.Context, args []string) (string, error) {
	return strconv.FormatBool(slices.Contains(known(), args[0])), nil
}

func (e *engine) listCommands(context.Context, []string) (string, error) {
	return strings.Join(known(), "\n"), nil
}

func (e *engine) boardSize(_ context.Context, args []string) (string, error) {
	if args[0] != "8" || args[1] != "4" {
		return "", fmt.Errorf("the board has 8 rows and 4 columns, not %s and %s", args[0], args[1])
	}
	return "", nil
}

func (e *engine) reset() error {
	if err := e.session.NewGame(e.spec, ""); err != nil {
		return err
	}
	c := clock.Control{Main: e.main}
	e.session.Clocks = [2]clock.Clock{clock.New(c), clock.New(c)}
	return nil
}

// setting returns the handler that sets an option of the game. It holds for the
// running game if nothing was played, else from the next one on.
func setting(key string) func(*engine, context.Context, []string) (string, error) {
	return func(e *engine, _ context.Context, args []string) (string, error) {
		n, err := strconv.Atoi(args[len(args)-1])
		if err != nil || n < 0 {
			return "", fmt.Errorf("%q is no number", args[len(args)-1])
		}
		id, rest, _ := strings.Cut(string(e.spec), ":")
		var items []string
		for item := range strings.SplitSeq(rest, ",") {
			if name, _, _ := strings.Cut(item, "="); item != "" && name != key {
				items = append(items, item)
			}
		}
		items = append(items, key+"="+strconv.Itoa(n))
		old := e.spec
		e.spec = game.Spec(id + ":" + strings.Join(items, ","))
		if len(e.session.History()) > 0 {
			return "", nil
		}
		if err := e.reset(); err != nil {
			e.spec = old
			return "", errors.Join(err, e.reset())
		}
		return "", nil
	}
}

func (e *engine) timeSettings(_ context.Context, args []string) (string, error) {
	ms, err := milliseconds(args[0])
	if err != nil {
		return "", err
	}
	e.main = ms
	for s := range e.session.Clocks {
		e.session.Clocks[s] = clock.New(clock.Control{Main: ms})
	}
	return "", nil
}

func (e *engine) timeLeft(_ context.Context, args []string) (string, error) {
	ms, err := milliseconds(args[1])
	if err != nil {
		return "", err
	}
	seat, err := e.seatOf(args[0])
	if err != nil {
		return "", err
	}
	k := &e.session.Clocks[seat]
	if !k.Control.Timed() {
		*k = clock.New(clock.Control{Main: max(ms, time.Millisecond)})
	}
	k.Left, k.Used, k.Fallen = ms, 0, false
	return "", nil
}

func milliseconds(text string) (time.Duration, error) {
	ms, err := strconv.ParseInt(text, 10, 64)
	if err != nil || ms < 0 || ms > clock.Most.Milliseconds() {
		return 0, fmt.Errorf("%q is no time in milliseconds", text)
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// seatOf returns the seat that plays a colour. Before the first flip that is
// whoever is on turn.
func (e *engine) seatOf(word string) (game.Seat, error) {
	colours := e.s.Position.Colours()
	for s, c := range colours {
		if c != game.NoColour && strings.EqualFold(word, colourWord(c)) {
			return game.Seat(s), nil
		}
	}
	turn := e.s.Position.Turn().Seat
	if colours[0] == game.NoColour && turn.IsPlayer() {
		return turn, nil
	}
	return game.Nobody, fmt.Errorf("%q is neither red nor black", word)
}

// move plays a ply of either side: the engine's own come back too.
func (e *engine) move(_ context.Context, args []string) (string, error) {
	m, err := ReadPly([]byte(args[0] + " " + args[1]))
	if err != nil {
		return "", err
	}
	if m.Op != game.Shift {
		return "", fmt.Errorf("%s %s is no move", args[0], args[1])
	}
	return "", e.session.Play(m)
}

func (e *engine) flip(_ context.Context, args []string) (string, error) {
	p, rest, ok := grid.ReadDarkSquare([]byte(args[0]))
	if !ok || len(rest) > 0 || !p.On(grid.DarkWidth, grid.DarkHeight) {
		return "", fmt.Errorf("%q is no square", args[0])
	}
	piece, err := pieceOf(args[1])
	if err != nil {
		return "", err
	}
	return "", e.session.Play(game.FlipAt(p), game.DealAt(p, piece))
}

func (e *engine) genmove(ctx context.Context, args []string) (string, error) {
	turn := e.s.Position.Turn().Seat
	if !turn.IsPlayer() {
		return "", errors.New("the game is over")
	}
	c := e.s.Position.Colours()[turn]
	if !strings.EqualFold(args[0], colourWord(c)) && c != game.NoColour && !strings.EqualFold(args[0], "unknown") {
		return "", fmt.Errorf("%s is to move, not %s", c, args[0])
	}
	ans, err := e.session.Choose(ctx, time.Time{})
	if err != nil {
		e.session.Forget()
		return "", fmt.Errorf("no move: %w", err)
	}
	if len(ans.Steps) == 0 {
		return "", errors.New("no move")
	}
	text, err := AppendPly(nil, ans.Steps[0])
	return string(text), err
}

func (e *engine) gameOver(context.Context, []string) (string, error) {
	e.session.Finish()
	e.session.Forget()
	return "", nil
}

// showBoard draws the rows from the top.
func (e *engine) showBoard(context.Context, []string) (string, error) {
	v := e.s.Position.View(game.Public)
	var b strings.Builder
	for y := range v.Height {
		if y > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strconv.Itoa(v.Height - y))
		for x := range v.Width {
			c := cmp.Or(v.At(game.Pt(x, y)).Piece, '-')
			b.WriteByte(' ')
			b.WriteByte(c)
		}
	}
	b.WriteString("\n  a b c d")
	return b.String(), nil
}
