package nboard

import (
	"bytes"
	"strconv"
)

// CommandKind is the kind of a line that a manager sends.
type CommandKind uint8

// The kinds of command.
const (
	// UnknownCommand is to be passed over.
	UnknownCommand CommandKind = iota
	// BadCommand has a known keyword and cannot be read.
	BadCommand
	// Hello is "nboard N".
	Hello
	// SetDepth and SetContempt carry N, SetGame a GGF text.
	SetDepth
	SetContempt
	SetGame
	// Move plays Answer.Move, Bare without the word (version 1).
	Move
	// Hint asks for the best N moves.
	Hint
	Go
	// Ping is number N.
	Ping
	Learn
	Analyze
	Quit
)

// Command is one line of a manager. Text shares the memory of the line.
type Command struct {
	Kind   CommandKind
	N      int64
	Answer Answer
	Bare   bool
	Text   []byte
}

// ParseCommand reads a line of a manager.
func ParseCommand(line []byte) Command {
	line = bytes.TrimSpace(line)
	key, rest := word(line)
	switch string(key) {
	case "nboard":
		return numbered(Hello, rest)
	case "set":
		return parseSet(rest)
	case "move":
		return parsePlayed(rest, false)
	case "hint":
		if len(rest) == 0 {
			return Command{Kind: Hint, N: 1}
		}
		return numbered(Hint, rest)
	case "go":
		return Command{Kind: Go}
	case "ping":
		return numbered(Ping, rest)
	case "learn":
		return Command{Kind: Learn}
	case "analyze", "analyse":
		return Command{Kind: Analyze}
	case "quit":
		return Command{Kind: Quit}
	}
	if f, _ := field(line); len(f) >= 2 {
		if _, ok := parseMove(f); ok && len(f) <= 4 {
			return parsePlayed(line, true)
		}
	}
	return Command{Text: line}
}

func numbered(k CommandKind, rest []byte) Command {
	tok, _ := word(rest)
	n, ok := parseInt(tok)
	if !ok {
		return Command{Kind: BadCommand, Text: rest}
	}
	return Command{Kind: k, N: n}
}

func parseSet(rest []byte) Command {
	sub, arg := word(rest)
	switch string(sub) {
	case "depth":
		return numbered(SetDepth, arg)
	case "contempt":
		return numbered(SetContempt, arg)
	case "game":
		return Command{Kind: SetGame, Text: arg}
	}
	return Command{Text: rest}
}

func parsePlayed(rest []byte, bare bool) Command {
	c := Command{Kind: Move, Answer: parseAnswer(rest), Bare: bare, Text: rest}
	if !c.Answer.Valid {
		c.Kind = BadCommand
	}
	return c
}

// AppendNumbered appends a command that is a word and a number.
func AppendNumbered(dst []byte, words string, n int64) []byte {
	dst = append(append(dst, words...), ' ')
	return append(strconv.AppendInt(dst, n, 10), '\n')
}

// AppendHello appends the greeting with the version of the protocol, 1 or 2.
func AppendHello(dst []byte, version int) []byte {
	return AppendNumbered(dst, "nboard", int64(version))
}

// AppendPing appends a ping.
func AppendPing(dst []byte, n int64) []byte { return AppendNumbered(dst, "ping", n) }

// AppendSetDepth appends the depth.
func AppendSetDepth(dst []byte, plies int) []byte {
	return AppendNumbered(dst, "set depth", int64(plies))
}

// AppendSetContempt appends the value of a book draw from Black's view.
func AppendSetContempt(dst []byte, n int) []byte {
	return AppendNumbered(dst, "set contempt", int64(n))
}

// AppendSet appends a setting of the engine's own.
func AppendSet(dst []byte, key, value string) []byte {
	dst = append(append(append(dst, "set "...), oneLine(key)...), ' ')
	return append(append(dst, oneLine(value)...), '\n')
}

// AppendMove appends a played move, bare in version 1 of the protocol, where
// evaluation and time have no place.
func AppendMove(dst []byte, version int, a *Answer) []byte {
	if version == 1 {
		return append(AppendAnswer(dst, &Answer{Move: a.Move}), '\n')
	}
	return append(AppendAnswer(append(dst, "move "...), a), '\n')
}

// AppendHint appends the request to evaluate the best n moves.
func AppendHint(dst []byte, n int) []byte { return AppendNumbered(dst, "hint", int64(n)) }
