package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kibitz/game"
	"kibitz/record"
	"kibitz/record/ccgc"
)

func readCCGC(_ string, data []byte, spec game.Spec) ([]*record.Game, error) {
	list, err := ccgc.Read(data)
	for _, g := range list {
		withRule(g, spec)
	}
	return list, err
}

func writeCCGC(w io.Writer, list []*record.Game) error {
	for _, g := range list {
		b, err := ccgc.Append(nil, g)
		if err != nil {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// writeCCGCinGBK writes for programs that know no other charset.
func writeCCGCinGBK(w io.Writer, list []*record.Game) error {
	for _, g := range list {
		in := *g
		in.Tags = []record.Tag{{Key: ccgc.TagCharset, Value: "gbk"}}
		if err := writeCCGC(w, []*record.Game{&in}); err != nil {
			return err
		}
	}
	return nil
}

// asGame takes the game that the user named for a file that says no more than
// that it is Go: board and komi are the file's, all else is the user's word.
func asGame(g *record.Game, spec game.Spec) {
	id := spec.ID()
	if g.Spec.ID() != "go" || id != "phantomgo" && id != "nogo" {
		withRule(g, spec)
		return
	}
	said := map[string]bool{}
	var options []string
	for _, key := range []string{"size", "width", "height", "komi"} {
		if v, ok := g.Spec.Option(key); ok && (key != "komi" || id == "phantomgo") {
			options = append(options, key+"="+v)
			said[key] = true
		}
	}
	_, rest, _ := strings.Cut(string(spec), ":")
	for _, o := range strings.Split(rest, ",") {
		if key, _, _ := strings.Cut(o, "="); key != "" && !said[key] {
			options = append(options, o)
		}
	}
	g.Spec = game.Spec(id + ":" + strings.Join(options, ","))
}

// folderFormat returns the format that the name of an output without an extension
// names: the output is then a folder with a file for each game.
func folderFormat(name, id string) (format, bool) {
	clean := filepath.Clean(name)
	st, err := os.Stat(clean)
	isFolder := err == nil && st.IsDir() || os.IsPathSeparator(name[len(name)-1])
	if id == "" && filepath.Ext(clean) == "" {
		id = filepath.Base(clean)
	} else if !isFolder {
		return format{}, false
	}
	f, err := formatOf("", id)
	return f, err == nil
}

// gameFile is the name of the file of one game in a folder, as the format's events
// name theirs, or after the game.
func (f format) gameFile(g *record.Game) string {
	if strings.HasPrefix(f.id, "ccgc") {
		if name, err := ccgc.FileName(g); err == nil {
			return name
		}
	}
	if name := boardFile(f.id, g); name != "" {
		return name
	}
	id := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`\/:*?"<>|`, r) {
			return '_'
		}
		return r
	}, g.ID)
	if id == "" {
		id = "game"
	}
	return id + f.exts[0]
}

// newName returns a path in a folder that is not taken: "name.txt", "name (2).txt".
func newName(folder, name string) string {
	ext := filepath.Ext(name)
	path := filepath.Join(folder, name)
	for n := 2; ; n++ {
		if _, err := os.Lstat(path); os.IsNotExist(err) {
			return path
		}
		path = filepath.Join(folder, fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ext), n, ext))
	}
}
