package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
	"kibitz/rules"
	"kibitz/term"
	"kibitz/tournament"
)

// eventWatcher is a watcher that follows the games as they are played. Whoever runs
// a game waits for it, so it takes what it needs and returns. The event is valid
// only during the call.
type eventWatcher interface {
	event(e *journal.Event)
}

// checkTUI returns why a match cannot be shown on a whole screen, nil if it can or
// need not.
func (r *matchRun) checkTUI() error {
	if !r.cmd.TUI || r.cmd.Save != "" {
		return nil
	}
	for _, e := range r.engines {
		if e.Human {
			return fmt.Errorf("--tui: engine %q: a person needs the terminal to play", e.Text)
		}
	}
	switch {
	case r.cmd.Quiet:
		return errors.New("--tui shows all that --quiet leaves out: leave one of them out")
	case !term.IsTerminal(r.talk) && r.cmd.JSON:
		return errors.New("--tui: stderr is no terminal, and stdout is for --json")
	case !term.IsTerminal(r.talk):
		return errors.New("--tui: stdout is no terminal")
	case r.cmd.JSON && term.IsTerminal(r.a.stdout):
		return errors.New("--tui: with --json stdout must go elsewhere than to the terminal")
	}
	return nil
}

// tui shows a run on the whole terminal while it goes on, in the place of screen. It
// begins with the first game. The run waits for it nowhere: it looks at the run a few
// times a second and draws what it finds.
type tui struct {
	r     *matchRun
	games liveGames
	once  sync.Once
	prog  *tea.Program
	gone  chan struct{} // closed when the terminal is as it was before

	mu      sync.Mutex
	results []string
	stale   bool // tally is older than the latest game
	tally   *tuiTally
	counted time.Time // when tally was made
	took    time.Duration
	odd     []tuiWarning
	lost    int // warnings that are not kept
}

// tuiWarning is something odd. Nobody may read it while games run that had begun by
// then and that hide something.
type tuiWarning struct {
	text  string
	begun int // games that had begun
}

// What is kept to be shown.
const (
	mostResults  = 100
	mostWarnings = 1000
)

func newTUI(r *matchRun) *tui { return &tui{r: r, gone: make(chan struct{}), stale: true} }

func (t *tui) private() bool { return t.r.rules.Doc().Info == rules.Private }

func (t *tui) began(p *playedGame) {
	var controls [2]clock.Control
	for i, e := range [2]int{p.pairing.First, p.pairing.Second} {
		controls[i] = t.r.roster.at(e).Control
	}
	g := newLiveGame(p.id, p.names, controls, t.private(), p.began)
	if b := t.board(p); b != nil {
		v := b.View(game.Public)
		g.view = &v
	}
	t.games.begin(g)
	t.once.Do(t.start)
}

// board returns the position in which a game begins, before its opening.
func (t *tui) board(p *playedGame) *rules.Board {
	b := rules.NewBoard(func(game.Spec) (rules.Rules, error) { return t.r.rules, nil })
	start := ""
	if p.pairing.Opening >= 0 {
		start = t.r.openings[p.pairing.Opening].Start
	}
	if err := b.Reset(t.r.rules.Spec(), start); err != nil {
		return nil
	}
	return b
}

func (t *tui) event(e *journal.Event) { t.games.event(e, t.r.rules) }

func (t *tui) finished(d *finishedGame) {
	// A game that is over has no secrets, unless another is played on its shuffle.
	if t.private() && d.seed == "" {
		t.reveal(d.playedGame)
	}
	res := d.outcome.Result
	line := fmt.Sprintf("%d %s - %s %s %s", d.pairing.Index+1, d.names[0], d.names[1], pointsText(res), res.Reason)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stale = true
	t.results = append(t.results, clean(line))
	if n := len(t.results) - mostResults; n > 0 {
		t.results = t.results[n:]
	}
}

// reveal shows the last position of a game that is over.
func (t *tui) reveal(p *playedGame) {
	b := t.board(p)
	if b == nil {
		return
	}
	for _, step := range p.outcome.Steps {
		if _, err := b.Apply(step.Move); err != nil {
			return
		}
	}
	v := b.View(game.Arbiter)
	t.games.change(p.id, func(g *liveGame) { g.view = &v })
}

// ordered shows an order where warnings stand.
func (t *tui) ordered(text string) { t.warned("order: " + text) }

