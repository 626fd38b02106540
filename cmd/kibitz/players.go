package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"kibitz/bot"
	"kibitz/catalog"
	"kibitz/game"
	"kibitz/link"
	"kibitz/link/callback"
	"kibitz/link/folder"
	"kibitz/link/proc"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/rules"
)

// newPlayer builds the player that a specification describes. traffic sees what
// passes between Kibitz and an engine; it may be nil.
func newPlayer(a *app, e *engineSpec, r rules.Rules, seed uint64, traffic *traffic) (player.Player, error) {
	id := r.Spec().ID()
	switch {
	case e.Human:
		return a.newPerson(r, e.Shared), nil
	case e.Bot != "":
		return newOwn(a, id, e, seed)
	}
	proto, err := catalog.ProtocolFor(id, e.Proto)
	if err != nil {
		return nil, fmt.Errorf("engine %q: %w", e.Text, err)
	}
	if err := carried(proto, e, r); err != nil {
		return nil, err
	}
	if err := a.admit(e, proto.LaunchOf(e.Dialect).CallBack); err != nil {
		return nil, err
	}
	if proto.LaunchOf(e.Dialect).Folder && sharedFolder(e) {
		return nil, fmt.Errorf("engine %q: protocol %s runs a private copy of the engine's folder, and %s holds other programs too: name the engine's own folder with dir=", e.Text, proto.ID, e.Dir)
	}
	var observe link.Observer
	warn := func(text string) { fmt.Fprintf(a.stderr, "kibitz: %s\n", text) }
	if traffic != nil {
		observe, warn = traffic.observe, traffic.warn
	}
	p, err := proto.Host(hostConfig(a, proto, e, r.Spec(), observe, warn))
	if err != nil {
		return nil, fmt.Errorf("engine %q: %w", e.Text, err)
	}
	if _, can := p.(player.Suspender); e.Suspend && !can {
		return nil, errors.Join(fmt.Errorf("engine %q: suspend=1: an engine of this protocol cannot be stopped", e.Text), p.Close())
	}
	if e.Ponder {
		if err := letPonder(p, e); err != nil {
			return nil, errors.Join(err, p.Close())
		}
	}
	return p, nil
}

// newOwn builds the player of a built-in engine.
func newOwn(a *app, id string, e *engineSpec, seed uint64) (player.Player, error) {
	p, err := newBot(a, id, e.Bot, bot.Options{Seed: seed, Memory: e.Memory, Name: e.Name, Variety: e.Variety})
	if err != nil || !e.Ponder {
		return p, err
	}
	if err := letPonder(p, e); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// sharedFolder reports whether an engine would run in a folder of programs for
// everybody, as an interpreter without dir= does.
func sharedFolder(e *engineSpec) bool {
	return e.Dir == filepath.Dir(e.Cmd[0]) && slices.Contains(filepath.SplitList(os.Getenv("PATH")), e.Dir)
}

func letPonder(p player.Player, e *engineSpec) error {
	pp, ok := p.(player.Ponderer)
	if !ok {
		return fmt.Errorf("engine %q: ponder=1: the protocol has no way to say it", e.Text)
	}
	if err := pp.Ponder(true); err != nil {
		return fmt.Errorf("engine %q: ponder=1: %w", e.Text, err)
	}
	return nil
}

// hostConfig is what a protocol needs to drive the engine.
func hostConfig(a *app, proto protocol.Protocol, e *engineSpec, spec game.Spec, observe link.Observer, warn func(string)) protocol.Config {
	path, args, env := e.process()
	process := proc.Spec{
		Path: path, Args: args, Dir: e.Dir, Env: env, Processors: e.Processors,
		Warden: a.guards.holder(), Limits: a.limitsOf(e),
		Options: link.Options{Now: a.now, Observe: observe, Direct: e.Direct},
	}
	c := protocol.Config{
		Name: e.Name, Game: spec, Now: a.now, Restart: e.Restart, Options: e.Options, Dialect: e.Dialect, Warn: warn, StartLimit: e.StartLimit,
		Dial: proc.Dialer(process),
	}
	switch l := proto.LaunchOf(e.Dialect); {
	case l.CallBack:
		c.Dial = callback.Dialer(callback.Spec{Process: process, NoName: l.NoName})
	case l.Folder:
		c.Folder = func(ctx context.Context) (protocol.Folder, error) {
			return folder.Copy(ctx, folder.Spec{Process: process, MostBytes: l.MostBytes, Warn: warn})
		}
	}
	return c
}

// limits are the engine's limits beside the clock.
func (e *engineSpec) limits() player.Limits {
	return player.Limits{Memory: e.Memory, Depth: e.Depth, Nodes: e.Nodes, Threads: e.Threads}
}

// carried refuses a game that an engine's protocol has no words for.
func carried(proto protocol.Protocol, e *engineSpec, r rules.Rules) error {
	if proto.Carries == nil {
		return nil
	}
	if err := proto.Carries(r.Spec()); err != nil {
		return fmt.Errorf("engine %s %w", e.Name, err)
	}
	return nil
}
