// Package gogui knows gogui-twogtp, which plays two engines of GTP against each other:
// its options, its table of results, and what it counts of one. It runs nothing and
// touches no file.
package gogui

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Fate is what becomes of an option here.
type Fate string

// The fates.
const (
	Honoured Fate = "honoured"
	Ignored  Fate = "ignored" // with a warning
	Refused  Fate = "refused"
)

// Option is an option of gogui-twogtp, or -game, which is of Kibitz alone.
type Option struct {
	Name string
	Fate Fate
	// Note is what it means here, in one line; where it is refused, why.
	Note  string
	value bool // it takes one
}

// Known returns every option.
func Known() []Option {
	return []Option{
		{"-game", Honoured, "a game of Kibitz that is played over GTP, such as `nogo`; gogui-twogtp has no such option", true},
		{"-black", Honoured, "command line of the first engine, quoted with `\"`; it runs where Kibitz was started", true},
		{"-white", Honoured, "command line of the second", true},
		{"-referee", Honoured, "command line of a program that is told every move and asked for `final_score`, the column RES_R; who has won " +
			"is Kibitz's to say", true},
		{"-observer", Honoured, "command line of a program that is told every move", true},
		{"-auto", Honoured, "must be there: without it gogui-twogtp is an engine that GoGui steers", false},
		{"-games", Honoured, "number of games, 0 for no end; needs `-sgffile`", true},
		{"-alternate", Honoured, "seats are exchanged in every second game", false},
		{"-openings", Honoured, "a folder of SGF files, in the order of their names; with `-alternate` each is played twice", true},
		{
			"-sgffile", Honoured, "games go into PREFIX-N.sgf, results into the table PREFIX.dat; games that the table has are not played again",
			true,
		},
		{"-force", Honoured, "begin the table anew, and write over the files of `-analyze`", false},
		{"-size", Honoured, "size of the board; that of the game if not given, and not 19", true},
		{"-komi", Honoured, "where the game has a komi; otherwise a warning", true},
		{"-handicap", Honoured, "0; other handicaps are refused: place stones with `-openings`", true},
		{"-time", Honoured, "`BASE[+OVERTIME/MOVES]`, minutes or with `s` seconds; the clock is kept, and an engine can lose on it", true},
		{"-maxmoves", Honoured, "a game that goes on after so many moves is an error of the table; 1000 if not given, -1 for no limit", true},
		{"-threads", Honoured, "games at a time", true},
		{"-debugtocomment", Honoured, "what an engine wrote to standard error about a move is its comment in the SGF file", false},
		{
			"-verbose", Honoured, "prints the engines' lines of each game on standard error when it ends, of the first of several games at a time",
			false,
		},
		{"-config", Honoured, "a file with more options, which count more than those of the command line", true},
		{"-analyze", Honoured, "reads a table and writes NAME.html and NAME.summary.dat beside it", true},
		{"-compare", Honoured, "prints which of the SGF files that follow are duplicates; gogui-twogtp 1.6.0 refuses the files", false},
		{"-xml", Refused, "Kibitz writes SGF; `kibitz convert` knows more formats", false},
		{"-version", Honoured, "says that this is Kibitz", false},
		{"-help", Honoured, "points to this page", false},
	}
}

// Options are what a command line says.
type Options struct {
	Game                                                     string
	Black, White, Referee, Observer                          Command
	Auto, Alternate, Force, DebugToComment, Verbose, Compare bool
	Version, Help                                            bool
	Files                                                    []string // of Compare
	Analyze, Openings, Prefix                                string   // Prefix is that of -sgffile
	Games                                                    int      // 1 if not given; 0 is without end
	Size                                                     int      // 0 if not given
	Komi                                                     string   // a number, empty if not given
	MaxMoves                                                 int      // -1 is no limit
	Threads                                                  int
	Time                                                     Time
}

// Command is a command line. The zero value is none.
type Command string

// Words splits the command line: at blanks, but for what stands between quotation marks,
// which is a word of its own.
func (c Command) Words() []string {
	var out []string
	rest := string(c)
	for rest != "" {
		text, quoted, found := strings.Cut(rest, `"`)
		out = append(out, strings.Fields(text)...)
		if !found {
			break
		}
		if quoted, rest, found = strings.Cut(quoted, `"`); found || quoted != "" {
			out = append(out, quoted)
		}
	}
	return out
}

// Time is a limit of time: Base, and then Overtime for each Moves moves again and again.
// The zero value is no limit, no Overtime is sudden death.
type Time struct {
	Base, Overtime time.Duration
	Moves          int
}

// Read reads a command line. read reads the file that -config names.
func Read(args []string, read func(name string) ([]byte, error)) (*Options, error) {
	given := map[string]string{}
	o := &Options{Games: 1, MaxMoves: 1000, Threads: 1}
	if err := o.split(args, given); err != nil {
		return nil, err
	}
	if name, ok := given["-config"]; ok {
		data, err := read(name)
		if err == nil {
			err = o.split(Command(strings.Join(strings.Split(string(data), "\n"), " ")).Words(), given)
		}
		if err != nil {
			return nil, fmt.Errorf("-config: %w", err)
		}
	}
	for _, name := range []string{"-size", "-games", "-threads", "-maxmoves", "-handicap", "-time", "-komi"} {
		if v, ok := given[name]; ok {
			if err := o.set(name, v); err != nil {
				return nil, fmt.Errorf("%s %s: %w", name, v, err)
			}
		}
	}
	o.take(given)
	return o, o.check(given)
}

