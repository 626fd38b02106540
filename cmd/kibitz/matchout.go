package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/record"
	"kibitz/record/native"
	"kibitz/rules"
	"kibitz/tournament"
)

// playedGame is one game with everything that is kept of it.
type playedGame struct {
	pairing tournament.Pairing
	id      string
	names   [2]string
	began   time.Time
	outcome match.Outcome
	log     []byte
	// commitment and seed are those of the shuffle, if the game has one.
	commitment, seed string
}

// totals are what the summary tells of the whole run.
type totals struct {
	plies      int
	late       time.Duration
	transit    transit
	warnings   int
	forfeits   int
	failed     int // forfeits of engines that went wrong, not those of a clock or a rule
	unfinished int
	unneeded   int // games not played because the sequential test was decided
	distinct   map[uint64]bool
}

// transit are the transmission errors of a run: how many plies were measured by a
// host, the sum and the worst of them.
type transit struct {
	plies      int
	sum, worst time.Duration
}

func (t *transit) add(s *match.Step) {
	if s.Error > 0 {
		t.plies++
		t.sum += s.Error
		t.worst = max(t.worst, s.Error)
	}
}

// mean returns the mean error of a ply, 0 if none was measured.
func (t *transit) mean() time.Duration { return t.sum / time.Duration(max(1, t.plies)) }

func (t *totals) add(p *playedGame) {
	o := &p.outcome
	t.plies += o.Plies
	t.late = max(t.late, o.Late)
	t.warnings += len(o.Warnings)
	switch o.Result.Reason {
	case game.ByTime, game.ByCrash, game.ByStall, game.ByIllegal, game.ByProtocol, game.ByResource, game.ByStart:
		t.forfeits++
		if o.Result.Reason != game.ByTime && o.Result.Reason != game.ByIllegal {
			t.failed++
		}
	}
	if t.distinct == nil {
		t.distinct = map[uint64]bool{}
	}
	h := fnv.New64a()
	for _, s := range o.Steps {
		t.transit.add(&s)
		h.Write([]byte{byte(s.Move.Op), byte(s.Move.From.X), byte(s.Move.From.Y), byte(s.Move.To.X), byte(s.Move.To.Y), byte(s.Move.Arg)})
	}
	t.distinct[h.Sum64()] = true
}

// finished takes a game as it ends: files, standings, lines for people and
// programs. It is called for one game at a time.
func (r *matchRun) finished(f tournament.Finished) {
	p := f.Data.(*playedGame)
	if err := r.keep(p); err != nil {
		r.fail(fmt.Errorf("game %s could not be kept: %w", p.id, err))
	}
	r.standings.Add(f)
	r.totals.add(p)
	r.test()
	for _, w := range p.outcome.Warnings {
		if !r.cmd.Quiet {
			r.progress.warn("game " + p.id + ": " + w)
		}
	}
	r.say(f, p)
	r.progress.grow(r.schedule.Len())
	r.progress.standings(r.standings, r.standings.Games())
}

// test brings the sequential test up to date; once it is decided no further game
// starts.
func (r *matchRun) test() {
	if r.sprt == nil {
		return
	}
	before, counts := r.sprt.Decision(), r.standings.Singles(0)
	if r.sprt.Counts().Unit() == "pairs" {
		counts, _ = r.standings.Pairs(0)
	}
	if r.sprt.Set(counts) != before {
		r.halt.now()
	}
}

// fail notes that something of ours went wrong; no further game starts.
func (r *matchRun) fail(err error) {
	if len(r.failures) == 0 {
		r.progress.warn(oneLine(err) + "; running games end, no new ones start")
	}
	r.failures = append(r.failures, err)
	r.halt.now()
}

