// Package files reads openings from files of any format of records, and from lists of
// openings: by the extension of a file, or by its content where that says nothing.
package files

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"kibitz/game"
	"kibitz/opening"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/rules"
)

// Reader calls f for each opening of a file's content, as a record that is
// valid during the call only.
type Reader func(data []byte, f func(*record.Game) error) error

// Files reads files of openings with the formats of a set.
type Files struct{ Set *formats.Set }

// Read reads and checks the openings of a file in any format that the game has. Plies cuts
// them; 0 leaves them whole.
func (x Files) Read(name string, data []byte, r rules.Rules, plies int) ([]opening.Opening, error) {
	read, err := x.Reader(name, data, r)
	if err != nil {
		return nil, err
	}
	return x.ReadBy(name, data, read, r, plies)
}

// ReadBy is Read with what reads the file.
func (x Files) ReadBy(name string, data []byte, read Reader, r rules.Rules, plies int) ([]opening.Opening, error) {
	var out []opening.Opening
	err := read(data, func(g *record.Game) error {
		if err := x.sameBoard(g, r); err != nil {
			return record.Errorf(g.Line, 0, "%v", err)
		}
		op, err := opening.From(g, r, plies)
		if err == nil {
			out = append(out, op)
		}
		return err
	})
	if err != nil {
		return nil, record.InFile(name, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s holds no opening", name)
	}
	return out, nil
}

// List reads a list of openings of a game, a line each.
func List(r rules.Rules) Reader {
	return func(data []byte, f func(*record.Game) error) error { return opening.ReadList(data, r, f) }
}

// Reader finds how a file of openings is read: by its extension, or by its
// content where the extension says nothing.
func (x Files) Reader(name string, data []byte, r rules.Rules) (Reader, error) {
	ext, id := strings.ToLower(filepath.Ext(name)), r.Spec().ID()
	kind := ""
	switch ext {
	case ".epd", ".openings":
		kind = "list"
	case ".xot":
		kind = "xot"
	case ".txt", "":
		kind = sniff(data, r.Spec())
	default:
		f, err := x.Set.Find(name, "")
		if err != nil {
			return nil, fmt.Errorf("%w .epd .openings .xot", err)
		}
		kind = f.ID
	}
	switch kind {
	case "list":
		return List(r), nil
	case "xot":
		if id != "othello" {
			return nil, fmt.Errorf("%s: XOT lists are openings of othello, not of %s", name, id)
		}
		return opening.ReadXOT, nil
	case "moves", "offset", "obf":
		return func(data []byte, f func(*record.Game) error) error { return x.inBlocks(name, data, r.Spec(), kind, f) }, nil
	case "pos":
		if len(data) == 0 || int(data[0]) != len(data)-1 { // else it is the binary form
			return func(data []byte, f func(*record.Game) error) error { return x.inBlocks(name, data, r.Spec(), kind, f) }, nil
		}
	}
	return func(data []byte, f func(*record.Game) error) error { return x.Records(name, data, r.Spec(), kind, f) }, nil
}

// Records calls f for each game of a file that is read whole. Kind is the name of its
// format, "" for what the file says.
func (x Files) Records(name string, data []byte, spec game.Spec, kind string, f func(*record.Game) error) error {
	list, err := x.Set.Read(name, data, spec, kind)
	if err != nil {
		return err
	}
	for _, g := range list {
		if err := f(g); err != nil {
			return err
		}
	}
	return nil
}

// blockSize is how much of a long file with an opening on each line is read at a
// time: records are much larger than the openings that are kept of them.
const blockSize = 1 << 16

// inBlocks reads a file of lines block by block. A block does not end before a line
// that begins with a number, with which the game of the line before may go on.
func (x Files) inBlocks(name string, data []byte, spec game.Spec, kind string, f func(*record.Game) error) error {
	line := 0
	for len(data) > 0 {
		n := blockEnd(data)
		list, err := x.Set.Read(name, data[:n], spec, kind)
		if err != nil {
			return movedBy(err, line)
		}
		for _, g := range list {
			shiftLines(g, line)
			if err := f(g); err != nil {
				return err
			}
		}
		line += bytes.Count(data[:n], []byte("\n"))
		data = data[n:]
	}
	return nil
}

// blockEnd returns how many bytes make up the next block.
func blockEnd(data []byte) int {
	for n := blockSize; n < len(data); n++ {
		if c := data[n]; data[n-1] == '\n' && (c < '0' || c > '9') && c != ' ' && c != '\t' {
			return n
		}
	}
	return len(data)
}

// shiftLines moves a record to where its block begins.
func shiftLines(g *record.Game, by int) {
	if g.Line > 0 {
		g.Line += by
	}
	for i := range g.Steps {
		if g.Steps[i].Line > 0 {
			g.Steps[i].Line += by
		}
	}
}

// movedBy moves the lines that errors name to where their block begins.
func movedBy(err error, by int) error {
	var joined interface{ Unwrap() []error }
	var at *record.Error
	switch {
	case errors.As(err, &joined):
		var out []error
		for _, e := range joined.Unwrap() {
			out = append(out, movedBy(e, by))
		}
		return errors.Join(out...)
	case errors.As(err, &at) && at.Line > 0:
		e := *at
		e.Line += by
		return &e
	}
	return err
}

// operation is how the operations of a list of openings begin: a semicolon and a
// word of letters, or a word and its quoted operand.
var operation = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`;\s*[A-Za-z_]{2}|[A-Za-z]\w*\s+"`)
})

