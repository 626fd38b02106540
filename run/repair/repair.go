// Package repair makes whole what a crash or a damaged disk has left of a run.
package repair

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/internal/filelock"
	"kibitz/internal/plain"
	"kibitz/internal/wholefile"
	"kibitz/journal"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/rules"
	"kibitz/run/folder"
	"kibitz/run/shuffle"
	"kibitz/run/standing"
	"kibitz/tournament"
)

// damagedFolder takes, as it was, what is damaged of a run.
const damagedFolder = "damaged"

// Run is the run of which the journal is made whole.
type Run struct {
	Dir      string // its folder
	Rules    rules.Rules
	Seeds    tournament.Seeds
	Shuffles *shuffle.Shuffles
	Most     int // games, as tournament.Director has it
	// Lost tells that the secret behind the shuffles was lost and that of Seeds is another.
	Lost bool
	// Rekeyed tells, when the journal is whole, that some of it was dealt from another secret.
	Rekeyed bool
	// Tell is told what was found and what became of it.
	Tell func(text string)
}

// repairer makes a whole journal of one that is damaged. A game stays if its lines are
// whole, or else if there is a record of it; what is left is played again.
type repairer struct {
	*Run
	recorded map[string]bool
	out      *journal.Writer

	// games are those that have begun and not ended, last is the event before.
	games journal.Folder
	last  uint64
	// torn are running games that may have lost lines, whole are those that ended
	// and lost none, starts how the others began, dealt how many are kept on a shuffle.
	torn   map[string]bool
	whole  map[string]string // the commitment of the shuffle
	starts map[string]*journal.Start
	dealt  map[string]int
	// due are games that are kept by their records and not written yet, in order;
	// passed are those of which the beginning was written.
	due    []string
	passed map[string]bool
	gap    bool
	now    time.Time

	kept    int
	dropped []string // games that are played again although they are whole
	unfit   int      // of them those that tell of another shuffle
}

// Journal makes the journal of a run whole, if it is not, and keeps the damaged one.
func Journal(r *Run) error {
	name := filepath.Join(r.Dir, "journal")
	lock, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600) // as folder.Open
	if err != nil {
		return err
	}
	defer filelock.Release(lock) //nolint:errcheck // nothing was written
	if err := filelock.Lock(lock); err != nil {
		return fmt.Errorf("%s: the run is being played by another kibitz", r.Dir)
	}
	s := &repairer{
		Run: r, torn: map[string]bool{}, whole: map[string]string{}, starts: map[string]*journal.Start{},
		dealt: map[string]int{}, passed: map[string]bool{},
	}
	report, err := surveyJournal(name, s.look)
	if err != nil {
		return err
	}
	if s.recorded, _, err = Recorded(folder.At(r.Dir, r.Most)); err != nil {
		return err
	}
	if r.Lost {
		r.Rekeyed = true
		if err := folder.At(r.Dir, 0).KeepSecret(r.Seeds.Secret); err != nil {
			return err
		}
	}
	if err := s.decide(); err != nil {
		return err
	}
	if len(report.Faults)+len(s.due)+len(s.dropped) == 0 {
		return nil
	}
	if err := s.write(name); err != nil {
		return err
	}
	s.tell(report)
	return nil
}

// surveyJournal passes the events of a journal to f.
func surveyJournal(name string, f func(*journal.Event) error) (journal.Report, error) {
	file, err := os.Open(name)
	if err != nil {
		return journal.Report{}, err
	}
	defer file.Close() //nolint:errcheck // only read
	return journal.Read(file, f)
}

// follows notes the number of an event; it is false for one that was there before.
func (s *repairer) follows(ev *journal.Event) bool {
	if ev.Seq <= s.last {
		return false
	}
	s.gap = s.gap || ev.Seq != s.last+1
	s.last = ev.Seq
	return true
}

// look takes an event of the first reading, which finds out what is whole.
func (s *repairer) look(ev *journal.Event) error {
	if s.gap = false; !s.follows(ev) {
		return nil
	}
	if s.gap {
		for _, g := range s.games.Running() {
			s.torn[g.ID] = true
		}
	}
	if ev.Run != nil {
		s.Rekeyed = ev.Run.Commitment != "" && ev.Run.Commitment != tournament.Commitment(s.Seeds.Secret)
	}
	if ev.Start != nil {
		start := *ev.Start
		s.starts[ev.Game] = &start
		delete(s.torn, ev.Game)
	}
	g := s.games.Add(ev)
	if g == nil || g.Result.Result.Reason == game.ByAbort || s.torn[g.ID] && pliesOf(g) != g.Result.Plies {
		return nil
	}
	s.whole[g.ID] = g.Start.Commitment
	s.dealt[g.Start.Commitment]++
	delete(s.starts, g.ID)
	return nil
}

