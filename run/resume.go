package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/run/folder"
	"kibitz/run/repair"
	"kibitz/run/result"
	"kibitz/run/standing"
	"kibitz/tournament"
)

// Resume takes the run in a folder up. Change is given its settings and what may be changed
// of them: how it is shown, how many games run at a time, and more games than it had. Salvage
// goes on although the journal is damaged or the secret lost. An error tells the place in the
// file of the run where it can.
func Resume(folderName string, salvage bool, change func(*Settings), with Deps) (*Run, error) {
	dir, err := filepath.Abs(folderName)
	if err != nil {
		return nil, err
	}
	f, err := fileOf(folderName, dir, salvage)
	if err != nil {
		return nil, err
	}
	s, err := f.Settings()
	if err != nil {
		return nil, err
	}
	if s.Secret, err = secretOf(f, dir); err != nil && !salvage {
		return nil, fmt.Errorf("%w; kibitz resume --salvage goes on with another", err)
	}
	s.Out = dir
	change(s)
	if s.Folder, err = f.Folder(); err != nil {
		return nil, err
	}
	r, err := New(*s, with)
	if err != nil {
		return nil, f.Place(err)
	}
	if err := r.makeOpenings(context.Background()); err != nil { // of a file that was written by hand
		return nil, f.Place(err)
	}
	if salvage {
		what := &repair.Run{
			Dir: dir, Rules: r.rules, Seeds: r.seeds, Shuffles: r.keep.shuffles, Most: r.standing.Director.Most(), Lost: s.Secret == "",
			Tell: r.with.Say,
		}
		if err := repair.Journal(what); err != nil {
			return nil, ofDisk(err)
		}
		r.rekeyed = what.Rekeyed
	}
	if err := r.takeUp(dir); err != nil {
		return nil, ofDisk(err)
	}
	return r, nil
}

// fileOf reads what the run plays.
func fileOf(name, dir string, salvage bool) (*File, error) {
	toml := filepath.Join(dir, "run.toml")
	f, err := ReadFile(toml)
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return f, err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such folder", name)
	}
	if _, err := os.Stat(filepath.Join(dir, "journal")); err != nil {
		return nil, fmt.Errorf("%s holds no run.toml: it is no folder of a run", name)
	}
	if !salvage {
		return nil, fmt.Errorf("%s holds no run.toml: kibitz resume --salvage takes it from the journal", name)
	}
	if err := repair.RunFile(dir); err != nil {
		return nil, fmt.Errorf("%s holds no run.toml, and it cannot be made again: %w", name, err)
	}
	return ReadFile(toml)
}

// Over reports whether nothing of the run is left to be played: it was taken up, its folder has
// all that a run has when it is over, and it is to have no more games.
func (r *Run) Over() bool { return r.earlier.resumed && r.keep.dir.Whole() && !r.grown }

// tellOver tells those who watch of a run that is over.
func (r *Run) tellOver() (*result.Summary, error) {
	r.assemble()
	r.say(r.keep.dir.Path + ": the run is over")
	r.standing.AddByes()
	if _, missing := os.Stat(filepath.Join(r.keep.dir.Path, "report.html")); missing != nil && r.set.Report {
		if err := r.with.Report(r.keep.dir.Path); err != nil {
			return nil, err
		}
	}
	sum := r.standing.Summary(standing.Spent{Elapsed: r.earlier.played, Before: r.earlier.played, PliesBefore: r.earlier.moved})
	r.audience.ended(sum)
	return sum, errors.Join(r.keep.dir.Close(), r.verdict())
}

// ofDisk makes what could not be read or written a bad verdict: nothing is wrong with
// the arguments.
func ofDisk(err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return bad("%v", err)
	}
	return err
}

// secretOf returns the secret of a run: from the file of its own while it is not over,
// else from run.toml.
func secretOf(f *File, dir string) (string, error) {
	told, err := f.Text(KeySecret)
	if err != nil || told != "" {
		return told, err
	}
	b, err := os.ReadFile(filepath.Join(dir, folder.SecretFile))
	if err != nil {
		return "", fmt.Errorf("the secret behind the run's shuffles is not there: %w", err)
	}
	text := strings.TrimSpace(string(b))
	if _, err := tournament.ReadSeed(text); err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(dir, folder.SecretFile), err)
	}
	return text, nil
}

