package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"kibitz/rules"

	"kibitz/game"
	"kibitz/link"
	"kibitz/link/proc"
	"kibitz/match"
	"kibitz/protocol/piskvork"
	"kibitz/rating"
	"kibitz/record"
	"kibitz/run"
	"kibitz/run/engines"
	"kibitz/tournament"
)

// cgcRun plays what the command line of c-gomoku-cli says.
func cgcRun(a *app, args []string, out string) error {
	warn := func(text string) { fmt.Fprintf(a.stderr, "kibitz: %s\n", text) }
	o, err := readCGC(args, warn)
	if err != nil {
		return unplayable(err)
	}
	o.print(a.stdout)
	about := make([]piskvork.Identity, len(o.engines))
	for i := range o.engines {
		if about[i], err = o.engines[i].introduce(a); err != nil {
			return err
		}
	}
	if o.openings != "" {
		fmt.Fprintf(a.stdout, "Load opening file %s\n", o.openings)
	}
	w := newCGCWatch(a, o, about)
	defer w.files.close()
	if err := w.files.open(); err != nil {
		return asVerdict(err)
	}
	if err := playForeign(a, o.settings(w.names), out, func(r *matchRun) (*run.Compat, error) { return w.prepare(r) }); err != nil {
		return err
	}
	if o.fatal && w.failed {
		return verdict{}
	}
	return asFiles(w.files.err)
}

// asFiles is the error of a file that could not be written.
func asFiles(err error) error {
	if err == nil {
		return nil
	}
	return asVerdict(err)
}

// settings are those of Kibitz that come nearest; schedule and openings are c-gomoku-cli's
// own.
func (o *cgcOptions) settings(names []string) run.Settings {
	s := run.Usual()
	rule := map[int]string{0: "freestyle", 1: "standard", 4: "renju"}[o.rule]
	s.Game, s.Games, s.Concurrency = fmt.Sprintf("gomoku:rule=%s,size=%d", rule, o.size), 1, o.concurrency
	slowest := int64(10000)
	for i := range o.engines {
		s.Engine = append(s.Engine, o.engines[i].spec(names[i], o.board))
		slowest = max(slowest, o.engines[i].tolerance)
	}
	s.StartLimit = float64((slowest + 999) / 1000)
	if o.draw[0] > 0 {
		s.Draw = run.DrawRule{Count: o.draw[0], Score: float64(o.draw[1])}
	}
	if o.resign[0] > 0 {
		s.Resign = run.ResignRule{Count: o.resign[0], Score: float64(o.resign[1])}
	}
	if t := o.sprt; t != nil {
		s.SPRT = &run.Test{SPRT: rating.SPRT{Elo0: t.elo0, Elo1: t.elo1, Alpha: t.alpha, Beta: t.beta, Model: "approximate"}}
	}
	return s
}

// command splits the command line of an engine as c-gomoku-cli does: at blanks, with
// backslashes before what is meant as it stands, and double quotes round a word with
// blanks.
func (e *cgcEngine) command() (words []string) {
	var word []byte
	began, quoted := false, false
	for i := 0; i < len(e.cmd); i++ {
		c := e.cmd[i]
		switch {
		case c == '\\' && i+1 < len(e.cmd):
			i++
			word, began = append(word, e.cmd[i]), true
		case c == '"' && (quoted || !began):
			quoted, began = !quoted, true
		case c == ' ' && !quoted:
			if began {
				words = append(words, string(word))
			}
			word, began = word[:0], false
		default:
			word, began = append(word, c), true
		}
	}
	if began {
		words = append(words, string(word))
	}
	return words
}

// folder is where the engine runs: that of its executable, or ours for one that is
// found in PATH.
func (e *cgcEngine) folder() string {
	if words := e.command(); len(words) == 0 || !strings.Contains(words[0], "/") {
		return "."
	}
	return filepath.Dir(e.command()[0])
}

