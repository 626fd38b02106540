package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kibitz/bot"
	"kibitz/catalog"
	"kibitz/protocol"
)

// remarkEngines says once, before the first game, what people do not expect of the
// engines as they are given.
func (r *matchRun) remarkEngines() {
	if r.cmd.Quiet {
		return
	}
	r.sayUnlimited()
	for i, e := range r.engines {
		if n, err := strconv.Atoi(e.Bot); err == nil && n < bot.MaxLevel && !e.Control.None() {
			r.a.tell(fmt.Sprintf("%s plays at level %d by a number of positions, which takes little of its time; level %d uses all of it (docs/match.md)", r.names[i], n, bot.MaxLevel))
			break
		}
	}
	for i, e := range r.engines {
		if text := e.ownDepth(r.rules.Spec().ID()); text != "" {
			r.a.tell(r.names[i] + text)
			break
		}
	}
}

// ownDepth says what becomes of a depth that an engine of NBoard seems to have from its
// own command line, empty if it has none or keeps it.
func (e *engineSpec) ownDepth(id string) string {
	proto, err := catalog.ProtocolFor(id, e.Proto)
	if err != nil || len(e.Cmd) < 2 || proto.ID != "nboard" || e.Depth > 0 || slices.ContainsFunc(e.Options, func(o protocol.Option) bool { return o.Key == "depth" }) || e.Dialect["setdepth"] == "own" {
		return ""
	}
	if !slices.ContainsFunc(e.Cmd[1:], seemsDepth) {
		return ""
	}
	return ` is told "set depth" by the protocol, over what its command says; dialect.setdepth=own leaves it its own depth (docs/protocols/nboard.md)`
}

// seemsDepth reports whether an argument of a command may be a depth or a level.
func seemsDepth(arg string) bool {
	text := strings.ToLower(strings.TrimLeft(arg, "-/"))
	_, err := strconv.Atoi(text)
	return err == nil || strings.HasPrefix(text, "depth") || strings.HasPrefix(text, "level")
}
