package paste

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kibitz/game"
	"kibitz/record"
	"kibitz/rules"
)

// surely is how many lines make a text a conversation for sure: nothing else is tried then.
const surely = 2

// The marks that logs write before a line: the time, who, the direction, the other's name. What an
// engine wrote to its standard error, or a log of its own, is none of the conversation.
var (
	marked = pattern(`^\s*(?:[\[(]?\d[\d:.,/T+-]*[\])]?\s+)*(?:[A-Za-z][\w.-]{0,39}\s+)?` +
		`(<<|>>|<-+|-+>|[<>])(?:([A-Za-z0-9])\s|[\w.-]+\(\d+\):)?\s*(.*)$`)
	noted = pattern(`^\s*(?:[\[(]?\d[\d:.,/T+-]*[\])]?\s+)*(?:[A-Za-z][\w.-]{0,39}\s+)?(?:!!|##|[!#|])[A-Za-z]?(?:\s|$)`)
	named = pattern(`^\s*[A-Za-z][\w.-]{0,30}:\s+(.*)$`)
	clock = pattern(`^\s*[\[(]?(\d+\.\d+)`)
)

// pattern is a regular expression that is compiled when it is first asked for.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// errput is the letter that some logs write beside the mark of a line on standard error.
const errput = "e"

// timed is a line with when it was said, -1 where the log does not tell.
type timed struct {
	record.Said
	at float64
}

// conversations are the lines of a text without their marks: those of each engine where the log has
// them one after the other, and then those of all in the order of time.
func conversations(data []byte) (out [][]record.Said) {
	var all, one []timed
	var plain []record.Said
	part := func() {
		if len(one) > 0 {
			out = append(out, untimed(one))
			all, one = append(all, one...), nil
		}
	}
	marks := 0
	for i, text := range strings.Split(string(data), "\n") {
		text = strings.TrimRight(text, "\r")
		switch f := marked().FindStringSubmatch(text); {
		case strings.HasPrefix(text, "== "):
			part()
		case f != nil && f[2] != errput:
			marks++
			x := timed{record.Said{Line: i + 1, Mark: f[1][0], Text: f[3]}, -1}
			if f[1][0] == '-' {
				x.Mark = '>'
			}
			if c := clock().FindStringSubmatch(text); c != nil {
				x.at, _ = strconv.ParseFloat(c[1], 64) // it has digits and a point
			}
			one = append(one, x)
		case f != nil || noted().MatchString(text):
		default:
			if f := named().FindStringSubmatch(text); f != nil {
				text = f[1]
			}
			plain = append(plain, record.Said{Line: i + 1, Text: text})
		}
	}
	part()
	if marks < surely {
		return [][]record.Said{plain}
	}
	if len(out) > 1 {
		slices.SortStableFunc(all, func(a, b timed) int { return cmp.Compare(a.at, b.at) })
		out = append(out, untimed(all))
	}
	return out
}

func untimed(list []timed) []record.Said {
	out := make([]record.Said, len(list))
	for i := range list {
		out[i] = list[i].Said
	}
	return out
}

// heard is what came of listening to a conversation.
type heard struct {
	games []*record.Game
	legal int
	known int
	err   error
}

// better tells that more was understood.
func (h *heard) better(o *heard) bool {
	if (h.err == nil) != (o.err == nil) {
		return h.err == nil
	}
	return h.legal > o.legal
}

// listen hears the conversations of a text as those of one game, and keeps what makes most sense.
func (r *Reader) listen(c *record.Console, texts [][]record.Said, own rules.Rules) (best heard) {
	view := own.New().View(game.Public)
	known := 0
	for i, lines := range texts {
		for _, echoes := range []bool{false, true} {
			h := &record.Hearing{Spec: own.Spec(), Width: view.Width, Height: view.Height, Echoes: echoes}
			c.Hear(h, lines)
			x := heard{err: h.Err}
			for _, g := range h.Games {
				if len(g.Steps) > 0 {
					x.games = append(x.games, g)
				}
			}
			legal, bad := r.legal(x.games)
			if x.legal = legal; bad != nil {
				x.err = bad // it comes before what cannot be read
			}
			if len(x.games) == 0 && x.err == nil {
				x.err = errors.New("nobody makes a move in it")
			}
			if known = max(known, h.Known); i == 0 && !echoes || x.better(&best) {
				best = x
			}
		}
	}
	best.known = known
	return best
}

// consoles are the tries of a text in which engines are spoken with; sure tells that it is nothing
// else.
func (r *Reader) consoles(data []byte, spec game.Spec) (out []try, sure bool) {
	texts := conversations(data)
	type candidate struct {
		try
		known int
	}
	var list []candidate
	consoles := append([]record.Console{boards()}, r.Consoles...)
	for i := range consoles {
		c := &consoles[i]
		for _, g := range r.games(spec) {
			if !slices.Contains(c.Games, g.ID()) {
				continue
			}
			own, err := r.Formats.Open(g)
			if err != nil {
				continue
			}
			h := r.listen(c, texts, own)
			if h.known == 0 {
				continue
			}
			read := func() ([]*record.Game, error) { return h.games, h.err }
			list = append(list, candidate{try{"a console of " + c.Protocol, read, true, true}, h.known})
			sure = sure || h.known >= surely
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.known, a.known) })
	for _, c := range list {
		out = append(out, c.try)
	}
	return out, sure
}