// keep writes the game's record and log; its events are in the journal already.
func (r *matchRun) keep(p *playedGame) error {
	g := r.record(p)
	if p.seed != "" && r.shuffles.played(p.pairing.Shuffle) {
		g.Seed = p.seed
		r.sink(&journal.Event{Time: r.a.now(), To: game.Arbiter, Kind: journal.KindReveal, Reveal: r.shuffles.reveal(p.pairing.Shuffle)})
	}
	rec := native.Record{Game: *g, Attempt: 1}
	b, err := native.Append(nil, &rec, r.rules)
	if err != nil {
		return err
	}
	if err := r.dir.add("games", p.pairing.Index, ".json", b); err != nil {
		return err
	}
	if err := r.keepLog(p); err != nil {
		return err
	}
	for _, f := range r.records {
		if err := f.add(g); err != nil {
			return err
		}
	}
	if err := r.journalError.Load(); err != nil {
		return *err
	}
	return nil
}

// keepLog writes the traffic of a game. In a long run that of a forfeited game is
// in a file of its own beside those that several games share.
func (r *matchRun) keepLog(p *playedGame) error {
	log := p.log
	if len(p.outcome.Evidence) > 0 {
		log = append(log, "== evidence\n"+strings.Join(p.outcome.Evidence, "\n")+"\n"...)
	}
	if !r.dir.blocked() {
		return r.dir.add("logs", p.pairing.Index, ".log", log)
	}
	title := "==== game " + p.id + "\n"
	if len(p.outcome.Evidence) > 0 {
		if err := r.dir.file("logs/"+p.id+".log", log); err != nil {
			return err
		}
		return r.dir.add("logs", p.pairing.Index, ".log", []byte(title+"see "+p.id+".log\n"))
	}
	return r.dir.add("logs", p.pairing.Index, ".log", append([]byte(title), log...))
}

// record turns the outcome into a record.
func (r *matchRun) record(p *playedGame) *record.Game {
	o := &p.outcome
	g := &record.Game{
		ID: p.id, Spec: r.rules.Spec(), Names: p.names, Event: "Kibitz match", Round: fmt.Sprint(p.pairing.Round),
		Date: p.began.UTC().Format("2006-01-02 15:04:05"), Result: &o.Result, Commitment: p.commitment,
	}
	if p.pairing.Opening >= 0 {
		op := r.openings[p.pairing.Opening]
		g.Start = op.Start
		g.Tags = append(g.Tags, record.Tag{Key: "opening", Value: op.Name})
	}
	for i, e := range [2]int{p.pairing.First, p.pairing.Second} {
		if c := r.engines[e].Control; !c.None() {
			g.Clocks[i] = c.String()
		}
	}
	g.Steps = make([]record.Step, 0, len(o.Steps)+len(o.Attempts))
	tried := o.Attempts
	for i := range o.Steps {
		g.Steps, tried = addAttempts(g.Steps, tried, i)
		s := &o.Steps[i]
		step := record.Step{By: s.By, Move: s.Move, Used: s.Used, Error: s.Error, Timed: !s.Opening && !s.Forced && s.By.IsPlayer(), Opening: s.Opening, Forced: s.Forced}
		if s.Info.Eval.Known() || s.Info.Depth > 0 {
			step.Info = &s.Info
		}
		g.Steps = append(g.Steps, step)
	}
	g.Steps, _ = addAttempts(g.Steps, tried, len(o.Steps))
	return g
}

// addAttempts appends the attempts that were refused before step n, and returns
// those that are left.
func addAttempts(steps []record.Step, tried []match.Attempt, n int) ([]record.Step, []match.Attempt) {
	for len(tried) > 0 && tried[0].Before <= n {
		a := &tried[0]
		steps = append(steps, record.Step{By: a.By, Move: a.Move, Used: a.Used, Timed: true, Refused: true})
		tried = tried[1:]
	}
	return steps, tried
}

