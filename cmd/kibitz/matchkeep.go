package main

import (
	"fmt"
	"hash"
	"hash/fnv"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/match/recorded"
	"kibitz/record"
	"kibitz/record/native"
	"kibitz/run"
	"kibitz/run/result"
	"kibitz/tournament"
)

// totals are what the summary tells of the whole run.
type totals struct {
	plies      int
	thought    float64 // seconds of both seats
	late       time.Duration
	transit    transit
	warnings   int
	forfeits   int
	failed     failures
	unfinished int
	unneeded   int // games not played because the sequential test was decided
	distinct   map[uint64]bool
	starved    []result.Starved
	used       map[int]*engineUse // by engine
}

// transit are the transmission errors of a run: how many plies were measured by a
// host, the sum and the worst of them.
type transit struct {
	plies      int
	sum, worst time.Duration
}

func (t *transit) add(err time.Duration) {
	if err > 0 {
		t.plies++
		t.sum += err
		t.worst = max(t.worst, err)
	}
}

// join adds what was measured in another game.
func (t *transit) join(o transit) {
	t.plies += o.plies
	t.sum += o.sum
	t.worst = max(t.worst, o.worst)
}

// mean returns the mean error of a ply, 0 if none was measured.
func (t *transit) mean() time.Duration { return t.sum / time.Duration(max(1, t.plies)) }

// outlineOf returns the identifier of a record and its transmission errors.
func outlineOf(line []byte) (id string, all transit, err error) {
	id, ok := native.Outline(line, all.add)
	if ok {
		return id, all, nil
	}
	rec, err := native.Parse(line, records().Text)
	if err != nil {
		return "", all, err
	}
	for i := range rec.Steps {
		all.add(rec.Steps[i].Error)
	}
	return rec.ID, all, nil
}

// add counts a game that was played.
func (t *totals) add(p *run.Game) {
	o := &p.Outcome
	t.use(p.Pairing, o.Resources)
	t.count(o.Plies, seconds(o.Used[0]+o.Used[1]), o.Late, len(o.Warnings), o.Result.Reason)
	h := newMoveHash()
	for i := range o.Steps {
		s := &o.Steps[i]
		t.transit.add(s.Error)
		h.add(s.Move)
	}
	if len(o.Steps) > 0 {
		t.distinct[h.Sum64()] = true
	}
}

// count counts what a game was like.
func (t *totals) count(plies int, thought float64, late time.Duration, warnings int, why game.Reason) {
	t.plies += plies
	t.thought += thought
	t.late = max(t.late, late)
	t.warnings += warnings
	switch why {
	case game.ByTime, game.ByIllegal:
		t.forfeits++
	case game.ByCrash, game.ByStall, game.ByProtocol, game.ByResource, game.ByStart:
		t.forfeits++
		t.failed.add(why)
	}
	if t.distinct == nil {
		t.distinct = map[uint64]bool{}
	}
}

// moveHash tells games with the same decisions.
type moveHash struct{ hash.Hash64 }

func newMoveHash() moveHash { return moveHash{fnv.New64a()} }

func (h moveHash) add(m game.Move) {
	h.Write([]byte{byte(m.Op), byte(m.From.X), byte(m.From.Y), byte(m.To.X), byte(m.To.Y), byte(m.Arg)})
}

// finished takes a game as it ends: files, standings, lines for people and
// programs. It is called for one game at a time, and returns whether further ones
// are to start.
func (r *matchRun) finished(f tournament.Finished) (goOn bool) {
	p := f.Data.(*run.Game)
	if err := r.keep(p); err != nil {
		r.fail(r.unrecorded(p.ID, err))
	} else if err := r.journalFault(); err != nil {
		r.fail(err)
	}
	r.annulled(p)
	r.totals.add(p)
	r.replayStarved(p)
	r.count()
	r.remarkRepeats()
	r.remarkMemory(p)
	if !r.cmd.Quiet {
		for _, w := range p.Outcome.Warnings {
			r.warn("game " + p.ID + ": " + w)
		}
	}
	d := run.Finished{Game: p, Line: r.line(f, p), Of: r.schedule().Len(), Done: r.standings.Games(), Test: r.sprt}
	for _, w := range r.watchers {
		w.Finished(&d)
	}
	return len(r.failures) == 0 && !r.decided() && (r.foreign == nil || !r.foreign.Enough)
}

