// Command scalesim checks the capacity model of docs/measured/scale.md: it lets halls, workers,
// NATS servers and a database serve games and spectators in simulated time, with the
// costs that were measured, and prints the tables of that page. The same seed gives the
// same tables.
package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

func main() {
	if err := tables(os.Stdout, largeLength); err != nil {
		fmt.Fprintln(os.Stderr, "scalesim:", err)
		os.Exit(1)
	}
}

// largeLength is how long the large case is simulated.
const largeLength = 5 * time.Second

// tables writes all tables; each plan of the large case lasts so long.
func tables(w io.Writer, length time.Duration) error {
	for _, t := range []func(io.Writer, time.Duration) error{compared, oneMachine, manyMachines} {
		if err := t(w, length); err != nil {
			return err
		}
	}
	return nil
}

// compared sets the measured run beside what the model says of it.
func compared(w io.Writer, _ time.Duration) error {
	p, m := measured()
	o, err := simulate(measuredCosts(), p)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "### The measured run\n\n%d games, a decision every %s, %d spectators, hall, worker and load program on %d "+
		"processors:\n\n", p.Games, p.Every, p.Spectators, p.Processors)
	fmt.Fprintf(w, "| | predicted | measured |\n|---|---|---|\n")
	row := func(what, a, b string) { fmt.Fprintf(w, "| %s | %s | %s |\n", what, a, b) }
	row("processors busy", percent(o.Hall), percent(m.Hall))
	row("events to spectators in a second", fmt.Sprintf("%.0f", o.Sent), fmt.Sprintf("%.0f", m.Sent))
	row("delay, p50", millis(o.P50), millis(m.P50))
	row("delay, p99", millis(o.P99), millis(m.P99))
	row("delay, most", millis(o.Most), millis(m.Most))
	row("memory of the hall", bytes(o.HallBytes), bytes(m.HallBytes))
	fmt.Fprintln(w)
	return nil
}

// oneMachine shows what one machine of two processors holds, with spectators elsewhere.
func oneMachine(w io.Writer, _ time.Duration) error {
	c := *measuredCosts()
	c.Read = 0
	fmt.Fprintf(w, "### One machine\n\nTwo processors, a decision a second and game, spectators elsewhere, engines that take no processor "+
		"time:\n\n")
	fmt.Fprintf(w, "| games | spectators | processors busy | delay p50 | p99 | memory of the hall | network "+
		"|\n|---|---|---|---|---|---|---|\n")
	for _, x := range []struct{ games, spectators int }{
		{200, 10_000},
		{200, 20_000},
		{200, 40_000},
		{200, 60_000},
		{200, 80_000},
		{200, 100_000},
		{1000, 10_000},
		{1000, 0},
		{2000, 0},
		{3000, 0},
	} {
		p := &Plan{
			Games: x.games, Spectators: x.spectators, Every: time.Second, Decisions: 100, Processors: 2, Warm: 10 * time.Second,
			Length: 40 * time.Second, Seed: 2,
		}
		o, err := simulate(&c, p)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %d | %d | %s | %s | %s | %s | %s/s |\n", x.games, x.spectators, percent(o.Hall), late(o, o.P50), late(o, o.P99),
			bytes(o.HallBytes), bytes(o.HallNet))
	}
	fmt.Fprintln(w)
	return nil
}

// scenario is one way to build the large case.
type scenario struct {
	what string
	plan Plan
}

func scenarios() []scenario {
	base := Plan{
		Games: 10_000, Spectators: 1_000_000, Every: time.Second, Decisions: 100, Workers: 4, Buses: 3, Databases: 1, Processors: 4,
		Warm: 2 * time.Second, Seed: 3,
	}
	with := func(f func(*Plan)) Plan {
		p := base
		f(&p)
		return p
	}
	return []scenario{
		{"10 halls, spectators anywhere", with(func(p *Plan) { p.Halls = 10 })},
		{"10 halls, by game", with(func(p *Plan) { p.Halls, p.Near = 10, true })},
		{"20 halls, spectators anywhere", with(func(p *Plan) { p.Halls = 20 })},
		{"20 halls, spectators anywhere, 12 NATS servers", with(func(p *Plan) { p.Halls, p.Buses = 20, 12 })},
		{"20 halls, by game", with(func(p *Plan) { p.Halls, p.Near = 20, true })},
		{"20 halls, by game, 1 NATS server", with(func(p *Plan) { p.Halls, p.Near, p.Buses = 20, true, 1 })},
		{"20 halls, by game, 1 worker", with(func(p *Plan) { p.Halls, p.Near, p.Workers = 20, true, 1 })},
		{"20 halls, by game, all move together", with(func(p *Plan) { p.Halls, p.Near, p.Together = 20, true, true })},
	}
}

// manyMachines shows 10,000 games and a million spectators.
func manyMachines(w io.Writer, length time.Duration) error {
	fmt.Fprintf(w, "### 10,000 games and a million spectators\n\nMachines of four processors; 4 workers, 3 NATS servers and one PostgreSQL "+
		"unless something else is said; shares are of the busiest machine of a kind:\n\n")
	fmt.Fprintf(w, "| | halls | workers | NATS | PostgreSQL | delay p50 | p99 | memory of a hall | network of a hall | games that a hall "+
		"listens to | breaks |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, s := range scenarios() {
		s.plan.Length = length
		o, err := simulate(measuredCosts(), &s.plan)
		if err != nil {
			return err
		}
		broken := cmp.Or(o.overloaded(), "nothing")
		cells := []string{
			s.what, percent(o.Hall), percent(o.Worker), percent(o.Bus), percent(o.Database), late(o, o.P50), late(o, o.P99),
			bytes(o.HallBytes + o.SocketBytes), bytes(o.HallNet) + "/s", fmt.Sprint(o.Listened), broken,
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
	o, err := simulate(measuredCosts(), &Plan{
		Games: 10_000, Every: time.Second, Decisions: 100, Processors: 64, Warm: time.Second,
		Length: 2 * time.Second,
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nA day of it adds %s to PostgreSQL.\n", bytes(o.Stored))
	return nil
}

func percent(x float64) string { return fmt.Sprintf("%.0f%%", x*100) }

func millis(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

// late is a delay, unless it grows for ever.
func late(o *Outcome, d time.Duration) string {
	if o.overloaded() != "" {
		return "grows"
	}
	return millis(d)
}
