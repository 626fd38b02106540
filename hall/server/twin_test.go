package server

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games"
	"kibitz/hall/bus"
	"kibitz/hall/worker"
	"kibitz/internal/twin"
	"kibitz/journal"
	"kibitz/rules"
)

const twinSpec = "phantomgo:size=5,maxplies=60"

// twinClock is a time that goes on only when it is told to.
type twinClock struct {
	mu sync.Mutex
	at time.Time
}

func (c *twinClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *twinClock) step() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(time.Second)
}

// chance gives the same identifiers and secrets in the same order.
type chance struct {
	mu  sync.Mutex
	rng *rand.ChaCha8
}

func (c *chance) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rng.Read(p)
}

// shuffled deals the same pieces whatever the seed.
type shuffled struct{ n int }

func (d *shuffled) Deal(s rules.State) (game.Move, error) {
	list := s.(rules.Chance).Outcomes(nil)
	d.n += 5
	return list[d.n%len(list)].Move, nil
}

// scene is a hall with games in play of which the facts that are hidden from those who
// look on are of one of two kinds.
type scene struct {
	*house
	clock *twinClock
	// which of the two it is.
	which int
	boss  *client
	// looks are those who are compared: none of them knows what is hidden.
	looks map[string]*client
	names []string
	// told is what they were told: by who and where.
	told map[string]string
	taps map[string]*tap

	games map[string]*twinGame
	order []string
	bert  *client // the one who knows
	seeds [][]byte
	frame *frames
}

// twinGame is one of the games of a scene.
type twinGame struct {
	room, id string
	seats    [2]*client
	turns    [2][]twin.Turn
	taps     [2]*tap
	prompt   [2]int
}

// twinScripts returns games of Phantom Go that differ enough in what is hidden.
func twinScripts(t *testing.T, watched game.Seat) [2]twin.Game {
	t.Helper()
	r, err := games.Open(twinSpec)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(200) {
		a, b, stats, err := twin.Pair(r, watched, 24, seed)
		if err != nil {
			t.Fatal(err)
		}
		if !a.Over && !b.Over && stats.Other >= 8 && stats.Refused >= 5 && stats.Took+stats.Lost > 0 && stats.WatchedRefused > 0 {
			return [2]twin.Game{a, b}
		}
	}
	t.Fatal("no pair differs enough")
	return [2]twin.Game{}
}

// newScene opens the hall, and begins and plays the games up to a point before their end.
func newScene(t *testing.T, which int, scripts map[string][2]twin.Game) *scene {
	t.Helper()
	clock := &twinClock{at: time.Date(2040, 1, 2, 3, 4, 5, 0, time.UTC)}
	s := &scene{clock: clock, which: which, looks: map[string]*client{}, told: map[string]string{}, taps: map[string]*tap{}, games: map[string]*twinGame{}}
	s.house = newHouse(t, build{
		now: clock.now,
		// What the machine needs for a move on its way through the queue comes off the clock.
		queue: func() (hall, crew *bus.Bus) {
			q := openQueue(t, func() time.Time { return time.Time{} })
			return q, q
		},
		crew: func(ctx context.Context, p *bus.Play) (*worker.Setup, error) {
			parts, err := crewOf(ctx, p)
			if err == nil {
				parts.Dealer = &shuffled{}
				s.mu.Lock()
				s.seeds = append(s.seeds, p.Seed)
				s.mu.Unlock()
			}
			return parts, err
		},
		change: func(c *Config) { c.Random = &chance{rng: rand.NewChaCha8([32]byte{1})} },
	})
	s.people()
	s.begin("first", s.looks["anna"], s.bert, scripts["first"][which])
	s.begin("second", s.bert, s.looks["dora"], scripts["second"][which])
	s.begin("shuffle", s.looks["anna"], s.looks["dora"], flips())
	s.beginRemote("remote", scripts["second"][which])
	s.listen()
	for _, name := range s.order {
		s.playOn(s.games[name])
	}
	return s
}

// flips turns pieces over.
func flips() (g twin.Game) {
	for n := range 8 {
		g.Seats[n%2] = append(g.Seats[n%2], twin.Turn{game.FlipAt(game.Pt(n%4, n/4))})
	}
	return g
}