// scored is how an OBF line goes on: a semicolon, a move and its score.
var scored = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`;\s*([a-hA-H][1-8]|[Pp][AaSs]+)\s*:`)
})

// sniff guesses how a text holds openings of a game.
func sniff(data []byte, spec game.Spec) string {
	if kind := formats.Sniff(data, spec); slices.Contains([]string{"ccgc", "board", "json", "ggf", "sgf", "psq", "pgn"}, kind) {
		return kind
	}
	first, hasOperation := firstLine(data)
	id := spec.ID()
	switch {
	case id == "othello" && (scored().MatchString(first) || strings.HasPrefix(first, "%")):
		return "obf"
	case hasOperation:
		return "list"
	case id == "othello" && opening.LooksXOT(first):
		return "xot"
	case id == "othello" && !strings.ContainsAny(first, "12345678"):
		return "list"
	case id == "othello":
		return "moves"
	case id == "gomoku" && !strings.ContainsAny(strings.ToLower(first), "abcdefghijklmnopqrstuvwxyz./_"):
		return "offset"
	case id == "gomoku" && strings.ContainsAny(first, "123456789") && !strings.Contains(first, "/"):
		return "pos"
	}
	return "list"
}

// firstLine returns the first line that is no comment, and whether one of the
// first lines has an operation of a list.
func firstLine(data []byte) (first string, hasOperation bool) {
	const most = 50
	n := 0
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(strings.TrimPrefix(string(line), "\ufeff"))
		if text == "" || text[0] == '#' && !strings.ContainsAny(text, "./-") {
			continue
		}
		if text[0] == '#' && strings.ContainsAny(text[:min(len(text), 2)], " \t") {
			continue
		}
		if n++; first == "" {
			first = text
		}
		if operation().MatchString(text) && !scored().MatchString(text) {
			return first, true
		}
		if n >= most {
			break
		}
	}
	return first, false
}

// sameBoard returns why a record of another game or board is no opening of this
// one. Rules may differ: few formats name them.
func (x Files) sameBoard(g *record.Game, r rules.Rules) error {
	if g.Spec == "" || g.Spec == r.Spec() {
		return nil
	}
	other, err := x.Set.Open(g.Spec)
	if err != nil {
		return err
	}
	if g.Spec.ID() != r.Spec().ID() {
		return fmt.Errorf("this is a game of %s, not of %s", g.Spec.ID(), r.Spec().ID())
	}
	a, b := other.Doc(), r.Doc()
	if a.Width != b.Width || a.Height != b.Height {
		return fmt.Errorf("the board has %dx%d points, that of the match %dx%d", a.Width, a.Height, b.Width, b.Height)
	}
	return nil
}
