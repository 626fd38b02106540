package play

import (
	"slices"
	"strings"
	"testing"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/bus/bustest"
	"kibitz/hall/store"
)

// One name is the program that most workers have; what is missing is said in words.
func TestOffers(t *testing.T) {
	list := Offers{bustest.Having("w1", "edax=aa", "logi=cc"), bustest.Having("w2", "Edax=bb"), bustest.Having("w3", "edax=bb", "saio!=dd")}
	for _, c := range []struct{ name, hash, pick, lack string }{
		{"edax", "", "bb", ""},
		{"edax", "aa", "bb", ""},
		{"edax", "ee", "bb", "waiting: no worker offers edax with hash ee (worker w1 has another program of that name, with hash aa; worker w2 has another program of that name, with hash bb; worker w3 has another program of that name, with hash bb)"},
		{"logi", "", "cc", ""},
		{"saio", "", "", "waiting: no worker offers saio (worker w3 stopped it: its program has changed)"},
		{"none", "", "", "waiting: no worker offers none"},
	} {
		if pick := list.Pick(c.name, "othello"); pick != c.pick {
			t.Errorf("%s: the hall picks %q", c.name, pick)
		}
		if lack := list.Lack(c.name, c.hash, "othello").Text; lack != c.lack {
			t.Errorf("%s %s: %q", c.name, c.hash, lack)
		}
	}
	if list.Pick("edax", "gomoku") != "" {
		t.Error("an engine is picked for a game that it does not play")
	}
	if others := list.Others("edax", "bb", "othello"); len(others) != 1 || others[0].Text != "worker w1 has another program named edax, with hash aa, and is not handed its games" {
		t.Errorf("others %+v", others)
	}
}

// The engines of a game must be on one worker. What is on none is said by Lack alone.
func TestOffersApart(t *testing.T) {
	const apart = "waiting: no worker offers both crash (worker w2) and good (worker w1), and a game is played by one worker: " +
		"offer both on one; in a room the engine's author can join with it instead (kibitz join)"
	for _, c := range []struct {
		list  Offers
		hash  string
		apart string
	}{
		{Offers{bustest.Having("w1", "good=aa"), bustest.Having("w2", "crash=bb")}, "", apart},
		{Offers{bustest.Having("w1", "good=aa"), bustest.Having("w2", "good=cc", "crash=bb")}, "", ""},
		{Offers{bustest.Having("w1", "good=aa"), bustest.Having("w2", "good=cc", "crash=bb")}, "aa", apart},
		{Offers{bustest.Having("w1", "good=aa"), bustest.Having("w2", "good!=aa", "crash=bb")}, "aa", apart},
		{Offers{bustest.Having("w1", "good=aa")}, "", ""},
		{nil, "", ""},
	} {
		for _, why := range []game.Why{
			c.list.Apart(Program{"good", c.hash}, Program{"crash", ""}, "othello"),
			c.list.Apart(Program{"crash", ""}, Program{"good", c.hash}, "othello"),
		} {
			if why.Text != c.apart || why.Text != "" && (why.Code != bus.WhyApart || why.Name != "crash – good") {
				t.Errorf("%+v, hash %q: %+v", c.list, c.hash, why)
			}
		}
	}
}

// A game of two engines waits while no worker has both, and says so; it goes to the first
// that does, by the programs which that one has.
func TestGameWaitsForOneWorker(t *testing.T) {
	x := newPlaysTest(t)
	x.w.workers = []bus.Worker{bustest.Having("w1", "good=aa"), bustest.Having("w2", "good=aa"), bustest.Having("w3", "crash=bb")}
	x.add("g", func(g *store.Game, p *bus.Play) {
		for i, name := range []string{"good", "crash"} {
			g.Seats[i] = store.Seat{Name: name, Engine: name}
			p.Seats[i] = bus.Seat{Kind: bus.EngineSeat, Name: name, Engine: name}
		}
	})
	s := NewReaper(x.p)
	x.p.Publish(t.Context(), "g")
	x.sweep(s)
	if why := x.p.WaitsFor("g"); len(x.w.jobs) != 0 || why.Code != bus.WhyApart || why.Name != "crash – good" {
		t.Fatalf("jobs %+v, waits %+v", x.w.jobs, why)
	}
	x.w.workers = append(x.w.workers, bustest.Having("w4", "good=cc", "crash=bb"))
	x.sweep(s)
	n := len(x.w.jobs)
	if n == 0 || !slices.Contains(x.w.jobs[n-1].Needs, "bb") || !slices.Contains(x.w.jobs[n-1].Needs, "cc") || x.p.Waits("g") != "" {
		t.Fatalf("jobs %+v, waits %q", x.w.jobs, x.p.Waits("g"))
	}
	x.w.workers = x.w.workers[:3]
	x.sweep(s)
	if why := x.p.WaitsFor("g"); why.Code != bus.WhyApart {
		t.Errorf("waits %+v", why)
	}
}

