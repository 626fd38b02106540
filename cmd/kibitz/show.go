package main

import (
	"fmt"
	"strings"

	"kibitz/game"
	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/record/folder"
	"kibitz/record/replay"
	"kibitz/rules"
	"kibitz/term/board"
)

type showCmd struct {
	File        string `arg:"" help:"Record in any format."`
	Ply         *int   `help:"Position after N decisions of which the view knows; default: the last." placeholder:"N"`
	View        string `default:"all" enum:"first,second,public,all,arbiter" help:"What first, second or the public could see, or all (the arbiter)."`
	Game        string `help:"Game with options, for formats that do not say them." placeholder:"G"`
	From        string `help:"Format, if the extension does not say." placeholder:"F"`
	Only        *int   `help:"Show only game number N of the file." placeholder:"N"`
	Orientation string `default:"upright" enum:"upright,turned,lying" help:"Draw the board upright, turned by half a circle, or lying on its side."`
	Moves       bool   `help:"Print the moves too." negatable:"" default:"true"`
}

// Help returns the example that --help shows.
func (showCmd) Help() string {
	return "Example: kibitz show run/games/000001.json --ply 20 --view public"
}

var audiences = map[string]game.Audience{
	"first": game.ToFirst, "second": game.ToSecond, "public": game.Public,
	"all": game.Arbiter, "arbiter": game.Arbiter,
}

// Run prints the games of a record.
func (c showCmd) Run(a *app) error {
	only, err := fromOne("--only", c.Only)
	if err != nil {
		return err
	}
	list, err := loadRecords(a, c.File, c.Game, c.From)
	if err != nil && len(list) == 0 {
		return err
	}
	if err != nil {
		a.warn(plain.OneLine(err))
	}
	if list, err = onlyGame(list, only, c.File); err != nil {
		return err
	}
	for i, g := range list {
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		if err := c.show(a, g); err != nil {
			return record.InFile(c.File, err)
		}
	}
	return nil
}

func (c showCmd) show(a *app, g *record.Game) error {
	l, err := replay.Play(g, games.OpenSpec)
	if err != nil {
		return err
	}
	to := audiences[c.View]
	known := l.Known(to)
	ply := len(known) - 1
	if c.Ply != nil {
		ply = *c.Ply
	}
	if ply < 0 || ply >= len(known) {
		return fmt.Errorf("position %d does not exist: the game has 0 to %d", ply, len(known)-1)
	}
	if ply == len(known)-1 && l.Verdict.Final() != nil { // a game that is over has no secrets
		to, known = game.Arbiter, l.Known(game.Arbiter)
		ply = len(known) - 1
	}
	v, err := l.View(known[ply], to)
	if err != nil {
		return err
	}
	names := g.SeatNames()
	fmt.Fprintf(a.stdout, "%s: %s - %s", l.Rules.Spec(), names[0], names[1])
	for _, x := range []string{g.Event, g.Date} {
		if x != "" {
			fmt.Fprintf(a.stdout, ", %s", x)
		}
	}
	fmt.Fprintln(a.stdout)
	drawn := v
	if err := board.Orient(&drawn, c.Orientation); err != nil {
		return err
	}
	board.Painter{W: a.stdout, Colour: coloured(a.stdout), Lying: c.Orientation == board.Lying}.Draw(&drawn)
	status(a, &v, ply, len(known)-1, turnsText(l, to, known[ply]), names)
	if v.Result != nil {
		ruled, err := folder.Ruled(c.File, g)
		if err != nil {
			return err
		}
		if ruled != "" {
			fmt.Fprintf(a.stdout, "ruled: %s\n", ruled)
		}
	}
	if audiences[c.View] == game.Arbiter {
		if c.Moves {
			printMoves(a, l)
		}
		printEvidence(a, g, names)
	}
	switch {
	case l.Illegal == nil:
	case to == game.Arbiter || l.Rules.Doc().Info != rules.Private:
		fmt.Fprintf(a.stdout, "not legal: %v\n", l.Illegal)
	default:
		fmt.Fprintln(a.stdout, "not legal: what follows in the record; --view all says more")
	}
	return nil
}

// status tells whose turn it is after so many of all decisions that the view knows
// of, or how the game ended.
func status(a *app, v *game.View, ply, all int, turns string, names [2]string) {
	line := fmt.Sprintf("after %d of %s%s", ply, plain.Count(all, "decision"), turns)
	if v.HasScore {
		line += ", " + plain.Score(v.Score)
	}
	switch {
	case v.Result != nil:
		line += ", " + plain.Result(*v.Result, names)
		if v.Result.Detail != "" {
			line += "; " + v.Result.Detail
		}
	case v.Turn.Seat.IsPlayer():
		line += ", " + names[v.Turn.Seat] + " to decide"
	}
	fmt.Fprintln(a.stdout, line)
}

// printEvidence prints what shows the fault of a forfeited game, and what the engines
// used.
func printEvidence(a *app, g *record.Game, names [2]string) {
	if text := resourcesText(g.Resources, names); text != "" {
		fmt.Fprintf(a.stdout, "used: %s\n", text)
	}
	for _, line := range g.Evidence {
		fmt.Fprintf(a.stdout, "evidence: %s\n", plain.Printable(line))
	}
}

// turnsText tells how many of the turns a position has behind it, for whoever knows all
// decisions of a game in which turns have several.
func turnsText(l *replay.Line, to game.Audience, n int) string {
	turns := l.Turns()
	if len(turns) == l.Len() || len(l.Known(to)) <= l.Len() {
		return ""
	}
	k := 0
	for k < len(turns) && turns[k].From < n {
		k++
	}
	return fmt.Sprintf(" (turn %d of %d)", k, len(turns))
}

// printMoves prints the moves, ten turns to a line, with the number of the first. The
// decisions of a turn are joined by commas. Opening moves stand in brackets, refused
// attempts have a question mark.
func printMoves(a *app, l *replay.Line) {
	var texts []string
	for _, t := range l.Turns() {
		var words []string
		for i := range l.Steps[t.From:t.To] {
			s := &l.Steps[t.From+i]
			w := l.Rules.FormatMove(s.Move)
			if s.Refused {
				w += "?"
			}
			words = append(words, w)
		}
		text := strings.Join(words, ",")
		if l.Steps[t.From].Opening {
			text = "(" + text + ")"
		}
		texts = append(texts, text)
	}
	for i := 0; i < len(texts); i += 10 {
		fmt.Fprintf(a.stdout, "%4d. %s\n", i+1, strings.Join(texts[i:min(i+10, len(texts))], " "))
	}
}
