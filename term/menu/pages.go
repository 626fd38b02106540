package menu

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"kibitz/internal/plain"
)

// entry is one line of a page of the menu.
type entry struct {
	label string
	// value is shown in brackets; nil for a line without one.
	value func() string
	// choose does what the line stands for. errBack leaves the page.
	choose func() error
}

// page shows lines with numbers and does what is chosen until choose says to
// leave. What is wrong is said and the page shown again.
func (m *Menu) page(title string, entries func() []entry) error {
	for {
		list := entries()
		fmt.Fprintf(m.Out, "\n*** %s ***\n\n", title)
		for i, e := range list {
			value := ""
			if e.value != nil {
				value = " [" + e.value() + "]"
			}
			fmt.Fprintf(m.Out, "%d) %s%s\n", i+1, e.label, value)
		}
		text, err := m.ask("\nPlease enter a number to continue: ")
		if err != nil {
			return err
		}
		n, bad := strconv.Atoi(text)
		if bad != nil || n < 1 || n > len(list) {
			fmt.Fprintf(m.Out, "%q is no number from 1 to %d.\n", text, len(list))
			continue
		}
		switch err := list[n-1].choose(); {
		case err == nil:
		case errors.Is(err, errBack):
			return nil
		case errors.Is(err, errLeft):
			return err
		default:
			fmt.Fprintf(m.Out, "Not changed: %s.\n", plain.OneLine(err))
		}
	}
}

// errBack leaves a page.
var errBack = errors.New("back")

// ask prints a question and reads the answer. The end of the input leaves the
// menu, an interrupt too.
func (m *Menu) ask(question string) (string, error) {
	fmt.Fprint(m.Out, question)
	select {
	case line, ok := <-m.In.Next():
		if !ok {
			fmt.Fprintln(m.Out)
			return "", errLeft
		}
		return strings.TrimSpace(line), nil
	case <-m.Leave:
	}
	fmt.Fprintln(m.Out)
	return "", errLeft
}

func (m *Menu) main() error {
	back := func() error { return errLeft }
	return m.page("Kibitz "+m.Version, func() []entry {
		return []entry{
			{"Show Settings", nil, func() error { m.showSettings(); return nil }},
			{"Change Game Type", func() string { return m.kept.Game }, m.changeGame},
			{"Change Game Setting", nil, m.changeSettings},
			{"Start Game", nil, m.start},
			{"Quit", nil, back},
		}
	})
}

func (m *Menu) showSettings() {
	fmt.Fprintf(m.Out, "\nGame Type [%s]\n", m.spec(m.table()))
	for _, e := range m.settings() {
		if e.value != nil {
			fmt.Fprintf(m.Out, "%s [%s]\n", e.label, e.value())
		}
	}
	m.showAbout()
}

// showAbout shows what programs say of themselves; they are started for it.
func (m *Menu) showAbout() {
	t := m.table()
	for i := range t.Players {
		label := fmt.Sprintf("Player %d About", i+1)
		if m.kept.Hall.Remote {
			label = "About"
		}
		if p := t.player(i); p.Path != "" && (i == 0 || !m.kept.Hall.Remote) {
			if text := m.About(p, m.spec(t)); text != "" {
				fmt.Fprintf(m.Out, "%s [%s]\n", label, text)
			}
		}
	}
}

func (m *Menu) changeGame() error {
	return m.page("Game Type", func() []entry {
		var list []entry
		for _, g := range m.Games {
			list = append(list, entry{g.Title, nil, func() error {
				m.kept.Game = g.ID
				m.save()
				return errBack
			}})
		}
		return append(list, entry{"Back", nil, func() error { return errBack }})
	})
}

func (m *Menu) changeSettings() error {
	return m.page("Game Setting", func() []entry {
		return append(m.settings(), entry{"Back", nil, func() error { return errBack }})
	})
}

// settings are the lines of the chosen game.
func (m *Menu) settings() []entry {
	t, h := m.table(), &m.kept.Hall
	if h.Remote {
		return m.hallLines(t, h)
	}
	var list []entry
	for i := range t.Players {
		list = append(list, m.playerLines(t, i)...)
	}
	list = append(list,
		m.midBoard(t),
		m.number("Repeat Times", "games in a row", &t.Repeat, 1, 1_000_000),
		m.yesNo("Player 1 Moves First", &t.FirstBegins),
		m.yesNo("Change First Move", &t.Change),
	)
	list = append(list, m.timerLines(t)...)
	list = append(list, m.optionLines(t)...)
	return append(list, m.number("Delay Between Games", "seconds", &t.Delay, 0, 3600), m.localServer(h))
}

