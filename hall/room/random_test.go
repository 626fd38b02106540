package room_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/refuse"
	"kibitz/hall/room"
)

// TestInvariants gives random commands and holds the room to what is always true.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		games, exchange, rated := rapid.IntRange(1, 4).Draw(t, "games"), rapid.Bool().Draw(t, "exchange"), rapid.Bool().Draw(t, "rated")
		// Draws of rapid itself are mostly small; commands shall be alike in number.
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		walk(t, rng, room.Settings{Game: "othello", Games: games, Exchange: exchange, Rated: rated, Auto: rapid.Bool().Draw(t, "auto")}, rapid.Bool().Draw(t, "engines"), 50+rapid.IntRange(0, 200).Draw(t, "commands"), map[string]int{})
	})
}

// TestRandomReachesAll shows that random commands come to everything that a room can
// do, so that TestInvariants tries it.
func TestRandomReachesAll(t *testing.T) {
	applied := map[string]int{}
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		walk(t, rng, room.Settings{Game: "othello", Games: 1 + int(seed%4), Exchange: seed%2 == 0, Rated: seed%3 == 0}, seed%4 < 2, 400, applied)
	}
	for _, must := range []string{"room.Over", "room.Start", "room.Rematch", "room.Tick", "room.Resume", "room.Stop", "room.Pause", "room.Rule", "room.Kick", "room.Sit", "room.Close"} {
		if applied[must] < 3 {
			t.Errorf("%s was possible %d times only: the commands are too few", must, applied[must])
		}
	}
}

