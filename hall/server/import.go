package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"path"
	"strings"
	"time"
	"unicode"

	"github.com/klauspost/compress/zstd"

	"kibitz/game"
	"kibitz/hall/auth"
	"kibitz/hall/store"
)

// Limits of an import.
const (
	importBody  = 16 << 20
	importFiles = 200
	importGames = 20_000
	importBatch = 100 // games in a transaction
	importLines = 200 // remarks that are told
)

type importQuery struct {
	Format  string `query:"format" maxLength:"40" doc:"of GET /api/v1/formats; by the name of the file if it is not given"`
	Spec    string `query:"spec" maxLength:"200" doc:"what is played, for formats that do not say"`
	Type    string `header:"Content-Type"`
	RawBody []byte `contentType:"multipart/form-data"`
}

type importAnswer struct {
	Games    int      `json:"games" doc:"added"`
	Known    int      `json:"known" doc:"left out because the hall has the same record"`
	IDs      []string `json:"ids" doc:"of those added, the first thousand"`
	Warnings []string `json:"warnings" doc:"a line for what was left out, with the file's name"`
}

func (h *Hall) registerImport() {
	add(h, Route{
		Method: "POST", Path: "/api/v1/games/import", ID: "import", Tag: "games", Summary: "Add records in any format", Need: auth.Import,
		Creates: true,
		Body:    importBody, Time: 5 * time.Minute, Status: http.StatusOK,
		About: "A form with one or more files, 16 MiB, 200 files and 20000 games in all. Each game is replayed by its rules; what they do " +
			"not allow, and what is not finished, is left out and said. The games are listed and count for no rating. A record that the hall " +
			"has is not added again.",
	}, h.importGames)
}

// upload is a file of a form.
type upload struct {
	name string
	data []byte
}

// parseUpload reads the files of a form.
func parseUpload(contentType string, body []byte) ([]upload, error) {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, badInput("want a form with files: multipart/form-data")
	}
	var out []upload
	r := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	for {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, badInput("the form is broken: " + oneLine(err))
		}
		if part.FileName() == "" {
			continue
		}
		if len(out) == importFiles {
			return nil, badInput(fmt.Sprintf("want at most %d files", importFiles))
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, badInput("the form is broken: " + oneLine(err))
		}
		out = append(out, upload{fileName(part.FileName()), data})
	}
	if len(out) == 0 {
		return nil, badInput("the form holds no file")
	}
	return out, nil
}

// fileName returns what a client calls a file as something that may be told: its
// last part, without what cannot be shown. No file of that name is ever opened.
func fileName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, "?"), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, name)
	if r := []rune(name); len(r) > 100 {
		name = string(r[len(r)-100:])
	}
	return name
}

func (h *Hall) importGames(ctx context.Context, in *importQuery) (*body[importAnswer], error) {
	if h.cfg.Importer == nil {
		return nil, errAbsent
	}
	files, err := parseUpload(in.Type, in.RawBody)
	if err != nil {
		return nil, err
	}
	select {
	case h.imports <- struct{}{}:
		defer func() { <-h.imports }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	out := importAnswer{IDs: []string{}, Warnings: []string{}}
	for _, f := range files {
		games, remarks, err := h.cfg.Importer.Import(ctx, f.name, f.data, in.Format, game.Spec(in.Spec))
		if err != nil {
			remarks = append(remarks, oneLine(err))
		}
		for _, line := range remarks {
			if !strings.HasPrefix(line, f.name+":") {
				line = f.name + ": " + line
			}
			if len(out.Warnings) < importLines {
				out.Warnings = append(out.Warnings, line)
			}
		}
		if out.Games+len(games) > importGames {
			return nil, badInput(fmt.Sprintf("want at most %d games at a time: %d of them were added before %s", importGames, out.Games, f.name))
		}
		for len(games) > 0 {
			n := min(importBatch, len(games))
			if err := h.addImported(ctx, games[:n], pack, &out); err != nil {
				return nil, err
			}
			games = games[n:]
		}
	}
	return reply(out), nil
}

// addImported adds some games in one transaction.
func (h *Hall) addImported(ctx context.Context, list []Imported, pack *zstd.Encoder, out *importAnswer) error {
	c, _ := auth.FromContext(ctx)
	packed := make([][]byte, len(list))
	for i := range list {
		packed[i] = pack.EncodeAll(list[i].Record, nil)
	}
	var ids []string
	var known int
	err := h.update(ctx, func(tx store.Tx) error {
		ids, known = nil, 0
		for i := range list {
			id, err := h.addOne(tx, &list[i], packed[i], c)
			switch {
			case errors.Is(err, store.ErrTaken):
				known++
			case err != nil:
				return err
			default:
				ids = append(ids, id)
			}
		}
		return h.auth.Note(ctx, tx, "games-imported", "", fmt.Sprintf("%d games", len(ids)))
	})
	if err != nil {
		return err
	}
	out.Games += len(ids)
	out.Known += known
	out.IDs = append(out.IDs, ids[:min(len(ids), 1000-min(1000, len(out.IDs)))]...)
	return nil
}

func (h *Hall) addOne(tx store.Tx, in *Imported, packed []byte, c auth.Caller) (string, error) {
	sum := sha256.Sum256(in.Record)
	id := "im" + hex.EncodeToString(sum[:10])
	begun := in.Played
	if begun.IsZero() {
		begun = h.now()
	}
	ended := begun.Add(time.Duration((in.Seconds[0] + in.Seconds[1]) * float64(time.Second)))
	g := store.Game{
		ID: id, Spec: in.Spec, State: store.Running, Seats: [2]store.Seat{{Name: in.Names[0]}, {Name: in.Names[1]}}, Speed: in.Speed,
		Opening: in.Opening, Created: h.now(), Begun: begun.UTC(), Listed: true, Note: "imported by " + c.Name,
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
