package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"kibitz/bus"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/rating"
	"kibitz/server/room"
	"kibitz/store"
	"kibitz/tournament"
)

// PlaysBus is what a hall tells workers and asks them.
type PlaysBus interface {
	Enqueue(ctx context.Context, job bus.Job) error
	ServeBegin(fn func(context.Context, bus.Begin) (bus.Begun, error)) (*bus.Subscription, error)
	ServeAlive(fn func(context.Context, bus.Pulse) (bus.Alive, error)) (*bus.Subscription, error)
	ServeResults(fn func(context.Context, bus.Result) error) (*bus.Results, error)
	PublishOrder(o bus.Order) error
	Publish(topic string, payload []byte) error
}

// GameLogs are the arbiter's events of games that can be taken up again.
type GameLogs interface {
	// ReadLog returns the lines of the latest attempt that left any.
	ReadLog(ctx context.Context, id string) (attempt int, lines [][]byte, err error)
	PurgeLog(ctx context.Context, id string) error
}

// TournamentGames is told of games that belong to a tournament.
type TournamentGames interface {
	// GameEnded is called in the transaction that ends a game (Over or Aborted), and
	// may be called again for it; it has no effect but through tx.
	GameEnded(tx store.Tx, g *store.Game) error
	// GameTold is called after that transaction.
	GameTold(ctx context.Context, g *store.Game)
}

// PlaysConfig is what Plays are made of. Logs and Tournaments may be nil.
type PlaysConfig struct {
	Store       store.Store
	Bus         PlaysBus
	Logs        GameLogs
	Tournaments TournamentGames
	Now         func() time.Time
	// Random is where the seeds of chance come from.
	Random io.Reader
	Log    *slog.Logger
}

// Plays hands games to workers and takes their results. The database says what counts:
// a result that comes late, or twice, changes nothing.
type Plays struct{ cfg PlaysConfig }

// NewPlays returns Plays; Serve lets them work.
func NewPlays(c PlaysConfig) *Plays { return &Plays{cfg: c} }

// work is what store.Game.Job holds. Nobody but the worker may know the secret while
// the game runs.
type work struct {
	Play  bus.Play `json:"play"`
	Needs []string `json:"needs,omitempty"`
	// Try is that of the latest publication, Faults counts workers that could not play.
	Try    int `json:"try,omitempty"`
	Faults int `json:"faults,omitempty"`
	// Secret is what the seeds of the attempts come from; it is empty if Play.Seed was
	// given. Dealt is the attempt whose seed the game has.
	Secret []byte `json:"secret,omitempty"`
	Dealt  int    `json:"dealt,omitempty"`
	// Order is what the worker is told with his next sign of life.
	Order string `json:"order,omitempty"`
}

// maxFaults is how many workers may fail to play a game before it is given up.
const maxFaults = 3

func workOf(g *store.Game) (work, error) {
	var w work
	if err := json.Unmarshal(g.Job, &w); err != nil {
		return w, fmt.Errorf("the job of game %s cannot be read: %w", g.ID, err)
	}
	return w, nil
}

func (w *work) json() json.RawMessage {
	data, err := json.Marshal(w)
	if err != nil { // values of these types always have a form
		return json.RawMessage("{}")
	}
	return data
}

// Secret draws the secret of a game's chance.
func (p *Plays) Secret() ([]byte, error) {
	secret := make([]byte, 32)
	if _, err := io.ReadFull(p.cfg.Random, secret); err != nil {
		return nil, fmt.Errorf("no seed for the game: %w", err)
	}
	return secret, nil
}

// Add adds a game that waits for a worker. With a seed in play it is dealt from that,
// else from the secret, anew for each attempt that does not go on where another one
// was broken off. Publish tells workers, after the transaction.
func (p *Plays) Add(tx store.Tx, g *store.Game, play *bus.Play, needs []string, secret []byte) error {
	w := work{Play: *play, Needs: needs}
	if len(play.Seed) == 0 {
		w.Secret = secret
	}
	g.State, g.Job = store.Queued, w.json()
	return tx.AddGame(g)
}

