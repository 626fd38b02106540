package site

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/problem"
	"kibitz/hall/records"
	"kibitz/hall/router"
	"kibitz/hall/upload"
	"kibitz/hall/web/pages"
)

// importPages are the form that adds records.
type importPages struct {
	*Site
	imports *records.Imports
	games   *records.Games
}

func (h *importPages) register() {
	h.page("/games/import", auth.Import, "", h.importPage)
	h.router.Handle(router.Route{
		Method: "POST", Path: "/games/import", ID: "form-games-import", Summary: "form of a page", Need: auth.Import, Body: records.ImportBody,
		Time: 5 * time.Minute,
	}, http.HandlerFunc(h.importForm))
}

func (h *importPages) importPage(_ context.Context, _ *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "import", "games", p.Words.Text("import.title")
	d := pages.Import{}
	formats, err := h.games.Formats()
	if err != nil {
		formats = nil // none is listed
	}
	for _, f := range formats {
		if f.Reads {
			d.Formats = append(d.Formats, pages.Format{ID: f.ID, Title: f.Title})
		}
	}
	p.Data = d
	return nil
}

// importForm adds the games of a form's files, and says what came of it.
func (h *importPages) importForm(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			w.Header().Set(problem.Most, strconv.Itoa(16<<20))
			h.router.SendProblem(w, r, http.StatusRequestEntityTooLarge, "too-large", "the files have more than 16 MiB")
			return
		}
		h.router.SendProblem(w, r, http.StatusBadRequest, "input", problem.OneLine(err))
		return
	}
	kind := r.Header.Get("Content-Type")
	format, spec := importFields(kind, data)
	out, err := h.add(r.Context(), kind, data, format, spec)
	p := h.newPage(r)
	if err != nil && h.wantsPage(r) {
		r.PostForm = url.Values{"format": {format}, "spec": {spec}}
		if problem.Of(err).Code == "input" {
			err = problem.At("#/files", err)
		}
		if err = h.again(w, r, err, h.importPage); err == nil {
			return
		}
	}
	if err == nil {
		err = h.importPage(r.Context(), r, p)
	}
	if err != nil {
		h.router.SendError(w, r, err)
		return
	}
	if d, ok := p.Data.(pages.Import); ok {
		d.Format, d.Spec = format, spec
		if out != nil {
			d.Done, d.Games, d.Known, d.Lines = true, out.Games, out.Known, out.Warnings
			d.IDs = out.IDs[:min(len(out.IDs), 20)]
			d.Cut = len(d.Lines) == records.MaxWarnings
		}
		p.Data = d
	}
	h.send(w, r, http.StatusOK, p, "")
}

// add adds the games of the files of a form.
func (h *importPages) add(ctx context.Context, kind string, data []byte, format, spec string) (*records.ImportAnswer, error) {
	files, err := upload.Parse(kind, data)
	if err != nil {
		return nil, err
	}
	return h.imports.Import(ctx, files, format, spec)
}

// importFields reads the fields of the form that are no files.
func importFields(contentType string, data []byte) (format, spec string) {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil || params["boundary"] == "" {
		return "", ""
	}
	r := multipart.NewReader(bytes.NewReader(data), params["boundary"])
	for range upload.MaxFiles + 10 {
		part, err := r.NextPart()
		if err != nil {
			break
		}
		name := part.FormName()
		if part.FileName() != "" || name != "format" && name != "spec" {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(part, 200))
		switch {
		case err != nil:
		case name == "format":
			format = string(text)
		default:
			spec = string(text)
		}
	}
	return format, spec
}
