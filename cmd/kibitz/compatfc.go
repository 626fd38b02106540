package main

import (
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/google/shlex"

	"kibitz/rating"
)

// fcOptions are the options that fastchess has and cutechess-cli has not.
type fcOptions struct {
	// penta counts pairs of games with seats exchanged.
	penta bool
	// cutechess prints cutechess-cli's lines.
	cutechess     bool
	scoreInterval int
	model         rating.Model
	startup       int // milliseconds to get ready
	seed          *uint64
	affinity      string // the processors for engines, empty for none of their own
}

// readFC reads the command line of fastchess.
func readFC(args []string, warn func(string)) (*ccOptions, error) {
	o := newFCOptions()
	if err := o.read(args, fcTable(o), warn, "-engine", "-each"); err != nil {
		return nil, err
	}
	if err := o.settle(); err != nil {
		return nil, err
	}
	return o, o.finish(warn)
}

func newFCOptions() *ccOptions {
	return &ccOptions{
		format: "roundrobin", concurrency: 1, games: 2, rounds: 2, seeds: 1, ratingInterval: 10, event: "Fastchess Tournament",
		fast: &fcOptions{penta: true, scoreInterval: 1, startup: 10_000},
	}
}

// settle brings what was given together, as fastchess does.
func (o *ccOptions) settle() error {
	f := o.fast
	if o.games > 2 {
		if o.games, o.rounds = o.rounds, o.games; o.games > 2 {
			return badVerdict("-games %d: each pair plays one game or two in a round; write -rounds N", o.rounds)
		}
	}
	if o.concurrency <= 0 {
		o.concurrency = max(1, runtime.NumCPU()+o.concurrency)
	}
	f.penta = f.penta && !f.cutechess && o.games == 2 && !o.noswap && f.model != rating.Bayesian
	return nil
}

// fcTable is what fastchess knows and what becomes of it: what cutechess-cli knows too,
// but for the differences.
func fcTable(o *ccOptions) []compatOption {
	own := fcDifferences(o)
	absent := []string{"-outcomeinterval", "-resultformat", "-bookmode", "-engines"}
	var out []compatOption
	for _, row := range ccTable(o) {
		switch other := findOption(own, row.name); {
		case slices.Contains(absent, row.name):
		case other != nil:
			out = append(out, *other)
		default:
			out = append(out, row)
		}
	}
	for _, row := range own {
		if findOption(out, row.name) == nil {
			out = append(out, row)
		}
	}
	return out
}

