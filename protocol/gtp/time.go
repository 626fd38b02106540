package gtp

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kibitz/clock"
)

// settings writes the time control as the commands can say it: time_settings, or
// kgs-time_settings if the engine lists it. exact is false where the protocol
// has no words for the control and the nearest ones were taken; time_left then
// keeps the engine right.
func settings(c clock.Control, kgs bool) (command string, exact bool) {
	main := secs(c.Main)
	plain := func(m, period, stones int) string { return fmt.Sprintf("time_settings %d %d %d", m, period, stones) }
	switch {
	case c.None():
		if kgs {
			return "kgs-time_settings none", true
		}
		return plain(0, 1, 0), true // a period without stones means no limit
	case !c.Timed():
		return plain(0, up(c.Turn), 1), true
	case c.Canadian > 0:
		if kgs {
			return fmt.Sprintf("kgs-time_settings canadian %d %d %d", main, secs(c.Canadian), max(1, c.CanadianMoves)), c.Turn == 0
		}
		return plain(main, secs(c.Canadian), max(1, c.CanadianMoves)), c.Turn == 0
	case c.Periods > 0:
		if kgs && c.PeriodMoves <= 1 {
			return fmt.Sprintf("kgs-time_settings byoyomi %d %d %d", main, secs(c.Period), c.Periods), c.Turn == 0
		}
		return plain(main, secs(c.Period), max(1, c.PeriodMoves)), false
	case c.Moves > 0 && c.Main > 0:
		return plain(0, main, c.Moves), c.Increment == 0 && c.Turn == 0
	case c.Hourglass > 0:
		return plain(secs(c.Hourglass), 0, 0), false
	}
	left := c.Main
	if left <= 0 { // an increment or a delay alone
		left = c.Increment + c.Delay + c.Bronstein
	}
	if kgs {
		return fmt.Sprintf("kgs-time_settings absolute %d", secs(left)), bare(c)
	}
	return plain(secs(left), 0, 0), bare(c)
}

// bare reports whether the control is sudden death and nothing else.
func bare(c clock.Control) bool {
	return c.Increment == 0 && c.Delay == 0 && c.Bronstein == 0 && c.Overtime == 0 && c.Turn == 0
}

// secs rounds down to whole seconds, but never to none: nobody is promised more
// than there is, and 0 would mean that the stage does not exist.
func secs(d time.Duration) int {
	if d <= 0 {
		return 0
	}
	return max(1, int(d/time.Second))
}

func up(d time.Duration) int { return max(1, int((d+time.Second-1)/time.Second)) }

// appendLeft writes the arguments of time_left: seconds and stones, 0 stones while
// the main time runs. KGS counts the byo-yomi periods that are left instead.
func appendLeft(dst []byte, k clock.Clock, kgs bool) []byte {
	left, stones := k.Remaining(), 0
	switch {
	case kgs && k.Stage == clock.InPeriods && k.Control.PeriodMoves <= 1:
		stones = max(1, k.Periods)
	case k.Stage == clock.InCanadian || k.Stage == clock.InPeriods:
		stones = max(1, k.Moves)
	case k.Control.Moves > 0:
		stones = max(1, k.Moves)
	}
	if left == clock.Unlimited { // a limit for each turn alone
		left, stones = max(0, k.Control.Turn-k.Used), 1
	}
	if t := k.Control.Turn; t > 0 {
		left = min(left, max(0, t-k.Used))
	}
	dst = strconv.AppendInt(dst, int64(left/time.Second), 10)
	dst = append(dst, ' ')
	return strconv.AppendInt(dst, int64(stones), 10)
}

// parseSettings reads the arguments of time_settings.
func parseSettings(args []string) (clock.Control, error) {
	if len(args) != 3 {
		return clock.Control{}, fmt.Errorf("time_settings takes main time, byo-yomi time and stones")
	}
	v, err := numbers(args)
	if err != nil {
		return clock.Control{}, err
	}
	main, period, stones := v[0], v[1], int(v[2]/time.Second)
	switch {
	case period > 0 && stones == 0:
		return clock.Control{}, nil // no limit at all
	case period > 0:
		return clock.Control{Main: main, Canadian: period, CanadianMoves: stones}, nil
	}
	return clock.Control{Main: main}, nil
}

// parseKGS reads the arguments of kgs-time_settings.
func parseKGS(args []string) (clock.Control, error) {
	if len(args) == 0 {
		return clock.Control{}, fmt.Errorf("kgs-time_settings needs a system: none, absolute, byoyomi or canadian")
	}
	v, err := numbers(args[1:])
	if err != nil {
		return clock.Control{}, err
	}
	switch system := strings.ToLower(args[0]); {
	case system == "none" && len(v) == 0:
		return clock.Control{}, nil
	case system == "absolute" && len(v) == 1:
		return clock.Control{Main: v[0]}, nil
	case system == "byoyomi" && len(v) == 3:
		return clock.Control{Main: v[0], Period: v[1], Periods: int(v[2] / time.Second), PeriodMoves: 1}, nil
	case system == "canadian" && len(v) == 3:
		return clock.Control{Main: v[0], Canadian: v[1], CanadianMoves: int(v[2] / time.Second)}, nil
	}
	return clock.Control{}, fmt.Errorf("kgs-time_settings %s is not understood", strings.Join(args, " "))
}

// numbers reads whole or decimal seconds, at most about three years.
func numbers(args []string) ([]time.Duration, error) {
	list := make([]time.Duration, len(args))
	for i, a := range args {
		f, err := strconv.ParseFloat(a, 64)
		if err != nil || !(f >= 0 && f <= 1e8) {
			return nil, fmt.Errorf("%q is not a time in seconds", a)
		}
		list[i] = time.Duration(f * float64(time.Second))
	}
	return list, nil
}

// timeLeft returns the clock after a time_left for it.
func timeLeft(k clock.Clock, left time.Duration, stones int) clock.Clock {
	k.Left, k.Fallen, k.Used = left, false, 0
	switch {
	case stones > 0 && k.Control.Canadian > 0:
		k.Stage, k.Moves = clock.InCanadian, stones
	case stones > 0 && k.Control.Periods > 0:
		// KGS counts the periods that are left.
		k.Stage, k.Periods, k.Moves = clock.InPeriods, stones, max(1, k.Control.PeriodMoves)
	case stones > 0:
		k.Control.Canadian, k.Control.CanadianMoves = left, stones
		k.Stage, k.Moves = clock.InCanadian, stones
	case k.Control.None():
		k = clock.New(clock.Control{Main: max(left, 1)})
	default:
		k.Stage = clock.InMain
	}
	return k
}
