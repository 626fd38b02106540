package main

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"kibitz/rules"
	"kibitz/tournament"
)

// tuiSteering is what the keys change.
type tuiSteering interface {
	// obey carries an order out.
	obey(o request) answer
	// widen changes how many games run at a time.
	widen(by int)
	// now says what the run is about.
	now() tournament.Status
}

// tuiSteer steers a run.
type tuiSteer struct{ r *matchRun }

func (s tuiSteer) obey(o request) answer  { return s.r.control.obey(o) }
func (s tuiSteer) widen(by int)           { s.r.widen(by) }
func (s tuiSteer) now() tournament.Status { return s.r.runner.Status() }

// tuiFacts are what does not change while a run goes on.
type tuiFacts struct {
	rules  rules.Rules
	format string
	colour bool
	began  time.Time
	// earlier and before are how long the run had gone on, and how many games had
	// been played, before it was taken up again.
	earlier time.Duration
	before  int
}

// tuiModel is the screen: what is shown, as a value. It has no other input than
// messages and no other output than text and orders.
type tuiModel struct {
	facts tuiFacts
	steer tuiSteering
	look  func() tuiFrame

	frame         tuiFrame
	width, height int
	// shown are the games of the grid by place; a game keeps its place.
	shown []string
	// large is the game that is shown alone, empty for the grid.
	large string
	help  bool
	// asked tells that the run was asked to end: once more stops it at once.
	asked  bool
	notice string
	until  time.Time // the notice is shown; zero for ever
	// wide and high are the largest board so far, in characters.
	wide, high int
}

// What the program is told beside keys and sizes.
type (
	frameMsg  tuiFrame
	noticeMsg string
)

func newTUIModel(r *matchRun, look func() tuiFrame) tuiModel {
	return tuiModel{
		steer: tuiSteer{r}, look: look,
		facts: tuiFacts{
			rules: r.rules, format: string(r.plan.Format), colour: coloursOn(), began: r.began, earlier: r.earlier.elapsed(),
			before: r.earlier.games(),
		},
	}
}

// Init looks at the run for the first time.
func (m tuiModel) Init() tea.Cmd { return func() tea.Msg { return frameMsg(m.look()) } }

// Update takes what happened.
func (m tuiModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.place()
	case tea.KeyPressMsg:
		m.key(msg.String())
	case noticeMsg:
		m.asked = true
		m.say(string(msg), true)
	case frameMsg:
		m.frame = tuiFrame(msg)
		m.place()
		return m, tea.Tick(time.Second/tuiRate, func(time.Time) tea.Msg { return frameMsg(m.look()) })
	}
	return m, nil
}

// View draws the screen.
func (m tuiModel) View() tea.View {
	v := tea.NewView(m.screen())
	v.AltScreen = true
	v.WindowTitle = "kibitz: " + string(m.facts.rules.Spec())
	return v
}

// noticeTime is how long an answer stays on the screen.
const noticeTime = 5 * time.Second

func (m *tuiModel) say(text string, stays bool) {
	m.notice, m.until = clean(text), time.Time{}
	if !stays {
		m.until = m.frame.at.Add(noticeTime)
	}
}

// give gives an order and shows what the run says to it.
func (m *tuiModel) give(do string, stays bool) {
	a := m.steer.obey(request{Do: do})
	if a.Error != "" {
		m.say(a.Error, false)
		return
	}
	m.say(a.Said, stays)
}

// key does what a key stands for.
func (m *tuiModel) key(key string) {
	if rest, ok := strings.CutPrefix(key, "alt+"); ok { // an escape and a key that came together
		m.key("esc")
		key = rest
	}
	switch key {
	case "p":
		m.pause()
	case "d":
		m.give("drain", true)
	case "+", "=":
		m.widen(1)
	case "-":
		m.widen(-1)
	case "q", "ctrl+c":
		m.quit()
	case "tab", "right", "down":
		m.step(1)
	case "shift+tab", "left", "up":
		m.step(-1)
	case "esc", "enter":
		m.large, m.help = "", false
	case "?", "h":
		m.help = !m.help
	}
	m.frame.status = m.steer.now()
}

func (m *tuiModel) pause() {
	switch st := m.steer.now(); {
	case st.Drained:
		m.say("the run ends with the games that run", true)
	case st.Paused:
		m.give("continue", false)
	default:
		m.give("pause", false)
	}
}

func (m *tuiModel) widen(by int) {
	m.steer.widen(by)
	st := m.steer.now()
	text := count(st.Limit, "game") + " at a time"
	if st.Paused {
		text = "no further games start; + starts games again"
	}
	m.say(text, false)
}

// quit lets the games that run end; the second time it stops them.
func (m *tuiModel) quit() {
	if m.asked {
		m.give("stop", true)
		return
	}
	m.asked = true
	m.give("drain", true)
	m.notice += "; q once more stops at once, kibitz resume plays the rest"
}

// step goes to the next game or the one before and shows it large; from the grid to
// the first one.
func (m *tuiModel) step(by int) {
	m.help = false
	list := m.steppable()
	if len(list) == 0 {
		return
	}
	i := slices.Index(list, m.large)
	switch {
	case i < 0 && by < 0:
		i = len(list) - 1
	case i < 0:
		i = 0
	default:
		i = (i + by + len(list)) % len(list)
	}
	m.large = list[i]
}

// steppable are the games that can be shown large: those that run, and the one that is
// shown.
func (m *tuiModel) steppable() []string {
	var out []string
	for _, g := range m.frame.games {
		if g.result == nil || g.id == m.large {
			out = append(out, g.id)
		}
	}
	if len(out) == 0 {
		for _, g := range m.frame.games {
			out = append(out, g.id)
		}
	}
	return out
}

// game returns a game of the frame, nil if it is not there.
func (m *tuiModel) game(id string) *liveGame {
	for _, g := range m.frame.games {
		if g.id == id {
			return g
		}
	}
	return nil
}

// place gives each game of the grid a place: those that are shown keep theirs; a game
// that is over stays until another needs the place.
func (m *tuiModel) place() {
	for i, g := range m.frame.games {
		if g.view != nil && (i == 0 || slices.Contains(m.shown, g.id)) {
			wide, high := m.extent(g)
			m.wide, m.high = max(m.wide, wide), max(m.high, high)
		}
	}
	if m.game(m.large) == nil {
		m.large = ""
	}
	m.shown = placed(m.shown, m.frame.games, m.grid().places())
}

// placed returns which games stand in the places of a grid, "" for none.
func placed(before []string, games []*liveGame, places int) []string {
	out := make([]string, places)
	rest := map[string]*liveGame{}
	var running, over []string
	for _, g := range games {
		rest[g.id] = g
		if g.result == nil {
			running = append(running, g.id)
		} else {
			over = append(over, g.id)
		}
	}
	for i := range min(len(before), places) {
		if rest[before[i]] != nil {
			out[i] = before[i]
		}
	}
	fill := func(id string, may func(at string) bool) {
		if slices.Contains(out, id) {
			return
		}
		if i := slices.IndexFunc(out, may); i >= 0 {
			out[i] = id
		}
	}
	for _, id := range running {
		fill(id, func(at string) bool { return at == "" })
		fill(id, func(at string) bool { return rest[at].result != nil })
	}
	slices.Reverse(over)
	for _, id := range over {
		fill(id, func(at string) bool { return at == "" })
	}
	return out
}