// pliesOf counts the plies of a game as its result does.
func pliesOf(g *journal.Game) (n int) {
	for i := range g.Steps {
		if d := &g.Steps[i]; d.By.IsPlayer() && !d.Refused && !d.Opening {
			n += len(slices.DeleteFunc(slices.Clone(d.Steps), func(m game.Move) bool { return m.Op == game.Deal }))
		}
	}
	return n
}

// decide finds the games that are kept by their records. A game on a shuffle that
// cannot be dealt again is not kept without the other one on it.
func (s *repairer) decide() error {
	shuffle := maps.Clone(s.whole)
	for id := range s.recorded {
		if _, whole := s.whole[id]; whole {
			continue
		}
		g, err := s.record(id)
		if err != nil {
			return err
		}
		if !s.fits(id, g) {
			s.unfit++
			s.dropped = append(s.dropped, id)
			continue
		}
		s.due, shuffle[id] = append(s.due, id), g.Commitment
		s.dealt[g.Commitment]++
	}
	for id, c := range shuffle {
		if c == "" || !s.Rekeyed || s.dealt[c] >= s.Shuffles.Each {
			continue
		}
		delete(s.whole, id)
		s.due = slices.DeleteFunc(s.due, func(x string) bool { return x == id })
		s.dropped = append(s.dropped, id)
	}
	slices.Sort(s.due)
	s.last, s.gap = 0, false
	return nil
}

// fits reports whether the record of a game tells of a shuffle of this run, that with
// which the game began if the journal has it: a record that was changed counts no more
// than one that is lost.
func (s *repairer) fits(id string, g *record.Game) bool {
	if _, dealt := s.Rules.(rules.Shuffler); !dealt {
		return true
	}
	if start := s.starts[id]; start != nil {
		return start.Commitment == g.Commitment
	}
	return s.Rekeyed || s.Shuffles.Own(g.Commitment, s.Most)
}

// recordFile names the file that the record of a game is in.
func (s *repairer) recordFile(id string) (string, error) {
	dir := folder.At(s.Dir, s.Most)
	if !dir.Blocked() {
		return filepath.Join(s.Dir, "games", id+".json"), nil
	}
	index, err := folder.GameIndex(id)
	if err != nil {
		return "", err
	}
	name, _, _ := dir.BlockName("games", index, ".json")
	return filepath.Join(s.Dir, filepath.FromSlash(name)), nil
}

func (s *repairer) record(id string) (*record.Game, error) {
	name, err := s.recordFile(id)
	if err != nil {
		return nil, err
	}
	list, err := records().Load(nil, name, "", "")
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(list, func(g *record.Game) bool { return g.ID == id }); i >= 0 {
		return list[i], nil
	}
	return nil, fmt.Errorf("%s: there is no record of game %s", name, id)
}

// write writes the new journal in the place of the old one, which is kept.
func (s *repairer) write(name string) error {
	part := name + ".part"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // as the journal
	if err != nil {
		return err
	}
	s.out = journal.NewWriter(f, 0)
	_, err = surveyJournal(name, s.copy)
	if err == nil {
		err = s.insert(func(string) bool { return true })
	}
	if err = errors.Join(err, s.out.Close()); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	if err := os.Remove(filepath.Join(s.Dir, "summary.json")); err != nil && !errors.Is(err, os.ErrNotExist) { // it is not over any more
		return err
	}
	old := filepath.Join(s.Dir, damagedFolder)
	if err := os.MkdirAll(old, 0o700); err != nil {
		return err
	}
	for _, id := range s.dropped {
		if err := s.drop(id); err != nil {
			return err
		}
	}
	if err := os.Rename(name, formats.NewName(old, "journal")); err != nil {
		return err
	}
	return os.Rename(part, name)
}

// drop takes the record of a game that is played again out of the run.
func (s *repairer) drop(id string) error {
	if !s.recorded[id] {
		return nil
	}
	name, err := s.recordFile(id)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var rest, out []byte
	for line := range bytes.Lines(data) {
		if other, _, err := standing.Outline(line, records().Text); err == nil && other == id {
			out = append(out, line...)
			continue
		}
		rest = append(rest, line...)
	}
	if err := wholefile.Write(formats.NewName(filepath.Join(s.Dir, damagedFolder), id+".json"), out); err != nil {
		return err
	}
	if len(rest) > 0 {
		return wholefile.Write(name, rest)
	}
	return os.Remove(name)
}

