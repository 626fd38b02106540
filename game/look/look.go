// Package look says how a game is shown to people who press on its board: values that pages
// and scripts of browsers read. Drawings themselves are the browser's: a figure is named here.
package look

import (
	"fmt"
	"strings"

	"kibitz/game/wire"
)

// Look is how one game looks and is pressed. The zero value of a field that is not said to be
// optional means that somebody forgot it: Missing names it.
type Look struct {
	// Tile stands for the game where games are chosen.
	Tile Tile `json:"-"`
	// Pieces are the figures by the letters of a view.
	Pieces map[string]Piece `json:"pieces"`
	Early  Early            `json:"early"`
	Latest Latest           `json:"latest"`
	Hints  Hints            `json:"hints"`
	Home   Home             `json:"home"`
	Turned Turned           `json:"turned"`
	Labels Labels           `json:"labels"`
	Number Number           `json:"number"`
	Aid    Aid              `json:"aid"`
	Passes Passes           `json:"passes"`
	// Ranks are the kinds of pieces that are taken, the highest first, by the letters of the
	// first colour in upper case: each keeps a place beside the board. Optional.
	Ranks string `json:"ranks,omitempty"`
}

// Tile is a small square picture.
type Tile struct {
	// Ground is a colour, "#dfb36c".
	Ground string
	// Picture is SVG within 0 0 100 100.
	Picture string
}

// SVG is the picture on its ground, as the content of an svg element.
func (t Tile) SVG() string {
	return `<path fill="` + t.Ground + `" d="M0 0h100v100H0z"/>` + t.Picture
}

// Dots are round spots of a colour for a picture: their middles, "30 70".
func Dots(colour string, width int, at ...string) string {
	return fmt.Sprintf(`<path stroke="%s" stroke-width="%d" stroke-linecap="round" d="M%sh0"/>`, colour, width, strings.Join(at, "h0M"))
}

// Chequer is a ground of light and dark squares for a picture.
const Chequer = `<path stroke="#cfae7e" stroke-width="25" stroke-dasharray="25" d="M0 12.5h100M25 37.5h75M0 62.5h100M25 87.5h75"/>`

// Two are the pieces of a game with one kind: their letters, and what their names begin with.
func Two(f Figure, black, white, names string) map[string]Piece {
	return map[string]Piece{
		black: {Figure: f, Colour: Black, Name: names + ".black"},
		white: {Figure: f, Colour: White, Name: names + ".white"},
	}
}

// Piece is how a letter of a view is drawn and called.
type Piece struct {
	Figure Figure `json:"figure"`
	Colour Colour `json:"colour,omitempty"`
	// Glyph is what is written on a figure that has room for it. Optional.
	Glyph string `json:"glyph,omitempty"`
	// Name is a key of the words of boards: "piece.black".
	Name string `json:"name"`
}

// Figure is a shape that browsers can draw.
type Figure string

// The figures.
const (
	Stone  Figure = "stone"
	Dead   Figure = "dead"   // a stone that counts no more
	Disc   Figure = "disc"   // flat, with a rim of the other colour
	Amazon Figure = "amazon" // crowned
	Man    Figure = "man"    // a pawn
	Arrow  Figure = "arrow"  // in burnt ground
	Box    Figure = "box"    // in its owner's colour
	Face   Figure = "face"   // a disc with a glyph
	Back   Figure = "back"   // a disc that lies face down
)

// Colour is that of a figure; a box has none of its own, nor a back.
type Colour string

// The colours.
const (
	Black Colour = "black"
	White Colour = "white"
	Red   Colour = "red"
	Ink   Colour = "ink"
)

// Early is what can be planned before one's turn, and so how points are pressed.
type Early string

// The kinds of plans.
const (
	Place   Early = "place"
	Shift   Early = "shift"
	Flip    Early = "flip" // a piece is turned up, or shifted
	Edge    Early = "edge" // as many as one likes
	Shot    Early = "shot" // a piece is shifted, and shoots from there
	Pair    Early = "pair" // two stones
	Nothing Early = "none"
)

// Latest is how the latest move is shown.
type Latest string

// Marks stand on its points; a walk leads from the first to the second.
const (
	Marks Latest = "marks"
	Walk  Latest = "walk"
)

// Hints is when it is shown where one may go.
type Hints string

// The moments.
const (
	OnTurn Hints = "turn"
	Picked Hints = "picked" // when a piece was picked up
)

// Home is the seat whose side is at the bottom; the other one sees the board turned.
type Home string

// The seats.
const (
	First  Home = "first"
	Second Home = "second"
	Either Home = "either" // nobody's board is turned
)

// Turned is how a board may lie.
type Turned string

// By halves only, or on its side where its cells are larger so.
const (
	Halves   Turned = "halves"
	Quarters Turned = "quarters"
)

// Labels is where the names of columns and rows stand.
type Labels string

// The places.
const (
	Inside Labels = "inside"
	Beside Labels = "beside"
)

// Number is what numbers on stones count.
type Number string

// What is counted.
const (
	NoNumbers Number = "none"
	Stones    Number = "stones"
	Turns     Number = "turns" // the stones of a turn have the same number
)

// Aid is what helps to see the position, if it is asked for.
type Aid string

// The aids.
const (
	NoAid  Aid = "none"
	Chains Aid = "chains" // boxes that can be taken one after the other
)

// Passes is where one may pass whenever one is on turn.
type Passes string

// The places.
const (
	NoPasses     Passes = "none"
	Always       Passes = "always"
	OptionPasses Passes = "pass=true" // where the specification has this
)

// Sample is a position of a game on a small board, by which a reader chooses how boards look.
type Sample struct {
	Shape   wire.Shape     `json:"shape"`
	Ground  wire.Ground    `json:"ground"`
	Width   int            `json:"width"`
	Height  int            `json:"height"`
	Pieces  string         `json:"pieces"`
	Owners  string         `json:"owners"`
	Colours [2]wire.Colour `json:"colours"`
	Lines   []wire.Line    `json:"lines,omitempty"`
	Marks   []wire.Point   `json:"marks,omitempty"`
	// Moves led there, if it matters.
	Moves []string `json:"moves,omitempty"`
}

// Game is a game as pages list it.
type Game struct {
	ID   string
	Look Look
	// Presets are specifications beside the plain one that a form offers.
	Presets []string
	// Board is how the game begins by its usual options.
	Board Board
	// Dealt tells that it is shuffled.
	Dealt bool
	// Sample is nil where the board is like that of another game.
	Sample *Sample
	Offer
}

// Board is a size and a shape.
type Board struct {
	Shape  wire.Shape `json:"shape"`
	Width  int        `json:"width"`
	Height int        `json:"height"`
	Loops  int        `json:"loops"`
}

// Classes are what style sheets know of the game's board before it is drawn.
func (g *Game) Classes() string {
	list := []string{"is-" + g.ID}
	for _, c := range []struct {
		name string
		is   bool
	}{
		{"is-cells", g.Board.Shape == wire.Cells},
		{"is-labelled", g.Look.Labels == Beside},
		{"is-lying", g.Look.Turned == Quarters},
		{"is-ranked", g.Look.Ranks != ""},
	} {
		if c.is {
			list = append(list, c.name)
		}
	}
	return strings.Join(list, " ")
}
