// Package paste reads games from a text that somebody has at hand, whatever it is: a record in any
// format, moves as people write them, a table of a site. Every form is tried; the first whose games
// are legal is taken, and where none is, the nearest says why.
package paste

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"kibitz/game"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/record/replay"
	"kibitz/rules"
)

const (
	// most is how much of a text is read.
	most = 1 << 20
	// longest is the most letters of a move.
	longest = 12
)

// Reader tries forms.
type Reader struct {
	Formats *formats.Set
	// Games are those whose moves are tried where the reader does not say which it is, the most likely
	// first.
	Games []game.Spec
	// Consoles understand conversations with engines.
	Consoles []record.Console
}

// Found is what a text holds.
type Found struct {
	// Form is the name of the form: a format's, "moves of GAME", "a table of Connect6 games" or
	// "a console of PROTOCOL".
	Form  string
	Games []*record.Game
	// Plain tells that it is in no format.
	Plain bool
}

// Unread is the error of a text that no form fits: that of the form that came furthest.
type Unread struct {
	Form string
	Err  error
	// Games are what a format has read of it, if something of that may be played: each is good up to
	// the first decision that the rules refuse.
	Games []*record.Game
	// Legal is how many decisions it read that are legal.
	Legal int
}

// Error names the nearest form.
func (u *Unread) Error() string {
	return fmt.Sprintf("no form fits; the nearest is %s: %v", u.Form, u.Err)
}

// Unwrap returns why the nearest form does not fit.
func (u *Unread) Unwrap() error { return u.Err }

type try struct {
	form string
	read func() ([]*record.Game, error)
	// likely tells that it is nearer than others that came as far: the text looks like no format.
	likely bool
	// plain tells that it is no format.
	plain bool
}

// Read tries all forms. name is that of a file, which some forms tell more by, spec the game where it is
// known; both may be empty.
func (r *Reader) Read(name string, data []byte, spec game.Spec) (Found, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	switch {
	case len(data) == 0:
		return Found{}, errors.New("there is nothing to read")
	case len(data) > most:
		return Found{}, fmt.Errorf("the text has %d bytes: at most %d are read", len(data), most)
	}
	var nearest *Unread
	for _, x := range r.tries(name, data, spec) {
		list, err := x.read()
		legal, bad := r.legal(list)
		if err == nil {
			err = bad
		}
		if err == nil && len(list) > 0 {
			return Found{x.form, list, x.plain}, nil
		}
		if err != nil && (nearest == nil || legal > nearest.Legal || legal == nearest.Legal && x.likely) {
			nearest = &Unread{Form: x.form, Err: err, Legal: legal}
			if legal > 0 && !x.plain {
				nearest.Games = list
			}
		}
	}
	return Found{}, nearest
}

// tries are the forms in the order in which they are tried: what the text looks like, then all others.
func (r *Reader) tries(name string, data []byte, spec game.Spec) []try {
	out, sure := r.consoles(data, spec)
	if sure {
		return out
	}
	add := func(f *formats.Format) {
		if id := spec.ID(); f.ID == "wthor" || f.ID == "offset" || id != "" && !f.Holds(id) {
			return // not a text, or any numbers
		}
		out = append(out, try{f.Title, func() ([]*record.Game, error) { return f.Read(name, data, spec) }, false, false})
	}
	all := r.Formats.All()
	first := formats.Sniff(data, spec)
	for i := range all {
		if all[i].ID == first {
			add(&all[i])
		}
	}
	if id := spec.ID(); id == "" || id == "connect6" {
		out = append(out, try{"a table of Connect6 games", func() ([]*record.Game, error) { return r.table(data) }, false, true})
	}
	for i := range all {
		if all[i].ID != first && (all[i].ID != "pos" || spec != "") {
			add(&all[i])
		}
	}
	for i, cut := range []cutter{whole, split} { // a word is one move, before it may be several
		for _, g := range r.games(spec) {
			read := func() ([]*record.Game, error) { return r.moves(data, g, cut) }
			out = append(out, try{"moves of " + g.ID(), read, i == 0 && spec != "" && first == "", true})
		}
	}
	return out
}

func (r *Reader) games(spec game.Spec) []game.Spec {
	if spec != "" {
		return []game.Spec{spec}
	}
	return r.Games
}

// legal counts the decisions that are legal; the error is the first that is not, or that there is none.
func (r *Reader) legal(list []*record.Game) (n int, err error) {
	for _, g := range list {
		l, bad := replay.Play(g, r.Formats.Open)
		if bad == nil {
			n += l.Len()
			if l.Illegal != nil {
				bad = l.Illegal
			} else if l.Len() == 0 && g.Start == "" {
				bad = errors.New("it holds no move")
			}
		}
		if err == nil {
			err = bad
		}
	}
	return n, err
}

