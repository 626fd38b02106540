package catalog

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"kibitz/rules"
)

// Listing is a game as lists of games show it.
type Listing struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Spec      string   `json:"spec"`
	Options   []Option `json:"options"`
	Protocols []string `json:"protocols"`
	Bot       bool     `json:"bot"`
	Reasons   []string `json:"reasons"`
}

// Option is an option of a game: one of Values, or a number of Range.
type Option struct {
	Key     string   `json:"key"`
	Default string   `json:"default"`
	Values  []string `json:"values,omitempty"`
	Range   string   `json:"range,omitempty"`
	Doc     string   `json:"doc"`
}

// Listing is the game as lists of games show it.
func (g *Game) Listing() (Listing, error) {
	id := g.Rules.ID
	r, err := rules.Open([]rules.Game{g.Rules}, id)
	if err != nil {
		return Listing{}, err
	}
	j := Listing{
		ID: id, Title: g.Rules.Title, Spec: string(r.Spec()), Options: []Option{}, Protocols: []string{},
		Reasons: []string{}, Bot: true,
	}
	for _, o := range g.Rules.Options {
		oj := Option{Key: o.Key, Default: o.Default, Values: o.Values, Doc: o.Doc}
		if len(o.Values) == 0 {
			oj.Range = strconv.Itoa(o.Min) + "-" + strconv.Itoa(o.Max)
		}
		j.Options = append(j.Options, oj)
	}
	for _, p := range ProtocolsOf(id) {
		j.Protocols = append(j.Protocols, p.ID)
	}
	for _, code := range r.Doc().Reasons {
		j.Reasons = append(j.Reasons, code.Word)
	}
	return j, nil
}

// Print writes it for people.
func (j *Listing) Print(out io.Writer) error {
	fmt.Fprintf(out, "%s - %s\n", j.ID, j.Title)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "  default\t%s\n", j.Spec)
	if len(j.Protocols) > 0 {
		fmt.Fprintf(w, "  protocols\t%s\n", strings.Join(j.Protocols, " "))
	}
	fmt.Fprintf(w, "  built in\tlevels 1-9\n")
	for _, o := range j.Options {
		values := cmp.Or(strings.Join(o.Values, "|"), o.Range)
		fmt.Fprintf(w, "  %s=%s\t%s (default %s)\n", o.Key, values, o.Doc, o.Default)
	}
	fmt.Fprintf(w, "  ends by\t%s\n", strings.Join(j.Reasons, " "))
	return w.Flush()
}
