package readfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/internal/hostfuzz"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/record/boardtxt"
)

// FuzzTurn has the engine side answer any board.txt: it writes a ply that the host
// reads, or says in a line why it cannot.
func FuzzTurn(f *testing.F) {
	dir := f.TempDir()
	start, next, _, err := boardtxt.ReadPosition("")
	if err != nil {
		f.Fatal(err)
	}
	file := boardtxt.File{Date: "2026/01/02", Names: [2]string{"a", "b"}, Start: start, First: next, Time: 900}
	f.Add(file.Append(nil, "\n"))
	file.Plies = [][]game.Move{{game.FlipAt(game.Pt(0, 0)), game.DealAt(game.Pt(0, 0), 9)}, {game.FlipAt(game.Pt(1, 0)), game.DealAt(game.Pt(1, 0), 2)}}
	file.Stamps = []int64{1000, 2500}
	f.Add(file.Append(nil, "\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, BoardFile), data, 0o600); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(filepath.Join(dir, MoveFile))
		err := Turn(t.Context(), dir, protocol.Server{Player: playertest.NewRandom(1), Position: board(), Now: time.Now, Game: "darkchess"})
		if err != nil {
			if text := err.Error(); strings.ContainsAny(text, "\r\n") {
				t.Fatalf("%q is not one line", text)
			}
			return
		}
		text, err := os.ReadFile(filepath.Join(dir, MoveFile))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadMove(text); err != nil {
			t.Fatalf("%q cannot be read: %v", text, err)
		}
	})
}

// FuzzHost plays games against engines that may write anything into their file.
func FuzzHost(f *testing.F) {
	hostfuzz.Hosts{Protocol: Protocol(), File: MoveFile, Cases: []hostfuzz.Case{{Spec: "darkchess"}}}.Fuzz(f)
}
