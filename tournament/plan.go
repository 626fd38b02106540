// Package tournament decides who plays whom, in which seats, from which opening
// and with which seeds, runs the games side by side and keeps the standings. It
// knows nothing of boards, engines or processes.
package tournament

import (
	"fmt"
	"slices"
	"strings"

	"kibitz/game"
)

// Format says who plays whom.
type Format string

// The formats. Every one of them plays any number of engines from two on.
const (
	// RoundRobin: everyone against everyone.
	RoundRobin Format = "roundrobin"
	// Double is a round robin played twice.
	Double Format = "double"
	// Gauntlet: each of the first engines against every other.
	Gauntlet Format = "gauntlet"
	// SwissSystem: in each round those meet who stand equal and have not met.
	SwissSystem Format = "swiss"
	// KnockoutSystem: who loses a match is out.
	KnockoutSystem Format = "knockout"
	// Pyramid: every newcomer against all before it.
	Pyramid Format = "pyramid"
	// LadderSystem: everyone challenges the one above and takes its place by
	// winning.
	LadderSystem Format = "ladder"
)

// Formats returns all formats.
func Formats() []Format {
	return []Format{RoundRobin, Double, Gauntlet, SwissSystem, KnockoutSystem, Pyramid, LadderSystem}
}

// dependent reports whether who plays whom depends on results.
func (f Format) dependent() bool {
	return f == SwissSystem || f == KnockoutSystem || f == LadderSystem
}

// Plan is what a tournament is to be. Games are computed as they are needed.
type Plan struct {
	// Format says who plays whom; empty is RoundRobin.
	Format Format
	// Engines is how many take part, at least two.
	Engines int
	// Games is how many games each pair plays when it meets, at least one; seats
	// are exchanged after each.
	Games int
	// Rounds is how often the whole is repeated, at least one. In a Swiss it is
	// the number of rounds, on a ladder that of passes from bottom to top; a
	// knockout has as many as it needs.
	Rounds int
	// Seeds is how many engines, the first of all, run the gauntlet, at least one;
	// in a knockout how many are placed in the bracket by their order, the others
	// being drawn by lot, 0 for all.
	Seeds int
	// Lot is the seed of what is drawn by lot.
	Lot [32]byte
	// Openings is how many openings there are to take in turn, 0 for none.
	Openings int
	// Repeat plays each opening (or shuffle) twice with seats exchanged before
	// the next is taken.
	Repeat bool
	// FixedSeats lets the engine with the lower number begin every game.
	FixedSeats bool
}

// Pairing is one game to be played.
type Pairing struct {
	// Index is the number of the game in the plan, from 0.
	Index int
	// Round counts from 1: repetitions of a round robin or gauntlet, newcomers of
	// a pyramid, rounds of a Swiss or knockout, challenges on a ladder; 0 are games
	// that an organiser added. Pair numbers the two engines' meeting in the round
	// from 1.
	Round, Pair int
	// First and Second are the engines in the seats.
	First, Second int
	// Opening is the number of the opening, -1 for none.
	Opening int
	// Shuffle numbers what chance does: games with the same number are dealt the
	// same. Those of games that an organiser added are negative where openings are
	// repeated.
	Shuffle int
	// Award says that the game is not played and whose it is.
	Award Award
	// Replays is how often the game was annulled to be played again.
	Replays int
}

// Award says who is given a game that is not played.
type Award int8

// The awards.
const (
	// Played: the game is played.
	Played Award = iota
	// ToFirst and ToSecond: the engine in that seat wins without playing.
	ToFirst
	ToSecond
	// ToNobody: neither is there; the game is not handed out and counts for nobody.
	ToNobody
)

// Awarded returns the result of a game that is not to be played: it is over before
// it begins, adjudicated after no ply. It is false for all other games.
func (p Pairing) Awarded() (game.Result, bool) {
	switch p.Award {
	case ToFirst:
		return game.Win(game.First, game.ByAdjudication, "not played"), true
	case ToSecond:
		return game.Win(game.Second, game.ByAdjudication, "not played"), true
	}
	return game.Result{}, false
}

