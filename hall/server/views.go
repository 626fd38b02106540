package server

import (
	"context"
	"time"

	"kibitz/game"
	"kibitz/hall/store"
)

// Views answers with boards of finished games and of positions that people set up.
// The server knows no rules: whoever does implements it.
type Views interface {
	// View shows a finished game, given as a record in Kibitz's own format, after so
	// many plies (decisions), as everyone may see it once the game is over.
	View(ctx context.Context, record []byte, ply int) (*game.View, error)
	// Position checks a position: spec, its text (empty for the initial one) and the
	// decisions made from there. It returns how it looks and the key under which the
	// games that went through it are found. Errors are one line for people.
	Position(ctx context.Context, spec game.Spec, position string, moves []string) (*game.View, int64, error)
}

// Format is a format of records.
type Format struct {
	// ID is a word, Title a line for people, Ext an extension with its dot.
	ID    string `json:"id"`
	Title string `json:"title"`
	Ext   string `json:"ext"`
	// Games are the identifiers of games that it can hold, empty for all.
	Games []string `json:"games"`
	// Reads and Writes tell what can be done with it here.
	Reads  bool `json:"reads"`
	Writes bool `json:"writes"`
}

// Converter writes records in other formats.
type Converter interface {
	Formats() []Format
	// Convert turns a record in Kibitz's own format into another one; its errors are
	// one line for people.
	Convert(ctx context.Context, record []byte, format string) ([]byte, error)
}

// Imported is a game that was read from a file.
type Imported struct {
	Spec    game.Spec
	Names   [2]string
	Result  game.Result
	Plies   int
	Seconds [2]float64
	Opening string
	// Played is when, as far as the record says; zero if it does not.
	Played time.Time
	Speed  string
	// Record is in Kibitz's own format, uncompressed.
	Record    []byte
	Positions []store.Position
}

// Importer reads records in every format.
type Importer interface {
	// Import returns the finished games of a file that the rules of their games
	// allow, and one line for each that was left out. format is empty to go by the
	// file's name; spec is for formats that do not say what is played.
	Import(ctx context.Context, name string, data []byte, format string, spec game.Spec) ([]Imported, []string, error)
}
