package picture

import (
	"math"
	"strconv"
)

// point is a place in pixels or in units of a drawing.
type point struct{ x, y float64 }

// line is a run of points; closed tells that it comes back to the first one.
type line struct {
	at     []point
	closed bool
}

// reader takes path data of SVG apart.
type reader struct {
	text string
	out  []line
	now  point
}

// flatten returns path data as straight lines. fine is how many pixels a unit has: what
// is drawn larger is bent in more places. What cannot be read is left out.
func flatten(d string, fine float64) []line {
	r := &reader{text: d}
	var verb byte
	for {
		r.skip()
		if r.text == "" {
			return r.out
		}
		if c := r.text[0]; c >= 'A' {
			verb, r.text = c, r.text[1:]
		}
		if !r.step(verb, fine) {
			return r.out
		}
		switch verb { // further pairs are lines
		case 'M':
			verb = 'L'
		case 'm':
			verb = 'l'
		}
	}
}

func (r *reader) skip() {
	for r.text != "" && (r.text[0] == ' ' || r.text[0] == ',') {
		r.text = r.text[1:]
	}
}

// number reads one; ok is false where there is none.
func (r *reader) number() (x float64, ok bool) {
	r.skip()
	n := 0
	for n < len(r.text) && (r.text[n] >= '0' && r.text[n] <= '9' || r.text[n] == '.' || r.text[n] == '-' && n == 0) {
		n++
	}
	x, err := strconv.ParseFloat(r.text[:n], 64)
	r.text = r.text[n:]
	return x, err == nil
}

func (r *reader) numbers(n int) ([7]float64, bool) {
	var out [7]float64
	for i := range n {
		x, ok := r.number()
		if !ok {
			return out, false
		}
		out[i] = x
	}
	return out, true
}

// counts are how many numbers a verb has.
func counts(verb byte) int {
	switch verb | 0x20 {
	case 'm', 'l':
		return 2
	case 'h', 'v':
		return 1
	case 'c':
		return 6
	case 'a':
		return 7
	}
	return 0
}

func (r *reader) step(verb byte, fine float64) bool {
	p, ok := r.numbers(counts(verb))
	if !ok {
		return false
	}
	var from point
	if verb >= 'a' {
		from = r.now
	}
	switch verb | 0x20 {
	case 'm':
		r.now = point{from.x + p[0], from.y + p[1]}
		r.out = append(r.out, line{at: []point{r.now}})
	case 'l':
		r.to(point{from.x + p[0], from.y + p[1]})
	case 'h':
		r.to(point{from.x + p[0], r.now.y})
	case 'v':
		r.to(point{r.now.x, from.y + p[0]})
	case 'c':
		r.curve(point{from.x + p[0], from.y + p[1]}, point{from.x + p[2], from.y + p[3]}, point{from.x + p[4], from.y + p[5]}, fine)
	case 'a':
		r.arc(p[0], p[3] != 0, p[4] != 0, point{from.x + p[5], from.y + p[6]}, fine)
	case 'z':
		if n := len(r.out); n > 0 {
			r.out[n-1].closed = true
			r.now = r.out[n-1].at[0]
		}
	default:
		return false
	}
	return true
}

func (r *reader) to(p point) {
	if len(r.out) == 0 || r.out[len(r.out)-1].closed {
		r.out = append(r.out, line{at: []point{r.now}})
	}
	last := &r.out[len(r.out)-1]
	last.at = append(last.at, p)
	r.now = p
}

func (r *reader) curve(b, c, d point, fine float64) {
	a := r.now
	long := math.Hypot(b.x-a.x, b.y-a.y) + math.Hypot(c.x-b.x, c.y-b.y) + math.Hypot(d.x-c.x, d.y-c.y)
	n := steps(long * fine)
	for i := 1; i <= n; i++ {
		t := float64(i) / float64(n)
		u := 1 - t
		r.to(point{
			u*u*u*a.x + 3*u*u*t*b.x + 3*u*t*t*c.x + t*t*t*d.x,
			u*u*u*a.y + 3*u*u*t*b.y + 3*u*t*t*c.y + t*t*t*d.y,
		})
	}
}

// steps is into how many straight pieces a bend of so many pixels is cut.
func steps(pixels float64) int { return min(max(int(pixels/2.5), 3), 160) }

// arc draws a part of a circle.
func (r *reader) arc(radius float64, large, sweep bool, to point, fine float64) {
	a := r.now
	dx, dy := to.x-a.x, to.y-a.y
	chord := math.Hypot(dx, dy)
	if chord == 0 || radius == 0 {
		r.to(to)
		return
	}
	radius = max(radius, chord/2)
	h := math.Sqrt(max(0, radius*radius-chord*chord/4))
	if large == sweep {
		h = -h
	}
	c := point{a.x + dx/2 - dy/chord*h, a.y + dy/2 + dx/chord*h}
	begin := math.Atan2(a.y-c.y, a.x-c.x)
	turn := math.Atan2(to.y-c.y, to.x-c.x) - begin
	switch {
	case sweep && turn < 0:
		turn += 2 * math.Pi
	case !sweep && turn > 0:
		turn -= 2 * math.Pi
	}
	n := steps(math.Abs(turn) * radius * fine)
	for i := 1; i < n; i++ {
		t := begin + turn*float64(i)/float64(n)
		r.to(point{c.x + radius*math.Cos(t), c.y + radius*math.Sin(t)})
	}
	r.to(to)
}

func circle(c point, radius, fine float64) line {
	n := max(12, steps(2*math.Pi*radius*fine))
	out := line{closed: true}
	for i := range n {
		t := 2 * math.Pi * float64(i) / float64(n)
		out.at = append(out.at, point{c.x + radius*math.Cos(t), c.y + radius*math.Sin(t)})
	}
	return out
}

// rounded is a rectangle with round corners.
func rounded(x, y, w, h, corner, fine float64) line {
	if corner == 0 {
		return line{[]point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, true}
	}
	out := line{closed: true}
	left, right, top, bottom := x+corner, x+w-corner, y+corner, y+h-corner
	for i, c := range []point{{right, top}, {right, bottom}, {left, bottom}, {left, top}} {
		n := steps(corner * fine * 2)
		for k := range n + 1 {
			t := math.Pi / 2 * (float64(i) - 1 + float64(k)/float64(n))
			out.at = append(out.at, point{c.x + corner*math.Cos(t), c.y + corner*math.Sin(t)})
		}
	}
	return out
}

// stroke returns outlines whose union is a line of some width; all turn the same way.
func stroke(l line, width float64, round bool, fine float64) []line {
	var out []line
	n := len(l.at)
	last := n - 1
	if l.closed {
		last = n
	}
	for i := range last {
		a, b := l.at[i], l.at[(i+1)%n]
		far := math.Hypot(b.x-a.x, b.y-a.y)
		if far == 0 {
			continue
		}
		ox, oy := -(b.y-a.y)/far*width/2, (b.x-a.x)/far*width/2
		out = append(out, line{[]point{{a.x - ox, a.y - oy}, {b.x - ox, b.y - oy}, {b.x + ox, b.y + oy}, {a.x + ox, a.y + oy}}, true})
	}
	for i, p := range l.at {
		if round || l.closed || i > 0 && i < n-1 {
			out = append(out, circle(p, width/2, fine))
		}
	}
	return out
}