// fcDifferences are the options that cutechess-cli has not, or otherwise.
func fcDifferences(o *ccOptions) []compatOption {
	const (
		chess  = "for chess, which Kibitz does not play"
		uci    = "it belongs to UCI"
		config = "no such file is written; `kibitz compat --out DIR` keeps the run"
	)
	f := o.fast
	if f == nil { // the table is only read
		f = &fcOptions{}
	}
	return []compatOption{
		{
			"-tournament", isHonoured, "`roundrobin` `gauntlet`, with the same pairings in the same order",
			oneOf(func(v string) { o.format = v }, "roundrobin", "gauntlet"),
		},
		{"-concurrency", isHonoured, "games at a time; from 0 down, so many fewer than processors", into(&o.concurrency, -1000)},
		{"-games", isHonoured, "games of each pair in a round, 1 or 2; 2 if not given", into(&o.games, 1)},
		{"-rounds", isHonoured, "how often the whole is played; 2 if not given", into(&o.rounds, 1)},
		{"-repeat", isHonoured, "two games of each pair in a round, or N", func(p *compatArgs) (err error) {
			if o.games = 2; len(p.words) > 0 {
				o.games, err = p.number(1)
			}
			return err
		}},
		{"-seeds", isHonoured, "the first N engines run the gauntlet", into(&o.seeds, 1)},
		{"-draw", isHonoured, "`movenumber=` `movecount=` `score=` in the unit in which the engines report", o.readFastDraw},
		{"-resign", isHonoured, "`movecount=` `score=` `twosided=`, likewise", o.readFastResign},
		{"-maxmoves", isHonoured, "a draw after so many moves of each side, those of the opening not counted", into(&o.maxMoves, 1)},
		{"-sprt", isHonoured, "`elo0=` `elo1=` `alpha=` `beta=` `model=normalized\\|logistic\\|bayesian`", o.readFastSPRT},
		{"-ratinginterval", isHonoured, "pairs, or games, between two lists of the standing; 10 if not given", into(&o.ratingInterval, 0)},
		{"-debug", isRefused, "fastchess has no such option; `kibitz compat --out DIR` keeps the engines' lines", nil},
		{"-openings", isHonoured, "`file=` `format=` `order=` `plies=` `start=` `policy=round`; files are read in any form that Kibitz knows, " +
			"whatever `format` says; with `-srand` the same order as there", o.readFastOpenings},
		{"-pgnout", isHonoured, "`file=` `append=` `min=`; moves are written as the game writes them, and what `nodes=` and its like ask for " +
			"is not written", o.readFastPGN},
		{
			"-epdout", isHonoured, "`file=` `append=`; final positions as the game writes them",
			func(p *compatArgs) error { return p.fileInto(&o.epd, &o.freshEPD) },
		},
		{"-srand", isHonoured, "the order of openings, the same as there", func(p *compatArgs) error {
			v, err := p.one()
			if err != nil {
				return err
			}
			n, err := strconv.ParseUint(v, 10, 64)
			if f.seed = &n; err != nil {
				return badVerdict("-srand %s: must be a whole number from 0 to 18446744073709551615", v)
			}
			return nil
		}},
		{"-scoreinterval", isHonoured, "games between two scores, with `-output format=cutechess`", into(&f.scoreInterval, 0)},
		{"-report", isHonoured, "`penta=`: count pairs of games, which is so if not given", func(p *compatArgs) error {
			return p.keys([]compatOption{{"penta=", isHonoured, "", secondOf(&f.penta, "false", "true")}})
		}},
		{"-output", isHonoured, "`format=fastchess\\|cutechess`", func(p *compatArgs) error {
			return p.keys([]compatOption{{"format=", isHonoured, "", secondOf(&f.cutechess, "fastchess", "cutechess")}})
		}},
		{"-quick", isHonoured, "`cmd=` `cmd=` `book=`: two engines, 10+0.1, 25000 rounds, openings by lot", o.readQuick},
		{"-startup-ms", isHonoured, "milliseconds that an engine has to start, 10000 if not given", into(&f.startup, 1)},
		{
			"-config", isHonoured, "`file=` is refused, as a run is not taken up from such a file; `outname=` `discard=` `stats=` are ignored",
			func(p *compatArgs) error {
				return p.keys([]compatOption{
					{"file=", isRefused, "a run is not taken up from a file of fastchess; write its options, or keep a run with kibitz match --out DIR " +
						"and take it up with kibitz resume DIR", nil},
					{"outname=", isIgnored, config, nil},
					{"discard=", isIgnored, config, nil},
					{"stats=", isIgnored, config, nil},
				})
			},
		},
		{"-autosaveinterval", isIgnored, config, nil},
		{"-log", isIgnored, "`kibitz compat --out DIR` keeps the engines' lines", nil},
		{"-force-concurrency", isIgnored, "more games at a time than processors are played anyway", nil},
		{
			"-use-affinity", isHonoured, "engines on processors of their own, all or those listed; refused if there are too few",
			func(p *compatArgs) (err error) {
				if f.affinity = "auto"; len(p.words) > 0 {
					f.affinity, err = p.one()
				}
				return err
			},
		},
		{"-show-latency", isIgnored, "what engines say of their time is not compared", nil},
		{"-strict", isIgnored, "no warning ends a run; what is refused ends it before its first game", nil},
		{"-testEnv", isIgnored, "it is for the servers of fastchess's own field", nil},
		{"-crc32", isIgnored, "no sum of -pgnout is made", nil},
		{"-tbadjudicate", isIgnored, chess, nil},
		{"-check-mate-pvs", isIgnored, chess, nil},
		{"-ucinewgame-ms", isIgnored, uci, nil},
		{"-ping-ms", isIgnored, uci, nil},
		{"--compliance", isRefused, "it tests engines of UCI; `kibitz check` tests an engine of a protocol of Kibitz", nil},
	}
}

