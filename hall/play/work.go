package play

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"kibitz/hall/bus"
	"kibitz/hall/room"
	"kibitz/hall/store"
	"kibitz/tournament"
)

// Work is what store.Game.Job holds. Nobody but the worker may know the secret while
// the game runs.
type Work struct {
	Play  bus.Play `json:"play"`
	Needs []string `json:"needs,omitempty"`
	// Try is that of the job that may begin the game: those of earlier publications
	// are stale. Told is when it was raised; before that the game was made.
	Try  int       `json:"try,omitempty"`
	Told time.Time `json:"told,omitzero"`
	// Key is what the tickets of the game's jobs are made of: whoever shows that of the
	// latest job was given it. It is empty for games that were added before there were any.
	Key []byte `json:"key,omitempty"`
	// Had are the workers that had the attempts, the first attempt's first; Since is when
	// the latest was begun, by the hall's clock.
	Had   []string  `json:"had,omitempty"`
	Since time.Time `json:"since,omitzero"`
	// Ask is the question by which the latest attempt was begun.
	Ask string `json:"ask,omitempty"`
	// Host is the name of the worker that played, Hashes are those of the programs of its
	// engines by seat: they are known when the game is over.
	Host   string    `json:"host,omitempty"`
	Hashes [2]string `json:"hashes,omitzero"`
	// Hints is how many hints each seat was given; it is known when the game is over.
	Hints [2]int `json:"hints,omitzero"`
	// Picked tells that the hall has chosen the programs of engines, for which any of their
	// names was good.
	Picked bool `json:"picked,omitempty"`
	// Faults counts workers that could not play.
	Faults int `json:"faults,omitempty"`
	// Secret is what the seeds of the attempts come from; it is empty if Play.Seed was
	// given. Dealt is the attempt whose seed the game has.
	Secret []byte `json:"secret,omitempty"`
	Dealt  int    `json:"dealt,omitempty"`
	// Kept keeps the seed out of the record: another game is dealt from it.
	Kept bool `json:"kept,omitempty"`
	// Order is what the worker is told with his next sign of life.
	Order string `json:"order,omitempty"`
	// Ruling is how somebody has ended the game, which the worker is told before Order; nil for nobody.
	Ruling *room.Ruling `json:"ruling,omitempty"`
}

// order is what the worker of a running game is to be told, nil for nothing.
func (w *Work) order(id string) *bus.Order {
	switch {
	case w.Ruling != nil:
		return &bus.Order{Game: id, Kind: bus.OrderVerdict, Result: &w.Ruling.Result}
	case w.Order != "":
		return &bus.Order{Game: id, Kind: w.Order, By: w.Play.Paused}
	}
	return nil
}

// WorkOf reads what a hall knows of a game beside its columns.
func WorkOf(g *store.Game) (Work, error) {
	var w Work
	if err := json.Unmarshal(g.Job, &w); err != nil {
		return w, fmt.Errorf("the job of game %s cannot be read: %w", g.ID, err)
	}
	return w, nil
}

// workedGame reads a game with its work.
func workedGame(tx store.Games, id string) (store.Game, Work, error) {
	g, err := tx.Game(id)
	if err != nil {
		return g, Work{}, err
	}
	w, err := WorkOf(&g)
	return g, w, err
}

func (w *Work) json() json.RawMessage {
	data, err := json.Marshal(w)
	if err != nil { // values of these types always have a form
		return json.RawMessage("{}")
	}
	return data
}

// by is the worker that has or had an attempt, empty if nobody noted it.
func (w *Work) by(attempt int) string {
	if attempt < 1 || attempt > len(w.Had) {
		return ""
	}
	return w.Had[attempt-1]
}

// begun notes the worker of an attempt.
func (w *Work) begun(attempt int, worker string, now time.Time) {
	for len(w.Had) < attempt {
		w.Had = append(w.Had, "")
	}
	w.Had[attempt-1], w.Since = worker, now
}

// needs are what a worker must have to play the game.
func (w *Work) needs() []string {
	return append([]string{bus.PlaceOf(w.Play.Seats[0].Kind, w.Play.Seats[1].Kind)}, w.Needs...)
}

// Ticket is that of the latest job.
func (w *Work) Ticket() string {
	if len(w.Key) == 0 {
		return ""
	}
	mac := hmac.New(sha256.New, w.Key)
	fmt.Fprintf(mac, "job %d", w.Try)
	return hex.EncodeToString(mac.Sum(nil))
}

// lent reports whether a worker that asks to begin the game was given its latest job.
func (w *Work) lent(q *bus.Begin) bool {
	return subtle.ConstantTimeCompare([]byte(w.Ticket()), []byte(q.Ticket)) == 1
}

// requeue puts a game that was in state was into the queue, under a job of its own.
func (w *Work) requeue(tx store.Games, g *store.Game, was store.GameState, now time.Time) error {
	w.Try++
	w.Told = now
	g.State, g.Worker, g.Job = store.Queued, "", w.json()
	return tx.SetGame(g, was)
}

// Secret draws the secret of a game's chance.
func (p *Dispatcher) Secret() ([]byte, error) {
	secret := make([]byte, 32)
	if _, err := io.ReadFull(p.cfg.Random, secret); err != nil {
		return nil, fmt.Errorf("no seed for the game: %w", err)
	}
	return secret, nil
}

// Add adds a game that waits for a worker. With a seed in play it is dealt from that,
// else from the secret, anew for each attempt that does not go on where another one
// was broken off; kept keeps that seed out of its record. Publish tells workers, after
// the transaction.
func (p *Dispatcher) Add(tx store.Games, g *store.Game, play *bus.Play, needs []string, secret []byte, kept bool) error {
	key, err := p.Secret()
	if err != nil {
		return err
	}
	w := Work{Play: *play, Needs: needs, Key: key}
	if len(play.Seed) == 0 {
		w.Secret, w.Kept = secret, kept
	}
	g.State, g.Job = store.Queued, w.json()
	return tx.AddGame(g)
}

// deal returns what is played in the attempt that has just begun.
func (w *Work) deal(g *store.Game, from int, lines [][]byte) *bus.Play {
	resumed := w.Play.Keep && len(lines) > 0 && w.Dealt > 0 && from >= w.Dealt
	if !resumed {
		w.Dealt = g.Attempt
	}
	play := w.dealt(g)
	if resumed {
		play.Resume = lines
	}
	return play
}

// dealt returns what is played in the latest attempt, but for what it goes on from.
func (w *Work) dealt(g *store.Game) *bus.Play {
	play := w.Play
	play.Game, play.Attempt, play.Resume = g.ID, g.Attempt, nil
	if len(w.Secret) > 0 {
		seeds := tournament.Seeds{}
		copy(seeds.Secret[:], w.Secret)
		seed := seeds.At(fmt.Sprintf("game %s/attempt %d/dealer", g.ID, w.Dealt))
		play.Seed, play.Commitment, play.Reveal = seed[:], tournament.Commitment(seed), !w.Kept
	}
	return &play
}
