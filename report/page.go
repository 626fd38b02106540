package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the files of the page
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/report/board"
)

//go:embed assets/page.html
var pageText string

//go:embed assets/report.css
var pageCSS string // of hall/web/src/report, as is the script

//go:embed assets/report.js
var pageJS string

// Bounds of the page, so that it stays usable however long the run is.
const (
	maxRows     = 5 << 19 // bytes of the list of games
	maxViewers  = 1 << 20 // bytes of the games shown move by move
	firstRows   = 100     // games that are listed without a script
	maxCross    = 60      // engines of the cross table
	maxForfeits = 40      // forfeits with their evidence
	maxListed   = 200     // openings, warnings
	maxPictures = 12      // final positions without a script
	fullDetails = 5000    // games; of longer runs details are listed for forfeits alone
)

type page struct {
	*Model
	Title, Game, State string
	CSS                template.CSS
	JS                 template.JS
	CSP                string
	Data               template.JS
	Cards              []Fact
	Facts              []Fact
	Cross              *cross
	Rows               []row
	More               int // games that the page does not list
	Faults             []fault
	MoreFaults         int
	Symbols            template.HTML
	Grounds            []template.HTML
	Pictures           []picture
	Closed             int
	Listed             []Meeting // of the engines of the cross table
	Warned             []warned
	Curves             []Chart
	Pairs, HasClocks   bool
	Deep, Measured     bool
	MoreOpenings       int
	RunningText        string
}

// fault is a forfeit with what explains it.
type fault struct {
	row
	Loser string
	Lists []Evidence
	Tail  []string
}

type picture struct {
	N       int
	SVG     template.HTML
	Caption string
}

type warned struct{ Game, Text string }

// cross is the table of everyone against everyone.
type cross struct {
	Names []string
	Rows  []crossRow
	More  int
}

type crossRow struct {
	Place int
	Name  string
	Cells []crossCell
	Total string
}

// crossCell is what the engine of the row made against that of the column.
type crossCell struct {
	Self        bool
	Text, Score string
	Link        string
	Class       string
}

// row is a game as the list shows it.
type row struct {
	ID, Round, First, Second, Score, Reason, Detail string
	Plies                                           int
	Times                                           [2]string
	Late, Transit                                   string
	Opening, Record, Log                            string
	Viewer                                          int // from 1, 0 for none
	Closed                                          bool
}

func (m *Model) row(g *Game) row {
	score := "–"
	switch {
	case g.Result.Winner() == game.First:
		score = "1–0"
	case g.Result.Winner() == game.Second:
		score = "0–1"
	case g.Result.Draw():
		score = "½–½"
	}
	r := row{
		ID: g.ID, Round: whole(g.Round), First: m.cfg.Engines[g.Engines[0]].Name, Second: m.cfg.Engines[g.Engines[1]].Name, Score: score,
		Reason: string(g.Result.Reason), Detail: g.Result.Detail, Plies: g.Plies, Times: [2]string{span(g.Used[0]), span(g.Used[1])},
		Late: span(g.Late), Transit: span(g.Transit), Opening: g.Opening, Closed: g.Closed,
	}
	r.Record, r.Log = m.link(g.Record), m.link(g.Log)
	if g.Ruled != "" {
		r.Detail = strings.TrimSpace(r.Detail + " (ruled by " + g.Ruled + ")")
	}
	return r
}

// link leads from the page to a file of the run.
func (m *Model) link(file string) string {
	if file == "" {
		return ""
	}
	return m.cfg.Prefix + file
}

