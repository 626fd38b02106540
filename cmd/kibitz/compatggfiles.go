package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/internal/wholefile"
	"kibitz/record"
	"kibitz/record/sgf"
	"kibitz/report/runreport"
	"kibitz/rules"
	"kibitz/run"
	"kibitz/run/compat/gogui"
	"kibitz/run/result"
)

// ggWatch writes a run into the files of gogui-twogtp, which prints nothing else.
type ggWatch struct {
	a        *app
	o        *gogui.Options
	rules    rules.Rules
	run      *matchRun
	openings []opening
	// programs are black, white and the referee; names are what the first two are called
	// in the run.
	programs []ggProgram
	names    [2]string

	mu    sync.Mutex
	table *gogui.Table
	moves []*gogui.Moves // of the games that the table has, in order
	died  map[string]int // in how many games, by label
	err   error

	following sync.Mutex
	followers map[int][]*ggFollower    // by slot
	live      map[string][]*ggFollower // by the name of the game
}

func (w *ggWatch) Warned(text string) { ccWarn(w.a)(text) }

// began, ordered and ended say nothing: the other program does not either.
func (w *ggWatch) Began(*run.Game)       {}
func (w *ggWatch) Ordered(string)        {}
func (w *ggWatch) Ended(*result.Summary) {}

// has are the numbers of the games that the table has.
func (w *ggWatch) has() map[int]bool {
	has := map[int]bool{}
	for i := range w.table.Games {
		has[w.table.Games[i].Number] = true
	}
	return has
}

// openTable takes up the table that there is, or begins one.
func (w *ggWatch) openTable() error {
	name := w.o.Prefix + ".dat"
	data, err := os.ReadFile(name)
	if w.o.Prefix == "" || missing(err) || err == nil && w.o.Force {
		w.table = &gogui.Table{Properties: w.properties()}
		return nil
	}
	if err == nil {
		w.table, err = gogui.ParseTable(data)
	}
	if err != nil {
		return badVerdict("%s: %v", name, err)
	}
	if n := len(w.table.Games); w.o.Games > 0 && n >= w.o.Games {
		return badVerdict("%s has %s already; -force begins anew", name, plain.Count(n, "game"))
	}
	now := w.properties()
	for _, key := range []string{"Game", "BlackCommand", "WhiteCommand"} {
		before, ok := w.table.Properties[key]
		switch {
		case !ok || before == now[key]:
		case key == "Game":
			return badVerdict("%s: its games are of %s, not of %s", name, before, now[key])
		default:
			w.Warned(fmt.Sprintf("%s: its games were played by other programs: %s is %q, was %q", name, key, now[key], before))
		}
	}
	return w.readGames()
}

// readGames reads the moves of the games that the table has.
func (w *ggWatch) readGames() error {
	for i := range w.table.Games {
		n := w.table.Games[i].Number
		tree, err := ggTree(w.file(n))
		if err != nil {
			w.Warned(fmt.Sprintf("%v: duplicates of game %d are not found", err, n))
			continue
		}
		w.moves = append(w.moves, gogui.MovesOf(n, tree))
	}
	return nil
}

// file is the name of the file of a game.
func (w *ggWatch) file(number int) string { return fmt.Sprintf("%s-%d.sgf", w.o.Prefix, number) }

