package records

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/store"
	"kibitz/hall/upload"
)

// Limits of an import.
const (
	// ImportBody is how large a form with files may be in bytes.
	ImportBody = 16 << 20
	// MaxWarnings is how many lines say what was left out.
	MaxWarnings = 200

	importGames = 20_000
	importBatch = 100 // games in a transaction
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
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	out := ImportAnswer{IDs: []string{}, Warnings: []string{}}
	for _, f := range files {
		games, remarks, err := im.cfg.Importer.Import(ctx, f.Name, f.Data, format, game.Spec(spec))
		if err != nil {
			remarks = append(remarks, problem.OneLine(err))
		}
		for _, line := range remarks {
			if !strings.HasPrefix(line, f.Name+":") {
				line = f.Name + ": " + line
			}
			if len(out.Warnings) < MaxWarnings {
				out.Warnings = append(out.Warnings, line)
			}
		}
		if out.Games+len(games) > importGames {
			return nil, problem.Input(fmt.Sprintf("want at most %d games at a time: %d of them were added before %s",
				importGames, out.Games, f.Name))
		}
		for len(games) > 0 {
			n := min(importBatch, len(games))
			if err := im.add(ctx, games[:n], pack, &out); err != nil {
				return nil, err
			}
			games = games[n:]
		}
	}
	return &out, nil
}

// add adds some games in one transaction.
func (im *Imports) add(ctx context.Context, list []Imported, pack *zstd.Encoder, out *ImportAnswer) error {
	c, _ := auth.FromContext(ctx)
	packed := make([][]byte, len(list))
	for i := range list {
		packed[i] = pack.EncodeAll(list[i].Record, nil)
	}
	var ids []string
	var known int
	err := im.cfg.Store.Update(ctx, func(tx store.Tx) error {
		ids, known = nil, 0
		for i := range list {
			id, err := im.addOne(tx, &list[i], packed[i], c)
			switch {
			case errors.Is(err, store.ErrTaken):
				known++
			case err != nil:
				return err
			default:
				ids = append(ids, id)
			}
		}
		return im.cfg.Auth.Note(ctx, tx, "games-imported", "", fmt.Sprintf("%d games", len(ids)))
	})
	if err != nil {
		return err
	}
	out.Games += len(ids)
	out.Known += known
	out.IDs = append(out.IDs, ids[:min(len(ids), 1000-min(1000, len(out.IDs)))]...)
	return nil
}

func (im *Imports) addOne(tx store.Games, in *Imported, packed []byte, c auth.Caller) (string, error) {
	sum := sha256.Sum256(in.Record)
	id := "im" + hex.EncodeToString(sum[:10])
	begun := in.Played
	if begun.IsZero() {
		begun = im.cfg.Now()
	}
	ended := begun.Add(time.Duration((in.Seconds[0] + in.Seconds[1]) * float64(time.Second)))
	g := store.Game{
		ID: id, Spec: in.Spec, State: store.Running, Seats: [2]store.Seat{{Name: in.Names[0]}, {Name: in.Names[1]}}, Speed: in.Speed,
		Opening: in.Opening, Created: im.cfg.Now(), Begun: begun.UTC(), Listed: true, Note: "imported by " + c.Name,
	}
	if err := tx.AddGame(&g); err != nil {
		return "", err
	}
	done, err := tx.EndAttempt(&store.Ending{
		Game: id, Result: in.Result, Plies: in.Plies, Seconds: in.Seconds, Ended: ended.UTC(), Record: packed, Positions: in.Positions,
	})
	if err == nil && !done {
		err = fmt.Errorf("imported game %s was not ended", id)
	}
	return id, err
}