// spec returns the engine as a run takes it.
func (e *cgcEngine) spec(name string, board bool) engines.Words {
	words := engines.Words{{Key: "cmd", Value: shellWords(e.command())}, {Key: "name", Value: name}, {Key: "dir", Value: e.folder()}}
	add := func(key string, value any, given bool) {
		if given {
			words = words.With(key, fmt.Sprint(value))
		}
	}
	secs := func(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) }
	tc := secs(e.match)
	if e.increment > 0 {
		tc += "+" + secs(e.increment)
	}
	add("tc", tc, e.match > 0)
	add("st", secs(e.turn), e.turn > 0)
	add("depth", e.depth, e.depth > 0)
	add("nodes", e.nodes, e.nodes > 0)
	add("threads", e.threads, e.threads > 0)
	add("memory", e.memory, true)
	add("enforce", 0, true) // it is told, no more
	add("margin", secs(min(e.tolerance/2, 1000)), true)
	add("dialect.turn", "board", board)
	for _, x := range e.options {
		key, value, _ := strings.Cut(x, "=")
		words = words.With("option."+key, value)
	}
	return words
}

// introduce starts the engine to ask for its name, as c-gomoku-cli does, and ends
// it.
func (e *cgcEngine) introduce(a *app) (piskvork.Identity, error) {
	fail := func(format string, args ...any) (piskvork.Identity, error) {
		return piskvork.Identity{}, badVerdict("engine %s %s", e.cmd, fmt.Sprintf(format, args...))
	}
	spec, err := engines.New(nil, engines.Words{{Key: "cmd", Value: shellWords(e.command())}, {Key: "dir", Value: e.folder()}})
	if err != nil {
		return piskvork.Identity{}, err
	}
	if err := a.launcher().Admit(spec, false); err != nil {
		return piskvork.Identity{}, err
	}
	done, err := a.launcher().Ready(a.ctx, spec)
	if err != nil {
		return piskvork.Identity{}, err
	}
	defer done()
	path, args, env := spec.Process()
	conn, err := proc.Start(a.ctx, proc.Spec{
		Path: path, Args: args, Dir: spec.Dir, Env: env, Supervisor: a.guards.Holder(), Options: link.Options{Now: a.now},
	})
	if err != nil {
		return fail("cannot be started: %v", err)
	}
	defer conn.Close() //nolint:errcheck // it is ended for certain
	if err := conn.Write([]byte("ABOUT\r\n")); err != nil {
		return fail("exited before answering ABOUT")
	}
	line, err := conn.ReadLine(a.now().Add(time.Duration(max(e.tolerance, 10000)) * time.Millisecond))
	if err != nil {
		return fail("exited before answering ABOUT")
	}
	id := piskvork.ParseAbout(line)
	conn.Write([]byte("END\r\n")) //nolint:errcheck // it may be gone already
	return id, nil
}

// cgcJob is a game as c-gomoku-cli numbers it.
type cgcJob struct {
	engines     [2]int // the pair; the first begins unless reverse
	reverse     bool
	round, game int // from 0
	pass        int // how often all openings have been played
}

// jobs are all games in order.
func (o *cgcOptions) jobs() []cgcJob {
	n := len(o.engines)
	last := n - 1
	if o.gauntlet {
		last = 1
	}
	var out []cgcJob
	for round := range o.rounds {
		added := 0
		for a := range last {
			for b := a + 1; b < n; b++ {
				for g := range o.games {
					out = append(out, cgcJob{engines: [2]int{a, b}, reverse: g%2 == 1, round: round, game: added})
					added++
				}
			}
		}
	}
	return out
}

