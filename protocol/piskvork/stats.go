package piskvork

import (
	"time"

	"kibitz/game"
)

// Stats is what a remark of a brain says about its search. Zero values mean that
// nothing was said.
type Stats struct {
	Eval            game.Eval
	Depth, SelDepth int
	Nodes, Speed    int64 // positions, positions per second
	Time            time.Duration
	PV              []game.Move
}

type statKey uint8

const (
	noStat statKey = iota
	statEval
	statDepth
	statNodes
	statSpeed
	statTime
)

var statWords = []struct {
	word string
	key  statKey
}{
	{"EV", statEval},
	{"EVAL", statEval},
	{"VAL", statEval},
	{"DEPTH", statDepth},
	{"DEP", statDepth},
	{"NODE", statNodes},
	{"NODES", statNodes},
	{"ND", statNodes},
	{"SPEED", statSpeed},
	{"SP", statSpeed},
	{"NPS", statSpeed},
	{"TIME", statTime},
	{"TM", statTime},
}

// Scan reads the text of a MESSAGE or DEBUG line and fills in what it finds; it
// reports whether it found anything. It knows the words ev, eval, val, dep,
// depth, nd, node, nodes, sp, speed, nps, tm, time, each followed by a number
// with an optional "=" or ":"; k, M and G after counts; ms and s after times;
// mates as +Mn or -Mn; and "Bestline" with points such as J8 (letter and row from
// the top, I included) or [9,7]. Thoughts in the opponent's time ("[Pondering]")
// are passed over.
func (s *Stats) Scan(text []byte) bool {
	text = trim(text)
	if hasPrefixFold(text, "[PONDERING]") {
		return false
	}
	if hasPrefixFold(text, "BESTLINE") {
		return s.scanLine(text[len("BESTLINE"):])
	}
	found := false
	for i := 0; i < len(text); {
		if !isLetter(text[i]) {
			i++
			continue
		}
		j := i
		for j < len(text) && (isLetter(text[j]) || isDigit(text[j]) || text[j] == '_') {
			j++
		}
		if key := statOf(text[i:j]); key != noStat {
			n, ok := s.value(key, text[j:])
			found = found || ok
			j += n
		}
		i = j
	}
	return found
}

func statOf(word []byte) statKey {
	for _, w := range statWords {
		if equalFold(word, w.word) {
			return w.key
		}
	}
	return noStat
}

func hasPrefixFold(s []byte, upper string) bool {
	return len(s) >= len(upper) && equalFold(s[:len(upper)], upper)
}

// value reads the number after a key and returns how many bytes it took.
func (s *Stats) value(key statKey, text []byte) (int, bool) {
	rest := skipBlanks(text)
	if len(rest) > 0 && (rest[0] == '=' || rest[0] == ':') {
		rest = skipBlanks(rest[1:])
	}
	if key == statEval {
		e, after, ok := ParseEval(rest)
		if ok {
			s.Eval = e
		}
		return len(text) - len(after), ok
	}
	n, after, ok := parseCount(rest)
	if !ok || n < 0 {
		return 0, false
	}
	switch key {
	case statDepth:
		s.Depth, s.SelDepth = int(n), 0
		if len(after) > 1 && after[0] == '-' {
			if sel, more, ok := parseInt(after[1:]); ok && sel >= 0 {
				s.SelDepth, after = sel, more
			}
		}
	case statNodes:
		s.Nodes = n
	case statSpeed:
		s.Speed = n
	case statTime:
		s.Time = timeUnit(n, after)
	}
	return len(text) - len(after), true
}

// timeUnit reads a count of milliseconds, or of seconds if the unit says so.
func timeUnit(n int64, unit []byte) time.Duration {
	n = min(n, intCap/1000)
	if len(unit) > 0 && unit[0]|0x20 == 's' {
		return time.Duration(n) * time.Second
	}
	return time.Duration(n) * time.Millisecond
}

// ParseEval reads an evaluation: a number of the engine's points, or a mate +Mn,
// -Mn, Mn. It returns what follows.
func ParseEval(s []byte) (e game.Eval, rest []byte, ok bool) {
	neg, t := false, s
	if len(t) > 0 && (t[0] == '+' || t[0] == '-') {
		neg, t = t[0] == '-', t[1:]
	}
	e.Unit = game.Points
	if len(t) > 1 && t[0]|0x20 == 'm' && isDigit(t[1]) {
		e.Unit, t = game.MateIn, t[1:]
	}
	if len(t) == 0 || !isDigit(t[0]) {
		return game.Eval{}, s, false
	}
	n, t, _ := parseInt(t)
	v := float64(n)
	if e.Unit == game.Points && len(t) > 1 && t[0] == '.' && isDigit(t[1]) {
		unit := 0.1
		for t = t[1:]; len(t) > 0 && isDigit(t[0]); t = t[1:] {
			v += unit * float64(t[0]-'0')
			unit /= 10
		}
	}
	if neg {
		v = -v
	}
	e.Lo, e.Hi = v, v
	return e, t, true
}

