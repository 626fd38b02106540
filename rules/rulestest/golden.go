package rulestest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kibitz/game"
	"kibitz/rules"
)

const goldenFile = "playthrough.golden"

// checkGolden compares one random game, printed with everything that its states
// can say, with the file in the game's folder.
func checkGolden(s *subject) error {
	if s.gameErr != nil {
		return s.gameErr
	}
	got, err := s.playthrough()
	if err != nil {
		return err
	}
	path := filepath.Join(s.config.dir, goldenFile)
	if *update {
		if err := os.MkdirAll(s.config.dir, 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, got, 0o644)
	}
	want, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the game has no playthrough: run go test -update, read %s, and keep it", path)
	}
	if err != nil {
		return err
	}
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
	if bytes.Equal(got, want) {
		return nil
	}
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Errorf("%s:%d: want %q, got %q", path, i+1, b[i], a[i])
		}
	}
	return fmt.Errorf("%s has %d lines, the playthrough %d", path, len(b), len(a))
}

// playthrough plays and prints a random game. Every decision is printed with its
// notices; positions in full at the start, then every sixth, and at the end.
func (s *subject) playthrough() ([]byte, error) {
	var out bytes.Buffer
	w := &printer{s: s, out: &out}
	w.rules()
	st := s.rules.New()
	r := s.rng(1 << 41)
	for i := range s.bound() + 1 {
		over := st.Turn().Seat == game.Nobody
		if i < 5 || i%6 == 0 || over {
			w.state(i, st)
		}
		if over {
			return out.Bytes(), nil
		}
		seat := st.Turn().Seat
		m, err := pick(st, r)
		if err != nil {
			return nil, err
		}
		notices, err := st.Apply(m, nil)
		if err != nil {
			return nil, err
		}
		w.decision(i, seat, m, notices)
	}
	return nil, fmt.Errorf("the playthrough has no end")
}

type printer struct {
	s   *subject
	out *bytes.Buffer
}

func (w *printer) line(format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), " ")
	w.out.WriteString(text + "\n")
}

func (w *printer) rules() {
	d := w.s.rules.Doc()
	w.line("specification: %s", w.s.rules.Spec())
	w.line("title: %s", d.Title)
	w.line("board: %dx%d", d.Width, d.Height)
	w.line("information: %s", [...]string{"perfect", "public chance", "private"}[d.Info])
	w.line("colours: %v", d.Colours)
	w.line("phases: %s", strings.Join(d.Phases, " "))
	for _, c := range d.Reasons {
		w.line("reason %s: %s", c.Word, c.Meaning)
	}
	for _, c := range d.Pieces {
		w.line("piece %s: %s", c.Word, c.Meaning)
	}
	for _, o := range w.s.game.Options {
		w.line("option %s=%s %s: %s", o.Key, o.Default, strings.Join(o.Values, "|"), o.Doc)
	}
}

func (w *printer) state(i int, st rules.State) {
	t := st.Turn()
	w.line("\n== position %d", i)
	w.line("text: %s", st.Text())
	w.line("turn: %s, step %d, phase %q", t.Seat, t.Step, t.Phase)
	w.line("hash: %016x", st.Hash())
	switch {
	case t.Seat.IsPlayer():
		moves := st.Legal(nil)
		texts := make([]string, len(moves))
		for j, m := range moves {
			texts[j] = w.s.rules.FormatMove(m)
		}
		w.line("legal: %d: %s", len(moves), strings.Join(texts, " "))
	case t.Seat == game.Dealer:
		if ch, ok := st.(rules.Chance); ok {
			text := ""
			for _, o := range ch.Outcomes(nil) {
				text += fmt.Sprintf(" %s*%d", w.s.rules.FormatMove(o.Move), o.Weight)
			}
			w.line("outcomes:%s", text)
		}
	}
	if r, over := st.Result(); over {
		w.line("result: points %v board %v %t reason %s: %s", r.Points, r.Board, r.HasBoard, r.Reason, r.Detail)
	}
	if !w.s.private {
		w.view(st.View(game.Arbiter))
		return
	}
	for a := game.ToFirst; a <= game.Arbiter; a++ {
		w.view(st.View(a))
	}
}

func (w *printer) view(v game.View) {
	w.line("view of %s: shape %d, %s step %d %q, colours %v", v.For, v.Shape, v.Turn.Seat, v.Turn.Step, v.Turn.Phase, v.Colours)
	for y := range v.Height {
		if len(v.Cells) == 0 {
			break
		}
		pieces, owners := "", ""
		for x := range v.Width {
			c := v.At(game.Pt(x, y))
			if c.Piece == 0 {
				pieces, owners = pieces+" .", owners+" ."
				continue
			}
			pieces += " " + string(rune(c.Piece))
			owners += " " + map[game.Seat]string{game.First: "1", game.Second: "2"}[c.Owner]
			if !c.Owner.IsPlayer() {
				owners += "-"
			}
		}
		w.line("  %3s%s   %s", v.Rows[y], pieces, owners)
	}
	if len(v.Cells) > 0 {
		w.line("      %s", strings.Join(v.Columns, " "))
	}
	for _, l := range v.Lines {
		w.line("  line %v vertical %t by %s", l.At, l.Vertical, l.By)
	}
	if v.HasScore {
		w.line("  score %v", v.Score)
	}
	for _, t := range v.Trays {
		w.line("  tray %s of %s:%s", t.Name, t.Owner, trayText(t))
	}
	if len(v.Marks)+len(v.Attempts)+len(v.Notes) > 0 {
		var texts []string
		for _, n := range v.Notes {
			texts = append(texts, n.Text)
		}
		w.line("  marks %v attempts %v notes %q", v.Marks, v.Attempts, texts)
	}
	if len(v.Barred)+len(v.Won)+len(v.Path) > 0 {
		w.line("  barred %v won %v path %v", v.Barred, v.Won, v.Path)
	}
}

func trayText(t game.Tray) string {
	text := ""
	for _, i := range t.Items {
		text += fmt.Sprintf(" %c%d", i.Piece, i.Count)
	}
	return text
}

func (w *printer) decision(i int, seat game.Seat, m game.Move, notices []game.Notice) {
	w.line("\n-- %d. %s: %s (%v)", i+1, seat, w.s.rules.FormatMove(m), m)
	for _, n := range notices {
		text := fmt.Sprintf("to %s: %s by %s", n.To, n.Kind, n.By)
		if n.Move.Op != game.NoOp {
			text += fmt.Sprintf(" %s", w.s.rules.FormatMove(n.Move))
		}
		if len(n.Points) > 0 {
			text += fmt.Sprintf(" %v", n.Points)
		}
		if n.Count != 0 {
			text += fmt.Sprintf(" count %d", n.Count)
		}
		w.line("   %s", text)
	}
}
