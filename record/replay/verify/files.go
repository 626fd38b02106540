package verify

import (
	"fmt"
	"io"

	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/record/folder"
	"kibitz/record/formats"
	"kibitz/rules"
)

// Files judges the games of files, and prints a line for each.
type Files struct {
	Book *Book
	Load func(file string) ([]*record.Game, error)
	// Game is the game, in words, that all must be of, and Rules its rules; empty for any.
	Game  string
	Rules rules.Rules
	W     io.Writer
	// JSON prints an object for each game, Quiet nothing of games that are legal.
	JSON, Quiet bool
	// Warn is told what belongs to no single game.
	Warn func(text string)

	games, bad, files, faulty int
	nothing                   bool // a file could not be read at all
}

// Expand returns the files of the folders of runs among names, whose journals say what their games
// must agree with.
func (f *Files) Expand(names []string) (files []string, err error) {
	for _, name := range names {
		list, isRun, err := folder.Records(name)
		if err == nil && isRun {
			err = f.Book.readJournal(name)
		}
		if err != nil {
			return nil, err
		}
		files = append(files, list...)
	}
	return files, nil
}

// Judge judges the games of files. What cannot be read is told, and counts.
func (f *Files) Judge(files []string) error {
	for _, name := range files {
		list, err := f.Load(name)
		if f.files++; err != nil {
			f.faulty++
			f.nothing = f.nothing || len(list) == 0
			f.Warn(plain.OneLine(err))
		}
		for i, g := range list {
			if err := f.judge(name, formats.Label(name, i, len(list), g), i+1, g); err != nil {
				return err
			}
		}
	}
	issues, open := f.Book.settle()
	for _, text := range issues {
		f.Warn(text)
	}
	f.bad += len(issues)
	for _, text := range f.Book.unrecorded() {
		f.Warn(text)
	}
	if open > 0 && !f.Quiet {
		f.Warn(fmt.Sprintf("the seeds of %s are not among these files; give the folder of the run", plain.Count(open, "shuffled game")))
	}
	return nil
}

func (f *Files) judge(name, title string, number int, g *record.Game) error {
	f.games++
	v, l := f.Book.game(name, g)
	v.Number = number
	v.add(otherGame(l, f.Game, f.Rules))
	v.add(f.Book.Check(title, g, l))
	if !v.right() {
		f.bad++
	}
	if f.JSON {
		return plain.JSONLine(f.W, v)
	}
	v.print(f.W, title, f.Quiet)
	return nil
}

// Nothing reports whether there was no game because files could not be read.
func (f *Files) Nothing() bool { return f.nothing && f.games == 0 }

// Fault says what is wrong with the games and files together; empty if nothing is.
func (f *Files) Fault() string {
	switch {
	case f.faulty > 0:
		return fmt.Sprintf("%d of %s not right, %d of %s not read whole", f.bad, plain.Count(f.games, "game"), f.faulty,
			plain.Count(f.files, "file"))
	case f.bad > 0:
		return fmt.Sprintf("%d of %s not right", f.bad, plain.Count(f.games, "game"))
	}
	return ""
}

// Games is how many there were.
func (f *Files) Games() int { return f.games }