// say prints one line for the game.
func (r *matchRun) say(f tournament.Finished, p *playedGame) {
	res := f.Result
	if r.cmd.JSON {
		line := gameLine{
			Type: "game", ID: p.id, Game: string(r.rules.Spec()), Round: f.Pairing.Round, Pair: f.Pairing.Pair, First: p.names[0], Second: p.names[1],
			Score: res.Points, Reason: string(res.Reason), Detail: res.Detail, Plies: f.Plies, Seconds: f.Seconds,
		}
		if w := res.Winner(); w.IsPlayer() {
			line.Winner = &p.names[w]
		}
		if res.HasBoard {
			line.Board = &res.Board
		}
		if f.Pairing.Opening >= 0 {
			line.Opening = r.openings[f.Pairing.Opening].Name
		}
		if err := writeJSONLine(r.a.stdout, line); err != nil {
			r.fail(err)
		}
	}
	text := fmt.Sprintf("game %d of %d: %s - %s: %s, %d plies", f.Pairing.Index+1, r.schedule.Len(), p.names[0], p.names[1], resultText(res, p.names), f.Plies)
	if res.Detail != "" {
		text += "; " + res.Detail
	}
	r.progress.game(text)
	if r.cmd.Board && !r.cmd.Quiet {
		r.drawFinal(p)
	}
}

// drawFinal shows the last position of a game.
func (r *matchRun) drawFinal(p *playedGame) {
	b := rules.NewBoard(func(game.Spec) (rules.Rules, error) { return r.rules, nil })
	start := ""
	if p.pairing.Opening >= 0 {
		start = r.openings[p.pairing.Opening].Start
	}
	if err := b.Reset(r.rules.Spec(), start); err != nil {
		return
	}
	for _, s := range p.outcome.Steps {
		if _, err := b.Apply(s.Move); err != nil {
			return
		}
	}
	v := b.View(game.Arbiter)
	var out bytes.Buffer
	painter{w: &out, colour: newPainter(r.talk).colour}.of(r.rules.Spec()).board(&v)
	r.progress.game(out.String())
}

// runFile is run.toml: everything needed to repeat the run. Seed and secret make
// the same shuffles; the secret is written when the run is over.
type runFile struct {
	Game     string   `toml:"game"`
	Engines  []string `toml:"engines"`
	Each     string   `toml:"each,omitempty"`
	Games    int      `toml:"games"`
	Rounds   int      `toml:"rounds"`
	Format   string   `toml:"format"`
	Seeds    int      `toml:"seeds,omitempty"`
	Repeat   bool     `toml:"repeat"`
	Openings string   `toml:"openings,omitempty"`
	Points   string   `toml:"points"`
	SPRT     string   `toml:"sprt,omitempty"`
	Draw     string   `toml:"draw,omitempty"`
	Resign   string   `toml:"resign,omitempty"`
	MaxMoves int      `toml:"max-moves,omitempty"`
	Illegal  string   `toml:"illegal"`
	Seed     uint64   `toml:"seed"`
	Secret   string   `toml:"secret,omitempty"`
	Version  string   `toml:"kibitz"`
}

func (r *matchRun) runFile(secret bool) ([]byte, error) {
	c := r.cmd
	f := runFile{
		Game: string(r.rules.Spec()), Engines: c.Engine, Each: c.Each, Games: c.Games, Rounds: r.plan.Rounds, Format: c.Format, Seeds: r.plan.Seeds, Repeat: c.Repeat,
		Openings: c.Openings, Points: c.Points, SPRT: c.SPRT, Draw: c.Draw, Resign: c.Resign, MaxMoves: c.MaxMoves, Illegal: c.Illegal, Seed: r.seeds.Seed, Version: version,
	}
	if secret {
		f.Secret = hex.EncodeToString(r.seeds.Secret[:])
	}
	return toml.Marshal(f)
}

// writeRun opens the run's folder: how to repeat it, and the head of the journal.
func (r *matchRun) writeRun() error {
	for _, f := range r.records {
		if err := f.begin(); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
	}
	b, err := r.runFile(false)
	if err != nil {
		return err
	}
	if err := r.dir.file("run.toml", b); err != nil {
		return err
	}
	config, err := json.Marshal(string(b))
	if err != nil {
		return err
	}
	return r.dir.journal.Append(&journal.Event{
		Time: r.began, To: game.Arbiter, Kind: journal.KindRun,
		Run: &journal.Run{Program: "kibitz " + version, Config: config, Commitment: tournament.Commitment(r.seeds.Secret)},
	})
}