// hallLines are the lines of the chosen game in a hall, in the order of the client's manual.
func (m *Menu) hallLines(t *table, h *hall) []entry {
	mode := func() string {
		if h.Enter {
			return "Enter"
		}
		return "Open"
	}
	password := func() string { return strings.Repeat("*", len(m.password)) }
	list := []entry{
		m.text("Account", "the name of an account of the hall", &h.Account, nil, "guest"),
		{"Password", password, func() error {
			text, err := m.ask("Password, - for none: ")
			if err == nil && text != "" {
				m.password = strings.TrimPrefix(text, "-")
			}
			return err
		}},
		{"Start Mode", mode, func() error { h.Enter = !h.Enter; m.save(); return nil }},
		m.localServer(h),
	}
	connect := entry{"Connect Mode", func() string { return t.Players[0].Mode }, func() error { return m.changeMode(&t.Players[0]) }}
	server := m.text("Server IP", "the address of the hall", &h.Server, nil, h.server())
	path := m.text("Search Path", "the program", &t.Players[0].Path, exists, "")
	if h.Enter {
		room := func() string {
			if h.Room == "" {
				return "of a list"
			}
			return h.Room
		}
		return append(list, connect, server, path, entry{"Room", room, m.changeRoom},
			m.text("Room Password", "the password of the room", &m.code, nil, "No"))
	}
	list = append(list,
		m.midBoard(t), connect,
		m.number("Repeat Times", "games in a row", &t.Repeat, 1, 1000),
		m.yesNo("Host First Move", &t.FirstBegins),
		m.yesNo("Change First Move", &t.Change),
		server,
	)
	list = append(list, m.timerLines(t)...)
	options := m.optionLines(t)
	slices.SortStableFunc(options, func(a, b entry) int { return strings.Compare(a.label, b.label) })
	return append(append(list, options...), path, m.yesNo("Room Password", &h.Private))
}

// localServer says whether all play on this machine.
func (m *Menu) localServer(h *hall) entry {
	word := func() string {
		if h.Remote {
			return "No"
		}
		return "Yes"
	}
	return entry{"LocalServer", word, func() error { h.Remote = !h.Remote; m.save(); return nil }}
}

// changeRoom chooses a room of the hall.
func (m *Menu) changeRoom() error {
	list, err := m.Rooms(m.visit(), m.kept.Game)
	if err != nil {
		return err
	}
	set := func(id string) error {
		m.kept.Hall.Room = id
		m.save()
		return errBack
	}
	return m.page("Room", func() []entry {
		var lines []entry
		for _, r := range list {
			lines = append(lines, entry{r.Text, nil, func() error { return set(r.ID) }})
		}
		return append(lines,
			entry{"Another", nil, func() error {
				text, err := m.ask("Room, the last word of its address, - for a list: ")
				if err != nil || text == "" {
					return err
				}
				return set(strings.TrimPrefix(text, "-"))
			}},
			entry{"Back", nil, func() error { return errBack }})
	})
}

func (m *Menu) midBoard(t *table) entry {
	return m.text("MidBoard", "a file with a game or position to go on from, or Yes for the latest game that was broken off today",
		&t.MidBoard, func(path string) error {
			if path == Broken {
				return nil
			}
			return exists(path)
		}, "No")
}

// Broken stands in the place of a file for the latest game of today that was broken off.
const Broken = "Yes"

// timerLines are the timer mode, and its numbers where the user has chosen them.
func (m *Menu) timerLines(t *table) []entry {
	list := []entry{{"Timer Mode", func() string { return t.Timer }, func() error { return m.changeTimer(t) }}}
	if t.Timer == timerCustom {
		list = append(list,
			m.number("Time Limit", "seconds for the whole game", &t.Main, 0, 1_000_000),
			m.number("One Ply Time", "seconds after that, for each share of plies; 0 for none", &t.OnePly, 0, 1_000_000),
			m.number("Ply Share", "plies that share the one ply time", &t.Share, 1, 1000),
		)
	}
	return list
}

