package contest

import (
	"maps"
	"math"
	"slices"

	"kibitz/hall/bus"
	"kibitz/tournament"
)

// ConfigShown is a Config as clients read it.
type ConfigShown struct {
	Config
	Rules ShownRules `json:"rules"`
}

// ShownRules are the referee's rules as clients read them.
type ShownRules struct {
	bus.Rules
	Stall float64 `json:"stall,omitempty" doc:"seconds that an engine without a clock may be silent"`
}

// Shown is the Config for clients.
func (c *Config) Shown() ConfigShown {
	return ConfigShown{Config: *c, Rules: ShownRules{Rules: c.Rules, Stall: c.Rules.Stall.Seconds()}}
}

// Row is how an engine stands.
type Row struct {
	Rank  int    `json:"rank" doc:"from 1; those whom no tie-break parts share one; 0, and last, for who is out of the table because its games are annulled"`
	Entry int    `json:"entry" doc:"its number on the list"`
	Name  string `json:"name"`
	// Engine is what is rated.
	Engine    string     `json:"engine"`
	Games     int        `json:"games"`
	Wins      int        `json:"wins"`
	Draws     int        `json:"draws"`
	Losses    int        `json:"losses"`
	Byes      int        `json:"byes,omitempty"`
	Points    float64    `json:"points"`
	TieBreaks []*float64 `json:"tiebreaks" doc:"in the order of the settings; null where one was not asked"`
	Elo       *float64   `json:"elo" doc:"difference to the field that it met; null without one"`
	Error     *float64   `json:"error" doc:"half the width of the 95 % interval"`
	LOS       *float64   `json:"los" doc:"likelihood of being better than the field"`
	Forfeits  int        `json:"forfeits" doc:"games lost by crash, time, an illegal move or another fault"`
	Unplayed  int        `json:"unplayed,omitempty" doc:"games among these that were awarded"`
	Withdrawn string     `json:"withdrawn,omitempty" doc:"award or annul: what became of its games"`
}

// Standings returns how everyone stands, the first first; by the list before the start.
func (s *State) Standings() []Row {
	if s.director == nil {
		out := []Row{}
		for _, e := range s.Present() {
			out = append(out, Row{Rank: 1, Entry: e.Number, Name: e.Name, Engine: e.Engine, TieBreaks: make([]*float64, len(s.Settings.TieBreaks))})
		}
		return out
	}
	byes := byes(s.director)
	var out []Row
	for _, r := range s.director.Ranking(s.Settings.TieBreaks) {
		x, st, est := s.EntryOf(r.Engine), s.director.Standings().Entry(r.Engine), s.director.Estimate(r.Engine)
		row := Row{
			Rank: r.Rank, Entry: x.Number, Name: x.Name, Engine: x.Engine, Games: st.Games, Wins: st.Wins, Draws: st.Draws, Losses: st.Losses,
			Byes: byes[r.Engine], Points: r.Points, Elo: finite(est.Elo), Error: finite(est.Error), LOS: finite(est.LOS),
			Forfeits: st.Crashes + st.Timeouts + st.Illegal + st.Starts + st.Other, Unplayed: st.WonUnplayed + st.LostUnplayed,
			Withdrawn: string(s.gone[r.Engine]),
		}
		for _, v := range r.Values {
			row.TieBreaks = append(row.TieBreaks, finite(v))
		}
		out = append(out, row)
	}
	return out
}

// finite returns a figure that JSON can hold, nil for others.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	x += 0 // no -0
	return &x
}

// byes are those of the engines in a Swiss.
func byes(d *tournament.Director) map[int]int {
	out := map[int]int{}
	if sw, ok := d.Format().(*tournament.Swiss); ok {
		for _, r := range sw.Table() {
			out[r.Engine] = r.Byes
		}
	}
	return out
}

// Meeting is all that two entries played against each other.
type Meeting struct {
	// A and B are numbers of entries, A the lower; figures are from A's view.
	A      int        `json:"a"`
	B      int        `json:"b"`
	Wins   int        `json:"wins"`
	Draws  int        `json:"draws"`
	Losses int        `json:"losses"`
	Points [2]float64 `json:"points" doc:"as results count: 1, ½, 0"`
	// Pairs counts the two games on an opening with seats exchanged, by half points.
	Pairs *[5]int `json:"pairs,omitempty" doc:"pairs of games with seats exchanged in which A made 0, ½, 1, 1½, 2 points; only where openings are repeated"`
	Games []Link  `json:"games"`
}

