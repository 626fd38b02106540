package nboard

import (
	"bytes"
	"strconv"
	"time"

	"kibitz/game"
	"kibitz/record/ggf"
)

// ReplyKind is the kind of a line that an engine sends.
type ReplyKind uint8

// The kinds of reply.
const (
	// Ignored is a line without meaning: a banner, a board, debug text.
	Ignored ReplyKind = iota
	// Malformed begins with a known keyword and cannot be read.
	Malformed
	// Pong acknowledges ping N.
	Pong
	// Chosen answers go: Answer.
	Chosen
	// Search and Book evaluate one first move: PV and more.
	Search
	Book
	// NodeStats tells N positions in Time.
	NodeStats
	// Status sets the status line to Text, empty clears it.
	Status
	// MyName names the engine: Text.
	MyName
	// Analysis evaluates the position after N moves: Eval.
	Analysis
	// Learned ends learn.
	Learned
)

// Reply is one line of an engine. Its byte slices share the memory of the line.
type Reply struct {
	Kind ReplyKind
	// N is the number of a pong, of positions, or of moves made.
	N      int64
	Answer Answer
	Time   time.Duration
	Eval   game.Eval
	// First is the move that Search and Book evaluate, PV the token that begins
	// with it.
	First game.Move
	PV    []byte
	// Games is the number of games behind a book line.
	Games int64
	// Text is free text: of a status, a name, behind a search line.
	Text  []byte
	depth depth
}

// ParseReply reads a line of an engine. It never fails: what has no meaning is
// Ignored.
func ParseReply(line []byte) Reply {
	line = bytes.TrimSpace(line)
	if len(line) >= 3 && line[0] == '=' && line[1] == '=' && line[2] == '=' {
		if len(line) > 3 && line[3] == '=' { // a ruler
			return Reply{}
		}
		return Reply{Kind: Chosen, Answer: parseAnswer(line[3:]), Text: bytes.TrimSpace(line[3:])}
	}
	key, rest := word(line)
	switch string(key) {
	case "pong":
		return parsePong(rest)
	case "search":
		return parseSearch(Search, rest)
	case "book":
		return parseSearch(Book, rest)
	case "nodestats":
		return parseNodeStats(rest)
	case "status":
		return Reply{Kind: Status, Text: rest}
	case "set":
		if sub, name := word(rest); string(sub) == "myname" {
			return Reply{Kind: MyName, Text: name}
		}
	case "analysis":
		return parseAnalysis(rest)
	case "learned", "learn":
		if len(rest) == 0 {
			return Reply{Kind: Learned}
		}
	}
	return Reply{}
}

func parsePong(rest []byte) Reply {
	tok, _ := word(rest)
	n, ok := parseInt(tok)
	if !ok {
		return Reply{Kind: Malformed}
	}
	return Reply{Kind: Pong, N: n}
}

// parseSearch reads "PV eval number depth [text]".
func parseSearch(k ReplyKind, rest []byte) Reply {
	r := Reply{Kind: k}
	pv, rest := word(rest)
	if len(pv) < 2 {
		return Reply{Kind: Malformed}
	}
	var ok bool
	switch {
	case onBoard(pv[0], pv[1]):
		r.First = square(pv[0], pv[1])
	case ggf.IsPass(string(pv[:2])):
		r.First = game.PassMove()
	default:
		return Reply{Kind: Malformed}
	}
	r.PV = pv
	tok, rest := word(rest)
	if r.Eval, ok = ggf.ParseEval(string(tok)); !ok {
		return Reply{Kind: Malformed}
	}
	tok, rest = word(rest)
	if r.Games, ok = parseInt(tok); !ok {
		return Reply{Kind: Malformed}
	}
	tok, rest = word(rest)
	if r.depth, ok = parseDepth(tok); !ok {
		return Reply{Kind: Malformed}
	}
	r.Text = rest
	return r
}

