// Package ccgc reads and writes the records of the Chinese computer games
// championship (CCGC): one game to a file, a header of fields in square brackets,
// then the moves.
//
//	#[AM][first][second][result][2024.07.01 14:00 place][event];  Amazons
//	([NG][first][second][result][date place][event]; ... )        NoGo
//	([PG][first][second][result][date place][event]; ... )        Phantom Go
//	{[C6][first B][second W][result][date place][event]; ... }    Connect6
//	{[C5][first B][second W][result][date place][event]; ... }    five in a row
//
// Dots and Boxes is a JSON object. No form of Surakarta is known.
//
// Nobody publishes the format: it is known from the writers in public engines,
// which differ from year to year. So the reader takes brackets, separators, dates
// and words of results as they come, in UTF-8 or GBK, and the writer writes one
// form, named in docs/records.md. A record says neither sizes nor options nor why
// a game ended.
package ccgc

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"

	"kibitz/game"
	"kibitz/record"
)

// TagCharset is the key of the tag that says "gbk" of a record that was, or is to
// be, written in that charset.
const TagCharset = "charset"

// charsetGBK is the value of TagCharset.
const charsetGBK = "gbk"

// form is how one game is written.
type form struct {
	code, id string
	// open and shut are what stands around header and moves; shut is 0 where the
	// moves run to the end of the file.
	open string
	shut byte
	size int
	// fromTop tells that row 1 is the top one.
	fromTop bool
	// suffix tells that the names carry B and W.
	suffix bool
}

var forms = [...]form{
	{code: "AM", id: "amazons", open: "#", size: 10},
	{code: "NG", id: "nogo", open: "(", shut: ')', size: 9, fromTop: true},
	{code: "PG", id: "phantomgo", open: "(", shut: ')', size: 9},
	{code: "C6", id: "connect6", open: "{", shut: '}', size: 19, suffix: true},
	{code: "C5", id: "gomoku", open: "{", shut: '}', size: 15, suffix: true},
	{code: "DB", id: dotsID, open: "{", shut: '}', size: dotsSize},
}

// Games are the games that have a form, by the names Kibitz gives them.
func Games() []string {
	var out []string
	for i := range forms {
		out = append(out, forms[i].id)
	}
	return out
}

func formOf(code string) *form {
	for i := range forms {
		if strings.EqualFold(forms[i].code, code) {
			return &forms[i]
		}
	}
	return nil
}

// formFor returns the form of a game, or says why it has none.
func formFor(spec game.Spec) (*form, error) {
	for i := range forms {
		f := &forms[i]
		if f.id != spec.ID() {
			continue
		}
		for _, key := range []string{"size", "width", "height"} {
			if v, ok := spec.Option(key); ok && v != "0" && v != fmt.Sprint(f.size) {
				return nil, fmt.Errorf("CCGC records of %s are of boards of size %d, not of %s", f.id, f.size, spec)
			}
		}
		if v, _ := spec.Option("opening"); v == "swap2" {
			return nil, fmt.Errorf("CCGC records have no words for the choices of swap2")
		}
		return f, nil
	}
	return nil, fmt.Errorf("no CCGC record of %q is known: there are those of %s", spec.ID(), strings.Join(Games(), " "))
}

// Looks reports whether a file begins like a CCGC record.
func Looks(data []byte) bool {
	text := strings.TrimLeft(strings.TrimPrefix(string(data[:min(len(data), 4000)]), "\ufeff"), " \t\r\n")
	if start(text) == 0 {
		return true
	}
	return strings.HasPrefix(text, "{") && strings.Contains(text, `"game"`) && strings.Contains(text, `"piece"`)
}

// Read returns the games of a file. A game that cannot be read is left out; the
// error then joins a *record.Error for each, and the other games are returned
// beside it.
func Read(data []byte) ([]*record.Game, error) {
	text, gbk, err := decode(data)
	if err != nil {
		return nil, err
	}
	var list []*record.Game
	if s := strings.TrimLeft(text, " \t\r\n"); strings.HasPrefix(s, "{") && start(s) != 0 {
		list, err = readDots(text)
	} else {
		list, err = readTexts(text)
	}
	for _, g := range list {
		if gbk {
			g.Tags = append(g.Tags, record.Tag{Key: TagCharset, Value: charsetGBK})
		}
	}
	return list, err
}