// split finds the options and their values; what is neither is a file.
func (o *Options) split(args []string, given map[string]string) error {
	known := map[string]Option{}
	for _, k := range Known() {
		known[k.Name] = k
	}
	for i := 0; i < len(args); i++ {
		name := args[i]
		if name == "--" {
			o.Files = append(o.Files, args[i+1:]...)
			return nil
		}
		if !strings.HasPrefix(name, "-") {
			o.Files = append(o.Files, name)
			continue
		}
		k, ok := known[name]
		switch {
		case !ok:
			return fmt.Errorf("gogui-twogtp: unknown option %q", name)
		case k.Fate == Refused:
			return fmt.Errorf("%s: %s", name, k.Note)
		case !k.value:
			given[name] = ""
		case i+1 == len(args):
			return fmt.Errorf("%s needs a value", name)
		default:
			i++
			given[name] = args[i]
		}
	}
	return nil
}

// take takes what needs no reading.
func (o *Options) take(given map[string]string) {
	for name, dst := range map[string]*bool{
		"-auto": &o.Auto, "-alternate": &o.Alternate, "-force": &o.Force, "-debugtocomment": &o.DebugToComment, "-verbose": &o.Verbose,
		"-compare": &o.Compare, "-version": &o.Version, "-help": &o.Help,
	} {
		_, *dst = given[name]
	}
	o.Game, o.Analyze, o.Openings, o.Prefix = given["-game"], given["-analyze"], given["-openings"], given["-sgffile"]
	for name, dst := range map[string]*Command{"-black": &o.Black, "-white": &o.White, "-referee": &o.Referee, "-observer": &o.Observer} {
		*dst = Command(given[name])
	}
}

// set reads the value of an option.
func (o *Options) set(name, v string) (err error) {
	whole := func(dst *int, from, to int) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < from || n > to {
			return fmt.Errorf("must be a whole number from %d to %d", from, to)
		}
		*dst = n
		return nil
	}
	const most = 1_000_000
	switch name {
	case "-size":
		return whole(&o.Size, 1, 25)
	case "-games":
		return whole(&o.Games, 0, most)
	case "-threads":
		return whole(&o.Threads, 1, 1000)
	case "-maxmoves":
		return whole(&o.MaxMoves, -1, most)
	case "-handicap":
		if n := 0; whole(&n, 0, 0) != nil {
			return errors.New("no game of Kibitz has a handicap; place stones with -openings")
		}
	case "-time":
		o.Time, err = parseTime(v)
	case "-komi":
		o.Komi = strings.ReplaceAll(strings.TrimSpace(v), ",", ".")
		if x, bad := strconv.ParseFloat(o.Komi, 64); o.Komi != "" && (bad != nil || math.IsNaN(x) || math.IsInf(x, 0)) {
			return errors.New("must be a number")
		}
	}
	return err
}

// parseTime reads "base[+overtime/moves]": whole minutes, or seconds with an s.
func parseTime(text string) (t Time, err error) {
	base, more, overtime := strings.Cut(text, "+")
	span := func(text string) time.Duration {
		unit := time.Minute
		text = strings.TrimSpace(text)
		for _, u := range []struct {
			name string
			unit time.Duration
		}{{"min", time.Minute}, {"m", time.Minute}, {"sec", time.Second}, {"s", time.Second}} {
			if rest, ok := strings.CutSuffix(text, u.name); ok {
				text, unit = rest, u.unit
				break
			}
		}
		n, bad := strconv.Atoi(strings.TrimSpace(text))
		if bad != nil || n < 1 || n > 1_000_000 {
			err = errors.New("write BASE[+OVERTIME/MOVES], minutes or with s seconds, for example 10 or 5+30s/10")
		}
		return time.Duration(n) * unit
	}
	t.Base = span(base)
	if overtime {
		each, moves, _ := strings.Cut(more, "/")
		t.Overtime = span(each)
		t.Moves = int(span(moves+"s") / time.Second)
	}
	return t, err
}

// check refuses what cannot be meant.
func (o *Options) check(given map[string]string) error {
	_, games := given["-games"]
	switch {
	case o.Version || o.Help:
		return nil
	case o.Compare:
		if len(o.Files) == 0 {
			return errors.New("-compare: name the SGF files")
		}
		return nil
	case len(o.Files) > 0:
		return fmt.Errorf("gogui-twogtp: %q is no option", o.Files[0])
	case o.Analyze != "":
		return nil
	case len(o.Black.Words()) == 0:
		return errors.New("-black is missing: no program for black")
	case len(o.White.Words()) == 0:
		return errors.New("-white is missing: no program for white")
	case !o.Auto:
		return errors.New("-auto is missing: without it gogui-twogtp is an engine that GoGui steers, which Kibitz is not")
	case games && o.Prefix == "":
		return errors.New("-games needs -sgffile")
	}
	return nil
}
