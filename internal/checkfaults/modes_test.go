package checkfaults

import (
	"regexp"
	"strings"
	"time"
)

// mode is one way in which an engine goes wrong.
type mode struct {
	name, doc string
	hook      func(s *seat) hook
}

// modes lists them all.
func modes() []mode {
	list := []mode{{"honest", "nothing goes wrong", func(*seat) hook { return hook{} }}}
	for _, b := range []struct {
		name, doc string
		f         func(s *seat, x, y int) (int, int)
	}{
		{"xy", "x and y exchanged", func(_ *seat, x, y int) (int, int) { return y, x }},
		{"rows", "rows counted from the other end", func(s *seat, x, y int) (int, int) { return x, s.height - 1 - y }},
		{"columns", "columns counted from the other side", func(s *seat, x, y int) (int, int) { return s.width - 1 - x, y }},
	} {
		list = append(
			list,
			mode{"reads-" + b.name, "reads moves with " + b.doc, func(s *seat) hook { return turned(s, b.f, true, false) }},
			mode{"writes-" + b.name, "writes moves with " + b.doc, func(s *seat) hook { return turned(s, b.f, false, true) }},
			mode{"both-" + b.name, "reads and writes moves with " + b.doc, func(s *seat) hook { return turned(s, b.f, true, true) }},
		)
	}
	const mute = "reads moves with rows counted from the other end, and says nothing where one cannot be"
	list = append(list, mode{"mute-rows", mute, func(s *seat) hook {
		h := turned(s, func(s *seat, x, y int) (int, int) { return x, s.height - 1 - y }, true, false)
		h.out = func(_ *faulty, line string) []string {
			if line == "error" {
				return nil
			}
			return []string{line}
		}
		return h
	}})
	less := func(s *seat, x, y int) (int, int) { return x - 1, y - 1 }
	more := func(s *seat, x, y int) (int, int) { return x + 1, y + 1 }
	list = append(
		list,
		mode{"reads-one", "reads points counted from one", func(s *seat) hook { return turned(s, less, true, false) }},
		mode{"writes-one", "writes points counted from one", func(s *seat) hook { return turned(s, more, false, true) }},
		mode{"both-one", "reads and writes points counted from one", func(s *seat) hook {
			return hook{in: turned(s, less, true, false).in, out: turned(s, more, false, true).out}
		}},
	)
	list = append(append(list, silences()...), memories()...)
	return append(list, linesOnly()...)
}

// linesOnly are mistakes about lines between dots.
func linesOnly() []mode {
	said := func(move bool, f func(line string) string) func(e *faulty, line string) []string {
		return func(e *faulty, line string) []string {
			if move && e.isMove(line) || !move && e.seat.words.told.MatchString(line) {
				line = f(line)
			}
			return []string{line}
		}
	}
	place := func(line string) string { return edge.ReplaceAllString(line, "$1$3$2") }
	return []mode{
		{"reads-place", "reads the place of a line before its row", func(*seat) hook { return hook{in: said(false, place)} }},
		{"writes-place", "writes the place of a line before its row", func(*seat) hook { return hook{out: said(true, place)} }},
		{"both-place", "reads and writes the place of a line before its row", func(*seat) hook {
			return hook{in: said(false, place), out: said(true, place)}
		}},
		{"no-count", "writes the lines of a turn without their number", func(*seat) hook {
			return hook{out: said(true, func(line string) string { return counted.ReplaceAllString(line, "move ") })}
		}},
		{"one-line", "writes the first line of a turn alone", func(*seat) hook {
			return hook{out: said(true, func(line string) string { return counted.ReplaceAllString(line, "move 1 ")[:len("move 1 AAA")] })}
		}},
		{"digits", "writes the numbers of lines by digits", func(*seat) hook {
			return hook{out: said(true, func(line string) string {
				return edge.ReplaceAllStringFunc(line, func(m string) string { return string([]byte{m[0], m[1] - 'A' + '0', m[2] - 'A' + '0'}) })
			})}
		}},
	}
}

var (
	edge    = regexp.MustCompile(`([AB])([A-F])([A-F])`)
	counted = regexp.MustCompile(`^move \d+ `)
)