func (t *tui) warned(text string) {
	begun := t.games.count()
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.odd) == mostWarnings {
		t.odd = append(t.odd[:0:0], t.odd[1:]...)
		t.lost++
	}
	t.odd = append(t.odd, tuiWarning{text, begun})
}

// start takes the terminal.
func (t *tui) start() {
	m := newTUIModel(t.r, t.frame)
	options := []tea.ProgramOption{tea.WithOutput(term.Bare(t.r.talk)), tea.WithoutSignalHandler(), tea.WithFPS(tuiRate)}
	if term.IsTerminal(t.r.a.stdin) { // else keys come from the controlling terminal
		options = append(options, tea.WithInput(t.r.a.stdin))
	}
	t.prog = tea.NewProgram(m, options...)
	t.r.a.onNotice(func(text string) { t.prog.Send(noticeMsg(text)) })
	go func() {
		defer close(t.gone)
		if _, err := t.prog.Run(); err != nil {
			t.warned("the terminal view ended: " + oneLine(err))
		}
	}()
}

// ended gives the terminal back and prints what is to stay on it.
func (t *tui) ended(sum *summaryLine) {
	if t.prog != nil {
		t.prog.Quit()
		<-t.gone
		t.r.a.onNotice(nil)
	}
	t.mu.Lock()
	for _, w := range t.odd {
		fmt.Fprintln(t.r.talk, "warning: "+w.text)
	}
	if t.lost > 0 {
		fmt.Fprintf(t.r.talk, "warning: %d earlier warnings are in the logs\n", t.lost)
	}
	t.mu.Unlock()
	t.r.table(sum)
}

// tallyTime is how old a tally may be: organisers change it between two games. No game
// starts while it is made, so it is made so seldom that it takes at most one part in
// tallyShare of the time.
const (
	tallyTime  = time.Second
	tallyShare = 50
)

// tuiRate is how often the screen is drawn anew at most, a second.
const tuiRate = 10

// tuiFrame is what there is to be drawn at one moment.
type tuiFrame struct {
	at       time.Time
	status   tournament.Status
	games    []*liveGame
	tally    *tuiTally
	results  []string // oldest first
	warnings []string // oldest first
	held     int      // warnings that nobody may read yet
}

// frame looks at the run.
func (t *tui) frame() tuiFrame {
	f := tuiFrame{at: t.r.a.now(), status: t.r.runner.Status(), games: t.games.all()}
	t.mu.Lock()
	age := f.at.Sub(t.counted)
	stale := (t.stale || age >= tallyTime) && age >= tallyShare*t.took
	if stale {
		t.stale, t.counted = false, f.at
	}
	t.mu.Unlock()
	if stale { // the runner calls finished, which takes the lock: it is not held here
		tally := &tuiTally{}
		t.r.runner.Change(func() { *tally = t.r.tuiTally() })
		t.mu.Lock()
		t.tally, t.took = tally, t.r.a.now().Sub(f.at)
		t.mu.Unlock()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	f.tally = t.tally
	f.results = append(f.results, t.results...)
	f.warnings, f.held = readable(t.odd, f.games)
	return f
}

// readable returns the warnings that may be shown while these games run, and how many
// may not.
func readable(list []tuiWarning, games []*liveGame) (texts []string, held int) {
	oldest := math.MaxInt
	for _, g := range games {
		if g.private && g.result == nil {
			oldest = min(oldest, g.order)
		}
	}
	for _, w := range list {
		if w.begun >= oldest {
			held++
			continue
		}
		texts = append(texts, clean(w.text))
	}
	return texts, held
}

// pointsText prints how the points of a game were shared: "1-0", "½-½".
func pointsText(r game.Result) string {
	switch w := r.Winner(); {
	case w == game.First:
		return "1-0"
	case w == game.Second:
		return "0-1"
	case r.Draw():
		return "½-½"
	}
	return "-"
}

// clean returns text without what would move the cursor: engines write what they
// like.
func clean(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x2028 || c == 0x2029 {
			return ' '
		}
		return c
	}, s)
}

// coloursOn reports whether the terminal has colours and may use them.
func coloursOn() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }

// eventWatchers returns those who follow the games.
func eventWatchers(list []watcher) []eventWatcher {
	var out []eventWatcher
	for _, w := range list {
		if e, ok := w.(eventWatcher); ok {
			out = append(out, e)
		}
	}
	return out
}