// people come into the hall.
func (s *scene) people() {
	s.boss = s.admin()
	add := func(name string, c *client) *client {
		s.clock.step()
		s.looks[name] = c
		s.names = append(s.names, name)
		return c
	}
	add("nobody", s.client())
	for _, name := range []string{"anna", "dora", "eve", "judge"} {
		add(name, s.register(name))
	}
	s.clock.step()
	s.bert = s.register("bert")
	s.setRole(s.boss, s.looks["judge"], "arbiter")
	add("guest", s.guest())
	add("annabot", s.bot(s.looks["anna"], "annabot"))
	add("fay", s.register("fay"))
	add("admin", s.boss)
}

// begin begins a game between two people, with eve in the room.
func (s *scene) begin(name string, first, second *client, script twin.Game) {
	s.t.Helper()
	s.clock.step()
	spec := twinSpec
	if name == "shuffle" {
		spec = "darkchess"
	}
	g := &twinGame{seats: [2]*client{first, second}, turns: script.Seats}
	room := first.open(map[string]any{"game": spec, "lines": true, "clocks": []string{"600+1", "600+1"}})
	s.looks["eve"].order(room, "enter", nil)
	second.order(room, "enter", nil)
	for i, c := range g.seats {
		c.order(room, "sit", map[string]any{"place": i, "kind": "person"})
	}
	s.here(second, room)
	g.room, g.id = room, first.order(room, "start", nil).Room.Game.ID
	s.ready(name, g)
}

