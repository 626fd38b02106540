package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/internal/wholefile"
	"kibitz/record"
	"kibitz/record/folder"
	"kibitz/record/formats"
	"kibitz/record/paste"
)

// records are the formats of records, of all games.
func records() *formats.Set { return formats.New(new(games.Opener).OpenSpec) }

// loadRecords reads the games of a file; - is stdin. Where neither its name nor a flag says the format, all
// forms are tried.
func loadRecords(a *app, name, spec, id string) ([]*record.Game, error) {
	ext := strings.ToLower(filepath.Ext(name))
	if id != "" || name != "-" && ext != ".txt" && ext != ".csv" && ext != ".log" || wholefile.IsFolder(name) {
		return records().Load(a.stdin, name, spec, id)
	}
	data, err := os.ReadFile(name)
	if name == "-" {
		data, err = io.ReadAll(a.stdin)
	}
	if err != nil {
		return nil, err
	}
	found, bad := pasted(name, data, spec)
	if bad == nil {
		if found.Plain {
			fmt.Fprintf(a.stderr, "%s is read as %s\n", name, found.Form)
		}
		return found.Games, nil
	}
	list, err := records().LoadText(name, data, spec)
	if err != nil && len(list) == 0 {
		err = fmt.Errorf("%s: %w", name, bad)
	}
	return list, err // the games of a format, though not all are legal
}

// ruled gives games of a file in the folder of a run the results that count; whole runs are read with them.
func ruled(name string, list []*record.Game) ([]*record.Game, error) {
	if wholefile.IsFolder(name) {
		return list, nil
	}
	left, err := new(folder.Runs).Rule(name, list)
	if err == nil && len(left) == 0 {
		err = fmt.Errorf("%s: the game was annulled by an organiser of its run", name)
	}
	return left, err
}

// pasted reads a text in whatever form it is.
func pasted(name string, data []byte, spec string) (paste.Found, error) {
	r := paste.Reader{Formats: records(), Games: catalog.Specs(), Consoles: catalog.Consoles()}
	return r.Read(name, data, game.Spec(spec))
}

// checkReading returns why no file can be read as a game and a format that a command
// line names; either may be empty.
func checkReading(spec, id string) error {
	var f formats.Format
	var err error
	if id != "" {
		if f, err = records().Find("", id); err != nil {
			return fmt.Errorf("--from: %w", err)
		}
	}
	if spec == "" {
		return nil
	}
	r, err := games.Open(spec)
	if err != nil {
		return fmt.Errorf("--game: %w", err)
	}
	if g := r.Spec().ID(); !f.Holds(g) {
		return fmt.Errorf("--from %s: the format holds games of %s, not of %s", id, strings.Join(f.Games, " "), g)
	}
	return nil
}

// saveOut writes games into the file of --out, and says so.
func saveOut(a *app, f *formats.Format, file string, list []*record.Game) error {
	if _, err := f.Save(file, list); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	fmt.Fprintf(a.stderr, "%s written to %s (%s)\n", plain.Count(len(list), "game"), file, f.Title)
	return nil
}

// onlyGame returns the game of a file alone whose number a flag gives, all for 0.
func onlyGame(list []*record.Game, flag string, n int, file string) ([]*record.Game, error) {
	switch {
	case n == 0:
		return list, nil
	case n < 0 || n > len(list):
		return nil, fmt.Errorf("%s %d: %s has %s", flag, n, file, plain.Count(len(list), "game"))
	}
	return list[n-1 : n], nil
}
