package full

import (
	"errors"
	"fmt"

	"kibitz/cmd/kibitz/outside"

	"kibitz/games"
	"kibitz/record"
	"kibitz/record/gamebase"
	"kibitz/record/gamebase/lookup"
)

// baseCmd are the commands of game bases.
type baseCmd struct {
	Import baseImportCmd `cmd:"" help:"Add the games of records; games that are there already are not counted twice."`
	Look   baseLookCmd   `cmd:"" help:"Show what was played in a position, how often and with what result."`
	Search baseSearchCmd `cmd:"" help:"Find games by player, result, date, event, opening or position."`
	Info   baseInfoCmd   `cmd:"" help:"Show what a base holds."`
}

// Help returns the example that --help shows.
func (baseCmd) Help() string {
	return "Examples: kibitz base import wthor.base WTH_*.wtb\n          kibitz base look wthor.base --moves f5d6c3"
}

type baseLookCmd struct {
	Base     string `arg:"" help:"Game base."`
	Game     string `help:"Game with options, if the base holds several." placeholder:"G"`
	Moves    string `help:"Position after these moves from the start, for example f5d6c3." placeholder:"M"`
	Position string `help:"Position in the game's text form; --moves go on from it." placeholder:"P"`
	Record   string `help:"Position of a record, with --ply." placeholder:"FILE"`
	Number   int    `default:"1" help:"Number of the game in the record."`
	Ply      *int   `help:"Position of the record after N decisions; default: the last." placeholder:"N"`
	Examples int    `default:"1" help:"How many games to name for each move."`
	JSON     bool   `name:"json" help:"Print one JSON object."`
}

// Help returns the example that --help shows.
func (baseLookCmd) Help() string {
	return "Examples: kibitz base look wthor.base --moves f5d6c3\n          kibitz base look wthor.base --record game.ggf --ply 12 --json"
}

// Run shows a position.
func (c baseLookCmd) Run(w *outside.World) error {
	if c.Examples < 0 {
		return fmt.Errorf("--examples %d: must be 0 or more", c.Examples)
	}
	b, err := openBase(w, c.Base)
	if err != nil {
		return err
	}
	defer b.Close() //nolint:errcheck // nothing was written
	at := lookup.At{Game: c.Game, Moves: c.Moves, Position: c.Position, Record: c.Record, Number: c.Number, Ply: c.Ply}
	r, s, err := b.Find(w.Ctx, at)
	if err != nil {
		return flagOfField(err)
	}
	found, err := b.Look(w.Ctx, r, s, c.Examples)
	switch {
	case err != nil:
		return err
	case c.JSON:
		return found.JSON(w.Stdout)
	}
	return found.Print(w.Stdout)
}

// openBase opens a base with what makes its positions.
func openBase(w *outside.World, name string) (*lookup.Base, error) {
	b, err := gamebase.Open(w.Ctx, name)
	if err != nil {
		return nil, err
	}
	load := func(name, spec string) ([]*record.Game, error) { return w.Load(name, spec, "") }
	return &lookup.Base{Base: b, Name: name, Open: games.Open, Load: load}, nil
}

// flagOfField makes a flag of the field that an error is about.
func flagOfField(err error) error {
	if _, ok := errors.AsType[*lookup.FieldError](err); ok {
		return fmt.Errorf("--%w", err)
	}
	return err
}

type baseInfoCmd struct {
	Base string `arg:"" help:"Game base."`
	JSON bool   `name:"json" help:"Print one JSON object."`
}

// Help returns the example that --help shows.
func (baseInfoCmd) Help() string { return "Example: kibitz base info wthor.base" }

// Run shows what the base holds.
func (c baseInfoCmd) Run(w *outside.World) (err error) {
	b, err := openBase(w, c.Base)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return b.Info(w.Ctx, w.Stdout, c.JSON)
}