// Link leads to a game.
type Link struct {
	Label string `json:"label" doc:"the game's number, with how often it was played"`
	// Score is A's: 1, 0.5 or 0.
	Score float64 `json:"score"`
	// First tells that A had the first seat.
	First   bool `json:"first"`
	Awarded bool `json:"awarded,omitempty"`
	Ruled   bool `json:"ruled,omitempty"`
}

// counts reports whether a game counts in the standings.
func (s *State) counts(g *Played) bool {
	return g.Over != nil && !g.Annulled && isVerdict(g.Over.Points) && s.gone[g.First] != tournament.Annulled &&
		s.gone[g.Second] != tournament.Annulled
}

// Dropped returns the games that ended with a verdict and count for nobody, since an engine
// has withdrawn whose games were annulled, with the name of that engine.
func (s *State) Dropped() (games []Game, names []string) {
	if !slices.Contains(slices.Collect(maps.Values(s.gone)), tournament.Annulled) {
		return nil, nil
	}
	for i := range s.Games {
		g := &s.Games[i]
		if g.Over == nil || g.Annulled || g.Awarded || !isVerdict(g.Over.Points) {
			continue
		}
		for _, engine := range [2]int{g.First, g.Second} {
			if s.gone[engine] == tournament.Annulled {
				games, names = append(games, g.Game), append(names, s.EntryOf(engine).Name)
				break
			}
		}
	}
	return games, names
}

// Cross returns who made what against whom, for everyone who has met, in the order of
// their numbers.
func (s *State) Cross() []Meeting {
	at := map[[2]int]int{}
	out := []Meeting{}
	halves := map[[3]int][2]int{} // by A, B and shuffle: half points and one more, by A's seat
	for i := range s.Games {
		g := &s.Games[i]
		if !s.counts(g) {
			continue
		}
		a, b, seat := s.field[g.First], s.field[g.Second], 0
		if a > b {
			a, b, seat = b, a, 1
		}
		k, ok := at[[2]int{a, b}]
		if !ok {
			k = len(out)
			at[[2]int{a, b}] = k
			out = append(out, Meeting{A: a, B: b, Games: []Link{}})
		}
		m := &out[k]
		m.add(g, seat)
		if s.Settings.Repeat && !g.Awarded {
			h := halves[[3]int{a, b, g.Shuffle}]
			h[seat] = int(2*g.Over.Points[seat]) + 1
			halves[[3]int{a, b, g.Shuffle}] = h
		}
	}
	for key, h := range halves {
		m := &out[at[[2]int{key[0], key[1]}]]
		if m.Pairs == nil {
			m.Pairs = new([5]int)
		}
		if h[0] > 0 && h[1] > 0 {
			m.Pairs[h[0]+h[1]-2]++
		}
	}
	slices.SortFunc(out, func(x, y Meeting) int {
		if x.A != y.A {
			return x.A - y.A
		}
		return x.B - y.B
	})
	return out
}

// add counts a game in which A has a seat.
func (m *Meeting) add(g *Played, seat int) {
	x := g.Over.Points[seat]
	m.Points[0] += x
	m.Points[1] += g.Over.Points[1-seat]
	switch x {
	case 1:
		m.Wins++
	case 0:
		m.Losses++
	default:
		m.Draws++
	}
	m.Games = append(m.Games, Link{Label: g.Label(), Score: x, First: seat == 0, Awarded: g.Awarded, Ruled: g.Ruled})
}

// Line is a game of the schedule.
type Line struct {
	Number  int         `json:"number" doc:"from 1"`
	Label   string      `json:"label" doc:"the number, with how often it was played"`
	Round   int         `json:"round" doc:"from 1; 0 for games that were paired by hand"`
	Pair    int         `json:"pair"`
	First   int         `json:"first" doc:"entry in the first seat"`
	Second  int         `json:"second"`
	Opening string      `json:"opening,omitempty"`
	State   string      `json:"state" enum:"waiting,playing,over,void,dropped" doc:"void: it ended without a verdict; dropped: it is not to be played"`
	Points  *[2]float64 `json:"points,omitempty"`
	Reason  string      `json:"reason,omitempty"`
	Detail  string      `json:"detail,omitempty"`
	Plies   int         `json:"plies,omitempty"`
	Awarded bool        `json:"awarded,omitempty"`
	Ruled   bool        `json:"ruled,omitempty" doc:"a director has set another result"`
	Counts  bool        `json:"counts"`
}

