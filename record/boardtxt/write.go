package boardtxt

import (
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/game/grid"
)

// Append writes the text. Records of servers are written with CR LF, everything
// else, and what engines are given, with LF.
func (f *File) Append(dst []byte, eol string) []byte {
	b := dst
	line := func(parts ...string) {
		for i, p := range parts {
			if i > 0 {
				b = append(b, ' ')
			}
			b = append(b, p...)
		}
		b = append(b, eol...)
	}
	if f.Form == Room {
		line(initialLine)
	}
	line("*", oneLine(f.Date))
	names := f.writtenNames()
	line("*", names[0], "vs", names[1])
	b = append(b, '*')
	for _, n := range f.Start.Alive {
		b = strconv.AppendInt(append(b, ' '), int64(n), 10)
	}
	line()
	for y := range grid.DarkHeight {
		b = append(b, '*')
		for x := range grid.DarkWidth {
			b = append(b, ' ', f.Start.Cell[y*grid.DarkWidth+x])
		}
		line()
	}
	first := "2"
	switch f.First {
	case game.Red:
		first = "0"
	case game.Black:
		first = "1"
	}
	line("* first", first)
	line("* time", strconv.FormatInt(f.Time, 10))
	for i, ply := range f.Plies {
		if i%2 == 0 {
			b = strconv.AppendInt(append(b, "* "...), int64(i/2+1), 10)
			b = append(b, '.')
		}
		b, _ = grid.AppendDarkPly(append(b, ' '), ply)
		if i%2 == 1 || i == len(f.Plies)-1 {
			line()
		}
	}
	if f.Result != "" {
		line("*", oneLine(f.Result))
	}
	comment := "* Comment 0 0"
	if f.Ruling != "" {
		comment += ruled + oneLine(f.Ruling)
	}
	line(comment)
	for i, ms := range f.Stamps {
		b = strconv.AppendInt(b, int64(i), 10)
		b = strconv.AppendInt(append(b, ". "...), ms, 10)
		line()
	}
	return b
}

func (f *File) writtenNames() [2]string {
	out := f.Names
	for s := range out {
		if out[s] = CleanName(out[s]); out[s] == "" {
			out[s] = nobody(s)
		} else if f.Form == Client {
			out[s] = nobody(s) + "(" + out[s] + ")"
		}
	}
	return out
}

// CleanName makes a name fit for the line of names: it has no word "vs" and no
// line end.
func CleanName(name string) string {
	words := strings.Fields(strings.ToValidUTF8(name, "?"))
	for i, w := range words {
		if w == "vs" {
			words[i] = "vs."
		}
	}
	return oneLine(strings.Join(words, " "))
}

// oneLine replaces control characters by blanks.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return strings.TrimSpace(s)
}
