// Package importing reads files of records into a game base.
package importing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/internal/spread"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/record/gamebase"
	"kibitz/record/gamebase/index"
	"kibitz/record/replay"
	"kibitz/rules"
)

// Importer reads files into a base.
type Importer struct {
	To *gamebase.Adder
	// Plies is how many plies of each game are indexed, 0 for all.
	Plies int
	// Load reads the games of a file in parts, until each returns false; Open the rules of
	// a game.
	Load func(file string, each func([]*record.Game) bool) error
	Open func(game.Spec) (rules.Rules, error)
	// Variations takes each variation as a game; libraries are always read so.
	Variations bool
	// Remark is told what is wrong with files, RemarkGame what is wrong with single games.
	Remark, RemarkGame func(text string)
	// FileDone is told that a file was read, or could not be.
	FileDone func()
	// Drain is closed when the import is to end.
	Drain <-chan struct{}
	Sum   Summary
}

// Summary counts what was read, as JSON.
type Summary struct {
	Type    string  `json:"type"`
	Files   int     `json:"files"`
	Unread  int     `json:"unread"`
	Games   int     `json:"games"`
	Added   int     `json:"added"`
	Known   int     `json:"known"`
	Illegal int     `json:"illegal"`
	Empty   int     `json:"empty"`
	Seconds float64 `json:"seconds"`
}

// mostRemarks is how many games that are not legal are named for each file.
const mostRemarks = 3

// Files imports files, and ends early when that is asked. An error is the base's own; that
// a file could not be read is told and counted.
func (im *Importer) Files(ctx context.Context, files []string) error {
	for _, name := range files {
		if im.drained() {
			break
		}
		if err := im.file(ctx, name); err != nil {
			if base := (*baseError)(nil); errors.As(err, &base) {
				return base.err
			}
			im.Sum.Unread++
			im.Remark(plain.OneLine(err))
		}
		im.Sum.Files++
		im.FileDone()
	}
	if err := im.To.Flush(ctx); err != nil {
		return err
	}
	im.Sum.Added, im.Sum.Known = im.To.Added, im.To.Known
	return nil
}

// Nothing reports whether none of so many files could be read.
func (s *Summary) Nothing(files int) bool { return s.Games == 0 && s.Unread == files }

// Print shows the summary to people.
func (s *Summary) Print(w io.Writer) {
	fmt.Fprintf(w, "%s of %s read: %d added, %d there already, %d not legal, %d without moves, %.1f s\n",
		plain.Count(s.Games, "game"), plain.Count(s.Files, "file"), s.Added, s.Known, s.Illegal, s.Empty, s.Seconds)
}

// Fault says why not all of so many files were imported, "" if they were.
func (s *Summary) Fault(files int) string {
	switch all := plain.Count(files, "file"); {
	case s.Unread > 0:
		return fmt.Sprintf("%d of %s not read whole", s.Unread, all)
	case s.Files < files:
		return fmt.Sprintf("stopped after %d of %s; the same command goes on", s.Files, all)
	}
	return ""
}

func (im *Importer) drained() bool {
	select {
	case <-im.Drain:
		return true
	default:
		return false
	}
}

// baseError is an error of the base, not of a record.
type baseError struct{ err error }

func (e *baseError) Error() string { return e.err.Error() }

// file imports the games of one file, those that could be read even if others could
// not.
func (im *Importer) file(ctx context.Context, name string) error {
	const chunk = 2048
	remarks, before := 0, 0
	var fault error
	unread := im.Load(name, func(list []*record.Game) bool {
		if im.Variations || strings.EqualFold(filepath.Ext(name), ".lib") {
			list = index.Lines(list)
		}
		n := max(len(list), before+1) // one game alone has no number
		for at := 0; at < len(list); at += chunk {
			part := list[at:min(at+chunk, len(list))]
			for i, e := range im.index(part, name) {
				im.Sum.Games++
				switch {
				case e.err != nil:
					im.Sum.Illegal++
					if remarks++; remarks <= mostRemarks {
						im.RemarkGame(plain.OneLine(record.InFile(formats.Label(name, before+at+i, n, part[i]), e.err)) + "; it is left out")
					}
				case len(e.entry.Game.Moves) == 0:
					im.Sum.Empty++
				default:
					if err := im.To.Add(ctx, e.entry); err != nil {
						fault = &baseError{err}
						return false
					}
				}
			}
			if im.drained() {
				return false
			}
		}
		before += len(list)
		return true
	})
	if fault != nil {
		return fault
	}
	if remarks > mostRemarks {
		im.RemarkGame(fmt.Sprintf("%s: %d more games are not legal and left out", name, remarks-mostRemarks))
	}
	return unread
}

// indexed is a game with its positions, or why it has none.
type indexed struct {
	entry gamebase.Entry
	err   error
}

// index replays games on every processor; the order stays.
func (im *Importer) index(list []*record.Game, source string) []indexed {
	out := make([]indexed, len(list))
	spread.Over(len(list), func(items iter.Seq[int]) {
		x := index.New(im.Plies)
		for i := range items {
			out[i] = im.entry(x, list[i], filepath.Base(source))
		}
	})
	return out
}

// entry replays a record. One that is not legal has no entry.
func (im *Importer) entry(x *index.Indexer, g *record.Game, source string) (out indexed) {
	l, err := replay.Play(g, im.Open)
	if err == nil && l.Illegal != nil {
		err = l.Illegal
	}
	if err != nil {
		return indexed{err: err}
	}
	out.entry, out.err = x.Entry(l, g, source)
	return out
}
