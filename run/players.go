package run

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/opening"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/run/folder"
	"kibitz/run/roster"
)

// players is the engines of a run and what they play with: players, processors, programs.
type players struct {
	set      *Settings
	rules    rules.Rules
	launcher *engines.Launcher

	began  []*engines.Spec // those with which the run began
	roster *roster.Roster
	ready  roster.Readiness
	places *roster.Places
	cpus   roster.Processors
	// programs are nil before the run plays, as pool is.
	programs *engines.Programs
	pool     *roster.Pool
}

// newPlayers returns the engines that the settings name, with names that differ.
func newPlayers(s *Settings, r rules.Rules, with *Deps) (*players, []string, error) {
	f := &players{set: s, rules: r, launcher: with.Launcher}
	f.cpus.Set = with.Processors
	for i, words := range s.Engine {
		e, err := f.spec(words)
		if err != nil {
			return nil, nil, EngineFault(i, err)
		}
		f.began = append(f.began, e)
	}
	engines.SharePlace(f.began)
	names := engines.UniqueNames(f.began)
	f.roster = roster.New(f.began)
	return f, names, nil
}

// spec makes an engine of the run.
func (f *players) spec(words engines.Words) (*engines.Spec, error) {
	s := f.set
	e, err := s.Folder.New(s.Each, words)
	if err != nil {
		return nil, err
	}
	if e.Human && (s.Concurrency > 1 || s.JSON) {
		return nil, &engines.Error{Text: e.Text, Key: "human", Err: errors.New("a person plays one game at a time and without --json")}
	}
	if secludes(f.rules) {
		if err := e.ByDefault("files=ro"); err != nil {
			return nil, err
		}
	}
	e.StartLimit = time.Duration(s.StartLimit * float64(time.Second))
	e.Direct = s.Concurrency <= runtime.GOMAXPROCS(0)
	return e, nil
}

// checkPairs refuses paired games for those who could remember a shuffle: people,
// and engines that live on between games. Engines that may be restarted are.
func (f *players) checkPairs() error {
	if _, fixed := f.rules.(rules.Shuffler); !fixed || !f.set.Repeat {
		return nil
	}
	for _, e := range f.began {
		switch {
		case e.Human:
			return fmt.Errorf("--repeat: a person would know the shuffle when it comes again; play different ones")
		case len(e.Cmd) > 0 && e.Restart == protocol.RestartNever:
			return fmt.Errorf("--repeat: %s has restart=never and would know the shuffle when it comes again; leave restart away", e.Name)
		case len(e.Cmd) > 0:
			e.Restart = protocol.RestartEachGame
		}
	}
	return nil
}

// place binds the engines of each game at a time to processors of their own, if that is
// wanted.
func (f *players) place() (err error) {
	if f.set.Affinity == "" || f.set.Affinity == "off" {
		return nil
	}
	if f.places, err = roster.NewPlaces(f.set.Affinity, roster.Threads(f.began), f.set.Concurrency); err != nil {
		return fmt.Errorf("--affinity %w", err)
	}
	return nil
}

// checkAbilities refuses before the run what an engine cannot do, and builds
// every player once, so that unusable switches are found before the first game.
func (f *players) checkAbilities(openings []opening.Opening) error {
	for i, e := range f.began {
		if err := f.checkAbility(e, openings); err != nil {
			return EngineFault(i, err)
		}
	}
	return nil
}

func (f *players) checkAbility(e *engines.Spec, openings []opening.Opening) error {
	p, err := f.launcher.Player(e, f.rules, 1, nil)
	if err != nil {
		return err
	}
	start, spec := player.FromNothing, f.rules.Spec()
	if s, ok := p.(player.Positioner); ok {
		start = s.CanStart(spec)
	}
	if err := p.Close(); err != nil {
		return err
	}
	hasStart := func(o opening.Opening) bool { return o.Start != "" }
	if f.set.Openings != nil && start < player.FromHistory || start < player.FromPosition && slices.ContainsFunc(openings, hasStart) {
		return fmt.Errorf("engine %s cannot start from an opening", e.Name)
	}
	if f.set.Draw.Count > 0 || f.set.Resign.Count > 0 {
		return reportsScores(e, spec)
	}
	return nil
}

func reportsScores(e *engines.Spec, spec game.Spec) error {
	if len(e.Cmd) == 0 {
		return nil
	}
	proto, err := catalog.ProtocolFor(spec.ID(), e.Proto)
	if err != nil {
		return err
	}
	if proto.Scores == game.NoUnit {
		return fmt.Errorf("--draw and --resign: engines of protocol %s report no scores (%s)", proto.ID, e.Name)
	}
	return nil
}

// learnNames gives engines that were given no name the one that they give themselves, as
// if it had been given, and makes all names different.
func (f *players) learnNames(ctx context.Context) []string {
	var asked sync.WaitGroup
	own := make([]string, len(f.began))
	for i, e := range f.began {
		if e.AsksName() {
			asked.Go(func() { own[i] = f.launcher.OwnName(ctx, e, f.rules) })
		}
	}
	asked.Wait()
	for i, e := range f.began {
		switch {
		case own[i] != "":
			e.Name = own[i]
			f.set.Engine[i] = f.set.Engine[i].With("name", own[i])
		case !e.Named:
			e.Name = e.DefaultName()
		}
	}
	return engines.UniqueNames(f.began)
}

// hide keeps from engines with files=ro what the run writes.
func (f *players) hide(k *keeper) {
	guards := f.launcher.Guards
	if k.dir != nil {
		guards.Hide(k.dir.Path)
	}
	for _, file := range k.files {
		guards.Hide(file.Name())
	}
	guards.Part(f.began)
}

// open makes everything ready with which the engines play.
func (f *players) open(ctx context.Context, dir *folder.Folder, p *roster.Pool, say func(string)) error {
	var err error
	if f.programs, err = engines.NewPrograms(dir.Path, say); err != nil {
		return err
	}
	for i := range f.roster.Count() {
		if err := f.programs.Ready(ctx, f.roster.At(i)); err != nil {
			return errors.Join(err, f.programs.Close(), dir.Close())
		}
	}
	p.Launcher, p.Rules, p.Roster, p.Places, p.Programs = f.launcher, f.rules, f.roster, f.places, f.programs
	f.pool = p.Open()
	return nil
}

func (f *players) close() error {
	f.pool.Close()
	return f.programs.Close()
}

// warnOfCrowd tells where so many games at a time wait for processors.
func (f *players) warnOfCrowd(r *warnings, games int) {
	if f.places == nil {
		r.crowd(f.began, games, roster.Threads(f.began), f.cpus.Have())
	}
}

// admit makes an engine that is to enter late; while the run plays it is made ready.
func (f *players) admit(ctx context.Context, spec string, openings []opening.Opening) (*engines.Spec, error) {
	words, err := engines.ParseWords(spec)
	if err != nil {
		return nil, err
	}
	e, err := f.spec(words)
	if err != nil {
		return nil, err
	}
	if e.Human {
		return nil, fmt.Errorf("engine %q: a person cannot enter late", spec)
	}
	if err := f.checkAbility(e, openings); err != nil || f.programs == nil {
		return e, err
	}
	return e, f.programs.Ready(ctx, e)
}

// retries is how many illegal answers the custom of an engine's protocol gives back.
func (f *players) retries(e *engines.Spec) int {
	if !f.set.Illegal.Usual || len(e.Cmd) == 0 {
		return 0
	}
	p, err := catalog.ProtocolFor(f.rules.Spec().ID(), e.Proto)
	if err != nil {
		return 0 // it is told elsewhere
	}
	return p.Retries
}