// Publish makes a job of a queued game. What fails is made up for by Sweep.
func (p *Plays) Publish(ctx context.Context, id string) {
	var job bus.Job
	err := p.cfg.Store.View(ctx, func(tx store.Tx) error {
		g, err := tx.Game(id)
		if err != nil || g.State != store.Queued {
			return err
		}
		w, err := workOf(&g)
		job = bus.Job{Game: id, Needs: w.Needs, Try: w.Try}
		return err
	})
	if err == nil && job.Game != "" {
		err = p.cfg.Bus.Enqueue(ctx, job)
	}
	if err != nil {
		p.cfg.Log.WarnContext(ctx, "a game waits for the next sweep", "game", id, "error", oneLine(err))
	}
}

// Begin answers a worker that wants to play a game.
func (p *Plays) Begin(ctx context.Context, q bus.Begin) (bus.Begun, error) {
	from, lines := p.log(ctx, q.Game)
	var out bus.Begun
	var told store.Game
	err := p.update(ctx, func(tx store.Tx) error {
		out = bus.Begun{}
		g, err := tx.Game(q.Game)
		if errors.Is(err, store.ErrNotFound) || err == nil && (g.State == store.Over || g.State == store.Aborted || g.State == store.Parked) {
			return nil
		}
		if err != nil {
			return err
		}
		if g, err = tx.BeginAttempt(store.Attempt{Game: g.ID, Attempt: g.Attempt + 1, Worker: q.Worker, Now: p.now()}); err != nil {
			return err
		}
		w, err := workOf(&g)
		if err != nil {
			return err
		}
		play := w.deal(&g, from, lines)
		w.Order = ""
		g.Job = w.json()
		if err := tx.SetGame(&g, store.Running); err != nil {
			return err
		}
		out.Play, told = play, g
		return p.room(tx, &g, room.Begun{Game: g.ID})
	})
	if err == nil && out.Play != nil {
		p.tell(&told)
	}
	return out, err
}

// deal returns what is played in the attempt that has just begun.
func (w *work) deal(g *store.Game, from int, lines [][]byte) *bus.Play {
	play := w.Play
	play.Game, play.Attempt, play.Resume = g.ID, g.Attempt, nil
	if play.Keep && len(lines) > 0 && w.Dealt > 0 && from >= w.Dealt {
		play.Resume = lines
	} else {
		w.Dealt = g.Attempt
	}
	if len(w.Secret) > 0 {
		seeds := tournament.Seeds{}
		copy(seeds.Secret[:], w.Secret)
		seed := seeds.At(fmt.Sprintf("game %s/attempt %d/dealer", g.ID, w.Dealt))
		play.Seed, play.Commitment = seed[:], tournament.Commitment(seed)
	}
	return &play
}

// log returns the latest attempt that left anything, and what.
func (p *Plays) log(ctx context.Context, id string) (attempt int, lines [][]byte) {
	if p.cfg.Logs == nil {
		return 0, nil
	}
	attempt, lines, err := p.cfg.Logs.ReadLog(ctx, id)
	if err != nil {
		p.cfg.Log.WarnContext(ctx, "the log of a game cannot be read: it is played from its beginning", "game", id, "error", oneLine(err))
		return 0, nil
	}
	return attempt, lines
}

// Alive answers a worker's sign of life.
func (p *Plays) Alive(ctx context.Context, q bus.Pulse) (bus.Alive, error) {
	out := bus.Alive{}
	err := p.cfg.Store.View(ctx, func(tx store.Tx) error {
		g, err := tx.Game(q.Game)
		if errors.Is(err, store.ErrNotFound) {
			out.Stale = true
			return nil
		}
		if err != nil {
			return err
		}
		if g.State != store.Running || g.Attempt != q.Attempt || g.Worker != q.Worker {
			out.Stale = true
			return nil
		}
		if w, err := workOf(&g); err == nil && w.Order != "" {
			out.Order = &bus.Order{Game: g.ID, Kind: w.Order}
		}
		return nil
	})
	return out, err
}

// Order tells the worker of a running game to "abort" or "park" it; it is repeated
// until the game ends.
func (p *Plays) Order(tx store.Tx, id, kind string) error {
	g, err := tx.Game(id)
	if err != nil {
		return err
	}
	w, err := workOf(&g)
	if err != nil {
		return err
	}
	w.Order = kind
	g.Job = w.json()
	return tx.SetGame(&g, store.Running)
}

