package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"time"

	"kibitz/hall/auth"
	"kibitz/hall/web/pages"
)

// registerImportPage registers the form that adds records.
func (h *Hall) registerImportPage() {
	h.page("/games/import", auth.Import, "", h.importPage)
	h.handle(Route{
		Method: "POST", Path: "/games/import", ID: "form-games-import", Summary: "form of a page", Need: auth.Import, Body: importBody,
		Time: 5 * time.Minute,
	}, http.HandlerFunc(h.importForm))
}

func (h *Hall) importPage(_ context.Context, _ *http.Request, p *pages.Page) error {
	p.Name, p.Nav, p.Title = "import", "games", p.Words.Text("import.title")
	d := pages.Import{}
	if h.cfg.Converter != nil {
		for _, f := range h.cfg.Converter.Formats() {
			if f.Reads {
				d.Formats = append(d.Formats, pages.Format{ID: f.ID, Title: f.Title})
			}
		}
	}
	p.Data = d
	return nil
}

// importForm adds the games of a form's files, and says what came of it.
func (h *Hall) importForm(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			h.refuse(w, r, http.StatusRequestEntityTooLarge, "too-large", "the files have more than 16 MiB")
			return
		}
		h.refuse(w, r, http.StatusBadRequest, "input", oneLine(err))
		return
	}
	in := &importQuery{Type: r.Header.Get("Content-Type"), RawBody: data}
	in.Format, in.Spec = importFields(in.Type, data)
	out, err := h.importGames(r.Context(), in)
	p := h.newPage(r)
	status := http.StatusOK
	if err != nil {
		problem := classify(err)
		if problem.Status >= http.StatusInternalServerError || !h.wantsPage(r) {
			h.refuseError(w, r, err)
			return
		}
		status, p.Fault, p.Detail = problem.Status, problem.Code, problem.Text
	}
	if err := h.importPage(r.Context(), r, p); err != nil {
		h.refuseError(w, r, err)
		return
	}
	if d, ok := p.Data.(pages.Import); ok {
		d.Format, d.Spec = in.Format, in.Spec
		if out != nil {
			d.Done, d.Games, d.Known, d.Lines = true, out.Body.Games, out.Body.Known, out.Body.Warnings
			d.IDs = out.Body.IDs[:min(len(out.Body.IDs), 20)]
			d.Cut = len(d.Lines) == importLines
		}
		p.Data = d
	}
	h.send(w, r, status, p, "")
}

// importFields reads the fields of the form that are no files.
func importFields(contentType string, data []byte) (format, spec string) {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil || params["boundary"] == "" {
		return "", ""
	}
	r := multipart.NewReader(bytes.NewReader(data), params["boundary"])
	for range importFiles + 10 {
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
