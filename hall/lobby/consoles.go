package lobby

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/consolelog"
	"kibitz/hall/problem"
	"kibitz/hall/store"
)

// consolePatience is how long a worker may take to say what an engine has printed.
const consolePatience = 3 * time.Second

// ErrNoConsole is said to who may not see what an engine prints, or not yet, and where
// there is nothing: the three are told apart by nobody.
var ErrNoConsole = problem.New(
	http.StatusForbidden, "no-console",
	"what this engine prints is not shown here: a room can allow it while a game runs that hides nothing, and afterwards its owner and "+
		"arbiters see it",
)

// ConsoleBus brings what engines print.
type ConsoleBus interface {
	SubscribeConsole(id string, seat game.Seat, fn func(bus.Console)) (*bus.Subscription, error)
	AskConsole(ctx context.Context, id string, seat game.Seat) (bus.Console, error)
}

// Consoles are what the engines of games print.
type Consoles struct {
	Running *Running
	Store   store.Store
	Bus     ConsoleBus
	// Unpack decodes consoles as the store has them.
	Unpack *zstd.Decoder
	// Now is the time as a store keeps it.
	Now func() time.Time
	Log *slog.Logger
}

// ConsolePath is a console in a path.
type ConsolePath struct {
	Game string `path:"game" maxLength:"100"`
	Seat int    `path:"seat" minimum:"0" maximum:"1" doc:"0 for the first"`
}

// ConsoleLine is a line of a console.
type ConsoleLine struct {
	At   time.Time `json:"at"`
	Mark string    `json:"mark" doc:"> to the engine, < from it, | its output beside the connection, ! its standard error, # a remark"`
	Text string    `json:"text"`
	Ply  int       `json:"ply,omitempty" doc:"decisions made when it passed"`
}

// ConsoleLines is a run of lines of one console.
type ConsoleLines struct {
	Attempt int           `json:"attempt"`
	Next    int           `json:"next" doc:"the number of the line after the last one; lines count from 1, and only the latest are kept"`
	Lines   []ConsoleLine `json:"lines"`
	Whole   bool          `json:"whole,omitempty" doc:"they take the place of all before"`
}

// Console is a console as a caller may look at it.
type Console struct {
	Watched
	Seat game.Seat
	// Over tells that the attempt is, whoever may know it by now.
	Over bool
}

// Find finds out what a caller may see of what an engine prints.
func (cs *Consoles) Find(ctx context.Context, id string, seat int) (Console, error) {
	l, err := cs.Running.Look(ctx, id)
	out := Console{Watched: l, Seat: game.Seat(seat)}
	if err != nil {
		return out, err
	}
	if seat < 0 || seat > 1 || !l.engines[seat] {
		return out, ErrNoConsole
	}
	by := ActorOf(ctx)
	owner, err := cs.owns(ctx, by.ID, l.Seats[seat].User)
	if err != nil {
		return out, err
	}
	out.Over = l.State == store.Over || l.State == store.Aborted
	if l.To != game.Public {
		out.Delay = 0
	}
	switch {
	case out.Over && (owner || by.Arbiter):
		out.Delay = 0
		return out, nil
	case !l.lines || l.Hidden:
		return out, ErrNoConsole
	case !out.Over && l.To != game.Public && !l.open && !owner:
		return out, ErrNoConsole
	}
	return out, nil
}

// owns reports whether the engine of an account is somebody's: his own, or that of a bot of his.
func (cs *Consoles) owns(ctx context.Context, who, account int64) (bool, error) {
	if who == 0 || account == 0 || who == account {
		return who != 0 && who == account, nil
	}
	u, err := store.Get(ctx, cs.Store, store.Tx.User, account)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return u.Owner == who, err
}

// latestLines are how many lines of a console are told where nothing else is asked.
const latestLines = 500

// Stored returns the latest lines of an engine whose game is over.
func (cs *Consoles) Stored(ctx context.Context, x *Console) (bus.Console, error) {
	return cs.part(ctx, x, func(g *consolelog.Log) (int, int, error) { return g.Next - latestLines, latestLines, nil })
}