// Result takes the end of an attempt. It fails only if it shall come again.
func (p *Plays) Result(ctx context.Context, r bus.Result) error {
	var g store.Game
	changed := false
	err := p.update(ctx, func(tx store.Tx) (err error) {
		changed = false
		if g, err = tx.Game(r.Game); errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil || g.Attempt != r.Attempt || g.State != store.Running && g.State != store.Parked {
			return err
		}
		switch {
		case r.Parked:
			changed, err = p.parked(tx, &g)
		case r.Fault != "":
			changed, err = p.failed(tx, &g, r.Fault)
		default:
			changed, err = p.ended(tx, &g, &r)
		}
		return err
	})
	if err != nil || !changed {
		return err
	}
	if r.Fault != "" {
		p.cfg.Log.WarnContext(ctx, "a worker could not play", "game", g.ID, "worker", r.Worker, "fault", r.Fault)
	}
	if g.State == store.Queued {
		p.Publish(ctx, g.ID)
	}
	p.over(ctx, &g)
	return nil
}

// over tells everybody of what has become of a game.
func (p *Plays) over(ctx context.Context, g *store.Game) {
	p.tell(g)
	if g.State != store.Over && g.State != store.Aborted {
		return
	}
	if p.cfg.Logs != nil {
		if err := p.cfg.Logs.PurgeLog(ctx, g.ID); err != nil {
			p.cfg.Log.WarnContext(ctx, "the log of a game stays", "game", g.ID, "error", oneLine(err))
		}
	}
	if g.Tournament != "" && p.cfg.Tournaments != nil {
		p.cfg.Tournaments.GameTold(ctx, g)
	}
}

// parked puts a game aside. Those of people wait until they ask, others go on at once.
func (p *Plays) parked(tx store.Tx, g *store.Game) (bool, error) {
	if g.State == store.Parked {
		return false, nil
	}
	w, err := workOf(g)
	if err != nil {
		return false, err
	}
	g.Worker, w.Order = "", ""
	g.State = store.Parked
	if !w.Play.Keep || g.Room == "" {
		g.State = store.Queued
		w.Try++
	}
	g.Job = w.json()
	if err := tx.SetGame(g, store.Running); err != nil {
		return false, err
	}
	if g.State == store.Queued {
		return true, nil
	}
	return true, p.room(tx, g, room.Park{Game: g.ID})
}

// failed has another worker play, or gives the game up.
func (p *Plays) failed(tx store.Tx, g *store.Game, fault string) (bool, error) {
	w, err := workOf(g)
	if err != nil {
		return false, err
	}
	was := g.State
	g.Worker = ""
	w.Faults++
	if w.Faults < maxFaults {
		w.Try++
		g.State, g.Job = store.Queued, w.json()
		return true, tx.SetGame(g, was)
	}
	return true, p.drop(tx, g, was, &w, "no worker could play it: "+fault)
}

// drop aborts a game that nobody plays.
func (p *Plays) drop(tx store.Tx, g *store.Game, was store.GameState, w *work, why string) error {
	g.State, g.Worker, g.Job = store.Aborted, "", w.json()
	g.Result = game.Result{Reason: game.ByAbort, Detail: game.Shown(why, 500)}
	g.Note = g.Result.Detail
	if err := tx.SetGame(g, was); err != nil {
		return err
	}
	return p.after(tx, g)
}

// ended keeps a result with all that follows from it.
func (p *Plays) ended(tx store.Tx, g *store.Game, r *bus.Result) (bool, error) {
	e := &store.Ending{
		Game: r.Game, Attempt: r.Attempt, Result: r.Result, Plies: r.Plies, Seconds: r.Seconds,
		Ended: r.Ended, Record: r.Record, Positions: positions(r.Keys),
	}
	if ok, err := tx.EndAttempt(e); err != nil || !ok {
		return false, err
	}
	g.State, g.Result, g.Plies, g.Seconds, g.Ended = store.Over, r.Result, r.Plies, r.Seconds, r.Ended
	if err := p.rate(tx, g); err != nil {
		return false, err
	}
	return true, p.after(tx, g)
}

// after changes room and tournament of a game that is over.
func (p *Plays) after(tx store.Tx, g *store.Game) error {
	if err := p.room(tx, g, room.Over{Game: g.ID, Result: g.Result}); err != nil {
		return err
	}
	if g.Tournament != "" && p.cfg.Tournaments != nil {
		return p.cfg.Tournaments.GameEnded(tx, g)
	}
	return nil
}

// positions gives each key once, with the first ply after which it stood.
func positions(keys []int64) []store.Position {
	seen := make(map[int64]bool, len(keys))
	var out []store.Position
	for i, k := range keys {
		if !seen[k] {
			seen[k] = true
			out = append(out, store.Position{Key: k, Ply: i + 1})
		}
	}
	return out
}

