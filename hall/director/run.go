package director

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/contest"
	"kibitz/hall/play"
	"kibitz/hall/problem"
	"kibitz/hall/store"
	"kibitz/tournament"
)

const (
	// tournamentSweep is the time between two looks for games that could be handed out:
	// a hall may have ended between a result and what follows from it.
	tournamentSweep = 5 * time.Second
	// handBatch is how many games are handed out in one transaction.
	handBatch = 50
	// replayed is what the second time of a game adds to its number in the store.
	replayed = 1_000_000
)

// GameID names a game of a tournament: any hall gives it the same name.
func GameID(tournament, label string) string { return tournament + "-" + label }

// numberOf reads what GameID wrote.
func numberOf(g *store.Game) (index, replays int, ok bool) {
	label, ok := strings.CutPrefix(g.ID, g.Tournament+"-")
	if !ok {
		return 0, 0, false
	}
	number, time, again := strings.Cut(label, "-")
	n, err := strconv.Atoi(number)
	k := 1
	if again && err == nil {
		k, err = strconv.Atoi(time)
	}
	return n - 1, k - 1, err == nil && n > 0 && k > 0
}

// Fill hands out games until as many are played as may be.
func (t *Tournaments) Fill(ctx context.Context, id string) error {
	if err := t.takeBack(ctx, id); err != nil {
		return err
	}
	for {
		idle := false
		err := t.read(ctx, id, func(k *knownTournament, _ *store.Tournament) error {
			idle = k.state.Idle() && k.waits != k.state.Seq
			return nil
		})
		if err != nil || !idle {
			return err
		}
		begun, more, err := t.hand(ctx, id)
		if err != nil {
			return err
		}
		for _, g := range begun {
			t.dispatcher.Publish(ctx, g)
			t.metrics.game("begun")
		}
		t.tell(id)
		if !more {
			return nil
		}
	}
}

// hand hands out up to handBatch games in one transaction.
func (t *Tournaments) hand(ctx context.Context, id string) (begun []string, more bool, err error) {
	began := t.cfg.Now()
	waits := int64(0)
	programs, lacks, err := t.programs(ctx, id)
	if err != nil || lacks {
		return nil, false, err
	}
	err = t.change(ctx, id, func(c *tournamentChange) error {
		begun, more, waits = begun[:0], true, 0
		if err := c.name(programs); err != nil {
			return err
		}
		for range handBatch {
			e, turn := c.state.HandOut()
			switch turn {
			case contest.Ready:
				g, err := c.begin(&e)
				if err != nil {
					return err
				}
				if g != "" {
					begun = append(begun, g)
				}
				continue
			case contest.Ended:
				if err := errors.Join(c.add(contest.Event{Kind: contest.Finish}), c.annul()); err != nil {
					return err
				}
			case contest.Waits:
				waits = c.state.Seq
			}
			more = false
			break
		}
		return nil
	})
	t.metrics.hand.Update(t.cfg.Now().Sub(began).Seconds())
	if err == nil && waits > 0 {
		t.of(id).await(waits)
	}
	return begun, more, err
}

