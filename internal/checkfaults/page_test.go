package checkfaults

import (
	"fmt"
	"strings"
	"time"
)

// severalGames are protocols whose mistakes differ by the game.
var severalGames = map[string]bool{"gtp": true, "sau": true}

// Page writes the page for rows.
func Page(rows []Row) string {
	var b strings.Builder
	n := 0
	for _, r := range rows {
		if r.Mode != "honest" {
			n++
		}
	}
	fmt.Fprintf(&b, `# What the check finds

`+"`kibitz check`"+` asks an engine for what its protocol demands, one requirement at a time, each in a new process. Then it plays with it, through the same host and the same referee as a match: `+"`line-first` and `line-second`"+` are games that begin late or in the middle, after 40 plies or more that look different from every side of the board (the same each time; for protocols that can begin there); `+"`game-first` and `game-second`"+` are whole games against a built-in engine. Where one thing explains all that was seen, it is said: x and y exchanged, rows counted from the other end, own moves that are not kept, a pass that is not heard, and the switch that helps, if there is one. When an engine ends or gives no answer where everything rests on it, the rest is skipped. `+"`--patience`"+` scales every wait: four times it for an engine that starts, five times for a move.

Engines with one fault each, the requirement of `+"`kibitz check`"+` that names each, and the verdict of a match. The page is written by the test of `+"`internal/checkfaults`"+`, which checks each of them and lets it play, and which fails when a match finds what the check does not, when another requirement names a fault, or when this page is stale (`+"`go test ./internal/checkfaults -update`"+` writes it). A dash: nothing that the protocol demands is broken. *Fine*: no game was decided by the fault. *Waits* is how long the whole check waited, with the patience of every day; what it computed comes on top.

%d faults.

| protocol, game | the engine | named by | what the check says of it | a match | waits |
|---|---|---|---|---|---|
`, n)
	for _, r := range rows {
		says, _ := r.named()
		by := "-"
		if r.Requirement != "-" {
			by = "`" + r.Requirement + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %d s |\n", r.Seat, r.Doc, by, cell(cause(says)), r.Verdict, r.Took.Round(time.Second)/time.Second)
	}
	return b.String()
}

// withMistakes returns the page of a protocol with what the check says of usual mistakes, in
// their section.
func withMistakes(page, protocol string, rows []Row) (string, error) {
	const heading = "\n## Usual mistakes\n"
	before, rest, ok := strings.Cut(page, heading)
	if !ok {
		return "", fmt.Errorf("the page of %s has no heading Usual mistakes", protocol)
	}
	if i := strings.Index(rest, "\n## "); i >= 0 {
		rest = rest[i:]
	} else {
		rest = ""
	}
	var b strings.Builder
	b.WriteString(before + heading + "\nWhat `kibitz check` says; [all](../measured/check-faults.md).\n\n")
	for _, r := range rows {
		if id, spec, _ := strings.Cut(r.Seat, " "); id == protocol && r.Usual {
			doc := r.Doc
			if severalGames[protocol] {
				doc = spec + ": " + doc
			}
			says, _ := r.named()
			says, _, _ = strings.Cut(cause(says), ". So ") // many turns
			item(&b, "* "+doc+": `"+says+"`")
		}
	}
	return b.String() + rest, nil
}

// item writes an item of a list in lines of at most 116 characters.
func item(b *strings.Builder, text string) {
	n := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case n+1+len(word) > 116:
			b.WriteString("\n ")
			n = 1
			fallthrough
		default:
			b.WriteString(" ")
			n++
		}
		b.WriteString(word)
		n += len(word)
	}
	b.WriteString("\n")
}

// cause is what explains a finding, where what follows from it stands behind.
func cause(says string) string {
	if i := strings.Index(says, ": a match is lost by"); i > 0 {
		if cause, _, ok := strings.Cut(says[:i], ". at its move"); ok {
			return cause
		}
	}
	return says
}

// cell makes a text fit for a table.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "<", "&lt;", "*", "\\*").Replace(s)
}
