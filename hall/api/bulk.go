package api

import (
	"archive/zip"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/store"
	"kibitz/hall/upload"
)

type importQuery struct {
	Format  string `query:"format" maxLength:"40" doc:"of GET /api/v1/formats; by the name of the file if it is not given"`
	Spec    string `query:"spec" maxLength:"200" doc:"what is played, for formats that do not say"`
	Type    string `header:"Content-Type"`
	RawBody []byte `contentType:"multipart/form-data"`
}

func registerImport(a *API, imports *records.Imports) {
	add(a, router.Route{
		Method: "POST", Path: "/api/v1/games/import", ID: "import", Tag: "games", Summary: "Add records in any format", Need: auth.Import,
		Creates: true,
		Body:    records.ImportBody, Time: 5 * time.Minute, Status: http.StatusOK,
		About: "A form with one or more files, 16 MiB, 200 files and 20000 games in all. Each game is replayed by its rules; what they do " +
			"not allow, and what is not finished, is left out and said. The games are listed and count for no rating. A record that the hall " +
			"has is not added again.",
	}, answerAt(func(ctx context.Context, in *importQuery) (*records.ImportAnswer, error) {
		files, err := upload.Parse(in.Type, in.RawBody)
		if err != nil {
			return nil, err
		}
		return imports.Import(ctx, files, in.Format, in.Spec)
	}))
}

type exportQuery struct {
	records.Selection
	As     string `query:"as" enum:"ndjson,zip" default:"ndjson" doc:"lines of JSON with a game and its record each, or an archive of files"`
	Format string `query:"format" maxLength:"40" doc:"of the files of an archive; Kibitz's own if it is not given"`
	Limit  int    `query:"limit" minimum:"0" doc:"at most so many games; 0 for all"`
}

type exported struct {
	Game   records.GameView `json:"game"`
	Record json.RawMessage  `json:"record,omitempty"`
	// Unreadable says why there is no record.
	Unreadable string `json:"unreadable,omitempty"`
}

// exports are the routes of games in bulk.
type exports struct {
	games   *records.Games
	exports *records.Exports
	now     func() time.Time
	log     *slog.Logger
}

func (h *exports) register(a *API) {
	add(a, router.Route{
		Method: "GET", Path: "/api/v1/games/export", ID: "export", Tag: "games", Summary: "Games that are over, with their records, in bulk",
		Need: auth.Export, Time: -1,
		About: "Selects as the search does, those added last first. A record that cannot be read is left out and named: its line has " +
			"unreadable in place of record, an archive says it in left-out.txt. Records have the results that count; games that were " +
			"annulled have points for nobody, and are left out of an archive. The stream ends early, without its proper end, if something " +
			"goes wrong.",
	}, h.export)
}

func (h *exports) export(ctx context.Context, in *exportQuery) (*huma.StreamResponse, error) {
	if in.As == "ndjson" && in.Format != "" && in.Format != records.OwnFormat {
		return nil, problem.At("#/format", problem.Input("lines of JSON hold records in Kibitz's own format alone: take as=zip"))
	}
	if _, err := h.games.Writes(in.Format); err != nil {
		return nil, err
	}
	if !h.exports.Begin() {
		return nil, problem.New(http.StatusServiceUnavailable, "busy", "the hall is writing out other collections: try again later")
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer h.exports.End()
		_, w := humago.Unwrap(hc)
		var err error
		if in.As == "zip" {
			w.Header().Set("Content-Type", "application/zip")
			w.Header().Set("Content-Disposition", attachment("games.zip"))
			err = h.zip(ctx, w, in)
		} else {
			w.Header().Set("Content-Type", "application/x-ndjson")
			err = h.lines(ctx, w, in)
		}
		if err != nil {
			h.log.WarnContext(ctx, "export broken off", "request", router.RequestID(ctx), "error", problem.OneLine(err))
			panic(http.ErrAbortHandler) // so that nobody takes it for whole
		}
	}}, nil
}

func (h *exports) lines(ctx context.Context, w http.ResponseWriter, in *exportQuery) error {
	enc := json.NewEncoder(w)
	return h.exports.Each(ctx, in.Selection, in.Limit, func(g *store.Game, record []byte, unreadable error) error {
		router.Extend(w, h.now())
		if unreadable != nil {
			return enc.Encode(exported{Game: records.ViewGame(g), Unreadable: problem.OneLine(unreadable)})
		}
		return enc.Encode(exported{Game: records.ViewGame(g), Record: record})
	})
}

func (h *exports) zip(ctx context.Context, w http.ResponseWriter, in *exportQuery) error {
	z := zip.NewWriter(w)
	var left []string
	err := h.exports.Each(ctx, in.Selection, in.Limit, func(g *store.Game, record []byte, err error) error {
		router.Extend(w, h.now())
		if g.Annulled() {
			left = append(left, g.ID+": counts for nobody, "+g.Note)
			return nil
		}
		var data []byte
		var ext string
		if err == nil {
			data, ext, err = h.games.Convert(ctx, record, in.Format)
		}
		if err != nil {
			left = append(left, g.ID+": "+problem.OneLine(err))
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
