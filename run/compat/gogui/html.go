package gogui

import (
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
)

// WritePage writes a page about a table; prefix is that of the files of its games.
func (a *Analysis) WritePage(w io.Writer, t *Table, prefix string) error {
	p := page{Black: t.label("Black"), White: t.label("White"), Referee: t.Properties["Referee"]}
	if p.Referee == "-" {
		p.Referee = ""
	}
	for _, key := range slices.Sorted(maps.Keys(t.Properties)) {
		if v := t.Properties[key]; v != "" && v != "-" && key != "Xml" {
			p.Facts = append(p.Facts, [2]string{key, v})
		}
	}
	p.Counts = [][2]string{
		{"Games", fmt.Sprintf("%d: %d used, %d errors, %d duplicates", a.Games, a.Used, a.Failed, a.Duplicates)},
		{"Moves in a game", a.Moves.text()},
		{"Seconds of " + p.Black, a.Time[0].text()},
		{"Seconds of " + p.White, a.Time[1].text()},
		{"Seconds of processor, " + p.Black, a.CPU[0].text()},
		{"Seconds of processor, " + p.White, a.CPU[1].text()},
	}
	if p.Referee != "" {
		p.Said = append(p.Said, a.Referee.said(p.Referee, p.Black))
	}
	p.Said = append(p.Said, a.Black.said(p.Black, p.Black), a.White.said(p.White, p.Black))
	ext := ".sgf"
	if x := t.Properties["Xml"]; x != "" && x != "0" {
		ext = ".xml"
	}
	for i := range t.Games {
		p.Games = append(p.Games, listed{&t.Games[i], fmt.Sprintf("%s-%d%s", prefix, t.Games[i].Number, ext)})
	}
	return pageTemplate().Execute(w, p)
}

// label is what a program is called.
func (t *Table) label(who string) string {
	for _, v := range []string{t.Properties[who+"Label"], t.Properties[who]} {
		if v != "" {
			return v
		}
	}
	return who
}

type page struct {
	Black, White, Referee string
	Facts, Counts         [][2]string
	Said                  []said
	Games                 []listed
}

// said is what one tells of the results.
type said struct {
	Who  string
	Rows [][2]string
	Tens []ten
}

type ten struct{ From, Games, Share int }

type listed struct {
	*Game
	File string
}

// text is mean, error and range.
func (s Sample) text() string {
	if len(s) == 0 {
		return "unknown"
	}
	mean, err := s.Estimate()
	return fmt.Sprintf("%s ± %s, from %s to %s", decimals(mean, 1), decimals(err, 1), decimals(slices.Min(s), 1), decimals(slices.Max(s), 1))
}

func (s Sample) share() string {
	if len(s) == 0 {
		return "unknown"
	}
	mean, err := s.Estimate()
	text := decimals(100*mean, 1) + " %"
	if err > 0 {
		text += " ± " + decimals(100*err, 1)
	}
	return text
}

func (r *Results) said(who, black string) said {
	s := said{Who: who, Rows: [][2]string{
		{"Points of " + black, r.Wins.share()},
		{"Draws", r.Draws.share()},
		{"Games without a result", r.Unknown.share()},
		{"Games without a score", r.NoScore.share()},
	}}
	if n := len(r.Scores); n > 0 {
		s.Rows = append(s.Rows, [2]string{"Lead of " + black, r.Scores.text()})
		tens := slices.Sorted(maps.Keys(r.Tens))
		for at := tens[0]; at <= tens[len(tens)-1]; at += 10 {
			s.Tens = append(s.Tens, ten{at, r.Tens[at], 100 * r.Tens[at] / n})
		}
	}
	return s
}

func pageTemplate() *template.Template {
	return template.Must(template.New("page").Parse(strings.TrimSpace(pageText) + "\n"))
}

const pageText = `
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{.Black}} - {{.White}}</title>
<style>
body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em }
table { border-collapse: collapse; margin: 1em 0 }
th, td { border-bottom: 1px solid #ccc; padding: .2em .7em; text-align: left }
meter { width: 20em }
</style>
</head>
<body>
<h1>{{.Black}} - {{.White}}</h1>
<table>
{{range .Counts}}<tr><th>{{index . 0}}</th><td>{{index . 1}}</td></tr>
{{end}}</table>
{{range .Said}}<h2>Results as {{.Who}} tells them</h2>
<table>
{{range .Rows}}<tr><th>{{index . 0}}</th><td>{{index . 1}}</td></tr>
{{end}}</table>
{{if .Tens}}<table>
<tr><th>Lead from</th><th>Games</th><th></th></tr>
{{range .Tens}}<tr><td>{{.From}}</td><td>{{.Games}}</td><td><meter max="100" value="{{.Share}}"></meter></td></tr>
{{end}}</table>
{{end}}{{end}}<h2>Games</h2>
<p>Black and white are {{.Black}} and {{.White}}, also where they exchanged their seats.</p>
<table>
<tr><th>Game</th>{{if .Referee}}<th>{{.Referee}}</th>{{end}}<th>{{.Black}}</th><th>{{.White}}</th>
<th>Exchanged</th><th>Duplicate of</th><th>Moves</th><th>Seconds</th><th>Of processor</th><th>Error</th></tr>
{{range .Games}}<tr><td><a href="{{.File}}">{{.Number}}</a></td>
{{if $.Referee}}<td>{{.Referee}}</td>{{end}}<td>{{.Black}}</td><td>{{.White}}</td>
<td>{{if .Exchanged}}yes{{end}}</td><td>{{if ne .Duplicate "-"}}{{.Duplicate}}{{end}}</td><td>{{.Moves}}</td>
<td>{{index .Time 0}}, {{index .Time 1}}</td><td>{{index .CPU 0}}, {{index .CPU 1}}</td>
<td>{{if .Failed}}{{with .Why}}{{.}}{{else}}yes{{end}}{{end}}</td></tr>
{{end}}</table>
<h2>Properties</h2>
<table>
{{range .Facts}}<tr><th>{{index . 0}}</th><td>{{index . 1}}</td></tr>
{{end}}</table>
</body>
</html>
`
