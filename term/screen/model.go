package screen

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"kibitz/internal/plain"
)

// model is the screen: what is shown, as a value. It has no other input than
// messages and no other output than text and orders.
type model struct {
	facts  Facts
	colour bool
	run    Run
	look   func() frame

	frame         frame
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
	frameMsg  frame
	noticeMsg string
)

// Init looks at the run for the first time.
func (m model) Init() tea.Cmd { return func() tea.Msg { return frameMsg(m.look()) } }

// Update takes what happened.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
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
		m.frame = frame(msg)
		m.place()
		return m, tea.Tick(time.Second/rate, func(time.Time) tea.Msg { return frameMsg(m.look()) })
	}
	return m, nil
}

// View draws the screen.
func (m model) View() tea.View {
	v := tea.NewView(m.screen())
	v.AltScreen = true
	v.WindowTitle = "kibitz: " + string(m.facts.Rules.Spec())
	return v
}

// noticeTime is how long an answer stays on the screen.
const noticeTime = 5 * time.Second

func (m *model) say(text string, stays bool) {
	m.notice, m.until = clean(text), time.Time{}
	if !stays {
		m.until = m.frame.at.Add(noticeTime)
	}
}

// give gives an order and shows what the run says to it.
func (m *model) give(do string, stays bool) {
	said, err := m.run.Order(do)
	if err != nil {
		m.say(err.Error(), false)
		return
	}
	m.say(said, stays)
}

func (m *model) key(key string) {
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
	m.frame.status = m.run.Status()
}

func (m *model) pause() {
	switch st := m.run.Status(); {
	case st.Drained:
		m.say("the run ends with the games that run", true)
	case st.Paused:
		m.give("continue", false)
	default:
		m.give("pause", false)
	}
}

func (m *model) widen(by int) {
	m.run.Widen(by)
	st := m.run.Status()
	text := plain.Count(st.Limit, "game") + " at a time"
	if st.Paused {
		text = "no further games start; + starts games again"
	}
	m.say(text, false)
}

// quit lets the games that run end; the second time it stops them.
func (m *model) quit() {
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
func (m *model) step(by int) {
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
func (m *model) steppable() []string {
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
func (m *model) game(id string) *liveGame {
	for _, g := range m.frame.games {
		if g.id == id {
			return g
		}
	}
	return nil
}

// place gives each game of the grid a place: those that are shown keep theirs; a game
// that is over stays until another needs the place.
func (m *model) place() {
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
