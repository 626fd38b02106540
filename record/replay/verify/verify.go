// Package verify replays records against the rules, against the shuffles they were committed
// to and against the journals of their runs.
package verify

import (
	"fmt"
	"io"
	"strings"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/record/replay"
	"kibitz/rules"
)

// Verified is what came of a game, as JSON.
type Verified struct {
	File     string   `json:"file"`
	Number   int      `json:"number"`
	Game     string   `json:"game"`
	Legal    bool     `json:"legal"`
	Plies    int      `json:"plies"`
	Result   string   `json:"result"`
	Error    string   `json:"error,omitempty"`
	Issues   []string `json:"issues,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	// Ruled is the ruling in force, by the journal of the run.
	Ruled string `json:"ruled,omitempty"`
}

// game verifies a game of a file with all that the book knows.
// The line is nil if it cannot be replayed.
func (b *Book) game(file string, g *record.Game) (Verified, *replay.Line) {
	v, l := Replay(g, b.open)
	v.File, v.Ruled = file, b.ruled(file, g)
	v.add(b.journalled(file, g))
	return v, l
}

// add notes an issue, unless it is empty.
func (v *Verified) add(issue string) {
	if issue != "" {
		v.Issues = append(v.Issues, issue)
	}
}

// right reports whether a game is legal and nothing else is wrong with it.
func (v *Verified) right() bool { return v.Legal && len(v.Issues) == 0 }

// Replay replays a game; the line is nil if that cannot be begun.
func Replay(g *record.Game, open func(game.Spec) (rules.Rules, error)) (Verified, *replay.Line) {
	j := Verified{Game: string(g.Spec)}
	l, err := replay.Play(g, open)
	if err != nil {
		j.Error = err.Error()
		return j, nil
	}
	j.Game, j.Plies, j.Legal = string(l.Rules.Spec()), plies(l), l.Illegal == nil
	j.Issues, j.Warnings = l.Verdict.Issues, l.Warnings
	if l.Illegal != nil {
		j.Error = l.Illegal.Error()
	}
	j.Result = "unfinished"
	if r := l.Verdict.Final(); r != nil {
		j.Result = plain.Result(*r, g.SeatNames())
	}
	return j, l
}

// otherGame says which options of a game that was named in words a record contradicts that
// tells its own, empty if none. Want are the rules of what was named.
func otherGame(l *replay.Line, words string, want rules.Rules) string {
	if l == nil || want == nil || want.Spec().ID() != l.Rules.Spec().ID() {
		return ""
	}
	got := l.Rules.Spec()
	_, named, _ := strings.Cut(words, ":")
	var said []string
	for option := range strings.SplitSeq(named, ",") {
		key, _, _ := strings.Cut(option, "=")
		w, _ := want.Spec().Option(key)
		if g, _ := got.Option(key); g != w {
			said = append(said, fmt.Sprintf("the record is of a game with %s=%s, --game says %s", key, g, option))
		}
	}
	return strings.Join(said, "; ")
}

// plies counts the decisions of the seats that stood, without those of chance.
func plies(l *replay.Line) int {
	n := 0
	for i := range l.Steps {
		if s := &l.Steps[i]; s.By.IsPlayer() && !s.Refused {
			n++
		}
	}
	return n
}

// print shows what came of a game to people; quiet shows only what is wrong.
func (v *Verified) print(w io.Writer, title string, quiet bool) {
	switch {
	case !v.Legal:
		fmt.Fprintf(w, "%s: NOT LEGAL after %d plies: %s\n", title, v.Plies, v.Error)
	case len(v.Issues) > 0:
		fmt.Fprintf(w, "%s: legal, %d plies, but %s\n", title, v.Plies, strings.Join(v.Issues, "; "))
	case !quiet:
		fmt.Fprintf(w, "%s: legal, %d plies, %s\n", title, v.Plies, v.Result)
	}
	if !quiet {
		if v.Ruled != "" {
			fmt.Fprintf(w, "  ruled: %s\n", v.Ruled)
		}
		for _, warning := range v.Warnings {
			fmt.Fprintf(w, "  %s\n", warning)
		}
	}
}
