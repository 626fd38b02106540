package main

import (
	"errors"
	"fmt"
	"os/user"
	"strings"

	"kibitz/internal/plain"
	"kibitz/run/orders"
)

type controlCmd struct {
	Dir   string   `arg:"" name:"dir" help:"Folder of a run that goes on."`
	Order []string `arg:"" optional:"" name:"order" help:"What to do; status if nothing is said."`
	By    string   `help:"Who says so, for verdicts; the user's name unless said." placeholder:"NAME"`
	JSON  bool     `name:"json" help:"Print the answer as one JSON object."`
}

// Help returns the example that --help shows.
func (controlCmd) Help() string {
	var b strings.Builder
	b.WriteString("Example: kibitz control kibitz-20260101-120000 concurrency 4\n\nOrders:\n")
	for _, o := range orders.All() {
		fmt.Fprintf(&b, "  %s\n", strings.TrimSpace(o.Do+" "+o.Args)+": "+o.What)
	}
	return b.String()
}

// Run gives an order to a run that goes on.
func (c controlCmd) Run(a *app) error {
	o := orders.Request{Do: "status", By: c.By}
	if len(c.Order) > 0 {
		o.Do, o.Args = c.Order[0], c.Order[1:]
	}
	if o.By == "" {
		if u, err := user.Current(); err == nil {
			o.By = u.Username
		}
	}
	got, err := orders.Ask(c.Dir, o)
	switch {
	case err != nil:
		return err
	case c.JSON:
		if err := plain.JSONLine(a.stdout, got); err != nil {
			return err
		}
		return orderError(&got)
	case got.Error != "":
		return orderError(&got)
	case got.Status != nil:
		got.Status.Print(a.stdout)
		return nil
	}
	fmt.Fprintln(a.stdout, got.Said)
	return nil
}

// orderError is the error of an order that was refused: its words, or its time.
func orderError(g *orders.Answer) error {
	switch {
	case g.Usage:
		return errors.New(g.Error)
	case g.Error != "":
		return badVerdict("%s", g.Error)
	}
	return nil
}