// programs chooses the programs of entries that may be any of their name: those that most
// workers have, the same for all entries of an engine. It is false for lacks if all are there.
func (t *Tournaments) programs(ctx context.Context, id string) (list []contest.Entry, lacks bool, err error) {
	var kind string
	settled := map[string]string{} // hashes by engines
	err = t.read(ctx, id, func(k *knownTournament, _ *store.Tournament) error {
		list, kind = k.state.Unnamed(), k.state.Settings.Game.ID()
		for _, e := range k.state.Named() {
			settled[e.Engine] = e.Hash
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	var lack game.Why
	if len(list) > 0 {
		workers, err := t.dispatcher.Offers(ctx)
		if err != nil {
			return nil, false, err
		}
		for i := range list {
			e := &list[i]
			if settled[e.Engine] == "" {
				settled[e.Engine] = workers.Pick(e.Engine, kind)
			}
			if e.Hash = settled[e.Engine]; e.Hash == "" {
				lack = workers.Lack(e.Engine, "", kind)
				break
			}
		}
	}
	t.mu.Lock()
	was := t.lacks[id]
	if delete(t.lacks, id); lack.Text != "" {
		t.lacks[id] = lack
	}
	t.mu.Unlock()
	if was != lack {
		t.tell(id)
	}
	if lack.Text != "" && was != lack {
		t.cfg.Log.WarnContext(ctx, lack.Text, "tournament", id)
	}
	return list, lack.Text != "", nil
}

// name writes down which programs entries are. Another hall may have done so.
func (c *tournamentChange) name(list []contest.Entry) error {
	for i := range list {
		e := &list[i]
		if !slices.ContainsFunc(c.state.Unnamed(), func(x contest.Entry) bool { return x.Number == e.Number }) {
			continue
		}
		if err := c.add(contest.Event{Kind: contest.Program, Entry: &contest.Entry{
			Number: e.Number, Engine: e.Engine,
			Hash: e.Hash,
		}}); err != nil {
			return err
		}
	}
	return nil
}

// mostApart is how many pairs of engines are told of which no worker has both.
const mostApart = 5

// workersOf says for what a tournament waits, or some of its games will, and which workers have
// other programs under the names of its engines.
func (t *Tournaments) workersOf(id string, s *contest.State) (waits, others []game.Why) {
	if s.Phase != contest.Playing && s.Phase != contest.Entering {
		return nil, nil
	}
	living, kind := t.dispatcher.Living(), s.Settings.Game.ID()
	if s.Phase == contest.Playing {
		waits = t.waits(id, s)
		for _, e := range s.Named() {
			for _, why := range living.Others(e.Engine, e.Hash, kind) {
				if !slices.Contains(others, why) {
					others = append(others, why)
				}
			}
		}
	}
	apart := 0
	for _, e := range s.ToMeet() {
		why := living.Apart(play.Program{Name: e[0].Engine, Hash: e[0].Hash}, play.Program{Name: e[1].Engine, Hash: e[1].Hash}, kind)
		if why.Text == "" || slices.Contains(waits, why) {
			continue
		}
		if apart++; apart > mostApart {
			break
		}
		waits = append(waits, why)
	}
	return waits, others
}

// waits says what engine a tournament lacks to begin, and for what its games wait that were
// handed out.
func (t *Tournaments) waits(id string, s *contest.State) (waits []game.Why) {
	t.mu.Lock()
	lacks := t.lacks[id]
	t.mu.Unlock()
	if lacks.Text != "" {
		waits = append(waits, lacks)
	}
	for _, g := range s.Playing() {
		if why := t.dispatcher.WaitsFor(GameID(id, g.Label())); why.Text != "" && !slices.Contains(waits, why) {
			waits = append(waits, why)
		}
	}
	return waits
}

// await notes that there is nothing to hand out until another event.
func (k *knownTournament) await(seq int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.waits = seq
}

// begin writes down that a game was handed out, and makes it one of the hall's, unless
// it is awarded.
func (c *tournamentChange) begin(e *contest.Event) (id string, err error) {
	if err := c.keep(e); err != nil {
		return "", err
	}
	if over, ok := c.state.Awarded(e.Game.Index); ok {
		return "", c.add(contest.Event{Kind: contest.Result, Over: over})
	}
	g, play, needs, secret := c.game(e.Game)
	return g.ID, c.t.dispatcher.Add(c.tx, g, play, needs, secret, false)
}

// game is a game of the schedule as a worker plays it. Its secret comes from that of
// the tournament, so that everyone can see afterwards that chance was fair.
func (c *tournamentChange) game(x *contest.Game) (g *store.Game, job *bus.Play, needs []string, secret []byte) {
	set := &c.state.Settings
	g = &store.Game{
		ID: GameID(c.row.ID, x.Label()), Spec: set.Game, Tournament: c.row.ID, Index: x.Index + x.Replays*replayed, Rated: set.Rated,
		Created: c.t.now(), Hidden: set.Hidden, Listed: set.Listed,
	}
	job = &bus.Play{Game: g.ID, Spec: set.Game, Event: set.Name, Round: x.Round, Pair: x.Pair, Rated: set.Rated, Show: true, Rules: set.Rules}
	if x.Opening >= 0 {
		o := &c.state.Openings[x.Opening]
		g.Opening, job.OpeningName, job.Position, job.Opening = o.Name, o.Name, o.Position, o.Moves
	}
	var clocks [2]string
	for seat, engine := range [2]int{x.First, x.Second} {
		e := c.state.EntryOf(engine)
		clocks[seat] = c.state.Clock(e)
		g.Seats[seat] = store.Seat{Name: e.Name, Engine: e.Engine}
		job.Seats[seat] = bus.Seat{Kind: e.Kind, Name: e.Name, Engine: e.Engine, Hash: e.Hash, Clock: clocks[seat]}
		if e.Hash != "" {
			needs = append(needs, e.Hash)
		}
	}
	g.Speed = play.SpeedOf(clocks)
	slices.Sort(needs)
	seeds := tournament.Seeds{Seed: set.Seed}
	copy(seeds.Secret[:], c.row.Secret)
	seed := seeds.At("game " + x.Label())
	return g, job, slices.Compact(needs), seed[:]
}

// giveUp ends games without a verdict, whoever plays them; numbers are those of the
// schedule, from 0. It returns the games that were given up.
func (c *tournamentChange) giveUp(list []contest.Game, why string) (dropped []store.Game, err error) {
	for i := range list {
		g, err := c.tx.Game(GameID(c.row.ID, list[i].Label()))
		if err != nil {
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			return nil, err
		}
		if g.State == store.Over || g.State == store.Aborted {
			continue
		}
		w, err := play.WorkOf(&g)
		if err != nil {
			return nil, err
		}
		if err := c.t.dispatcher.Drop(c.tx, &g, g.State, &w, game.Why{Text: why}); err != nil {
			return nil, err
		}
		dropped = append(dropped, g)
	}
	return dropped, nil
}

// takeBack gives up the games that an order has awarded or dropped and that wait in the queue:
// nobody may ever begin them. One that a worker has begun goes on.
func (c *tournamentChange) takeBack() ([]store.Game, error) {
	queued, err := queuedOf(c.tx, c.row.ID, c.state.Forsaken())
	if err != nil {
		return nil, err
	}
	return c.giveUp(queued, "taken back: an order came before anybody had begun it")
}

// queuedOf are those games of a tournament that no worker plays.
func queuedOf(tx store.Games, tournament string, list []contest.Game) (out []contest.Game, err error) {
	for i := range list {
		g, err := tx.Game(GameID(tournament, list[i].Label()))
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		if err == nil && g.State == store.Queued {
			out = append(out, list[i])
		}
	}
	return out, nil
}

// takeBack gives up games that had begun when an order awarded or dropped them, and that have
// lost their worker since.
func (t *Tournaments) takeBack(ctx context.Context, id string) error {
	var forsaken []contest.Game
	err := t.read(ctx, id, func(k *knownTournament, _ *store.Tournament) error { forsaken = k.state.Forsaken(); return nil })
	if err != nil || len(forsaken) == 0 {
		return err
	}
	forsaken, err = store.Read(ctx, t.cfg.Store, func(tx store.Tx) ([]contest.Game, error) { return queuedOf(tx, id, forsaken) })
	if err != nil || len(forsaken) == 0 {
		return err
	}
	var dropped []store.Game
	err = t.change(ctx, id, func(c *tournamentChange) (err error) { dropped, err = c.takeBack(); return err })
	if err != nil {
		return err
	}
	for i := range dropped {
		t.dispatcher.Over(ctx, &dropped[i])
	}
	return nil
}

// Serve hands out games that are due until the context ends.
func (t *Tournaments) Serve(ctx context.Context) {
	tick := time.NewTicker(tournamentSweep)
	defer tick.Stop()
	for {
		if err := t.Sweep(ctx); err != nil && ctx.Err() == nil {
			t.cfg.Log.WarnContext(ctx, "tournaments", "error", problem.OneLine(err))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Sweep looks at all tournaments that are played.
func (t *Tournaments) Sweep(ctx context.Context) error {
	q := store.TournamentQuery{States: []store.TournamentState{store.Playing}, Limit: 100}
	count := 0
	var all error
	for {
		list, err := store.Get(ctx, t.cfg.Store, store.Tx.Tournaments, q)
		if err != nil {
			return errors.Join(all, err)
		}
		for i := range list {
			if err := t.Fill(ctx, list[i].ID); err != nil {
				all = errors.Join(all, fmt.Errorf("tournament %s: %w", list[i].ID, err))
			}
		}
		count += len(list)
		if len(list) < q.Limit {
			break
		}
		last := &list[len(list)-1]
		q.Before, q.BeforeID = last.Created, last.ID
	}
	t.metrics.playing.Set(float64(count))
	return all
}

// tournamentMetrics are what /metrics shows of tournaments: the games that this hall has handed out
// (begun) and whose end it has taken (over, void), the commands that were followed, how long
// handing out took, how many are played and how many streams show them.
type tournamentMetrics struct {
	set              *metrics.Set
	hand             *metrics.PrometheusHistogram
	playing, viewers *metrics.Gauge
}

func newTournamentMetrics() *tournamentMetrics {
	s := metrics.NewSet()
	return &tournamentMetrics{
		set:     s,
		hand:    s.NewPrometheusHistogramExt("kibitz_tournament_hand_out_seconds", []float64{.001, .005, .02, .1, .5, 2, 10}),
		playing: s.NewGauge("kibitz_tournaments_playing", nil),
		viewers: s.NewGauge("kibitz_tournament_viewers", nil),
	}
}

func (m *tournamentMetrics) game(what string) {
	m.set.GetOrCreateCounter(fmt.Sprintf("kibitz_tournament_games_total{what=%q}", what)).Inc()
}

func (m *tournamentMetrics) command(do string) {
	m.set.GetOrCreateCounter(fmt.Sprintf("kibitz_tournament_commands_total{do=%q}", do)).Inc()
}

func (m *tournamentMetrics) ended(g *store.Game) {
	what := "over"
	if g.State != store.Over || g.Result.Reason == game.ByAbort {
		what = "void"
	}
	m.game(what)
}
