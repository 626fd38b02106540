package run

import (
	"encoding/json"
	"errors"
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
	"kibitz/run/folder"
	"kibitz/run/repair"
	"kibitz/run/standing"
	"kibitz/tournament"
)

// earlierReader reads the journal of an earlier run.
type earlierReader struct {
	standing  *standing.Standing
	organiser *organiser
	keep      *keeper
	// file is run.toml as it would be written now.
	file []byte
	// recorded are the games of which there is a record.
	recorded map[string]bool

	e     *earlier
	games journal.Folder
	// last is when the event before was, of the same session.
	last time.Time
	// commitment is that to the secret of the run.
	commitment string
	// plan is by what it was last played, nil if nothing tells.
	plan *tournament.Plan
	// bound tells that an order was followed whose effect hangs on how many games
	// there were.
	bound bool
}

// read reads it; secret is the commitment to the secret of now, which is another one if
// rekeyed. What ended and was not recorded any more is recorded now. Grown tells that there
// are to be more games than when the run was last played.
func (b *earlierReader) read(secret string, rekeyed bool) (e *earlier, grown bool, err error) {
	f, err := os.Open(filepath.Join(b.keep.dir.Path, "journal"))
	if err != nil {
		return nil, false, err
	}
	defer f.Close() //nolint:errcheck // only read
	e = &earlier{
		resumed: true, facts: map[string]keptFacts{}, begun: map[string]int{}, revealed: map[string]bool{}, files: map[string]string{},
	}
	b.e = e
	report, err := journal.Read(f, b.event)
	e.rekeyed = e.rekeyed || rekeyed
	if err == nil && b.commitment != "" && secret != b.commitment && !rekeyed {
		err = fmt.Errorf("the run was begun with another secret than the one beside it")
	}
	if err == nil && len(report.Faults) > 0 {
		err = fmt.Errorf("damaged: %s; kibitz resume --salvage goes on with the games that are whole", report.Faults[0])
	}
	if err == nil {
		grown, err = b.grown()
	}
	for id := range b.recorded {
		if _, known := e.facts[id]; err == nil && !known {
			err = fmt.Errorf("it ends before game %s, of which there is a record: it was cut; kibitz resume --salvage counts the records", id)
		}
	}
	return e, grown, err
}

func (b *earlierReader) event(ev *journal.Event) error {
	switch {
	case ev.Run != nil:
		b.e.sessions++
		if err := b.session(ev.Run.Config); err != nil {
			return err
		}
		b.e.rekeyed = b.e.rekeyed || b.commitment != "" && b.commitment != ev.Run.Commitment
		b.commitment = ev.Run.Commitment
		maps.Copy(b.e.files, ev.Run.Files)
		b.last = ev.Time
	case ev.Reveal != nil:
		b.e.revealed[ev.Reveal.Commitment] = true
	case ev.Order != nil:
		order, err := b.organiser.again(ev.Order)
		if err != nil {
			return err
		}
		b.e.log = append(b.e.log, tournament.Event{Order: order})
		b.bound = b.bound || slices.Contains(bindingOrders, order.Kind)
	case ev.Start != nil:
		b.e.begun[ev.Game]++
		if c := ev.Start.Commitment; c != "" {
			b.keep.shuffles.Began(c)
		}
	}
	if !b.last.IsZero() {
		b.e.played += max(0, ev.Time.Sub(b.last)) // the clock may have been set back
	}
	b.last = ev.Time
	if g := b.games.Add(ev); g != nil && g.Result.Result.Reason != game.ByAbort {
		return b.over(g)
	}
	return nil
}

func (b *earlierReader) over(g *journal.Game) error {
	index, err := folder.GameIndex(g.ID)
	if err != nil {
		return err
	}
	p := tournament.Pairing{Index: index, Round: g.Start.Round, Pair: g.Start.Pair}
	for seat, engine := range []*int{&p.First, &p.Second} {
		if *engine = slices.Index(b.standing.Names, g.Start.Names[seat]); *engine < 0 {
			return fmt.Errorf("game %s was played by %q, which is no engine of this run", g.ID, g.Start.Names[seat])
		}
	}
	if !b.recorded[g.ID] {
		if err := repair.Record(b.keep.dir, b.keep.rules, index, g); err != nil {
			return err
		}
	}
	res := g.Result
	b.e.log = append(b.e.log, tournament.Event{Finished: tournament.Finished{
		Pairing: p, Result: res.Result, Plies: res.Plies, Seconds: [2]float64{standing.Seconds(res.Used[0]), standing.Seconds(res.Used[1])},
	}})
	facts := standing.Facts{Late: res.Late, Warnings: res.Warnings, Moves: standing.Line(g.Moves()), Resources: res.Resources}
	b.e.facts[g.ID] = keptFacts{facts, g.Start.Commitment}
	return nil
}

// freeKeys are those of run.toml that may be changed before a run is taken up: they
// change nothing of what is played.
var freeKeys = []string{
	"concurrency", "affinity", "wait", "report", "record", "strict", "rating-interval", "stall", "start-limit",
	KeyFolder, KeyVersion, KeySecret,
}

// session takes how a run was described when it was begun or taken up.
func (b *earlierReader) session(config json.RawMessage) error {
	var text string
	var was map[string]any
	if json.Unmarshal(config, &text) != nil || toml.Unmarshal([]byte(text), &was) != nil {
		return nil // of another program: names and pairings tell
	}
	plan := b.standing.Plan
	plan.Games, plan.Rounds = numberOf(was["games"], usualGames), numberOf(was["rounds"], plan.Rounds)
	b.plan = &plan
	if b.e.sessions > 1 {
		return nil
	}
	return sameRun(b.file, was)
}

// bindingOrders are those whose effect hangs on how many games there were.
var bindingOrders = []tournament.OrderKind{tournament.Withdraw, tournament.Enter, tournament.Pair}

// grown reports whether the run is to have more games than when it was last played, and
// why it cannot.
func (b *earlierReader) grown() (bool, error) {
	if b.plan == nil || *b.plan == b.standing.Plan {
		return false, nil
	}
	if err := b.standing.Plan.Extends(*b.plan); err != nil {
		return false, err
	}
	if b.bound {
		return false, errors.New("--games: an organiser has changed who plays how many games of this run: it takes no more")
	}
	return true, nil
}

// usualGames are the games of a pairing that the file of a run leaves out.
const usualGames = 2

func numberOf(v any, usual int) int {
	if n, ok := v.(int64); ok {
		return int(n)
	}
	return usual
}

// sameRun returns what of the run is not as it was when it began, but for how many games
// it has.
func sameRun(file []byte, was map[string]any) error {
	var is map[string]any
	if err := toml.Unmarshal(file, &is); err != nil {
		return err
	}
	free := slices.Concat(freeKeys, []string{"games", "rounds"})
	for _, key := range slices.Sorted(maps.Keys(was)) {
		is[key], was[key] = fmt.Sprint(is[key]), fmt.Sprint(was[key])
		if !slices.Contains(free, key) && key != "openings" && is[key] != was[key] {
			return fmt.Errorf("run.toml has another %s than the run was begun with%s", key, toldText(was[key]))
		}
		delete(is, key)
	}
	for _, key := range slices.Sorted(maps.Keys(is)) {
		if !slices.Contains(free, key) {
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
