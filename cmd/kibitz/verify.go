package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/record/folder"
	"kibitz/record/formats"
	"kibitz/replay"
)

type verifyCmd struct {
	Files []string `arg:"" name:"file" help:"Records in any format, or the folder of a run; - reads stdin."`
	Game  string   `help:"Game with options: what formats do not say, and what the others must agree with." placeholder:"G"`
	From  string   `help:"Format of the files, if the extension does not say." placeholder:"F"`
	JSON  bool     `name:"json" help:"One JSON object for each game."`
	Quiet bool     `help:"Print only games that are not legal, and the totals."`
}

// Help returns the example that --help shows.
func (verifyCmd) Help() string { return "Example: kibitz verify run/games/*.json" }

type verifyJSON struct {
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

// Run replays every game against the rules.
func (c verifyCmd) Run(a *app) error {
	total, bad, faulty := 0, 0, 0
	var unread error
	seeds := newSeedBook()
	if err := checkReading(c.Game, c.From); err != nil {
		return err
	}
	var files []string
	for _, name := range c.Files {
		list, isRun, err := folder.Records(name)
		if err == nil && isRun {
			err = seeds.readJournal(name)
		}
		if err != nil {
			return err
		}
		files = append(files, list...)
	}
	for _, name := range files {
		list, err := loadRecords(a, name, c.Game, c.From)
		if err != nil {
			faulty++
			fmt.Fprintf(a.stderr, "kibitz: %s\n", plain.OneLine(err))
		}
		if err != nil && len(list) == 0 && unread == nil {
			unread = err
		}
		for i, g := range list {
			total++
			j, l := verifyGame(g)
			j.File, j.Number, j.Ruled = name, i+1, seeds.ruled(name, g)
			title := formats.Label(name, i, len(list), g)
			for _, issue := range []string{c.otherGame(l), seeds.journalled(name, g), seeds.check(title, g, l)} {
				if issue != "" {
					j.Issues = append(j.Issues, issue)
				}
			}
			if !j.Legal || len(j.Issues) > 0 {
				bad++
			}
			if err := c.print(a, j, title); err != nil {
				return err
			}
		}
	}
	issues, open := seeds.settle()
	for _, text := range issues {
		fmt.Fprintf(a.stderr, "kibitz: %s\n", text)
	}
	bad += len(issues)
	for _, text := range seeds.unrecorded() {
		fmt.Fprintf(a.stderr, "kibitz: %s\n", text)
	}
	if open > 0 && !c.Quiet {
		fmt.Fprintf(a.stderr, "kibitz: the seeds of %s are not among these files; give the folder of the run\n", plain.Count(open, "shuffled game"))
	}
	if unread != nil && total == 0 {
		return errTold
	}
	switch {
	case faulty > 0:
		return badVerdict("%d of %s not right, %d of %s not read whole", bad, plain.Count(total, "game"), faulty, plain.Count(len(files), "file"))
	case bad > 0:
		return badVerdict("%d of %s not right", bad, plain.Count(total, "game"))
	}
	if c.Quiet && !c.JSON {
		fmt.Fprintf(a.stdout, "%s, all legal\n", plain.Count(total, "game"))
	}
	return nil
}

// verifyGame replays a game; the line is nil if that cannot be begun.
func verifyGame(g *record.Game) (verifyJSON, *replay.Line) {
	j := verifyJSON{Game: string(g.Spec)}
	l, err := replay.Play(g, games.OpenSpec)
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

// otherGame says which options of --game a record that tells its own contradicts, empty
// if none.
func (c verifyCmd) otherGame(l *replay.Line) string {
	if l == nil || c.Game == "" {
		return ""
	}
	want, err := games.Open(c.Game)
	got := l.Rules.Spec()
	if err != nil || want.Spec().ID() != got.ID() {
		return ""
	}
	_, named, _ := strings.Cut(c.Game, ":")
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

func (c verifyCmd) print(a *app, j verifyJSON, title string) error {
	if c.JSON {
		b, err := json.Marshal(j)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.stdout, "%s\n", b)
		return err
	}
	switch {
	case !j.Legal:
		fmt.Fprintf(a.stdout, "%s: NOT LEGAL after %d plies: %s\n", title, j.Plies, j.Error)
	case len(j.Issues) > 0:
		fmt.Fprintf(a.stdout, "%s: legal, %d plies, but %s\n", title, j.Plies, strings.Join(j.Issues, "; "))
	case !c.Quiet:
		fmt.Fprintf(a.stdout, "%s: legal, %d plies, %s\n", title, j.Plies, j.Result)
	}
	if !c.Quiet {
		if j.Ruled != "" {
			fmt.Fprintf(a.stdout, "  ruled: %s\n", j.Ruled)
		}
		for _, w := range j.Warnings {
			fmt.Fprintf(a.stdout, "  %s\n", w)
		}
	}
	return nil
}
