package pages

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Curve is a rating as it changed, as a picture that needs no script.
type Curve struct {
	Game, Speed string
	// Points are in the order of time, at least one.
	Points []CurvePoint
}

// CurvePoint is a step of a rating.
type CurvePoint struct {
	At               time.Time
	Value, Deviation float64
}

// Sizes of the picture.
const (
	curveWidth, curveHeight = 640, 200
	curveLeft, curveBottom  = 44, 24
)

// Tick is a line of the scale.
type Tick struct {
	Y    float64
	Text string
}

// bounds are the lowest and the highest value that is shown.
func (c Curve) bounds() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, p := range c.Points {
		low, high = min(low, p.Value-p.Deviation), max(high, p.Value+p.Deviation)
	}
	if mid := (high + low) / 2; high-low < 100 {
		low, high = mid-50, mid+50
	}
	return low, high
}

func (c Curve) x(i int) float64 {
	return curveLeft + float64(i)*(curveWidth-curveLeft-8)/float64(max(1, len(c.Points)-1))
}

func (c Curve) y(v float64) float64 {
	low, high := c.bounds()
	return 8 + (high-v)/(high-low)*(curveHeight-curveBottom-8)
}

// Line is the path of the rating.
func (c Curve) Line() string {
	return c.path("M", func(p CurvePoint) float64 { return p.Value }, false)
}

// Band is the path around what lies within a deviation of it.
func (c Curve) Band() string {
	return c.path("M", func(p CurvePoint) float64 { return p.Value + p.Deviation }, false) +
		c.path("L", func(p CurvePoint) float64 { return p.Value - p.Deviation }, true) + "Z"
}

func (c Curve) path(begin string, of func(CurvePoint) float64, back bool) string {
	var b strings.Builder
	for k := range c.Points {
		i := k
		if back {
			i = len(c.Points) - 1 - k
		}
		fmt.Fprintf(&b, "%s%.1f %.1f", begin, c.x(i), c.y(of(c.Points[i])))
		begin = "L"
	}
	return b.String()
}

// Ticks are the lines of the scale.
func (c Curve) Ticks() []Tick {
	low, high := c.bounds()
	step := 50.0
	for (high-low)/step > 6 {
		step *= 2
	}
	var out []Tick
	for v := math.Ceil(low/step) * step; v <= high; v += step {
		out = append(out, Tick{c.y(v), fmt.Sprint(int(v))})
	}
	return out
}

// First is the earliest step, Last the latest.
func (c Curve) First() CurvePoint { return c.Points[0] }

// Last is the latest step.
func (c Curve) Last() CurvePoint { return c.Points[len(c.Points)-1] }
