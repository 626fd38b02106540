// Package formats is the list of record formats: it finds the one of a file by its name or
// its content, reads and writes files, and says what a format cannot hold. Formats
// themselves are the folders beside it; adding one is a folder and a line here.
package formats

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/record"
	"kibitz/record/boardtxt"
	"kibitz/record/ccgc"
	"kibitz/record/ggf"
	"kibitz/record/movetext"
	"kibitz/record/pgn"
	"kibitz/record/psq"
	"kibitz/record/rec"
	"kibitz/record/renlib"
	"kibitz/rules"
)

// Open opens the rules that a record names in any form.
type Open func(game.Spec) (rules.Rules, error)

// Set is the list of formats, for games whose rules it can open.
type Set struct{ open Open }

// New returns the list.
func New(open Open) *Set { return &Set{open} }

// Open opens the rules that a record names.
func (s *Set) Open(spec game.Spec) (rules.Rules, error) { return s.open(spec) }

// Format is one record format.
type Format struct {
	ID, Title string
	// Exts are the extensions of its files, its own first.
	Exts []string
	// Games are those that the format can hold, empty for any.
	Games []string
	// Appends tells that a file of two games is the two files one after the other,
	// Single that a file holds one game,
	// Lines that each game is one line, whatever stands around it.
	// Variations that it has a place for other lines.
	Appends, Single, Lines, Variations bool
	// Read returns the games of a file; spec is what the user named, for formats that do
	// not say. name lets a reader look for files beside it. Games that could be read are
	// returned even with an error.
	Read func(name string, data []byte, spec game.Spec) ([]*record.Game, error)
	// Write is nil for formats that are only read.
	Write func(w io.Writer, list []*record.Game) error
	// Beside returns files that belong to a written one, by their extensions; nil for
	// formats of one file.
	Beside func(list []*record.Game) (map[string][]byte, error)
	open   Open
}

// Holds tells whether a format can hold a game.
func (f *Format) Holds(id string) bool { return len(f.Games) == 0 || slices.Contains(f.Games, id) }

// All returns the formats, in the order in which they are shown.
func (s *Set) All() []Format {
	const (
		appends = true
		single  = true
	)
	othello, gomoku, darkchess := []string{"othello"}, []string{"gomoku"}, []string{"darkchess"}
	list := []Format{
		{
			ID: "json", Title: "Kibitz's own record", Exts: []string{".json", ".jsonl", ".ndjson"}, Appends: appends, Lines: true, Variations: true,
			Read: s.readNative, Write: s.WriteNative,
		},
		{ID: "ggf", Title: "GGF (Othello)", Exts: []string{".ggf"}, Games: othello, Appends: appends, Read: plain(ggf.Read), Write: writeGGF},
		{
			ID: "obf", Title: "Othello problems and positions", Exts: []string{".obf", ".script", ".scr"}, Games: othello, Appends: appends,
			Read: readOBF, Write: s.writeOBF,
		},
		{
			ID: "moves", Title: "Othello move strings (f5d6c3)", Exts: []string{".moves", ".f5d6"}, Games: othello, Appends: appends,
			Read: plain(movetext.Read), Write: each(movetext.Append),
		},
		{ID: "wthor", Title: "WTHOR game base", Exts: []string{".wtb"}, Games: othello, Read: readWthor, Write: writeWthor, Beside: namesOfWthor},
		{
			ID: "psq", Title: "Piskvork record", Exts: []string{".psq"}, Games: gomoku, Single: single, Read: one(psq.Read),
			Write: alone(noSwap(psq.Write)),
		},
		{
			ID: "rec", Title: "Gomotur record", Exts: []string{".rec"}, Games: gomoku, Single: single, Read: one(rec.Read),
			Write: alone(noSwap(rec.Write)),
		},
		{ID: "pos", Title: "five in a row as h8i9", Exts: []string{".pos"}, Games: gomoku, Appends: appends, Read: s.readPos, Write: writePos},
		{
			ID: "offset", Title: "five in a row openings relative to the centre", Exts: []string{".offset"}, Games: gomoku, Appends: appends,
			Read: s.readOffset, Write: s.writeOffset,
		},
		{ID: "renlib", Title: "RenLib library", Exts: []string{".lib"}, Games: gomoku, Single: single, Read: one(renlib.Read)},
		{ID: "sgf", Title: "Smart Game Format", Exts: []string{".sgf"}, Appends: appends, Variations: true, Read: readSGF, Write: writeSGF},
		{ID: "ccgc", Title: "CCGC record", Exts: []string{".ccgc"}, Games: ccgc.Games(), Appends: appends, Read: readCCGC, Write: writeCCGC},
		{
			ID: "ccgc-gbk", Title: "CCGC record in GBK", Exts: []string{".gbk"}, Games: ccgc.Games(), Appends: appends, Read: readCCGC,
			Write: writeCCGCinGBK,
		},
		{
			ID: "board", Title: "board.txt, record of a dark chess server or client", Exts: []string{".board"}, Games: darkchess, Single: single,
			Read: readBoard, Write: alone(writeBoard),
		},
		{
			ID: "board-room", Title: "board.txt as the dark chess server of 2021/22 kept it", Exts: []string{".room"}, Games: darkchess,
			Single: single, Read: readBoard, Write: alone(writeRoom),
		},
		{ID: "pgn", Title: "PGN, results for rating tools", Exts: []string{".pgn"}, Appends: appends, Read: plain(pgn.Read), Write: writePGN},
	}
	for i := range list {
		list[i].open = s.open
	}
	return list
}

