package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/record"
	"kibitz/record/boardtxt"
	"kibitz/record/ccgc"
	"kibitz/record/ggf"
	"kibitz/record/movetext"
	"kibitz/record/obf"
	"kibitz/record/wthor"
)

// format is one record format; the list below is explicit, adding one is a folder
// under record and an entry here.
type format struct {
	id, title string
	exts      []string
	// games are those the format can hold, empty for any.
	games []string
	// read returns the games of a file; spec is what the user named, for formats
	// that do not say. name lets a reader look for files beside it.
	read func(name string, data []byte, spec game.Spec) ([]*record.Game, error)
	// write is nil for formats that are only read.
	write func(w io.Writer, list []*record.Game) error
	// appends tells that a file of two games is the two files one after the other,
	// single that a file holds one game.
	appends, single bool
	// beside returns files that belong to a written one, by their extensions; nil for
	// formats of one file.
	beside func(list []*record.Game) (map[string][]byte, error)
}

func formats() []format {
	return []format{
		{"json", "Kibitz's own record", []string{".json", ".jsonl"}, nil, readNative, writeNative, true, false, nil},
		{"ggf", "GGF (Othello)", []string{".ggf"}, []string{"othello"}, plain(ggf.Read), writeGGF, true, false, nil},
		{"obf", "Othello problems and positions", []string{".obf", ".script", ".scr"}, []string{"othello"}, readOBF, writeOBF, true, false, nil},
		{"moves", "Othello move strings (f5d6c3)", []string{".moves", ".f5d6"}, []string{"othello"}, plain(movetext.Read), each(movetext.Append), true, false, nil},
		{"wthor", "WTHOR game base", []string{".wtb"}, []string{"othello"}, readWthor, writeWthor, false, false, namesOfWthor},
		{"psq", "Piskvork record", []string{".psq"}, []string{"gomoku"}, readPSQ, writePSQ, false, true, nil},
		{"rec", "Gomotur record", []string{".rec"}, []string{"gomoku"}, readRec, writeRec, false, true, nil},
		{"pos", "five in a row as h8i9", []string{".pos"}, []string{"gomoku"}, readPos, writePos, true, false, nil},
		{"offset", "five in a row openings relative to the centre", []string{".offset"}, []string{"gomoku"}, readOffset, writeOffset, true, false, nil},
		{"renlib", "RenLib library", []string{".lib"}, []string{"gomoku"}, readRenlib, nil, false, true, nil},
		{"sgf", "Smart Game Format", []string{".sgf"}, nil, readSGF, writeSGF, true, false, nil},
		{"ccgc", "CCGC record", []string{".ccgc"}, ccgc.Games(), readCCGC, writeCCGC, true, false, nil},
		{"ccgc-gbk", "CCGC record in GBK", []string{".gbk"}, ccgc.Games(), readCCGC, writeCCGCinGBK, true, false, nil},
		{"board", "board.txt, record of a dark chess server or client", []string{".board"}, []string{"darkchess"}, readBoard, writeBoard, false, true, nil},
		{"board-room", "board.txt as the dark chess server of 2021/22 kept it", []string{".room"}, []string{"darkchess"}, readBoard, writeRoom, false, true, nil},
		{"pgn", "PGN, results for rating tools", []string{".pgn"}, nil, readPGN, writePGN, true, false, nil},
	}
}

// formatOf finds the format by name, or by the extension of a file.
func formatOf(name, id string) (format, error) {
	ext := strings.ToLower(filepath.Ext(name))
	var known []string
	for _, f := range formats() {
		if f.id == id || id == "" && slices.Contains(f.exts, ext) {
			return f, nil
		}
		known = append(known, f.id)
	}
	if id != "" {
		return format{}, fmt.Errorf("unknown format %q: known are %s", id, strings.Join(known, " "))
	}
	if ext == ".txt" {
		return format{}, fmt.Errorf("%s: several formats are text: say which with --to or --from: %s", name, strings.Join(known, " "))
	}
	return format{}, fmt.Errorf("%s: no record format has the extension %q: known are %s", name, ext, strings.Join(extensions(), " "))
}

func extensions() []string {
	var out []string
	for _, f := range formats() {
		out = append(out, f.exts...)
	}
	return append(out, ".txt")
}

