package cutechess

import (
	"fmt"
	"slices"
	"strings"

	"kibitz/games"
	"kibitz/match"
	"kibitz/rating"
	"kibitz/run"
	"kibitz/run/compat"
)

// Options are the options of cutechess-cli, most of which fastchess has too.
type Options struct {
	Program string // whose options these are
	// Run are the settings of Kibitz that come nearest; the schedule is the program's own.
	Run run.Settings
	// Schedule is what is played, as far as it is known without the openings.
	Schedule Settings
	// EngineKeys is the table of the keys of an engine.
	EngineKeys func(*Engine) []compat.Option
	// Unclocked tells that an engine with a limit of depth or nodes needs no clock.
	Unclocked       bool
	Variant         string
	Engines         []Engine
	Each            [][]string
	EngineWords     [][]string
	MaxMoves        int // of each side, 0 for no limit
	BothResign      bool
	RatingInterval  int
	OutcomeInterval int
	ResultFormat    string
	Debug, Recover  bool
	// PGN and EPD are files, which are begun anew if so told. Minimal leaves tags and
	// comments out.
	PGN, EPD           string
	FreshPGN, FreshEPD bool
	Minimal            bool
	Event, Site        string
	Seed               *uint64
}

// Read reads the command line of cutechess-cli.
func Read(args []string, warn func(string)) (*Options, error) {
	o := &Options{Program: "cutechess-cli", Run: run.Usual(), EngineKeys: EngineKeys, ResultFormat: "default"}
	o.Run.Games, o.Run.StartLimit = 1, 60
	o.Schedule = Settings{Format: "round-robin", Games: 1, Rounds: 1, Repeat: 1, Openings: Openings{Policy: "default"}}
	if err := o.Read(args, Known(o), warn, "-engine"); err != nil {
		return nil, err
	}
	return o, o.Finish(warn)
}

// Read reads a command line by a table; repeated are the options that may be given several
// times.
func (o *Options) Read(args []string, table []compat.Option, warn func(string), repeated ...string) error {
	seen := map[string]bool{}
	for _, a := range args {
		if seen[a] && !slices.Contains(repeated, a) {
			return fmt.Errorf("%s is given more than once", a)
		}
		seen[a] = compat.IsFlag(a)
	}
	return compat.Read(o.Program, args, table, compat.IsFlag, warn)
}

// Finish reads the engines, for which everything else must be known.
func (o *Options) Finish(warn func(string)) error {
	if o.Run.Game == "" {
		return fmt.Errorf("-variant is missing: without it %s plays chess, which Kibitz does not; write one of %s", o.Program, variants())
	}
	for _, words := range o.EngineWords {
		e := Engine{}
		for _, list := range append([][]string{words}, o.Each...) {
			p := &compat.Args{Flag: "-engine", Words: list, Warn: warn}
			if err := p.Table(o.EngineKeys(&e)); err != nil {
				return err
			}
		}
		if o.Unclocked && !e.TC.given() {
			e.TC.Infinite = e.Depth > 0 || e.Nodes > 0
		}
		if err := e.check(o); err != nil {
			return err
		}
		o.Engines = append(o.Engines, e)
		o.Run.StartLimit = max(o.Run.StartLimit, 60*e.Scale)
	}
	o.Schedule.Players = len(o.Engines)
	switch {
	case len(o.Engines) < 2:
		return fmt.Errorf("at least two engines are needed")
	case o.Run.SPRT != nil && len(o.Engines) > 2:
		return fmt.Errorf("-sprt tests the first of two engines against the second, %d are given", len(o.Engines))
	case o.Schedule.Format == "knockout" && o.Schedule.Rounds > 1:
		return fmt.Errorf("-rounds %d: a knockout has the rounds that it needs", o.Schedule.Rounds)
	}
	return nil
}

// variants names the games that -variant takes.
func variants() string {
	list := []string{"gomoku (15x15, exactly five)", "gomokufreestyle"}
	for _, r := range games.All() {
		if id := r.ID; id != "gomoku" {
			list = append(list, id)
		}
	}
	return strings.Join(list, ", ") + ", or a game with options such as gomoku:rule=renju"
}