// HTML writes the page.
func (m *Model) HTML(w io.Writer) error {
	p := &page{
		Model: m, Title: m.cfg.Title, Game: m.cfg.Game, State: m.state(), CSS: template.CSS(pageCSS), JS: template.JS(pageJS),
		Facts: m.cfg.Facts, Cross: m.cross(), Curves: m.Charts,
	}
	const policy = "default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'"
	p.CSP = fmt.Sprintf(policy, hash(string(p.CSS)), hash(string(p.JS)))
	p.dates()
	d := newData(m)
	p.viewers(d)
	if err := p.list(d); err != nil {
		return err
	}
	p.faults(d)
	p.warned()
	p.cards()
	shown := map[int]bool{}
	for _, s := range m.Standings[:min(len(m.Standings), maxCross)] {
		shown[s.Engine] = true
	}
	for _, x := range m.Meetings {
		if shown[x.A] && shown[x.B] {
			p.Listed = append(p.Listed, x)
		}
		p.Pairs = p.Pairs || x.Penta != [5]int{}
	}
	for _, t := range m.Times {
		p.HasClocks = p.HasClocks || !math.IsNaN(t.Share)
		p.Measured = p.Measured || !math.IsNaN(t.CPU)
		p.Deep = p.Deep || t.Depth > 0 || t.Speed > 0
	}
	if n := len(m.Openings) - maxListed; n > 0 {
		p.MoreOpenings = n
	}
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	p.Data = template.JS(text) // json.Marshal writes <, > and & as escapes
	t, err := template.New("page").Funcs(p.funcs()).Parse(pageText)
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// hash is a source of a content security policy.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (p *page) funcs() template.FuncMap {
	name := func(e int) string { return p.cfg.Engines[e].Name }
	return template.FuncMap{
		"elo": eloText, "percent": percent, "span": span, "number": number, "name": name,
		"spec": func(e int) string { return p.cfg.Engines[e].Spec },
		"inc":  func(n int) int { return n + 1 }, "count": plural,
		"moment": func() string { return p.cfg.Now.UTC().Format("2006-01-02 15:04 MST") },
		"first":  func(list []OpeningLine) []OpeningLine { return list[:min(len(list), maxListed)] },
		"join":   func(list []string) string { return strings.Join(list, "\n") },
		"seconds": func(x float64) string {
			if math.IsNaN(x) {
				return "–"
			}
			return span(time.Duration(x * float64(time.Second)))
		},
		"size": func(n int64) string {
			if n <= 0 {
				return "–"
			}
			return digits(float64(n)/(1<<20)) + " MB"
		},
		"speed": func(x float64) string {
			if x <= 0 {
				return "–"
			}
			return digits(x/1000) + " k/s"
		},
		"depth": func(x float64) string {
			if x <= 0 {
				return "–"
			}
			return digits(x)
		},
	}
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%s %ss", grouped(n), thing)
}