// SwissRounds is how many rounds a Swiss has if nobody says: enough for one
// engine at most to have won all, and two more, but no more than can be played
// without meeting twice.
func SwissRounds(engines int) int {
	rounds := 2
	for n := 1; n < engines; n *= 2 {
		rounds++
	}
	return max(1, min(rounds, engines-1+engines%2))
}

// Fault is a setting of a tournament that cannot be meant.
type Fault struct {
	// Setting is its name, Got the value, empty where Want tells it, and Want what would
	// be right.
	Setting, Got, Want string
}

// Error is what somebody reads who gave flags.
func (f *Fault) Error() string { return "--" + f.Text() }

// Text is what others read.
func (f *Fault) Text() string {
	if f.Got == "" {
		return f.Setting + ": " + f.Want
	}
	return f.Setting + " " + f.Got + ": " + f.Want
}

// Check returns why the plan cannot be played.
func (p Plan) Check() error {
	if err := p.CheckShape(); err != nil {
		return err
	}
	if p.most() > MostGames {
		return &Fault{"games", fmt.Sprint(p.Games), fmt.Sprintf("with %d rounds a tournament of %d engines would have more than %d games",
			p.Rounds, p.Engines, MostGames)}
	}
	return nil
}

// CheckShape is Check without the number of games in all, for a tournament whose engines
// are not known yet.
func (p Plan) CheckShape() error {
	switch {
	case p.Format != "" && !slices.Contains(Formats(), p.Format):
		return &Fault{"format", fmt.Sprint(p.Format), fmt.Sprintf("unknown; write one of %s", strings.Trim(fmt.Sprint(Formats()), "[]"))}
	case p.Engines < 2:
		return &Fault{"engine", "", fmt.Sprintf("a match needs at least two engines, %d given", p.Engines)}
	case p.Games < 1:
		return &Fault{"games", fmt.Sprint(p.Games), "must be at least 1"}
	case p.Rounds < 1:
		return &Fault{"rounds", fmt.Sprint(p.Rounds), "must be at least 1"}
	case p.Repeat && p.FixedSeats:
		return &Fault{"repeat", "", "it plays each opening with seats exchanged, fixed seats never exchange them: give one of them"}
	case p.Repeat && p.Format.dependent() && p.Games%2 == 1:
		return &Fault{"repeat", "", fmt.Sprintf("it plays each opening twice: a %s needs an even number of games, not %d", p.Format,
			p.Games)}
	case p.Repeat && p.Games*p.turns()%2 == 1:
		return &Fault{"repeat", "", fmt.Sprintf("it plays each opening twice: two engines need an even number of games, not %d; give %d",
			p.Games, p.Games+1)}
	case p.Format == KnockoutSystem && p.Rounds != 1:
		return &Fault{"rounds", fmt.Sprint(p.Rounds), "a knockout has the rounds that it needs; leave it away"}
	}
	return p.checkSeeds()
}

// Extends returns why a tournament that was begun by the plan old cannot go on by this
// one, which differs in numbers of games and rounds only: all games of the old plan must
// keep their numbers, seats, openings and shuffles.
func (p Plan) Extends(old Plan) error {
	switch {
	case p.Games == old.Games && p.Rounds == old.Rounds:
		return nil
	case p.Games < old.Games:
		return &Fault{"games", fmt.Sprint(p.Games), fmt.Sprintf("the run has %d for each pairing already", old.Games)}
	case p.Rounds < old.Rounds:
		return &Fault{"rounds", fmt.Sprint(p.Rounds), fmt.Sprintf("the run has %d already", old.Rounds)}
	case p.Format.dependent():
		return &Fault{"games", "", fmt.Sprintf("a %s has the games that its rounds give it", p.Format)}
	case p.Games > old.Games && (p.Rounds > 1 || p.Format == Double || p.Format == Pyramid):
		return &Fault{"games", fmt.Sprint(p.Games), "a run of several rounds takes more of them, not longer ones; give --rounds N"}
	case p.Games > old.Games && old.Games%2 == 1 && p.pairs() > 1:
		return &Fault{"games", fmt.Sprint(p.Games), fmt.Sprintf("after %d games for each pairing, an odd number, a run takes more rounds "+
			"only; give --rounds N", old.Games)}
	}
	return nil
}

