package run

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kibitz/game"
	"kibitz/games"
	"kibitz/journal"
	"kibitz/record"
	recordfolder "kibitz/record/folder"
	"kibitz/record/formats"
	"kibitz/record/native"
	"kibitz/rules"
	"kibitz/run/engines"
	"kibitz/run/folder"
	"kibitz/run/shuffle"
	"kibitz/tournament"
)

// keeper keeps what is played: the journal and the folder of the run, and the files of records
// that were asked for.
type keeper struct {
	now      func() time.Time
	rules    rules.Rules
	audience *audience
	shuffles *shuffle.Shuffles
	dir      *folder.Folder
	files    []*formats.File
	text     []byte // what was written last, whose room the next takes
	// held are games that may not be told yet, by the commitment of their shuffle.
	held map[string][]*record.Game
	// fault is the first error of the journal; lost are the games whose result it did not
	// take, by name.
	fault atomic.Pointer[error]
	lost  sync.Map
}

// records are the formats of records, of all games.
func records() *formats.Set { return formats.New(games.OpenSpec) }

// addFiles adds files into which all games are written.
func (k *keeper) addFiles(base engines.Folder, names []string, most int) error {
	for _, name := range names {
		f, err := records().NewFile(base.Path(name), k.rules, most)
		if err != nil {
			return fmt.Errorf("--record: %w", err)
		}
		k.files = append(k.files, f)
	}
	return nil
}

// cover makes the files of the games their owner's until the run is over, where what was played
// tells of what is to be played.
func (k *keeper) cover() {
	if _, dealt := k.rules.(rules.Shuffler); dealt && k.shuffles.Each > 1 {
		k.dir.Perm = folder.OwnersOnly
	}
}

func (k *keeper) begin() error {
	for _, f := range k.files {
		if err := f.Begin(); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
	}
	return nil
}

// discard gives the files of records up that have not begun.
func (k *keeper) discard() {
	for _, f := range k.files {
		f.Discard()
	}
}

// closeFiles ends the files of records.
func (k *keeper) closeFiles() (errs []error) {
	for _, f := range k.files {
		if err := f.Close(); err != nil {
			errs = append(errs, fmt.Errorf("--record: %w", err))
		}
	}
	return errs
}

// sink appends an event to the journal. Its errors repeat for every later event
// and are reported once, when a game is over.
func (k *keeper) sink(e *journal.Event) {
	k.audience.event(e)
	if e.Kind == journal.KindView { // for those who look on: it follows from the decisions
		return
	}
	if err := k.dir.Journal.Append(e); err != nil {
		first := err // of its own, so that no event without an error allocates
		k.fault.CompareAndSwap(nil, &first)
		if e.Kind == journal.KindResult {
			k.lost.Store(e.Game, true)
		}
	}
}

// failed returns why the journal took no more events, nil if it did.
func (k *keeper) failed() error {
	if err := k.fault.Load(); err != nil {
		return *err
	}
	return nil
}

// misses reports whether the journal lacks the result of a game.
func (k *keeper) misses(id string) bool {
	_, lost := k.lost.Load(id)
	return lost
}

// reveal publishes the seed of a shuffle.
func (k *keeper) reveal(x *journal.Reveal) {
	k.sink(&journal.Event{Time: k.now(), To: game.Arbiter, Kind: journal.KindReveal, Reveal: x})
}

// keep writes the game's record and log; its events are in the journal already.
func (k *keeper) keep(p *Game) error {
	g := p.Record(k.rules.Spec())
	last := p.Seed != "" && k.shuffles.Played(p.Pairing.Shuffle)
	if last {
		g.Seed = p.Seed
		k.reveal(k.shuffles.Reveal(p.Pairing.Shuffle))
	}
	rec := native.Record{Game: *g, Attempt: p.Attempt}
	if err := k.log(p); err != nil { // first: where there is a record there is a log
		return err
	}
	var err error
	if k.text, err = native.Append(k.text[:0], &rec, k.rules); err != nil {
		return err
	}
	if err := k.dir.Add("games", p.Pairing.Index, p.ID, ".json", k.text); err != nil {
		return err
	}
	if p.Seed != "" && !last {
		k.hold(g)
		return nil
	}
	for _, h := range append(k.held[p.Commitment], g) {
		if err := k.add(h); err != nil {
			return err
		}
	}
	delete(k.held, p.Commitment)
	return nil
}

// hold holds a game back until another one on its shuffle is over.
func (k *keeper) hold(g *record.Game) {
	if k.held == nil {
		k.held = map[string][]*record.Game{}
	}
	k.held[g.Commitment] = append(k.held[g.Commitment], g)
}