// Find finds the format by its name id, or by the extension of a file.
func (s *Set) Find(name, id string) (Format, error) {
	ext := strings.ToLower(filepath.Ext(name))
	var known, exts []string
	for _, f := range s.All() {
		if f.ID == id || id == "" && slices.Contains(f.Exts, ext) {
			return f, nil
		}
		known, exts = append(known, f.ID), append(exts, f.Exts...)
	}
	switch {
	case id != "":
		return Format{}, fmt.Errorf("unknown format %q: known are %s", id, strings.Join(known, " "))
	case ext == ".txt":
		return Format{}, fmt.Errorf("%s: several formats are text: say which with --to or --from: %s", name, strings.Join(known, " "))
	}
	return Format{}, fmt.Errorf("%s: no record format has the extension %q: known are %s .txt", name, ext, strings.Join(exts, " "))
}

// Read reads a file in the named format, or the one that its extension or
// its content says. Games that could be read are returned even with an error.
func (s *Set) Read(name string, data []byte, spec game.Spec, id string) ([]*record.Game, error) {
	if id == "" && (name == "-" || strings.EqualFold(filepath.Ext(name), ".txt")) {
		if id = Sniff(data, spec); id == "" {
			return nil, record.InFile(name, record.Errorf(0, 0, "no record format of %s looks like this", spec.ID()))
		}
	}
	f, err := s.Find(name, id)
	if err != nil {
		return nil, err
	}
	if id := spec.ID(); id != "" {
		if err := f.Check(id); err != nil {
			return nil, record.InFile(name, record.Errorf(0, 0, "%v", err))
		}
	}
	list, err := f.Read(name, data, spec)
	return list, record.InFile(name, err)
}

// Check returns why a format cannot hold a game.
func (f *Format) Check(id string) error {
	if f.Holds(id) {
		return nil
	}
	return fmt.Errorf("format %s holds games of %s, not of %s", f.ID, strings.Join(f.Games, " "), id)
}

// Sniff guesses the format of a text file; "" if none looks like it.
func Sniff(data []byte, spec game.Spec) string {
	text := strings.TrimSpace(string(data[:min(len(data), 2000)]))
	switch {
	case ccgc.Looks(data):
		return "ccgc"
	case boardtxt.Looks(data):
		return "board"
	case strings.HasPrefix(text, "{"):
		return "json"
	case strings.Contains(text, "(;GM[Othello]"):
		return "ggf"
	case strings.HasPrefix(text, "(;"):
		return "sgf"
	case strings.HasPrefix(text, "Piskvorky "):
		return "psq"
	case strings.HasPrefix(text, "[Event "):
		return "pgn"
	}
	first, _, _ := strings.Cut(text, "\n")
	if id := spec.ID(); id != "" && id != "gomoku" && id != "othello" {
		return ""
	}
	if spec.ID() == "gomoku" {
		if strings.ContainsAny(first, "abcdefghijklmnopqrstuvwxyz") {
			return "pos"
		}
		return "offset"
	}
	cells, _, _ := strings.Cut(first, " ")
	if len(cells) == 64 {
		return "obf"
	}
	return "moves"
}

func plain(read func([]byte) ([]*record.Game, error)) func(string, []byte, game.Spec) ([]*record.Game, error) {
	return func(_ string, data []byte, _ game.Spec) ([]*record.Game, error) { return read(data) }
}

func each(app func([]byte, *record.Game) ([]byte, error)) func(io.Writer, []*record.Game) error {
	return func(w io.Writer, list []*record.Game) error {
		for _, g := range list {
			b, err := app(nil, g)
			if err != nil {
				return fmt.Errorf("game %s: %w", g.ID, err)
			}
			if _, err := w.Write(append(b, '\n')); err != nil {
				return err
			}
		}
		return nil
	}
}
