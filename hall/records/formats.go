package records

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kibitz/game"
	"kibitz/game/wire"
	"kibitz/hall/hub"
	"kibitz/hall/live"
	"kibitz/hall/problem"
	"kibitz/hall/store"
)

// OwnFormat is the identifier of Kibitz's own format.
const OwnFormat = "json"

// Writes returns the extension of a format that can be written here.
func (gs *Games) Writes(format string) (string, error) {
	if format == "" || format == OwnFormat {
		return ".json", nil
	}
	if gs.cfg.Converter == nil {
		return "", problem.ErrAbsent
	}
	list := gs.cfg.Converter.Formats()
	i := slices.IndexFunc(list, func(f Format) bool { return f.ID == format && f.Writes })
	if i < 0 {
		return "", problem.At("#/format",
			problem.Input(fmt.Sprintf("format %q cannot be written: see /api/v1/formats", format)).Because(game.WhyChoice))
	}
	return list[i].Ext, nil
}

// Convert returns a record in a format, and the format's extension.
func (gs *Games) Convert(ctx context.Context, record []byte, format string) ([]byte, string, error) {
	ext, err := gs.Writes(format)
	if err != nil || format == "" || format == OwnFormat {
		return record, ext, err
	}
	data, err := gs.cfg.Converter.Convert(ctx, record, format)
	if err != nil {
		return nil, "", unwritten(err)
	}
	return data, ext, nil
}

// Formats returns the formats of records; ErrAbsent where no other than Kibitz's own is known.
func (gs *Games) Formats() ([]Format, error) {
	if gs.cfg.Converter == nil {
		return nil, problem.ErrAbsent
	}
	return gs.cfg.Converter.Formats(), nil
}

// Replayed plays a finished game that the caller may see.
func (gs *Games) Replayed(ctx context.Context, id string) (*Replayed, error) {
	_, re, err := gs.replayed(ctx, id)
	return re, err
}

// replayed is Replayed with the game itself.
func (gs *Games) replayed(ctx context.Context, id string) (g store.Game, re *Replayed, err error) {
	if gs.cfg.Replays == nil {
		return g, nil, problem.ErrAbsent
	}
	g, record, err := gs.Finished(ctx, id)
	if err != nil {
		return g, nil, err
	}
	if re, err = gs.cfg.Replays.Replay(ctx, record); err != nil {
		gs.cfg.Log.WarnContext(ctx, "a record cannot be replayed", "game", id, "error", problem.OneLine(err))
		return g, nil, ErrUnreadable
	}
	return g, re, nil
}

// Last is a finished game as the last frame of its stream shows it, to an audience: all its
// decisions, the final board, and the result.
func (gs *Games) Last(ctx context.Context, id string, to game.Audience) (*live.State, error) {
	g, re, err := gs.replayed(ctx, id)
	if err != nil {
		return nil, err
	}
	s := &live.State{
		Game: g.ID, Attempt: g.Attempt, Seq: uint64(len(re.Steps)) + 1, For: wire.Audience(to.String()), Spec: string(g.Spec),
		Names: [2]string{g.Seats[0].Name, g.Seats[1].Name}, Controls: re.Clocks, Rated: g.Rated,
		View: wire.Of(re.Views[len(re.Steps)]), Result: hub.ResultOf(g.Result), At: g.Ended.UnixMilli(),
	}
	if re.Final != nil {
		s.Clocks = hub.ClocksOf(re.Clocks, *re.Final)
	}
	for i := range re.Steps {
		s.History = append(s.History, StepOf(&re.Steps[i]).Entry)
	}
	return s, nil
}

// Replay plays a record that Finished has returned.
func (gs *Games) Replay(ctx context.Context, record []byte) (*Replayed, error) {
	if gs.cfg.Replays == nil {
		return nil, problem.ErrAbsent
	}
	re, err := gs.cfg.Replays.Replay(ctx, record)
	if err != nil {
		return nil, problem.Input(problem.OneLine(err))
	}
	return re, nil
}

// Unreadable reports whether a record cannot be shown, though the game is over.
func Unreadable(err error) bool {
	p := (*problem.Problem)(nil)
	return errors.As(err, &p) && p.Code == ErrUnreadable.Code
}