// copy takes an event of the second reading.
func (s *repairer) copy(ev *journal.Event) error {
	if !s.follows(ev) {
		return nil
	}
	s.now = ev.Time
	switch {
	case ev.Start != nil:
		if s.gap { // what is missing began before
			if err := s.insert(func(id string) bool { return id < ev.Game && !strings.Contains(id, "-") }); err != nil {
				return err
			}
		}
		s.passed[ev.Game] = true
	case ev.Result != nil && ev.Result.Result.Reason != game.ByAbort && !s.counts(ev.Game):
		return s.insert(func(id string) bool { return id == ev.Game })
	}
	return s.out.Append(ev)
}

func (s *repairer) counts(id string) bool { _, whole := s.whole[id]; return whole }

// insert writes those of the games that are due which are wanted, unless they are
// still to begin.
func (s *repairer) insert(want func(id string) bool) error {
	var rest []string
	for _, id := range s.due {
		if !want(id) || s.starts[id] != nil && !s.passed[id] {
			rest = append(rest, id)
			continue
		}
		if err := s.restore(id); err != nil {
			return err
		}
		s.kept++
	}
	s.due = rest
	return nil
}

// restore writes the events of a game from its record.
func (s *repairer) restore(id string) error {
	g, err := s.record(id)
	if err != nil {
		return err
	}
	start := s.starts[id]
	if start == nil {
		start = startOf(g)
	}
	events := []journal.Event{{To: game.Public, Kind: journal.KindStart, Start: start}}
	end := &journal.Result{Result: *g.Result}
	for i := range g.Steps {
		step := &g.Steps[i]
		d := &journal.Decision{
			By: step.By, Steps: []game.Move{step.Move}, Used: step.Used, Opening: step.Opening, Forced: step.Forced, Refused: step.Refused,
			Ended: true,
		}
		if step.By.IsPlayer() {
			end.Used[step.By] += step.Used
			if !step.Opening && !step.Refused {
				end.Plies++
			}
		}
		events = append(events, journal.Event{To: game.Arbiter, Kind: journal.KindDecision, Decision: d})
	}
	events = append(events, journal.Event{To: game.Public, Kind: journal.KindResult, Result: end})
	for i := range events {
		events[i].Game, events[i].Time = id, s.now
		if err := s.out.Append(&events[i]); err != nil {
			return err
		}
	}
	return nil
}

// startOf is the beginning of a game of which only the record is left. That tells no
// pair.
func startOf(g *record.Game) *journal.Start {
	round, err := strconv.Atoi(g.Round)
	if err != nil {
		round = 1 // as whoever plays one game says nothing
	}
	return &journal.Start{
		Spec: g.Spec, Names: g.Names, Position: g.Start, ToMove: game.First, Round: round, Attempt: 1,
		Commitment: g.Commitment,
	}
}

// tell says what was found and what became of it.
func (s *repairer) tell(report journal.Report) {
	text := "it does not tell of all records"
	switch {
	case s.unfit > 0:
		text = fmt.Sprintf("the commitment of %s does not fit", plain.Count(s.unfit, "record"))
	case len(s.dropped) > 0:
		text = "shuffles cannot be dealt again without the secret"
	}
	if len(report.Faults) > 0 {
		text = report.Faults[0].String()
		if len(report.Faults) > 2 { // a line that is damaged leaves a gap in the numbers too
			text += " and others"
		}
	}
	s.Tell(fmt.Sprintf("%s: %s; %s kept by their lines, %d by their records, the others are played again; what it was is in %s",
		filepath.Join(s.Dir, "journal"), text, plain.Count(len(s.whole), "game"), s.kept, filepath.Join(s.Dir, damagedFolder)))
}

// RunFile writes the run.toml of a run that has lost it, from its journal.
func RunFile(dir string) error {
	var config string
	_, err := surveyJournal(filepath.Join(dir, "journal"), func(ev *journal.Event) error {
		if ev.Run != nil && config == "" {
			return json.Unmarshal(ev.Run.Config, &config)
		}
		return nil
	})
	if err == nil && config == "" {
		err = errors.New("the journal does not tell what is played")
	}
	if err != nil {
		return err
	}
	return wholefile.Write(filepath.Join(dir, "run.toml"), []byte(config))
}