// tau bounds how fast the volatility of a rating changes.
const tau = 0.5

// rate counts a rated game with a verdict for both seats.
func (p *Plays) rate(tx store.Tx, g *store.Game) error {
	a, b := g.Seats[0].Subject(), g.Seats[1].Subject()
	if !g.Rated || g.Result.Reason == game.ByAbort || a == "" || b == "" || a == b {
		return nil
	}
	var old [2]store.Rating
	for i, subject := range [2]string{a, b} {
		r, err := tx.Rating(store.RatingKey{Subject: subject, Game: g.Spec.ID(), Speed: g.Speed})
		if errors.Is(err, store.ErrNotFound) {
			n := rating.NewGlicko2()
			r, err = store.Rating{Subject: subject, Game: g.Spec.ID(), Speed: g.Speed, Value: n.Rating, Deviation: n.Deviation, Volatility: n.Volatility}, nil
		}
		if err != nil {
			return err
		}
		old[i] = r
	}
	for i := range old {
		r := rated(old[i], old[1-i], g.Result.Points[i], g.Result.Points[1-i])
		r.Name, r.At, r.LastGame = g.Seats[i].Name, p.now(), g.ID
		if err := tx.SetRating(&r); err != nil {
			return err
		}
	}
	return nil
}

// rated returns a rating after one game.
func rated(r, opponent store.Rating, points, others float64) store.Rating {
	score := 0.5
	switch {
	case points > others:
		score = 1
		r.Wins++
	case points < others:
		score = 0
		r.Losses++
	default:
		r.Draws++
	}
	n := glicko(r).Update([]rating.Met{{Opponent: glicko(opponent), Score: score}}, tau)
	r.Value, r.Deviation, r.Volatility = n.Rating, min(n.Deviation, rating.NewGlicko2().Deviation), n.Volatility
	r.Games++
	return r
}

func glicko(r store.Rating) rating.Glicko2 {
	return rating.Glicko2{Rating: r.Value, Deviation: r.Deviation, Volatility: r.Volatility}
}

// speedOf is the class of a game with clocks as on the command line.
func speedOf(clocks [2]string) string {
	var c [2]clock.Control
	for i := range c {
		c[i], _ = clock.Parse(clocks[i]) // rooms hold clocks that were read
	}
	return string(clock.SpeedOf(c[0], c[1]))
}

// room changes the room of a game in the same transaction. A room that knows nothing
// of the game any more stays as it is.
func (p *Plays) room(tx store.Tx, g *store.Game, cmd room.Command) error {
	if g.Room == "" {
		return nil
	}
	r, err := tx.Room(g.Room)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	s, err := room.Parse(r.State)
	if err != nil {
		return err
	}
	s, _, err = room.Apply(s, cmd, room.Env{Now: p.now()})
	if errors.Is(err, room.ErrStale) || errors.Is(err, room.ErrPhase) {
		return nil
	}
	if err != nil {
		return err
	}
	keepRoom(&r, &s, p.now())
	return tx.SetRoom(&r)
}

// keepRoom puts a state into the row that is searched.
func keepRoom(r *store.Room, s *room.State, now time.Time) {
	r.Name, r.Owner, r.Game = s.Settings.Name, s.Host, s.Settings.Game.ID()
	r.Listed, r.Open = s.Settings.Access != room.Private, s.Phase != room.Closed
	r.Changed, r.State = now, s.JSON()
}

// tell wakes those who look at a game's room, and at the lobby. It says only what has
// changed: what they may see of it they ask for.
func (p *Plays) tell(g *store.Game) {
	if g.Room != "" {
		p.wake("room." + g.Room)
		p.wake("lobby")
	}
	if g.Tournament != "" {
		p.wake("tournament." + g.Tournament)
	}
}

func (p *Plays) wake(topic string) {
	if err := p.cfg.Bus.Publish(topic, []byte("{}")); err != nil {
		p.cfg.Log.Debug("a topic was not told", "topic", topic, "error", oneLine(err))
	}
}

// now is the time as a store keeps it.
func (p *Plays) now() time.Time { return p.cfg.Now().UTC().Truncate(time.Microsecond) }

// update writes, and tries again when a room was changed meanwhile.
func (p *Plays) update(ctx context.Context, fn func(store.Tx) error) error {
	var err error
	for range 8 {
		if err = p.cfg.Store.Update(ctx, fn); !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return err
}
