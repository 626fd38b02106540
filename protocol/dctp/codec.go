package dctp

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
)

// Number is the fixed number of a command. Engines index a table with it, so that
// numbers that do not exist must never be sent.
type Number uint8

// The commands.
const (
	ProtocolVersion Number = iota
	Name
	Version
	KnownCommand
	ListCommands
	Quit
	BoardSize
	ResetBoard
	NumRepetition
	NumMovesToDraw
	Move
	Flip
	GenMove
	GameOver
	Ready
	TimeSettings
	TimeLeft
	ShowBoard
	InitBoard // of a course variant, undocumented; never sent
)

var words = [...]string{
	"protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "reset_board",
	"num_repetition", "num_moves_to_draw", "move", "flip", "genmove", "game_over", "ready", "time_settings", "time_left",
	"showboard", "init_board",
}

// String returns the word of the command.
func (n Number) String() string {
	if int(n) < len(words) {
		return words[n]
	}
	return "command " + strconv.Itoa(int(n))
}

// AppendRequest appends a request with its line end.
func AppendRequest(dst []byte, n Number, args ...string) []byte {
	dst = strconv.AppendUint(dst, uint64(n), 10)
	dst = append(append(dst, ' '), n.String()...)
	for _, a := range args {
		dst = append(append(dst, ' '), a...)
	}
	return append(dst, '\n')
}

// Request is what a client asks of an engine.
type Request struct {
	Number Number
	Word   string
	Args   []string
}

// ParseRequest reads a request. The word is not looked at: clients have spelled
// it differently, engines go by the number.
func ParseRequest(line string) (Request, error) {
	f := strings.Fields(line)
	if len(f) == 0 {
		return Request{}, fmt.Errorf("an empty line is no request: it begins with the number of a command")
	}
	n, err := strconv.ParseUint(f[0], 10, 8)
	if err != nil || int(n) >= len(words) {
		return Request{}, fmt.Errorf("%q is no number of a command: they run from 0 to %d", f[0], len(words)-1)
	}
	r := Request{Number: Number(n)}
	if len(f) > 1 {
		r.Word, r.Args = f[1], f[2:]
	}
	return r, nil
}

// AppendReply appends a reply with its line end.
func AppendReply(dst []byte, n Number, ok bool, text string) []byte {
	mark := byte('=')
	if !ok {
		mark = '?'
	}
	dst = strconv.AppendUint(append(dst, mark), uint64(n), 10)
	if text != "" {
		dst = append(append(dst, ' '), text...)
	}
	return append(dst, '\n')
}

// splitReply takes a line apart that begins with = or ?, a number, and a blank or
// the end. Everything else is chatter.
func splitReply(line []byte) (ok bool, number int, text []byte, is bool) {
	if len(line) < 2 || line[0] != '=' && line[0] != '?' {
		return false, 0, nil, false
	}
	i := 1
	for ; i < len(line) && i < 4 && line[i] >= '0' && line[i] <= '9'; i++ {
		number = number*10 + int(line[i]-'0')
	}
	if i == 1 || i < len(line) && line[i] != ' ' && line[i] != '\t' {
		return false, 0, nil, false
	}
	return line[0] == '=', number, trim(line[i:]), true
}

// trim takes blanks off both ends.
func trim(b []byte) []byte {
	return bytes.TrimRight(bytes.TrimLeft(b, " \t"), " \t\x00")
}

// ReadPly reads the text of a genmove: "c5 c6" or "c5-c6" for a move, both squares
// equal for a flip, "a0 a0" for the resignation. Case and what follows the second
// square do not matter.
func ReadPly(text []byte) (game.Move, error) {
	from, rest, ok := grid.ReadDarkSquare(text)
	if ok {
		for len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '-' || rest[0] == ',') {
			rest = rest[1:]
		}
	}
	to, rest, ok2 := grid.ReadDarkSquare(rest)
	if !ok || !ok2 || len(rest) > 0 && rest[0] > ' ' {
		return game.Move{}, fmt.Errorf("%q is not two squares such as c5 c6", text)
	}
	if from == grid.DarkResign && to == grid.DarkResign {
		return game.ResignMove(), nil
	}
	for _, p := range [2]game.Point{from, to} {
		if !p.On(grid.DarkWidth, grid.DarkHeight) {
			return game.Move{}, fmt.Errorf("%q names a square beyond a to d and 1 to 8", text)
		}
	}
	if from == to {
		return game.FlipAt(from), nil
	}
	return game.ShiftTo(from, to), nil
}

// AppendPly appends a ply as genmove answers it.
func AppendPly(dst []byte, m game.Move) ([]byte, error) {
	switch m.Op {
	case game.Shift:
		return grid.AppendDarkSquare(append(grid.AppendDarkSquare(dst, m.From), ' '), m.To), nil
	case game.Flip:
		return grid.AppendDarkSquare(append(grid.AppendDarkSquare(dst, m.To), ' '), m.To), nil
	case game.Resign:
		return append(dst, "a0 a0"...), nil
	}
	return dst, fmt.Errorf("DCTP has no words for %s", m)
}

// colourWord is how the protocol writes a colour.
func colourWord(c game.Colour) string { return c.String() }

// pieceOf returns the number of the piece that a letter stands for.
func pieceOf(text string) (int, error) {
	if len(text) == 1 {
		if i, is := grid.DarkPiece(text[0]); is {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%q is no piece: they are %s", text, game.DarkChessPieces)
}
