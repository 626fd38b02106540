package clock

import "time"

// Speed is the class of a time control, by which ratings are kept.
type Speed string

// The classes, by the time that a seat may expect for a game of SpeedTurns turns.
const (
	Bullet    Speed = "bullet"    // less than 3 minutes
	Blitz     Speed = "blitz"     // less than 8 minutes
	Rapid     Speed = "rapid"     // less than 25 minutes
	Classical Speed = "classical" // more
	Untimed   Speed = "untimed"   // no time can run out
)

// SpeedTurns is the length of the game, in turns of a seat, by which controls are
// compared.
const SpeedTurns = 40

// Expected returns the time that a seat can spend in a game of SpeedTurns turns,
// Unlimited without a clock.
func (c Control) Expected() time.Duration {
	if c.None() {
		return Unlimited
	}
	all := c.Main + c.Hourglass + c.Overtime
	if c.Moves > 0 {
		all = c.Main*time.Duration((SpeedTurns-1)/c.Moves+1) + c.Overtime
	}
	perTurn := c.Increment + c.Delay + c.Bronstein
	switch {
	case c.Periods > 0:
		// In byo-yomi a turn can take its share of a period for ever.
		perTurn += c.Period / time.Duration(max(1, c.PeriodMoves))
	case c.Canadian > 0:
		perTurn += c.Canadian / time.Duration(max(1, c.CanadianMoves))
	}
	all += perTurn * SpeedTurns
	if c.Turn > 0 && (all == 0 || all > c.Turn*SpeedTurns) {
		all = c.Turn * SpeedTurns
	}
	return all
}

// SpeedOf returns the class of a game: that of the seat that may take longer.
func SpeedOf(first, second Control) Speed {
	switch d := max(first.Expected(), second.Expected()); {
	case d == Unlimited:
		return Untimed
	case d < 3*time.Minute:
		return Bullet
	case d < 8*time.Minute:
		return Blitz
	case d < 25*time.Minute:
		return Rapid
	}
	return Classical
}
