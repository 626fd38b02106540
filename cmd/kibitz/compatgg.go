package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/filelock"
	"kibitz/internal/plain"
	"kibitz/match"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/compat/gogui"
	"kibitz/run/engines"
	"kibitz/tournament"
)

// ggRun plays what the command line of gogui-twogtp says, or does what else it asks for.
func ggRun(a *app, args []string, out string) error {
	o, err := gogui.Read(args, os.ReadFile)
	switch {
	case err != nil:
		return err
	case o.Version:
		fmt.Fprintf(a.stdout, "gogui-twogtp as kibitz compat takes its options\nkibitz %s\n", version)
		return nil
	case o.Help:
		ggHelp(a)
		return nil
	case o.Compare:
		return ggCompare(a, o.Files)
	case o.Analyze != "":
		return ggAnalyze(a, o)
	}
	r, err := ggGame(a, o)
	if err != nil {
		return err
	}
	w := &ggWatch{a: a, o: o, rules: r, died: map[string]int{}}
	if err := w.readOpenings(); err != nil {
		return err
	}
	if err := w.introduce(); err != nil {
		return err
	}
	return w.play(out)
}

func ggHelp(a *app) {
	fmt.Fprintln(a.stdout, "Options are those of gogui-twogtp; docs/compat.md says what becomes of each.")
	for _, o := range gogui.Known() {
		fmt.Fprintf(a.stdout, "  %-18s %s\n", o.Name, o.Fate)
	}
}

// ggGame opens the game, with the size of the board and the komi that the options say.
func ggGame(a *app, o *gogui.Options) (rules.Rules, error) {
	var known []string
	for _, r := range games.All() {
		if ggPlays(r.ID) {
			known = append(known, r.ID)
		}
	}
	list := strings.Join(known, ", ")
	if o.Game == "" {
		return nil, fmt.Errorf("-game is missing: without it gogui-twogtp plays Go, which Kibitz does not; write one of %s", list)
	}
	spec := game.Spec(o.Game)
	if !ggPlays(spec.ID()) {
		return nil, fmt.Errorf("-game %s: not a game of Kibitz that is played over GTP; write one of %s", o.Game, list)
	}
	r, err := games.Open(o.Game)
	if err != nil {
		return nil, fmt.Errorf("-game: %w", err)
	}
	set := func(key, value, flag string) error {
		if _, ok := spec.Option(key); ok {
			return fmt.Errorf("%s %s: -game %s says it too", flag, value, o.Game)
		}
		glue := ","
		if !strings.Contains(o.Game, ":") {
			glue = ":"
		}
		o.Game += glue + key + "=" + value
		if r, err = games.Open(o.Game); err != nil {
			return fmt.Errorf("%s %s: %w", flag, value, err)
		}
		return nil
	}
	if o.Size > 0 {
		if err := set("size", strconv.Itoa(o.Size), "-size"); err != nil {
			return nil, err
		}
	}
	if o.Komi != "" {
		if _, has := r.Spec().Option("komi"); !has {
			ccWarn(a)(fmt.Sprintf("-komi %s is ignored: %s has no komi", o.Komi, spec.ID()))
		} else if err := set("komi", o.Komi, "-komi"); err != nil {
			return nil, err
		}
	}
	if (o.Referee != "" || o.Observer != "") && r.Doc().Info == rules.Private {
		return nil, fmt.Errorf("-referee, -observer: GTP has no words for who looks on at %s, where each side sees its own stones", spec.ID())
	}
	return r, nil
}

// ggPlays reports whether a game is played over GTP.
func ggPlays(id string) bool {
	_, err := catalog.ProtocolFor(id, "gtp")
	return err == nil
}

// readOpenings reads the files of -openings, the first game of each.
func (w *ggWatch) readOpenings() error {
	dir := w.o.Openings
	if dir == "" {
		return nil
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("-openings: %w", err)
	}
	for _, e := range list {
		if e.IsDir() || !strings.EqualFold(filepath.Ext(e.Name()), ".sgf") {
			continue
		}
		name := filepath.Join(dir, e.Name())
		ops, err := openingFile(name, w.rules, 0)
		switch {
		case err != nil:
			return fmt.Errorf("-openings: %w", err)
		case ops[0].Start != "":
			return fmt.Errorf("-openings: %s: engines of GTP begin with moves, not with a position that is set up", name)
		}
		ops[0].Name = name
		w.openings = append(w.openings, ops[0])
	}
	if len(w.openings) == 0 {
		return fmt.Errorf("-openings: %s holds no SGF files", dir)
	}
	return nil
}

