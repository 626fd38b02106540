package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kibitz/games"
	"kibitz/match"
	"kibitz/opening"
	"kibitz/protocol"
	"kibitz/rating"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/run/folder"
	"kibitz/run/shuffle"
	"kibitz/run/standing"
	"kibitz/tournament"
)

// Deps is what a run needs of the world.
type Deps struct {
	// Launcher starts the engines; its clock and its randomness are those of the run.
	Launcher *engines.Launcher
	Version  string // of Kibitz, for the files of the run
	// Drain is closed when running games may end but no new ones start; nil for never.
	Drain <-chan struct{}
	// Processors sets how many processors the runtime uses, if n is above 0, and returns how
	// many it did; nil where that must not change.
	Processors func(n int) int
	// Watchers makes those who are told how the run goes, when it begins to play; nil for nobody.
	// A run that another program's options describe has the Watcher of its Compat alone.
	Watchers func(*Run) []Watcher
	// Say tells people a line beside what watchers are told; nil for nobody.
	Say func(text string)
	// Making shows how far the making of openings by chance is, as openings.Maker has it.
	Making func(total int) (count func(opening.Counts), over func())
	// Report writes the report of the run in a folder.
	Report func(dir string) error
}

// Run is a run: New or Resume makes it, Play plays it. What is said of its standing and its
// engines is read before it plays, between two games (Control.Between), or when it is over.
type Run struct {
	with     Deps
	set      *Settings
	rules    rules.Rules
	seeds    tournament.Seeds
	policy   match.Policy
	openings beginnings
	compat   *Compat // nil unless another program's options describe the run

	players   *players
	keep      keeper
	audience  audience
	warnings  warnings
	standing  standing.Standing
	organiser organiser
	control   *Control // nil before the run plays

	began    time.Time
	over     bool // the summary was made
	failures []error

	earlier earlier
	// grown tells that the run is to have more games than when it was last played.
	grown bool
	// rekeyed tells that the secret of the run was lost and another one is taken.
	rekeyed bool
}

// New returns a run that can be played, or why it cannot. Nothing is written yet, and openings
// that are to be made by chance, which takes time, are not made: Open does that when nothing
// else can be refused.
func New(s Settings, with Deps) (*Run, error) {
	s.Engine = slices.Clone(s.Engine)
	if with.Say == nil {
		with.Say = func(string) {}
	}
	r := &Run{with: with, set: &s}
	with.Launcher.Guards.Strict = s.Strict
	if err := s.Check(); err != nil {
		return nil, err
	}
	if err := r.read(); err != nil {
		return nil, err
	}
	st := &r.standing
	if s.SPRT != nil { // it counts pairs where each opening is played twice and the model knows them
		st.Test = (*rating.Test)(s.SPRT).Start(s.Repeat && s.SPRT.Model.Pairs())
	}
	st.Plan.Lot = tournament.Seeds{Seed: r.seeds.Seed}.At("lots") // no secret: whoever knows the seed can draw again
	if st.Breaks = s.TieBreaks; st.Breaks == nil {
		st.Breaks = tournament.DefaultTieBreaks(st.Plan.Format)
	}
	r.direct()
	r.warnings = warnings{quiet: s.Quiet, warn: r.audience.warn, tell: with.Launcher.Tell}
	r.keep.now, r.keep.rules, r.keep.audience = r.now, r.rules, &r.audience
	r.keep.shuffles = shuffle.New(r.seeds, s.Repeat)
	r.organiser = organiser{standing: st, roster: r.players.roster, keep: &r.keep}
	r.organiser.admit = func(ctx context.Context, spec string) (*engines.Spec, error) {
		return r.players.admit(ctx, spec, r.openings.list)
	}
	return r, r.players.checkAbilities(r.openings.list)
}

// read takes the settings one after the other.
func (r *Run) read() (err error) {
	s := r.set
	if r.rules, err = games.Open(s.Game); err != nil {
		return &Error{Path: "/game", Want: err.Error()}
	}
	if r.seeds, err = s.seeds(r.with.Launcher.Random); err != nil {
		return err
	}
	if r.players, r.standing.Names, err = newPlayers(s, r.rules, &r.with); err != nil {
		return err
	}
	r.openings = beginnings{set: s, rules: r.rules, with: &r.with, seed: r.seeds.Seed}
	if err = r.openings.read(); err != nil {
		return err
	}
	r.standing.Plan = s.Plan(len(s.Engine), len(r.openings.list))
	if err = r.players.checkPairs(); err != nil {
		return err
	}
	if err = r.standing.Plan.Check(); err != nil {
		return err
	}
	if err = r.players.place(); err != nil {
		return err
	}
	r.policy, err = s.policy(r.rules)
	return err
}

