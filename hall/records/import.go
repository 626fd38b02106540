package records

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/store"
	"kibitz/hall/upload"
	"kibitz/internal/spread"
)

// Limits of an import.
const (
	// ImportBody is how large a form with files may be in bytes.
	ImportBody = 16 << 20
	// MaxWarnings is how many lines say what was left out.
	MaxWarnings = 200

	importGames = 20_000
	importBatch = 512 // games in a transaction, for which others that write wait
)

// ImportsConfig is what Imports are made of. Without Importer nothing can be imported.
type ImportsConfig struct {
	Store    store.Store
	Importer Importer
	Auth     *auth.Service
	// Now is the time as a store keeps it.
	Now func() time.Time
}

// Imports add games from files, two files at a time.
type Imports struct {
	cfg   ImportsConfig
	turns chan struct{}
}

// NewImports returns Imports.
func NewImports(c ImportsConfig) *Imports { return &Imports{c, make(chan struct{}, 2)} }

// ImportAnswer is what came of an import.
type ImportAnswer struct {
	Games    int      `json:"games" doc:"added"`
	Known    int      `json:"known" doc:"left out because the hall has the same record"`
	IDs      []string `json:"ids" doc:"of those added, the first thousand"`
	Warnings []string `json:"warnings" doc:"a line for what was left out, with the file's name"`
}

// Import adds the games of files, in a format or by the names of the files; spec is for
// formats that do not say what is played.
func (im *Imports) Import(ctx context.Context, files []upload.File, format, spec string) (*ImportAnswer, error) {
	if im.cfg.Importer == nil {
		return nil, problem.ErrAbsent
	}
	select {
	case im.turns <- struct{}{}:
		defer func() { <-im.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0)))
	if err != nil {
		return nil, err
	}
	w := newWriter(ctx, im, pack)
	warnings := []string{}
	for _, f := range files {
		remarks, err := im.cfg.Importer.Import(ctx, f.Name, f.Data, format, game.Spec(spec), w.take)
		if w.refused != nil || w.failed() || ctx.Err() != nil {
			break
		}
		if err != nil {
			remarks = append(remarks, problem.OneLine(err))
		}
		for _, line := range remarks {
			if !strings.HasPrefix(line, f.Name+":") {
				line = f.Name + ": " + line
			}
			if len(warnings) < MaxWarnings {
				warnings = append(warnings, line)
			}
		}
	}
	out, err := w.end()
	if err = errors.Join(err, w.refused, ctx.Err()); err != nil {
		return nil, err
	}
	out.Warnings = warnings
	return out, nil
}

// writer adds games in batches, each a transaction: one is written while the next is read.
type writer struct {
	ctx   context.Context
	im    *Imports
	pack  *zstd.Encoder
	taken []store.Played
	read  int // games in all
	// refused is that they are too many.
	refused error
	// batches are to be written, and none any more once stop is closed; out is what came of
	// them when done is closed.
	batches    chan []store.Played
	stop, done chan struct{}
	out        *ImportAnswer
	err        error
}

func newWriter(ctx context.Context, im *Imports, pack *zstd.Encoder) *writer {
	w := &writer{
		ctx: ctx, im: im, pack: pack, batches: make(chan []store.Played), stop: make(chan struct{}), done: make(chan struct{}),
		out: &ImportAnswer{IDs: []string{}},
	}
	go func() {
		defer close(w.done)
		for list := range w.batches {
			if w.err = w.write(list); w.err != nil {
				close(w.stop)
				return
			}
		}
	}()
	return w
}

// failed reports whether a batch could not be written.
func (w *writer) failed() bool {
	select {
	case <-w.stop:
		return true
	default:
		return false
	}
}

// take takes games; after an error no more are wanted.
func (w *writer) take(list []Imported) error {
	if w.read += len(list); w.read > importGames {
		w.refused = problem.Input(fmt.Sprintf("want at most %d games at a time: %d of them are added", importGames, w.read-len(list)))
		return w.refused
	}
	for played := w.packed(list); len(played) > 0; {
		n := min(importBatch-len(w.taken), len(played))
		w.taken, played = append(w.taken, played[:n]...), played[n:]
		if len(w.taken) < importBatch {
			return nil
		}
		if err := w.flush(); err != nil {
			return err
		}
	}
	return nil
}

// packed makes of games what a store keeps, on every processor.
func (w *writer) packed(list []Imported) []store.Played {
	c, _ := auth.FromContext(w.ctx)
	now := w.im.cfg.Now()
	out := make([]store.Played, len(list))
	spread.Over(len(list), func(items iter.Seq[int]) {
		for i := range items {
			out[i] = playedOf(&list[i], w.pack, c, now)
		}
	})
	return out
}

// errStopped is that a batch before could not be written.
var errStopped = errors.New("the import has ended")

func (w *writer) flush() error {
	select {
	case w.batches <- w.taken:
		w.taken = make([]store.Played, 0, importBatch)
		return nil
	case <-w.stop:
		return errStopped
	}
}

// end writes what was taken last, and returns what came of all.
func (w *writer) end() (*ImportAnswer, error) {
	if len(w.taken) > 0 {
		_ = w.flush() // that it failed is in w.err
	}
	close(w.batches)
	<-w.done
	return w.out, w.err
}

// write adds some games in one transaction.
func (w *writer) write(list []store.Played) error {
	var ids []string
	err := w.im.cfg.Store.Update(w.ctx, func(tx store.Tx) error {
		ids = nil
		added, err := tx.AddPlayed(list)
		if err != nil {
			return err
		}
		for i := range list {
			if added[i] {
				ids = append(ids, list[i].Game.ID)
			}
		}
		return w.im.cfg.Auth.Note(w.ctx, tx, "games-imported", "", fmt.Sprintf("%d games", len(ids)))
	})
	if err != nil {
		return err
	}
	out := w.out
	out.Games += len(ids)
	out.Known += len(list) - len(ids)
	out.IDs = append(out.IDs, ids[:min(len(ids), 1000-min(1000, len(out.IDs)))]...)
	return nil
}

// playedOf is a game that was read, as a store keeps it.
func playedOf(in *Imported, pack *zstd.Encoder, c auth.Caller, now time.Time) store.Played {
	sum := sha256.Sum256(in.Record)
	begun := in.Played
	if begun.IsZero() {
		begun = now
	}
	ended := begun.Add(time.Duration((in.Seconds[0] + in.Seconds[1]) * float64(time.Second)))
	return store.Played{
		Game: store.Game{
			ID: "im" + hex.EncodeToString(sum[:10]), Spec: in.Spec, State: store.Over,
			Seats: [2]store.Seat{{Name: in.Names[0]}, {Name: in.Names[1]}}, Speed: in.Speed,
			Opening: in.Opening, Created: now, Begun: begun.UTC(), Ended: ended.UTC(), Listed: true,
			Note: "imported by " + c.Name, Result: in.Result, Plies: in.Plies, Seconds: in.Seconds,
		},
		Record: pack.EncodeAll(in.Record, nil), Positions: in.Positions,
	}
}