// add writes a game into the files of --record. They are for everybody: a game
// on a shuffle that another is still to be played on is held back.
func (k *keeper) add(g *record.Game) error {
	for _, f := range k.files {
		if err := f.Add(g); err != nil {
			return fmt.Errorf("--record: %w", err)
		}
	}
	return nil
}

// log writes the traffic of a game. In a long run that of a forfeited game is
// in a file of its own beside those that several games share.
func (k *keeper) log(p *Game) error {
	log := p.Log
	if len(p.Outcome.Evidence) > 0 {
		log = append(log, "== evidence\n"+strings.Join(p.Outcome.Evidence, "\n")+"\n"...)
	}
	if !k.dir.Blocked() {
		return k.dir.Add("logs", p.Pairing.Index, p.ID, ".log", log)
	}
	title := "==== game " + p.ID + "\n"
	if len(p.Outcome.Evidence) > 0 {
		if err := k.dir.File("logs/"+p.ID+".log", log); err != nil {
			return err
		}
		return k.dir.Add("logs", p.Pairing.Index, p.ID, ".log", []byte(title+"see "+p.ID+".log\n"))
	}
	k.text = append(append(k.text[:0], title...), log...)
	return k.dir.Add("logs", p.Pairing.Index, p.ID, ".log", k.text)
}

// refill writes the files of records anew with what was played, as it counts now.
func (k *keeper) refill(played int) error {
	if err := k.begin(); err != nil || len(k.files) == 0 {
		return err
	}
	names, _, err := recordfolder.Records(k.dir.Path)
	if err != nil && played > 0 {
		return err
	}
	rulings, err := recordfolder.Rulings(k.dir.Path)
	if err != nil {
		return err
	}
	open := k.shuffles.Unfinished()
	for _, name := range names {
		list, err := records().Load(nil, name, "", "")
		if err != nil {
			return err
		}
		slices.SortFunc(list, func(a, b *record.Game) int { return strings.Compare(a.ID, b.ID) })
		for _, g := range list {
			if !recordfolder.Rule(g, rulings) {
				continue
			}
			if open[g.Commitment] {
				k.hold(g)
				continue
			}
			for _, f := range k.files {
				if err := f.Again(g); err != nil {
					return fmt.Errorf("--record: %w", err)
				}
			}
		}
	}
	return nil
}

// unwritten is what it means that the record or the log of a game is not written.
func (k *keeper) unwritten(id string, err error) error {
	if !k.dir.There() {
		return fmt.Errorf("%s: the folder of the run was moved or removed while it went on: %w", k.dir.Path, err)
	}
	return fmt.Errorf("the record of game %s could not be written, its result stands in the journal: %w", id, err)
}

// annul writes that a game that is over counts for nobody.
func (k *keeper) annul(id, by, why string) {
	k.rule(id, game.Result{Reason: game.ByAbort, Detail: why}, by, why)
}

// rule writes what a game that is over counts by an order, for those who read records and do
// not know the schedule.
func (k *keeper) rule(id string, res game.Result, by, note string) {
	k.sink(&journal.Event{
		Time: k.now(), Game: id, To: game.Public, Kind: journal.KindRuling, Ruling: &journal.Ruling{Result: res, By: by, Note: note},
	})
}

// gamesOf returns the games of an engine that ended with a verdict.
func (k *keeper) gamesOf(name string) (ids []string, err error) {
	if err := k.dir.Journal.Flush(); err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(k.dir.Path, "journal"))
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	running := map[string]bool{}
	_, err = journal.Read(f, func(ev *journal.Event) error {
		switch {
		case ev.Start != nil:
			running[ev.Game] = slices.Contains(ev.Start.Names[:], name)
		case ev.Result != nil:
			if running[ev.Game] && ev.Result.Result.Reason != game.ByAbort {
				ids = append(ids, ev.Game)
			}
			delete(running, ev.Game)
		}
		return nil
	})
	return ids, err
}

// award writes a game that an organiser awarded: nobody plays it.
func (k *keeper) award(g *Game, res game.Result) tournament.Finished {
	p, now := g.Pairing, k.now()
	start := &journal.Start{
		Spec: k.rules.Spec(), Names: g.Names, ToMove: k.rules.New().Turn().Seat, Round: p.Round, Pair: p.Pair,
		Attempt: g.Attempt, Opening: g.Opening,
	}
	k.sink(&journal.Event{Time: now, Game: g.ID, To: game.Public, Kind: journal.KindStart, Start: start})
	k.sink(&journal.Event{Time: now, Game: g.ID, To: game.Public, Kind: journal.KindResult, Result: &journal.Result{Result: res}})
	g.Began, g.Outcome.Result = now, res
	return tournament.Finished{Pairing: p, Result: res, Data: g}
}