// table reads the games of a Connect6 site: lines of game_id,"j10,k11,…",winner.
func (r *Reader) table(data []byte) ([]*record.Game, error) {
	const spec = "connect6"
	in := csv.NewReader(bytes.NewReader(data))
	in.FieldsPerRecord = -1
	rows, err := in.ReadAll()
	if err != nil {
		return nil, err
	}
	column := slices.Index(rows[0], "moves")
	if column < 0 {
		return nil, errors.New(`the first line names no column "moves"`)
	}
	var out []*record.Game
	for i, row := range rows[1:] {
		line := i + 2
		if column >= len(row) {
			return out, record.Errorf(line, 0, "it has %d columns", len(row))
		}
		g, err := r.words(spec, strings.Split(row[column], ","), line, whole)
		if err != nil {
			return out, err
		}
		g.ID = row[0]
		out = append(out, g)
	}
	return out, nil
}

// numbers stand before moves: "1.", "1...", "12)", "#3:".
var numbers = regexp.MustCompile(`^[#(\[]?\d+[.:)\]…]+`)

// blanks part words.
func blank(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(",;|，；、", c) }

// said are words that stand beside moves and say nothing of them.
var said = []string{
	"black", "white", "red", "first", "second", "player", "move", "moves", "moved", "plays", "played", "b", "w",
	"to", "at", "turn", "by", "and",
	"黑", "白", "红", "紅", "黑方", "白方", "红方", "紅方",
	"1-0", "0-1", "1/2-1/2", "*", "genmove", "play", "=", ">", "<", "-",
}

// moves reads moves as people and consoles write them, on any lines.
func (r *Reader) moves(data []byte, spec game.Spec, cut cutter) ([]*record.Game, error) {
	g := &record.Game{Line: 1}
	var list []string
	var lines []int
	for i, line := range strings.Split(string(data), "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, w := range strings.FieldsFunc(line, blank) {
			for numbers.MatchString(w) {
				w = numbers.ReplaceAllString(w, "")
			}
			w = strings.TrimRight(strings.Trim(w, `"'`), "!?:")
			if w == "" || number(w) || slices.Contains(said, strings.ToLower(w)) {
				continue
			}
			list, lines = append(list, w), append(lines, i+1)
		}
	}
	out, err := r.words(spec, list, 0, cut)
	if out != nil {
		g = out
		for i := range g.Steps {
			g.Steps[i].Line = lines[min(g.Steps[i].Column, len(lines)-1)]
			g.Steps[i].Column = 0
		}
	}
	return []*record.Game{g}, err
}

func number(w string) bool { return strings.Trim(w, "0123456789.)") == "" }

// words reads one move each, or several that are written as one. The column of a step is the number of
// its word. What could be read is returned with the error.
func (r *Reader) words(spec game.Spec, list []string, line int, cut cutter) (*record.Game, error) {
	own, err := r.Formats.Open(spec)
	if err != nil {
		return nil, err
	}
	g := &record.Game{Spec: own.Spec(), Line: max(1, line)}
	for i, w := range list {
		moves, err := cut(own, w)
		if err != nil {
			return g, fmt.Errorf("move %d: %w", len(g.Steps)+1, err)
		}
		if flip, ok := flipOf(own, g.Steps, w, moves); ok {
			moves = append([]game.Move{flip}, moves...)
		}
		for _, m := range moves {
			g.Steps = append(g.Steps, record.Step{By: game.Nobody, Move: m, Line: line, Column: i})
		}
	}
	return g, nil
}

// flipOf is the flip that a word such as b7(M) means, where it was not written before it.
func flipOf(own rules.Rules, before []record.Step, w string, moves []game.Move) (game.Move, bool) {
	at, _, found := strings.Cut(strings.ToLower(w), "(")
	if !found || len(moves) != 1 || moves[0].Op != game.Deal {
		return game.Move{}, false
	}
	m, err := own.ParseMove(at + "-" + at)
	return m, err == nil && (len(before) == 0 || before[len(before)-1].Move != m)
}

// shot finds a move and the shot behind it, as records write a turn of Amazons: d1-d7(g7), d1-d7-g7.
var shot = regexp.MustCompile(`^(\w+-\w+)[-(](\w+)\)?$`)

// cutter makes moves of a word.
type cutter func(own rules.Rules, w string) ([]game.Move, error)

// one reads a move in the letters that it has, or in small ones.
func one(own rules.Rules, w string) (game.Move, error) {
	m, err := own.ParseMove(w)
	if err != nil {
		if low, other := own.ParseMove(strings.ToLower(w)); other == nil {
			return low, nil
		}
	}
	return m, err
}

// whole reads a word that is one move.
func whole(own rules.Rules, w string) ([]game.Move, error) {
	m, err := one(own, w)
	return []game.Move{m}, err
}

// split reads a word of several moves: the longest that it begins with, and then the rest.
func split(own rules.Rules, w string) (out []game.Move, err error) {
	m, first := one(own, w)
	if first == nil {
		return []game.Move{m}, nil
	}
	if parts := shot.FindStringSubmatch(w); parts != nil {
		m, err := one(own, parts[1])
		if s, bad := one(own, "/"+parts[2]); err == nil && bad == nil {
			return []game.Move{m, s}, nil
		}
	}
	for rest := w; rest != ""; {
		n := min(len(rest), longest)
		for ; n > 0; n-- {
			if m, err := one(own, rest[:n]); err == nil {
				out = append(out, m)
				break
			}
		}
		if n == 0 {
			return nil, first
		}
		rest = rest[n:]
	}
	return out, nil
}
