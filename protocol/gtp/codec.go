package gtp

import (
	"strconv"
	"strings"
)

// MaxLine is the longest command line that is read; what is beyond it is cut.
const MaxLine = 4096

// Command is one line from a manager.
type Command struct {
	ID    int
	HasID bool
	Name  string
	Args  []string
}

// ParseCommand reads a line: control characters are dropped, a tab is a blank, and
// a # begins a comment. It reports whether the line holds a command.
func ParseCommand(line string) (Command, bool) {
	if len(line) > MaxLine {
		line = line[:MaxLine]
	}
	if i := strings.IndexByte(line, '#'); i >= 0 {
		line = line[:i]
	}
	clean := make([]byte, 0, len(line)) // bytes: a line need not be UTF-8
	for i := range len(line) {
		switch b := line[i]; {
		case b == '\t':
			clean = append(clean, ' ')
		case b >= ' ' && b != 127:
			clean = append(clean, b)
		}
	}
	f := strings.Fields(string(clean))
	if len(f) == 0 {
		return Command{}, false
	}
	var c Command
	if id, err := strconv.ParseUint(f[0], 10, 31); err == nil {
		c.ID, c.HasID = int(id), true
		f = f[1:]
	}
	if len(f) == 0 {
		return Command{}, false
	}
	c.Name, c.Args = f[0], f[1:]
	return c, true
}

// String writes the command as a line without its end.
func (c Command) String() string {
	var b strings.Builder
	if c.HasID {
		b.WriteString(strconv.Itoa(c.ID) + " ")
	}
	b.WriteString(c.Name)
	for _, a := range c.Args {
		b.WriteString(" " + a)
	}
	return b.String()
}

// Reply is what an engine answers; Text may have several lines.
type Reply struct {
	OK    bool
	ID    int
	HasID bool
	Text  string
}

// ParseReply reads the first line of a reply. It reports whether the line is one:
// anything that does not start with = or ? is chatter, or belongs to the reply
// before it.
func ParseReply(line []byte) (Reply, bool) {
	ok, id, text, is := splitReply(line)
	if !is {
		return Reply{}, false
	}
	return Reply{OK: ok, ID: max(0, id), HasID: id >= 0, Text: string(text)}, true
}

// splitReply is ParseReply without a copy; id is -1 if there is none.
func splitReply(line []byte) (ok bool, id int, text []byte, is bool) {
	if len(line) == 0 || line[0] != '=' && line[0] != '?' {
		return false, -1, nil, false
	}
	ok, id, line = line[0] == '=', -1, line[1:]
	n := 0
	for n < len(line) && n < 9 && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	// "=5 f5" carries the number 5; so does "=5" alone, which no engine means as
	// an answer without the blank that belongs there.
	if n > 0 && (n == len(line) || line[n] == ' ' || line[n] == '\t') {
		id = 0
		for _, d := range line[:n] {
			id = id*10 + int(d-'0')
		}
		line = line[n:]
	}
	return ok, id, trim(line), true
}

func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] <= ' ') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] <= ' ') {
		b = b[:len(b)-1]
	}
	return b
}

// AppendReply writes a reply with the empty line that ends it. Empty lines within
// the text are left out, because they would end it early.
func AppendReply(dst []byte, r Reply) []byte {
	mark := byte('?')
	if r.OK {
		mark = '='
	}
	dst = append(dst, mark)
	if r.HasID {
		dst = strconv.AppendInt(dst, int64(r.ID), 10)
	}
	dst = append(dst, ' ')
	first := true
	for line := range strings.SplitSeq(r.Text, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if line == "" {
			continue
		}
		if !first {
			dst = append(dst, '\n')
		}
		dst, first = append(dst, line...), false
	}
	return append(dst, '\n', '\n')
}