// grouped prints a number with thin gaps between thousands.
func grouped(n int) string {
	s := whole(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// dates puts when the run was before what else is told of it.
func (p *page) dates() {
	if p.Begun.IsZero() {
		return
	}
	form := "2006-01-02 15:04:05 MST"
	facts := []Fact{{"begun", p.Begun.UTC().Format(form)}, {"latest event", p.Latest.UTC().Format(form)}}
	if p.Resumed > 0 {
		facts = append(facts, Fact{"taken up again", plural(p.Resumed, "time")})
	}
	p.Facts = append(facts, p.Facts...)
}

func (p *page) cards() {
	add := func(name, value string) { p.Cards = append(p.Cards, Fact{name, value}) }
	add("games", grouped(len(p.Games)))
	if p.Compared > 0 {
		add("different games", grouped(p.Distinct))
	}
	add("decisions", grouped(p.Plies))
	add("forfeits", grouped(len(p.Forfeits)))
	add("warnings", grouped(p.Warnings))
	if p.Aborted > 0 {
		add("stopped without a verdict", grouped(p.Aborted))
	}
	if d := p.Latest.Sub(p.Begun); d > 0 {
		add("duration", span(d))
	}
	add("worst lateness of the referee", span(p.Late))
	if p.Transit > 0 {
		add("worst transmission error", span(p.Transit))
	}
	p.RunningText = "Games are still to come."
	if n := p.Running; n > 0 {
		p.RunningText = plural(n, "game") + " had begun and not ended; nothing of a game is told before its end."
	}
}

// cross builds the table in the order of the standings.
func (m *Model) cross() *cross {
	order := m.Standings
	if len(order) < 2 {
		return nil
	}
	c := &cross{More: max(0, len(order)-maxCross)}
	order = order[:len(order)-c.More]
	for i, a := range order {
		r := crossRow{Place: i + 1, Name: a.Name, Total: number(a.Points)}
		c.Names = append(c.Names, a.Name)
		for _, b := range order {
			cell := crossCell{Self: a.Engine == b.Engine}
			if trio := m.counts.between(a.Engine, b.Engine); !cell.Self && trio != [3]int{} {
				games := float64(trio[0] + trio[1] + trio[2])
				share := (float64(trio[2]) + float64(trio[1])/2) / games
				cell.Text = fmt.Sprintf("+%d =%d −%d", trio[2], trio[1], trio[0])
				cell.Score = number(float64(trio[2])+float64(trio[1])/2) + "/" + number(games)
				cell.Link = fmt.Sprintf("pair-%d-%d", min(a.Engine, b.Engine), max(a.Engine, b.Engine))
				cell.Class = "s" + whole(int(math.Round(share*10)))
			}
			r.Cells = append(r.Cells, cell)
		}
		c.Rows = append(c.Rows, r)
	}
	return c
}

// viewers chooses the games that are shown move by move: forfeits and the first.
func (p *page) viewers(d *data) {
	size := 0
	var kinds []string
	var grounds []string
	for _, g := range p.Games {
		if g.viewer == nil {
			continue
		}
		b, err := json.Marshal(g.viewer)
		if size += len(b); err != nil || size > maxViewers {
			break
		}
		v := g.viewer
		kinds = append(kinds, v.kinds...)
		if v.Ground = slices.Index(grounds, v.ground); v.Ground < 0 {
			v.Ground = len(grounds)
			grounds = append(grounds, v.ground)
			p.Grounds = append(p.Grounds, template.HTML(v.open+v.ground+`<g class="men"></g></svg>`))
		}
		d.Viewers = append(d.Viewers, v)
		d.viewer[g] = len(d.Viewers)
	}
	slices.Sort(kinds)
	d.Kinds = slices.Compact(kinds)
	p.Symbols = template.HTML(`<svg width="0" height="0" aria-hidden="true" class="symbols">` + board.Symbols(d.Kinds) + `</svg>`)
	for i, v := range d.Viewers {
		var b strings.Builder
		if i < maxPictures {
			b.WriteString(v.open + v.ground)
			for _, it := range board.Items(&v.last) {
				b.WriteString(it.Use())
			}
			b.WriteString("</svg>")
			p.Pictures = append(p.Pictures, picture{
				i + 1, template.HTML(b.String()),
				v.ID + ": " + v.Names[0] + " – " + v.Names[1] + ": " + v.Result,
			})
		}
		w := *v // the page may be written again
		w.Gone, w.Put = clone2(v.Gone), clone2(v.Put)
		w.renumber(d.Kinds)
		d.Viewers[i] = &w
	}
}

func clone2(list [][]int) [][]int {
	out := make([][]int, len(list))
	for i := range list {
		out[i] = slices.Clone(list[i])
	}
	return out
}

// list fills the list of games, within its bounds.
func (p *page) list(d *data) error {
	size := 0
	var buf bytes.Buffer
	for i, g := range p.Games {
		r := p.row(g)
		r.Viewer = d.viewer[g]
		if i < firstRows {
			p.Rows = append(p.Rows, r)
		}
		if g.Closed {
			p.Closed++
		}
		buf.Reset()
		if err := json.NewEncoder(&buf).Encode(d.line(g, r, len(p.Games) > fullDetails)); err != nil {
			return err
		}
		if size += buf.Len(); size+d.size > maxRows {
			p.More = len(p.Games) - i
			break
		}
		d.Games = append(d.Games, json.RawMessage(bytes.Clone(bytes.TrimSpace(buf.Bytes()))))
	}
	return nil
}

func (p *page) faults(d *data) {
	for i, g := range p.Forfeits {
		if i == maxForfeits {
			p.MoreFaults = len(p.Forfeits) - i
			return
		}
		f := fault{row: p.row(g), Lists: g.Evidence}
		f.Viewer = d.viewer[g]
		if w := g.Result.Winner(); w.IsPlayer() {
			f.Loser = p.cfg.Engines[g.Engines[w.Other()]].Name
		}
		if p.cfg.Tail != nil && !g.Closed {
			for _, l := range p.cfg.Tail(g.ID) {
				f.Tail = append(f.Tail, cut(strings.ToValidUTF8(l, "?")))
			}
		}
		p.Faults = append(p.Faults, f)
	}
}

func (p *page) warned() {
	for _, n := range p.Notes {
		p.Warned = append(p.Warned, warned{"", n})
	}
	for _, g := range p.Games {
		for _, w := range g.Warnings {
			if len(p.Warned) >= maxListed {
				return
			}
			p.Warned = append(p.Warned, warned{g.ID, w})
		}
	}
}
