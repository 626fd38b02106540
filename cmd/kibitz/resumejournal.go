package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/tournament"
)

// readEarlier reads the journal of the earlier run. What ended and was not recorded
// any more is recorded now.
func (r *matchRun) readEarlier(recorded map[string]bool) (*earlier, error) {
	f, err := os.Open(filepath.Join(r.dir.path, "journal"))
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	e := &earlier{facts: map[string]keptFacts{}, begun: map[string]int{}, revealed: map[string]bool{}}
	b := earlierReader{r: r, e: e, recorded: recorded}
	report, err := journal.Read(f, b.event)
	e.rekeyed = e.rekeyed || r.rekeyed
	if c := tournament.Commitment(r.seeds.Secret); err == nil && b.commitment != "" && c != b.commitment && !r.rekeyed {
		err = fmt.Errorf("the run was begun with another secret than the one beside it")
	}
	if err == nil && len(report.Faults) > 0 {
		err = fmt.Errorf("damaged: %s; kibitz resume --salvage goes on with the games that are whole", report.Faults[0])
	}
	for id := range recorded {
		if _, known := e.facts[id]; err == nil && !known {
			err = fmt.Errorf("it ends before game %s, of which there is a record: it was cut; kibitz resume --salvage counts the records", id)
		}
	}
	return e, err
}

// earlierReader takes the events of an earlier run.
type earlierReader struct {
	r        *matchRun
	e        *earlier
	games    journal.Folder
	recorded map[string]bool
	// last is when the event before was, of the same session.
	last time.Time
	// commitment is that to the secret of the run.
	commitment string
}

func (b *earlierReader) event(ev *journal.Event) error {
	switch {
	case ev.Run != nil:
		if b.e.sessions++; b.e.sessions == 1 {
			if err := b.r.sameRun(ev.Run.Config); err != nil {
				return err
			}
		}
		b.e.rekeyed = b.e.rekeyed || b.commitment != "" && b.commitment != ev.Run.Commitment
		b.commitment = ev.Run.Commitment
		b.last = ev.Time
	case ev.Reveal != nil:
		b.e.revealed[ev.Reveal.Commitment] = true
	case ev.Order != nil:
		b.r.ordered = true
		if err := b.e.log.order(b.r, ev.Order); err != nil {
			return err
		}
	case ev.Start != nil:
		b.e.begun[ev.Game]++
		if c := ev.Start.Commitment; c != "" {
			b.r.shuffles.spent[c] = true
		}
	}
	if !b.last.IsZero() {
		b.e.played += max(0, ev.Time.Sub(b.last)) // the clock may have been set back
	}
	b.last = ev.Time
	if g := b.games.Add(ev); g != nil && g.Result.Result.Reason != game.ByAbort {
		return b.keep(g)
	}
	return nil
}

// keep takes a game that ended.
func (b *earlierReader) keep(g *journal.Game) error {
	index, err := gameIndex(g.ID)
	if err != nil {
		return err
	}
	p := tournament.Pairing{Index: index, Round: g.Start.Round, Pair: g.Start.Pair}
	for seat, engine := range []*int{&p.First, &p.Second} {
		if *engine = slices.Index(b.r.names, g.Start.Names[seat]); *engine < 0 {
			return fmt.Errorf("game %s was played by %q, which is no engine of this run", g.ID, g.Start.Names[seat])
		}
	}
	if !b.recorded[g.ID] {
		if err := b.r.recordAgain(index, g); err != nil {
			return err
		}
	}
	h := newMoveHash()
	for _, m := range g.Moves() {
		h.add(m)
	}
	used := g.Result.Used
	b.e.log.result(tournament.Finished{
		Pairing: p, Result: g.Result.Result, Plies: g.Result.Plies, Seconds: [2]float64{seconds(used[0]), seconds(used[1])},
	})
	b.e.facts[g.ID] = keptFacts{late: g.Result.Late, warnings: g.Result.Warnings, moves: h.Sum64(), commitment: g.Start.Commitment, resources: g.Result.Resources}
	return nil
}

// freeKeys are those of run.toml that may be changed before a run is taken up: they
// change nothing of what is played.
var freeKeys = []string{"concurrency", "affinity", "wait", "report", "record", "strict", "rating-interval", "stall", "start-limit", keyFolder, keyVersion, keySecret}

// sameRun returns what of the run is not as it was when it began.
func (r *matchRun) sameRun(config json.RawMessage) error {
	var text string
	var was, is map[string]any
	if json.Unmarshal(config, &text) != nil || toml.Unmarshal([]byte(text), &was) != nil {
		return nil // of another program: names and pairings tell
	}
	b, err := r.runFile(false)
	if err != nil {
		return err
	}
	if err := toml.Unmarshal(b, &is); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(was)) {
		is[key], was[key] = fmt.Sprint(is[key]), fmt.Sprint(was[key])
		if !slices.Contains(freeKeys, key) && key != "openings" && is[key] != was[key] {
			return fmt.Errorf("run.toml has another %s than the run was begun with%s", key, toldText(was[key]))
		}
		delete(is, key)
	}
	for _, key := range slices.Sorted(maps.Keys(is)) {
		if !slices.Contains(freeKeys, key) {
			return fmt.Errorf("run.toml has %s, and the run was begun without", key)
		}
	}
	return nil
}

// toldText tells a value that can be told in a word.
func toldText(x any) string {
	text, _ := x.(string)
	if strings.ContainsAny(text, "[]") {
		return ""
	}
	return ", " + text
}
