package records

import (
	"context"
	"errors"
	"fmt"

	"kibitz/game"
	"kibitz/hall/problem"
)

// TextReader reads games that somebody has at hand, and writes those of analysis boards, with
// variations and comments. The server knows no rules: whoever does implements it. Errors are one
// line for people.
type TextReader interface {
	// ReadText reads a text in whatever form it is. name is that of its file, spec what is
	// played; both may be empty.
	ReadText(ctx context.Context, name string, data []byte, spec game.Spec) (*Pasted, error)
	// WriteTree writes a game in a format. Where its first line is that of a record in
	// Kibitz's own format, which may be nil, it has also what that record tells.
	WriteTree(ctx context.Context, t *TreeWish, record []byte, format string) ([]byte, error)
}

// Bounds of texts and trees.
const (
	// MaxText is how many bytes of a text are read.
	MaxText = 1 << 20
	// MaxTree is how many decisions a tree has, and how many the games of one text are answered with.
	MaxTree = 5000
)

// Pasted is what a text holds.
type Pasted struct {
	Form  string     `json:"form" doc:"what it was read as"`
	Count int        `json:"count" doc:"how many games it holds"`
	Games []TreeView `json:"games" doc:"the first of them, at most 5000 decisions in all"`
}

// TreeView is a game with its variations.
type TreeView struct {
	Spec     string         `json:"spec"`
	Position string         `json:"position,omitempty" doc:"that it begins from"`
	Names    [2]string      `json:"names"`
	Date     string         `json:"date,omitempty"`
	Steps    []TreeStepView `json:"steps"`
	Illegal  *Illegal       `json:"illegal,omitempty" doc:"what the rules refuse; the game is read up to it"`
}

// Illegal is a decision of a record that the rules refuse.
type Illegal struct {
	N    int    `json:"n" doc:"its number, from 1"`
	Move string `json:"move"`
	Text string `json:"text" doc:"why, and where it stands"`
}

// TreeStepView is a decision of such a game.
type TreeStepView struct {
	ReplayStep
	Variations [][]TreeStepView `json:"variations,omitempty" doc:"what else was looked at instead of it"`
}

// TreeWish is a game that is to be written.
type TreeWish struct {
	Spec     string         `json:"spec" minLength:"1" maxLength:"200" doc:"what is played: gomoku:rule=renju"`
	Position string         `json:"position,omitempty" maxLength:"8000" doc:"in the game's text form; empty for the initial one"`
	Names    [2]string      `json:"names,omitempty" doc:"who played"`
	Steps    []TreeStepWish `json:"steps,omitempty" maxItems:"5000"`
	From     int            `json:"from,omitempty" minimum:"0" maximum:"5000" doc:"begins with the position after so many decisions"`
}

// TreeStepWish is a decision of it.
type TreeStepWish struct {
	Move       string           `json:"move" minLength:"1" maxLength:"100" doc:"in the journal's form"`
	Comment    string           `json:"comment,omitempty" maxLength:"10000"`
	Variations [][]TreeStepWish `json:"variations,omitempty" maxItems:"100" doc:"what else was looked at instead of it"`
}

// Size counts the decisions of a line with its variations.
func Size(steps []TreeStepWish) (n int) {
	for i := range steps {
		n++
		for _, v := range steps[i].Variations {
			n += Size(v)
		}
	}
	return n
}

// Texts read texts, two at a time, and write analyses.
type Texts struct {
	reader TextReader
	games  *Games
	turns  chan struct{}
}

// NewTexts returns Texts; without a reader there are none.
func NewTexts(r TextReader, games *Games) *Texts { return &Texts{r, games, make(chan struct{}, 2)} }

// TextQuery is a text.
type TextQuery struct {
	Body struct {
		Text string `json:"text" maxLength:"1048576" doc:"a record in any format, moves as people write them, a console's transcript, a table of games"`
		Name string `json:"name,omitempty" maxLength:"200" doc:"name of its file, if it is one"`
		Spec string `json:"spec,omitempty" maxLength:"200" doc:"what is played, where it is known: the text is read as that alone"`
	}
}

// Read reads a text in whatever form it is.
func (x *Texts) Read(ctx context.Context, in *TextQuery) (*Pasted, error) {
	if x.reader == nil {
		return nil, problem.ErrAbsent
	}
	select {
	case x.turns <- struct{}{}:
		defer func() { <-x.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	b := &in.Body
	found, err := x.reader.ReadText(ctx, b.Name, []byte(b.Text), game.Spec(b.Spec))
	if p := (*problem.Problem)(nil); err != nil && !errors.As(err, &p) {
		return nil, Unread(err, 0)
	}
	return found, err
}

// Why a text is not taken, or no file written.
const (
	// whyUnread: it is in no form; whyUntil: N decisions of it could be read.
	whyUnread game.WhyCode = "unread"
	whyUntil  game.WhyCode = "readuntil"
	// whyNoPosition: the rules know no such position, or no such decisions from it.
	whyNoPosition game.WhyCode = "noposition"
	// whyUnwritten: the format cannot hold it.
	whyUnwritten game.WhyCode = "unwritten"
)

// Unreads are those of which who reads English is told more, by the rules and the formats.
func Unreads() []game.WhyCode {
	return []game.WhyCode{whyUnread, whyUntil, whyNoPosition, whyUnwritten}
}

// Unread is the problem of a text that is in no form, of which so many decisions could be read.
func Unread(err error, legal int) error {
	if legal > 0 {
		return problem.Input(problem.OneLine(err)).Because(whyUntil, legal)
	}
	return problem.Input(problem.OneLine(err)).Because(whyUnread)
}

// NoPosition is the problem of a position that the rules do not know.
func NoPosition(err error) error { return problem.Input(problem.OneLine(err)).Because(whyNoPosition) }

// unwritten is the problem of what a format cannot hold.
func unwritten(err error) error { return problem.Input(problem.OneLine(err)).Because(whyUnwritten) }

// TreeQuery asks for a game in a format.
type TreeQuery struct {
	Body struct {
		TreeWish
		Format string `json:"format,omitempty" maxLength:"40" doc:"of GET /api/v1/formats; Kibitz's own if it is not given"`
		Game   string `json:"game,omitempty" maxLength:"64" doc:"the game that is over whose variations these are: what its record tells is told too"`
	}
}

// Write returns a game in a format.
func (x *Texts) Write(ctx context.Context, in *TreeQuery) (File, error) {
	b := &in.Body
	if x.reader == nil {
		return File{}, problem.ErrAbsent
	}
	if err := Readable(&BoardWish{Spec: b.Spec, Position: b.Position}); err != nil {
		return File{}, err
	}
	if n := Size(b.Steps); n > MaxTree {
		return File{}, problem.At("#/steps", problem.Input(fmt.Sprintf("steps: they are %d with all variations, want at most %d", n, MaxTree)).
			Because("too-large"))
	}
	ext, err := x.games.Writes(b.Format)
	if err != nil {
		return File{}, err
	}
	name, record := "analysis", []byte(nil)
	if b.Game != "" {
		g, data, err := x.games.Finished(ctx, b.Game)
		if err != nil {
			return File{}, err
		}
		name, record = g.ID, data
	}
	data, err := x.reader.WriteTree(ctx, &b.TreeWish, record, b.Format)
	if err != nil {
		return File{}, unwritten(err)
	}
	return fileOf(name+ext, b.Format, data), nil
}
