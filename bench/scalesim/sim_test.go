package main

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// round are costs by which outcomes can be told by hand.
func round() *Costs {
	return &Costs{
		WorkerMove: 10 * time.Millisecond, HallMove: 4 * time.Millisecond, View: time.Millisecond, BusIn: 2 * time.Millisecond, BusOut: time.Millisecond,
		Game: 5 * time.Millisecond, Store: 20 * time.Millisecond, Read: time.Millisecond, Arrive: 2 * time.Millisecond, Idle: 100 * time.Microsecond,
		HallGame: time.Millisecond, WorkerGame: 2 * time.Millisecond,
		HallBytes: 1000, ShownBytes: 100, SpectatorBytes: 10, SocketBytes: 1, WorkerBytes: 500, PlayedBytes: 50, EventBytes: 7, MoveBytes: 3, StoredPostgres: 11,
	}
}

func apart() Plan {
	return Plan{
		Games: 20, Spectators: 100, Every: time.Second, Decisions: 50, Halls: 2, Workers: 2, Buses: 1, Databases: 1, Processors: 2, Near: true,
		Warm: 10 * time.Second, Length: 210 * time.Second, Seed: 7,
	}
}

func near(got, want, part float64) bool { return math.Abs(got-want) <= part*want }

// With little to do, every machine is as busy as the sum of what it does, whatever the
// order.
func TestShares(t *testing.T) {
	p := apart()
	o, err := simulate(round(), &p)
	if err != nil {
		t.Fatal(err)
	}
	// 10 games at each hall and worker, 5 spectators each; a game ends every 50 s.
	ends := 10.0 / 50
	for what, x := range map[string][2]float64{
		"worker": {o.Worker, (10*0.010 + 10*0.002) / 2},
		"hall":   {o.Hall, (10*0.004 + 50*0.001 + 50*0.0001 + 20*0.001/2 + ends*(0.005+5*0.002)) / 2},
		"bus":    {o.Bus, (20*0.002 + 20*0.001) / 2},
		"base":   {o.Database, 2 * ends * 0.020 / 2},
		"events": {o.Sent, 100},
	} {
		if !near(x[0], x[1], 0.1) {
			t.Errorf("%s: %v, want about %v", what, x[0], x[1])
		}
	}
	if o.HallBytes != 1000+10*100+50*10 || o.SocketBytes != 50 || o.HallNet != 50*7+10*3 || o.BusNet != (20+20)*3 || o.Listened != 10 || o.Stored != 20*86400/50*11 {
		t.Errorf("%+v", o)
	}
	// worker, bus, hall, and on average the third of five spectators at two processors
	if o.P50 < 10*time.Millisecond || o.P50 > 25*time.Millisecond || o.P99 < o.P50 || o.Most < o.P99 {
		t.Errorf("delays %s, %s, %s", o.P50, o.P99, o.Most)
	}
}

