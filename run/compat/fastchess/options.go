package fastchess

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/google/shlex"

	"kibitz/rating"
	"kibitz/run"
	"kibitz/run/compat"
	"kibitz/run/compat/cutechess"
)

// Options are the options of fastchess: those of cutechess-cli, and what it alone has.
type Options struct {
	*cutechess.Options
	// Penta counts pairs of games with seats exchanged.
	Penta bool
	// Cutechess prints cutechess-cli's lines.
	Cutechess     bool
	ScoreInterval int
	startup       int // milliseconds to get ready
}

// Read reads the command line of fastchess.
func Read(args []string, warn func(string)) (*Options, error) {
	o := newOptions()
	if err := o.Read(args, Known(o), warn, "-engine", "-each"); err != nil {
		return nil, err
	}
	if err := o.settle(); err != nil {
		return nil, err
	}
	return o, o.Finish(warn)
}

func newOptions() *Options {
	o := &Options{Options: &cutechess.Options{
		Program: "fastchess", Run: run.Usual(), EngineKeys: EngineKeys, Unclocked: true, RatingInterval: 10, Event: "Fastchess Tournament",
	}, Penta: true, ScoreInterval: 1, startup: 10_000}
	o.Schedule = cutechess.Settings{Format: "roundrobin", Games: 2, Rounds: 2, Seeds: 1}
	return o
}

// settle brings what was given together, as fastchess does.
func (o *Options) settle() error {
	s := &o.Schedule
	if s.Games > 2 {
		if s.Games, s.Rounds = s.Rounds, s.Games; s.Games > 2 {
			return fmt.Errorf("-games %d: each pair plays one game or two in a round; write -rounds N", s.Rounds)
		}
	}
	if o.Run.Concurrency <= 0 {
		o.Run.Concurrency = max(1, runtime.NumCPU()+o.Run.Concurrency)
	}
	bayesian := o.Run.SPRT != nil && o.Run.SPRT.Model == rating.Bayesian
	o.Penta = o.Penta && !o.Cutechess && s.Games == 2 && !s.NoSwap && !bayesian
	o.Run.StartLimit = float64(o.startup) / 1000
	if o.Run.Games = 1; o.Penta {
		o.Run.Games, o.Run.Repeat = 2, true
	}
	return nil
}

// Known is what fastchess knows and what becomes of it: what cutechess-cli knows too, but for
// the differences.
func Known(o *Options) []compat.Option {
	own := o.differences()
	absent := []string{"-outcomeinterval", "-resultformat", "-bookmode", "-engines"}
	var out []compat.Option
	for _, row := range cutechess.Known(o.Options) {
		switch other := compat.Find(own, row.Name); {
		case slices.Contains(absent, row.Name):
		case other != nil:
			out = append(out, *other)
		default:
			out = append(out, row)
		}
	}
	for _, row := range own {
		if compat.Find(out, row.Name) == nil {
			out = append(out, row)
		}
	}
	return out
}

