package people

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// About says of a run what the run itself does not know.
type About struct {
	Title, Date, Machine, Command string
}

// mustNot lists what must not happen, in the order of the report.
func mustNot() []string {
	return []string{NeverEnds, Unseen, NoReason, Swallowed, NoEffect, Missed, Fault, BrokenOff, Refused}
}

// Flat compares the hall's memory, in bytes, once all had come with that at the end: the
// medians of the second and of the last quarter of the samples.
func (o *Outcome) Flat() (before, after int64) {
	n := len(o.Memory)
	if n < 8 {
		return 0, 0
	}
	return median(o.Memory[n/4 : n/2]), median(o.Memory[n*3/4:])
}

func median(list []int64) int64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

// Section writes a run as a section of a page in Markdown.
func (o *Outcome) Section(w io.Writer, a *About) {
	p := func(format string, x ...any) { fmt.Fprintf(w, format+"\n", x...) }
	p("## %s\n\n%s, %s\n\n    %s\n\n| | |\n|---|---|", a.Title, a.Date, a.Machine, a.Command)
	o.mu.Lock()
	found := maps.Clone(o.found)
	counts := maps.Clone(o.counts)
	o.mu.Unlock()
	p("| visits, games begun, moves | %d, %d, %d |", counts["visits"], counts["games"], counts["moves"])
	var left []string
	for _, s := range States() {
		left = append(left, fmt.Sprintf("%s %d", s, counts["left, "+string(s)]))
	}
	p("| games left, by where they stood | %s |", strings.Join(left, ", "))
	p("| came back, network lost, one of two tabs closed | %d, %d, %d |", counts["came back"], counts["network lost"],
		counts["one of two tabs closed"])
	p("| taken back, draw offered, accepted, declined, resigned, aborted, rematches | %d, %d, %d, %d, %d, %d, %d |",
		counts["undo"], counts["draw"], counts["accept"], counts["decline"], counts["resign"], counts["abort"], counts["rematches agreed"])
	var reasons []string
	for _, k := range slices.Sorted(maps.Keys(o.Reasons)) {
		reasons = append(reasons, fmt.Sprintf("%s %d", k, o.Reasons[k]))
	}
	p("| how games ended | %s |", strings.Join(reasons, ", "))
	p("| a new game against an engine asks for its first move after | %s |", spread(o.Times("probe")))
	p("| all games: from the order to the board | %s |", spread(o.Times("begin")))
	p("| an act shows after | %s |", spread(o.Times("act")))
	before, after := o.Flat()
	p("| memory of the hall, second and last quarter | %.0f and %.0f MiB |", float64(before)/(1<<20), float64(after)/(1<<20))
	for _, k := range mustNot() {
		p("| %s | %d |", k, len(found[k]))
	}
	p("")
	for _, k := range mustNot() {
		if len(found[k]) > 0 {
			p("%s, the first: %s\n", upper(k), found[k][0])
		}
	}
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// spread writes the half, 95, 99 and 100 of a hundred of times in order.
func spread(list []time.Duration) string {
	if len(list) == 0 {
		return "never"
	}
	f := func(part float64) string { return fmt.Sprintf("%.2f", at(list, part).Seconds()) }
	return fmt.Sprintf("p50 %s s, p95 %s s, p99 %s s, longest %s s (%d)", f(0.5), f(0.95), f(0.99), f(1), len(list))
}

// Put returns a page with a section in place of the one with its title, or at the end.
func Put(page, section string) string {
	title, _, _ := strings.Cut(section, "\n")
	if !strings.HasPrefix(page, "# ") {
		page = heading
	}
	before, rest, found := strings.Cut(page, title+"\n")
	after := ""
	if found {
		if i := strings.Index(rest, "\n## "); i >= 0 {
			after = rest[i+1:]
		}
	}
	if before != "" && !strings.HasSuffix(before, "\n\n") {
		before += "\n"
	}
	section = strings.TrimSpace(section) + "\n"
	if after != "" {
		section += "\n"
	}
	return before + section + after
}

// heading is the beginning of the page.
const heading = `# A load of people

Scripted visitors on a real ` + "`kibitz serve`" + ` with default options: they open games against engines and each other, think, close their pages in every state, come back, use two tabs, lose their network, take back, offer, resign, abort and play again. The same ` + "`-seed`" + ` is the same script. Each section was written by the command that stands in it.

What must not happen, and how it is seen:

| | |
|---|---|
| ` + NeverEnds + ` | a game that was left is not over when both clocks, or the grace of both places, and 30 s have passed; a game does not begin within 3 minutes; any game is not over when all have gone and their time is over |
| ` + Unseen + ` | a game is over though its player, who has its page open, has not seen its board within 3 minutes |
| ` + NoReason + ` | a game has not begun a second after it was ordered, and the room does not say why |
| ` + Swallowed + ` | a decision that the hall has taken does not show within 10 s |
| ` + NoEffect + ` | a resignation or an abort does not end the game within 5 s; what is taken back or offered does not show to the other side within 5 s |
| ` + Missed + ` | a game is lost by absence though a page was open |
| ` + Fault + ` | of the API, and requests without an answer |
| ` + BrokenOff + ` | a stream ends in the middle or misses an event |
| ` + Refused + ` | what the page would have offered is refused, though the game is not over |

`
