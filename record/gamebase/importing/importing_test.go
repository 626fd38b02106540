package importing_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kibitz/games"
	"kibitz/record"
	"kibitz/record/formats"
	"kibitz/record/gamebase"
	"kibitz/record/gamebase/importing"
)

// Files are counted by what became of them and of their games, in a base that has one already.
func TestFiles(t *testing.T) {
	drained := make(chan struct{})
	close(drained)
	for _, tt := range []struct {
		name, file, text string
		variations       bool
		drain            chan struct{}
		want             importing.Summary // but for Files
		remark, fault    string
	}{
		{"new", "a.moves", "f5f6e6\n", false, nil, importing.Summary{Games: 1, Added: 1}, "", ""},
		{"known", "a.moves", "f5d6c3\nf5d6c3\n", false, nil, importing.Summary{Games: 2, Known: 2}, "", ""},
		{"empty", "a.sgf", "(;GM[2]SZ[8])", false, nil, importing.Summary{Games: 1, Empty: 1}, "", ""},
		{"illegal", "a.moves", "f5d6\nf5a1\n", false, nil, importing.Summary{Games: 2, Added: 1, Illegal: 1}, "a.moves game 2 (line 2)", ""},
		{"broken", "a.ggf", "(;GM[Othello]", false, nil, importing.Summary{Unread: 1}, "a.ggf", "1 of 1 file not read whole"},
		{"tree", "a.sgf", "(;GM[4]SZ[15];B[hh](;W[ig])(;W[gi];B[aa]))", false, nil, importing.Summary{Games: 1, Added: 1}, "", ""},
		{"variations", "a.sgf", "(;GM[4]SZ[15];B[hh](;W[ig])(;W[gi];B[aa]))", true, nil, importing.Summary{Games: 2, Added: 2}, "", ""},
		{"stopped", "a.moves", "f5f6e6\n", false, drained, importing.Summary{}, "", "stopped after 0 of 1 file; the same command goes on"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			b, err := gamebase.Create(t.Context(), filepath.Join(dir, "a.base"), -1)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			set, remarks := formats.New(games.OpenSpec), ""
			begin := func(text string) *importing.Importer {
				t.Helper()
				name := filepath.Join(dir, tt.file)
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				remark := func(text string) { remarks += text + "\n" }
				return &importing.Importer{
					To: b.Adder(), Open: games.OpenSpec, Variations: tt.variations, Drain: tt.drain, Remark: remark, RemarkGame: remark,
					Load: func(file string, each func([]*record.Game) bool) error {
						return set.LoadParts(nil, file, "", "", each)
					},
					FileDone: func() {},
				}
			}
			if tt.name == "known" {
				if err := begin("f5d6c3\n").Files(t.Context(), []string{filepath.Join(dir, tt.file)}); err != nil {
					t.Fatal(err)
				}
			}
			im := begin(tt.text)
			if err := im.Files(t.Context(), []string{filepath.Join(dir, tt.file)}); err != nil {
				t.Fatal(err)
			}
			if tt.want.Files = 1; tt.drain != nil {
				tt.want.Files = 0
			}
			if im.Sum != tt.want || im.Sum.Fault(1) != tt.fault {
				t.Errorf("%+v, %q, want %+v, %q\n%s", im.Sum, im.Sum.Fault(1), tt.want, tt.fault, remarks)
			}
			if tt.remark == "" && remarks != "" || !strings.Contains(remarks, tt.remark) {
				t.Errorf("remarks %q, want %q", remarks, tt.remark)
			}
			if im.Sum.Nothing(1) != (tt.name == "broken") {
				t.Errorf("nothing could be read: %v", im.Sum.Nothing(1))
			}
		})
	}
}