// LearnNames gives engines that were given no name the one that they give themselves, as
// if it had been given, and makes all names different.
func (r *Run) LearnNames(ctx context.Context) { r.standing.Names = r.players.learnNames(ctx) }

// WarnOfEngines says what people do not expect of the engines as they are given.
func (r *Run) WarnOfEngines() { r.warnings.engines(r.players.began, r.rules) }

// makeOpenings makes the openings that are to be made by chance.
func (r *Run) makeOpenings(ctx context.Context) error {
	made, err := r.openings.make(ctx)
	if made && err == nil {
		r.standing.Plan.Openings = len(r.openings.list)
		r.direct()
	}
	return err
}

func (r *Run) now() time.Time { return r.with.Launcher.Now() }

// direct makes the schedule of the plan.
func (r *Run) direct() {
	r.standing.Director = tournament.NewDirector(r.standing.Plan, tournament.Points(r.set.Points))
}

// Compat lets another program's options decide, and gives the run the openings of that schedule,
// before it begins. The error tells of an engine that cannot begin from them.
func (r *Run) Compat(c *Compat, openings []opening.Opening) error {
	r.compat, r.openings.list = c, openings
	return r.players.checkAbilities(openings)
}

// Settings are those of the run.
func (r *Run) Settings() *Settings { return r.set }

// Rules are those of its game.
func (r *Run) Rules() rules.Rules { return r.rules }

// Engines are those with which it begins.
func (r *Run) Engines() []*engines.Spec { return r.players.began }

// Openings are what the games begin from, by their numbers.
func (r *Run) Openings() []opening.Opening { return r.openings.list }

// Count counts a game that a schedule of its own was told of.
func (r *Run) Count(f tournament.Finished) { r.standing.Director.Count(f) }

// Control steers the run while it plays; nil before.
func (r *Run) Control() *Control { return r.control }

// Standing is how the run stands.
func (r *Run) Standing() *standing.Standing { return &r.standing }

// Folder is where the run is kept, nil before it is. It is closed when the run has played.
func (r *Run) Folder() *folder.Folder { return r.keep.dir }

// Failed is what of ours went wrong, nil if nothing did.
func (r *Run) Failed() error { return errors.Join(r.failures...) }

// Before tells how many games were played before the run was taken up, and how long it went on.
func (r *Run) Before() (games int, elapsed time.Duration) {
	return r.earlier.kept, r.earlier.played
}

// schedule is what hands out the games.
func (r *Run) schedule() tournament.Scheduler {
	if r.compat != nil {
		return r.compat.Schedule
	}
	return r.standing.Director
}

// Open makes the files of a run that begins.
func (r *Run) Open(ctx context.Context) error {
	err := r.keep.addFiles(r.set.Folder, r.set.Record, r.schedule().Most())
	if err == nil {
		err = atOut(folder.CheckNew(r.set.Folder.Path(r.set.Out)))
	}
	if err == nil {
		err = r.makeOpenings(ctx)
	}
	if err == nil {
		r.keep.dir, err = folder.New(r.set.Folder, r.set.Out, r.schedule().Most(), r.now())
		err = atOut(err)
	}
	if err == nil {
		r.keep.cover()
		r.players.hide(&r.keep)
		if err = r.writeRun(); err != nil {
			err = fmt.Errorf("--out: %w", err)
			r.keep.dir.Abandon()
		}
	}
	if err != nil {
		r.keep.discard()
		if protocol.HostFault(err) { // nothing is wrong with the arguments
			return bad("the run cannot begin: %v", err)
		}
		return err
	}
	return r.keep.begin()
}

// atOut makes an error of the folder of a run one of the setting that names it.
func atOut(err error) error {
	var used *folder.NotEmpty
	switch {
	case err == nil:
		return nil
	case errors.As(err, &used):
		return &Error{Path: "/out", Got: used.Name, Want: "the folder is not empty; a run needs a new one"}
	}
	return fmt.Errorf("--out: %w", err)
}