// earlier is what was played before a run was taken up again; the zero value is that of
// a run that begins.
type earlier struct {
	resumed bool // there was an earlier run
	// kept is how many games ended with a verdict.
	kept int
	// log is what the director is told of them, facts what the totals count, by the
	// games' names.
	log   []tournament.Event
	facts map[string]keptFacts
	// begun is how often a game began.
	begun map[string]int
	// rekeyed tells that the run went on with another secret.
	rekeyed bool
	// revealed are the commitments whose seeds are known.
	revealed map[string]bool
	// files are those of the engines as they were when the run was last begun or taken up.
	files map[string]string
	// sessions is how often the run was taken up or begun, played how long it went
	// on for in all.
	sessions int
	played   time.Duration
	moved    int // plies
}

// keptFacts are what the totals count of a game, and the commitment of its shuffle.
type keptFacts struct {
	standing.Facts
	commitment string
}

// takeUp opens the folder of an earlier run and counts what was played.
func (r *Run) takeUp(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "journal")); err != nil {
		return fmt.Errorf("%s: without its journal nobody knows what was played: %w; kibitz resume --salvage counts the records", dir, err)
	}
	err := folder.At(dir, 0).MakeFolders()
	if err != nil {
		return err
	}
	var report journal.Report
	if r.keep.dir, report, err = folder.Open(dir, r.standing.Director.Most()); err != nil {
		return err
	}
	if report.Torn > 0 {
		r.say(fmt.Sprintf("%s: the last %s were an unfinished event and are cut", filepath.Join(dir, "journal"),
			plain.Count(int(report.Torn), "byte")))
	}
	r.players.hide(&r.keep)
	r.keep.cover()
	recorded, transit, err := repair.Recorded(r.keep.dir)
	if err != nil {
		return err
	}
	r.standing.Totals.Transit.Join(transit)
	file, err := r.file(false)
	if err != nil {
		return err
	}
	reader := earlierReader{standing: &r.standing, organiser: &r.organiser, keep: &r.keep, file: file, recorded: recorded}
	e, grown, err := reader.read(tournament.Commitment(r.seeds.Secret), r.rekeyed)
	if err != nil {
		if at := (*fs.PathError)(nil); errors.As(err, &at) { // of another file
			return err
		}
		return fmt.Errorf("%s: %w", filepath.Join(dir, "journal"), err)
	}
	r.earlier, r.grown = *e, grown
	var fault error // the first
	if err := r.standing.Director.Resume(r.earlier.log, func(f tournament.Finished) {
		if err := r.earlier.count(&f, &r.standing, &r.keep); fault == nil {
			fault = err
		}
	}); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return fault
}

// goOn opens what a run needs that is to go on.
func (r *Run) goOn() error {
	if err := r.keep.addFiles(r.set.Folder, r.set.Record, r.schedule().Most()); err != nil {
		return err
	}
	if err := r.keep.refill(r.earlier.kept); err != nil {
		return err
	}
	r.say(fmt.Sprintf("%s: %d of %s played so far", r.keep.dir.Path, r.earlier.kept, plain.Count(r.standing.Director.Len(), "game")))
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
func (r *Run) grow() error {
	if r.keep.dir.Whole() && secludes(r.rules) {
		r.say(r.keep.dir.Path + ": what is dealt from now on is known to whoever has read the secret in its run.toml")
	}
	if err := r.keep.dir.KeepSecret(r.seeds.Secret); err != nil {
		return err
	}
	if err := os.Chmod(filepath.Join(r.keep.dir.Path, "journal"), folder.OwnersOnly); err != nil {
		return err
	}
	b, err := r.file(false)
	if err != nil {
		return err
	}
	return r.keep.dir.File("run.toml", b)
}

// count counts a game of the earlier run.
func (e *earlier) count(f *tournament.Finished, st *standing.Standing, keep *keeper) error {
	k := e.facts[folder.ReplayName(f.Pairing.Index, f.Pairing.Replays)]
	st.Totals.AddEarlier(f, k.Facts)
	e.kept++
	e.moved += f.Plies
	st.Update()
	if k.commitment == "" {
		return nil
	}
	last, err := keep.shuffles.Keep(f.Pairing.Shuffle, k.commitment, e.rekeyed)
	if err != nil && e.rekeyed {
		return nil // dealt from the secret that was lost
	}
	if err == nil && last {
		if reveal := keep.shuffles.Reveal(f.Pairing.Shuffle); !e.revealed[reveal.Commitment] {
			keep.reveal(reveal)
		}
	}
	return err
}
