package records

import (
	"context"
	"time"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/hall/hub"
	"kibitz/hall/live"
	"kibitz/hall/store"
	"kibitz/journal"
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
	// Variations tells that a file has a place for other lines and for comments.
	Variations bool `json:"variations,omitempty"`
}

// Converter writes records in other formats.
type Converter interface {
	Formats() []Format
	// Convert turns a record in Kibitz's own format into another one; its errors are
	// one line for people.
	Convert(ctx context.Context, record []byte, format string) ([]byte, error)
	// Rule puts the result that a person has set into a record in Kibitz's own format, which
	// then says so; note is who did it and why.
	Rule(ctx context.Context, record []byte, result game.Result, note string) ([]byte, error)
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
	// Import reads the finished games of a file that the rules of their games allow. Each
	// takes them in parts and in order, until it returns an error, which is returned. There
	// is one line for each game that was left out. format is empty to go by the file's name;
	// spec is for formats that do not say what is played.
	Import(ctx context.Context, name string, data []byte, format string, spec game.Spec, each func([]Imported) error) ([]string, error)
}

// Replays answers with whole finished games, decision by decision. The server knows no
// rules: whoever does implements it.
type Replays interface {
	// Replay shows a finished game, given as a record in Kibitz's own format, as
	// everyone may see it once the game is over. Its errors are one line for people.
	Replay(ctx context.Context, record []byte) (*Replayed, error)
}

// Replayed is a finished game.
type Replayed struct {
	// Views are the boards after 0, 1, 2, … decisions.
	Views []*game.View
	Steps []Step
	// Clocks are the time controls of the seats, Final how both stood at the end; nil where that is not known.
	Clocks [2]string
	Final  *[2]journal.Clock
	// Engines are what the engines in the seats called themselves.
	Engines [2]string
	// Start is the text of the position that it begins from, empty for the initial one.
	Start string
}

// Step is a decision of a finished game.
type Step struct {
	By game.Seat
	// Text is in the journal's form, Name as boards call it.
	Text, Name               string
	Used, Error              time.Duration
	Forced, Opening, Refused bool
	// Ended tells that it completed a turn.
	Ended   bool
	Info    *game.Info
	Comment string
}

// ReplayStep is a decision for scripts. Times are in milliseconds.
type ReplayStep struct {
	live.Entry
	Name    string     `json:"name"`
	Said    *live.Said `json:"said,omitempty"`
	Comment string     `json:"comment,omitempty"`
}

// StepOf shows a decision.
func StepOf(s *Step) ReplayStep {
	x := ReplayStep{Entry: live.Entry{
		By: wire.SeatOf(s.By), Steps: []string{s.Text}, Refused: s.Refused, Forced: s.Forced, Opening: s.Opening, Ended: s.Ended,
		Used: s.Used.Milliseconds(), Error: s.Error.Milliseconds(),
	}, Name: s.Name, Comment: s.Comment}
	if s.Info != nil {
		x.Said = hub.SaidOf(s.Info)
	}
	return x
}

// LineReader answers with what happens on an analysis board. The server knows no rules:
// whoever does implements it.
type LineReader interface {
	// Line plays decisions from a position (empty for the initial one) and returns the
	// boards after from, from+1, … of them. Its errors are one line for people.
	Line(ctx context.Context, spec game.Spec, position string, moves []string, from int) (*Line, error)
	// Setup composes a position that somebody has set up. Its errors are one line for people.
	Setup(ctx context.Context, w *SetupWish) (*Setup, error)
	// Branches are the positions that a position leads to. Its errors are one line for people.
	Branches(ctx context.Context, spec game.Spec, position string, moves []string) (*Branches, error)
}

// PositionSolver is implemented by readers of lines that can decide positions.
type PositionSolver interface {
	// Solve decides a position, if that takes no longer than a page may wait. Its errors are one
	// line for people.
	Solve(ctx context.Context, spec game.Spec, position string) (*Solved, error)
}

// Solved is what is certain of a position.
type Solved struct {
	// Decided tells that the result of best play is known: Winner wins, or nobody does. Line is how
	// it goes on.
	Decided bool
	Winner  game.Seat
	Line    []string
	// Only tells that every other decision than the first of Line is worth less to who is on turn.
	Only bool
}

// SetupWish is a board as somebody set it up, in the letters of views.
type SetupWish struct {
	Spec    string         `json:"spec" minLength:"1" maxLength:"200" doc:"what is played: gomoku:rule=renju"`
	Pieces  string         `json:"pieces" maxLength:"4000" doc:"a letter for each point, row by row from the top left, a dot where nothing stands"`
	Lines   []wire.Line    `json:"lines,omitempty" maxItems:"500" doc:"of a board of dots: column, row, 1 if vertical, seat"`
	Seat    wire.Seat      `json:"seat,omitempty" enum:"first,second" default:"first" doc:"who is to move"`
	Colours [2]wire.Colour `json:"colours,omitempty" doc:"what the seats play with, where it changes from game to game"`
	Taken   string         `json:"taken,omitempty" maxLength:"100" doc:"letters of pieces that have left the board, where others lie face down"`
}

// Setup is a position that was composed of a board.
type Setup struct {
	Spec game.Spec
	Text string
	View *game.View
	// Doubt is a word for why no game leads there, empty if nothing is known of it; Count is how
	// many pieces there are more than turns.
	Doubt string
	Count int
}

// Line is a run of decisions on an analysis board, where nothing is hidden.
type Line struct {
	// Spec is the canonical specification.
	Spec game.Spec
	// Views are the boards after from, from+1, … decisions, Steps what lies between.
	Views []*game.View
	Steps []Step
	// Legal are the decisions that stand if they are made at the end; of dark chess a
	// flip is followed by one of Deals.
	Legal []string
	Deals []Deal
	// Result is that of the board, nil if the game is not over there.
	Result *game.Result
}

// Deal is what chance may decide next.
type Deal struct {
	Step string `json:"step" doc:"in the journal's form"`
	// Piece is the letter of what is dealt in views.
	Piece string `json:"piece" doc:"letter of the piece in views"`
	Count int    `json:"count" doc:"how many of it are left"`
}
