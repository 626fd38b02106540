package standing

import (
	"hash/fnv"
	"time"

	"kibitz/game"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/record/native"
	"kibitz/run/result"
	"kibitz/tournament"
)

// Totals are what is counted over the whole run.
type Totals struct {
	Plies      int
	Thought    float64 // seconds of both seats
	Late       time.Duration
	Transit    Transit
	Warnings   int
	Forfeits   int
	Failed     Failures
	Unfinished int
	Unneeded   int // games not played because the sequential test was decided
	Starved    []result.Starved
	Used       map[int]*Use // by engine, empty where nothing is known
	distinct   map[uint64]bool
	unplayed   int // games without any decision
}

// Transit are the transmission errors of a run: how many plies were measured by a host, the
// sum and the worst of them.
type Transit struct {
	Plies      int
	sum, Worst time.Duration
}

// add counts a ply, if it was measured.
func (t *Transit) add(err time.Duration) {
	if err > 0 {
		t.Plies++
		t.sum += err
		t.Worst = max(t.Worst, err)
	}
}

// Join adds what was measured in another game.
func (t *Transit) Join(o Transit) {
	t.Plies += o.Plies
	t.sum += o.sum
	t.Worst = max(t.Worst, o.Worst)
}

// Mean returns the mean error of a ply, 0 if none was measured.
func (t *Transit) Mean() time.Duration { return t.sum / time.Duration(max(1, t.Plies)) }

// Outline returns the identifier of a record and its transmission errors.
func Outline(line []byte, text func(game.Spec) (native.Text, error)) (id string, all Transit, err error) {
	id, ok := native.Outline(line, all.add)
	if ok {
		return id, all, nil
	}
	rec, err := native.Parse(line, text)
	if err != nil {
		return "", all, err
	}
	for i := range rec.Steps {
		all.add(rec.Steps[i].Error)
	}
	return rec.ID, all, nil
}

// Facts are what is counted of a game beside its result.
type Facts struct {
	Late      time.Duration
	Warnings  int
	Moves     uint64 // as Line has them
	Resources [2]journal.Resources
}

// Add counts a game that was played.
func (t *Totals) Add(p tournament.Pairing, o *match.Outcome) {
	moves := make([]game.Move, len(o.Steps))
	for i := range o.Steps {
		t.Transit.add(o.Steps[i].Error)
		moves[i] = o.Steps[i].Move
	}
	thought := Seconds(o.Used[0] + o.Used[1])
	t.count(p, o.Plies, thought, o.Result.Reason, Facts{o.Late, len(o.Warnings), Line(moves), o.Resources})
}

// AddEarlier counts a game that was played before the run was taken up.
func (t *Totals) AddEarlier(f *tournament.Finished, facts Facts) {
	t.count(f.Pairing, f.Plies, f.Seconds[0]+f.Seconds[1], f.Result.Reason, facts)
}

func (t *Totals) count(p tournament.Pairing, plies int, thought float64, why game.Reason, f Facts) {
	t.use(p, f.Resources)
	t.Plies += plies
	t.Thought += thought
	t.Late = max(t.Late, f.Late)
	t.Warnings += f.Warnings
	switch why {
	case game.ByTime, game.ByIllegal:
		t.Forfeits++
	case game.ByCrash, game.ByStall, game.ByProtocol, game.ByResource, game.ByStart:
		t.Forfeits++
		t.Failed.add(why)
	}
	if t.distinct == nil {
		t.distinct = map[uint64]bool{}
	}
	if f.Moves == 0 {
		t.unplayed++
	} else {
		t.distinct[f.Moves] = true
	}
}

// Line tells games with the same decisions. It is 0 for a game without any, which nobody played.
func Line(moves []game.Move) uint64 {
	if len(moves) == 0 {
		return 0
	}
	h := fnv.New64a()
	for _, m := range moves {
		h.Write([]byte{byte(m.Op), byte(m.From.X), byte(m.From.Y), byte(m.To.X), byte(m.To.Y), byte(m.Arg)})
	}
	return h.Sum64()
}

// Seconds converts for JSON.
func Seconds(d time.Duration) float64 {
	return float64(d.Round(10*time.Microsecond)) / float64(time.Second)
}