// readVariant finds the game: cutechess-cli's own names for five in a row, else Kibitz's.
func (o *Options) readVariant(p *compat.Args, v string) error {
	o.Variant = v
	switch v {
	case "gomoku":
		o.Run.Game = "gomoku:rule=standard,size=15"
		return nil
	case "gomokufreestyle":
		o.Run.Game = "gomoku:rule=freestyle,size=15"
		return nil
	}
	r, err := games.Open(v)
	if err != nil {
		return p.Must(v, "not a game of Kibitz; write one of %s", variants())
	}
	o.Run.Game = string(r.Spec())
	return nil
}

// Known is what cutechess-cli knows and what becomes of it.
func Known(o *Options) []compat.Option {
	const chess = "for chess"
	s := &o.Schedule
	return []compat.Option{
		compat.Take("-engine", "an engine; keys below", compat.Lists(&o.EngineWords)),
		compat.Take("-each", "keys for every engine, which count more than its own", compat.Lists(&o.Each)),
		compat.Take("-variant", "`gomoku` (15x15, exactly five), `gomokufreestyle`, or a game of Kibitz such as `othello`; variants of chess "+
			"are refused", compat.One(o.readVariant)),
		compat.Take("-tournament", "`round-robin` `gauntlet` `knockout` `pyramid`, with the same pairings in the same order",
			compat.OneOf(&s.Format, "round-robin", "gauntlet", "knockout", "pyramid")),
		compat.Take("-concurrency", "games at a time", compat.Whole(&o.Run.Concurrency, 1)),
		compat.Take("-games", "games of each pair in a round", compat.Whole(&s.Games, 1)),
		compat.Take("-rounds", "how often the whole is played", compat.Whole(&s.Rounds, 1)),
		compat.Take("-repeat", "each opening is played twice, or N times", compat.WholeOr(&s.Repeat, 2)),
		compat.Take("-noswap", "seats are not exchanged", compat.On(&s.NoSwap)),
		compat.Take("-reverse", "seats of the schedule exchanged", compat.On(&s.Reverse)),
		compat.Take("-seeds", "the first N engines run the gauntlet, or are placed in the knockout", compat.Whole(&s.Seeds, 0)),
		compat.Take("-draw", "`movenumber=` `movecount=` `score=` in the unit in which the engines report", o.readDraw),
		compat.Take("-resign", "`movecount=` `score=` `twosided=`, likewise", o.readResign),
		compat.Take("-maxmoves", "a draw after so many moves of each side", compat.Whole(&o.MaxMoves, 0)),
		compat.Ignore("-tb", chess),
		compat.Ignore("-tbpieces", chess),
		compat.Ignore("-tbignore50", chess),
		compat.Take("-sprt", "`elo0=` `elo1=` `alpha=` `beta=`, by its own model",
			compat.Test(&o.Run.SPRT, rating.SPRT{Model: "cutechess"}, nil, "elo0=", "elo1=", "alpha=", "beta=")),
		compat.Take("-ratinginterval", "games between two lists of the standing", compat.Whole(&o.RatingInterval, 0)),
		compat.Take("-outcomeinterval", "games between two lists of the outcomes", compat.Whole(&o.OutcomeInterval, 0)),
		compat.Take("-resultformat", "named formats and lists of fields; `help` lists them", compat.Text(&o.ResultFormat)),
		compat.Take("-debug", "prints the engines' lines of each game when it ends", func(p *compat.Args) error {
			if o.Debug = true; len(p.Words) > 0 && !slices.Equal(p.Words, []string{"all"}) {
				return p.Must(strings.Join(p.Words, " "), "write -debug or -debug all")
			}
			return nil
		}),
		compat.Take("-openings", "`file=` `format=` `order=` `plies=` `start=` `policy=`; files are read in any form that Kibitz knows, "+
			"whatever `format` says; with `-srand` the same order as there", o.ReadOpenings),
		compat.Ignore("-bookmode", "Polyglot books are "+chess),
		compat.Take("-pgnout", "appended to the file, with `min` and `fi`; moves are written as the game writes them", o.readPGN),
		compat.Take("-epdout", "final positions as the game writes them, appended to the file", compat.Text(&o.EPD)),
		compat.Take("-recover", "without it a crash ends the run", compat.On(&o.Recover)),
		compat.Take("-event", "a tag of -pgnout", compat.Joined(&o.Event)),
		compat.Take("-site", "a tag of -pgnout", compat.Joined(&o.Site)),
		compat.Take("-srand", "the order of openings and of the lots of a knockout, the same as there", compat.Seed(&o.Seed, 32)),
		compat.Take("-wait", "milliseconds between two games", compat.Whole(&o.Run.Wait, 0)),
		compat.Take("-engines", "lists the engines of engines.json", compat.None),
		compat.Take("-version", "says that this is Kibitz", compat.None),
		compat.Take("-help", "points to this page", compat.None),
	}
}

