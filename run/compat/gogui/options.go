// Package gogui plays what was written for gogui-twogtp, which plays two engines of GTP
// against each other: it reads its options and its table of results, counts games as it
// does, and writes its files.
package gogui

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kibitz/run/compat"
)

// Options are what a command line says.
type Options struct {
	Game                                                     string
	Black, White, Referee, Observer                          Command
	Auto, Alternate, Force, DebugToComment, Verbose, Compare bool
	Files                                                    []string // of Compare
	Analyze, Openings, Prefix                                string   // Prefix is that of -sgffile
	Games                                                    int      // 1 if not given; 0 is without end
	Size                                                     int      // 0 if not given
	Komi                                                     string   // a number, empty if not given
	MaxMoves                                                 int      // -1 is no limit
	Threads                                                  int
	Time                                                     Time
	config                                                   string
	counted                                                  bool // Games is given
}

// Known returns every option, and -game, which is of Kibitz alone.
func Known(o *Options) []compat.Option {
	const most = 1_000_000
	return []compat.Option{
		compat.Take("-game", "a game of Kibitz that is played over GTP, such as `nogo`; gogui-twogtp has no such option", compat.Text(&o.Game)),
		compat.Take("-black", "command line of the first engine, quoted with `\"`; it runs where Kibitz was started", compat.Text(&o.Black)),
		compat.Take("-white", "command line of the second", compat.Text(&o.White)),
		compat.Take("-referee", "command line of a program that is sent every move and asked for `final_score`, the column RES_R; who has won "+
			"is Kibitz's to say", compat.Text(&o.Referee)),
		compat.Take("-observer", "command line of a program that is sent every move", compat.Text(&o.Observer)),
		compat.Take("-auto", "must be there: without it gogui-twogtp is an engine that GoGui steers", compat.On(&o.Auto)),
		compat.Take("-games", "number of games, 0 for no end; needs `-sgffile`", func(p *compat.Args) error {
			o.counted = true
			return compat.Within(&o.Games, 0, most)(p)
		}),
		compat.Take("-alternate", "seats are exchanged in every second game", compat.On(&o.Alternate)),
		compat.Take("-openings", "a folder of SGF files, in the order of their names; with `-alternate` each is played twice",
			compat.Text(&o.Openings)),
		compat.Take("-sgffile", "games go into PREFIX-N.sgf, results into the table PREFIX.dat; games that the table has are not played again",
			compat.Text(&o.Prefix)),
		compat.Take("-force", "begin the table again, and write over the files of `-analyze`", compat.On(&o.Force)),
		compat.Take("-size", "size of the board; that of the game if not given, and not 19", compat.Within(&o.Size, 1, 25)),
		compat.Take("-komi", "where the game has a komi; otherwise a warning", compat.One(o.readKomi)),
		compat.Take("-handicap", "0; other handicaps are refused: place stones with `-openings`", compat.One(func(p *compat.Args, v string) error {
			if n, err := strconv.Atoi(v); err != nil || n != 0 {
				return p.Must(v, "no game of Kibitz has a handicap; place stones with -openings")
			}
			return nil
		})),
		compat.Take("-time", "`BASE[+OVERTIME/MOVES]`, minutes or with `s` seconds; the clock is kept, and an engine can lose on it",
			compat.One(func(p *compat.Args, v string) (err error) {
				if o.Time, err = parseTime(v); err != nil {
					return p.Must(v, "%v", err)
				}
				return nil
			})),
		compat.Take("-maxmoves", "a game that goes on after so many moves is an error of the table; 1000 if not given, -1 for no limit",
			compat.Within(&o.MaxMoves, -1, most)),
		compat.Take("-threads", "games at a time", compat.Within(&o.Threads, 1, 1000)),
		compat.Take("-debugtocomment", "what an engine wrote to standard error about a move is its comment in the SGF file",
			compat.On(&o.DebugToComment)),
		compat.Take("-verbose", "prints the engines' lines of each game on standard error when it ends, of the first of several games at a time",
			compat.On(&o.Verbose)),
		compat.Take("-config", "a file with more options, which count more than those of the command line", compat.Text(&o.config)),
		compat.Take("-analyze", "reads a table and writes NAME.html and NAME.summary.dat beside it", compat.Text(&o.Analyze)),
		compat.Take("-compare", "prints which of the SGF files that follow are duplicates; gogui-twogtp 1.6.0 refuses the files",
			func(p *compat.Args) error {
				o.Compare = true
				return compat.All(&o.Files)(p)
			}),
		compat.Refuse("-xml", "Kibitz writes SGF; `kibitz convert` knows more formats"),
		compat.Take("-version", "says that this is Kibitz", compat.None),
		compat.Take("-help", "points to this page", compat.None),
	}
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
	o := &Options{Games: 1, MaxMoves: 1000, Threads: 1}
	if i := slices.Index(args, "--"); i >= 0 {
		o.Files, args = args[i+1:], args[:i]
	}
	take := func(args []string) error {
		return compat.Read("gogui-twogtp", args, Known(o), compat.IsFlag, func(string) {})
	}
	if err := take(args); err != nil {
		return nil, err
	}
	if o.config != "" {
		data, err := read(o.config)
		if err == nil {
			err = take(Command(strings.ReplaceAll(string(data), "\n", " ")).Words())
		}
		if err != nil {
			return nil, fmt.Errorf("-config: %w", err)
		}
	}
	return o, o.check()
}

func (o *Options) readKomi(p *compat.Args, v string) error {
	o.Komi = strings.ReplaceAll(strings.TrimSpace(v), ",", ".")
	if x, err := strconv.ParseFloat(o.Komi, 64); o.Komi != "" && (err != nil || math.IsNaN(x) || math.IsInf(x, 0)) {
		return p.Must(v, "must be a number")
	}
	return nil
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
func (o *Options) check() error {
	switch {
	case o.Compare && len(o.Files) == 0:
		return errors.New("-compare: name the SGF files")
	case o.Compare || o.Analyze != "":
		return nil
	case len(o.Files) > 0:
		return fmt.Errorf("gogui-twogtp: %q is no option", o.Files[0])
	case len(o.Black.Words()) == 0:
		return errors.New("-black is missing: no program for black")
	case len(o.White.Words()) == 0:
		return errors.New("-white is missing: no program for white")
	case !o.Auto:
		return errors.New("-auto is missing: without it gogui-twogtp is an engine that GoGui steers, which Kibitz is not")
	case o.counted && o.Prefix == "":
		return errors.New("-games needs -sgffile")
	}
	return nil
}
