package journal

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"kibitz/game"
)

// Rulings are the latest rulings of a journal by game: what verify, rate and reports
// count in the place of the results that the games had. The zero value is empty.
type Rulings struct{ latest map[string]Ruling }

// Add takes an event and reports whether it is a ruling. Nothing of it is kept but
// copies.
func (m *Rulings) Add(ev *Event) bool {
	switch {
	case ev.Kind == KindStart && ev.Game != "":
		delete(m.latest, ev.Game) // the game is played again
	case ev.Kind == KindRuling && ev.Ruling != nil:
		if m.latest == nil {
			m.latest = map[string]Ruling{}
		}
		m.latest[ev.Game] = *ev.Ruling
		return true
	}
	return false
}

// Of returns the ruling in force on a game.
func (m *Rulings) Of(id string) (Ruling, bool) {
	r, ok := m.latest[id]
	return r, ok
}

// Result returns the result that counts: that of the ruling in force, else the one
// that the game had.
func (m *Rulings) Result(id string, played game.Result) game.Result {
	if r, ok := m.latest[id]; ok {
		return r.Result
	}
	return played
}

// ReadRulings adds the rulings of a journal to m, and reads nothing else of it: the
// line of a ruling is known by its kind before it is parsed.
func ReadRulings(r io.Reader, m *Rulings) error {
	rd := reader{in: bufio.NewReaderSize(r, 256<<10)}
	for {
		line, err := rd.next()
		if err == io.EOF { //nolint:errorlint // bufio returns it as it is
			return nil
		}
		if err != nil {
			return err
		}
		if !bytes.Contains(line, []byte(`"`+string(KindRuling)+`"`)) {
			continue
		}
		ev, err := ParseEvent(line)
		if errors.Is(err, ErrNewer) {
			return err
		}
		if err == nil {
			m.Add(&ev)
		}
	}
}
