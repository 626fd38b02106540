package run

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"kibitz/bot"
	"kibitz/catalog"
	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/link/guard"
	"kibitz/player"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/run/openings"
	"kibitz/run/standing"
)

// warnings tell what people do not expect of a run as it is asked for, each once.
type warnings struct {
	quiet bool
	// warn tells those who watch, tell those who began the run.
	warn, tell func(text string)
	crowdTold  atomic.Bool
	// repeatsTold tells that many games were said to be repeats.
	repeatsTold bool
}

// openings tells what is odd about the openings.
func (r *warnings) openings(set *openings.Set) {
	if set == nil || r.quiet {
		return
	}
	for _, text := range set.Warnings {
		r.warn("--openings: " + text)
	}
}

// Opens reports whether an engine can begin a game after the moves of an opening.
func Opens(e *engines.Spec, spec game.Spec) bool {
	if len(e.Cmd) == 0 {
		return true
	}
	p, err := catalog.ProtocolFor(spec.ID(), e.Proto)
	return err != nil || p.Start >= player.FromHistory // what is wrong is told elsewhere
}

// unopened tells, before a run without openings, that games may repeat each other, because an
// engine cannot begin from openings and nothing is shuffled. Nobody is told of two games.
func (r *warnings) unopened(list []*engines.Spec, game rules.Rules, tell func(string)) {
	if game.Doc().Info != rules.Perfect || r.quiet {
		return
	}
	var who []string
	varied := 0
	for _, e := range list {
		if e.Variety > 0 {
			varied++
		} else if !Opens(e, game.Spec()) {
			who = append(who, e.Name)
		}
	}
	if len(who) == 0 || len(who) == 1 && varied == len(list)-1 {
		return
	}
	tell(fmt.Sprintf("%s cannot begin from an opening: games may repeat each other where the opponent plays the same again; "+
		"built-in engines vary with %s=8, others need an option of their own", strings.Join(who, " and "), engines.KeyVariety))
}

// crowd tells where engines wait for a processor while their clocks run: more games at a time
// than processors (have), and nobody to share them out.
func (r *warnings) crowd(list []*engines.Spec, games, threads, have int) {
	timed := func(e *engines.Spec) bool { return !e.Human && !e.Control.None() }
	if games*threads <= have || !slices.ContainsFunc(list, timed) || r.crowdTold.Swap(true) {
		return
	}
	fewer := "fewer threads"
	if n := have / threads; n > 0 {
		fewer = fmt.Sprintf("--concurrency %d", n)
	}
	r.warn(fmt.Sprintf("%s at a time with %s each on %s: engines wait for each other while their clocks run; %s would not",
		plain.Count(games, "game"), plain.Count(threads, "thread"), plain.Count(have, "processor"), fewer))
}

// repeats tells, while something can still be done, that many games are games that were played
// before.
func (r *warnings) repeats(s *standing.Standing) {
	again, many := s.Repeats()
	if r.quiet || r.repeatsTold || !many {
		return
	}
	r.repeatsTold = true
	text := fmt.Sprintf("%d of %d games repeat others and tell nothing new: margins are too narrow", again, s.Games())
	if s.Test != nil {
		text += ", and the sequential test counts them"
	}
	r.warn(text + " (more openings help)")
}

// memory tells, once for each engine, that it uses more memory than it was told.
func (r *warnings) memory(g *Game, seat int, e *engines.Spec, u *standing.Use) {
	used := g.Outcome.Resources[seat].Memory
	if r.quiet || u == nil || u.Told || len(e.Cmd) == 0 || e.Memory == 0 || used <= e.Memory || g.Outcome.Result.Reason == game.ByResource {
		return
	}
	u.Told = true
	text := fmt.Sprintf("%s used %s of memory; it was told %s", g.Names[seat], guard.Bytes(used), guard.Bytes(e.Memory))
	if most := e.Enforced().Memory; most > 0 {
		text += " and is ended beyond " + guard.Bytes(most)
	}
	r.warn(text + "; some events allow no more than is told")
}

// engines says before the first game what people do not expect of the engines as they are
// given: of the first that is a program, what it may do and how that is limited.
func (r *warnings) engines(list []*engines.Spec, game rules.Rules) {
	if r.quiet {
		return
	}
	if i := slices.IndexFunc(list, func(e *engines.Spec) bool { return len(e.Cmd) > 0 }); i >= 0 {
		if text := list[i].Unlimited(secludes(game)); text != "" {
			r.tell(list[i].Name + text)
		}
	}
	for _, e := range list {
		if n, err := strconv.Atoi(e.Bot); err == nil && n < bot.MaxLevel && !e.Control.None() {
			r.tell(fmt.Sprintf("%s plays at level %d by a number of positions, which takes little of its time; level %d uses all of it "+
				"(docs/match.md)", e.Name, n, bot.MaxLevel))
			break
		}
	}
	for _, e := range list {
		if text := e.OwnDepth(game.Spec().ID()); text != "" {
			r.tell(e.Name + text)
			break
		}
	}
}

// secludes reports whether a game has facts that an engine could learn from the files of
// the run.
func secludes(r rules.Rules) bool { return r.Doc().Info != rules.Perfect }
