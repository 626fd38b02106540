package main

import (
	"context"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"kibitz/bot"
	"kibitz/bot/random"
	"kibitz/catalog"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/games"
	"kibitz/link"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/rules"
)

// endless is the board of a manager without rules for draws: where a count ends the
// game it goes on.
type endless struct {
	*rules.Board
	drawn  bool // by the count, once
	most   int  // decisions after which the engines count a draw that the board does not know
	beyond int  // decisions after that
}

func newEndless() *endless { return &endless{Board: rules.NewBoard(games.OpenSpec)} }

func (b *endless) Reset(spec game.Spec, start string) error {
	b.drawn = false
	return b.Board.Reset(spec, start)
}

func (b *endless) Apply(m game.Move) ([]game.Notice, error) {
	n, err := b.Board.Apply(m)
	if (b.drawn || b.most > 0 && b.Len() > b.most) && err == nil {
		b.beyond++
	}
	if _, over := b.Result(); over && b.Prolong() {
		b.drawn = true
	}
	return n, err
}

// quiet plays at random what keeps the game going: it neither takes nor flips nor
// passes while there is another move.
type quiet struct {
	player.Player
	rng *rand.Rand
}

func (q quiet) Choose(_ context.Context, p *player.Prompt) (player.Answer, error) {
	v := p.View.View()
	weight := func(m game.Move) int {
		switch {
		case m.Op == game.Flip, m.Op == game.Pass:
			return 1
		case v.At(m.To).Owner.IsPlayer():
			return 2
		}
		return 0
	}
	var list []game.Move
	least := 3
	for _, m := range p.Moves.Legal(nil) {
		w := weight(m)
		if w < least {
			least, list = w, list[:0]
		}
		if w == least {
			list = append(list, m)
		}
	}
	i := q.rng.IntN(len(list))
	return player.Answer{Steps: list[i : i+1]}, nil
}

func (q quiet) CanStart(game.Spec) player.Start { return player.FromPosition }

// The engine side of every protocol plays on where a count of its own has ended the
// game and the manager goes on: 300 decisions and more beyond it.
func TestEnginesPlayOnBeyondTheirDraw(t *testing.T) {
	t.Parallel()
	hush := map[string]string{"settings": "off"}
	rows := []struct {
		proto   string
		spec    game.Spec
		level   int // 0: the quiet player
		most    int // the manager's game is phantomgo without a limit
		dialect map[string]string
	}{
		{proto: "sau", spec: "surakarta"},
		{proto: "sau", spec: "surakarta:nocapture=2", level: 2},
		{proto: "dctp", spec: "darkchess", dialect: hush},
		{proto: "dctp", spec: "darkchess:noeat=2", level: 2, dialect: hush},
		{proto: "ponder", spec: "darkchess"},
		{proto: "ponder", spec: "darkchess:noeat=2", level: 2},
		{proto: "ponder-old", spec: "darkchess"},
		{proto: "readfile", spec: "darkchess:noeat=30"},
		{proto: "readfile", spec: "darkchess:noeat=2", level: 1},
		{proto: "piskvork", spec: "gomoku:size=7,drawempty=30", level: 3},
		{proto: "gtp", spec: "gomoku:size=7,drawempty=30", level: 3},
		{proto: "sau", spec: "phantomgo:maxplies=60", most: 60},
		{proto: "sau", spec: "phantomgo:maxplies=60", most: 60, level: 1},
		{proto: "gtp", spec: "phantomgo:maxplies=60", most: 60},
		{proto: "gtp", spec: "phantomgo:maxplies=60", most: 60, level: 1},
	}
	for _, r := range rows {
		t.Run(r.proto+" "+string(r.spec), func(t *testing.T) {
			t.Parallel()
			board := newEndless()
			board.most = r.most
			for seed := uint64(1); board.beyond < 300; seed++ {
				if seed > 60 {
					t.Fatalf("%d decisions beyond the draw in 60 games", board.beyond)
				}
				playOn(t, r.proto, r.spec, r.level, r.dialect, board, seed)
			}
		})
	}
}

// playOn plays a game between two engines behind a protocol.
func playOn(t *testing.T, id string, spec game.Spec, level int, dialect map[string]string, board *endless, seed uint64) {
	t.Helper()
	proto, err := catalog.ProtocolFor(spec.ID(), id)
	if err != nil {
		t.Fatal(err)
	}
	limits := player.Limits{Depth: 2, Nodes: 300}
	server := func(p player.Player) protocol.Server {
		return protocol.Server{
			Player: p, Position: rules.NewBoard(games.OpenSpec), Now: time.Now, Name: "engine", Version: "1", Game: spec, Limits: limits,
			Log: func(text string) { t.Logf("%s: %s", id, text) },
		}
	}
	row, _ := catalog.Find(spec.ID())
	var engines sync.WaitGroup
	var seats [2]player.Player
	for seat := range seats {
		var p player.Player = quiet{random.New(random.Options{Seed: seed}), rand.New(rand.NewPCG(seed, uint64(seat)))}
		if level > 0 {
			p = row.Engine(bot.Options{Level: level, Seed: seed, Now: time.Now})
		}
		seats[seat], err = proto.Host(protocol.Config{
			Name: id, Now: time.Now, Dialect: dialect,
			Dial: func(context.Context) (link.Conn, error) {
				ours, theirs := link.Pipe()
				engines.Go(func() {
					_ = proto.Serve(context.Background(), theirs, server(p))
					_ = theirs.Close()
				})
				return ours, nil
			},
			Folder: func(context.Context) (protocol.Folder, error) {
				dir, err := os.MkdirTemp(t.TempDir(), "engine")
				return &darkFolder{
					dir: dir, heard: &sent{}, failed: func(err error) { t.Error(err) },
					turn: func(dir string) error { return proto.Turn(context.Background(), dir, server(p)) },
				}, err
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	managed := spec
	if board.most > 0 {
		managed = "phantomgo:maxplies=10000"
	}
	k := clock.New(clock.Control{Main: time.Hour})
	table := playertest.Table{Position: board, Spec: managed, Seed: seed, MaxSteps: 900, Clocks: [2]clock.Clock{k, k}}
	if _, err := table.Play(context.Background(), seats); err != nil {
		t.Fatalf("game %d, %d decisions beyond the draw: %v\n%s", seed, board.beyond, err, board.Text())
	}
	for _, p := range seats {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	engines.Wait()
}