// part returns lines of an engine whose game is over: which and how many its log tells.
func (cs *Consoles) part(
	ctx context.Context, x *Console, which func(*consolelog.Log) (number, most int, err error),
) (out bus.Console, err error) {
	out = bus.Console{Game: x.ID, Attempt: x.Attempt, Seat: x.Seat, Next: 1, Over: true}
	packed, err := store.Read(ctx, cs.Store, func(tx store.Tx) ([]byte, error) { return tx.Console(x.ID, int(x.Seat)) })
	if errors.Is(err, store.ErrNotFound) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	defer func() {
		if err != nil {
			cs.Log.WarnContext(ctx, "a console cannot be read", "game", x.ID, "seat", int(x.Seat), "error", problem.OneLine(err))
			err = problem.New(http.StatusUnprocessableEntity, "unreadable", "what this engine printed cannot be read")
		}
	}()
	g, err := consolelog.Open(cs.Unpack, packed)
	if err != nil {
		return out, err
	}
	number, most, err := which(g)
	if err != nil {
		return out, err
	}
	out = g.Console
	out.Lines, number, err = g.From(number, most)
	out.Next = number + len(out.Lines)
	return out, err
}

// Lines returns what there is of a console at this moment, without what a delay holds
// back. What no worker answers for is empty.
func (cs *Consoles) Lines(ctx context.Context, x *Console) (ConsoleLines, error) {
	var c bus.Console
	var err error
	if x.Over {
		if c, err = cs.Stored(ctx, x); err != nil {
			return ConsoleLines{}, err
		}
	} else {
		ask, cancel := context.WithTimeout(ctx, consolePatience)
		defer cancel()
		if c, err = cs.Bus.AskConsole(ask, x.ID, x.Seat); err != nil {
			cs.Log.DebugContext(ctx, "no worker answered", "game", x.ID, "error", problem.OneLine(err))
			c = bus.Console{Attempt: x.Attempt, Next: 1}
		}
	}
	return cs.shown(x, c), nil
}

// shown are lines without what a delay holds back.
func (cs *Consoles) shown(x *Console, c bus.Console) ConsoleLines {
	n := len(c.Lines)
	for n > 0 && cs.Now().Before(c.Lines[n-1].At.Add(x.Delay)) {
		n--
	}
	out := ConsoleLines{Attempt: c.Attempt, Next: c.Next - (len(c.Lines) - n), Whole: true, Lines: []ConsoleLine{}}
	for _, l := range c.Lines[:n] {
		out.Lines = append(out.Lines, ConsoleLine(l))
	}
	return out
}

// ConsoleQuery asks for lines of a console.
type ConsoleQuery struct {
	ConsolePath
	Ply   int `query:"ply" minimum:"-1" default:"-1" doc:"of a game that is over: lines around the first one after so many decisions; the latest without it"`
	From  int `query:"from" minimum:"0" doc:"of a game that is over: the number of the first line"`
	Lines int `query:"lines" minimum:"1" maximum:"1000" default:"500" doc:"how many"`
}

// Get is Lines for whom it may be shown to.
func (cs *Consoles) Get(ctx context.Context, in *ConsoleQuery) (ConsoleLines, error) {
	x, err := cs.Find(ctx, in.Game, in.Seat)
	if err != nil {
		return ConsoleLines{}, err
	}
	if !x.Over {
		return cs.Lines(ctx, &x)
	}
	c, err := cs.part(ctx, &x, func(g *consolelog.Log) (int, int, error) {
		switch {
		case in.From > 0:
			return in.From, in.Lines, nil
		case in.Ply < 0:
			return g.Next - in.Lines, in.Lines, nil
		}
		at, err := g.At(in.Ply)
		return at - in.Lines/5, in.Lines, err
	})
	return cs.shown(&x, c), err
}

// All returns all lines of a game that is over.
func (cs *Consoles) All(ctx context.Context, in *ConsolePath) (ConsoleLines, error) {
	x, err := cs.Find(ctx, in.Game, in.Seat)
	if err != nil {
		return ConsoleLines{}, err
	}
	if !x.Over {
		return ConsoleLines{}, ErrNoConsole
	}
	c, err := cs.part(ctx, &x, func(g *consolelog.Log) (int, int, error) { return 0, g.Next, nil })
	return cs.shown(&x, c), err
}
