package run

import (
	"encoding/hex"
	"encoding/json"
	"path/filepath"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/internal/process"
	"kibitz/journal"
	"kibitz/run/folder"
	"kibitz/run/result"
	"kibitz/run/standing"
	"kibitz/tournament"
)

// say tells people a line, unless they want none.
func (r *Run) say(text string) {
	if !r.set.Quiet {
		r.with.Say(text)
	}
}

// file returns run.toml: everything needed to repeat the run. The secret makes
// the same shuffles and is told when the run is over.
func (r *Run) file(secret bool) ([]byte, error) {
	s, p := *r.set, &r.standing.Plan
	s.Openings = s.Openings.Kept(filepath.Join(r.keep.dir.Path, folder.OpeningsFile))
	s.Game, s.Seed, s.Rounds, s.Seeds, s.Secret = string(r.rules.Spec()), r.seeds.Seed, &p.Rounds, p.Seeds, ""
	dir, err := s.Folder.Abs(".")
	if err != nil {
		return nil, err
	}
	further := []Setting{{Key: KeyFolder, Value: dir}, {Key: KeyVersion, Value: r.with.Version}}
	if r.compat != nil {
		further = append(further, Setting{Key: KeyCompat, Value: r.compat.Program})
	}
	if secret {
		further = append(further, Setting{Key: KeySecret, Value: hex.EncodeToString(r.seeds.Secret[:])})
	}
	return s.Write(further...)
}

// writeRun begins the run's folder: how to repeat it, and the head of the journal.
// A run that is taken up has the first already.
func (r *Run) writeRun() error {
	b, err := r.file(false)
	if err != nil {
		return err
	}
	dir := r.keep.dir
	if !r.earlier.resumed {
		if err := dir.KeepSecret(r.seeds.Secret); err != nil {
			return err
		}
		if made := r.openings.made; made != nil && made.Made != nil { // so that it can be taken up and repeated with them
			if err := dir.File(folder.OpeningsFile, made.Made); err != nil {
				return err
			}
		}
		if err := dir.File("run.toml", b); err != nil {
			return err
		}
	}
	config, err := json.Marshal(string(b))
	if err != nil {
		return err
	}
	return dir.Journal.Append(&journal.Event{
		Time: r.now(), To: game.Arbiter, Kind: journal.KindRun,
		Run: &journal.Run{
			Program: "kibitz " + r.with.Version, Config: config, Commitment: tournament.Commitment(r.seeds.Secret), Resumed: r.earlier.sessions,
			Files: r.players.filesNow(),
		},
	})
}

// end writes the summary, and tells those who watch.
func (r *Run) end() (*result.Summary, error) {
	spent := standing.Spent{
		Elapsed: r.now().Sub(r.began) + r.earlier.played, Before: r.earlier.played, PliesBefore: r.earlier.moved,
	}
	spent.Processor, spent.Peak = process.Usage()
	r.standing.AddByes()
	sum := r.standing.Summary(spent)
	r.failures = append(r.failures, r.keep.closeFiles()...)
	r.failures = append(r.failures, r.complete(sum)...)
	if r.set.Report {
		if err := r.with.Report(r.keep.dir.Path); err != nil {
			r.failures = append(r.failures, err)
		}
	}
	r.over = true
	r.audience.ended(sum)
	return sum, r.verdict()
}

// complete completes the folder. Once nothing is left to be played the secret can be
// known; until then whoever takes the run up needs it to be one.
func (r *Run) complete(sum *result.Summary) (errs []error) {
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	dir, played := r.keep.dir, r.standing.Totals.Unfinished == 0
	if played {
		b, err := r.file(true)
		note(err)
		if err == nil {
			note(dir.File("run.toml", b))
		}
		reveal := func(x *journal.Reveal) {
			note(dir.Journal.Append(&journal.Event{Time: r.now(), To: game.Arbiter, Kind: journal.KindReveal, Reveal: x}))
		}
		for _, n := range r.keep.shuffles.Rest() {
			reveal(r.keep.shuffles.Reveal(n))
		}
		if c := tournament.Commitment(r.seeds.Secret); !r.earlier.revealed[c] {
			reveal(&journal.Reveal{Commitment: c, Seed: hex.EncodeToString(r.seeds.Secret[:])})
		}
	}
	note(dir.JSON("summary.json", sum))
	note(dir.Close())
	if len(errs)+len(r.failures) == 0 && played {
		note(dir.Publish())
		note(dir.ForgetSecret())
	}
	return errs
}

// verdict is the error of a run: if something of ours failed, or if --strict finds anything
// amiss.
func (r *Run) verdict() error {
	t := &r.standing.Totals
	switch {
	case len(r.failures) > 0:
		return bad("%v", r.failures[0])
	case r.set.Strict && t.Warnings+t.Forfeits+t.Unfinished > 0:
		return bad("%d warnings, %d forfeits, %d games not played (--strict)", t.Warnings, t.Forfeits, t.Unfinished)
	case t.Failed.Games() > 0:
		return bad("%s lost because an engine failed: %s", plain.Count(t.Failed.Games(), "game"), t.Failed)
	case r.standing.Games() == 0:
		return bad("no game was played to a verdict")
	}
	return nil
}
