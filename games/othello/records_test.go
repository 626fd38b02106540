package othello_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/games/othello"
	"kibitz/rules"
)

// shared returns the path of a file of the shared data beside the repository.
func shared(t *testing.T, path string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Skip("the repository has no root")
		}
		dir = up
	}
	file := filepath.Join(filepath.Dir(dir), "shared", "data", "othello", path)
	if _, err := os.Stat(file); err != nil {
		t.Skip("no shared data beside the repository: " + path)
	}
	return file
}

// playOn applies a move after a forced pass that the record leaves out.
func playOn(t *testing.T, s rules.State, m game.Move) bool {
	t.Helper()
	if legal := s.Legal(nil); len(legal) == 1 && legal[0].Op == game.Pass && m.Op != game.Pass {
		if _, err := s.Apply(legal[0], nil); err != nil {
			t.Error(err)
			return false
		}
	}
	if _, err := s.Apply(m, nil); err != nil {
		t.Errorf("%s: %v", s.Text(), err)
		return false
	}
	return true
}

// TestTournamentGames replays a year of tournament games and compares the final
// score of black with the stored one.
func TestTournamentGames(t *testing.T) {
	data, err := os.ReadFile(shared(t, "wthor/WTH_2021.wtb"))
	if err != nil {
		t.Fatal(err)
	}
	n := int(binary.LittleEndian.Uint32(data[4:]))
	if len(data) != 16+68*n || n != 680 {
		t.Fatalf("%d games in %d bytes", n, len(data))
	}
	r := newRules(t)
	for i := range n {
		rec := data[16+68*i:][:68]
		s := r.New()
		for _, b := range rec[8:] {
			if b != 0 && !playOn(t, s, game.PlaceAt(game.Pt(int(b%10)-1, int(b/10)-1))) {
				t.Fatalf("game %d", i+1)
			}
		}
		res, over := s.Result()
		if !over || int(res.Board[0]) != int(rec[6]) || res.Board[0]+res.Board[1] != 64 {
			t.Errorf("game %d: over %v, %v, stored %d", i+1, over, res, rec[6])
		}
	}
}

var (
	ggfBoard  = regexp.MustCompile(`BO\[8 ([^\]]*)\]`)
	ggfMove   = regexp.MustCompile(`\](B|W)\[([A-Za-z][A-Za-z0-9])`)
	ggfResult = regexp.MustCompile(`RE\[([-+0-9.]+)\]`)
)

// TestServerGames replays games of a server, from other starts too, in which
// passes are written and colours named.
func TestServerGames(t *testing.T) {
	r := newRules(t)
	games, passes := 0, 0
	for _, file := range []string{"ggf/TestGames.ggf", "ggf/extracted-novello-notes.ggf"} {
		data, err := os.ReadFile(shared(t, file))
		if err != nil {
			t.Fatal(err)
		}
		for text := range strings.SplitSeq(string(data), "(;") {
			board, result := ggfBoard.FindStringSubmatch(text), ggfResult.FindStringSubmatch(text)
			if board == nil || result == nil {
				continue
			}
			games++
			s, err := r.Position(board[1])
			if err != nil {
				t.Error(err)
				continue
			}
			for _, item := range ggfMove.FindAllStringSubmatch(text, -1) {
				m, err := othello.ParseMove(item[2])
				if err != nil {
					t.Fatal(err)
				}
				if seat := s.Turn().Seat; (seat == game.First) != (item[1] == "B") {
					t.Errorf("%s: %s is to move at %s[%s]", s.Text(), seat, item[1], item[2])
				}
				if m.Op == game.Pass {
					passes++
				}
				if !playOn(t, s, m) {
					break
				}
			}
			want, err := strconv.ParseFloat(result[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			if res, over := s.Result(); !over || res.Board[0]-res.Board[1] != want {
				t.Errorf("%s: over %v, %v, recorded %v", s.Text(), over, res, want)
			}
		}
	}
	if games != 16 || passes < 5 {
		t.Errorf("%d games with %d passes were found", games, passes)
	}
}
