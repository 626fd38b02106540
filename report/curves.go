package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kibitz/rating"
)

// maxDots is how many points a curve has at most.
const maxDots = 400

// maxCurves is how many engines are drawn in one chart at most.
const maxCurves = 8

// Chart is a set of curves over one axis. Unknown values are nil.
type Chart struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Across and Up name the axes.
	Across string `json:"across"`
	Up     string `json:"up"`
	// Says is what the chart shows at its end, for those who cannot see it.
	Says   string    `json:"says"`
	X      []float64 `json:"x"`
	Curves []Curve   `json:"curves"`
	// Band names the two curves between which the chart is shaded.
	Band *[2]int `json:"band,omitempty"`
}

// Curve is one line of a chart.
type Curve struct {
	Name string     `json:"name"`
	Y    []*float64 `json:"y"`
	// Colour numbers the colours of the page; Thin lines are dashed.
	Colour int  `json:"colour"`
	Thin   bool `json:"thin,omitempty"`
}

// put appends a value; what is no number is unknown.
func (c *Curve) put(x float64) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		c.Y = append(c.Y, nil)
		return
	}
	if x != 0 { // four digits
		scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(x))))
		x = math.Round(x*scale) / scale
	}
	c.Y = append(c.Y, &x)
}

// ending returns the games that say something about strength in the order in which
// they ended.
func ending(games []*Game) []*Game {
	var out []*Game
	for _, g := range games {
		if g.tells() {
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b *Game) int { return cmp.Compare(a.order, b.order) })
	return out
}

// due reports whether a curve of so many games has a point after game i, from 0.
func due(i, games int) bool {
	step := max(1, (games+maxDots-1)/maxDots)
	return (i+1)%step == 0 || i == games-1
}

// charts returns the curves over the games.
func (m *Model) charts() []Chart {
	played := ending(m.Games)
	if len(played) < 2 {
		return nil
	}
	var out []Chart
	if m.cfg.Sequence != nil && len(m.cfg.Engines) == 2 {
		out = append(out, m.ratio(played))
	}
	if len(m.cfg.Engines) == 2 {
		if c := m.difference(played); len(c.X) > 1 {
			out = append(out, c)
		}
	}
	out = append(out, m.scores(played))
	return append(out, m.byPly()...)
}

// ratio follows the sequential test.
func (m *Model) ratio(played []*Game) Chart {
	q := *m.cfg.Sequence
	c := Chart{ID: "llr", Title: "Sequential test", Across: "games", Up: "LLR", Curves: []Curve{
		{Name: "LLR"}, {Name: "H0", Colour: 1, Thin: true}, {Name: "H1", Colour: 2, Thin: true},
	}}
	pairs := q.Counts().Unit() == "pairs"
	k := countGames(&m.cfg, nil)
	for i, g := range played {
		k.add(&m.cfg, g)
		trio := k.between(0, 1)
		counts := rating.Trinomial(trio[0], trio[1], trio[2])
		if pairs {
			k.pair(g)
			p := k.meeting(0, 1).Penta
			counts = rating.Pentanomial(p[0], p[1], p[2], p[3], p[4])
		}
		q.Set(counts)
		if due(i, len(played)) {
			low, high := q.Bounds()
			c.X = append(c.X, float64(i+1))
			c.Curves[0].put(q.LLR())
			c.Curves[1].put(low)
			c.Curves[2].put(high)
		}
	}
	m.Test = &q
	c.Says = testText(&q)
	return c
}

// difference follows the rating difference of two engines with its error.
func (m *Model) difference(played []*Game) Chart {
	c := Chart{
		ID: "elo", Title: "Elo of " + m.cfg.Engines[0].Name + " against " + m.cfg.Engines[1].Name, Across: "games",
		Up: "Elo", Band: &[2]int{2, 1}, Curves: []Curve{
			{Name: "Elo"}, {Name: "lower", Thin: true}, {Name: "upper", Thin: true},
		},
	}
	k := countGames(&m.cfg, nil)
	for i, g := range played {
		k.add(&m.cfg, g)
		if m.cfg.Repeat {
			k.pair(g)
		}
		if !due(i, len(played)) || i < len(played)/40 { // the first errors would fill the chart
			continue
		}
		trio := k.between(0, 1)
		counts := rating.Trinomial(trio[0], trio[1], trio[2])
		if p := k.meeting(0, 1).Penta; m.cfg.Repeat && len(k.waiting) == 0 {
			counts = rating.Pentanomial(p[0], p[1], p[2], p[3], p[4])
		}
		e := counts.Estimate()
		c.Says = "Elo " + eloText(e.Elo, e.Error)
		if math.IsNaN(e.Elo) || math.IsInf(e.Elo, 0) {
			continue
		}
		c.X = append(c.X, float64(i+1))
		c.Curves[0].put(e.Elo)
		c.Curves[1].put(e.Elo - e.Error)
		c.Curves[2].put(e.Elo + e.Error)
	}
	return c
}

// scores follows the share of the points of the leading engines.
func (m *Model) scores(played []*Game) Chart {
	c := Chart{ID: "score", Title: m.ofLeaders("Share of the points"), Across: "games", Up: "%"}
	leaders := m.leaders()
	for i, e := range leaders {
		c.Curves = append(c.Curves, Curve{Name: m.cfg.Engines[e].Name, Colour: i})
	}
	sum, n := make([]float64, len(m.cfg.Engines)), make([]int, len(m.cfg.Engines))
	for i, g := range played {
		s := g.score()
		sum[g.Engines[0]] += s
		sum[g.Engines[1]] += 1 - s
		n[g.Engines[0]]++
		n[g.Engines[1]]++
		if !due(i, len(played)) {
			continue
		}
		c.X = append(c.X, float64(i+1))
		for j, e := range leaders {
			c.Curves[j].put(100 * sum[e] / float64(n[e]))
		}
	}
	return c
}

// ofLeaders says in a title that a chart shows some of the engines.
func (m *Model) ofLeaders(title string) string {
	if n := len(m.Standings); n > maxCurves {
		return fmt.Sprintf("%s: the first %d of %d engines", title, maxCurves, n)
	}
	return title
}

// leaders are the engines that charts show, in the order of the standings.
func (m *Model) leaders() []int {
	var out []int
	for _, s := range m.Standings[:min(len(m.Standings), maxCurves)] {
		out = append(out, s.Engine)
	}
	return out
}

// byPly draws mean time and depth by ply.
func (m *Model) byPly() []Chart {
	time := Chart{ID: "time", Title: m.ofLeaders("Mean time of an answer"), Across: "ply", Up: "ms"}
	depth := Chart{ID: "depth", Title: m.ofLeaders("Mean depth"), Across: "ply", Up: "depth"}
	deep := false
	for i, e := range m.leaders() {
		t, d := Curve{Name: m.cfg.Engines[e].Name, Colour: i}, Curve{Name: m.cfg.Engines[e].Name, Colour: i}
		for _, at := range m.plies {
			t.put(1000 * at.used[e] / float64(at.turns[e]))
			d.put(at.depth[e] / float64(at.depths[e]))
			deep = deep || at.depths[e] > 0
		}
		time.Curves, depth.Curves = append(time.Curves, t), append(depth.Curves, d)
	}
	for i := range m.plies {
		time.X = append(time.X, float64(i+1))
		depth.X = append(depth.X, float64(i+1))
	}
	switch {
	case len(m.plies) < 2:
		return nil
	case deep:
		return []Chart{time, depth}
	}
	return []Chart{time}
}
