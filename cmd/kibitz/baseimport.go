package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"kibitz/gamebase"
	"kibitz/gamebase/index"
	"kibitz/games"
	"kibitz/internal/plain"
	"kibitz/record"
	"kibitz/record/folder"
	"kibitz/replay"
	"kibitz/term"
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

type importJSON struct {
	Type    string  `json:"type"`
	Files   int     `json:"files"`
	Unread  int     `json:"unread"`
	Games   int     `json:"games"`
	Added   int     `json:"added"`
	Known   int     `json:"known"`
	Illegal int     `json:"illegal"`
	Empty   int     `json:"empty"`
	Seconds float64 `json:"seconds"`
}

// mostRemarks is how many games that are not legal are named for each file.
const mostRemarks = 3

// Run imports records.
func (c baseImportCmd) Run(a *app) (err error) {
	files, err := c.files()
	if err != nil {
		return err
	}
	began := a.now()
	_, missing := os.Stat(c.Base)
	b, err := gamebase.Create(a.ctx, c.Base, c.Plies)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, b.Close())
		if missing != nil && errors.Is(err, errTold) { // nothing could be read
			for _, more := range []string{"", "-wal", "-shm"} {
				os.Remove(c.Base + more) //nolint:errcheck // there need not be all
			}
		}
	}()
	im := &importer{a: a, c: &c, to: b.Adder(), plies: b.Plies(), sum: importJSON{Type: "import"}}
	im.startBar(len(files))
	defer im.stopBar()
	var first error
	for _, name := range files {
		if drained(a) {
			break
		}
		if err := im.file(name); err != nil {
			if err := im.fault(err); err != nil {
				return err
			}
			if first == nil {
				first = err
			}
		}
		im.sum.Files++
		if im.bar != nil {
			im.bar.Increment()
		}
	}
	if err := im.to.Flush(a.ctx); err != nil {
		return err
	}
	im.stopBar()
	im.sum.Added, im.sum.Known, im.sum.Seconds = im.to.Added, im.to.Known, a.now().Sub(began).Seconds()
	return im.finish(len(files), first)
}

// files returns the files of the command line and those of its folders. The error
// is that none of them is there, or that they cannot be read as it says.
func (c *baseImportCmd) files() (list []string, err error) {
	if err := checkReading(c.Game, c.From); err != nil {
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

func drained(a *app) bool {
	select {
	case <-a.drain:
		return true
	default:
		return false
	}
}

// importer reads files into a base.
type importer struct {
	a     *app
	c     *baseImportCmd
	to    *gamebase.Adder
	plies int
	sum   importJSON
	bars  *mpb.Progress
	bar   *mpb.Bar
}

func (im *importer) startBar(total int) {
	if im.c.Quiet || !term.IsTerminal(im.a.stderr) {
		return
	}
	im.bars = mpb.New(mpb.WithOutput(term.Bare(im.a.stderr)), mpb.WithWidth(30))
	im.bar = im.bars.AddBar(int64(total), mpb.PrependDecorators(decor.CountersNoUnit("%d/%d files ")),
		mpb.AppendDecorators(decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO, decor.WC{W: 8}), "")))
}

func (im *importer) stopBar() {
	if im.bars == nil {
		return
	}
	if !im.bar.Completed() {
		im.bar.Abort(true)
	}
	im.bars.Wait()
	im.bars, im.bar = nil, nil
}

func (im *importer) remark(text string) {
	if im.bars != nil {
		fmt.Fprintf(im.bars, "kibitz: %s\n", text)
		return
	}
	fmt.Fprintf(im.a.stderr, "kibitz: %s\n", text)
}

// fault tells of a file that was not read whole; an error that is the base's own
// ends the import.
func (im *importer) fault(err error) error {
	var own *baseError
	if errors.As(err, &own) {
		return own.err
	}
	im.sum.Unread++
	im.remark(plain.OneLine(err))
	return nil
}

// baseError is an error of the base, not of a record.
type baseError struct{ err error }

func (e *baseError) Error() string { return e.err.Error() }

// file imports the games of one file, those that could be read even if others could
// not.
func (im *importer) file(name string) error {
	list, unread := loadRecords(im.a, name, im.c.Game, im.c.From)
	if im.c.Variations || strings.EqualFold(filepath.Ext(name), ".lib") || im.c.From == "renlib" {
		list = index.Lines(list)
	}
	const chunk = 2048
	remarks := 0
	for at := 0; at < len(list); at += chunk {
		part := list[at:min(at+chunk, len(list))]
		for i, e := range im.index(part, name) {
			im.sum.Games++
			switch {
			case e.err != nil:
				im.sum.Illegal++
				if remarks++; remarks <= mostRemarks && !im.c.Quiet {
					im.remark(plain.OneLine(record.InFile(label(name, at+i, len(list), part[i]), e.err)) + "; it is left out")
				}
			case len(e.entry.Game.Moves) == 0:
				im.sum.Empty++
			default:
				if err := im.to.Add(im.a.ctx, e.entry); err != nil {
					return &baseError{err}
				}
			}
		}
		if drained(im.a) {
			break
		}
	}
	if remarks > mostRemarks && !im.c.Quiet {
		im.remark(fmt.Sprintf("%s: %d more games are not legal and left out", name, remarks-mostRemarks))
	}
	return unread
}

// indexed is a game with its positions, or why it has none.
type indexed struct {
	entry gamebase.Entry
	err   error
}

// index replays games on every processor; the order stays.
func (im *importer) index(list []*record.Game, source string) []indexed {
	out := make([]indexed, len(list))
	var wg sync.WaitGroup
	threads := min(runtime.GOMAXPROCS(0), len(list))
	for t := range threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			x := index.New(im.plies)
			for i := t; i < len(list); i += threads {
				out[i] = entryOf(x, list[i], filepath.Base(source))
			}
		}()
	}
	wg.Wait()
	return out
}

// entryOf replays a record. One that is not legal has no entry.
func entryOf(x *index.Indexer, g *record.Game, source string) (out indexed) {
	l, err := replay.Play(g, games.OpenSpec)
	if err == nil && l.Illegal != nil {
		err = l.Illegal
	}
	if err != nil {
		return indexed{err: err}
	}
	out.entry, out.err = x.Entry(l, g, source)
	return out
}

// finish prints what was imported.
func (im *importer) finish(files int, first error) error {
	s := &im.sum
	if first != nil && s.Games == 0 && s.Unread == files {
		return errTold
	}
	if im.c.JSON {
		if err := plain.JSONLine(im.a.stdout, s); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(im.a.stdout, "%s of %s read: %d added, %d there already, %d not legal, %d without moves, %.1f s\n",
			plain.Count(s.Games, "game"), plain.Count(s.Files, "file"), s.Added, s.Known, s.Illegal, s.Empty, s.Seconds)
	}
	switch {
	case s.Unread > 0:
		return badVerdict("%d of %s not read whole", s.Unread, plain.Count(files, "file"))
	case s.Files < files:
		return badVerdict("stopped after %d of %s; the same command goes on", s.Files, plain.Count(files, "file"))
	}
	return nil
}
