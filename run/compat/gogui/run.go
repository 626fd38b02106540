package gogui

import (
	"errors"
	"fmt"
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
	"kibitz/run/compat"
	"kibitz/run/engines"
)

// Run plays what a command line of gogui-twogtp says, or does what else it asks for.
func Run(env *compat.Env, args []string) error {
	if env.Asked("gogui-twogtp", args, Known(&Options{})) {
		return nil
	}
	o, err := Read(args, os.ReadFile)
	switch {
	case err != nil:
		return err
	case o.Compare:
		return compareFiles(env, o.Files)
	case o.Analyze != "":
		return analyzeFile(env, o)
	}
	w := &watch{Env: env, o: o, died: map[string]int{}}
	defer w.release()
	for _, step := range []func() error{w.openGame, w.readOpenings, w.introduce, w.lock, w.openTable} {
		if err := step(); err != nil {
			return err
		}
	}
	err = env.Play(o.Settings(w.names), w.begin)
	w.dismiss()
	switch {
	case err != nil:
		return err
	case w.err != nil:
		return compat.Failed(w.err)
	case len(w.died) > 0:
		var list []string
		for name, n := range w.died {
			list = append(list, fmt.Sprintf("%s died in %s", name, plain.Count(n, "game")))
		}
		slices.Sort(list)
		return compat.Fail("%s", strings.Join(list, ", "))
	}
	return nil
}

// openGame opens the game, with the size of the board and the komi that the options say.
func (w *watch) openGame() error {
	o := w.o
	var known []string
	for _, r := range games.All() {
		if isPlayed(r.ID) {
			known = append(known, r.ID)
		}
	}
	list := strings.Join(known, ", ")
	if o.Game == "" {
		return fmt.Errorf("-game is missing: without it gogui-twogtp plays Go, which Kibitz does not; write one of %s", list)
	}
	spec := game.Spec(o.Game)
	if !isPlayed(spec.ID()) {
		return fmt.Errorf("-game %s: not a game of Kibitz that is played over GTP; write one of %s", o.Game, list)
	}
	r, err := games.Open(o.Game)
	if err != nil {
		return fmt.Errorf("-game: %w", err)
	}
	set := func(key, value string) error {
		if _, ok := spec.Option(key); ok {
			return fmt.Errorf("-%s %s: -game %s says it too", key, value, o.Game)
		}
		glue := ","
		if !strings.Contains(o.Game, ":") {
			glue = ":"
		}
		o.Game += glue + key + "=" + value
		if r, err = games.Open(o.Game); err != nil {
			return fmt.Errorf("-%s %s: %w", key, value, err)
		}
		return nil
	}
	if o.Size > 0 {
		if err := set("size", strconv.Itoa(o.Size)); err != nil {
			return err
		}
	}
	if o.Komi != "" {
		if _, has := r.Spec().Option("komi"); !has {
			w.Warned(fmt.Sprintf("-komi %s is ignored: %s has no komi", o.Komi, spec.ID()))
		} else if err := set("komi", o.Komi); err != nil {
			return err
		}
	}
	if (o.Referee != "" || o.Observer != "") && r.Doc().Info == rules.Private {
		return fmt.Errorf("-referee, -observer: GTP has no words for who looks on at %s, where each side sees its own stones", spec.ID())
	}
	w.rules, o.Game = r, string(r.Spec())
	return nil
}

// isPlayed reports whether a game is played over GTP.
func isPlayed(id string) bool {
	_, err := catalog.ProtocolFor(id, "gtp")
	return err == nil
}

// readOpenings reads the files of -openings, the first game of each.
func (w *watch) readOpenings() error {
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
		data, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("-openings: %w", err)
		}
		ops, err := w.Openings.Read(name, data, w.rules, 0)
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

// lock keeps others from writing the same files until release.
func (w *watch) lock() error {
	if w.o.Prefix == "" {
		return nil
	}
	name := w.o.Prefix + ".lock"
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return compat.Fail("-sgffile: %v", err)
	}
	if err := filelock.Lock(f); err != nil {
		return errors.Join(compat.Fail("-sgffile: %s: another program plays into these files", name), f.Close())
	}
	w.held = f
	return nil
}

func (w *watch) release() {
	if w.held != nil && filelock.Release(w.held) == nil {
		os.Remove(w.held.Name()) //nolint:errcheck // it locks nothing any more
	}
}

// Settings are those of Kibitz that come nearest, of engines under these names.
func (o *Options) Settings(names []string) run.Settings {
	s := run.Usual()
	s.Game, s.Games, s.Concurrency = o.Game, 1, o.Threads
	for i, c := range []Command{o.Black, o.White} {
		s.Engine = append(s.Engine, engineWords(names[i], c, o.Time))
	}
	return s
}

// engineWords are a command line and a clock as words of an engine.
func engineWords(name string, c Command, t Time) engines.Words {
	words := compat.Command(c.Words()...).With("name", name).With("proto", "gtp").With("dir", ".")
	if t.Base == 0 {
		return words.With("tc", "inf")
	}
	words = words.With("tc", fmt.Sprintf("%g", t.Base.Seconds()))
	if t.Overtime > 0 {
		words = words.With("canadian", fmt.Sprintf("%g/%d", t.Overtime.Seconds(), t.Moves))
	}
	return words
}

// begin describes the run: the games that are missing.
func (w *watch) begin(s *compat.Start) (*run.Compat, error) {
	s.Openings = w.openings
	c := &run.Compat{
		Program: "gogui-twogtp", Watcher: w, Adjust: w.adjust,
		Schedule: newPlan(w.o, w.table, len(w.openings), s.Count),
	}
	if w.o.Referee != "" || w.o.Observer != "" {
		c.Watcher = &follow{w}
	}
	return c, nil
}

// adjust counts the moves of the opening too; a turn of Amazons is one. A limit that is
// exceeded lets one move more be made.
func (w *watch) adjust(g *match.Game) {
	if w.o.MaxMoves < 0 {
		return
	}
	left := w.o.MaxMoves + 1
	for _, m := range g.Opening {
		if m.Op != game.Shoot {
			left--
		}
	}
	g.Policy.MaxMoves = max(1, left)
}
