// Package plain writes counts, numbers, results and errors as people read them in one line.
package plain

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"kibitz/game"
	"kibitz/journal"
)

// Count prints a number of things: "1 game", "2 games".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// OneLine prints an error on one line; of several errors the first three.
func OneLine(err error) string {
	const most = 3
	list := strings.Split(err.Error(), "\n")
	if n := len(list) - most; n > 0 {
		list = append(list[:most:most], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(strings.Fields(strings.Join(list, "; ")), " ")
}

// Printable replaces by blanks what would break a line, or turn the order of its letters around.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, s)
}

// Number prints a score without needless decimals.
func Number(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
}

// Signed prints a score with its sign: "+4", "0", "-2.5".
func Signed(x float64) string {
	if x > 0 {
		return "+" + Number(x)
	}
	return Number(x)
}

// Score prints what both seats have: "44-20".
func Score(s [2]float64) string { return Number(s[0]) + "-" + Number(s[1]) }

// Prefixed puts a prefix before a text, unless the text is empty.
func Prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// Result prints how a game ended: "A wins 44-20 (full)", "draw (agreement)".
func Result(r game.Result, names [2]string) string {
	var s string
	switch w := r.Winner(); {
	case w.IsPlayer():
		s = names[w] + " wins"
	case r.Draw():
		s = "draw"
	default:
		s = "no result"
	}
	if r.HasBoard {
		s += " " + Score(r.Board)
	}
	if r.Reason != "" {
		s += " (" + string(r.Reason) + ")"
	}
	return s
}

// Ruling prints how a person overruled a game, by whom and why: "draw, Ada: both had the
// same bug".
func Ruling(r journal.Ruling, names [2]string) string {
	r.Result.Reason = "" // always the same
	text := "counts for nobody"
	if r.Result.Points != [2]float64{} {
		text = Result(r.Result, names)
	}
	why := r.Note
	if r.By != "" && !strings.HasPrefix(why, r.By+": ") {
		why = strings.TrimSuffix(r.By+": "+why, ": ")
	}
	return text + Prefixed(", ", why)
}

// JSONLine writes a value as one line of JSON.
func JSONLine(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// Eval prints an evaluation: "+2.5", "53.2%", "win in 3", "+1..+3", "?".
func Eval(e game.Eval) string {
	if !e.Known() {
		return "?"
	}
	one := func(v float64) string {
		switch {
		case e.Unit == game.WinChance:
			return fmt.Sprintf("%.1f%%", 100*v)
		case v == 0:
			return "0"
		}
		return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%+.2f", v), "0"), ".")
	}
	switch {
	case e.Unit == game.MateIn && e.Mid() > 0:
		return "win in " + Number(e.Mid())
	case e.Unit == game.MateIn:
		return "loss in " + Number(-e.Mid())
	case e.Lo != e.Hi:
		return one(e.Lo) + ".." + one(e.Hi)
	}
	return one(e.Lo)
}

// Plies prints a number of plies.
func Plies(n int) string {
	if n == 1 {
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", n)
}

// Depth says how deep a line is: plies, "exact", or per cent of certainty; "-" where
// nobody said.
func Depth(in *game.Info) string {
	switch {
	case in.Book:
		return "book"
	case in.Bound == game.Exact:
		return "exact"
	case in.Bound == game.WinLoss:
		return "win/loss"
	case in.Bound == game.Selective:
		return Number(in.Confidence) + "%"
	case in.Depth > 0:
		return fmt.Sprint(in.Depth)
	}
	return "-"
}

// Remaining estimates how long what is left takes, "?" before anything is done.
func Remaining(elapsed time.Duration, done, total int) string {
	if done == 0 {
		return "?"
	}
	left := time.Duration(float64(elapsed) / float64(done) * float64(total-done))
	return left.Round(time.Second).String()
}