// Schedule returns up to limit games from a number on, from 1, and how many are known.
// Where games depend on results those of later rounds are not.
func (s *State) Schedule(from, limit int) (lines []Line, known int) {
	lines = []Line{}
	if s.director == nil {
		return lines, 0
	}
	known = knownGames(s.director)
	for i := max(0, from-1); i < known && len(lines) < limit; i++ {
		p, ok := s.director.Find(i)
		if !ok {
			break
		}
		lines = append(lines, s.line(p))
	}
	return lines, known
}

// knownGames is how many numbers of games are in use. They have no gaps.
func knownGames(d *tournament.Director) int {
	low, high := 0, 1
	has := func(i int) bool { _, ok := d.Find(i); return ok }
	for has(high - 1) {
		low, high = high, 2*high
	}
	for low < high-1 {
		if mid := (low + high) / 2; has(mid - 1) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// line is a game as the schedule has it: the latest time that it was handed out.
func (s *State) line(p tournament.Pairing) Line {
	g, state := Played{Game: gameOf(p)}, "waiting"
	if p.Award == tournament.ToNobody {
		state = "dropped"
	}
	if at, ok := s.latest[p.Index]; ok && s.Games[at].Replays == p.Replays {
		g, state = s.Games[at], "playing"
		if g.Over != nil {
			state = "over"
			if !isVerdict(g.Over.Points) {
				state = "void"
			}
		}
	}
	return s.lineOf(&g, state)
}

func (s *State) lineOf(g *Played, state string) Line {
	l := Line{
		Number: g.Index + 1, Label: g.Label(), Round: g.Round, Pair: g.Pair, First: s.field[g.First], Second: s.field[g.Second], State: state,
		Awarded: g.Awarded, Ruled: g.Ruled, Counts: s.counts(g),
	}
	if g.Opening >= 0 && g.Opening < len(s.Openings) {
		l.Opening = s.Openings[g.Opening].Name
	}
	if o := g.Over; o != nil {
		points := o.Points
		l.Points, l.Reason, l.Detail, l.Plies = &points, string(o.Reason), o.Detail, o.Plies
	}
	return l
}

// Running returns the games that are being played, as lines of the schedule.
func (s *State) Running() []Line {
	out := []Line{}
	for _, g := range s.Playing() {
		out = append(out, s.lineOf(&Played{Game: g}, "playing"))
	}
	return out
}

// Count returns how many games count and how many will at the end, as far as is known:
// tournament.Director.Progress.
func (s *State) Count() (over, all int) {
	if s.director == nil {
		return 0, 0
	}
	return s.director.Progress()
}

// Match is a match of a knockout.
type Match struct {
	Round     int        `json:"round"`
	Of        int        `json:"of" doc:"how many rounds there are"`
	First     int        `json:"first"`
	Second    int        `json:"second,omitempty" doc:"no entry for a bye"`
	Points    [2]float64 `json:"points"`
	Rematches int        `json:"rematches,omitempty"`
	Winner    int        `json:"winner,omitempty"`
	Placed    bool       `json:"placed,omitempty" doc:"all rematches were tied, and the higher place decided"`
}

// Bracket returns the matches of a knockout.
func (s *State) Bracket() (out []Match) {
	if s.director == nil {
		return nil
	}
	k, ok := s.director.Format().(*tournament.Knockout)
	if !ok {
		return nil
	}
	number := func(engine int) int {
		if engine < 0 {
			return 0
		}
		return s.field[engine]
	}
	for _, m := range k.Bracket() {
		out = append(out, Match{m.Round, m.Of, number(m.First), number(m.Second), m.Points, m.Rematches, number(m.Winner), m.Placed})
	}
	return out
}

// Places returns the entries of a ladder from the top.
func (s *State) Places() (out []int) {
	if s.director == nil {
		return nil
	}
	if l, ok := s.director.Format().(*tournament.Ladder); ok {
		for _, e := range l.Places() {
			out = append(out, s.field[e])
		}
	}
	return out
}
