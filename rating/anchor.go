package rating

// Against is a game of somebody whose rating is known against a player who is Above the one that is sought.
type Against struct {
	Rating, Above float64
	// Score is what the player got: 1, 0.5 or 0.
	Score float64
}

// anchorBound is how far from 0 an anchor is looked for.
const anchorBound = 10_000

// Anchor is the rating from which the players of all games are counted that makes the results likeliest. It
// fails where one side got everything: then no rating is too far away.
func Anchor(games []Against) (elo float64, ok bool) {
	sum := 0.0
	for _, g := range games {
		sum += g.Score
	}
	if sum == 0 || sum == float64(len(games)) {
		return 0, false
	}
	low, high := -float64(anchorBound), float64(anchorBound)
	for high-low > 0.01 { // what is expected grows with it
		mid, expected := (low+high)/2, 0.0
		for _, g := range games {
			expected += Score(mid + g.Above - g.Rating)
		}
		if expected < sum {
			low = mid
		} else {
			high = mid
		}
	}
	return low, true
}
