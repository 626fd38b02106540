package main

import (
	"bytes"
	"fmt"

	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/record/formats"
)

type convertCmd struct {
	In    string `arg:"" help:"Records to read: a file, a folder of files or of a run; - reads stdin."`
	Out   string `arg:"" help:"File to write, or folder for a file of each game; - writes to stdout (needs --to)."`
	From  string `help:"Format of the input, if the extension does not say." placeholder:"F"`
	To    string `help:"Format of the output, if the extension does not say." placeholder:"F"`
	Game  string `help:"Game with options, for formats that do not say them." placeholder:"G"`
	Only  *int   `help:"Convert only game number N of the file." placeholder:"N"`
	Ply   *int   `help:"Write only the first N decisions of the players: a game to go on with." placeholder:"N"`
	Force bool   `help:"Write games that are not legal as far as they are."`
}

// Help returns the example that --help shows.
func (convertCmd) Help() string {
	return "Examples: kibitz convert game.ggf game.sgf\n          kibitz convert WTH_2021.wtb all.ggf\n          kibitz convert " +
		"games.jsonl ccgc   (a folder; the names of its files are those of the event)"
}

// Run converts between formats. The rules complete what a format leaves out:
// passes, seats, results.
func (c convertCmd) Run(a *app) error {
	only, err := fromOne("--only", c.Only)
	if err != nil {
		return err
	}
	list, err := loadRecords(a, c.In, c.Game, c.From)
	if err != nil && len(list) == 0 {
		return err
	}
	if err != nil {
		a.warn(plain.OneLine(err))
	}
	unread := err != nil && !c.Force
	if list, err = onlyGame(list, "--only", only, c.In); err == nil {
		list, err = ruled(c.In, list)
	}
	if err != nil {
		return err
	}
	if c.Out == "-" && c.To == "" {
		return fmt.Errorf("writing to stdout needs --to, for example --to sgf")
	}
	out, folder := formats.Format{}, false
	if c.Out != "-" && c.Out != "" {
		out, folder = records().Folder(c.Out, c.To)
	}
	if !folder {
		if out, err = records().Find(c.Out, c.To); err != nil {
			return err
		}
	}
	if out.Write == nil {
		return fmt.Errorf("format %s can only be read", out.ID)
	}
	done, err := c.replayed(a, list)
	if err != nil {
		return err
	}
	if c.Ply != nil {
		for i := range done {
			if done[i], err = done[i].Begin(*c.Ply); err != nil {
				if len(done) > 1 {
					err = fmt.Errorf("game %d of %d: %w", i+1, len(done), err)
				}
				return record.InFile(c.In, fmt.Errorf("--ply: %w", err))
			}
		}
	}
	if err := c.write(a, out, folder, done); err != nil {
		return err
	}
	switch left := len(list) - len(done); {
	case left > 0:
		return badVerdict("%d of %d games are not legal and not written; --force writes them as far as they are", left, len(list))
	case unread:
		return badVerdict("%s was not read whole", c.In)
	}
	return nil
}

// replayed returns the games that can be written, and names those that cannot. A game
// that is alone, or all, is an error.
func (c convertCmd) replayed(a *app, list []*record.Game) ([]*record.Game, error) {
	var last error
	done, err := records().Replayed(c.In, list, func(bad error) bool {
		if last = bad; !c.Force && len(list) > 1 {
			a.warn(plain.OneLine(bad))
		}
		return c.Force
	})
	if err == nil && len(done) == 0 && last != nil {
		err = fmt.Errorf("%w; --force writes it as far as it is", last)
	}
	return done, err
}

func (c convertCmd) write(a *app, out formats.Format, folder bool, done []*record.Game) (err error) {
	var files []formats.Written
	switch {
	case folder:
		if files, err = out.SaveAll(c.Out, done); err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "%s written to the folder %s (%s)\n", plain.Count(len(done), "game"), c.Out, out.Title)
	case out.Single && len(done) > 1:
		return fmt.Errorf("%s: format %s holds one game for each file, not %d: choose one with --only N", c.Out, out.ID, len(done))
	case c.Out == "-":
		var b bytes.Buffer
		if err := out.Write(&b, done); err != nil {
			return fmt.Errorf("%s: %w", c.Out, err)
		}
		c.tellLost(a, &out, done, formats.Written{Name: c.Out, Data: b.Bytes()})
		_, err := a.stdout.Write(b.Bytes())
		return err
	default:
		file, err := out.Save(c.Out, done)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "%s written to %s (%s)\n", plain.Count(len(done), "game"), c.Out, out.Title)
		files = []formats.Written{file}
	}
	c.tellLost(a, &out, done, files...)
	return nil
}

// tellLost says what games have that the files do not hold, a line for each kind.
func (c convertCmd) tellLost(a *app, f *formats.Format, list []*record.Game, files ...formats.Written) {
	lost, err := f.Lost(list, files...)
	if err != nil {
		a.warn("what was written cannot be read whole: " + plain.OneLine(err))
		return
	}
	for _, l := range lost {
		a.warn(fmt.Sprintf("lost or changed in %s: %s, %s", c.Out, l.What, plain.Count(l.Games, "game")))
	}
}
