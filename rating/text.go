package rating

import (
	"fmt"
	"math"
)

// Text prints a difference with its error: "+40.7 ± 30.4", "+∞" for a clean sweep, "-"
// without games.
func Text(elo, err float64, decimals int) string {
	unit := math.Pow10(decimals)
	elo = Unsigned(math.Round(elo*unit) / unit)
	switch {
	case math.IsNaN(elo):
		return "-"
	case math.IsInf(elo, 1):
		return "+∞"
	case math.IsInf(elo, -1):
		return "-∞"
	case math.IsNaN(err):
		return fmt.Sprintf("%+.*f", decimals, elo)
	}
	return fmt.Sprintf("%+.*f ± %.*f", decimals, elo, decimals, err)
}

// Unsigned returns 0 for the negative zero, which reads like a difference.
func Unsigned(x float64) float64 {
	if x == 0 {
		return 0
	}
	return x
}
