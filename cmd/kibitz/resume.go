package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/run"
	"kibitz/run/folder"
	"kibitz/run/result"
	"kibitz/tournament"
)

type resumeCmd struct {
	Dir         string `arg:"" name:"dir" help:"Folder of a run that was stopped, by whatever means."`
	Concurrency *int   `help:"Games at a time, in the place of what the run had." placeholder:"N"`
	Games       *int   `help:"Games per pairing from now on, more than the run had; also for a run that is over." placeholder:"N"`
	Rounds      *int   `help:"Rounds from now on, more than the run had; also for a run that is over." placeholder:"N"`
	Salvage     bool   `help:"Go on although the journal is damaged or the secret lost: games that are whole or recorded count, the others are played again."`
	showFlags
}

// Help returns the example that --help shows.
func (resumeCmd) Help() string {
	return "Examples: kibitz resume kibitz-20260101-120000\n          kibitz resume kibitz-20260101-120000 --games 1000   (goes on to 1000 " +
		"games for each pairing)\n\n" +
		"Games that ended stay as they are and count once; those that were broken off are played again."
}

// Run goes on where a run stopped.
func (c resumeCmd) Run(a *app) error {
	r, err := c.take(a)
	if err != nil {
		return err
	}
	if r.complete() && !r.grown {
		return r.showOver()
	}
	_, err = r.rest()
	return err
}

// rest plays what is left of a run that was taken up; of one that is over it is the summary
// alone.
func (r *matchRun) rest() (*result.Summary, error) {
	if r.complete() && !r.grown {
		r.addByes()
		sum := r.summary(r.earlier.elapsed())
		return &sum, r.dir.Close()
	}
	if err := r.goOn(); err != nil {
		return nil, ofDisk(err)
	}
	return r.play()
}

// take takes a run up.
func (c resumeCmd) take(a *app) (*matchRun, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	f, err := c.settings(dir)
	if err != nil {
		return nil, err
	}
	s, err := f.Settings()
	if err != nil {
		return nil, err
	}
	m := &matchCmd{Settings: *s}
	if m.Secret, err = secretOf(f, dir); err != nil && !c.Salvage {
		return nil, fmt.Errorf("%w; kibitz resume --salvage goes on with another", err)
	}
	m.Out = dir
	if c.Concurrency != nil {
		m.Concurrency = *c.Concurrency
	}
	if c.Games != nil {
		m.Games = *c.Games
	}
	if c.Rounds != nil {
		m.Rounds = c.Rounds
	}
	c.over(m)
	if m.Folder, err = f.Folder(); err != nil {
		return nil, err
	}
	r, err := newMatchRun(a, m)
	if err != nil {
		return nil, f.Place(err)
	}
	if err := r.makeOpenings(); err != nil { // of a file that was written by hand
		return nil, f.Place(err)
	}
	if c.Salvage {
		if err := r.salvage(dir); err != nil {
			return nil, ofDisk(err)
		}
	}
	if err := r.takeUp(dir); err != nil {
		return nil, ofDisk(err)
	}
	return r, nil
}

// settings reads what the run plays.
func (c resumeCmd) settings(dir string) (*run.File, error) {
	name := filepath.Join(dir, "run.toml")
	f, err := run.ReadFile(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if _, err := os.Stat(filepath.Join(dir, "journal")); err != nil {
		return nil, fmt.Errorf("%s holds no run.toml: it is no folder of a run", c.Dir)
	}
	if !c.Salvage {
		return nil, fmt.Errorf("%s holds no run.toml: kibitz resume --salvage takes it from the journal", c.Dir)
	}
	if err := runFileAgain(dir); err != nil {
		return nil, fmt.Errorf("%s holds no run.toml, and it cannot be made again: %w", c.Dir, err)
	}
	return run.ReadFile(name)
}

// completeReport makes the report that was asked for and is not there.
func (r *matchRun) completeReport() error {
	if _, err := os.Stat(filepath.Join(r.dir.Path, "report.html")); err == nil || !r.cmd.Report {
		return nil
	}
	_, err := writeReport(r.dir.Path, r.a.now(), reportOptions{Boards: reportBoards})
	return err
}

// ofDisk makes what could not be read or written a bad verdict: nothing is wrong with
// the arguments.
func ofDisk(err error) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return badVerdict("%v", err)
	}
	return err
}

// complete reports whether the folder has all that a run has when it is over.
func (r *matchRun) complete() bool {
	_, secret := os.Stat(filepath.Join(r.dir.Path, folder.SecretFile))
	_, summary := os.Stat(filepath.Join(r.dir.Path, "summary.json"))
	return secret != nil && summary == nil
}

// showOver shows a run in which nothing is left to be played.
func (r *matchRun) showOver() error {
	if !r.cmd.Quiet {
		fmt.Fprintf(r.talk, "%s: the run is over\n", r.dir.Path)
	}
	r.addByes()
	if err := r.completeReport(); err != nil {
		return err
	}
	sum := r.summary(r.earlier.elapsed())
	if r.cmd.JSON {
		(&jsonWatch{r: r}).Ended(&sum)
	}
	(&lineWatch{Games: r.newProgress(), r: r}).Ended(&sum)
	return errors.Join(r.dir.Close(), r.verdict())
}

// secretOf returns the secret of a run: from the file of its own while it is not over,
// else from run.toml.
func secretOf(f *run.File, dir string) (string, error) {
	told, err := f.Text(run.KeySecret)
	if err != nil || told != "" {
		return told, err
	}
	b, err := os.ReadFile(filepath.Join(dir, folder.SecretFile))
	if err != nil {
		return "", fmt.Errorf("the secret behind the run's shuffles is not there: %w", err)
	}
	text := strings.TrimSpace(string(b))
	if _, err := readSeedText(text); err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(dir, folder.SecretFile), err)
	}
	return text, nil
}