// fcEngineTable are the keys of an engine.
func fcEngineTable(e *ccEngine) []compatOption {
	out := []compatOption{
		{"args=", isHonoured, "arguments of the engine, split as a shell does", func(p *compatArgs) (err error) {
			v, err := p.one()
			if err != nil {
				return err
			}
			if e.args, err = shlex.Split(v); err != nil {
				return badVerdict("%s=%s: %v", p.flag, v, err)
			}
			return nil
		}},
		{"restart=", isHonoured, "`on` `off`", oneOf(func(v string) { e.restart = ccRestart(v) }, "on", "off")},
		{"proto=", isHonoured, "a protocol of Kibitz for the game; `uci` is refused", textInto(&e.proto)},
		{"tc=", isHonoured, "`MOVES/TIME+INCREMENT`, `inf`; may be missing with `depth=` or `nodes=`", func(p *compatArgs) error {
			v, err := p.one()
			switch {
			case err != nil:
				return err
			case strings.Contains(v, "hg"):
				return badVerdict("%s=%s: fastchess knows no hourglass", p.flag, v)
			}
			return e.tc.parse(plainTC(v))
		}},
		{"plies=", isHonoured, "the same as `depth=`", into(&e.depth, 1)},
	}
	shared := []string{"name=", "cmd=", "dir=", "st=", "timemargin=", "depth=", "nodes=", "option."}
	for _, row := range ccEngineTable(e) {
		if slices.Contains(shared, row.name) {
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

func (o *ccOptions) readFastDraw(p *compatArgs) error {
	o.draw = &[3]int{0, 1, 0}
	return p.keys([]compatOption{
		{"movenumber=", isHonoured, "", into(&o.draw[0], 0)},
		{"movecount=", isHonoured, "", into(&o.draw[1], 1)},
		{"score=", isHonoured, "", into(&o.draw[2], 0)},
	})
}

func (o *ccOptions) readFastResign(p *compatArgs) error {
	o.resign = &ccResign{count: 1}
	return p.keys([]compatOption{
		{"movecount=", isHonoured, "", into(&o.resign.count, 1)},
		{"score=", isHonoured, "", into(&o.resign.score, 0)},
		{"twosided=", isHonoured, "", secondOf(&o.resign.both, "false", "true")},
	})
}

func (o *ccOptions) readFastSPRT(p *compatArgs) error {
	t := &cgcSPRT{}
	o.sprt, o.fast.model = t, rating.Normalized
	return p.keys([]compatOption{
		{"elo0=", isHonoured, "", numberInto(&t.elo0)},
		{"elo1=", isHonoured, "", numberInto(&t.elo1)},
		{"alpha=", isHonoured, "", numberInto(&t.alpha)},
		{"beta=", isHonoured, "", numberInto(&t.beta)},
		{"model=", isHonoured, "", oneOf(func(v string) { o.fast.model = rating.Model(v) }, "normalized", "logistic", "bayesian")},
	})
}

func (o *ccOptions) readFastOpenings(p *compatArgs) error {
	err := o.readOpenings(p)
	if err == nil && !slices.Contains([]string{"default", "round"}, o.openings.policy) {
		err = badVerdict("-openings policy=%s: fastchess knows round only", o.openings.policy)
	}
	return err
}

// fileInto reads the words of a file that is appended to unless append=false stands
// there; further are other words.
func (p *compatArgs) fileInto(name *string, fresh *bool, further ...compatOption) error {
	err := p.keys(append([]compatOption{
		{"file=", isHonoured, "", textInto(name)},
		{"append=", isHonoured, "", secondOf(fresh, "true", "false")},
	}, further...))
	if err == nil && *name == "" {
		err = badVerdict("%s: file= is missing", p.flag)
	}
	return err
}

func (o *ccOptions) readFastPGN(p *compatArgs) error {
	further := []compatOption{
		{"min=", isHonoured, "", secondOf(&o.minimal, "false", "true")},
		{"notation=", isIgnored, "moves are written as the game writes them", nil},
	}
	for _, key := range []string{"nodes=", "seldepth=", "nps=", "hashfull=", "tbhits=", "timeleft=", "latency=", "pv=", "match_line="} {
		further = append(further, compatOption{
			key, isIgnored, "it is not written; `kibitz compat --out DIR` keeps what engines said in records",
			nil,
		})
	}
	return p.fileInto(&o.pgn, &o.freshPGN, further...)
}

// readQuick reads the short form of a match; what is given after it counts more.
func (o *ccOptions) readQuick(p *compatArgs) error {
	var engines []string
	x := &ccOpenings{random: true, plies: 1024, start: 1, policy: "default"}
	err := p.keys([]compatOption{
		{"cmd=", isHonoured, "", func(p *compatArgs) error {
			engines = append(engines, p.words...)
			return nil
		}},
		{"book=", isHonoured, "", textInto(&x.file)},
	})
	switch {
	case err != nil:
		return err
	case len(engines) != 2:
		return badVerdict("-quick takes two cmd=, %d are given", len(engines))
	case x.file == "":
		return badVerdict("-quick: book= is missing")
	}
	for i, cmd := range engines {
		name := filepath.ToSlash(cmd)
		if engines[0] == engines[1] {
			name += strconv.Itoa(i + 1)
		}
		o.engineWords = append(o.engineWords, []string{"cmd=" + cmd, "name=" + name, "tc=10+0.1"})
	}
	o.openings, o.recovering, o.games, o.rounds = x, true, 2, 25000
	o.draw = &[3]int{30, 8, 8}
	o.concurrency = max(1, runtime.NumCPU()-2)
	o.fast.cutechess = true
	return nil
}
