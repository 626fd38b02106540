package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"kibitz/game"
	"kibitz/games"
	"kibitz/journal"
	"kibitz/rating"
	"kibitz/record"
	"kibitz/replay"
)

// rated are the games that count for a rating.
type rated struct {
	names []string
	index map[string]int
	// games are in the order of the records.
	games []ratedGame
	// unfinished, nameless and alone are games that do not count: without a result,
	// without names, of one player against itself.
	unfinished, nameless, alone int
	// annulled are games that count for nobody by a ruling, or were never played.
	annulled int
	// waiting are games whose other half is to come, by their place in games; pairs
	// the whole pairs: half points of the player with the lower number.
	waiting map[halfKey][]int
	pairs   map[[2]int]*[5]int
	// couples is how many pairs there are.
	couples int
}

type ratedGame struct {
	first, second int
	// score is that of the first seat: 1, ½ or 0.
	score float64
	round string
	// opening and host are what residuals may be grouped by, couple the number of
	// the pair that the game belongs to, from 1, 0 for none.
	opening, host string
	couple        int
}

// halfKey is what the two games of a pair have in common, and who had the first
// seat.
type halfKey struct {
	first, second  int
	start, opening string
}

// collect reads the records. Faults are told on stderr; the number of files with
// any is returned, and an error if there is nothing to rate.
func (c *rateCmd) collect(a *app) (out *rated, faulty int, err error) {
	out = &rated{index: map[string]int{}, waiting: map[halfKey][]int{}, pairs: map[[2]int]*[5]int{}}
	seen, twice := map[string]bool{}, 0
	var first error
	for _, name := range c.Files {
		files, _, err := runFiles(name)
		if err != nil {
			return nil, 0, err
		}
		pairs := c.Pairs || repeated(name)
		rulings, err := rulingsOf(name)
		if err != nil {
			return nil, 0, err
		}
		for _, file := range files {
			clean := filepath.Clean(file)
			if seen[clean] {
				twice++
				continue
			}
			seen[clean] = true
			list, err := loadRecords(a, file, c.Game, c.From)
			if err != nil {
				faulty++
				fmt.Fprintf(a.stderr, "kibitz: %s\n", oneLine(err))
				if first == nil {
					first = errTold
				}
			}
			for _, g := range list {
				if overruled(g, rulings) {
					out.annulled++
					continue
				}
				out.add(g, pairs)
			}
		}
	}
	if twice > 0 {
		fmt.Fprintf(a.stderr, "kibitz: %s given more than once; games count once\n", count(twice, "file"))
	}
	for _, x := range []struct {
		n    int
		what string
	}{
		{out.unfinished, "without a result"}, {out.annulled, "annulled or won without being played,"}, {out.nameless, "without the players' names"}, {out.alone, "of a player against itself"},
	} {
		if x.n > 0 {
			fmt.Fprintf(a.stderr, "kibitz: %s %s not rated\n", count(x.n, "game"), x.what)
		}
	}
	if len(out.games) == 0 {
		if first == nil {
			first = fmt.Errorf("there is no game to rate among the records")
		}
		return nil, faulty, first
	}
	return out, faulty, nil
}

// rulingsOf returns what people have ruled on the games of a run; a file has none.
func rulingsOf(dir string) (all journal.Rulings, err error) {
	f, err := os.Open(filepath.Join(dir, "journal"))
	if err != nil {
		return all, nil //nolint:nilerr // records can be rated without it
	}
	defer f.Close() //nolint:errcheck // only read
	if err := journal.ReadRulings(f, &all); err != nil {
		return all, fmt.Errorf("%s: the journal cannot be read: %w", dir, err)
	}
	return all, nil
}

// overruled puts a ruling in the place of a game's result. It reports whether the
// game does not count: it was annulled, or awarded without being played.
func overruled(g *record.Game, rulings journal.Rulings) bool {
	if g.Result == nil {
		return false
	}
	res := rulings.Result(g.ID, *g.Result)
	g.Result = &res
	moved := slices.ContainsFunc(g.Steps, func(s record.Step) bool { return s.By.IsPlayer() && !s.Refused })
	return res.Points == [2]float64{} || !moved && res.Reason == game.ByAdjudication && res.Winner() != game.Nobody
}

// repeated reports whether a run played each opening twice.
func repeated(dir string) bool {
	b, err := os.ReadFile(filepath.Join(dir, "run.toml"))
	if err != nil {
		return false
	}
	var f struct {
		Repeat bool `toml:"repeat"`
	}
	return toml.Unmarshal(b, &f) == nil && f.Repeat
}

