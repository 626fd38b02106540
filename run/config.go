// Package run holds everything that decides a run: one value, which flags, files, forms,
// the options of other runners and the ladder fill in.
package run

import (
	"reflect"

	"kibitz/run/engines"
	"kibitz/tournament"
)

// Config is everything that decides what a run plays. Its tags give each setting its key
// in files and JSON, its default, and the help of its flag.
type Config struct {
	Game          string            `json:"game" required:"" help:"Game with options, for example gomoku:rule=renju." placeholder:"G"`
	Engine        []engines.Words   `json:"engine" required:"" sep:"none" help:"Engine, key=value words; give it twice or more." placeholder:"S"`
	Each          engines.Words     `json:"each" help:"Defaults for every engine, key=value words." placeholder:"S"`
	Games         int               `json:"games" default:"2" help:"Games per pairing; seats are exchanged after each."`
	Rounds        *int              `json:"rounds" help:"How often the whole is repeated (1); rounds of a Swiss; passes up a ladder." placeholder:"N"`
	Format        tournament.Format `json:"format" default:"roundrobin" help:"roundrobin, double, gauntlet, swiss, knockout, pyramid or ladder."`
	Seeds         int               `json:"seeds" help:"The first N engines run the gauntlet (1), or are placed in the bracket of a knockout, the others by lot." placeholder:"N"`
	Concurrency   int               `json:"concurrency" default:"1" help:"Games at a time."`
	Affinity      string            `json:"affinity" help:"Bind the engines of each game at a time to processors of their own: auto, or a list such as 0,2,4-7; off: also not those that answer at once." placeholder:"auto|LIST|off"`
	Repeat        bool              `json:"repeat" help:"Play each opening or shuffle twice, seats exchanged."`
	FixedSeats    bool              `json:"fixed-seats" help:"The engine named first begins every game."`
	Secret        string            `json:"secret" help:"What was mixed into the seed of a run with hidden facts, as its run.toml tells at the end: with the same --seed it is the same run." placeholder:"HEX"`
	Casual        bool              `json:"casual" help:"Not rated: people may take moves back."`
	Openings      *Openings         `json:"openings" help:"file=F, suite or random=N (within=S level=L), with order=random|sequential start=N plies=N transform=true." placeholder:"S"`
	Seed          uint64            `json:"seed" help:"Seed of everything random; 0 takes one from the system. Where nothing is hidden the same seed is the same run." default:"0"`
	TieBreaks     TieBreaks         `json:"tiebreaks" name:"tiebreaks" help:"What orders engines of equal points, the first first: direct,sb,buchholz,median,wins,ratio,koya." placeholder:"LIST"`
	Points        Points            `json:"points" default:"1/0.5/0" help:"Points for win/draw/loss." placeholder:"W/D/L"`
	SPRT          *Test             `json:"sprt" name:"sprt" help:"Stop when a sequential test of the first engine is decided: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic|normalized|bayesian|cutechess|bayeselo|approximate." placeholder:"S"`
	Draw          DrawRule          `json:"draw" help:"Draw by score: move=40 count=8 score=10." placeholder:"S"`
	Resign        ResignRule        `json:"resign" help:"End by score: count=3 score=900." placeholder:"S"`
	Adjudicate    *Exact            `json:"adjudicate" help:"End games whose result is certain: exact, or \"exact nodes=300000 move=20\"." placeholder:"S"`
	MaxMoves      int               `json:"max-moves" help:"Draw after this many moves of both sides together." placeholder:"N"`
	Illegal       Illegal           `json:"illegal" default:"usual" help:"lose, or retry:N to give N illegal answers per game back; usual gives ten back to an engine of SAU, which is sent error, and lets others lose."`
	ReplayStarved bool              `json:"replay-starved" help:"Play a game again, twice at most, that an engine lost on time while it waited for a processor longer than it was over; the presets of events do."`
	Wait          int               `json:"wait" help:"Milliseconds to wait between two games." placeholder:"MS"`
	StartLimit    float64           `json:"start-limit" default:"20" help:"Seconds an engine has to become ready."`
	Recover       bool              `json:"recover" help:"Start an engine again and again that never became ready; else not after two games."`
	Stall         float64           `json:"stall" default:"600" help:"Seconds an engine without a clock may be silent."`
	Folder        engines.Folder    `json:"-" kong:"-"` // where relative paths count from
}

// Output says where a run is kept and how it is shown.
type Output struct {
	Out            string   `json:"out" help:"Folder for journal, records and logs; default: a dated one." placeholder:"DIR"`
	Report         bool     `json:"report" help:"Write report.html and tables into the folder when the games are over."`
	Record         []string `json:"record" sep:"none" help:"Also write all games into this file; the extension says how. Repeatable." placeholder:"FILE"`
	JSON           bool     `json:"json" name:"json" help:"One JSON object for each game, then a summary."`
	Quiet          bool     `json:"quiet" help:"Print nothing but the final table (or nothing with --json)."`
	Strict         bool     `json:"strict" help:"Exit with 1 if there was any warning or forfeit."`
	Board          bool     `json:"board" help:"Show the final position of each game."`
	TUI            bool     `json:"tui" name:"tui" help:"Show boards, standings and figures on the whole terminal while games run."`
	RatingInterval int      `json:"rating-interval" default:"10" help:"Games between two reports of the standing."`
}

// Settings are all that the file of a run can say.
type Settings struct {
	Config
	Output
	Preset string `json:"preset" help:"Play as an event does where nothing else is said: gomocup, tcga, ccgc or sau." placeholder:"EVENT"`
}

// Usual is what holds where nothing is said. The defaults stand in the tags of the settings.
func Usual() Settings {
	var s Settings
	for _, f := range s.fields() {
		if f.usual != "" {
			if err := set(f.value, "/"+f.key, f.usual); err != nil {
				panic(err) // a default that is no value; a test reads them all
			}
		}
	}
	return s
}

// Plan is the schedule, with what the format takes if nobody says.
func (c *Config) Plan(engines, openings int) tournament.Plan {
	p := tournament.Plan{
		Format: c.Format, Engines: engines, Games: c.Games, Rounds: 1, Seeds: c.Seeds,
		Openings: openings, Repeat: c.Repeat, FixedSeats: c.FixedSeats,
	}
	switch {
	case c.Rounds != nil:
		p.Rounds = *c.Rounds
	case p.Format == tournament.SwissSystem:
		p.Rounds = tournament.SwissRounds(engines)
	}
	if p.Format == tournament.Gauntlet && p.Seeds == 0 {
		p.Seeds = 1
	}
	return p
}

type field struct {
	key, usual string
	value      reflect.Value
}

// fields are the settings in their order.
func (s *Settings) fields() []field { return fieldsOf(reflect.ValueOf(s).Elem()) }

func fieldsOf(v reflect.Value) (out []field) {
	for i := range v.NumField() {
		t := v.Type().Field(i)
		if t.Anonymous {
			out = append(out, fieldsOf(v.Field(i))...)
			continue
		}
		if t.Tag.Get("json") == "-" {
			continue
		}
		out = append(out, field{t.Tag.Get("json"), t.Tag.Get("default"), v.Field(i)})
	}
	return out
}