// turned moves the points of what is read or written.
func turned(s *seat, f func(s *seat, x, y int) (int, int), reads, writes bool) (h hook) {
	by := func(x, y int) (int, int) { return f(s, x, y) }
	if reads {
		h.in = func(e *faulty, line string) []string {
			if e.seat.words.told.MatchString(line) {
				line = s.through(line, by)
			}
			return []string{line}
		}
	}
	if writes {
		h.out = func(e *faulty, line string) []string {
			if e.isMove(line) {
				line = s.through(line, by)
			}
			return []string{line}
		}
	}
	return h
}

// fewMoves is how many own moves an engine makes before it goes wrong late.
const fewMoves = 8

// silences are engines that end, or say nothing, or too late, or in a wrong form.
func silences() []mode {
	saying := func(f func(e *faulty, line string) []string) func(*seat) hook {
		return func(*seat) hook {
			return hook{out: func(e *faulty, line string) []string {
				if !e.isMove(line) {
					return []string{line}
				}
				return f(e, line)
			}}
		}
	}
	late := func(f func(e *faulty, line string) []string) func(*seat) hook {
		return saying(func(e *faulty, line string) []string {
			if e.moves > fewMoves {
				return f(e, line)
			}
			return []string{line}
		})
	}
	return []mode{
		{"silent", "answers nothing at all", func(*seat) hook {
			return hook{out: func(*faulty, string) []string { return nil }}
		}},
		{"crash-start", "ends when it is first spoken to", func(*seat) hook {
			return hook{in: func(e *faulty, _ string) []string { return e.die() }, out: func(e *faulty, _ string) []string { return e.die() }}
		}},
		{"no-move", "answers all but the question for a move", saying(func(*faulty, string) []string { return nil })},
		{"crash-late", "ends after some moves of a game", late(func(e *faulty, _ string) []string { return e.die() })},
		{"crash-middle", "ends when less than forty squares are empty", func(*seat) hook {
			return hook{in: func(e *faulty, line string) []string {
				if e.told+e.moves > 20 || len(plies.FindAllString(line, -1)) > 20 {
					return e.die()
				}
				return []string{line}
			}}
		}},
		{"mute-late", "says nothing any more after some moves of a game", late(func(*faulty, string) []string { return nil })},
		{"late", "needs a minute for each move", saying(func(_ *faulty, line string) []string {
			time.Sleep(time.Minute)
			return []string{line}
		})},
		{"form", "writes its moves in another form", func(s *seat) hook {
			return saying(func(_ *faulty, line string) []string { return []string{misformed(s, line)} })(s)
		}},
		{"twice", "says each move two times", saying(func(_ *faulty, line string) []string { return []string{line, line} })},
		{
			"chatty", "prints a line of its thoughts before each move",
			saying(func(_ *faulty, line string) []string { return []string{"thinking about it", line} }),
		},
		{"no-quit", "does not end when it is told to", func(*seat) hook {
			return hook{in: func(_ *faulty, line string) []string {
				if quits.MatchString(line) {
					return nil
				}
				return []string{line}
			}}
		}},
		{"crash-second", "ends at the second game of its process", func(*seat) hook {
			return hook{in: func(e *faulty, line string) []string {
				if e.games > 1 && e.moves > 0 {
					return e.die()
				}
				return []string{line}
			}}
		}},
	}
}

var (
	plies = regexp.MustCompile(`[BW]\[[A-H][1-8]`)
	quits = regexp.MustCompile(`^(END|quit|5 quit|/exit)\b`)
	lone  = regexp.MustCompile(`^move ..@@`)
)

// misformed writes a move as it is not to be written.
func misformed(s *seat, line string) string {
	switch s.entry.ID {
	case "piskvork":
		return strings.Replace(line, ",", ";", 1)
	case "nboard":
		return strings.Replace(line, "=== ", "Best move: ", 1)
	case "sau":
		return strings.Replace(line, "move", "MOVE", 1)
	case "gtp", "dctp":
		return strings.TrimLeft(line, "= ")
	}
	if s.entry.Turn != nil {
		return "move " + line
	}
	return strings.TrimLeft(line, "/")
}