// add counts a game.
func (r *rated) add(g *record.Game, pairs bool) {
	res := g.Result
	if res == nil { // the rules may know
		if l, err := replay.Play(g, games.OpenSpec); err == nil && l.Illegal == nil {
			res = l.Verdict.Final()
		}
	}
	switch {
	case res == nil || res.Points == [2]float64{}:
		r.unfinished++
		return
	case g.Names[0] == "" || g.Names[1] == "":
		r.nameless++
		return
	case g.Names[0] == g.Names[1]:
		r.alone++
		return
	}
	opening, _ := g.Tag("opening")
	x := ratedGame{
		first: r.player(g.Names[0]), second: r.player(g.Names[1]), score: 0.5, round: g.Round, opening: cmp.Or(opening, g.Start), host: hostOf(g),
	}
	switch res.Winner() {
	case game.First:
		x.score = 1
	case game.Second:
		x.score = 0
	}
	r.games = append(r.games, x)
	if pairs {
		r.pair(len(r.games)-1, g.Start, opening)
	}
}

// hostOf is where a game was played: the tag host, else the place.
func hostOf(g *record.Game) string {
	host, _ := g.Tag("host")
	return cmp.Or(host, g.Place)
}

// player returns the number of a name.
func (r *rated) player(name string) int {
	i, ok := r.index[name]
	if !ok {
		i = len(r.names)
		r.index[name] = i
		r.names = append(r.names, name)
	}
	return i
}

// pair finds the other half of a game: the oldest that waits with seats exchanged
// and the same opening.
func (r *rated) pair(at int, start, opening string) {
	x := &r.games[at]
	other := halfKey{x.second, x.first, start, opening}
	waiting := r.waiting[other]
	if len(waiting) == 0 {
		key := halfKey{x.first, x.second, start, opening}
		r.waiting[key] = append(r.waiting[key], at)
		return
	}
	r.waiting[other] = waiting[1:]
	y := &r.games[waiting[0]]
	r.couples++
	x.couple, y.couple = r.couples, r.couples
	sum, low, high := x.score+1-y.score, x.first, x.second
	if low > high {
		low, high, sum = high, low, 2-sum
	}
	p := r.pairs[[2]int{low, high}]
	if p == nil {
		p = &[5]int{}
		r.pairs[[2]int{low, high}] = p
	}
	p[int(2*sum+0.5)]++
}

// duels sums the games by who sat where.
func (r *rated) duels() []rating.Duel {
	index := map[[2]int]int{}
	var out []rating.Duel
	for _, g := range r.games {
		key := [2]int{g.first, g.second}
		i, ok := index[key]
		if !ok {
			i = len(out)
			index[key] = i
			out = append(out, rating.Duel{First: g.first, Second: g.second})
		}
		switch g.score {
		case 1:
			out[i].Wins++
		case 0:
			out[i].Losses++
		default:
			out[i].Draws++
		}
	}
	return out
}

// made returns what each player made, worst first, and who met.
func made(duels []rating.Duel) (sum map[int][3]float64, met map[[2]int]bool) {
	sum, met = map[int][3]float64{}, map[[2]int]bool{}
	for _, d := range duels {
		a, b := sum[d.First], sum[d.Second]
		sum[d.First] = [3]float64{a[0] + d.Losses, a[1] + d.Draws, a[2] + d.Wins}
		sum[d.Second] = [3]float64{b[0] + d.Wins, b[1] + d.Draws, b[2] + d.Losses}
		met[[2]int{d.First, d.Second}], met[[2]int{d.Second, d.First}] = true, true
	}
	return sum, met
}

// between returns the games of player a against player b as a saw them.
func between(duels []rating.Duel, a, b int) rating.Counts {
	var c [3]float64
	for _, d := range duels {
		switch {
		case d.First == a && d.Second == b:
			c[0], c[1], c[2] = c[0]+d.Losses, c[1]+d.Draws, c[2]+d.Wins
		case d.First == b && d.Second == a:
			c[0], c[1], c[2] = c[0]+d.Wins, c[1]+d.Draws, c[2]+d.Losses
		}
	}
	return rating.Counts{N: c[:]}
}

// pairsBetween returns the whole pairs of player a against player b; false if
// there are none.
func (r *rated) pairsBetween(a, b int) (rating.Counts, bool) {
	p := r.pairs[[2]int{min(a, b), max(a, b)}]
	if p == nil {
		return rating.Counts{}, false
	}
	q := *p
	if a > b {
		slices.Reverse(q[:])
	}
	return rating.Pentanomial(q[0], q[1], q[2], q[3], q[4]), true
}

// halves returns how many games wait for their other half.
func (r *rated) halves() int {
	n := 0
	for _, w := range r.waiting {
		n += len(w)
	}
	return n
}
