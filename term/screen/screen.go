// Package screen shows a run on the whole terminal while it goes on: the boards of its games,
// the standings, what is odd. Its keys steer the run.
package screen

import (
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/rules"
	"kibitz/tournament"
)

// Run is what the screen looks at and what its keys steer.
type Run interface {
	// Status tells what the run is about.
	Status() tournament.Status
	// Tally tells where the run stands between two games. No game starts meanwhile.
	Tally() Tally
	// Order carries out "pause", "continue", "drain" or "stop" and returns what is said to it.
	Order(do string) (said string, err error)
	// Widen changes how many games run at a time.
	Widen(by int)
}

// Facts are what does not change while a run goes on.
type Facts struct {
	Rules  rules.Rules
	Format string
	Began  time.Time
	// Earlier and Before are how long the run had gone on, and how many games had
	// been played, before it was taken up again.
	Earlier time.Duration
	Before  int
}

// Terminal is where the screen is.
type Terminal struct {
	// In is nil where keys come from the controlling terminal.
	In     io.Reader
	Out    io.Writer
	Colour bool
	Now    func() time.Time
}

// Screen shows a run. It begins with the first game. The run waits for it nowhere: the
// screen looks at the run a few times a second and draws what it finds.
type Screen struct {
	run   Run
	facts Facts
	at    Terminal
	games liveGames
	once  sync.Once
	prog  *tea.Program
	gone  chan struct{} // closed when the terminal is as it was before

	mu      sync.Mutex
	results []string
	stale   bool // tally is older than the latest game
	tally   *Tally
	counted time.Time // when tally was made
	took    time.Duration
	odd     []warning
	lost    int // warnings that are not kept
}

// warning is something odd. Nobody may read it while games run that had begun by
// then and that hide something.
type warning struct {
	text  string
	begun int // games that had begun
}

// What is kept to be shown.
const (
	mostResults  = 100
	mostWarnings = 1000
)

// New returns a screen that has not begun.
func New(run Run, facts Facts, at Terminal) *Screen {
	return &Screen{run: run, facts: facts, at: at, gone: make(chan struct{}), stale: true}
}

func (s *Screen) private() bool { return s.facts.Rules.Doc().Info == rules.Private }

// Game is one that is about to begin.
type Game struct {
	ID       string
	Names    [2]string
	Controls [2]clock.Control
	Began    time.Time
	// View is the position in which it begins, as a spectator sees it; nil if not known.
	View *game.View
}

// Begin shows a game. The first one takes the terminal.
func (s *Screen) Begin(g Game) {
	live := newLiveGame(g.ID, g.Names, g.Controls, s.private(), g.Began)
	live.view = g.View
	s.games.begin(live)
	s.once.Do(s.start)
}

// Event takes an event of a game, which is valid only during the call.
func (s *Screen) Event(e *journal.Event) { s.games.event(e, s.facts.Rules) }

// Reveal shows the last position of a game that is over and has no secrets.
func (s *Screen) Reveal(id string, v *game.View) {
	s.games.change(id, func(g *liveGame) { g.view = v })
}

// Finish adds a game that is over to the latest results.
func (s *Screen) Finish(number int, names [2]string, r game.Result) {
	line := fmt.Sprintf("%d %s - %s %s %s", number, names[0], names[1], pointsText(r), r.Reason)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stale = true
	s.results = append(s.results, clean(line))
	if n := len(s.results) - mostResults; n > 0 {
		s.results = s.results[n:]
	}
}

// Warn shows what is odd, once nobody can learn a secret by it.
func (s *Screen) Warn(text string) {
	begun := s.games.count()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.odd) == mostWarnings {
		s.odd = append(s.odd[:0:0], s.odd[1:]...)
		s.lost++
	}
	s.odd = append(s.odd, warning{text, begun})
}

func (s *Screen) start() {
	options := []tea.ProgramOption{tea.WithOutput(s.at.Out), tea.WithoutSignalHandler(), tea.WithFPS(rate)}
	if s.at.In != nil {
		options = append(options, tea.WithInput(s.at.In))
	}
	s.prog = tea.NewProgram(model{run: s.run, look: s.frame, facts: s.facts, colour: s.at.Colour}, options...)
	go func() {
		defer close(s.gone)
		if _, err := s.prog.Run(); err != nil {
			s.Warn("the terminal view ended: " + plain.OneLine(err))
		}
	}()
}

// Notice shows what the program itself has to say: it has been asked to end.
func (s *Screen) Notice(text string) {
	if s.prog != nil {
		s.prog.Send(noticeMsg(text))
	}
}

// Close gives the terminal back and prints the warnings to w.
func (s *Screen) Close(w io.Writer) {
	if s.prog != nil {
		s.prog.Quit()
		<-s.gone
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, odd := range s.odd {
		fmt.Fprintln(w, "warning: "+odd.text)
	}
	if s.lost > 0 {
		fmt.Fprintf(w, "warning: %d earlier warnings are in the logs\n", s.lost)
	}
}

// tallyTime is how old a tally may be: organisers change it between two games. No game
// starts while it is made, so it is made so seldom that it takes at most one part in
// tallyShare of the time.
const (
	tallyTime  = time.Second
	tallyShare = 50
)

// rate is how often the screen is drawn anew at most, a second.
const rate = 10

// frame is what there is to be drawn at one moment.
type frame struct {
	at       time.Time
	status   tournament.Status
	games    []*liveGame
	tally    *Tally
	results  []string // oldest first
	warnings []string // oldest first
	held     int      // warnings that nobody may read yet
}

func (s *Screen) frame() frame {
	f := frame{at: s.at.Now(), status: s.run.Status(), games: s.games.all()}
	s.mu.Lock()
	age := f.at.Sub(s.counted)
	stale := (s.stale || age >= tallyTime) && age >= tallyShare*s.took
	if stale {
		s.stale, s.counted = false, f.at
	}
	s.mu.Unlock()
	if stale { // the run calls Finish, which takes the lock: it is not held here
		tally := s.run.Tally()
		s.mu.Lock()
		s.tally, s.took = &tally, s.at.Now().Sub(f.at)
		s.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f.tally = s.tally
	f.results = append(f.results, s.results...)
	f.warnings, f.held = readable(s.odd, f.games)
	return f
}

// readable returns the warnings that may be shown while these games run, and how many
// may not.
func readable(list []warning, games []*liveGame) (texts []string, held int) {
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
