// Package catalog is the list of games: what Kibitz knows of a game stands in one row,
// its rules, its built-in engine, what solves it, how its openings are made, the events
// that play it. A cell of a row is filled or says why it is not; the test of this package
// holds every row to that. Whatever asks "which games" asks here.
package catalog

//go:generate go run ./gamelist ..

import (
	"fmt"
	"slices"
	"strings"

	"kibitz/analysis"
	"kibitz/bot"
	"kibitz/exact"
	"kibitz/game"
	"kibitz/game/look"
	"kibitz/game/wire"
	"kibitz/opening"
	"kibitz/player"
	"kibitz/protocol/gtp"
	"kibitz/protocol/sau"
	"kibitz/rules"
)

// Game is a row: all that Kibitz knows of one game.
type Game struct {
	Rules rules.Game
	// Engine makes the built-in engine.
	Engine func(bot.Options) player.Player
	// Choices are the options that people are offered before a game, with the values to
	// choose from.
	Choices Cell[[]look.Choice]
	// Ladder is how much stronger than level 1 each level is, in Elo, as
	// docs/measured/strength.md has it.
	Ladder Cell[[bot.MaxLevel]int]
	// Exact knows results for certain.
	Exact Cell[Solver]
	// Scale says what evaluations of the engine mean, for reviews.
	Scale Cell[analysis.Scale]
	// GTP is how the game is written over the Go Text Protocol.
	GTP Cell[gtp.Form]
	// SAU is how it is played on the SAU platform.
	SAU Cell[sau.Form]
	// Openings says how balanced openings are made, and that a suite of them is shipped.
	Openings Cell[opening.Usual]
	// Look is how its board looks and is pressed.
	Look look.Look
	// Presets are options, as a specification has them behind the colon, that forms of a
	// hall offer beside the usual ones.
	Presets Cell[[]string]
	// Sample is a position that a reader chooses the look of boards by.
	Sample Cell[look.Sample]
	// Events are the presets of events that play the game, with the options that they
	// play it with, as a specification has them behind the colon.
	Events Cell[map[string]string]
	// Menu is what the numbered menu says otherwise than the game's options.
	Menu Cell[Menu]
}

// Menu is what the numbered menu of the terminal knows of a game.
type Menu struct {
	// Labels are the names of options, by key.
	Labels map[string]string
	// Timer is the timer mode where nothing was chosen yet; empty for none.
	Timer string
}

// Solver is what finds exact results in a game.
type Solver struct {
	// New makes a solver for the ends of games that are being played.
	New func() (exact.Solver, error)
	// Whole makes one for single positions that may be far from the end; nil: New.
	Whole func() (exact.Solver, error)
	// Nodes is how many positions Whole searches for one question where nobody says
	// otherwise; 0: as many as it takes.
	Nodes int64
}

// Cell is something that a game has, or the reason why it does not.
type Cell[T any] struct {
	value T
	has   bool
	none  string
}

// Has fills a cell.
func Has[T any](v T) Cell[T] { return Cell[T]{value: v, has: true} }

// None leaves a cell empty for a reason, as it follows a colon: "its games begin with a
// shuffle".
func None[T any](why string) Cell[T] { return Cell[T]{none: why} }

// Get returns what is in the cell; ok is false if nothing is.
func (c Cell[T]) Get() (v T, ok bool) { return c.value, c.has }

// Why is the reason for an empty cell.
func (c Cell[T]) Why() string { return c.none }

// Find returns the row of a game.
func Find(id string) (Game, bool) {
	list := rows()
	i := slices.IndexFunc(list, func(g Game) bool { return g.Rules.ID == id })
	if i < 0 {
		return Game{}, false
	}
	return list[i], true
}

// Of returns the row of the game that rules belong to. Rules of no game in the list have
// an empty row.
func Of(r rules.Rules) Game {
	g, _ := Find(r.Spec().ID())
	return g
}

// IDs returns the names of the games that a condition holds for, in the order of the
// list.
func IDs(which func(Game) bool) []string {
	var out []string
	for _, g := range rows() {
		if which(g) {
			out = append(out, g.Rules.ID)
		}
	}
	return out
}

// Specs are the games with their usual options, in the order of the list.
func Specs() []game.Spec {
	var out []game.Spec
	for _, id := range IDs(func(Game) bool { return true }) {
		out = append(out, game.Spec(id))
	}
	return out
}

// Shown are all games as pages list them.
func Shown() []look.Game {
	var out []look.Game
	for _, row := range rows() {
		g := look.Game{ID: row.Rules.ID, Look: row.Look, Offer: row.offer()}
		g.Board, g.Dealt = row.board()
		options, _ := row.Presets.Get()
		for _, o := range options {
			g.Presets = append(g.Presets, g.ID+":"+o)
		}
		if s, ok := row.Sample.Get(); ok {
			g.Sample = &s
		}
		out = append(out, g)
	}
	return out
}

// board is how the game begins, and whether it is shuffled; that its usual options are right is held by the tests.
func (g *Game) board() (b look.Board, dealt bool) {
	r, err := rules.Open([]rules.Game{g.Rules}, g.Rules.ID)
	if err != nil {
		return b, false
	}
	_, dealt = r.(rules.Shuffler)
	v := r.New().View(game.Public)
	return look.Board{Shape: wire.Shape(v.Shape.String()), Width: v.Width, Height: v.Height, Loops: v.Loops}, dealt
}

// SolverOf returns what solves single positions of a game.
func SolverOf(id string) (Solver, error) {
	g, _ := Find(id)
	s, ok := g.Exact.Get()
	if !ok {
		solved := IDs(func(g Game) bool { _, ok := g.Exact.Get(); return ok })
		slices.Sort(solved)
		return Solver{}, fmt.Errorf("cannot solve %s exactly: games that can be solved are %s", id, strings.Join(solved, " "))
	}
	if s.Whole == nil {
		s.Whole = s.New
	}
	return s, nil
}