// decode returns the text in UTF-8 and whether it was in GBK.
func decode(data []byte) (text string, gbk bool, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if utf8.Valid(data) {
		return string(data), false, nil
	}
	b, err := simplifiedchinese.GBK.NewDecoder().Bytes(data)
	if err != nil || bytes.ContainsRune(b, utf8.RuneError) {
		return "", false, record.Errorf(1, 0, "the file is neither UTF-8 nor GBK")
	}
	return string(b), true, nil
}

// readTexts reads the forms with a header.
func readTexts(text string) ([]*record.Game, error) {
	var list []*record.Game
	var errs []error
	c := &cursor{text: text, line: 1, column: 1}
	first := start(text)
	if first < 0 {
		return nil, record.Errorf(1, 1, "no CCGC record: one begins like #[AM][...], ([NG][...], {[C6][...]")
	}
	c.skip(first)
	for c.at < len(text) {
		end := len(text)
		if n := start(text[c.at+1:]); n >= 0 {
			end = c.at + 1 + n
		}
		g, err := readText(&cursor{text: text[:end], at: c.at, line: c.line, column: c.column})
		if err != nil {
			errs = append(errs, err)
		} else {
			list = append(list, g)
		}
		c.skip(end - c.at)
	}
	return list, errors.Join(errs...)
}

// start finds where a record begins: a bracket or # before a field with a code of
// two letters or digits; -1 if nowhere.
func start(text string) int {
	for i := 0; i+4 < len(text); i++ {
		if strings.IndexByte("#({", text[i]) < 0 {
			continue
		}
		s := strings.TrimLeft(text[i+1:], " \t")
		if len(s) < 4 || s[0] != '[' && s[0] != '{' {
			continue
		}
		if end := strings.IndexAny(s[1:], "]}"); end == 2 && formOf(s[1:3]) != nil {
			return i
		}
	}
	return -1
}

// readText reads one game from the start of its header to the end of the text.
func readText(c *cursor) (*record.Game, error) {
	g := &record.Game{Line: c.line}
	f, err := readHeader(c, g)
	if err != nil {
		return nil, err
	}
	g.Spec = game.Spec(f.id)
	switch f.id {
	case "amazons":
		err = readAmazons(c, g)
	case dotsID:
		err = c.errorf("Dots and Boxes is written as a JSON object")
	default:
		err = readStones(c, f, g)
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

// Append writes one game. Attempts that were refused are left out, and so is what
// the form has no words for: times, options, the reason of the result. The error
// tells what cannot be written: a game without a form, another size, a start
// position.
func Append(dst []byte, g *record.Game) ([]byte, error) {
	f, err := formFor(g.Spec)
	if err != nil {
		return dst, err
	}
	if g.Start != "" {
		return dst, errors.New("CCGC records begin at the initial position")
	}
	var b []byte
	switch f.id {
	case "amazons":
		b, err = appendAmazons(f, g)
	case dotsID:
		b, err = appendDots(g)
	default:
		b, err = appendStones(f, g)
	}
	if err != nil {
		return dst, err
	}
	if v, _ := g.Tag(TagCharset); v == charsetGBK {
		if b, err = simplifiedchinese.GBK.NewEncoder().Bytes(b); err != nil {
			return dst, fmt.Errorf("not all of the record can be written in GBK: %w", err)
		}
	}
	return append(dst, b...), nil
}

// cursor walks over a text and knows where it is. Columns count bytes.
type cursor struct {
	text         string
	at           int
	line, column int
}

func (c *cursor) rest() string { return c.text[c.at:] }

func (c *cursor) done() bool { return c.at >= len(c.text) }

func (c *cursor) skip(n int) {
	for _, b := range []byte(c.text[c.at : c.at+n]) {
		c.column++
		if b == '\n' {
			c.line++
			c.column = 1
		}
	}
	c.at += n
}

// blanks moves past blanks and whatever separates moves.
func (c *cursor) blanks() {
	for !c.done() {
		r, n := utf8.DecodeRuneInString(c.rest())
		if r > ' ' && !strings.ContainsRune(";,；，、\u3000\ufeff", r) {
			return
		}
		c.skip(n)
	}
}

func (c *cursor) errorf(format string, args ...any) *record.Error {
	return record.Errorf(c.line, c.column, format, args...)
}
