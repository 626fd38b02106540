package main

import (
	"fmt"
	"strings"
	"time"

	"kibitz/bot"
	"kibitz/catalog"
	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/link"
	"kibitz/match/trial"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/rules"
	"kibitz/run/engines"
)

type checkCmd struct {
	Game     string  `required:"" help:"Game with options." placeholder:"G"`
	Engine   string  `required:"" help:"Engine to check, key=value words." placeholder:"S"`
	JSON     bool    `name:"json" help:"One JSON object for each requirement, then a summary."`
	Verbose  bool    `short:"v" help:"Show the conversation of every requirement, not only of those that failed."`
	Patience float64 `default:"5" help:"Seconds to wait for an ordinary reply."`
}

// Help returns the example that --help shows.
func (checkCmd) Help() string {
	return "Example: kibitz check --game gomoku --engine \"cmd=./pbrain-mine\""
}

// Run tests the engine for each requirement of its protocol.
func (c checkCmd) Run(a *app) error {
	r, err := games.Open(c.Game)
	if err != nil {
		return err
	}
	e, err := engines.Parse("", c.Engine)
	if err != nil {
		return err
	}
	if len(e.Cmd) == 0 {
		return fmt.Errorf("--engine %q: only an engine with cmd= can be checked", c.Engine)
	}
	proto, err := catalog.ProtocolFor(r.Spec().ID(), e.Proto)
	if err != nil {
		return err
	}
	if err := engines.Carried(proto, e, r); err != nil {
		return err
	}
	if err := a.launcher().Admit(e, proto.LaunchOf(e.Dialect).CallBack); err != nil {
		return err
	}
	done, err := a.launcher().Ready(a.ctx, e)
	if err != nil {
		return err
	}
	defer done()
	if text := e.OwnDepth(r.Spec().ID()); text != "" {
		a.tell(e.Name + text)
	}
	host := func(observe link.Observer) protocol.Config {
		config := a.launcher().HostConfig(proto, e, observe, nil)
		config.Hint = proto.Hint
		return config
	}
	out := trial.Report{
		W: a.stdout, JSON: c.JSON, Verbose: c.Verbose, Colour: coloured(a.stdout), Summary: trial.Summary{Engine: e.Name, Protocol: proto.ID},
	}
	protocol.RunChecks(a.ctx, host(nil), time.Duration(c.Patience*float64(time.Second)), checksOf(a, proto, r, e, host), out.Show)
	if err := a.ctx.Err(); err != nil {
		return badVerdict("stopped before all was tested")
	}
	if err := out.End(); err != nil {
		return err
	}
	if out.Failed > 0 {
		return badVerdict("%s fails %s of %s: %s", e.Name, plain.Count(out.Failed, "requirement"), proto.ID, firstOf(out.Broken))
	}
	return nil
}

func firstOf(names []string) string {
	if len(names) > 3 {
		return strings.Join(names[:3], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// checksOf returns the requirements of a protocol, and then whole games.
func checksOf(a *app, proto protocol.Protocol, r rules.Rules, e *engineSpec, host func(link.Observer) protocol.Config) []protocol.Check {
	t := trial.Trial{Protocol: proto, Rules: r, Config: host, Memory: e.Memory, Most: e.Enforced().Memory}
	own := func(level string) func() (player.Player, error) {
		return func() (player.Player, error) { return a.launcher().Bot(r.Spec().ID(), level, bot.Options{Seed: 1}) }
	}
	t.Opponent, t.Random = own("1"), own("random")
	return t.Checks()
}