func parseNodeStats(rest []byte) Reply {
	r := Reply{Kind: NodeStats}
	tok, rest := word(rest)
	var ok bool
	if r.N, ok = parseInt(tok); !ok || r.N < 0 {
		return Reply{Kind: Malformed}
	}
	tok, _ = word(rest)
	r.Time, _ = ggf.ParseSeconds(string(tok))
	return r
}

func parseAnalysis(rest []byte) Reply {
	r := Reply{Kind: Analysis}
	tok, rest := word(rest)
	var ok bool
	if r.N, ok = parseInt(tok); !ok || r.N < 0 || r.N > 1000 {
		return Reply{Kind: Malformed}
	}
	tok, _ = word(rest)
	if r.Eval, ok = ggf.ParseEval(string(tok)); !ok {
		return Reply{Kind: Malformed}
	}
	return r
}

// Info returns what a Search or Book line says. It allocates the variation.
func (r *Reply) Info() game.Info {
	in := game.Info{
		Eval: r.Eval, Depth: r.depth.plies, Bound: r.depth.bound, Confidence: r.depth.confidence,
		PV: ParsePV(nil, r.PV), Text: text(r.PV),
	}
	if len(r.Text) > 0 {
		in.Text += " " + text(r.Text)
	}
	if r.Kind == Book {
		in.Book, in.Games = true, r.Games
	}
	return in
}

// AppendPong appends the acknowledgement of a ping.
func AppendPong(dst []byte, n int64) []byte {
	return append(strconv.AppendInt(append(dst, "pong "...), n, 10), '\n')
}

// AppendChosen appends the answer to go.
func AppendChosen(dst []byte, a *Answer) []byte {
	return append(AppendAnswer(append(dst, "=== "...), a), '\n')
}

// AppendInfo appends a search or, if in.Book, a book line. Its variation must
// have a move.
func AppendInfo(dst []byte, in *game.Info) []byte {
	if in.Book {
		dst = append(dst, "book "...)
	} else {
		dst = append(dst, "search "...)
	}
	dst = append(AppendPV(dst, in.PV), ' ')
	dst = append(appendEval(dst, in.Eval), ' ')
	if in.Book {
		dst = strconv.AppendInt(dst, max(0, in.Games), 10)
	} else {
		dst = append(dst, '0')
	}
	return append(appendDepth(append(dst, ' '), in), '\n')
}

// AppendNodeStats appends how many positions were searched in what time.
func AppendNodeStats(dst []byte, nodes int64, d time.Duration) []byte {
	dst = strconv.AppendInt(append(dst, "nodestats "...), nodes, 10)
	dst = strconv.AppendFloat(append(dst, ' '), max(0, d).Seconds(), 'f', 2, 64)
	return append(dst, '\n')
}

// AppendStatus appends a status line; empty text clears it.
func AppendStatus(dst []byte, s string) []byte {
	dst = append(dst, "status"...)
	if s != "" {
		dst = append(append(dst, ' '), oneLine(s)...)
	}
	return append(dst, '\n')
}

// AppendMyName appends the engine's name.
func AppendMyName(dst []byte, name string) []byte {
	return append(append(append(dst, "set myname "...), oneLine(name)...), '\n')
}

// AppendAnalysis appends the evaluation of the position after so many moves.
func AppendAnalysis(dst []byte, moves int, e game.Eval) []byte {
	dst = strconv.AppendInt(append(dst, "analysis "...), int64(moves), 10)
	dst = append(dst, ' ')
	if e.Known() && e.Lo != e.Hi { // the line has room for one number
		m := e.Mid()
		e.Lo, e.Hi = m, m
	}
	return append(appendEval(dst, e), '\n')
}

// AppendLearned appends the answer to learn.
func AppendLearned(dst []byte) []byte { return append(dst, "learned\n"...) }

func oneLine(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c == '\n' || c == '\r' {
			b[i] = ' '
		}
	}
	return string(b)
}