// differences are the options that cutechess-cli has not, or otherwise.
func (o *Options) differences() []compat.Option {
	const (
		chess  = "for chess"
		uci    = "it belongs to UCI"
		config = "no such file is written; `kibitz compat --out DIR` keeps the run"
	)
	s := &o.Schedule
	return []compat.Option{
		compat.Take("-tournament", "`roundrobin` `gauntlet`, with the same pairings in the same order",
			compat.OneOf(&s.Format, "roundrobin", "gauntlet")),
		compat.Take("-concurrency", "games at a time; from 0 down, so many fewer than processors", compat.Whole(&o.Run.Concurrency, -1000)),
		compat.Take("-games", "games of each pair in a round, 1 or 2; 2 if not given", compat.Whole(&s.Games, 1)),
		compat.Take("-rounds", "how often the whole is played; 2 if not given", compat.Whole(&s.Rounds, 1)),
		compat.Take("-repeat", "two games of each pair in a round, or N", compat.WholeOr(&s.Games, 2)),
		compat.Take("-seeds", "the first N engines run the gauntlet", compat.Whole(&s.Seeds, 1)),
		compat.Take("-draw", "`movenumber=` `movecount=` `score=` in the unit in which the engines report", o.readDraw),
		compat.Take("-resign", "`movecount=` `score=` `twosided=`, likewise", o.readResign),
		compat.Take("-maxmoves", "a draw after so many moves of each side, those of the opening not counted", compat.Whole(&o.MaxMoves, 1)),
		compat.Take("-sprt", "`elo0=` `elo1=` `alpha=` `beta=` `model=normalized\\|logistic\\|bayesian`",
			compat.Test(&o.Run.SPRT, rating.SPRT{Model: rating.Normalized}, []string{"normalized", "logistic", "bayesian"})),
		compat.Take("-ratinginterval", "pairs, or games, between two lists of the standing; 10 if not given", compat.Whole(&o.RatingInterval, 0)),
		compat.Refuse("-debug", "fastchess has no such option; `kibitz compat --out DIR` keeps the engines' lines"),
		compat.Take("-openings", "`file=` `format=` `order=` `plies=` `start=` `policy=round`; files are read in any form that Kibitz knows, "+
			"whatever `format` says; with `-srand` the same order as there", o.readOpenings),
		compat.Take("-pgnout", "`file=` `append=` `min=`; moves are written as the game writes them, and what `nodes=` and its like ask for "+
			"is not written", o.readPGN),
		compat.Take("-epdout", "`file=` `append=`; final positions as the game writes them", func(p *compat.Args) error {
			return readFile(p, &o.EPD, &o.FreshEPD, compat.Words{})
		}),
		compat.Take("-srand", "the order of openings, the same as there", compat.Seed(&o.Seed, 64)),
		compat.Take("-scoreinterval", "games between two scores, with `-output format=cutechess`", compat.Whole(&o.ScoreInterval, 0)),
		compat.Take("-report", "`penta=`: count pairs of games, which is so if not given",
			compat.Words{"penta=": compat.Second(&o.Penta, "false", "true")}.Reader()),
		compat.Take("-output", "`format=fastchess\\|cutechess`",
			compat.Words{"format=": compat.Second(&o.Cutechess, "fastchess", "cutechess")}.Reader()),
		compat.Take("-quick", "`cmd=` `cmd=` `book=`: two engines, 10+0.1, 25000 rounds, openings by lot", o.readQuick),
		compat.Take("-startup-ms", "milliseconds that an engine has to start, 10000 if not given", compat.Whole(&o.startup, 1)),
		compat.Take("-config", "`file=` is refused, as a run is not taken up from such a file; `outname=` `discard=` `stats=` are ignored",
			compat.Words{
				"file=": compat.Refusing("a run is not taken up from a file of fastchess; write its options, or keep a run with " +
					"kibitz match --out DIR and take it up with kibitz resume DIR"),
				"outname=": compat.Ignoring(config), "discard=": compat.Ignoring(config), "stats=": compat.Ignoring(config),
			}.Reader()),
		compat.Ignore("-autosaveinterval", config),
		compat.Ignore("-log", "`kibitz compat --out DIR` keeps the engines' lines"),
		compat.Ignore("-force-concurrency", "more games at a time than processors are played anyway"),
		compat.Take("-use-affinity", "engines on processors of their own, all or those listed; refused if there are too few",
			func(p *compat.Args) error {
				if o.Run.Affinity = "auto"; len(p.Words) == 0 {
					return nil
				}
				return compat.Text(&o.Run.Affinity)(p)
			}),
		compat.Ignore("-show-latency", "what engines say of their time is not compared"),
		compat.Ignore("-strict", "no warning ends a run; what is refused ends it before its first game"),
		compat.Ignore("-testEnv", "it is for the servers of fastchess's own field"),
		compat.Ignore("-crc32", "no sum of -pgnout is made"),
		compat.Ignore("-tbadjudicate", chess),
		compat.Ignore("-check-mate-pvs", chess),
		compat.Ignore("-ucinewgame-ms", uci),
		compat.Ignore("-ping-ms", uci),
		compat.Refuse("--compliance", "it tests engines of UCI; `kibitz check` tests an engine of a protocol of Kibitz"),
	}
}