// report prints the final table and writes the summary.
func (r *matchRun) report() error {
	elapsed := r.a.now().Sub(r.began)
	r.addByes()
	sum := summaryLine{Type: "summary", Games: r.standings.Games(), Seconds: seconds(elapsed), SPRT: newSPRTLine(r.sprt, r.names[0]), Extra: r.extra(elapsed)}
	for i, name := range r.names {
		sum.Engines = append(sum.Engines, newEngineLine(name, r.standings, i))
	}
	for _, f := range r.records {
		if err := f.close(); err != nil {
			r.failures = append(r.failures, err)
		}
	}
	r.failures = append(r.failures, r.endRun(sum)...)
	if r.cmd.JSON {
		if err := writeJSONLine(r.a.stdout, sum); err != nil {
			r.failures = append(r.failures, err)
		}
	}
	if !r.cmd.JSON || !r.cmd.Quiet {
		r.table(elapsed)
	}
	return r.verdict()
}

func (r *matchRun) table(elapsed time.Duration) {
	fmt.Fprintln(r.talk)
	r.formatTable()
	if r.sprt != nil {
		fmt.Fprintln(r.talk, sprtText(r.sprt))
	}
	fmt.Fprintf(r.talk, "%s in %s", count(r.standings.Games(), "game"), elapsed.Round(10*time.Millisecond))
	if r.totals.unfinished > 0 {
		fmt.Fprintf(r.talk, ", %d not played", r.totals.unfinished)
	}
	if r.totals.unneeded > 0 {
		fmt.Fprintf(r.talk, ", %d not needed", r.totals.unneeded)
	}
	if n := len(r.totals.distinct); n < r.standings.Games() {
		fmt.Fprintf(r.talk, ", %d of them different", n)
	}
	fmt.Fprintf(r.talk, "; records and logs in %s\n", r.dir.path)
}

// endRun completes the folder; the secret can be known now.
func (r *matchRun) endRun(sum summaryLine) []error {
	var errs []error
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	b, err := r.runFile(true)
	note(err)
	if err == nil {
		note(r.dir.file("run.toml", b))
	}
	note(r.dir.json("summary.json", sum))
	for _, n := range r.shuffles.rest() {
		note(r.dir.journal.Append(&journal.Event{Time: r.a.now(), To: game.Arbiter, Kind: journal.KindReveal, Reveal: r.shuffles.reveal(n)}))
	}
	note(r.dir.journal.Append(&journal.Event{
		Time: r.a.now(), To: game.Arbiter, Kind: journal.KindReveal,
		Reveal: &journal.Reveal{Commitment: tournament.Commitment(r.seeds.Secret), Seed: hex.EncodeToString(r.seeds.Secret[:])},
	}))
	note(r.dir.close())
	return errs
}

func (r *matchRun) extra(elapsed time.Duration) *summaryExtra {
	x := &summaryExtra{
		Distinct: len(r.totals.distinct), Plies: r.totals.plies, WorstLateMS: seconds(r.totals.late) * 1000,
		Warnings: r.totals.warnings, Unfinished: r.totals.unfinished,
		TransmissionMeanUS: rounded(float64(r.totals.transit.mean().Nanoseconds()) / 1e3), TransmissionWorstUS: rounded(float64(r.totals.transit.worst.Nanoseconds()) / 1e3),
	}
	if r.totals.plies > 0 {
		cpu, peak := ownUsage()
		x.WallPerMove = rounded(float64(elapsed.Microseconds()) / float64(r.totals.plies))
		x.ProcessorPerMove = rounded(float64(cpu.Microseconds()) / float64(r.totals.plies))
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
	case r.totals.failed > 0:
		return badVerdict("%s lost because an engine failed: it crashed, fell silent or broke its protocol", count(r.totals.failed, "game"))
	case r.standings.Games() == 0:
		return badVerdict("no game was played to a verdict")
	}
	return nil
}
