package full

import (
	"errors"
	"os"

	"kibitz/cmd/kibitz/outside"
	"kibitz/run"

	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/record/folder"
	"kibitz/record/gamebase"
	"kibitz/record/gamebase/importing"
	"kibitz/term/progress"
)

type baseImportCmd struct {
	Base       string   `arg:"" help:"Game base; made if there is none."`
	Files      []string `arg:"" name:"file" help:"Records in any format, or the folders of runs; - reads stdin."`
	Game       string   `help:"Game with options, for formats that do not say them." placeholder:"G"`
	From       string   `help:"Format of the files, if the extension does not say." placeholder:"F"`
	Plies      int      `default:"-1" help:"Index the first N plies of each game only, 0 for all; fixed when the base is made. Default: all." placeholder:"N"`
	Variations bool     `help:"Take each variation as a game of its own without a result; libraries (.lib) are always read so."`
	JSON       bool     `name:"json" help:"Print one JSON object."`
	Quiet      bool     `help:"Print no progress and no remarks about single games."`
}

// Help returns the example that --help shows.
func (baseImportCmd) Help() string {
	return "Examples: kibitz base import wthor.base WTH_*.wtb   (names come from WTH.JOU and WTH.TRN beside them)\n" +
		"          kibitz base import five.base games/*.psq playok.pgn --plies 30"
}

// Run imports records.
func (c baseImportCmd) Run(w *outside.World) (err error) {
	files, err := c.files(w)
	if err != nil {
		return err
	}
	began := w.Now()
	_, missing := os.Stat(c.Base)
	b, err := gamebase.Create(w.Ctx, c.Base, c.Plies)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, b.Close())
		if missing != nil && errors.Is(err, w.Told) { // nothing could be read
			for _, more := range []string{"", "-wal", "-shm"} {
				os.Remove(c.Base + more) //nolint:errcheck // there need not be all
			}
		}
	}()
	bar := progress.NewBar(w.Stderr, len(files), "files", c.Quiet)
	defer bar.Close()
	done, runs := 0, folder.Runs{}
	im := importing.Importer{
		To: b.Adder(), Plies: b.Plies(), Open: new(games.Opener).OpenSpec, Variations: c.Variations || c.From == "renlib", Drain: w.Drain,
		Load: func(file string, each func([]*record.Game) bool) (bad error) {
			err := w.LoadParts(file, c.Game, c.From, func(list []*record.Game) bool {
				if list, bad = runs.Rule(file, list); bad != nil {
					return false
				}
				return each(list)
			})
			if bad != nil {
				return bad
			}
			return err
		},
		Remark: bar.Tell, RemarkGame: bar.Tell,
		FileDone: func() { done++; bar.Set(done) },
		Sum:      importing.Summary{Type: "import"},
	}
	if c.Quiet {
		im.RemarkGame = func(string) {}
	}
	if err := im.Files(w.Ctx, files); err != nil {
		return err
	}
	bar.Close()
	if im.Sum.Seconds = w.Now().Sub(began).Seconds(); im.Sum.Nothing(len(files)) {
		return w.Told
	}
	if c.JSON {
		if err := plain.JSONLine(w.Stdout, im.Sum); err != nil {
			return err
		}
	} else {
		im.Sum.Print(w.Stdout)
	}
	if fault := im.Sum.Fault(len(files)); fault != "" {
		return &run.BadOutcome{Text: fault}
	}
	return nil
}

// files returns the files of the command line and those of its folders. The error
// is that none of them is there, or that they cannot be read as it says.
func (c *baseImportCmd) files(w *outside.World) (list []string, err error) {
	if err := w.CheckReading(c.Game, c.From); err != nil {
		return nil, err
	}
	var gone []error
	for _, name := range c.Files {
		files, _, err := folder.Records(name)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(name); name != "-" && err != nil {
			gone = append(gone, err)
		}
		list = append(list, files...)
	}
	if len(gone) == len(c.Files) {
		return nil, errors.Join(gone...)
	}
	return list, nil
}
