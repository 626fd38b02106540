package dctp

import (
	"fmt"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// Checks returns what an engine can be tested for. Requirements come from the
// manual of the client and what its servers send, advice from what makes an
// engine easy to live with.
func Checks(board player.Position) []protocol.Check {
	return protocol.Table([]protocol.Row[*probe]{
		{"reset", "reset_board, time_settings and ready are answered", "manual 8.4: start of a game", false, (*probe).begin},
		{"flip", "the first genmove is a flip", "manual 8.4: genmove", false, checkFirst},
		{"reply", "a genmove in the middle of a game is a ply that is possible", "manual 8.4: genmove", false, checkReply},
		{"echo", "genmove changes nothing: asked twice, both answers are possible", "manual 8.4: genmove", false, checkTwice},
		{"capture", "captures and moves of both sides are followed", "manual 8.4: move", false, checkFollow},
		{"again", "reset_board begins anew", "manual 8.4: reset_board", false, checkAgain},
		{"over", "game_over is answered and another game follows", "manual 8.4: game_over", false, checkOver},
		{"quit", "quit ends the process within two seconds", "manual 8.4: quit", false, checkQuit},
		{"version", "protocol_version, name and version are answered", "manual 8.4: name", true, checkHello},
		{"settings", "boardsize, num_repetition and num_moves_to_draw are answered", "manual 8.4: num_repetition", true, checkSettings},
		{
			"number", "a command is known by its number, whatever its word: 7 resetboard is 7 reset_board",
			"clients differ in their words", true, checkNumber,
		},
		{"quiet", "a reply is one line and nothing else is printed to standard output", "clean output", true, checkQuiet},
	}, func(p *protocol.Probe) *probe { return &probe{p, board} }, "reset", "flip")
}

// probe is a conversation with one engine about the game on a board.
type probe struct {
	*protocol.Probe
	board player.Position
}

// ask sends a request and waits for its reply.
func (p *probe) ask(n Number, args ...string) (string, error) {
	request := strings.TrimSuffix(string(AppendRequest(nil, n, args...)), "\n")
	if err := p.Send("\n", request); err != nil {
		return "", err
	}
	return p.reply(n, request)
}

func (p *probe) reply(n Number, request string) (string, error) {
	var text string
	var ok bool
	within := p.Patience
	switch n {
	case ProtocolVersion, ResetBoard, Ready: // the first that it hears, or a load of tables
		within = p.Ready()
	case GenMove:
		within = p.Thought()
	}
	_, err := p.Receive(within, "reply to "+request, func(line string) bool {
		good, number, b, is := splitReply([]byte(line))
		if is && number == int(n) {
			ok, text = good, string(b)
			return true
		}
		return false
	})
	if err == nil && !ok {
		err = fmt.Errorf("%s was answered by ?%d %s", request, n, text)
	}
	return text, err
}

// begin starts a game, which may be the second of the process.
func (p *probe) begin() error {
	if err := p.board.Reset(p.board.Spec(), ""); err != nil {
		return err
	}
	for _, r := range []struct {
		n    Number
		args []string
	}{{ResetBoard, nil}, {TimeSettings, []string{"10000"}}, {Ready, nil}} {
		if _, err := p.ask(r.n, r.args...); err != nil {
			return err
		}
	}
	return nil
}

// genmove asks for a ply and wants it to be possible.
func (p *probe) genmove() error {
	text, err := p.ask(GenMove, colourWord(p.board.Colours()[p.board.Turn().Seat]))
	if err != nil {
		return err
	}
	m, err := ReadPly([]byte(text))
	if err != nil {
		return err
	}
	if err := protocol.Try(p.board, false, m); err != nil {
		return fmt.Errorf("%s is not possible: %w", written(m), err)
	}
	return nil
}

func checkFirst(p *probe) error {
	protocol.Must(p.begin())
	return p.genmove()
}

// checkTwice asks for the same ply twice. Who has played its first answer on its own
// board cannot find another in this position.
func checkTwice(p *probe) error {
	protocol.Before(checkReply, p)
	if err := p.genmove(); err != nil {
		return fmt.Errorf("genmove, asked again in the same position: %w: "+
			"genmove must not change the board; the ply is told by move or flip", err)
	}
	return nil
}

// played are plies of both sides, as the game writes them. They leave red with a pawn on
// b5, which can go to b4 only, or flips, and a black guard beside it on c5.
var played = [][]string{{"b4-b4", "b4(P)"}, {"b5-b5", "b5(p)"}, {"b4-b5"}, {"c5-c5", "c5(g)"}}

// tell plays plies of both sides and tells them.
func (p *probe) tell(plies [][]string, timed bool) error {
	for _, ply := range plies {
		by := p.board.Turn().Seat
		n, args := Move, []string(nil)
		for _, text := range ply {
			m, err := p.board.ParseMove(text)
			if err != nil {
				return err
			}
			if err := protocol.Play(p.board, m); err != nil {
				return err
			}
			switch m.Op {
			case game.Shift:
				args = []string{square(m.From), square(m.To)}
			case game.Flip:
				n, args = Flip, []string{square(m.To)}
			default:
				args = append(args, game.DarkChessPieces[m.Arg:m.Arg+1])
			}
		}
		if _, err := p.ask(n, args...); err != nil {
			return err
		}
		if !timed {
			continue
		}
		if _, err := p.ask(TimeLeft, colourWord(p.board.Colours()[by]), "9000"); err != nil {
			return err
		}
	}
	return nil
}

// checkReply asks red for a ply.
func checkReply(p *probe) error {
	protocol.Must(p.begin())
	protocol.Must(p.tell(played, true))
	return p.genmove()
}

// written is a ply as the protocol writes it.
func written(m game.Move) string {
	b, err := AppendPly(nil, m)
	if err != nil {
		return m.String()
	}
	if m.Op == game.Flip {
		return fmt.Sprintf("the flip %q", b)
	}
	return fmt.Sprintf("%q", b)
}

// checkFollow goes on after a capture and takes with the guard.
func checkFollow(p *probe) error {
	protocol.Must(p.begin())
	protocol.Must(p.tell(played, true))
	protocol.Must(p.tell([][]string{{"b5-b4"}, {"c5-b5"}, {"a1-a1", "a1(K)"}}, false))
	return p.genmove()
}

func checkNumber(p *probe) error {
	protocol.Must(p.Send("\n", "7 resetboard"))
	_, err := p.reply(ResetBoard, "7 resetboard")
	return err
}

func checkAgain(p *probe) error {
	protocol.Before(checkReply, p)
	return checkFirst(p)
}

func checkOver(p *probe) error {
	protocol.Before(checkReply, p)
	protocol.Got(p.ask(GameOver, "red"))
	return checkFirst(p)
}

func checkQuit(p *probe) error {
	protocol.Must(protocol.Untested(p.begin()))
	protocol.Must(p.Send("\n", "5 quit"))
	return p.Ends(2 * time.Second)
}

func checkHello(p *probe) error {
	for n := ProtocolVersion; n <= Version; n++ {
		if text, err := p.ask(n); err != nil {
			return err
		} else if text == "" {
			return fmt.Errorf("%s was answered by nothing", n)
		}
	}
	return nil
}

func checkSettings(p *probe) error {
	_, err := p.ask(ResetBoard)
	protocol.Must(protocol.Untested(err))
	for _, r := range []struct {
		n    Number
		args []string
	}{{BoardSize, []string{"8", "4"}}, {NumRepetition, []string{"3"}}, {NumMovesToDraw, []string{"180"}}} {
		protocol.Got(p.ask(r.n, r.args...))
	}
	return nil
}

func checkQuiet(p *probe) error {
	protocol.Must(p.Send("\n", "7 reset_board"))
	line, err := p.Receive(p.Ready(), "reply to 7 reset_board", func(string) bool { return true })
	if err != nil {
		return protocol.Untested(err)
	}
	if _, n, _, is := splitReply([]byte(line)); !is || n != int(ResetBoard) {
		return fmt.Errorf("%q came before the reply", line)
	}
	more, err := p.Quiet(300 * time.Millisecond)
	if err == nil && len(more) > 0 {
		err = fmt.Errorf("%q came after the reply", more[0])
	}
	return err
}
