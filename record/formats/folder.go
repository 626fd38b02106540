package formats

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kibitz/internal/wholefile"
	"kibitz/record"
	"kibitz/record/ccgc"
)

// Folder returns the format that the name of an output without an extension
// names: the output is then a folder with a file for each game.
func (s *Set) Folder(name, id string) (Format, bool) {
	clean := filepath.Clean(name)
	isFolder := wholefile.IsFolder(clean) || os.IsPathSeparator(name[len(name)-1])
	if id == "" && filepath.Ext(clean) == "" {
		id = filepath.Base(clean)
	} else if !isFolder {
		return Format{}, false
	}
	f, err := s.Find("", id)
	return f, err == nil
}

// FileName is the name of the file of one game in a folder, as the format's events
// name theirs, or after the game.
func (f *Format) FileName(g *record.Game) string {
	if strings.HasPrefix(f.ID, "ccgc") {
		if name, err := ccgc.FileName(g); err == nil {
			return name
		}
	}
	if name := boardFile(f.ID, g); name != "" {
		return name
	}
	id := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`\/:*?"<>|`, r) {
			return '_'
		}
		return r
	}, g.ID)
	id = cmp.Or(id, "game")
	return id + f.Exts[0]
}

// NewName returns a path in a folder that is not taken: "name.txt", "name (2).txt".
func NewName(folder, name string) string {
	ext := filepath.Ext(name)
	path := filepath.Join(folder, name)
	for n := 2; ; n++ {
		if _, err := os.Lstat(path); os.IsNotExist(err) {
			return path
		}
		path = filepath.Join(folder, fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ext), n, ext))
	}
}
