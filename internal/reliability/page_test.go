package reliability

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Result is a case with a row for each protocol in which it was played.
type Result struct {
	Case
	Doc  string // what the mode does
	Rows []Row
}

// intro begins the page.
const intro = `# Reliability

What the referee makes of engines that fail. Every fault of ` + "`internal/faultengine`" + ` is played in every protocol: a real process behind the host of its protocol, under the referee, against an honest player. The page is written by the test of ` + "`internal/reliability`" + ` from those games, and the same test fails when a verdict, a text or anything left behind changes. ` + "`make reliability`" + ` writes it anew; ` + "`make reliability-full`" + ` plays the same faults at full size: 2 GiB of memory, 200 children, lines of 1 GB.

The faulty engine has the first seat and fails at its second move unless the fault says otherwise. Every verdict but *fine* loses the game for it, and the test holds that the honest player has won. *Fine* is a game that ended by its own rules: the fault is none of the referee's business, or has cost the engine nothing.

After each game the test looks for what was left: processes that run the engine's program, whatever their name, session or environment; files outside the engine's own folder that are new, changed or gone; and after all games descriptors and dead children of the referee's process, and its temporary folder.

`

// Page writes the page for results in the protocols, each with the game it plays.
func Page(results []Result, protocols, games []string) string {
	var b strings.Builder
	b.WriteString(intro)
	rows := 0
	for _, r := range results {
		rows += len(r.Rows)
	}
	fmt.Fprintf(&b, "%d faults, %d games.\n\n## Verdicts\n\n| fault | what the engine does |", len(results), rows)
	for i, p := range protocols {
		fmt.Fprintf(&b, " %s (%s) |", p, games[i])
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(protocols)) + "\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| `%s` | %s |", r.Name(), r.Doc)
		for _, p := range protocols {
			cell := ""
			if i := slices.IndexFunc(r.Rows, func(w Row) bool { return w.Protocol == p }); i >= 0 {
				cell = r.Rows[i].Reason
			}
			fmt.Fprintf(&b, " %s |", cell)
		}
		b.WriteByte('\n')
	}
	exceptions(&b, results)
	evidence(&b, results, protocols)
	return b.String()
}

// exceptions tells why protocols differ.
func exceptions(b *strings.Builder, results []Result) {
	b.WriteString("\n## Why protocols differ\n\n| fault | protocol | verdict | why |\n|---|---|---|---|\n")
	for _, r := range results {
		for _, e := range r.Except {
			if e.Soak {
				continue
			}
			fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", r.Name(), strings.Join(e.Protocols, ", "), cmp.Or(e.Reason, "leaves "+e.Left), e.Why)
		}
	}
}

// evidence tells what the record says, equal rows of a fault together.
func evidence(b *strings.Builder, results []Result, protocols []string) {
	b.WriteString("\n## Evidence\n\nWhat the record of the game says, what the engine said of its attempt, and what was left behind. Left " +
		"out is what the record adds of the moment: the seat, the time used, what was being awaited; numbers that differ from one time to the " +
		"next are written N.\n\n| fault | protocol | verdict | detail | the engine says | left |\n|---|---|---|---|---|---|\n")
	for _, r := range results {
		type group struct {
			row Row
			ids []string
		}
		var groups []group
		for _, w := range r.Rows {
			id := w.Protocol
			w.Protocol, w.End = "", ""
			if i := slices.IndexFunc(groups, func(g group) bool { return g.row == w }); i >= 0 {
				groups[i].ids = append(groups[i].ids, id)
			} else {
				groups = append(groups, group{w, []string{id}})
			}
		}
		for _, g := range groups {
			who := strings.Join(g.ids, ", ")
			if len(g.ids) == len(protocols) {
				who = "all"
			}
			fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s | %s |\n", r.Name(), who, g.row.Reason, cell(g.row.Detail), cell(g.row.Said), g.row.Left)
		}
	}
}

// cell makes a text fit for a table.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "<", "&lt;", "*", "\\*").Replace(strings.ToValidUTF8(s, "?"))
}