// earlier is what was played before a run was taken up again. A nil one is that of
// a run that begins.
type earlier struct {
	// kept is how many games ended with a verdict.
	kept int
	// log is what the director is told of them, facts what the totals count, by the
	// games' names.
	log   logOfResults
	facts map[string]keptFacts
	// begun is how often a game began.
	begun map[string]int
	// rekeyed tells that the run went on with another secret.
	rekeyed bool
	// revealed are the commitments whose seeds are known.
	revealed map[string]bool
	// sessions is how often the run was taken up or begun, played how long it went
	// on for in all.
	sessions int
	played   time.Duration
	moved    int // plies
}

// keptFacts are what the totals count of a game, and the commitment of its shuffle.
type keptFacts struct {
	late       time.Duration
	warnings   int
	moves      uint64
	commitment string
	resources  [2]journal.Resources
}

func (e *earlier) games() int {
	if e == nil {
		return 0
	}
	return e.kept
}

func (e *earlier) attempt(id string) int {
	if e == nil {
		return 1
	}
	return e.begun[id] + 1
}

func (e *earlier) elapsed() time.Duration {
	if e == nil {
		return 0
	}
	return e.played
}

func (e *earlier) plies() int {
	if e == nil {
		return 0
	}
	return e.moved
}

// knows reports whether the seed behind a commitment is known already.
func (e *earlier) knows(commitment string) bool { return e != nil && e.revealed[commitment] }

func (e *earlier) times() int {
	if e == nil {
		return 0
	}
	return e.sessions
}

// takeUp opens the folder of an earlier run and counts what was played.
func (r *matchRun) takeUp(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "journal")); err != nil {
		return fmt.Errorf("%s: without its journal nobody knows what was played: %w; kibitz resume --salvage counts the records", dir, err)
	}
	err := folder.At(dir, 0).MakeFolders()
	if err != nil {
		return err
	}
	var report journal.Report
	if r.dir, report, err = folder.Open(dir, r.director.Most()); err != nil {
		return err
	}
	if report.Torn > 0 && !r.cmd.Quiet {
		fmt.Fprintf(r.talk, "%s: the last %s were an unfinished event and are cut\n", filepath.Join(dir, "journal"),
			plain.Count(int(report.Torn), "byte"))
	}
	r.hideOwn()
	if r.secretive() {
		r.dir.Perm = folder.OwnersOnly
	}
	recorded, err := r.readRecorded()
	if err != nil {
		return err
	}
	if r.earlier, err = r.readEarlier(recorded); err != nil {
		if at := (*fs.PathError)(nil); errors.As(err, &at) { // of another file
			return err
		}
		return fmt.Errorf("%s: %w", filepath.Join(dir, "journal"), err)
	}
	if err := r.director.Resume(r.earlier.log, r.countEarlier); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if len(r.failures) > 0 {
		return r.failures[0]
	}
	return nil
}

// goOn opens what a run needs that is to go on.
func (r *matchRun) goOn() error {
	if err := r.openRecords(); err != nil {
		return err
	}
	if err := r.refillRecords(); err != nil {
		return err
	}
	r.tell()
	if r.grown {
		if err := r.grow(); err != nil {
			return err
		}
	}
	return r.writeRun()
}

// grow lets a run have more games. Its file says so first, as it did when the run was
// begun: whatever ends Kibitz meanwhile, resume goes on by the file. If the run was over,
// its secret is one again, as far as that can be.
func (r *matchRun) grow() error {
	if r.complete() && secludes(r.rules) && !r.cmd.Quiet {
		fmt.Fprintf(r.talk, "%s: what is dealt from now on is known to whoever has read the secret in its run.toml\n", r.dir.Path)
	}
	if err := r.dir.KeepSecret(r.seeds.Secret); err != nil {
		return err
	}
	if err := os.Chmod(filepath.Join(r.dir.Path, "journal"), folder.OwnersOnly); err != nil {
		return err
	}
	b, err := r.runFile(false)
	if err != nil {
		return err
	}
	return r.dir.File("run.toml", b)
}

// tell says where the run stands.
func (r *matchRun) tell() {
	if r.cmd.Quiet {
		return
	}
	fmt.Fprintf(r.talk, "%s: %s of %d were played\n", r.dir.Path, plain.Count(r.earlier.games(), "game"), r.director.Len())
}

// countEarlier counts a game of the earlier run.
func (r *matchRun) countEarlier(f tournament.Finished) {
	k := r.earlier.facts[replayName(f.Pairing)]
	r.totals.use(f.Pairing, k.resources)
	r.earlier.kept++
	r.totals.count(f.Plies, f.Seconds[0]+f.Seconds[1], k.late, k.warnings, f.Result.Reason)
	r.totals.distinct[k.moves] = true
	r.earlier.moved += f.Plies
	r.count()
	if k.commitment == "" {
		return
	}
	last, err := r.shuffles.keep(f.Pairing.Shuffle, k.commitment, r.earlier.rekeyed)
	if err != nil && r.earlier.rekeyed {
		return // dealt from the secret that was lost
	}
	if err != nil {
		r.failures = append(r.failures, err)
		return
	}
	if last {
		if reveal := r.shuffles.reveal(f.Pairing.Shuffle); !r.earlier.revealed[reveal.Commitment] {
			r.sink(&journal.Event{Time: r.a.now(), To: game.Arbiter, Kind: journal.KindReveal, Reveal: reveal})
		}
	}
}