func (o *Options) readDraw(p *compat.Args) error {
	var from, count, score int
	words := compat.Words{"movenumber=": compat.Whole(&from, 0), "movecount=": compat.Whole(&count, 0), "score=": compat.Whole(&score, 0)}
	if err := words.Read(p, "movecount=", "movenumber=", "score="); err != nil || from == 0 { // there 0 adjudicates nothing
		return err
	}
	o.Draw(from, count, score)
	return nil
}

// Draw ends games by scores about even, of so many moves of each side from a move on; 0 is
// never.
func (o *Options) Draw(from, count, score int) {
	if count > 0 {
		o.Run.Draw = run.DrawRule{FromMove: 2 * from, Count: count, Score: float64(score)}
	}
}

func (o *Options) readResign(p *compat.Args) error {
	var count, score int
	words := compat.Words{
		"movecount=": compat.Whole(&count, 0), "score=": compat.Whole(&score, 0),
		"twosided=": compat.One(func(_ *compat.Args, v string) error {
			o.BothResign = v == "true"
			return nil
		}),
	}
	err := words.Read(p, "movecount=", "score=")
	o.Resign(count, score)
	return err
}

// Resign ends games by the scores of so many moves of a side; 0 is never.
func (o *Options) Resign(count, score int) {
	if count > 0 {
		o.Run.Resign = run.ResignRule{Count: count, Score: float64(score)}
	}
}

// ReadOpenings reads the words of -openings.
func (o *Options) ReadOpenings(p *compat.Args) error {
	x := &o.Schedule.Openings
	o.TakeOpenings("")
	return compat.Words{
		"file=":   compat.Text(&o.Run.Openings.File),
		"format=": compat.OneOf(new(string), "epd", "pgn"),
		"order=":  compat.Second(&x.Random, "sequential", "random"),
		"plies=":  compat.Whole(&o.Run.Openings.Plies, 1),
		"start=":  compat.Whole(&x.Start, 1),
		"policy=": compat.OneOf(&x.Policy, "default", "encounter", "round"),
	}.Read(p, "file=")
}

// TakeOpenings takes the openings of a file in their order.
func (o *Options) TakeOpenings(file string) {
	o.Run.Openings = &run.Openings{File: file, Plies: 1024, Start: 1}
	o.Schedule.Openings = Openings{Start: 1, Policy: "default"}
}

func (o *Options) readPGN(p *compat.Args) error {
	if len(p.Words) < 1 || len(p.Words) > 3 {
		return fmt.Errorf("-pgnout takes FILE [min] [fi]")
	}
	o.PGN = p.Words[0]
	for _, w := range p.Words[1:] {
		switch w {
		case "min":
			o.Minimal = true
		case "fi": // all that are written are finished
		default:
			return fmt.Errorf("-pgnout %s: %q is neither min nor fi", o.PGN, w)
		}
	}
	return nil
}

// Settings are those of a run of the engines under these names.
func (o *Options) Settings(names []string) run.Settings {
	s := o.Run
	for i := range o.Engines {
		s.Engine = append(s.Engine, o.Engines[i].words(names[i]))
	}
	return s
}

// Adjust counts the plies of the opening too, in full moves of both sides.
func (o *Options) Adjust(g *match.Game) {
	plies := len(g.Opening)
	p := &g.Policy
	if o.MaxMoves > 0 {
		p.MaxMoves = max(1, 2*o.MaxMoves-plies)
	}
	if p.Draw.Count > 0 {
		p.Draw.FromMove = max(0, p.Draw.FromMove-plies)
	}
	p.Resign.Alone = o.Run.Resign.Count > 0 && !o.BothResign
}