// remarkRepeats tells once, while something can still be done, that many games are
// games that were played before.
func (r *matchRun) remarkRepeats() {
	again, many := r.repeats()
	if r.cmd.Quiet || r.repeatsTold || !many {
		return
	}
	r.repeatsTold = true
	text := fmt.Sprintf("%d of %d games repeat others and tell nothing new: margins are too narrow", again, r.standings.Games())
	if r.sprt != nil {
		text += ", and the sequential test counts them"
	}
	r.warn(text + " (more openings help)")
}

// count brings the sequential test up to date.
func (r *matchRun) count() {
	if r.sprt == nil {
		return
	}
	counts := r.standings.Singles(0)
	if r.sprt.Counts().Unit() == "pairs" {
		counts, _ = r.standings.Pairs(0)
	}
	r.sprt.Set(counts)
}

// keep writes the game's record and log; its events are in the journal already.
func (r *matchRun) keep(p *run.Game) error {
	g := r.Record(p)
	last := p.Seed != "" && r.shuffles.played(p.Pairing.Shuffle)
	if last {
		g.Seed = p.Seed
		r.sink(&journal.Event{Time: r.a.now(), To: game.Arbiter, Kind: journal.KindReveal, Reveal: r.shuffles.reveal(p.Pairing.Shuffle)})
	}
	rec := native.Record{Game: *g, Attempt: p.Attempt}
	b, err := native.Append(nil, &rec, r.rules)
	if err != nil {
		return err
	}
	if err := r.keepLog(p); err != nil { // first: where there is a record there is a log
		return err
	}
	if err := r.dir.Add("games", p.Pairing.Index, p.ID, ".json", b); err != nil {
		return err
	}
	if p.Seed != "" && !last {
		r.held[p.Commitment] = append(r.held[p.Commitment], g)
		return nil
	}
	for _, h := range append(r.held[p.Commitment], g) {
		if err := r.addRecord(h); err != nil {
			return err
		}
	}
	delete(r.held, p.Commitment)
	return nil
}

// addRecord writes a game into the files of --record. They are for everybody: a game
// on a shuffle that another is still to be played on is held back.
func (r *matchRun) addRecord(g *record.Game) error {
	for _, f := range r.records {
		if err := f.Add(g); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
	}
	return nil
}

// keepLog writes the traffic of a game. In a long run that of a forfeited game is
// in a file of its own beside those that several games share.
func (r *matchRun) keepLog(p *run.Game) error {
	log := p.Log
	if len(p.Outcome.Evidence) > 0 {
		log = append(log, "== evidence\n"+strings.Join(p.Outcome.Evidence, "\n")+"\n"...)
	}
	if !r.dir.Blocked() {
		return r.dir.Add("logs", p.Pairing.Index, p.ID, ".log", log)
	}
	title := "==== game " + p.ID + "\n"
	if len(p.Outcome.Evidence) > 0 {
		if err := r.dir.File("logs/"+p.ID+".log", log); err != nil {
			return err
		}
		return r.dir.Add("logs", p.Pairing.Index, p.ID, ".log", []byte(title+"see "+p.ID+".log\n"))
	}
	return r.dir.Add("logs", p.Pairing.Index, p.ID, ".log", append([]byte(title), log...))
}

// record turns the outcome into a record.
func (r *matchRun) Record(p *run.Game) *record.Game {
	o := &p.Outcome
	g := &record.Game{
		ID: p.ID, Spec: r.rules.Spec(), Names: p.Names, Event: "Kibitz match", Round: fmt.Sprint(p.Pairing.Round),
		Date: p.Began.UTC().Format("2006-01-02 15:04:05"), Result: &o.Result, Commitment: p.Commitment, Evidence: o.Evidence,
	}
	for i := range g.Resources {
		g.Resources[i] = record.Resources(o.Resources[i])
	}
	if p.Pairing.Opening >= 0 {
		op := r.openings[p.Pairing.Opening]
		g.Start = op.Start
		g.Tags = append(g.Tags, record.Tag{Key: "opening", Value: op.Name})
	}
	for i, e := range [2]int{p.Pairing.First, p.Pairing.Second} {
		if c := r.roster.at(e).Control; !c.None() {
			g.Clocks[i] = c.String()
		}
	}
	g.Steps = recorded.Steps(o)
	return g
}