// cgcShuffle orders n openings as c-gomoku-cli does: SplitMix64 by the seed, swaps
// from the end.
func cgcShuffle(n int, seed uint64) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := splitMix(&seed) % uint64(i+1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// splitMix is SplitMix64 (Steele, Lea and Flood 2014).
func splitMix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// cgcTransform moves a point in the way of one of the eight passes.
func cgcTransform(p game.Point, size, pass int) game.Point {
	x, y, s := p.X, p.Y, int8(size-1)
	switch pass % 8 {
	case 1:
		return game.Point{X: y, Y: s - x}
	case 2:
		return game.Point{X: s - x, Y: s - y}
	case 3:
		return game.Point{X: s - y, Y: x}
	case 4:
		return game.Point{X: x, Y: s - y}
	case 5:
		return game.Point{X: s - x, Y: y}
	case 6:
		return game.Point{X: y, Y: x}
	case 7:
		return game.Point{X: s - y, Y: s - x}
	}
	return p
}

// prepare gives the run its games and openings.
func (w *cgcWatch) prepare(r *matchRun) (*run.Compat, error) {
	o := w.o
	w.rules = r.Rules()
	base, err := o.read(r.Rules())
	if err != nil {
		return nil, err
	}
	order := cgcShuffle(len(base), w.seed())
	if !o.random {
		slices.Sort(order)
	}
	w.jobs = o.jobs()
	list := &listed{count: r.Count}
	var openings []opening
	placed := map[[2]int]int{} // opening by its number and pass
	for i := range w.jobs {
		j := &w.jobs[i]
		p := tournament.Pairing{Index: i, Round: j.round + 1, Pair: 1, Opening: -1, Shuffle: i}
		stones := 0
		if len(base) > 0 {
			k := i
			if o.repeat {
				k /= 2
			}
			if o.transform {
				j.pass = k / len(base) % 8
			}
			key := [2]int{order[k%len(base)], j.pass}
			at, ok := placed[key]
			if !ok {
				at = len(openings)
				placed[key] = at
				openings = append(openings, turnedOpening(base[key[0]], o.size, j.pass))
			}
			p.Opening, stones = at, len(openings[at].Steps)
		}
		first := 0 // of the pair, who has the black stones
		if j.reverse != (stones%2 == 1) {
			first = 1
		}
		p.First, p.Second = j.engines[first], j.engines[1-first]
		list.games = append(list.games, p)
		if o.drawAfter > 0 && stones >= o.drawAfter {
			return nil, badVerdict("-drawafter %d: an opening has %d stones", o.drawAfter, stones)
		}
	}
	w.run = &run.Compat{Program: "c-gomoku-cli", Watcher: w, Schedule: list, Adjust: o.adjust}
	r.SetOpenings(openings)
	return w.run, r.CheckAbilities()
}

// adjust counts the stones of the opening too.
func (o *cgcOptions) adjust(g *match.Game) {
	if o.drawAfter > 0 {
		g.Policy.MaxMoves = o.drawAfter - len(g.Opening)
	}
	g.Policy.Resign.Alone = true
}

// read reads the openings in the type that is named.
func (o *cgcOptions) read(r rules.Rules) ([]opening, error) {
	if o.openings == "" {
		return nil, nil
	}
	data, err := os.ReadFile(o.openings)
	if err != nil {
		return nil, fmt.Errorf("-openings: %w", err)
	}
	kind := "offset"
	if o.pos {
		kind = "pos"
	}
	read := func(data []byte, f func(*record.Game) error) error {
		return openingFiles().Records(o.openings, data, r.Spec(), kind, f)
	}
	list, err := openingFiles().ReadBy(o.openings, data, read, r, 0)
	if err != nil {
		return nil, fmt.Errorf("-openings: %w", err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("-openings: %s holds no opening", o.openings)
	}
	return list, nil
}

// turnedOpening is an opening in another place of the board.
func turnedOpening(o opening, size, pass int) opening {
	steps := slices.Clone(o.Steps)
	for i := range steps {
		if steps[i].Op == game.Place {
			steps[i].To = cgcTransform(steps[i].To, size, pass)
		}
	}
	o.Steps = steps
	return o
}

// seed is what orders the openings: that of the options, or the time.
func (w *cgcWatch) seed() uint64 {
	if w.o.srand != 0 {
		return w.o.srand
	}
	return uint64(w.a.now().UnixMilli())
}

// printable replaces what would break a line.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