// EngineKeys are the keys of an engine.
func EngineKeys(e *cutechess.Engine) []compat.Option {
	out := []compat.Option{
		compat.Take("args=", "arguments of the engine, split as a shell does", compat.One(func(p *compat.Args, v string) (err error) {
			if e.Args, err = shlex.Split(v); err != nil {
				return p.Must(v, "%v", err)
			}
			return nil
		})),
		compat.Take("restart=", "`on` `off`", compat.OneOf(&e.Restart, "on", "off")),
		compat.Take("proto=", "a protocol of Kibitz for the game; `uci` is refused", compat.Text(&e.Proto)),
		compat.Take("tc=", "`MOVES/TIME+INCREMENT`, `inf`; may be missing with `depth=` or `nodes=`",
			compat.One(func(p *compat.Args, v string) error {
				if strings.Contains(v, "hg") {
					return p.Must(v, "fastchess knows no hourglass")
				}
				return e.TC.Read(p, plainTC(v))
			})),
		compat.Take("plies=", "the same as `depth=`", compat.Whole(&e.Depth, 1)),
	}
	shared := []string{"name=", "cmd=", "dir=", "st=", "timemargin=", "depth=", "nodes=", "option."}
	for _, row := range cutechess.EngineKeys(e) {
		if slices.Contains(shared, row.Name) {
			out = append(out, row)
		}
	}
	return out
}

// plainTC writes a time control of fastchess as cutechess-cli would.
func plainTC(v string) string {
	if v == "infinite" {
		return "inf"
	}
	for _, endless := range []string{"inf/", "infinite/"} {
		v = strings.TrimPrefix(v, endless)
	}
	parts := strings.Split(v, "+")
	for i := range parts {
		parts[i] = strings.TrimSuffix(parts[i], "s")
	}
	return strings.Join(parts, "+")
}

func (o *Options) readDraw(p *compat.Args) error {
	from, count, score := 0, 1, 0
	err := compat.Words{
		"movenumber=": compat.Whole(&from, 0), "movecount=": compat.Whole(&count, 1), "score=": compat.Whole(&score, 0),
	}.Read(p)
	o.Draw(from, count, score)
	return err
}

func (o *Options) readResign(p *compat.Args) error {
	count, score := 1, 0
	err := compat.Words{
		"movecount=": compat.Whole(&count, 1), "score=": compat.Whole(&score, 0), "twosided=": compat.Second(&o.BothResign, "false", "true"),
	}.Read(p)
	o.Resign(count, score)
	return err
}

func (o *Options) readOpenings(p *compat.Args) error {
	err := o.ReadOpenings(p)
	if policy := o.Schedule.Openings.Policy; err == nil && policy != "default" && policy != "round" {
		err = fmt.Errorf("-openings policy=%s: fastchess knows round only", policy)
	}
	return err
}

// readFile reads the words of a file that is appended to unless append=false stands there.
func readFile(p *compat.Args, name *string, fresh *bool, further compat.Words) error {
	further["file="], further["append="] = compat.Text(name), compat.Second(fresh, "true", "false")
	return further.Read(p, "file=")
}

func (o *Options) readPGN(p *compat.Args) error {
	further := compat.Words{
		"min=": compat.Second(&o.Minimal, "false", "true"), "notation=": compat.Ignoring("moves are written as the game writes them"),
	}
	for _, key := range []string{"nodes=", "seldepth=", "nps=", "hashfull=", "tbhits=", "timeleft=", "latency=", "pv=", "match_line="} {
		further[key] = compat.Ignoring("it is not written; `kibitz compat --out DIR` keeps what engines said in records")
	}
	return readFile(p, &o.PGN, &o.FreshPGN, further)
}

// readQuick reads the short form of a match; what is given after it counts more.
func (o *Options) readQuick(p *compat.Args) error {
	var engines []string
	book := ""
	err := compat.Words{"cmd=": compat.All(&engines), "book=": compat.Text(&book)}.Read(p, "book=")
	switch {
	case err != nil:
		return err
	case len(engines) != 2:
		return fmt.Errorf("-quick takes two cmd=, %d are given", len(engines))
	}
	for i, cmd := range engines {
		name := filepath.ToSlash(cmd)
		if engines[0] == engines[1] {
			name += strconv.Itoa(i + 1)
		}
		o.EngineWords = append(o.EngineWords, []string{"cmd=" + cmd, "name=" + name, "tc=10+0.1"})
	}
	o.TakeOpenings(book)
	o.Schedule.Openings.Random, o.Recover, o.Schedule.Games, o.Schedule.Rounds = true, true, 2, 25000
	o.Draw(30, 8, 8)
	o.Run.Concurrency = max(1, runtime.NumCPU()-2)
	o.Cutechess = true
	return nil
}