// failer is what both kinds of test have.
type failer interface {
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// walk gives a new room random commands and counts those that were possible.
func walk(t failer, rng *rand.Rand, set room.Settings, engines bool, commands int, applied map[string]int) {
	now := time.Unix(1e9, 0).UTC()
	s, err := room.Open(set, room.Env{By: actor("ann"), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	b := &book{failer: t}
	if engines {
		s.Places = [2]room.Place{{Kind: bus.BotSeat, Engine: "bot=1", Name: "a"}, {Kind: bus.BotSeat, Engine: "bot=2", Name: "b"}}
	}
	for i := range commands {
		now = now.Add(time.Duration(rng.IntN(400)) * time.Second)
		who := actor(pick(rng, []string{"hall", "hall", "hall", "ann", "ann", "ann", "bob", "bob", "cec", "dan", "guest", "arbiter"}...))
		cmd := anyCommand(rng, &s)
		next, effects, err := room.Apply(s, cmd, room.Env{By: who, Now: now, ID: fmt.Sprintf("g%d", i), Coin: i})
		if err != nil {
			if len(effects) > 0 || string(next.JSON()) != string(s.JSON()) {
				t.Fatalf("%T failed and changed something", cmd)
			}
			if !errors.Is(err, refuse.ErrForbidden) && !errors.Is(err, refuse.ErrPhase) && !errors.Is(err, refuse.ErrInvalid) && !errors.Is(err, room.ErrSame) && !errors.Is(err, room.ErrStale) {
				t.Fatalf("%T: an error of no kind: %v", cmd, err)
			}
			continue
		}
		applied[fmt.Sprintf("%T", cmd)]++
		b.check(&s, &next, who, cmd, effects)
		s = next
	}
}

// book is what the test itself knows of the games that are over.
type book struct {
	failer
	game string
}

func (b *book) check(s, next *room.State, who room.Actor, cmd room.Command, effects []room.Effect) {
	running := next.Phase == room.Playing || next.Phase == room.Parked
	if running != (next.Game != nil) {
		b.Fatalf("phase %s, game %v", next.Phase, next.Game)
	}
	for _, e := range effects {
		if e.Add != nil {
			if b.game != "" {
				b.Fatalf("game %s begins while %s runs", e.Add.ID, b.game)
			}
			b.game = e.Add.ID
			if e.Add.Places[0].Empty() || e.Add.Places[1].Empty() {
				b.Fatal("a game without players")
			}
			for _, p := range e.Add.Places {
				if e.Add.Settings.Rated && p.Guest {
					b.Fatal("a guest in a rated game")
				}
			}
		}
	}
	if next.Game == nil {
		b.game = ""
	}
	p := next.Places
	if p[0].Kind == bus.PersonSeat && p[1].Kind == bus.PersonSeat && p[0].User == p[1].User {
		b.Fatalf("%s sits twice", p[0].Name)
	}
	if sum := next.Score[0] + next.Score[1]; sum != float64(next.Played) {
		b.Fatalf("score %v after %d games", next.Score, next.Played)
	}
	// After a series its score stands until the next one, whatever is set meanwhile.
	series := next.Game != nil || next.Phase == room.Between
	if next.Wins[0]+next.Wins[1]+next.Draws != next.Played || series && next.Played > next.Settings.Games {
		b.Fatalf("%v wins, %d draws in %d of %d games", next.Wins, next.Draws, next.Played, next.Settings.Games)
	}
	if s.Game != nil && next.Game != nil && s.Game.ID != next.Game.ID {
		b.Fatal("one game took the place of another")
	}
	if s.Game != nil && fmt.Sprint(next.Settings) != fmt.Sprint(s.Settings) {
		b.Fatal("the settings changed while a game ran")
	}
	if next.Paused != nil && next.Game == nil && next.Phase != room.Between {
		b.Fatalf("paused while %s", next.Phase)
	}
	if _, rules := cmd.(room.Rule); rules && s.PlaceOf(who.ID) >= 0 {
		b.Fatalf("%s rules in his own game", who.Name)
	}
	switch cmd.(type) {
	case room.Set, room.Start, room.Invite, room.Kick, room.Hand, room.AddCode, room.Close, room.Resume, room.Stop, room.Pause, room.Rule:
		if who.ID != s.Host && !who.Arbiter {
			b.Fatalf("%s gave the command %T of the host", who.Name, cmd)
		}
	case room.Over, room.Begun, room.Park, room.Together, room.Aside:
		if who.ID != 0 {
			b.Fatalf("%s gave the command %T of the hall", who.Name, cmd)
		}
	}
	if again, err := room.Parse(next.JSON()); err != nil || string(again.JSON()) != string(next.JSON()) {
		b.Fatalf("what is kept is not what is read: %v", err)
	}
}

func anyCommand(rng *rand.Rand, s *room.State) room.Command {
	id := int64(rng.IntN(len(names)))
	on := rng.IntN(2) == 0
	running := "g0"
	if s.Game != nil && rng.IntN(6) > 0 {
		running = s.Game.ID
	}
	r := pick(rng, []game.Result{game.Win(0, "score", ""), game.Win(1, "score", ""), game.Drawn("score", ""), {Reason: game.ByAbort}}...)
	set := s.Settings
	set.Rated, set.Games = on, 1+rng.IntN(4)
	kind := pick(rng, bus.PersonSeat, bus.BotSeat, bus.RemoteSeat, bus.EngineSeat)
	list := []room.Command{
		room.Enter{},
		room.Enter{Hash: "c"},
		room.Presence{Here: true},
		room.Presence{Here: on},
		room.Leave{},
		room.Join{},
		room.Together{Game: running},
		room.Resume{},
		room.Sit{Place: rng.IntN(2), Kind: kind, Engine: "bot=1"},
		room.Sit{Place: int(id), Kind: bus.PersonSeat},
		room.Sit{Place: 1, Kind: bus.BotSeat, Engine: "bot=1"},
		room.Stand{Place: int(id)},
		room.Ready{On: on},
		room.Ready{On: true},
		room.Start{},
		room.Start{},
		room.Rematch{On: on},
		room.Rematch{On: true},
		room.Over{Game: running, Result: r},
		room.Begun{Game: running},
		room.Park{Game: running},
		room.Park{Game: running},
		room.Aside{},
		room.Resume{},
		room.Resume{},
		room.Resume{},
		room.Resume{},
		room.Stop{},
		room.Stop{},
		room.Stop{},
		room.Pause{},
		room.Rule{Result: pick(rng, "first", "second", "draw", "nobody"), Note: "so"},
		room.Rule{Result: pick(rng, "first", "second", "draw", "nobody"), Note: "so"},
		room.Rule{Result: pick(rng, "first", "second", "draw", "nobody"), Note: "so"},
		room.Rule{Result: pick(rng, "first", "second", "draw", "nobody"), Note: "so"},
		room.Set{Settings: set},
		room.Invite{User: id},
		room.Kick{User: id},
		room.Hand{User: id},
		room.AddCode{Hash: "c"},
		room.DropCodes{},
		room.Tick{},
		room.Tick{},
	}
	if rng.IntN(31) == 0 {
		return room.Close{}
	}
	return pick(rng, list...)
}

func pick[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }
