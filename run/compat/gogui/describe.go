package gogui

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"kibitz/game"
	"kibitz/record"
	"kibitz/run"
	"kibitz/run/compat"
)

// properties stand above the table.
func (w *watch) properties() map[string]string {
	komi, _ := w.rules.Spec().Option("komi")
	komi = cmp.Or(komi, "0")
	p := map[string]string{
		"Game": string(w.rules.Spec()), "Size": fmt.Sprint(w.rules.Doc().Width), "Komi": komi, "Xml": "0", "Referee": "-",
		"Date": w.date(), "Host": w.host(),
	}
	if w.o.Openings != "" {
		p["Openings"] = fmt.Sprintf("%s (%d files)", w.o.Openings, len(w.openings))
	}
	for i := range w.programs {
		x := &w.programs[i]
		if x.role == "Observer" {
			continue
		}
		p[x.role], p[x.role+"Version"], p[x.role+"Label"], p[x.role+"Command"] = x.name, x.version, x.label, string(x.command)
	}
	return p
}

func (w *watch) date() string { return w.Now().Local().Format("January 2, 2006 at 3:04:05 PM MST") }

// host names the machine and its processor.
func (w *watch) host() string {
	name, err := os.Hostname()
	if err != nil {
		name = "?"
	}
	return name + w.Processor
}

// describe is what gogui-twogtp writes into the file of a game about it.
func (w *watch) describe(g *run.Game, result, said string) string {
	black, white := &w.programs[g.Pairing.First], &w.programs[g.Pairing.Second]
	var b strings.Builder
	line := func(key, value string) { fmt.Fprintf(&b, "%s: %s\n", key, value) }
	line("Black command", string(black.command))
	line("White command", string(white.command))
	line("Black version", black.version)
	line("White version", white.version)
	if i := g.Pairing.Opening; i >= 0 {
		line("Opening", w.openings[i].Name)
	}
	line("Result[Black]", result)
	line("Result[White]", result)
	if w.o.Referee != "" {
		line("Referee", string(w.o.Referee))
		line("Result[Referee]", said)
	}
	line("Host", w.host())
	return b.String() + "Date: " + w.date()
}

// comment puts what engines wrote to standard error about a move beside it.
func comment(steps []record.Step, lines []compat.Line) {
	var texts [2][]string // by seat, for each question
	for _, l := range lines {
		list := &texts[l.Seat]
		switch {
		case l.Mark == '>' && strings.Contains(l.Text, "genmove"):
			*list = append(*list, "")
		case l.Mark == '!' && len(*list) > 0:
			(*list)[len(*list)-1] += l.Text + "\n"
		}
	}
	last := game.Nobody
	for i := range steps {
		s := &steps[i]
		if !s.By.IsPlayer() || s.Opening || s.Forced || s.By == last {
			continue
		}
		last = s.By
		if list := texts[s.By]; len(list) > 0 {
			s.Comment = strings.TrimRight(list[0], "\n")
			texts[s.By] = list[1:]
		}
	}
}

// traffic prints the engines' lines of a game for -verbose.
func (w *watch) traffic(g *run.Game) {
	for _, l := range compat.Lines(g.Log) {
		letter := "BW"[compat.Engines(g)[l.Seat]]
		switch l.Mark {
		case '>':
			fmt.Fprintf(w.Stderr, "%c<< %s\n", letter, l.Text)
		case '<':
			fmt.Fprintf(w.Stderr, "%c>> %s\n", letter, l.Text)
		default:
			fmt.Fprintln(w.Stderr, l.Text)
		}
	}
}
