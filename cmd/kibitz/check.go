package main

import (
	"encoding/json"
	"fmt"
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
	"kibitz/term"
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

type findingJSON struct {
	Type        string   `json:"type"`
	ID          string   `json:"id"`
	Requirement string   `json:"requirement"`
	Source      string   `json:"source"`
	Advice      bool     `json:"advice"`
	Verdict     string   `json:"verdict"`
	Detail      string   `json:"detail"`
	Lines       []string `json:"lines"`
}

type checkSummary struct {
	Type     string `json:"type"`
	Engine   string `json:"engine"`
	Protocol string `json:"protocol"`
	Held     int    `json:"held"`
	Broken   int    `json:"broken"`
	Advice   int    `json:"advice"`
	Skipped  int    `json:"skipped"`
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
		config := a.launcher().HostConfig(proto, e, r.Spec(), observe, nil)
		config.Hint = proto.Hint
		return config
	}
	sum := checkSummary{Type: "summary", Engine: e.Name, Protocol: proto.ID}
	protocol.RunChecks(a.ctx, host(nil), time.Duration(c.Patience*float64(time.Second)), checksOf(a, proto, r, e, host),
		func(f protocol.Finding) {
			c.print(a, f, sum.count(f))
		})
	if err := a.ctx.Err(); err != nil {
		return badVerdict("stopped before all was tested")
	}
	if c.JSON {
		if err := plain.JSONLine(a.stdout, sum); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(a.stdout, "\n%s over %s: %d held, %d broken, %d against advice, %d not tested\n",
			e.Name, proto.ID, sum.Held, sum.Broken, sum.Advice, sum.Skipped)
	}
	if sum.Broken > 0 {
		return badVerdict("%s breaks %s of %s", e.Name, plain.Count(sum.Broken, "requirement"), proto.ID)
	}
	return nil
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

// count adds a finding and returns its verdict in one word.
func (s *checkSummary) count(f protocol.Finding) string {
	switch {
	case f.Held():
		s.Held++
		return "held"
	case f.Skipped():
		s.Skipped++
		return "skipped"
	case f.Check.Advice:
		s.Advice++
		return "advice"
	}
	s.Broken++
	return "broken"
}

func (c checkCmd) print(a *app, f protocol.Finding, verdict string) {
	detail := ""
	if f.Err != nil {
		detail = f.Err.Error()
	}
	if c.JSON {
		b, err := json.Marshal(findingJSON{
			Type: "finding", ID: f.Check.ID, Requirement: f.Check.Requirement, Source: f.Check.Source,
			Advice: f.Check.Advice, Verdict: verdict, Detail: detail, Lines: f.Lines,
		})
		if err == nil {
			fmt.Fprintf(a.stdout, "%s\n", b)
		}
		return
	}
	style := map[string]string{"held": "\x1b[32m", "broken": "\x1b[1;31m", "advice": "\x1b[33m"}[verdict]
	fmt.Fprintf(a.stdout, "%s  %-22s %s\n", term.Styled(fmt.Sprintf("%-7s", verdict), style, coloured(a.stdout)), f.Check.ID,
		f.Check.Requirement)
	if detail != "" {
		fmt.Fprintf(a.stdout, "         %s (%s)\n", detail, f.Check.Source)
	}
	if c.Verbose || verdict == "broken" {
		for _, l := range f.Lines {
			fmt.Fprintf(a.stdout, "           %s\n", l)
		}
	}
}
