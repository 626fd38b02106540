package readfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/record/boardtxt"
)

// mostSeconds: a limit of a day or more is not meant in seconds.
const mostSeconds = 24 * 60 * 60

// Turn is the engine side: it reads board.txt of the folder, asks the player for a
// ply and writes move.txt in one piece.
func Turn(ctx context.Context, dir string, s protocol.Server) error {
	c := protocol.Config{Dialect: s.Dialect}
	if err := c.CheckDialects(ID, dialects()); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(dir, BoardFile))
	if err != nil {
		return fmt.Errorf("an engine of protocol %s finds the game in %s of its folder: %w", ID, BoardFile, err)
	}
	f, err := boardtxt.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(dir, BoardFile), err)
	}
	session := player.Session{Player: s.Player, Position: s.Position, Now: s.Now, Limits: s.Limits, Names: f.Names}
	if err := session.NewGame(s.Game, f.Record("", "").Start); err != nil {
		return fmt.Errorf("%s: %w", BoardFile, err)
	}
	for i, ply := range f.Plies {
		if err := session.Play(ply...); err != nil {
			return fmt.Errorf("%s: ply %d: %w", BoardFile, i+1, err)
		}
	}
	turn := s.Position.Turn().Seat
	if !turn.IsPlayer() {
		return fmt.Errorf("%s: the game is over", BoardFile)
	}
	k, err := clockOf(f, &c)
	if err != nil {
		return err
	}
	session.Clocks = [2]clock.Clock{k, k}
	defer session.Finish()
	ans, err := session.Choose(ctx, time.Time{})
	if err != nil {
		return fmt.Errorf("no ply: %w", err)
	}
	if len(ans.Steps) == 0 {
		return errors.New("no ply")
	}
	out, err := AppendMove(nil, ans.Steps[0])
	if err != nil {
		return err
	}
	return replace(filepath.Join(dir, MoveFile), out)
}

// clockOf is the clock of the side to move, by the switches for the line "time":
// what is left, or the time for the game, of which the file tells how much was used,
// or the time for one ply (any number).
func clockOf(f *boardtxt.File, c *protocol.Config) (clock.Clock, error) {
	unit := time.Second
	if c.Switch(dialects(), "unit") == "ms" || f.Time >= mostSeconds {
		unit = time.Millisecond
	}
	limit := min(time.Duration(f.Time), clock.Most/unit) * unit
	if limit <= 0 {
		return clock.New(clock.Control{}), nil
	}
	k := clock.New(clock.Control{Main: limit})
	switch v := c.Switch(dialects(), "time"); v {
	case "remaining":
		k.Left = keep(limit)
		return k, nil
	case "total":
		k.Left = max(keep(limit-used(f)), time.Millisecond)
		return k, nil
	default:
		if _, err := strconv.Atoi(v); err != nil {
			return clock.Clock{}, fmt.Errorf("dialect time=%s: must be remaining, total or a number", v)
		}
		// The start of the program counts too.
		return clock.New(clock.Control{Turn: limit - limit/10}), nil
	}
}

// reserve is what the player is not told to have: the program starts once more for
// every ply, and seconds are told without their fractions.
const reserve = 3 * time.Second

// keep takes the reserve off what is left, but not more than nine tenths.
func keep(left time.Duration) time.Duration { return left - min(reserve, left-left/10) }

// used is the time that the side to move has used so far, from one ply to the next.
func used(f *boardtxt.File) time.Duration {
	g := f.Record("", "")
	mover := game.Seat(len(f.Plies) % 2)
	var sum time.Duration
	for i := range g.Steps {
		if g.Steps[i].By == mover {
			sum += g.Steps[i].Used
		}
	}
	return sum
}
