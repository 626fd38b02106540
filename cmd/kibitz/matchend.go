package main

import (
	"encoding/hex"
	"fmt"
	"time"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/internal/process"
	"kibitz/journal"
	"kibitz/rating"
	"kibitz/run/result"
	"kibitz/tournament"
)

// report prints the final table and writes the summary.
func (r *matchRun) report() (*result.Summary, error) {
	elapsed := r.a.now().Sub(r.began) + r.earlier.elapsed()
	r.addByes()
	sum := r.summary(elapsed)
	for _, f := range r.records {
		if err := f.Close(); err != nil {
			r.failures = append(r.failures, fmt.Errorf("--record: %w", err))
		}
	}
	r.failures = append(r.failures, r.endRun(sum)...)
	if r.cmd.Report {
		if _, err := writeReport(r.dir.Path, r.a.now(), reportOptions{Boards: reportBoards}); err != nil {
			r.failures = append(r.failures, err)
		}
	}
	for _, w := range r.watchers {
		w.Ended(&sum)
	}
	return &sum, r.verdict()
}

func (r *matchRun) summary(elapsed time.Duration) result.Summary {
	sum := result.Summary{
		Type: "summary", Games: r.standings.Games(), Seconds: seconds(elapsed), SPRT: rating.NewStanding(r.sprt, r.names[0]),
		Extra: r.extra(elapsed),
	}
	for i := range r.names {
		sum.Engines = append(sum.Engines, r.engineLine(i))
	}
	for _, row := range r.director.Ranking(r.breaks) {
		sum.Extra.Ranking = append(sum.Extra.Ranking, result.Rank{
			Name: r.names[row.Engine], Rank: row.Rank, Points: row.Points, Share: ratio(row.Share),
		})
	}
	return sum
}

// believedFrom is from how many games on somebody will believe the margins.
const believedFrom = 20

// repeats is how many games were games that had been played before, and whether those
// are so many that the margins, where somebody believes them, are too narrow.
func (r *matchRun) repeats() (again int, many bool) {
	n := r.standings.Games()
	again = n - len(r.totals.distinct)
	return again, n >= believedFrom && again > n/10
}

// table prints for people how the run ended.
func (r *matchRun) table(sum *result.Summary) {
	elapsed := time.Duration(sum.Seconds * float64(time.Second))
	fmt.Fprintln(r.talk)
	r.formatTable()
	if r.sprt != nil {
		fmt.Fprintln(r.talk, r.sprt.Text())
	}
	for _, x := range r.totals.starved {
		counts := map[bool]string{true: "played again", false: "it counts"}[x.Again]
		fmt.Fprintf(r.talk, "game %s: %s lost on time, having waited %.2fs for a processor (%.2fs over): %s\n", x.Game, x.Engine, x.Waited,
			x.Over, counts)
	}
	n := r.standings.Games()
	fmt.Fprintf(r.talk, "%s in %s", plain.Count(n, "game"), elapsed.Round(10*time.Millisecond))
	if r.totals.plies > 0 && n > 0 {
		fmt.Fprintf(r.talk, ", of %d plies and %s of thinking each", (r.totals.plies+n/2)/n, meanTime(r.totals.thought/float64(n)))
	}
	if r.totals.unfinished > 0 {
		fmt.Fprintf(r.talk, ", %d not played", r.totals.unfinished)
	}
	if r.totals.unneeded > 0 {
		fmt.Fprintf(r.talk, ", %d not needed", r.totals.unneeded)
	}
	again, many := r.repeats()
	if again > 0 {
		fmt.Fprintf(r.talk, ", %d of them different", n-again)
	}
	fmt.Fprintf(r.talk, "; records and logs in %s\n", r.dir.Path)
	if many {
		fmt.Fprintf(r.talk, "%s repeated others and told nothing new: the margins are too narrow (more openings help)\n",
			plain.Count(again, "game"))
	}
	switch {
	case len(r.failures) > 0 && !r.dir.There():
	case r.totals.unfinished > 0:
		fmt.Fprintf(r.talk, "kibitz resume %s plays the rest\n", r.dir.Path)
	case len(r.failures) > 0:
		fmt.Fprintf(r.talk, "kibitz resume %s writes what is missing\n", r.dir.Path)
	}
}

// meanTime prints seconds with the digits that matter: 1.2s, 350ms, 20µs.
func meanTime(s float64) string {
	d := time.Duration(s * float64(time.Second))
	for unit := time.Second; unit > time.Nanosecond; unit /= 1000 {
		if d >= unit {
			return d.Round(unit / 100).String()
		}
	}
	return d.String()
}

// endRun completes the folder. Once nothing is left to be played the secret can be
// known; until then whoever takes the run up needs it to be one.
func (r *matchRun) endRun(sum result.Summary) []error {
	var errs []error
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	if r.totals.unfinished == 0 {
		b, err := r.runFile(true)
		note(err)
		if err == nil {
			note(r.dir.File("run.toml", b))
		}
		for _, n := range r.shuffles.rest() {
			note(r.dir.Journal.Append(&journal.Event{Time: r.a.now(), To: game.Arbiter, Kind: journal.KindReveal, Reveal: r.shuffles.reveal(n)}))
		}
		if c := tournament.Commitment(r.seeds.Secret); !r.earlier.knows(c) {
			note(r.dir.Journal.Append(&journal.Event{
				Time: r.a.now(), To: game.Arbiter, Kind: journal.KindReveal,
				Reveal: &journal.Reveal{Commitment: c, Seed: hex.EncodeToString(r.seeds.Secret[:])},
			}))
		}
	}
	note(r.dir.JSON("summary.json", sum))
	note(r.dir.Close())
	if len(errs)+len(r.failures) == 0 && r.totals.unfinished == 0 {
		note(r.dir.Publish())
		note(r.dir.ForgetSecret())
	}
	return errs
}

func (r *matchRun) extra(elapsed time.Duration) *result.Extra {
	x := &result.Extra{
		Distinct: len(r.totals.distinct), Plies: r.totals.plies, WorstLateMS: seconds(r.totals.late) * 1000,
		Warnings: r.totals.warnings, Unfinished: r.totals.unfinished, Starved: r.totals.starved,
		TransmissionMeanUS:  rounded(float64(r.totals.transit.mean().Nanoseconds()) / 1e3),
		TransmissionWorstUS: rounded(float64(r.totals.transit.worst.Nanoseconds()) / 1e3),
	}
	if r.totals.plies > 0 {
		cpu, peak := process.Usage()
		plies := float64(max(1, r.totals.plies-r.earlier.plies()))
		x.WallPerMove = rounded(float64((elapsed - r.earlier.elapsed()).Microseconds()) / plies)
		x.ProcessorPerMove = rounded(float64(cpu.Microseconds()) / plies)
		x.PeakMiB = rounded(float64(peak) / (1 << 20))
	}
	return x
}

// verdict is the exit status: bad if something of ours failed, or if --strict
// finds anything amiss.
func (r *matchRun) verdict() error {
	switch {
	case len(r.failures) > 0:
		return badVerdict("%v", r.failures[0])
	case r.cmd.Strict && r.totals.warnings+r.totals.forfeits+r.totals.unfinished > 0:
		return badVerdict("%d warnings, %d forfeits, %d games not played (--strict)", r.totals.warnings, r.totals.forfeits, r.totals.unfinished)
	case r.totals.failed.games() > 0:
		return badVerdict("%s lost because an engine failed: %s", plain.Count(r.totals.failed.games(), "game"), r.totals.failed)
	case r.standings.Games() == 0:
		return badVerdict("no game was played to a verdict")
	}
	return nil
}
