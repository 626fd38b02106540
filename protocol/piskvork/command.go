package piskvork

import (
	"strconv"

	"kibitz/game"
)

// Verb is the word of a manager's command.
type Verb uint8

// The commands of a manager. StoneLine is a line "x,y,f" or "x,y" between a
// multi-line command and Done.
const (
	NoVerb Verb = iota
	Start
	RectStart
	Restart
	Begin
	Turn
	Board
	Swap2Board
	Done
	StoneLine
	Info
	Takeback
	Play
	About
	End
	YxBoard
	YxStop
	YxNBest
	YxShowForbid
	YxHashClear
	YxShowInfo
	YxHashLoad
	YxHashDump
	YxShowHashUsage
)

var verbs = [...]string{
	Start: "START", RectStart: "RECTSTART", Restart: "RESTART", Begin: "BEGIN", Turn: "TURN", Board: "BOARD",
	Swap2Board: "SWAP2BOARD", Done: "DONE", Info: "INFO", Takeback: "TAKEBACK", Play: "PLAY", About: "ABOUT",
	End: "END", YxBoard: "YXBOARD", YxStop: "YXSTOP", YxNBest: "YXNBEST", YxShowForbid: "YXSHOWFORBID",
	YxHashClear: "YXHASHCLEAR", YxShowInfo: "YXSHOWINFO",
	YxHashLoad: "YXHASHLOAD", YxHashDump: "YXHASHDUMP", YxShowHashUsage: "YXSHOWHASHUSAGE",
}

// String returns the word of the command, "x,y" for a stone line, empty for none.
func (v Verb) String() string {
	if v == StoneLine {
		return "x,y"
	}
	if int(v) < len(verbs) {
		return verbs[v]
	}
	return ""
}

// The owners of a stone line: the receiving brain, its opponent, nobody any more.
const (
	OwnStone   = 1
	TheirStone = 2
	DeadStone  = 3
)

// Command is one line of a manager.
type Command struct {
	Verb Verb
	// Bad tells that the word is known but what follows it is not understood.
	Bad bool
	// At is the point of Turn, Takeback, Play and StoneLine.
	At game.Point
	// Field is the third number of a stone line, 0 if there is none.
	Field int
	// N is the number after Start and YxNBest; W and H those after RectStart,
	// and both that number after Start. A Start with two numbers (Yixin-Board
	// sends "start W H") fills W and H.
	N, W, H int
	// Key and Value are those of Info; Word is the first word of a line that is
	// no command. They share the memory of the line.
	Key, Value, Word []byte
}

// ParseCommand decodes a manager's line without its end, in any case, with blanks
// around numbers. It does not allocate.
func ParseCommand(line []byte) Command {
	line = trim(line)
	if len(line) == 0 {
		return Command{}
	}
	if isDigit(line[0]) || line[0] == '-' {
		return parseStone(line)
	}
	word, rest := cutWord(line)
	c := Command{Word: word}
	if word == nil {
		c.Word = line
		return c
	}
	for v, name := range verbs {
		if name != "" && equalFold(word, name) {
			c.Verb = Verb(v)
		}
	}
	if c.Verb == NoVerb && equalFold(word, "STOP") {
		c.Verb = YxStop
	}
	c.parseArgs(rest)
	return c
}

func (c *Command) parseArgs(rest []byte) {
	var ok bool
	switch c.Verb {
	case Start:
		c.N, rest, ok = parseInt(rest)
		c.W, c.H, c.Bad = c.N, c.N, !ok
		if h, _, two := parseInt(skipBlanks(rest)); two && ok {
			c.H = h
		}
	case RectStart:
		c.parseRect(rest)
	case Turn, Takeback, Play:
		c.At, _, ok = parsePoint(rest)
		c.Bad = !ok
	case YxNBest:
		c.N, _, ok = parseInt(rest)
		c.Bad = !ok || c.N < 1
	case Info:
		c.Key, c.Value = rest, nil
		for i, b := range rest {
			if isBlank(b) {
				c.Key, c.Value = rest[:i], skipBlanks(rest[i:])
				break
			}
		}
		c.Bad = len(c.Key) == 0
	}
}

func (c *Command) parseRect(rest []byte) {
	w, rest, ok := parseInt(rest)
	rest = skipBlanks(rest)
	if !ok || len(rest) == 0 {
		c.Bad = true
		return
	}
	if rest[0] == ',' {
		rest = skipBlanks(rest[1:])
	}
	h, _, ok := parseInt(rest)
	c.W, c.H, c.Bad = w, h, !ok
}

func parseStone(line []byte) Command {
	c := Command{Verb: StoneLine, Word: line}
	p, rest, ok := parsePoint(line)
	if !ok {
		c.Bad = true
		return c
	}
	c.At = p
	rest = skipBlanks(rest)
	if len(rest) == 0 {
		return c
	}
	if rest[0] != ',' {
		c.Bad = true
		return c
	}
	if c.Field, rest, ok = parseInt(skipBlanks(rest[1:])); !ok || len(rest) > 0 {
		c.Bad = true
	}
	return c
}

const eol = "\r\n"

// AppendVerb appends a command without arguments, with its line end.
func AppendVerb(dst []byte, v Verb) []byte {
	dst = append(dst, v.String()...)
	return append(dst, eol...)
}

// AppendAt appends a command with a point, with its line end.
func AppendAt(dst []byte, v Verb, p game.Point) []byte {
	dst = append(dst, v.String()...)
	dst = append(dst, ' ')
	dst = AppendPoint(dst, p)
	return append(dst, eol...)
}

// AppendNumber appends a command with a number, with its line end.
func AppendNumber(dst []byte, v Verb, n int) []byte {
	dst = append(dst, v.String()...)
	dst = append(dst, ' ')
	dst = strconv.AppendInt(dst, int64(n), 10)
	return append(dst, eol...)
}

// AppendStart appends START for a square board and RECTSTART for another.
func AppendStart(dst []byte, width, height int) []byte {
	if width == height {
		return AppendNumber(dst, Start, width)
	}
	dst = append(dst, "RECTSTART "...)
	dst = strconv.AppendInt(dst, int64(width), 10)
	dst = append(dst, ',')
	dst = strconv.AppendInt(dst, int64(height), 10)
	return append(dst, eol...)
}

// AppendStone appends a stone line; field 0 writes the two-number form.
func AppendStone(dst []byte, p game.Point, field int) []byte {
	dst = AppendPoint(dst, p)
	if field > 0 {
		dst = append(dst, ',')
		dst = strconv.AppendInt(dst, int64(field), 10)
	}
	return append(dst, eol...)
}

// AppendInfo appends "INFO key value" with its line end.
func AppendInfo(dst []byte, key, value string) []byte {
	dst = append(dst, "INFO "...)
	dst = append(dst, key...)
	dst = append(dst, ' ')
	dst = append(dst, value...)
	return append(dst, eol...)
}

// AppendInfoInt appends "INFO key n" with its line end.
func AppendInfoInt(dst []byte, key string, n int64) []byte {
	dst = append(dst, "INFO "...)
	dst = append(dst, key...)
	dst = append(dst, ' ')
	dst = strconv.AppendInt(dst, n, 10)
	return append(dst, eol...)
}