// memories are engines that keep too little or too much of the game.
func memories() []mode {
	return []mode{
		{"repeats", "says its first move again after some moves", func(*seat) hook {
			first := ""
			return hook{out: func(e *faulty, line string) []string {
				switch {
				case !e.isMove(line):
				case e.moves == 1:
					first = line
				case e.moves > fewMoves/2:
					return []string{first}
				}
				return []string{line}
			}}
		}},
		{"forgets-own", "does not keep its own moves", func(s *seat) hook { return hook{out: forgetsOwn(s)} }},
		{"forgets-told", "does not keep what it is told", func(s *seat) hook { return hook{in: forgetsTold(s)} }},
		{"plays-own", "plays its move when it is asked for one, and again when it is sent", func(s *seat) hook { return hook{out: playsOwn(s)} }},
		{"no-pass", "takes no notice of a pass that it is told", func(*seat) hook {
			return hook{in: func(e *faulty, line string) []string {
				switch {
				case strings.HasPrefix(line, "move PA"):
					return nil
				case strings.HasPrefix(line, "play ") && strings.HasSuffix(line, "pass"):
					_ = e.Conn.Write([]byte("= \n\n"))
					return nil
				}
				return []string{line}
			}}
		}},
		{"no-clear", "does not begin anew", func(*seat) hook {
			return hook{in: func(e *faulty, line string) []string {
				if e.games < 2 || e.moves == 0 || !e.seat.words.begins.MatchString(line) {
					return []string{line}
				}
				switch e.seat.entry.ID {
				case "piskvork":
					_ = e.Conn.Write([]byte("OK\n"))
				case "gtp":
					_ = e.Conn.Write([]byte("= \n\n"))
				case "dctp":
					_ = e.Conn.Write([]byte("=7\n"))
				}
				return nil
			}}
		}},
		{"other-colour", "plays for the other side", func(*seat) hook {
			return hook{in: func(_ *faulty, line string) []string {
				switch line {
				case "genmove b":
					line = "genmove w"
				case "genmove w":
					line = "genmove b"
				}
				return []string{line}
			}}
		}},
		{"lone-stone", "ends at Black's first move, which has one stone", func(*seat) hook {
			return hook{in: func(e *faulty, line string) []string {
				if lone.MatchString(line) {
					return e.die()
				}
				return []string{line}
			}}
		}},
	}
}

// forgetsOwn takes each move back at once.
func forgetsOwn(s *seat) func(*faulty, string) []string {
	return func(e *faulty, line string) []string {
		if e.isMove(line) {
			switch s.entry.ID {
			case "piskvork":
				e.given = append(e.given, "TAKEBACK "+line)
			case "gtp":
				e.given = append(e.given, "undo")
			}
			e.swallow++
		}
		return []string{line}
	}
}

// forgetsTold drops what is told.
func forgetsTold(s *seat) func(*faulty, string) []string {
	return func(e *faulty, line string) []string {
		if !e.seat.words.told.MatchString(line) {
			return []string{line}
		}
		switch id := s.entry.ID; {
		case id == "piskvork" && strings.HasPrefix(line, "TURN"):
			return []string{"BEGIN"}
		case id == "piskvork", id == "readfile":
			return nil
		case id == "nboard" && strings.HasPrefix(line, "move"):
			return nil
		case id == "gtp":
			_ = e.Conn.Write([]byte("= \n\n"))
			return nil
		case id == "dctp":
			_ = e.Conn.Write([]byte("=" + line[:2] + "\n"))
			return nil
		case id == "sau":
			return []string{"new black"}
		}
		return []string{line}
	}
}

// playsOwn makes each move on the engine's own board at once.
func playsOwn(s *seat) func(*faulty, string) []string {
	return func(e *faulty, line string) []string {
		if e.isMove(line) {
			switch f := strings.Fields(line); {
			case s.entry.ID == "nboard" && len(f) > 1:
				e.given = append(e.given, "move "+f[1])
			case s.entry.ID == "dctp" && len(f) > 2 && f[1] != f[2]:
				e.given = append(e.given, "10 move "+f[1]+" "+f[2])
				e.swallow++
			case s.entry.ID == "dctp" && len(f) > 2:
				e.given = append(e.given, "11 flip "+f[1]+" P")
				e.swallow++
			}
		}
		return []string{line}
	}
}