// parseCount reads a number with an optional fraction and suffix k, M or G.
func parseCount(s []byte) (n int64, rest []byte, ok bool) {
	i, rest, ok := parseInt(s)
	if !ok {
		return 0, s, false
	}
	v, frac, digits := int64(i), int64(0), int64(1)
	if len(rest) > 1 && rest[0] == '.' && isDigit(rest[1]) {
		for rest = rest[1:]; len(rest) > 0 && isDigit(rest[0]); rest = rest[1:] {
			if digits < 1e9 {
				frac, digits = frac*10+int64(rest[0]-'0'), digits*10
			}
		}
	}
	unit := int64(1)
	if len(rest) > 0 && (len(rest) == 1 || !isLetter(rest[1])) {
		switch rest[0] {
		case 'k', 'K':
			unit = 1e3
		case 'm', 'M':
			unit = 1e6
		case 'g', 'G':
			unit = 1e9
		}
		if unit > 1 {
			rest = rest[1:]
		}
	}
	v = min(v, intCap)
	if unit == 1e9 {
		v = min(v, 1e9)
	}
	return min(v*unit+frac*(unit/1e3)*1000/digits, 1<<62), rest, true
}

// scanLine reads the points of a principal variation.
func (s *Stats) scanLine(text []byte) bool {
	s.PV = s.PV[:0:0]
	for {
		for len(text) > 0 && !isLetter(text[0]) && !isDigit(text[0]) {
			text = text[1:]
		}
		if len(text) == 0 {
			return len(s.PV) > 0
		}
		p, rest, ok := pvPoint(text)
		if !ok || len(s.PV) >= 512 {
			return len(s.PV) > 0
		}
		s.PV = append(s.PV, game.PlaceAt(p))
		text = rest
	}
}

// pvPoint reads "J8" or "9,7".
func pvPoint(s []byte) (game.Point, []byte, bool) {
	if isDigit(s[0]) {
		return parsePoint(s)
	}
	n, rest, ok := parseInt(s[1:])
	if !ok || n < 1 || s[1] == '+' {
		return game.Point{}, s, false
	}
	return game.Point{X: int8(s[0]|0x20) - 'a', Y: clampCoord(n - 1)}, rest, true
}

// Fill copies into info what was said.
func (s *Stats) Fill(info *game.Info) {
	if s.Eval.Known() {
		info.Eval = s.Eval
	}
	if s.Depth > 0 {
		info.Depth, info.SelDepth = s.Depth, s.SelDepth
	}
	if s.Nodes > 0 {
		info.Nodes = s.Nodes
	}
	if s.Time > 0 {
		info.Time = s.Time
	}
	if len(s.PV) > 0 {
		info.PV = s.PV
	}
}

// Detail collects the INFO lines of the Yixin dialect, one block for each
// variation and iteration, from "INFO PV i" to "INFO PV DONE".
type Detail struct {
	Info game.Info
	pv   int
	num  int
}

// Line reads the text after INFO. It reports true at the end of a block; Info is
// then complete until the next call.
func (d *Detail) Line(text []byte) bool {
	key, value := cutWord(trim(text))
	n, _, isInt := parseInt(value)
	switch {
	case equalFold(key, "PV"):
		if isInt {
			d.Info, d.pv = game.Info{}, n
			return false
		}
		d.Info.Rank = 0
		if d.num > 1 {
			d.Info.Rank = d.pv + 1
		}
		return equalFold(value, "DONE")
	case equalFold(key, "NUMPV"):
		d.num = n
	case equalFold(key, "DEPTH"):
		d.Info.Depth = n
	case equalFold(key, "SELDEPTH"):
		d.Info.SelDepth = n
	case equalFold(key, "NODES"):
		d.Info.Nodes = int64(n)
	case equalFold(key, "TOTALNODES"):
		d.Info.Nodes = max(d.Info.Nodes, int64(n))
	case equalFold(key, "TOTALTIME"):
		d.Info.Time = timeUnit(int64(n), nil)
	case equalFold(key, "EVAL"):
		if e, _, ok := ParseEval(value); ok {
			d.Info.Eval = e
		}
	case equalFold(key, "BESTLINE"):
		var s Stats
		s.scanLine(value)
		d.Info.PV = s.PV
	}
	return false
}