func (p Plan) checkSeeds() error {
	switch p.Format {
	case Gauntlet:
		if p.Seeds < 1 || p.Seeds >= p.Engines {
			return &Fault{"seeds", fmt.Sprint(p.Seeds), fmt.Sprintf("a gauntlet of %d engines is run by 1 to %d of them", p.Engines, p.Engines-1)}
		}
	case KnockoutSystem:
		if p.Seeds < 0 || p.Seeds > p.Engines {
			return &Fault{"seeds", fmt.Sprint(p.Seeds), fmt.Sprintf("must be from 0 to the number of engines, %d", p.Engines)}
		}
	default:
		if p.Seeds != 0 {
			return &Fault{"seeds", fmt.Sprint(p.Seeds), "goes with the formats gauntlet and knockout only"}
		}
	}
	return nil
}

// wave is a part of a plan in which every pair is known: it plays the same number
// of games, and every pair meets the same openings in the same order.
type wave struct {
	round int
	// start is the number of the first game, before that of games which every pair
	// has had: their place in the list of openings.
	start, before int
	// matches is how many pairs play, games how many games each.
	matches, games int
	// pair is how many pairs of the round come before.
	pair int
	// shuffles is how many shuffles a couple of games of each pair takes.
	shuffles int
	// match returns who plays match k, whoever begins its first game first.
	match func(k int) (first, second int)
}

func (w *wave) len() int { return w.matches * w.games }
func (w *wave) end() int { return w.start + w.len() }

// at returns game number i, which is in the wave. All pairs play two games with
// seats exchanged, then all play the next two, so that a run that is stopped early
// has been fair to everyone.
func (p *Plan) at(w *wave, i int) Pairing {
	rest := i - w.start
	// A couple is two games of one pair; the last may be single.
	couple := rest / (2 * w.matches)
	rest -= couple * 2 * w.matches
	width := min(2, w.games-2*couple)
	k, g := rest/width, 2*couple+rest%width
	a, b := w.match(k)
	if p.FixedSeats {
		a, b = min(a, b), max(a, b)
	} else if g%2 == 1 {
		a, b = b, a
	}
	out := Pairing{Index: i, Round: w.round, Pair: w.pair + k + 1, First: a, Second: b, Opening: -1, Shuffle: i}
	n := w.before + g
	if p.Repeat {
		n /= 2
		out.Shuffle = n*w.shuffles + w.pair + k
	}
	if p.Openings > 0 {
		out.Opening = n % p.Openings
	}
	return out
}

// MostGames is how many games a plan may have: more is a slip, and would not be over in
// a year.
const MostGames = 10_000_000

// most is about how many games there are at most, also where that is no number any more.
func (p *Plan) most() float64 {
	meetings := float64(p.pairs())
	switch p.Format {
	case SwissSystem, KnockoutSystem, LadderSystem:
		meetings = float64(p.Engines)
	}
	return float64(p.Games) * meetings * float64(p.Rounds)
}

// turns is how often two engines meet in the formats that do not depend on results.
func (p *Plan) turns() int {
	if p.Format == Double {
		return 2 * p.Rounds
	}
	return p.Rounds
}

// pairs is at least how many pairs meet in a round.
func (p *Plan) pairs() int {
	if p.Format == Gauntlet {
		return p.Seeds * (p.Engines - p.Seeds)
	}
	return p.Engines * (p.Engines - 1) / 2
}
