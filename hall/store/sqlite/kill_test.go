package sqlite

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/hall/store"
	"kibitz/internal/leaks"
)

// child names the file that a child process of TestKilled writes to.
const child = "KIBITZ_TEST_STORE"

// TestMain is the child, if it was started as one.
func TestMain(m *testing.M) {
	if path := os.Getenv(child); path != "" {
		if err := writeGames(path); err != nil {
			fmt.Println("error", err)
		}
		os.Exit(1)
	}
	leaks.Main(m)
}

// writeGames writes games one by one until it is killed, and says of each that it
// has been acknowledged.
func writeGames(path string) error {
	ctx := context.Background()
	s, err := Open(ctx, path)
	if err != nil {
		return err
	}
	p, err := found(ctx, s)
	if err != nil {
		return err
	}
	for i := len(p); ; i++ {
		id := fmt.Sprint("game ", i)
		err := s.Update(ctx, func(x store.Tx) error {
			if err := x.AddGame(&store.Game{ID: id, State: store.Running, Room: "r", Index: i}); err != nil {
				return err
			}
			e := store.Ending{Game: id, Record: []byte(strings.Repeat(id, 50))}
			for key := range 60 {
				e.Positions = append(e.Positions, store.Position{Key: int64(key * i), Ply: key})
			}
			if ok, err := x.EndAttempt(&e); err != nil || !ok {
				return fmt.Errorf("ended %v: %w", ok, err)
			}
			return x.SetRating(&store.Rating{Subject: "user/1", Games: i + 1})
		})
		if err != nil {
			return err
		}
		fmt.Println(id)
	}
}

func found(ctx context.Context, s store.Store) (list []store.Game, err error) {
	err = s.View(ctx, func(x store.Tx) error {
		p, err := x.FindGames(store.GameQuery{Limit: 1_000_000})
		list = p.Games
		return err
	})
	return list, err
}

// TestKilled kills a process that writes games, some times. What it has acknowledged
// is there once, whole, and what it has not is there whole or not at all.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hall.db")
	rounds := 5
	if testing.Short() {
		rounds = 2
	}
	told := map[string]bool{}
	for round := range rounds {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), child+"="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			if strings.HasPrefix(lines.Text(), "error") {
				t.Fatal(lines.Text())
			}
			told[lines.Text()] = true
			if n == 5+round {
				// In the middle of whatever it is about to do.
				time.AfterFunc(time.Duration(round)*500*time.Microsecond, func() { _ = cmd.Process.Kill() })
			}
		}
		_ = cmd.Wait()
	}
	s := open1(t, path)
	list, err := found(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if len(told) < 6*rounds || len(list) < len(told) || len(list) > len(told)+rounds {
		t.Fatalf("%d games, %d acknowledged", len(list), len(told))
	}
	seen := map[string]bool{}
	for _, g := range list {
		if seen[g.ID] || g.State != store.Over {
			t.Errorf("game %s is there twice, or %s", g.ID, g.State)
		}
		seen[g.ID] = true
	}
	for id := range told {
		if !seen[id] {
			t.Errorf("%s was acknowledged and is gone", id)
		}
	}
	err = s.View(t.Context(), func(x store.Tx) error {
		for _, g := range list {
			if b, err := x.Record(g.ID); err != nil || string(b) != strings.Repeat(g.ID, 50) {
				return fmt.Errorf("record of %s: %w", g.ID, err)
			}
			p, err := x.FindGames(store.GameQuery{HasPosition: true, Position: int64(59 * g.Index), Room: "r", Limit: 1_000_000})
			if err != nil || g.Index > 0 && len(p.Games) == 0 {
				return fmt.Errorf("the last position of %s is gone: %w", g.ID, err)
			}
		}
		r, err := x.Rating(store.RatingKey{Subject: "user/1"})
		if r.Games != len(list) {
			t.Errorf("rated %d games of %d", r.Games, len(list))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
