package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/contest"
	"kibitz/internal/syncbuf"
	"kibitz/tournament"
)

const hallCup = `
game = 'othello'
games = 6
concurrency = 3
repeat = true
openings = 'file=cup.txt order=random'

[each]
st = 0.01

[[engine]]
bot = 7
name = 'Ann'

[[engine]]
bot = 6
name = 'Bob'

[[engine]]
bot = 3
name = 'Cec'
`

// TestTournamentKilled plays a tournament of a file in a hall and a worker process, and
// kills the hall twice in the middle. Every game counts once, none that was over changes,
// and the standings are those that the list of results alone gives.
func TestTournamentKilled(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays a tournament")
	}
	h, cup, said := mortalCup(t, hallCup)
	told := map[string]string{}
	for kill := range 2 {
		h.reachOver(cup.ID, 4*(kill+1), told)
		h.kill()
		h.begin()
	}
	h.reachOver(cup.ID, 18, told)
	h.ask("GET", "/api/v1/tournaments/"+cup.ID, nil, cup)
	if cup.State != "finished" || cup.All != 18 || len(cup.Secret) != 64 {
		t.Errorf("the tournament is %+v\n%s", cup, said)
	}
	h.checkTournament(cup, told)
}

// mortalCup starts a tournament of this file in a hall that can be killed, with more flags, and a worker of the hall, by the token in
// its folder; said is what the worker writes.
func mortalCup(t *testing.T, file string, flags ...string) (h *mortalHall, cup *hallTournament, said *syncbuf.Buffer) {
	t.Helper()
	nats := freeAddress(t)
	h = mortal(t, append(flags, "--slots", "0", "--listen", nats)...)
	h.account("ann")
	token, err := os.ReadFile(filepath.Join(h.data, "worker.token"))
	if err != nil {
		t.Fatal(err)
	}
	worker := exec.CommandContext(t.Context(), "kibitz", "worker", "--nats", "nats://"+strings.TrimSpace(string(token))+"@"+nats, "--slots", "3")
	said = &syncbuf.Buffer{}
	worker.Stderr = said
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = worker.Process.Kill(); _ = worker.Wait() })
	status, answer := h.send("/api/v1/tournaments/file?start=true&name=Cup", [2]string{"cup.toml", file}, [2]string{"cup.txt", "f5d6c3\nf5f6e6f4\nf5d6c5\n"})
	if err := json.Unmarshal(answer, &cup); err != nil || status != http.StatusCreated {
		t.Fatalf("%d, %v: %s", status, err, answer)
	}
	return h, cup, said
}

// reachOver waits until so many games of a tournament are over, and until it is
// finished if that is all, and keeps what is told of them.
func (h *testHall) reachOver(id string, games int, told map[string]string) {
	h.t.Helper()
	var v hallTournament
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		h.ask("GET", "/api/v1/tournaments/"+id, nil, &v)
		if v.Over < games || v.Over == v.All && v.State != "finished" {
			continue
		}
		for g, text := range h.tournamentGames(id) {
			if was := told[g]; was != "" && was != text {
				h.t.Errorf("game %s was %s, now it is %s", g, was, text)
			}
			told[g] = text
		}
		return
	}
	h.t.Fatalf("the tournament stands at %+v, want %d games:\n%s", v, games, h.stderr.String())
}

// tournamentGames lists the games of a tournament that are over.
func (h *testHall) tournamentGames(id string) map[string]string {
	h.t.Helper()
	var list struct{ Games []json.RawMessage }
	h.ask("GET", "/api/v1/games?limit=200&state=over&tournament="+id, nil, &list)
	out := map[string]string{}
	for _, text := range list.Games {
		var g struct{ ID string }
		if err := json.Unmarshal(text, &g); err != nil {
			h.t.Fatal(err)
		}
		out[g.ID] = string(text)
	}
	return out
}

// checkTournament holds a finished tournament to its list of events, and its games to
// their records.
func (h *testHall) checkTournament(v *hallTournament, told map[string]string) {
	h.t.Helper()
	var events []contest.Event
	h.ask("GET", "/api/v1/tournaments/"+v.ID+"/log", nil, &events)
	begun, results := map[int]*contest.Game{}, map[int]int{}
	var log []tournament.Event
	for i := range events {
		switch e := &events[i]; {
		case e.Game != nil:
			if begun[e.Game.Index] != nil {
				h.t.Errorf("game %d was handed out twice", e.Game.Index+1)
			}
			begun[e.Game.Index] = e.Game
		case e.Over != nil:
			g := begun[e.Over.Index]
			results[e.Over.Index]++
			log = append(log, tournament.Event{Finished: tournament.Finished{
				Pairing: tournament.Pairing{Index: g.Index, First: g.First, Second: g.Second, Round: g.Round, Pair: g.Pair}, Plies: e.Over.Plies,
				Result: game.Result{Points: e.Over.Points, Reason: e.Over.Reason},
			}})
		}
	}
	if len(told) != v.All || len(results) != v.All {
		h.t.Errorf("%d games are over, %d have a result; want %d", len(told), len(results), v.All)
	}
	for n, k := range results {
		if k != 1 {
			h.t.Errorf("game %d has %d results", n+1, k)
		}
	}
	plan := tournament.Plan{Format: v.Settings.Format, Engines: len(v.Standings), Games: v.Settings.Games, Rounds: 1, Openings: 3, Repeat: v.Settings.Repeat}
	d := tournament.NewDirector(plan, tournament.Points(v.Settings.Points))
	if err := d.Resume(log, func(tournament.Finished) {}); err != nil {
		h.t.Fatal(err)
	}
	for i, r := range d.Ranking(v.Settings.TieBreaks) {
		if got := v.Standings[i]; got.Entry != r.Engine+1 || got.Points != r.Points || got.Games != d.Standings().Entry(r.Engine).Games {
			h.t.Errorf("place %d is %+v, by the list alone %+v", i+1, got, r)
		}
	}
	for id := range told {
		rec := h.record(id)
		if rec.Event != "Cup" || rec.Round != "1" {
			h.t.Errorf("the record of %s is of round %q of %q", id, rec.Round, rec.Event)
		}
	}
}
