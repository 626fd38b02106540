package server

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kibitz/hall/auth"
	"kibitz/hall/store"
)

type exportQuery struct {
	Selection
	As     string `query:"as" enum:"ndjson,zip" default:"ndjson" doc:"lines of JSON with a game and its record each, or an archive of files"`
	Format string `query:"format" maxLength:"40" doc:"of the files of an archive; Kibitz's own if it is not given"`
	Limit  int    `query:"limit" minimum:"0" doc:"at most so many games; 0 for all"`
}

// exported is a line of an export.
type exported struct {
	Game   gameView        `json:"game"`
	Record json.RawMessage `json:"record,omitempty"`
	// Unreadable says why there is no record.
	Unreadable string `json:"unreadable,omitempty"`
}

func (h *Hall) registerExport() {
	add(h, Route{
		Method: "GET", Path: "/api/v1/games/export", ID: "export", Tag: "games", Summary: "Games that are over, with their records, in bulk",
		Need: auth.Export, Time: -1,
		About: "Selects as the search does, those added last first. A record that cannot be read is left out and named: its line has " +
			"unreadable in place of record, an archive says it in left-out.txt. The stream ends early, without its proper end, if something " +
			"goes wrong.",
	}, h.export)
}

func (h *Hall) export(ctx context.Context, in *exportQuery) (*huma.StreamResponse, error) {
	if in.As == "ndjson" && in.Format != "" && in.Format != ownFormat {
		return nil, badInput("lines of JSON hold records in Kibitz's own format alone: take as=zip")
	}
	if _, err := h.writes(in.Format); err != nil {
		return nil, err
	}
	select {
	case h.exports <- struct{}{}:
	default:
		return nil, &Problem{http.StatusServiceUnavailable, "busy", "the hall is writing out other collections: try again later"}
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer func() { <-h.exports }()
		_, w := humago.Unwrap(hc)
		var err error
		if in.As == "zip" {
			w.Header().Set("Content-Type", "application/zip")
			w.Header().Set("Content-Disposition", attachment("games.zip"))
			err = h.exportZip(ctx, w, in)
		} else {
			w.Header().Set("Content-Type", "application/x-ndjson")
			err = h.exportLines(ctx, w, in)
		}
		if err != nil {
			h.cfg.Log.WarnContext(ctx, "export broken off", "request", requestID(ctx), "error", oneLine(err))
			panic(http.ErrAbortHandler) // so that nobody takes it for whole
		}
	}}, nil
}

// each calls fn for every game that is selected, a page at a time, so that no
// transaction lasts as long as a slow client reads. Of a record that cannot be read fn is
// told why.
func (h *Hall) each(ctx context.Context, w http.ResponseWriter, in *exportQuery,
	fn func(g *store.Game, record []byte, unreadable error) error,
) error {
	cursor, n := "", 0
	for {
		var page store.GamePage
		var records [][]byte
		err := h.view(ctx, func(tx store.Tx) error {
			q, err := h.query(ctx, tx, in.Selection)
			if err != nil {
				return err
			}
			q.States, q.Cursor, q.Limit = []store.GameState{store.Over}, cursor, 50
			if page, err = tx.FindGames(q); err != nil {
				return err
			}
			records = make([][]byte, len(page.Games))
			for i := range page.Games {
				if records[i], err = tx.Record(page.Games[i].ID); err != nil && !errors.Is(err, store.ErrNotFound) {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for i := range page.Games {
			if in.Limit > 0 && n == in.Limit {
				return nil
			}
			n++
			record, unreadable := h.unpacked(records[i])
			extend(w, h.cfg.Now())
			if err := fn(&page.Games[i], record, unreadable); err != nil {
				return err
			}
		}
		if cursor = page.Next; cursor == "" {
			return nil
		}
	}
}

func (h *Hall) exportLines(ctx context.Context, w http.ResponseWriter, in *exportQuery) error {
	enc := json.NewEncoder(w)
	return h.each(ctx, w, in, func(g *store.Game, record []byte, unreadable error) error {
		if unreadable != nil {
			return enc.Encode(exported{Game: viewGame(g), Unreadable: oneLine(unreadable)})
		}
		return enc.Encode(exported{Game: viewGame(g), Record: record})
	})
}

func (h *Hall) exportZip(ctx context.Context, w http.ResponseWriter, in *exportQuery) error {
	z := zip.NewWriter(w)
	var left []string
	err := h.each(ctx, w, in, func(g *store.Game, record []byte, err error) error {
		var data []byte
		var ext string
		if err == nil {
			data, ext, err = h.convert(ctx, record, in.Format)
		}
		if err != nil {
			left = append(left, g.ID+": "+oneLine(err))
			return nil
		}
		return addFile(z, g.ID+ext, data)
	})
	if err != nil {
		return err
	}
	if len(left) > 0 {
		text := ""
		for _, line := range left {
			text += line + "\n"
		}
		if err := addFile(z, "left-out.txt", []byte(text)); err != nil {
			return err
		}
	}
	return z.Close()
}

func addFile(z *zip.Writer, name string, data []byte) error {
	f, err := z.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return err
}
