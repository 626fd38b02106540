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

// frame is where values are drawn: from left to right, and from low to high.
type frame struct{ left, right, low, high float64 }

func (f frame) x(v float64) float64 {
	return curveLeft + (v-f.left)*(curveWidth-curveLeft-8)/max(f.right-f.left, 1)
}

func (f frame) y(v float64) float64 {
	return 8 + (f.high-v)/(f.high-f.low)*(curveHeight-curveBottom-8)
}

// path is a line through n points, the first of which begins it with M or continues it
// with L.
func (f frame) path(begin string, n int, point func(i int) (x, y float64)) string {
	var b strings.Builder
	for i := range n {
		x, y := point(i)
		fmt.Fprintf(&b, "%s%.1f %.1f", begin, f.x(x), f.y(y))
		begin = "L"
	}
	return b.String()
}

// ticks are the lines of a scale: a step, or as often as needed twice of it, apart.
func (f frame) ticks(step float64, text func(v float64) string) []Tick {
	for (f.high-f.low)/step > 6 {
		step *= 2
	}
	var out []Tick
	for v := math.Ceil(f.low/step) * step; v <= f.high; v += step {
		out = append(out, Tick{f.y(v), text(v)})
	}
	return out
}

// Tick is a line of the scale.
type Tick struct {
	Y    float64
	Text string
}

// frame shows all values, and a range of 100 at least.
func (c Curve) frame() frame {
	f := frame{right: float64(len(c.Points) - 1), low: math.Inf(1), high: math.Inf(-1)}
	for _, p := range c.Points {
		f.low, f.high = min(f.low, p.Value-p.Deviation), max(f.high, p.Value+p.Deviation)
	}
	if mid := (f.high + f.low) / 2; f.high-f.low < 100 {
		f.low, f.high = mid-50, mid+50
	}
	return f
}

// Line is the path of the rating.
func (c Curve) Line() string {
	return c.frame().path("M", len(c.Points), func(i int) (x, y float64) { return float64(i), c.Points[i].Value })
}

// Band is the path around what lies within a deviation of it.
func (c Curve) Band() string {
	f, n := c.frame(), len(c.Points)
	return f.path("M", n, func(i int) (x, y float64) { return float64(i), c.Points[i].Value + c.Points[i].Deviation }) +
		f.path("L", n, func(i int) (x, y float64) {
			return float64(n - 1 - i), c.Points[n-1-i].Value - c.Points[n-1-i].Deviation
		}) + "Z"
}

// Ticks are the lines of the scale.
func (c Curve) Ticks() []Tick {
	return c.frame().ticks(50, func(v float64) string { return fmt.Sprint(int(v)) })
}

// First is the earliest step, Last the latest.
func (c Curve) First() CurvePoint { return c.Points[0] }

// Last is the latest step.
func (c Curve) Last() CurvePoint { return c.Points[len(c.Points)-1] }

// Ratio is the log likelihood ratio of a sequential test as it went, as a picture that
// needs no script.
type Ratio struct {
	// Dots are in the order of N, at least one.
	Dots []RatioDot
	// Unit is what N counts: games or pairs.
	Unit string
}

// RatioDot is the ratio after so many games or pairs, with the bounds that held then.
type RatioDot struct {
	N                 int
	LLR, Lower, Upper float64
}

// frame shows the ratio and both bounds, from the beginning on, where the ratio is 0.
func (r Ratio) frame() frame {
	f := frame{right: float64(r.Last().N)}
	for _, d := range r.Dots {
		f.low, f.high = min(f.low, d.LLR, d.Lower), max(f.high, d.LLR, d.Upper)
	}
	margin := max(f.high-f.low, 1) / 20
	f.low, f.high = f.low-margin, f.high+margin
	return f
}

func (r Ratio) path(of func(d RatioDot) float64, begin float64) string {
	return r.frame().path("M", len(r.Dots)+1, func(i int) (x, y float64) {
		if i == 0 {
			return 0, begin
		}
		return float64(r.Dots[i-1].N), of(r.Dots[i-1])
	})
}

// Line is the path of the ratio.
func (r Ratio) Line() string { return r.path(func(d RatioDot) float64 { return d.LLR }, 0) }

// Lower is the path of the bound below which the test accepts H0.
func (r Ratio) Lower() string {
	return r.path(func(d RatioDot) float64 { return d.Lower }, r.Dots[0].Lower)
}

// Upper is the path of the bound above which the test accepts H1.
func (r Ratio) Upper() string {
	return r.path(func(d RatioDot) float64 { return d.Upper }, r.Dots[0].Upper)
}

// Bounds are where the bounds end, for what is written at them.
func (r Ratio) Bounds() []Tick {
	f, last := r.frame(), r.Last()
	return []Tick{{f.y(last.Lower), "H0"}, {f.y(last.Upper), "H1"}}
}

// Ticks are the lines of the scale.
func (r Ratio) Ticks() []Tick {
	return r.frame().ticks(1, func(v float64) string { return fmt.Sprint(int(v)) })
}

// Last is the latest point.
func (r Ratio) Last() RatioDot { return r.Dots[len(r.Dots)-1] }
