package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	hallrecords "kibitz/hall/records"
	"kibitz/internal/pgtest"
)

// step is a place in what a hall asks of its database: a statement, or the answer to it, of a
// transaction in which another one came before.
type step struct {
	name, statement, after string
	answered               bool
}

// stepKiller stops what a hall says to its database at a step of a transaction, until the hall is
// killed.
type stepKiller struct {
	t  *testing.T
	mu sync.Mutex
	at *step
	// skip is how many times the step goes by before.
	skip int
	// done are the statements of the transaction on each connection.
	done          map[int][]string
	reached, gone chan struct{}
}

// arm has the hall stopped at a step.
func (k *stepKiller) arm(s *step, skip int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.at, k.skip, k.done, k.reached, k.gone = s, skip, map[int][]string{}, make(chan struct{}), make(chan struct{})
}

func (k *stepKiller) seen(s pgtest.Statement) bool {
	k.mu.Lock()
	gone, here := k.gone, k.isHere(s)
	if here {
		close(k.reached)
	}
	k.mu.Unlock()
	if here {
		select {
		case <-gone:
		case <-k.t.Context().Done():
		}
	}
	return !here
}

// isHere tells whether a statement is the step.
func (k *stepKiller) isHere(s pgtest.Statement) bool {
	if k.at == nil {
		return false
	}
	if strings.HasPrefix(s.Text, "begin") {
		k.done[s.Conn] = nil
	}
	before := func(text string) bool { return strings.HasPrefix(text, k.at.after) }
	here := s.Answered == k.at.answered && strings.HasPrefix(s.Text, k.at.statement) &&
		(k.at.after == "" || slices.ContainsFunc(k.done[s.Conn], before))
	if !s.Answered {
		k.done[s.Conn] = append(k.done[s.Conn], s.Text)
	}
	if here && k.skip > 0 {
		k.skip--
		return false
	}
	if here {
		k.at = nil
	}
	return here
}

// kill kills the hall once it has come to the step.
func (k *stepKiller) kill(h *mortalHall, s *step) {
	k.t.Helper()
	defer close(k.gone)
	select {
	case <-k.reached:
		h.kill()
	case <-time.After(5 * time.Minute):
		k.t.Fatalf("the hall never came to: %s\n%s", s.name, h.stderr)
	}
}

// TestResultKilled kills a hall with PostgreSQL at each step of taking a game of a tournament:
// the game, its record, its ratings, its event, before the transaction is kept, after that and before
// the hall knows, and in what follows. Every game counts once, in the tournament and in the
// ratings, and none that was over changes.
func TestResultKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays a tournament; games that were running wait for their lease")
	}
	pg, k := pgtest.Start(t), &stepKiller{t: t}
	db := pg.Watch(t, pg.Database(t, ""), k.seen)
	const record = "insert into records("
	steps := []step{
		{name: "the game is over", statement: "update games set points1"},
		{name: "its record", statement: record},
		{name: "its ratings", statement: "insert into rating_history(", after: record},
		{name: "its event", statement: "insert into tournament_events(", after: record},
		{name: "the transaction ends", statement: "commit", after: record},
		{name: "the transaction has ended", statement: "commit", after: record, answered: true},
		{name: "the next game", statement: "insert into games("},
		{name: "the next game is there", statement: "commit", after: "insert into games(", answered: true},
	}
	const games = 48 // some end at each step before the hall is stopped anew
	k.arm(&steps[0], 1)
	h, cup, said := mortalCup(t, strings.Replace(hallCup, "games = 6", "games = 16", 1), "--db", db, "--analyses", "0")
	told := map[string]string{}
	for i := range steps {
		k.kill(h, &steps[i])
		h.begin()
		h.reachOver(cup.ID, 0, told)
		if i+1 < len(steps) { // the hall answers nothing about the tournament from there on
			k.arm(&steps[i+1], i%2)
		}
	}
	h.reachOver(cup.ID, games, told)
	h.ask("GET", "/api/v1/tournaments/"+cup.ID, nil, cup)
	if cup.State != "finished" || cup.All != games {
		t.Errorf("the tournament is %+v\n%s", cup, said)
	}
	h.checkTournament(cup, told)
	h.checkRatings("othello", games)
}

// checkRatings holds the ratings of a game to so many games, each of which counts once for each
// seat.
func (h *testHall) checkRatings(game string, games int) {
	h.t.Helper()
	count, counted := 0, map[string]int{}
	for _, speed := range []string{"bullet", "blitz", "rapid", "classical", "untimed"} {
		var list []hallrecords.RatingView
		h.ask("GET", "/api/v1/ratings/leaders?deviation=1000&game="+game+"&speed="+speed, nil, &list)
		for i := range list {
			count += list[i].Games
			var history []struct{ Game string }
			h.ask("GET", fmt.Sprintf("/api/v1/ratings/history?game=%s&speed=%s&subject=%s", game, speed, list[i].Subject), nil, &history)
			for _, p := range history {
				counted[p.Game+" "+list[i].Subject]++
			}
		}
	}
	for seat, n := range counted {
		if n != 1 {
			h.t.Errorf("%s is rated %d times", seat, n)
		}
	}
	if count != 2*games || len(counted) != 2*games {
		h.t.Errorf("%d seats are rated and %d stand in histories, want %d", count, len(counted), 2*games)
	}
}

// TestImportStepKilled kills a hall with PostgreSQL at each step of a part of an import. Each game
// that is there then is whole, once, and found by its positions; the form, sent again, adds
// those that are missing and no other.
func TestImportStepKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("imports thousands of games, one form after the other")
	}
	const count = 4000
	pg, k := pgtest.Start(t), &stepKiller{t: t}
	db := pg.Watch(t, pg.Database(t, ""), k.seen)
	text := randomGames(t, "othello", count)
	h := mortal(t, "--db", db, "--analyses", "0")
	h.admin()
	const games = "insert into games("
	before := 0
	for i, s := range []step{
		{name: "the first games", statement: games},
		{name: "their identifiers", statement: "insert into game_ids(", after: games},
		{name: "their records", statement: "insert into records(", after: games},
		{name: "a run of positions", statement: "insert into position_blocks(", after: games},
		{name: "the transaction ends", statement: "commit", after: games},
		{name: "the transaction has ended", statement: "commit", after: games, answered: true},
		{name: "runs become one", statement: "delete from position_runs", after: games},
	} {
		ended := make(chan struct{})
		k.arm(&s, i%2)
		go func() {
			defer close(ended)
			if res, err := importForm(h.testHall, text); err == nil {
				res.Body.Close()
			}
		}()
		k.kill(h, &s)
		<-ended
		h.begin()
		n := h.wholeImports(i)
		if n < before || n == count {
			t.Errorf("%s: there are %d games, and there were %d of %d", s.name, n, before, count)
		}
		before = n
	}
	res, err := importForm(h.testHall, text)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var answer hallrecords.ImportAnswer
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || answer.Games+answer.Known != count || answer.Known < before {
		t.Errorf("the form once more adds %d games and knows %d, and there were %d: %v", answer.Games, answer.Known, before, err)
	}
	if n := h.wholeImports(99); n != count {
		t.Errorf("in the end there are %d games, want %d", n, count)
	}
}
