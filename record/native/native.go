// Package native reads and writes Kibitz's own record of a game: one JSON object,
// on one line, with all that is needed to repeat and to check the game.
//
// The object says its format and version. Readers ignore fields that they do not
// know and refuse versions above their own, so that fields may be added and
// meanings may not change. Decisions are in the game's own text; what reads and
// writes it is passed in, because records know no games.
package native

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"kibitz/game"
	"kibitz/record"
)

// Format and Version are what the object says of itself.
const (
	Format  = "kibitz-game"
	Version = 1
)

// MaxLine is the longest object that is read, in bytes.
const MaxLine = 64 << 20

// Text reads and writes the decisions of one game; rules.Rules is one.
type Text interface {
	ParseMove(text string) (game.Move, error)
	FormatMove(m game.Move) string
}

// Record is a game with what only this format holds.
type Record struct {
	record.Game
	// Attempt is 1 for the first time the game was played, 0 if unknown.
	Attempt int
	// Notices are what was told about each step, addressed, where the steps
	// alone do not say it (games with hidden facts); as long as Steps or nil.
	Notices [][]game.Notice
}

// Append writes a record as one line with its end.
func Append(dst []byte, r *Record, text Text) ([]byte, error) {
	w, err := toWire(r)
	if err != nil {
		return dst, err
	}
	used := new(int64)
	return w.append(dst, len(r.Steps), func(dst []byte, i int) ([]byte, error) {
		s, err := stepToWire(&r.Steps[i], text, 0, used)
		if err != nil {
			return dst, fault(i, err)
		}
		if r.Notices != nil {
			for _, n := range r.Notices[i] {
				s.Notices = append(s.Notices, noticeToWire(n, text))
			}
		}
		return s.append(dst)
	})
}

// Read returns the records of a file, one object a line. A line that cannot be
// read is left out; the error then joins a *record.Error for each, and the other
// records are returned beside it. open finds the text of a game.
func Read(in io.Reader, open func(game.Spec) (Text, error)) ([]*Record, error) {
	var list []*Record
	var errs []error
	sc := bufio.NewScanner(in)
	sc.Buffer(make([]byte, 64<<10), MaxLine)
	line := 0
	for sc.Scan() {
		line++
		b := bytes.TrimSpace(sc.Bytes())
		if len(b) == 0 {
			continue
		}
		r, err := Parse(b, open)
		if err != nil {
			if at, ok := errors.AsType[*record.Error](err); ok {
				at.Line = line
			} else {
				err = record.Errorf(line, 0, "%v", err)
			}
			errs = append(errs, err)
			continue
		}
		r.Line = line
		list = append(list, r)
	}
	if err := sc.Err(); err != nil {
		errs = append(errs, record.Errorf(line+1, 0, "%v", err))
	}
	return list, errors.Join(errs...)
}

// Parse reads one object, or a line of a hall's export that holds one.
func Parse(data []byte, open func(game.Spec) (Text, error)) (*Record, error) {
	var w wire
	err := w.decode(data)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field == "game" {
		inner, other := exported(data)
		if other != nil {
			return nil, other
		}
		if inner != nil {
			w, kind = wire{}, nil
			err = w.decode(inner)
		}
	}
	if err != nil {
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			return nil, record.Errorf(1, int(syntax.Offset), "not JSON: %v", err)
		case errors.As(err, &kind):
			return nil, record.Errorf(1, int(kind.Offset), "field %s holds a %s", kind.Field, kind.Value)
		}
		return nil, record.Errorf(1, 1, "%v", err)
	}
	if w.Format != Format {
		return nil, record.Errorf(1, 1, "format %q is not %q", w.Format, Format)
	}
	if w.Version < 1 || w.Version > Version {
		return nil, record.Errorf(1, 1, "version %d was written by a newer program: this one reads up to %d", w.Version, Version)
	}
	text, err := open(game.Spec(w.Game))
	if err != nil {
		return nil, record.Errorf(1, 1, "game %q: %v", w.Game, err)
	}
	return w.record(text)
}

// exported returns the record of a line of a hall's export, which holds a game of the hall
// beside it; nil if it is no such line. The error is that the hall had none to give.
func exported(data []byte) ([]byte, error) {
	var line struct {
		Record     json.RawMessage `json:"record"`
		Unreadable string          `json:"unreadable"`
	}
	if err := json.Unmarshal(data, &line); err != nil {
		return nil, nil //nolint:nilerr,nilnil // whoever decodes it as a record says what is wrong
	}
	if line.Record == nil && line.Unreadable != "" {
		return nil, record.Errorf(1, 1, "the hall had no record of this game to give: %s", game.Shown(line.Unreadable, 200))
	}
	return line.Record, nil
}

// fault names the step of an error.
func fault(n int, err error) error { return fmt.Errorf("step %d: %w", n+1, err) }