// optionLines are the options of the chosen game.
func (m *Menu) optionLines(t *table) (list []entry) {
	for _, o := range m.game().Options {
		if o.Hidden && t.Options[o.Key] == "" {
			continue
		}
		list = append(list, m.option(t, o.Key, o.Default, o.Doc))
	}
	return list
}

func (m *Menu) option(t *table, key, normal, doc string) entry {
	label, ok := m.game().Labels[key]
	if !ok {
		label = strings.ToUpper(key[:1]) + key[1:]
	}
	value := func() string {
		if v := t.Options[key]; v != "" {
			return v
		}
		return normal
	}
	return entry{label, value, func() error {
		text, err := m.ask(fmt.Sprintf("%s: %s [%s]: ", label, doc, value()))
		if err != nil || text == "" {
			return err
		}
		old := t.Options[key]
		t.Options[key] = text
		if _, err := m.open(m.spec(t)); err != nil {
			t.Options[key] = old
			return err
		}
		m.save()
		return nil
	}}
}

func (m *Menu) playerLines(t *table, i int) []entry {
	p := &t.Players[i]
	label := fmt.Sprintf("Player %d", i+1)
	list := []entry{
		{label + " Connect Mode", func() string { return p.Mode }, func() error { return m.changeMode(p) }},
		m.text(label+" Name", "what the player is called", &p.Name, nil, ""),
	}
	if p.Mode != modeHuman && !strings.HasPrefix(p.Mode, levelMode) {
		list = append(list, m.text(label+" Search Path", "the program", &p.Path, exists, ""))
	}
	return list
}

// changeMode lets a player be a person, a built-in engine, or a program behind one
// of the game's protocols.
func (m *Menu) changeMode(p *seat) error {
	modes := []string{modeHuman}
	for level := 1; level <= 9; level++ {
		modes = append(modes, levelMode+strconv.Itoa(level))
	}
	modes = append(modes, m.game().Protocols...)
	text, err := m.ask(fmt.Sprintf("Connect mode: human, level 1 to level 9, %s [%s]: ", strings.Join(modes[10:], ", "), p.Mode))
	if err != nil || text == "" {
		return err
	}
	text = strings.ToLower(text)
	if !slices.Contains(modes, text) {
		return fmt.Errorf("the modes are human, level 1 to level 9, %s", strings.Join(modes[10:], ", "))
	}
	p.Mode = text
	m.save()
	return nil
}

func (m *Menu) changeTimer(t *table) error {
	return m.page("Timer Mode", func() []entry {
		var list []entry
		for _, mode := range append([]string{timerNone, timerCustom}, timerPresets...) {
			list = append(list, entry{mode, nil, func() error {
				t.Timer = mode
				m.save()
				return errBack
			}})
		}
		return append(list, entry{"Back", nil, func() error { return errBack }})
	})
}

// text is a line whose value is typed in. An answer of one hyphen empties it.
// exists refuses a path at which there is nothing.
func exists(path string) error {
	_, err := os.Stat(path)
	return err
}

func (m *Menu) text(label, doc string, v *string, check func(string) error, none string) entry {
	shown := func() string {
		if *v == "" {
			return none
		}
		return *v
	}
	return entry{label, shown, func() error {
		text, err := m.ask(fmt.Sprintf("%s: %s, - for none [%s]: ", label, doc, shown()))
		if err != nil || text == "" {
			return err
		}
		if text == "-" {
			text = ""
		}
		if check != nil && text != "" {
			if err := check(text); err != nil {
				return err
			}
		}
		*v = text
		m.save()
		return nil
	}}
}

func (m *Menu) number(label, doc string, v *int, least, most int) entry {
	return entry{label, func() string { return strconv.Itoa(*v) }, func() error {
		text, err := m.ask(fmt.Sprintf("%s: %s [%d]: ", label, doc, *v))
		if err != nil || text == "" {
			return err
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return fmt.Errorf("%q is no number from %d to %d", text, least, most)
		}
		*v = n
		m.save()
		return nil
	}}
}

func (m *Menu) yesNo(label string, v *bool) entry {
	word := func() string {
		if *v {
			return "Yes"
		}
		return "No"
	}
	return entry{label, word, func() error {
		*v = !*v
		m.save()
		return nil
	}}
}