// What is changed of a plan has the effect that it must have.
func TestPlans(t *testing.T) {
	run := func(f func(*Plan)) *Outcome {
		t.Helper()
		p := apart()
		f(&p)
		o, err := simulate(round(), &p)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	as := run(func(*Plan) {})
	if again := run(func(*Plan) {}); !reflect.DeepEqual(as, again) {
		t.Error("the same seed has two outcomes")
	}
	if other := run(func(p *Plan) { p.Seed = 8 }); reflect.DeepEqual(as, other) {
		t.Error("another seed has the same outcome")
	}
	if o := run(func(p *Plan) { p.Near = false }); o.Listened != 20 || o.Hall <= as.Hall || o.Bus <= as.Bus {
		t.Errorf("spectators anywhere: %+v", o)
	}
	if o := run(func(p *Plan) { p.Together = true }); o.P99 < 2*as.P99 || !near(o.Hall, as.Hall, 0.1) {
		t.Errorf("all together: p99 %s after %s, hall %v after %v", o.P99, as.P99, o.Hall, as.Hall)
	}
	if o := run(func(p *Plan) { p.Spectators = 8000 }); o.overloaded() != "halls" || o.P99 < time.Second {
		t.Errorf("8,000 spectators: %q, %s", o.overloaded(), o.P99)
	}
	if o := run(func(p *Plan) { p.Games, p.Workers = 400, 1 }); o.overloaded() == "" {
		t.Error("400 games with one worker overload nothing")
	}
	one := run(func(p *Plan) { p.Halls = 0 })
	sum := (20*0.010 + 20*0.002 + 20*0.004 + 100*0.002 + 100*0.0001 + 20*0.001 + 0.4*(0.005+0.020+5*0.002)) / 2
	if !near(one.Hall, sum, 0.1) || one.Worker != one.Hall {
		t.Errorf("on one machine %v, want about %v", one.Hall, sum)
	}
}

func TestPlanRefused(t *testing.T) {
	for _, f := range []func(*Plan){
		func(p *Plan) { p.Games = 0 },
		func(p *Plan) { p.Every = 0 },
		func(p *Plan) { p.Workers = 0 },
		func(p *Plan) { p.Length = p.Warm },
		func(p *Plan) { p.Warm = -1 },
	} {
		p := apart()
		f(&p)
		if _, err := simulate(round(), &p); err == nil {
			t.Errorf("%+v is simulated", p)
		}
	}
}

// Tasks are taken in order by whichever processor is free first, and what comes before
// the count begins keeps processors busy all the same.
func TestPool(t *testing.T) {
	p := newPool("p", 2, 10)
	for i, c := range []struct{ at, cost, done time.Duration }{
		{0, 20, 20}, {10, 10, 20}, {12, 4, 24}, {13, 6, 26}, {40, 5, 45},
	} {
		if got := p.do(c.at, c.cost); got != c.done {
			t.Errorf("task %d is done at %d, want %d", i, got, c.done)
		}
	}
	if p.busy != 25 || p.most != 8 {
		t.Errorf("busy for %d, waited %d", p.busy, p.most)
	}
	if s := p.share(60); s != 0.25 {
		t.Errorf("busy %v of the time", s)
	}
}

// The model tells the measured run: processors and memory, and delays within what a
// machine with other work adds to them.
func TestMeasured(t *testing.T) {
	p, m := measured()
	o, err := simulate(measuredCosts(), p)
	if err != nil {
		t.Fatal(err)
	}
	if !near(o.Hall, m.Hall, 0.15) || !near(o.Sent, m.Sent, 0.01) || !near(float64(o.HallBytes), float64(m.HallBytes), 0.25) {
		t.Errorf("predicted %+v\nmeasured %+v", o, m)
	}
	for _, x := range [][2]time.Duration{{o.P50, m.P50}, {o.P99, m.P99}} {
		if x[0] > x[1] || x[0] < x[1]/4 {
			t.Errorf("a delay of %s is predicted, %s was measured", x[0], x[1])
		}
	}
}

// docs/measured/scale.md has the tables of this program. KIBITZ_SCALE=1 writes them into it; the
// large case, which takes a while, is compared only then and without -short.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates a million spectators")
	}
	const begin, end = "<!-- made by make scale -->\n", "<!-- end -->"
	name := filepath.Join("..", "..", "docs", "measured", "scale.md")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(data), begin)
	old, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("docs/measured/scale.md has no place for the tables: %q to %q", begin, end)
	}
	var out strings.Builder
	if err := tables(&out, largeLength); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("KIBITZ_SCALE") != "" {
		if err := os.WriteFile(name, []byte(head+begin+out.String()+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != out.String() {
		t.Errorf("docs/measured/scale.md has other tables than the simulation; write them with make scale:\n%s", out.String())
	}
}

func BenchmarkMillion(b *testing.B) {
	for b.Loop() {
		if err := manyMachines(io.Discard, 3*time.Second); err != nil {
			b.Fatal(err)
		}
	}
}