// readRecords reads a file in the named format, or the one that its extension or
// its content says. Games that could be read are returned even with an error.
func readRecords(name string, data []byte, spec game.Spec, id string) ([]*record.Game, error) {
	if id == "" && (name == "-" || strings.EqualFold(filepath.Ext(name), ".txt")) {
		if id = sniff(data, spec); id == "" {
			return nil, fmt.Errorf("%s: no record format of %s looks like this", name, spec.ID())
		}
	}
	f, err := formatOf(name, id)
	if err != nil {
		return nil, err
	}
	if id := spec.ID(); id != "" && len(f.games) > 0 && !slices.Contains(f.games, id) {
		return nil, fmt.Errorf("%s: format %s holds games of %s, not of %s", name, f.id, strings.Join(f.games, " "), id)
	}
	list, err := f.read(name, data, spec)
	return list, inFile(name, err)
}

// sniff guesses the format of a text file.
func sniff(data []byte, spec game.Spec) string {
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

// inFile puts the file's name into errors that know their line.
func inFile(name string, err error) error {
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		var out []error
		for _, e := range joined.Unwrap() {
			out = append(out, inFile(name, e))
		}
		return errors.Join(out...)
	}
	var at *record.Error
	if errors.As(err, &at) {
		e := *at
		e.File = name
		return &e
	}
	return fmt.Errorf("%s: %w", name, err)
}

func plain(read func([]byte) ([]*record.Game, error)) func(string, []byte, game.Spec) ([]*record.Game, error) {
	return func(_ string, data []byte, _ game.Spec) ([]*record.Game, error) { return read(data) }
}

// each writes one line for each game.
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

func writeGGF(w io.Writer, list []*record.Game) error { return ggf.Write(w, list...) }

func readOBF(_ string, data []byte, _ game.Spec) ([]*record.Game, error) {
	list, err := obf.Read(data)
	var out []*record.Game
	for i := range list {
		out = append(out, &record.Game{Spec: "othello", Start: list[i].Text(), Line: list[i].Line})
	}
	return out, err
}

// writeOBF writes the last position of each game.
func writeOBF(w io.Writer, list []*record.Game) error {
	for _, g := range list {
		s, err := finalState(g)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s;\n", s.Text()); err != nil {
			return err
		}
	}
	return nil
}

// readWthor reads a game base; names come from files beside it, those of its own name
// (x.jou, x.trn) or the WTH.JOU and WTH.TRN that all bases of a folder share.
func readWthor(name string, data []byte, _ game.Spec) ([]*record.Game, error) {
	base, err := wthor.ReadGames(data)
	if err != nil {
		return nil, err
	}
	players, tournaments := wthorNames(name, "jou", wthor.Players), wthorNames(name, "trn", wthor.Tournaments)
	out := make([]*record.Game, len(base.Games))
	for i := range out {
		if out[i], err = base.Record(i, players, tournaments); err != nil {
			return out[:i], err
		}
	}
	return out, nil
}

func wthorNames(name, ext string, kind wthor.Kind) *wthor.Names {
	if name == "-" {
		return nil
	}
	big := strings.ToUpper(ext)
	own := strings.TrimSuffix(name, filepath.Ext(name)) + "."
	shared := filepath.Dir(name) + string(filepath.Separator)
	for _, file := range []string{own + ext, own + big, shared + "WTH." + big, shared + "WTHOR." + big, shared + "wth." + ext, shared + "wthor." + ext} {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if n, err := wthor.ReadNames(data, kind); err == nil {
			return n
		}
	}
	return nil
}

// writeWthor writes the games; their names belong into files beside it.
func writeWthor(w io.Writer, list []*record.Game) error {
	base, _, _, err := wthor.FromRecords(list)
	if err == nil {
		_, err = w.Write(base.Append(nil))
	}
	return err
}

func namesOfWthor(list []*record.Game) (map[string][]byte, error) {
	_, players, tournaments, err := wthor.FromRecords(list)
	if err != nil {
		return nil, err
	}
	jou, err := players.Append(nil, wthor.Players)
	if err != nil {
		return nil, err
	}
	trn, err := tournaments.Append(nil, wthor.Tournaments)
	return map[string][]byte{".jou": jou, ".trn": trn}, err
}
