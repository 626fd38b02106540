// Package upload reads forms with files.
package upload

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"path"
	"strings"
	"unicode"

	"kibitz/game"
	"kibitz/hall/problem"
)

// MaxFiles is how many files a form may have.
const MaxFiles = 200

// File is a file of a form.
type File struct {
	Name string
	Data []byte
}

// Parse reads the files of a form.
func Parse(contentType string, body []byte) ([]File, error) {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, problem.Input("want a form with files: multipart/form-data").Because("nofile")
	}
	var out []File
	r := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	for {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, problem.Input("the form is broken: " + problem.OneLine(err))
		}
		if part.FileName() == "" {
			continue
		}
		if len(out) == MaxFiles {
			return nil, problem.Input(fmt.Sprintf("want at most %d files", MaxFiles)).Because(game.WhyRange, fmt.Sprintf("1 – %d", MaxFiles))
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, problem.Input("the form is broken: " + problem.OneLine(err))
		}
		out = append(out, File{Name(part.FileName()), data})
	}
	if len(out) == 0 {
		return nil, problem.Input("the form holds no file").Because("nofile")
	}
	return out, nil
}

// Name returns what a client calls a file as something that may be told: its
// last part, without what cannot be shown. No file of that name is ever opened.
func Name(name string) string {
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
