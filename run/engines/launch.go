package engines

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kibitz/bot"
	"kibitz/bot/random"
	"kibitz/catalog"
	"kibitz/link"
	"kibitz/link/callback"
	"kibitz/link/folder"
	"kibitz/link/proc"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/rules"
)

// Launcher makes players: it holds what they need of the world.
type Launcher struct {
	Now    func() time.Time
	Random io.Reader
	// Tell is given what people should know once, Warn what engines do wrong that have
	// no Traffic of their own.
	Tell, Warn func(text string)
	// Human makes the player of a person; shared tells that another one sits at the same
	// terminal. It is nil where nobody can sit.
	Human  func(r rules.Rules, shared bool) player.Player
	Guards *Guards
}

// Failure is an error of an engine or of the machine: nothing is wrong with what was
// asked for.
type Failure struct{ Msg string }

func (f *Failure) Error() string { return f.Msg }

// Player makes the player that a specification describes. Heard keeps what passes between
// Kibitz and an engine; it may be nil.
func (l *Launcher) Player(e *Spec, r rules.Rules, seed uint64, heard *Traffic) (player.Player, error) {
	id := r.Spec().ID()
	switch {
	case e.Human:
		if l.Human == nil {
			return nil, &Error{Text: e.Text, Key: "human", Err: errors.New("a person cannot play here")}
		}
		return l.Human(r, e.Shared), nil
	case e.Bot != "":
		return l.own(id, e, seed)
	}
	proto, err := catalog.ProtocolFor(id, e.Proto)
	if err != nil {
		return nil, &Error{Text: e.Text, Key: "proto", Err: err}
	}
	if err := Carried(proto, e, r); err != nil {
		return nil, err
	}
	if err := canKeep(proto, e); err != nil {
		return nil, err
	}
	if err := l.Admit(e, proto.LaunchOf(e.Dialect).CallBack); err != nil {
		return nil, err
	}
	if proto.LaunchOf(e.Dialect).Folder && sharedFolder(e) {
		return nil, &Error{Text: e.Text, Key: "dir", Err: fmt.Errorf("protocol %s runs a private copy of the engine's folder, and %s holds "+
			"other programs too: name the engine's own folder with dir=", proto.ID, e.Dir)}
	}
	var observe link.Observer
	warn := l.Warn
	if heard != nil {
		observe, warn = heard.Observe, heard.Warn
	}
	p, err := proto.Host(l.HostConfig(proto, e, observe, warn))
	if err != nil {
		return nil, &Error{Text: e.Text, Err: err}
	}
	if _, can := p.(player.Suspender); e.Suspend && !can {
		return nil, errors.Join(&Error{Text: e.Text, Key: "suspend", Err: errors.New("suspend=1: an engine of this protocol cannot be stopped")},
			p.Close())
	}
	if _, can := p.(player.Learner); e.Learn && !can {
		return nil, errors.Join(&Error{Text: e.Text, Key: "learn", Err: errors.New("learn=1: this protocol has no command to learn a game")},
			p.Close())
	}
	if e.Ponder {
		if err := letPonder(p, e); err != nil {
			return nil, errors.Join(err, p.Close())
		}
	}
	return p, nil
}

// canKeep refuses keep=1 where an engine cannot be told of the folder, or is told of another.
func canKeep(proto protocol.Protocol, e *Spec) error {
	if !e.Keep {
		return nil
	}
	err := fmt.Errorf("keep=1: the protocol %s has no word for a folder", proto.ID)
	if proto.Keeps != "" {
		if !slices.ContainsFunc(e.Options, func(o protocol.Option) bool { return strings.EqualFold(o.Key, proto.Keeps) }) {
			return nil
		}
		err = fmt.Errorf("keep=1: another folder is told by option.%s", proto.Keeps)
	}
	return &Error{Text: e.Text, Key: "keep", Err: err}
}

// own makes the player of a built-in engine.
func (l *Launcher) own(id string, e *Spec, seed uint64) (player.Player, error) {
	p, err := l.Bot(id, e.Bot, bot.Options{Seed: seed, Memory: e.Memory, Name: e.Name, Variety: e.Variety})
	if err != nil || !e.Ponder {
		return p, err
	}
	if err := letPonder(p, e); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// Bot makes a built-in engine of a level, 1 to 9 or random.
func (l *Launcher) Bot(id, level string, o bot.Options) (player.Player, error) {
	o.Now = l.Now
	if level == "random" {
		return random.New(random.Options{Seed: o.Seed, Now: o.Now, Name: o.Name}), nil
	}
	row, ok := catalog.Find(id)
	if !ok {
		return nil, fmt.Errorf("there is no built-in engine for %s yet but bot=random", id)
	}
	if _, err := fmt.Sscanf(level, "%d", &o.Level); err != nil || o.Level < 1 || o.Level > 9 {
		return nil, fmt.Errorf("level %q: must be 1 to 9 or random", level)
	}
	return row.Engine(o), nil
}

// sharedFolder reports whether an engine would run in a folder of programs for
// everybody, as an interpreter without dir= does.
func sharedFolder(e *Spec) bool {
	return e.Dir == filepath.Dir(e.Cmd[0]) && slices.Contains(filepath.SplitList(os.Getenv("PATH")), e.Dir)
}

func letPonder(p player.Player, e *Spec) error {
	pp, ok := p.(player.Ponderer)
	if !ok {
		return &Error{Text: e.Text, Key: "ponder", Err: errors.New("ponder=1: the protocol has no way to say it")}
	}
	if err := pp.Ponder(true); err != nil {
		return &Error{Text: e.Text, Key: "ponder", Err: fmt.Errorf("ponder=1: %w", err)}
	}
	return nil
}

// HostConfig is what a protocol needs to drive the engine.
func (l *Launcher) HostConfig(proto protocol.Protocol, e *Spec, observe link.Observer, warn func(string)) protocol.Config {
	path, args, env := e.Process()
	process := proc.Spec{
		Path: path, Args: args, Dir: e.Dir, Env: env, Processors: e.Processors,
		Supervisor: l.Guards.Holder(), Limits: l.Guards.limitsOf(e),
		Options: link.Options{Now: l.Now, Observe: observe, Direct: e.Direct},
	}
	c := protocol.Config{
		Name: e.Name, Now: l.Now, Restart: e.Restart, Options: e.Options, Dialect: e.Dialect, Warn: warn, StartLimit: e.StartLimit,
		Dial: proc.Dialer(process),
	}
	if e.Program.kept != "" {
		c.Options = append(slices.Clip(e.Options), protocol.Option{Key: proto.Keeps, Value: e.Program.kept})
	}
	switch way := proto.LaunchOf(e.Dialect); {
	case way.CallBack:
		c.Dial = callback.Dialer(callback.Spec{Process: process, NoName: way.NoName})
	case way.Folder:
		c.Folder = func(ctx context.Context) (protocol.Folder, error) {
			return folder.Copy(ctx, folder.Spec{Process: process, MostBytes: way.MostBytes, Warn: warn})
		}
	}
	return c
}

// Limits are the engine's limits beside the clock.
func (e *Spec) Limits() player.Limits {
	return player.Limits{Memory: e.Memory, Depth: e.Depth, Nodes: e.Nodes, Threads: e.Threads}
}

// Carried refuses a game that an engine's protocol has no words for.
func Carried(proto protocol.Protocol, e *Spec, r rules.Rules) error {
	if proto.Carries == nil {
		return nil
	}
	if err := proto.Carries(r.Spec(), e.Dialect); err != nil {
		return fmt.Errorf("engine %s %w", e.Name, err)
	}
	return nil
}
