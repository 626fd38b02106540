package full

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"strings"
	"time"

	"kibitz/cmd/kibitz/outside"
	"kibitz/record/formats"
	"kibitz/run"

	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/join"
	"kibitz/internal/plain"
	"kibitz/run/engines"
)

type joinCmd struct {
	URL       string        `arg:"" name:"url" help:"Address of the hall, such as https://hall.example."`
	Room      string        `required:"" help:"Room, the last word of its address." placeholder:"R"`
	Engine    string        `required:"" help:"Engine that plays, key=value words; human=1 is a person at this terminal, for one series." placeholder:"S"`
	Place     *int          `help:"Place to take, 0 or 1 (the first that is free)." placeholder:"N"`
	Code      string        `env:"KIBITZ_CODE" help:"Invitation code of a private room." placeholder:"WORD"`
	TokenFile string        `help:"File with the token of an account; else KIBITZ_TOKEN has it, and without either the engine plays as a guest." placeholder:"FILE"`
	Log       string        `help:"File to which all that the engine says and is sent is appended (kibitz-join-ROOM.log)." placeholder:"FILE"`
	Games     int           `help:"Leave after N games (stays)." placeholder:"N"`
	Stay      time.Duration `help:"Leave when no game has run for so long, such as 10m (stays)." placeholder:"TIME"`
}

// Help returns the example that --help shows.
func (joinCmd) Help() string {
	return "An engine on this machine takes a place in a room of a hall, and plays there until the room is closed.\n" +
		"It says that it is ready, agrees when the opponent wants a rematch, and comes back when the connection breaks.\n" +
		"The hall's clock counts. The first interrupt lets a running game end, the second leaves at once.\n" +
		"Example: kibitz join https://hall.example --room 5f0c21 --engine 'cmd=./mine proto=gtp'"
}

// Run plays in a room until it is closed.
func (c joinCmd) Run(w *outside.World) error {
	c.Room = path.Base(c.Room) // which may be all of its address
	if c.Log == "" {
		c.Log = join.LogName(c.Room)
	}
	e, hall, err := c.prepare()
	if err != nil {
		return err
	}
	config := join.Config{
		Hall: hall, Room: c.Room, Code: c.Code, Place: c.Place, Games: c.Games, Stay: c.Stay, Engine: e, Launcher: w.Launcher(),
		Open: games.OpenSpec, Records: formats.New(games.OpenSpec).ReadNative, Seed: rand.Uint64, LogFile: c.Log, Drain: w.Drain,
		Tell: w.Warn,
	}
	if e.Human {
		config.Person, config.Typed = w.Sitter()
	} else {
		done, err := w.Launcher().Ready(w.Ctx, e)
		if err != nil {
			return err
		}
		defer done()
	}
	failed, err := join.Play(w.Ctx, config)
	if out, ok := errors.AsType[*join.RoomError](err); ok {
		return fmt.Errorf("--room %s: %w", game.Shown(out.Room, 60), out.Err)
	}
	if err == nil && failed > 0 {
		return &run.BadOutcome{Text: fmt.Sprintf("%s failed in %s: %s tells what it said", e.Name, plain.Count(failed, "game"), c.Log)}
	}
	return err
}

// prepare reads what the command line says.
func (c *joinCmd) prepare() (*engines.Spec, *join.Client, error) {
	switch {
	case c.Place != nil && *c.Place != 0 && *c.Place != 1:
		return nil, nil, fmt.Errorf("--place %d: there are 0 and 1", *c.Place)
	case c.Games < 0 || c.Stay < 0:
		return nil, nil, fmt.Errorf("--games %d --stay %s: must be 0 or more", c.Games, c.Stay)
	}
	e, err := engines.Parse("", c.Engine)
	if err != nil {
		return nil, nil, err
	}
	if !e.Control.None() {
		return nil, nil, fmt.Errorf("--engine %q: the room has the clock; leave its words out", c.Engine)
	}
	token, err := tokenIn("--token-file", c.TokenFile, "an account")
	if c.TokenFile == "" {
		token = strings.TrimSpace(os.Getenv("KIBITZ_TOKEN"))
	}
	if err != nil {
		return nil, nil, err
	}
	hall, err := join.NewClient(c.URL, token)
	return e, hall, err
}