// play plays the games that are missing.
func (w *ggWatch) play(out string) error {
	if w.o.Prefix != "" {
		release, err := ggLock(w.o.Prefix + ".lock")
		if err != nil {
			return err
		}
		defer release()
	}
	if err := w.openTable(); err != nil {
		return err
	}
	defer w.dismiss()
	var watch run.Watcher = w
	if w.o.Referee != "" || w.o.Observer != "" {
		watch = &ggFollow{w}
	}
	err := playForeign(w.a, w.settings(), out, func(r *matchRun) (*run.Compat, error) {
		w.run = r
		r.SetOpenings(w.openings)
		plan := &ggPlan{o: w.o, openings: len(w.openings), has: w.has(), count: r.Count}
		return &run.Compat{Program: "gogui-twogtp", Watcher: watch, Schedule: plan, Adjust: w.adjust}, nil
	})
	switch {
	case err != nil:
		return err
	case w.err != nil:
		return asFiles(w.err)
	case len(w.died) > 0:
		var list []string
		for name, n := range w.died {
			list = append(list, fmt.Sprintf("%s died in %s", name, plain.Count(n, "game")))
		}
		slices.Sort(list)
		return badVerdict("%s", strings.Join(list, ", "))
	}
	return nil
}

// settings are those of Kibitz that come nearest.
func (w *ggWatch) settings() run.Settings {
	s := run.Usual()
	s.Game, s.Games, s.Concurrency = string(w.rules.Spec()), 1, w.o.Threads
	for i, c := range []gogui.Command{w.o.Black, w.o.White} {
		s.Engine = append(s.Engine, append(engines.Words{{Key: "name", Value: w.names[i]}}, ggWords(c, w.o.Time)...))
	}
	return s
}

// ggWords are a command line and a clock as words of an engine.
func ggWords(c gogui.Command, t gogui.Time) engines.Words {
	words := engines.Words{{Key: "cmd", Value: shellWords(c.Words())}, {Key: "proto", Value: "gtp"}, {Key: "dir", Value: "."}}
	if t.Base == 0 {
		return words.With("tc", "inf")
	}
	words = words.With("tc", fmt.Sprintf("%g", t.Base.Seconds()))
	if t.Overtime > 0 {
		words = words.With("canadian", fmt.Sprintf("%g/%d", t.Overtime.Seconds(), t.Moves))
	}
	return words
}

// adjust counts the moves of the opening too. A limit that is exceeded lets one move more
// be made.
func (w *ggWatch) adjust(g *match.Game) {
	if w.o.MaxMoves >= 0 {
		g.Policy.MaxMoves = max(1, w.o.MaxMoves+1-ggTurns(g.Opening))
	}
}

// ggTurns counts moves; a turn of Amazons is one.
func ggTurns(steps []game.Move) int {
	n := 0
	for _, m := range steps {
		if m.Op != game.Shoot {
			n++
		}
	}
	return n
}

// ggPlan numbers the games as gogui-twogtp does: those that the table has are left out.
// It is a schedule.
type ggPlan struct {
	o        *gogui.Options
	openings int
	has      map[int]bool
	next     int
	issued   int
	count    func(tournament.Finished)
}

// Next returns the next game.
func (p *ggPlan) Next() (tournament.Pairing, tournament.State) {
	for p.has[p.next] {
		p.next++
	}
	if p.o.Games > 0 && p.next >= p.o.Games {
		return tournament.Pairing{}, tournament.Over
	}
	i := p.next
	p.next++
	p.issued++
	g := tournament.Pairing{Index: i, Round: 1, Pair: 1, Second: 1, Opening: -1, Shuffle: i}
	at := i
	if p.o.Alternate {
		g.First, g.Second, at = i%2, 1-i%2, i/2
	}
	if p.openings > 0 {
		g.Opening = at % p.openings
	}
	return g, tournament.Ready
}

// Record counts a game.
func (p *ggPlan) Record(f tournament.Finished) { p.count(f) }

// Len is how many games are played; those of a run without end as far as they have begun.
func (p *ggPlan) Len() int {
	if p.o.Games == 0 {
		return p.issued
	}
	n := 0
	for i := range p.o.Games {
		if !p.has[i] {
			n++
		}
	}
	return n
}

// Most is how many numbers there may be.
func (p *ggPlan) Most() int {
	if p.o.Games == 0 {
		return 1_000_000
	}
	return p.o.Games
}

// ggLock keeps others from writing the same files.
func ggLock(name string) (release func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, badVerdict("-sgffile: %v", err)
	}
	if err := filelock.Lock(f); err != nil {
		return nil, errors.Join(badVerdict("-sgffile: %s: another program plays into these files", name), f.Close())
	}
	return func() {
		if err := f.Close(); err == nil {
			os.Remove(name) //nolint:errcheck // it locks nothing any more
		}
	}, nil
}

// missing reports whether an error is that there is no such file.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