// A game of an engine that no worker offers waits, and says so; when one does it is handed
// to the workers that have this program, and to no others. If all of them go, another
// program may take its place.
func TestGameWaitsForItsEngine(t *testing.T) {
	x := newPlaysTest(t)
	x.add("g", func(g *store.Game, p *bus.Play) {
		g.Seats[1] = store.Seat{Name: "edax", Engine: "edax"}
		p.Seats[1] = bus.Seat{Kind: bus.EngineSeat, Name: "edax", Engine: "edax"}
	})
	s := NewReaper(x.p)
	x.p.Publish(t.Context(), "g")
	if len(x.w.jobs) != 0 || x.p.Waits("g") != "waiting: no worker offers edax" {
		t.Fatalf("jobs %+v, waits %q", x.w.jobs, x.p.Waits("g"))
	}
	if soon := x.sweep(s); !soon || len(x.w.jobs) != 0 {
		t.Errorf("soon %v, jobs %+v", soon, x.w.jobs)
	}
	x.w.workers = []bus.Worker{bustest.Having("w1", "edax=aa"), bustest.Having("w2", "edax=bb"), bustest.Having("w3", "edax=bb")}
	x.sweep(s)
	if n := len(x.w.jobs); n == 0 || !slices.Contains(x.w.jobs[n-1].Needs, "bb") || x.p.Waits("g") != "" {
		t.Fatalf("jobs %+v, waits %q", x.w.jobs, x.p.Waits("g"))
	}
	x.w.workers = x.w.workers[:1]
	x.sweep(s)
	if n := len(x.w.jobs); !slices.Contains(x.w.jobs[n-1].Needs, "aa") || slices.Contains(x.w.jobs[n-1].Needs, "bb") || x.w.jobs[n-1].Try == 0 {
		t.Fatalf("jobs %+v", x.w.jobs)
	}
	play := x.begin("g")
	if play.Seats[1].Hash != "aa" {
		t.Errorf("%+v", play.Seats)
	}
	r := bustest.Win("g", 1)
	r.Hashes[1] = "bb"
	x.result(r)
	if list := x.refusals(); x.game("g").State == store.Over || len(list) != 1 || !strings.Contains(list[0].Detail, `the second seat was played by a program with the hash "bb" instead of "aa"`) {
		t.Errorf("a game of another program counts: %+v", list)
	}
	x.begin("g")
	r = bustest.Win("g", 2)
	r.Hashes[1], r.Host = "aa", "host one"
	x.result(r)
	g := x.game("g")
	if w, err := WorkOf(&g); err != nil || g.State != store.Over || w.Host != "host one" || w.Hashes[1] != "aa" || w.Hashes[0] != "" {
		t.Errorf("%s, %+v, %v", g.State, w, err)
	}
}

// What workers announce is offered; what an administrator has entered stays as it is.
func TestAnnouncedEngines(t *testing.T) {
	x := newPlaysTest(t)
	x.update(func(tx store.Tx) error {
		return tx.SetEngine(&store.Engine{Name: "Edax", Hash: "aa", Games: []string{"othello"}, Added: x.now})
	})
	s := NewReaper(x.p)
	for _, workers := range [][]bus.Worker{{bustest.Having("w0")}, nil} {
		x.w.workers = workers
		if soon, err := s.Sweep(t.Context()); err != nil || soon != (workers == nil) {
			t.Errorf("%d workers: swept again soon: %v, %v", len(workers), soon, err)
		}
	}
	x.w.workers = []bus.Worker{bustest.Having("w1", "edax=bb", "logi=cc", "bad name=dd")}
	for range 2 {
		x.sweep(s)
	}
	var list []store.Engine
	if err := x.store.View(t.Context(), func(tx store.Tx) (err error) { list, err = tx.Engines(); return err }); err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Name != "Edax" || list[0].Enabled || list[0].Hash != "aa" || list[1].Name != "logi" || !list[1].Enabled || list[1].Hash != "" || !slices.Equal(list[1].Games, []string{"othello"}) {
		t.Errorf("engines %+v", list)
	}
}
