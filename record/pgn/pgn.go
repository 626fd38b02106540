// Package pgn writes results in the chess format that rating programs read
// (BayesElo, Ordo), and reads the five-in-a-row games of a server that exports in
// it.
//
// The written games have no moves. Black is seat First, since it moves first in
// five in a row; a result is told from White's point of view, so that "1-0" is a
// win of seat Second.
package pgn

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// Write writes the games as results without moves. Unfinished games have "*".
func Write(w io.Writer, games ...*record.Game) error {
	var b bytes.Buffer
	for i, g := range games {
		b.Reset()
		appendGame(&b, g, i+1)
		if _, err := w.Write(b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func appendGame(b *bytes.Buffer, g *record.Game, number int) {
	tag := func(key, value string) {
		value = cmp.Or(value, "?")
		fmt.Fprintf(b, "[%s \"%s\"]\n", key, escape(value))
	}
	event := cmp.Or(g.Event, strconv.Itoa(number))
	result := Result(g.Result)
	tag("Event", event)
	if g.Place != "" {
		tag("Site", g.Place)
	}
	tag("Date", date(g.Date))
	tag("Round", g.Round)
	tag("White", g.Names[game.Second])
	tag("Black", g.Names[game.First])
	tag("Result", result)
	if g.Result != nil && g.Result.Reason != "" {
		tag("Termination", string(g.Result.Reason))
	}
	if text, ok := g.Tag(record.TagRuled); ok {
		tag("Ruled", text)
	}
	if g.Spec != "" {
		tag("Variant", string(g.Spec))
	}
	tag("PlyCount", strconv.Itoa(len(g.Steps)))
	fmt.Fprintf(b, "\n%s\n\n", result)
}

// escape keeps a value within its quotes and its line.
func escape(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}

// date turns "2006-01-02 15:04:05" into "2006.01.02"; what has another form stays.
func date(s string) string {
	if len(s) >= 10 && s[4] == '-' && s[7] == '-' {
		return strings.ReplaceAll(s[:10], "-", ".")
	}
	if s == "" {
		return "????.??.??"
	}
	return s
}

// Result returns the token of a result, White being seat Second.
func Result(r *game.Result) string {
	switch {
	case r == nil || r.Points == [2]float64{}:
		return "*"
	case r.Winner() == game.Second:
		return "1-0"
	case r.Winner() == game.First:
		return "0-1"
	}
	return "1/2-1/2"
}
