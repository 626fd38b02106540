package main

import (
	"slices"
	"strconv"
	"strings"

	"kibitz/games"
	"kibitz/rating"
	"kibitz/run"
)

// ccOptions are the options of cutechess-cli, and those of fastchess, which has most of
// them too.
type ccOptions struct {
	// fast is set for fastchess: what it alone has.
	fast                               *fcOptions
	game, variant                      string
	format                             string
	engines                            []ccEngine
	each                               [][]string
	engineWords                        [][]string
	concurrency, games, rounds         int
	repeat, seeds, wait, maxMoves      int
	draw                               *[3]int // move, count, score
	resign                             *ccResign
	sprt                               *cgcSPRT
	ratingInterval, outcomeInterval    int
	resultFormat                       string
	debug, noswap, reverse, recovering bool
	openings                           *ccOpenings
	pgn, epd                           string
	minimal, finishedOnly              bool
	freshPGN, freshEPD                 bool // begin the file anew
	event, site                        string
	seed                               *uint32
}

type ccResign struct {
	count, score int
	both         bool
}

// ccOpenings are the words of -openings.
type ccOpenings struct {
	file, policy string
	random       bool
	plies, start int
}

// isCCFlag tells options from values: a hyphen with more behind it that is no
// number.
func isCCFlag(s string) bool {
	if len(s) < 2 || s[0] != '-' {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err != nil
}

// readCC reads the command line of cutechess-cli.
func readCC(args []string, warn func(string)) (*ccOptions, error) {
	o := &ccOptions{
		format: "round-robin", concurrency: 1, games: 1, rounds: 1, repeat: 1, resultFormat: "default",
	}
	if err := o.read(args, ccTable(o), warn, "-engine"); err != nil {
		return nil, err
	}
	return o, o.finish(warn)
}

// read reads a command line by a table; repeated are the options that may be given
// several times.
func (o *ccOptions) read(args []string, table []compatOption, warn func(string), repeated ...string) error {
	seen := map[string]bool{}
	for _, a := range args {
		if isCCFlag(a) && !slices.Contains(repeated, a) && seen[a] {
			return badVerdict("%s is given more than once", a)
		}
		seen[a] = isCCFlag(a)
	}
	p := &compatArgs{list: args, warn: warn}
	return p.read(o.program(), table, isCCFlag)
}

// program is whose options these are.
func (o *ccOptions) program() string {
	if o.fast != nil {
		return "fastchess"
	}
	return "cutechess-cli"
}

// keys is the table of the keys of an engine.
func (o *ccOptions) keys(e *ccEngine) []compatOption {
	if o.fast != nil {
		return fcEngineTable(e)
	}
	return ccEngineTable(e)
}

// finish reads the engines, for which everything else must be known.
func (o *ccOptions) finish(warn func(string)) error {
	if o.game == "" {
		return badVerdict("-variant is missing: without it %s plays chess, which Kibitz does not; write one of %s", o.program(), ccVariants())
	}
	for _, words := range o.engineWords {
		var e ccEngine
		for _, list := range slices.Concat([][]string{words}, o.each) {
			p := &compatArgs{flag: "-engine", words: list, warn: warn}
			if err := p.keys(o.keys(&e)); err != nil {
				return err
			}
		}
		if o.fast != nil && !e.tc.given() {
			e.tc.infinite = e.depth > 0 || e.nodes > 0
		}
		if err := e.check(o); err != nil {
			return err
		}
		o.engines = append(o.engines, e)
	}
	switch {
	case len(o.engines) < 2:
		return badVerdict("at least two engines are needed")
	case o.sprt != nil && len(o.engines) > 2:
		return badVerdict("-sprt tests the first of two engines against the second, %d are given", len(o.engines))
	case o.format == "knockout" && o.rounds > 1:
		return badVerdict("-rounds %d: a knockout has the rounds that it needs", o.rounds)
	}
	return nil
}

// ccVariants names the games that -variant takes.
func ccVariants() string {
	list := []string{"gomoku (15x15, exactly five)", "gomokufreestyle"}
	for _, r := range games.All() {
		if id := r.ID; id != "gomoku" {
			list = append(list, id)
		}
	}
	return strings.Join(list, ", ") + ", or a game with options such as gomoku:rule=renju"
}

// readVariant finds the game: cutechess-cli's own names for five in a row, else
// Kibitz's.
func (o *ccOptions) readVariant(p *compatArgs) error {
	v, err := p.one()
	if err != nil {
		return err
	}
	o.variant = v
	switch v {
	case "gomoku":
		o.game = "gomoku:rule=standard,size=15"
		return nil
	case "gomokufreestyle":
		o.game = "gomoku:rule=freestyle,size=15"
		return nil
	}
	if r, err := games.Open(v); err == nil {
		o.game = string(r.Spec())
		return nil
	}
	return badVerdict("-variant %s: not a game of Kibitz; write one of %s", v, ccVariants())
}

// ccTable is what cutechess-cli knows and what becomes of it.
func ccTable(o *ccOptions) []compatOption {
	const chess = "for chess, which Kibitz does not play"
	return []compatOption{
		{"-engine", isHonoured, "an engine; keys below", func(p *compatArgs) error {
			o.engineWords = append(o.engineWords, p.words)
			return nil
		}},
		{"-each", isHonoured, "keys for every engine, which count more than its own", func(p *compatArgs) error {
			o.each = append(o.each, p.words)
			return nil
		}},
		{"-variant", isHonoured, "`gomoku` (15x15, exactly five), `gomokufreestyle`, or a game of Kibitz such as `othello`; variants of chess " +
			"are refused", o.readVariant},
		{
			"-tournament", isHonoured, "`round-robin` `gauntlet` `knockout` `pyramid`, with the same pairings in the same order",
			oneOf(func(v string) { o.format = v }, "round-robin", "gauntlet", "knockout", "pyramid"),
		},
		{"-concurrency", isHonoured, "games at a time", into(&o.concurrency, 1)},
		{"-games", isHonoured, "games of each pair in a round", into(&o.games, 1)},
		{"-rounds", isHonoured, "how often the whole is played", into(&o.rounds, 1)},
		{"-repeat", isHonoured, "each opening is played twice, or N times", func(p *compatArgs) (err error) {
			if o.repeat = 2; len(p.words) > 0 {
				o.repeat, err = p.number(1)
			}
			return err
		}},
		{"-noswap", isHonoured, "seats are not exchanged", switchOn(&o.noswap)},
		{"-reverse", isHonoured, "seats of the schedule exchanged", switchOn(&o.reverse)},
		{"-seeds", isHonoured, "the first N engines run the gauntlet, or are placed in the knockout", into(&o.seeds, 0)},
		{"-draw", isHonoured, "`movenumber=` `movecount=` `score=` in the unit in which the engines report", o.readDraw},
		{"-resign", isHonoured, "`movecount=` `score=` `twosided=`, likewise", o.readResign},
		{"-maxmoves", isHonoured, "a draw after so many moves of each side", into(&o.maxMoves, 0)},
		{"-tb", isIgnored, chess, nil},
		{"-tbpieces", isIgnored, chess, nil},
		{"-tbignore50", isIgnored, chess, nil},
		{"-sprt", isHonoured, "`elo0=` `elo1=` `alpha=` `beta=`, by its own model", o.readSPRT},
		{"-ratinginterval", isHonoured, "games between two lists of the standing", into(&o.ratingInterval, 0)},
		{"-outcomeinterval", isHonoured, "games between two lists of the outcomes", into(&o.outcomeInterval, 0)},
		{"-resultformat", isHonoured, "named formats and lists of fields; `help` lists them", textInto(&o.resultFormat)},
		{"-debug", isHonoured, "prints the engines' lines of each game when it ends", func(p *compatArgs) error {
			if o.debug = true; len(p.words) > 0 && (len(p.words) > 1 || p.words[0] != "all") {
				return badVerdict("-debug %s: write -debug or -debug all", strings.Join(p.words, " "))
			}
			return nil
		}},
		{"-openings", isHonoured, "`file=` `format=` `order=` `plies=` `start=` `policy=`; files are read in any form that Kibitz knows, " +
			"whatever `format` says; with `-srand` the same order as there", o.readOpenings},
		{"-bookmode", isIgnored, "Polyglot books are " + chess, nil},
		{"-pgnout", isHonoured, "appended to the file, with `min` and `fi`; moves are written as the game writes them", o.readPGN},
		{"-epdout", isHonoured, "final positions as the game writes them, appended to the file", textInto(&o.epd)},
		{"-recover", isHonoured, "without it a crash ends the run", switchOn(&o.recovering)},
		{"-event", isHonoured, "a tag of -pgnout", joinedInto(&o.event)},
		{"-site", isHonoured, "a tag of -pgnout", joinedInto(&o.site)},
		{"-srand", isHonoured, "the order of openings and of the lots of a knockout, the same as there", func(p *compatArgs) error {
			v, err := p.one()
			if err != nil {
				return err
			}
			n, err := strconv.ParseUint(v, 10, 32)
			if err != nil {
				return badVerdict("-srand %s: must be a whole number from 0 to 4294967295", v)
			}
			seed := uint32(n)
			o.seed = &seed
			return nil
		}},
		{"-wait", isHonoured, "milliseconds between two games", into(&o.wait, 0)},
		{"-engines", isHonoured, "lists the engines of engines.json", (*compatArgs).none},
		{"-version", isHonoured, "says that this is Kibitz", (*compatArgs).none},
		{"-help", isHonoured, "points to this page", (*compatArgs).none},
	}
}

func (o *ccOptions) readDraw(p *compatArgs) error {
	o.draw = &[3]int{}
	err := p.wholes(map[string]*int{"movenumber": &o.draw[0], "movecount": &o.draw[1], "score": &o.draw[2]})
	if err == nil && o.draw[0] == 0 { // there it adjudicates nothing
		o.draw[1] = 0
	}
	return err
}

func (o *ccOptions) readResign(p *compatArgs) error {
	r := &ccResign{}
	o.resign = r
	var rest []string
	for _, w := range p.words {
		if v, ok := strings.CutPrefix(w, "twosided="); ok {
			r.both = v == "true"
			continue
		}
		rest = append(rest, w)
	}
	p.words = rest
	return p.wholes(map[string]*int{"movecount": &r.count, "score": &r.score})
}

func (o *ccOptions) readSPRT(p *compatArgs) error {
	c := &cgcOptions{}
	err := c.readSPRT(p)
	o.sprt = c.sprt
	for _, key := range []string{"elo0=", "elo1=", "alpha=", "beta="} {
		if err == nil && !slices.ContainsFunc(p.words, func(w string) bool { return strings.HasPrefix(w, key) }) {
			err = badVerdict("-sprt: %s is missing", key)
		}
	}
	return err
}

func (o *ccOptions) readOpenings(p *compatArgs) error {
	x := &ccOpenings{plies: 1024, start: 1, policy: "default"}
	o.openings = x
	err := p.keys([]compatOption{
		{"file=", isHonoured, "", textInto(&x.file)},
		{"format=", isHonoured, "", oneOf(func(string) {}, "epd", "pgn")},
		{"order=", isHonoured, "", secondOf(&x.random, "sequential", "random")},
		{"plies=", isHonoured, "", into(&x.plies, 1)},
		{"start=", isHonoured, "", into(&x.start, 1)},
		{"policy=", isHonoured, "", oneOf(func(v string) { x.policy = v }, "default", "encounter", "round")},
	})
	if err == nil && x.file == "" {
		err = badVerdict("-openings: file= is missing")
	}
	return err
}

func (o *ccOptions) readPGN(p *compatArgs) error {
	if len(p.words) < 1 || len(p.words) > 3 {
		return badVerdict("-pgnout takes FILE [min] [fi]")
	}
	o.pgn = p.words[0]
	for _, w := range p.words[1:] {
		switch w {
		case "min":
			o.minimal = true
		case "fi":
			o.finishedOnly = true
		default:
			return badVerdict("-pgnout %s: %q is neither min nor fi", o.pgn, w)
		}
	}
	return nil
}

// settings are those of Kibitz that come nearest; the schedule is the other program's own.
func (o *ccOptions) settings(names []string) run.Settings {
	s := run.Usual()
	s.Game, s.Concurrency, s.Wait, s.Games = o.game, o.concurrency, o.wait, 1
	limit, model := 60.0, rating.Model("cutechess")
	if f := o.fast; f != nil {
		limit, model, s.Affinity = float64(f.startup)/1000, f.model, f.affinity
		if f.penta {
			s.Games, s.Repeat = 2, true
		}
	}
	for i := range o.engines {
		s.Engine = append(s.Engine, o.engines[i].spec(names[i]))
		limit = max(limit, 60*o.engines[i].scale)
	}
	s.StartLimit = limit
	if d := o.draw; d != nil && d[1] > 0 {
		s.Draw = run.DrawRule{FromMove: 2 * d[0], Count: d[1], Score: float64(d[2])}
	}
	if r := o.resign; r != nil && r.count > 0 {
		s.Resign = run.ResignRule{Count: r.count, Score: float64(r.score)}
	}
	if t := o.sprt; t != nil {
		s.SPRT = &run.Test{SPRT: rating.SPRT{Elo0: t.elo0, Elo1: t.elo1, Alpha: t.alpha, Beta: t.beta, Model: model}}
	}
	if x := o.openings; x != nil {
		s.Openings = &run.Openings{File: x.file, Plies: x.plies, Start: 1}
	}
	return s
}