// ggTree reads the first game of a file.
func ggTree(name string) (*sgf.Tree, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	trees, err := sgf.Parse(data)
	if len(trees) == 0 {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return trees[0], nil
}

// properties stand above the table.
func (w *ggWatch) properties() map[string]string {
	komi, _ := w.rules.Spec().Option("komi")
	if komi == "" {
		komi = "0"
	}
	p := map[string]string{
		"Game": string(w.rules.Spec()), "Size": fmt.Sprint(w.rules.Doc().Width), "Komi": komi, "Xml": "0", "Referee": "-",
		"Date": w.a.now().Local().Format(ggStamp), "Host": ggHost(),
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

const ggStamp = "January 2, 2006 at 3:04:05 PM MST"

// ggHost names the machine and its processor.
func ggHost() string {
	name, err := os.Hostname()
	if err != nil {
		name = "?"
	}
	return name + runreport.Processor()
}

func (w *ggWatch) Finished(d *run.Finished) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := d.Game
	if w.o.Verbose && p.Slot == 0 {
		w.traffic(p)
	}
	row := gogui.Game{Number: p.Pairing.Index, Exchanged: p.Pairing.First == 1, Referee: "?", Duplicate: "-"}
	said := w.unfollow(p)
	for seat, e := range [2]int{p.Pairing.First, p.Pairing.Second} {
		row.Time[e] = p.Outcome.Used[seat].Seconds()
		row.CPU[e] = p.Outcome.Resources[seat].CPU.Seconds()
	}
	w.fault(p, &row)
	if err := w.write(p, &row, said); err != nil {
		w.err = errors.Join(w.err, err)
	}
}

// fault tells of a game that was not played to its end.
func (w *ggWatch) fault(p *run.Game, row *gogui.Game) {
	res := p.Outcome.Result
	switch res.Reason {
	case game.ByCrash, game.ByDisconnect, game.ByStart:
		for seat, e := range [2]int{p.Pairing.First, p.Pairing.Second} {
			if p.Outcome.Faulty[seat] {
				w.died[w.programs[e].label]++
			}
		}
	case game.ByIllegal, game.ByStall, game.ByProtocol, game.ByResource:
	case game.ByAdjudication:
		if w.o.MaxMoves >= 0 && strings.HasPrefix(res.Detail, "the limit of ") {
			row.Failed, row.Why = true, "move limit exceeded"
		}
		return
	default:
		return
	}
	row.Failed, row.Why = true, res.Detail
}

// write writes the file of a game and its line of the table. said is what the referee
// says of the result.
func (w *ggWatch) write(p *run.Game, row *gogui.Game, said string) error {
	g := w.run.Record(p)
	result := ggResult(g)
	if row.Why == "move limit exceeded" {
		g.Result, result = nil, "?"
	}
	if result[1:] == "+R" { // then nobody is asked
		said = result
	}
	w.describe(g, p, result, said)
	tree, err := sgf.ToTree(g)
	if err != nil {
		return err
	}
	moves := gogui.MovesOf(row.Number, tree)
	row.Moves = moves.Len()
	row.Duplicate = gogui.Duplicate(moves, w.comparable(row))
	row.Black, row.White, row.Referee = result, result, said
	if row.Exchanged {
		for _, s := range []*string{&row.Black, &row.White, &row.Referee} {
			*s = inverted(*s)
		}
	}
	w.table.Add(*row)
	at, _ := slices.BinarySearchFunc(w.moves, row.Number, func(m *gogui.Moves, n int) int { return m.Number - n })
	w.moves = slices.Insert(w.moves, at, moves)
	if w.o.Prefix == "" {
		return nil
	}
	err = wholefile.Write(w.file(row.Number), sgf.Append(nil, tree))
	return errors.Join(err, wholefile.Write(w.o.Prefix+".dat", w.table.Append(nil)))
}

// comparable are the games of which one may be a duplicate: where seats are exchanged,
// those with the same ones.
func (w *ggWatch) comparable(row *gogui.Game) []*gogui.Moves {
	if !w.o.Alternate {
		return w.moves
	}
	var out []*gogui.Moves
	for _, m := range w.moves {
		if (m.Number%2 == 1) == row.Exchanged {
			out = append(out, m)
		}
	}
	return out
}

// ggResult is the result as tables have it, of the seats: a win on time or by a fault is
// one without a score.
func ggResult(g *record.Game) string {
	res := g.Result
	letter := map[game.Seat]string{game.First: "B", game.Second: "W"}[res.Winner()]
	switch {
	case letter == "" && res.Points[0] == 0:
		return "?"
	case letter == "":
		return "0"
	case res.Reason == game.ByResign:
		return letter + "+R"
	case res.HasBoard && res.Reason != game.ByTime:
		return fmt.Sprintf("%s+%g", letter, res.Board[res.Winner()]-res.Board[res.Winner().Other()])
	}
	return letter + "+"
}

// inverted is a result with the seats exchanged.
func inverted(result string) string {
	switch {
	case strings.HasPrefix(result, "B"):
		return "W" + result[1:]
	case strings.HasPrefix(result, "W"):
		return "B" + result[1:]
	}
	return result
}

// describe writes into the record what gogui-twogtp writes into its files.
func (w *ggWatch) describe(g *record.Game, p *run.Game, result, said string) {
	black, white := &w.programs[p.Pairing.First], &w.programs[p.Pairing.Second]
	g.ID, g.Event, g.Round, g.Tags = "", "", "", nil
	g.Names = [2]string{black.label, white.label}
	g.Date = p.Began.Local().Format("2006-01-02")
	var b strings.Builder
	line := func(key, value string) { fmt.Fprintf(&b, "%s: %s\n", key, value) }
	line("Black command", string(black.command))
	line("White command", string(white.command))
	line("Black version", black.version)
	line("White version", white.version)
	if i := p.Pairing.Opening; i >= 0 {
		line("Opening", w.openings[i].Name)
	}
	line("Result[Black]", result)
	line("Result[White]", result)
	if w.o.Referee != "" {
		line("Referee", string(w.o.Referee))
		line("Result[Referee]", said)
	}
	line("Host", ggHost())
	fmt.Fprintf(&b, "Date: %s", w.a.now().Local().Format(ggStamp))
	g.Comment = b.String()
	if w.o.DebugToComment {
		ggComments(g.Steps, trafficOf(p.Log))
	}
}

// ggComments puts what engines wrote to standard error about a move beside it.
func ggComments(steps []record.Step, lines []trafficLine) {
	var texts [2][]string // by seat, for each question
	for _, l := range lines {
		list := &texts[l.seat]
		switch {
		case l.mark == '>' && strings.Contains(l.text, "genmove"):
			*list = append(*list, "")
		case l.mark == '!' && len(*list) > 0:
			(*list)[len(*list)-1] += l.text + "\n"
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
func (w *ggWatch) traffic(p *run.Game) {
	for _, l := range trafficOf(p.Log) {
		letter := "BW"[[2]int{p.Pairing.First, p.Pairing.Second}[l.seat]]
		switch l.mark {
		case '>':
			fmt.Fprintf(w.a.stderr, "%c<< %s\n", letter, l.text)
		case '<':
			fmt.Fprintf(w.a.stderr, "%c>> %s\n", letter, l.text)
		default:
			fmt.Fprintln(w.a.stderr, l.text)
		}
	}
}

// ggCompare prints which of the files are duplicates of earlier ones.
func ggCompare(a *app, files []string) error {
	var earlier []*gogui.Moves
	for i, name := range files {
		tree, err := ggTree(name)
		if err != nil {
			return badVerdict("-compare: %v", err)
		}
		m := gogui.MovesOf(i, tree)
		if i > 0 && m.Size != earlier[0].Size {
			return badVerdict("-compare: %s: its board is not of the size of the others", name)
		}
		fmt.Fprintf(a.stdout, "%d %s %s\n", i, name, gogui.Duplicate(m, earlier))
		earlier = append(earlier, m)
	}
	return nil
}

// ggAnalyze writes what a table says.
func ggAnalyze(a *app, o *gogui.Options) error {
	data, err := os.ReadFile(o.Analyze)
	if err != nil {
		return fmt.Errorf("-analyze: %w", err)
	}
	t, err := gogui.ParseTable(data)
	if err != nil {
		return fmt.Errorf("-analyze: %s: %w", o.Analyze, err)
	}
	base := o.Analyze
	if ext := filepath.Ext(base); strings.EqualFold(ext, ".dat") {
		base = strings.TrimSuffix(base, ext)
	}
	page, summary := base+".html", base+".summary.dat"
	for _, name := range []string{page, summary} {
		if _, err := os.Stat(name); err == nil && !o.Force {
			return badVerdict("-analyze: %s exists; -force writes over it", name)
		}
	}
	x := gogui.Analyze(t)
	for _, text := range x.Odd {
		ccWarn(a)(text)
	}
	var b bytes.Buffer
	if err := x.WritePage(&b, t, filepath.Base(base)); err != nil {
		return err
	}
	if err := errors.Join(wholefile.Write(page, b.Bytes()), wholefile.Write(summary, x.AppendSummary(nil))); err != nil {
		return badVerdict("-analyze: %v", err)
	}
	return nil
}
