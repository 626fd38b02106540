package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"kibitz/catalog"
	"kibitz/games"
	"kibitz/rules"
)

type gamesCmd struct {
	JSON bool `name:"json" help:"One JSON object for each game, a line each."`
}

// Help returns the example that --help shows.
func (gamesCmd) Help() string { return "Example: kibitz games --json" }

type gameJSON struct {
	ID        string       `json:"id"`
	Title     string       `json:"title"`
	Spec      string       `json:"spec"`
	Options   []optionJSON `json:"options"`
	Protocols []string     `json:"protocols"`
	Bot       bool         `json:"bot"`
	Reasons   []string     `json:"reasons"`
}

type optionJSON struct {
	Key     string   `json:"key"`
	Default string   `json:"default"`
	Values  []string `json:"values,omitempty"`
	Range   string   `json:"range,omitempty"`
	Doc     string   `json:"doc"`
}

// Run lists the games.
func (c gamesCmd) Run(a *app) error {
	for i, g := range games.All() {
		j, err := describeGame(g)
		if err != nil {
			return err
		}
		if c.JSON {
			b, err := json.Marshal(j)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stdout, "%s\n", b)
			continue
		}
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		printGame(a, j)
	}
	return nil
}

func describeGame(g rules.Game) (gameJSON, error) {
	r, err := games.Open(g.ID)
	if err != nil {
		return gameJSON{}, err
	}
	j := gameJSON{
		ID: g.ID, Title: g.Title, Spec: string(r.Spec()), Options: []optionJSON{}, Protocols: []string{},
		Reasons: []string{}, Bot: true,
	}
	for _, o := range g.Options {
		oj := optionJSON{Key: o.Key, Default: o.Default, Values: o.Values, Doc: o.Doc}
		if len(o.Values) == 0 {
			oj.Range = strconv.Itoa(o.Min) + "-" + strconv.Itoa(o.Max)
		}
		j.Options = append(j.Options, oj)
	}
	for _, p := range catalog.ProtocolsOf(g.ID) {
		j.Protocols = append(j.Protocols, p.ID)
	}
	for _, code := range r.Doc().Reasons {
		j.Reasons = append(j.Reasons, code.Word)
	}
	return j, nil
}

func printGame(a *app, j gameJSON) {
	fmt.Fprintf(a.stdout, "%s - %s\n", j.ID, j.Title)
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "  default\t%s\n", j.Spec)
	if len(j.Protocols) > 0 {
		fmt.Fprintf(w, "  protocols\t%s\n", strings.Join(j.Protocols, " "))
	}
	fmt.Fprintf(w, "  built in\tlevels 1-9\n")
	for _, o := range j.Options {
		values := strings.Join(o.Values, "|")
		if values == "" {
			values = o.Range
		}
		fmt.Fprintf(w, "  %s=%s\t%s (default %s)\n", o.Key, values, o.Doc, o.Default)
	}
	fmt.Fprintf(w, "  ends by\t%s\n", strings.Join(j.Reasons, " "))
	w.Flush()
}
