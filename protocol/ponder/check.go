package ponder

import (
	"context"
	"fmt"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/grid"
	"kibitz/protocol"
)

// checks returns what an engine can be tested for.
func checks(old bool) []protocol.Check {
	list := []struct {
		id, text, source string
		advice           bool
		run              func(*probe) error
	}{
		{"start", "/start and /turn are acknowledged", "manual 8.5: init_board, get_turn", false, func(p *probe) error { return p.begin(true) }},
		{"first", "the first player asks for a flip", "manual 8.5: send", false, (*probe).first},
		{"second", "the second player waits for the first ply and then asks for one", "manual 8.5: recv", false, checkSecond},
		{"round", "after its own ply and the opponent's the engine asks again", "manual 8.5: recv", false, checkRound},
		{"resume", "from a board in the middle of a game a possible ply is asked for", "manual 8.5: init_board", false, checkResume},
		{"last", "after the last ply nothing is asked any more", "manual 8.5: isLast", true, checkLast},
		{"exit", "/exit ends the process within two seconds", "client library: /exit", true, checkExit},
	}
	out := make([]protocol.Check, 0, len(list))
	for _, l := range list {
		if old && (l.id == "last" || l.id == "exit") {
			continue // the old version has neither
		}
		out = append(out, protocol.Check{ID: l.id, Requirement: l.text, Source: l.source, Advice: l.advice, Needed: l.id == "start" || l.id == "first", Run: func(_ context.Context, p *protocol.Probe) error {
			return l.run(&probe{p, old})
		}})
	}
	return out
}

// probe is a conversation with one engine.
type probe struct {
	*protocol.Probe
	old bool
}

func (p *probe) acknowledge(word, message string) error {
	if err := p.Send("\n", message); err != nil {
		return err
	}
	_, err := p.Receive(p.Ready(), word, func(line string) bool { return line == word })
	return err
}

// begin starts a fresh game in which the engine is first or second.
func (p *probe) begin(first bool) error {
	s := start{board: initial(), ms: 10_000}
	if err := p.acknowledge("/start", string(appendStart(nil, &s, p.old))); err != nil {
		return err
	}
	turn := "/turn 0 2"
	if first {
		turn = "/turn 1 2"
	}
	return p.acknowledge("/turn", turn)
}

// ask waits for the engine to ask for a ply.
func (p *probe) ask() (game.Move, error) {
	line, err := p.Receive(p.Thought(), "/move or /flip", func(line string) bool {
		return strings.HasPrefix(line, "/move") || strings.HasPrefix(line, "/flip")
	})
	if err != nil {
		return game.Move{}, err
	}
	m, _, err := parseRequest(line, p.old)
	return m, err
}

// tell says that a ply was played.
func (p *probe) tell(last bool, ply ...game.Move) error {
	return p.Send("\n", string(appendPly(nil, ply, 9000, last, p.old)))
}

func (p *probe) first() error {
	if err := p.begin(true); err != nil {
		return err
	}
	m, err := p.ask()
	if err == nil && m.Op != game.Flip {
		err = fmt.Errorf("%s is no flip, and nothing else is possible", written(m))
	}
	return err
}

func flipped(i int, letter byte) []game.Move {
	return []game.Move{game.FlipAt(at(i)), game.DealAt(at(i), strings.IndexByte(game.DarkChessPieces, letter))}
}

func checkSecond(p *probe) error {
	if err := p.begin(false); err != nil {
		return err
	}
	early, err := p.Quiet(300 * time.Millisecond)
	if err != nil {
		return err
	}
	if len(early) > 0 {
		return fmt.Errorf("%q came before the first ply", early[0])
	}
	if err := p.tell(false, flipped(0, 'K')...); err != nil {
		return err
	}
	m, err := p.ask()
	if err == nil && (m.Op != game.Flip || m.To == at(0)) {
		err = fmt.Errorf("%s is not possible: black has no piece face up and a1 is turned over", written(m))
	}
	return err
}

// round plays the engine's first ply and the opponent's.
func (p *probe) round(last bool) error {
	if err := p.begin(true); err != nil {
		return err
	}
	m, err := p.ask()
	if err != nil {
		return err
	}
	if m.Op != game.Flip {
		return fmt.Errorf("%s is no flip", written(m))
	}
	i := number(m.To)
	if err := p.tell(false, flipped(i, 'P')...); err != nil {
		return err
	}
	return p.tell(last, flipped((i+squares/2)%squares, 'p')...)
}

func checkRound(p *probe) error {
	if err := p.round(false); err != nil {
		return err
	}
	_, err := p.ask()
	return err
}

// checkResume has red on turn with a rook on a1, a black pawn on b1 and nothing
// else: it takes it or goes up.
func checkResume(p *probe) error {
	s := start{ms: 10_000}
	for i := range s.board.cell {
		s.board.cell[i] = empty
	}
	s.board.cell[0], s.board.cell[1], s.board.cell[31] = 'R', 'p', 'p'
	s.board.alive[3], s.board.alive[13] = 1, 2
	s.history = [][]game.Move{flipped(0, 'R'), flipped(1, 'p')}
	if err := p.acknowledge("/start", string(appendStart(nil, &s, p.old))); err != nil {
		return err
	}
	if err := p.acknowledge("/turn", "/turn 1 0"); err != nil {
		return err
	}
	m, err := p.ask()
	if err == nil && m != game.ShiftTo(at(0), at(1)) && m != game.ShiftTo(at(0), at(4)) && m.Op != game.Resign {
		turned := grid.Turned(grid.DarkWidth, grid.DarkHeight, false, m, func(m game.Move) bool {
			return m == game.ShiftTo(at(0), at(1)) || m == game.ShiftTo(at(0), at(4))
		})
		if turned != "" {
			turned = "; with " + turned + " it would be"
		}
		err = fmt.Errorf("%s is not possible: red has a rook on a1 and may take on b1 or go to a2%s", written(m), turned)
	}
	return err
}

func checkLast(p *probe) error {
	if err := p.round(true); err != nil {
		return protocol.Untested(err)
	}
	more, err := p.Quiet(time.Second)
	if err == nil && len(more) > 0 {
		return fmt.Errorf("%q came after the end of the game", more[0])
	}
	return nil // leaving is as good
}

func checkExit(p *probe) error {
	if err := p.begin(false); err != nil {
		return protocol.Untested(err)
	}
	if err := p.Send("\n", "/exit"); err != nil {
		return err
	}
	return p.Ends(2 * time.Second)
}

// written is a ply as the protocol writes it.
func written(m game.Move) string {
	b, err := appendRequest(nil, m, false)
	if err != nil {
		return m.String()
	}
	return string(b)
}