// ready waits until everybody was shown the board that a game begins from, and the one on
// turn was asked.
func (s *scene) ready(name string, g *twinGame) {
	s.t.Helper()
	s.games[name] = g
	s.order = append(s.order, name)
	s.begun(g.room)
	for _, to := range []game.Audience{game.ToFirst, game.ToSecond, game.Public} {
		for n := 0; ; n++ {
			x, err := s.bus.AskSync(s.t.Context(), g.id, to)
			if err == nil && slices.ContainsFunc(x.Lines, func(line []byte) bool { return strings.Contains(string(line), `"view"`) }) {
				break
			}
			if n == 3000 {
				s.t.Fatalf("%s is shown nothing: %v", to, err)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	// Its clock runs: what happens to the time from now on counts in both halls.
	s.tap(g.seats[game.First], "/api/v1/games/"+g.id+"/events", "").asked(0)
	s.noticed(g, game.First)
	if name != "remote" { // no person is there
		s.tap(g.seats[game.Second], "/api/v1/games/"+g.id+"/events", "").any()
		s.noticed(g, game.Second)
	}
}

// noticed waits until everybody is told that the person of a seat is there: who listens
// from then on begins at the same event in both halls.
func (s *scene) noticed(g *twinGame, seat game.Seat) {
	s.t.Helper()
	for n := 0; ; n++ {
		x, err := s.bus.AskSync(s.t.Context(), g.id, game.Public)
		if err == nil && slices.ContainsFunc(x.Lines, func(line []byte) bool {
			ev, err := journal.ParseEvent(line)
			return err == nil && ev.Presence != nil && ev.Presence.Seat == seat && !ev.Presence.Away
		}) {
			return
		}
		if n == 3000 {
			s.t.Fatalf("nobody is told that %s is there: %v", seat, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// listen lets everybody look on, once everything stands still.
func (s *scene) listen() {
	s.t.Helper()
	for _, name := range s.order {
		g := s.games[name]
		for _, who := range s.names {
			s.hear(who, name, "game", "/api/v1/games/"+g.id+"/events", "")
			s.hear(who, name, "game among several", "/api/v1/games/events?game="+g.id, "")
		}
		s.hear("nobody", name, "game as lines", "/api/v1/games/"+g.id+"/events", "application/x-ndjson")
		for _, who := range []string{"nobody", "guest", "anna", "judge"} {
			s.hear(who, name, "room", roomsPath+"/"+g.room+"/events", "")
		}
		for _, who := range []string{"guest", "anna", "judge"} {
			t := s.tapLive(s.looks[who], g.room)
			t.any()
			s.taps[who+" hears live of "+name] = t
		}
		for i, c := range g.seats {
			g.taps[i] = s.seatTap(name, c, g.id)
		}
		if slices.Contains(g.seats[:], s.bert) { // he stays in the room, as those do who are compared
			s.tap(s.bert, roomsPath+"/"+g.room+"/events", "").any()
		}
	}
	s.hear("nobody", "", "lobby", "/api/v1/lobby/events", "")
	// Whoever came has been noticed.
	for _, name := range s.order {
		for _, who := range []string{"anna", "bert"} {
			s.taps["nobody hears room of "+name].until(who, func(list []event) bool {
				last, person := latest(list).data, `"name":"`+who+`"`
				in := strings.Contains(last, person+`,"here"`) || strings.Contains(last, person+`,"since"`)
				return !in || strings.Contains(last, person+`,"here":true`)
			})
		}
	}
}

// seatTap is the stream of a seat: one that is compared, or bert's own.
func (s *scene) seatTap(name string, c *client, id string) *tap {
	if name == "remote" && c != s.bert {
		return nil // it answers over its websocket
	}
	for _, who := range s.names {
		if s.looks[who] == c {
			return s.taps[who+" hears game of "+name]
		}
	}
	if c != s.bert {
		return nil
	}
	t := s.tap(c, "/api/v1/games/"+id+"/events", "")
	t.any()
	return t
}

// hear opens a stream and waits until something has come.
func (s *scene) hear(who, name, what, path, accept string) {
	s.t.Helper()
	t := s.tap(s.looks[who], path, accept)
	t.any()
	s.taps[who+" hears "+what+" of "+name] = t
}

// playOn plays the turns of a game.
func (s *scene) playOn(g *twinGame) {
	s.t.Helper()
	for n := range len(g.turns[0]) + len(g.turns[1]) {
		seat := n % 2
		if g.taps[seat] == nil {
			continue // the engine at the other end plays by itself
		}
		for _, m := range g.turns[seat][n/2] {
			s.answer(g, seat, journal.FormatMove(m))
		}
	}
	for seat := range g.taps { // whoever is on turn now is asked, and all else was told before
		if g.taps[seat] != nil && (len(g.turns[0])+len(g.turns[1]))%2 == seat {
			g.taps[seat].asked(g.prompt[seat])
		}
	}
}

func (s *scene) answer(g *twinGame, seat int, step string) {
	s.t.Helper()
	g.prompt[seat] = g.taps[seat].asked(g.prompt[seat]).Prompt
	g.seats[seat].do("POST", "/api/v1/games/"+g.id+"/moves", map[string]any{"prompt": g.prompt[seat], "steps": []string{step}}).want(204)
}

// gather waits until all streams have shown what there is, and keeps it.
func (s *scene) gather() {
	s.t.Helper()
	for _, name := range s.order {
		g := s.games[name]
		for _, who := range append(slices.Clone(s.names), "nobody") {
			to := game.Public
			for i, c := range g.seats {
				if c == s.looks[who] {
					to = game.Audience(i)
				}
			}
			for _, what := range []string{"game", "game among several", "live"} {
				if t := s.taps[who+" hears "+what+" of "+name]; t != nil {
					t.caught(g.id, to)
				}
			}
		}
		s.taps["nobody hears game as lines of "+name].caught(g.id, game.Public)
		for _, who := range s.names {
			if t := s.taps[who+" hears room of "+name]; t != nil {
				t.settled(s.looks[who], g.room)
			}
		}
	}
	for key, t := range s.taps {
		s.told[key] = plainOf(fmt.Sprintf("%v\n%s", t.head, t.text()))
	}
}

var (
	requestOf = regexp.MustCompile(`urn:kibitz:request:[0-9a-f]{16}|X-Request-Id:\[[0-9a-f]{16}\]| Date:\[[^\]]*\]`)
	// Which of one's own games the head of a page leads to depends on how soon each was known
	// to be on turn.
	ownGameOf    = regexp.MustCompile(`<a class="own-game" .*`)
	commitmentOf = regexp.MustCompile(`"commitment":"[^"]*"`)
	valueOf      = regexp.MustCompile(`(?m)^([^#\s]+(?:\{[^}]*\})?) \S+$`)
)

// plainOf leaves out what differs from one request to the next: its number and the time
// of day; and the commitment to a shuffle, which is there to differ.
func plainOf(text string) string {
	return commitmentOf.ReplaceAllString(ownGameOf.ReplaceAllString(requestOf.ReplaceAllString(text, "#"), "#"), `"commitment":"#"`)
}

// compare holds all that was told in the two halls to be the same.
func compare(t *testing.T, a, b *scene) {
	t.Helper()
	if len(a.told) != len(b.told) || len(a.told) < 200 {
		t.Errorf("%d and %d things were told", len(a.told), len(b.told))
	}
	bad := 0
	for key, x := range a.told {
		if y := b.told[key]; x != y {
			if bad++; bad < 10 {
				t.Errorf("%s can tell the halls apart:\n%s", key, twin.Difference(x, y))
			}
		}
	}
	if bad >= 10 {
		t.Errorf("%d places in all", bad)
	}
}

// Two halls in which what is hidden differs are the same, to the last byte, on every
// route and every stream, for all who may not know; when the games are over they differ.
func TestTwinHalls(t *testing.T) {
	scripts := map[string][2]twin.Game{"first": twinScripts(t, game.First), "second": twinScripts(t, game.Second)}
	var list [2]*scene
	for i := range list {
		s := newScene(t, i, scripts)
		s.probe()
		s.gather()
		s.sweep()
		s.told["fay's engine"] = s.frame.settled(t)
		list[i] = s
	}
	if n := len(list[0].told["fay's engine"]); n < 5000 {
		t.Errorf("the remote engine was sent %d bytes only", n)
	}
	compare(t, list[0], list[1])
	for i, s := range list {
		s.hidden(scripts, i)
	}
}

// probe sends what will be refused: the answers tell nothing.
func (s *scene) probe() {
	s.t.Helper()
	for _, name := range s.order {
		g := s.games[name]
		for _, who := range s.names {
			for i, body := range []any{
				map[string]any{"prompt": 1, "steps": []string{"p0,0"}},
				map[string]any{"prompt": 999, "steps": []string{"p0,0"}},
				map[string]any{"prompt": 1, "steps": []string{"nonsense"}},
			} {
				a := s.looks[who].do("POST", "/api/v1/games/"+g.id+"/moves", body)
				if a.status < 400 {
					s.t.Errorf("%s: %v is taken", who, body)
				}
				s.told[fmt.Sprintf("%s is refused %d in %s", who, i, name)] = plainOf(fmt.Sprint(a.status, a.head, a.body))
			}
			a := s.looks[who].do("POST", "/api/v1/games/"+g.id+"/acts", map[string]any{"act": "hint", "id": "hint" + who})
			if a.status < 400 {
				s.t.Errorf("%s is given a hint against a person", who)
			}
			s.told[fmt.Sprintf("%s asks for a hint in %s", who, name)] = plainOf(fmt.Sprint(a.status, a.head, a.body))
		}
	}
}

// hidden looks for what is hidden in what was told and in the log, and then ends the
// games and finds it in the records.
func (s *scene) hidden(scripts map[string][2]twin.Game, which int) {
	t := s.t
	t.Helper()
	s.mu.Lock()
	seeds := slices.Clone(s.seeds)
	s.mu.Unlock()
	if len(seeds) != len(s.order) {
		t.Errorf("%d seeds of %d games", len(seeds), len(s.order))
	}
	log := s.log.String()
	for _, seed := range seeds {
		raw, _ := json.Marshal(seed)
		for _, form := range []string{hex.EncodeToString(seed), strings.Trim(string(raw), `"`), strings.Trim(string(raw), `"=`)} {
			if strings.Contains(log, form) {
				t.Error("the seed of a game is in the log")
			}
			for key, text := range s.told {
				if strings.Contains(text, form) {
					t.Errorf("the seed of a game is told: %s", key)
				}
			}
		}
	}
	if strings.Contains(log, `"p`) && regexp.MustCompile(`\bp\d,\d`).MatchString(log) {
		t.Errorf("a decision is in the log: %s", regexp.MustCompile(`.*\bp\d,\d.*`).FindString(log))
	}
	for name, seat := range map[string]int{"first": 1, "second": 0} {
		g := s.games[name]
		s.bert.resign(g.id)
		record := ""
		for n := 0; record == ""; n++ {
			if a := s.looks["nobody"].do("GET", "/api/v1/games/"+g.id+"/record", nil); a.status == 200 {
				record = a.body
			} else if n == 3000 {
				t.Fatalf("the game is not over: %s", a.body)
			} else {
				time.Sleep(10 * time.Millisecond)
			}
		}
		for _, turn := range scripts[name][which].Seats[seat] {
			m := turn[len(turn)-1]
			text := fmt.Sprintf(`"m":"%c%d"`, 'a'+m.To.X, 5-m.To.Y)
			if m.Op == game.Place && !strings.Contains(record, text) {
				t.Errorf("the record of %s does not show %s", name, text)
			}
		}
		s.told["record of "+name] = record
	}
}
