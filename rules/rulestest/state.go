package rulestest

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"

	"kibitz/game"
	"kibitz/rules"
)

// checkPositions: the text of a position reads back to an equal position.
func checkPositions(s *subject) error {
	var f faults
	s.sample(s.stride(400), func(st rules.State, last bool) {
		text := st.Text()
		back, err := s.rules.Position(text)
		if err != nil {
			f.add("text %q of a position cannot be read: %w", text, err)
			return
		}
		if back.Text() != text {
			f.add("text %q reads back as %q", text, back.Text())
		}
		if last {
			return // an end by repetition or count need not be in the text
		}
		if back.Turn() != st.Turn() {
			f.add("turn %+v reads back as %+v from %q", st.Turn(), back.Turn(), text)
		}
		if !slices.Equal(back.Legal(nil), st.Legal(nil)) {
			f.add("legal list %v reads back as %v from %q", st.Legal(nil), back.Legal(nil), text)
		}
		if back.Hash() != st.Hash() {
			f.add("hash %x reads back as %x from %q", st.Hash(), back.Hash(), text)
		}
	})
	if c, ok := s.rules.(rules.Composer); ok {
		s.sample(s.stride(400), func(st rules.State, last bool) {
			if t := st.Turn(); !last && t.Step == 0 && t.Phase == "" && t.Seat.IsPlayer() {
				if err := composeFault(s.rules, c, st); err != nil {
					f.add("%w", err)
				}
			}
		})
	}
	for _, bad := range []string{"", "?", "\x00\x01", "x x x x x", "////////", "-1 -1", "first first first"} {
		if st, err := s.rules.Position(bad); err == nil {
			if _, err := s.rules.Position(st.Text()); err != nil {
				f.add("position %q is read, but its text %q is not: %w", bad, st.Text(), err)
			}
		} else if err.Error() == "" {
			f.add("position %q is refused without a word", bad)
		}
	}
	return f.err()
}

// composeFault holds a position that is set up as another one looks to look like it.
func composeFault(r rules.Rules, c rules.Composer, st rules.State) error {
	want := st.View(game.Arbiter)
	text, doubt := c.Compose(&want)
	if doubt != (rules.Doubt{}) {
		return fmt.Errorf("play led to %q, which is doubted: %+v", text, doubt)
	}
	back, err := r.Position(text)
	if err != nil {
		return fmt.Errorf("%q was composed of %q: %w", text, st.Text(), err)
	}
	got := back.View(game.Arbiter)
	looks := func(v *game.View) string {
		var letters []byte
		for _, x := range v.Cells {
			letters = append(letters, x.Piece)
		}
		return fmt.Sprint(string(letters), len(v.Lines), v.Trays, v.Colours[v.Turn.Seat])
	}
	if looks(&got) != looks(&want) {
		return fmt.Errorf("%q was composed of %q, and looks otherwise", text, st.Text())
	}
	return nil
}

// checkClone: a copy and its original do not share anything that changes.
func checkClone(s *subject) error {
	var f faults
	r := s.rng(1 << 33)
	s.sample(s.stride(200), func(st rules.State, last bool) {
		before := printOf(st)
		keep, gone := st.Clone(), st.Clone()
		copied := printOf(gone)
		if d := before.diff(&copied); d != "" {
			f.add("a copy differs: %s", d)
		}
		for range 8 {
			if gone.Turn().Seat == game.Nobody {
				break
			}
			m, err := pick(gone, r)
			if err != nil {
				f.add("%w", err)
				break
			}
			if _, err := gone.Apply(m, nil); err != nil {
				f.add("%s refused in a copy: %w", s.rules.FormatMove(m), err)
				break
			}
		}
		after, kept := printOf(st), printOf(keep)
		if d := before.diff(&after); d != "" {
			f.add("playing on in a copy changed the original: %s", d)
		}
		if d := before.diff(&kept); d != "" {
			f.add("playing on in one copy changed another: %s", d)
		}
	})
	return f.err()
}

// checkReplay: the same decisions give the same notices, positions and result,
// whether or not somebody looked in between.
func checkReplay(s *subject) error {
	var f faults
	for _, p := range s.games {
		st := s.rules.New()
		for i, m := range p.moves {
			notices, err := st.Apply(m, nil)
			if err != nil {
				f.add("%s refused in the replay: %w", s.moveList(p.moves[:i+1]), err)
				break
			}
			if !reflect.DeepEqual(notices, p.notices[i]) {
				f.add("%s gave %v, in the replay %v", s.moveList(p.moves[:i+1]), p.notices[i], notices)
			}
		}
		want, got := printOf(p.final), printOf(st)
		if d := want.diff(&got); d != "" {
			f.add("the replay ends elsewhere: %s", d)
		}
		// Boards take back by replaying: half of the game and the rest again.
		if err := replayBoard(s, p); err != nil {
			f.add("%w", err)
		}
	}
	return f.err()
}

func replayBoard(s *subject, p playout) error {
	b := rules.NewBoard(func(game.Spec) (rules.Rules, error) { return s.rules, nil })
	if err := b.Reset(s.rules.Spec(), ""); err != nil {
		return err
	}
	for _, m := range p.moves {
		if _, err := b.Apply(m); err != nil {
			return fmt.Errorf("on a board: %w", err)
		}
	}
	half := len(p.moves) / 2
	if err := b.Undo(len(p.moves) - half); err != nil {
		return err
	}
	for _, m := range p.moves[half:] {
		if _, err := b.Apply(m); err != nil {
			return fmt.Errorf("after taking back: %w", err)
		}
	}
	if b.Text() != p.final.Text() || resultText(b.State()) != resultText(p.final) {
		return fmt.Errorf("taking back and playing again ends in %q instead of %q", b.Text(), p.final.Text())
	}
	return nil
}

// checkHash: equal positions have equal hashes, and equal hashes mean equal
// turns and legal moves.
func checkHash(s *subject) error {
	type entry struct {
		text  string
		turn  game.Turn
		legal []game.Move
	}
	var f faults
	byText, byHash := map[string]uint64{}, map[uint64]entry{}
	s.each(func(st rules.State, _ game.Move, last bool) {
		if last {
			return
		}
		text, hash := st.Text(), st.Hash()
		if h, ok := byText[text]; ok && h != hash {
			f.add("position %q has the hashes %x and %x", text, h, hash)
		}
		byText[text] = hash
		if hash != st.Hash() || hash != st.Clone().Hash() {
			f.add("the hash is not stable %s", where(st))
		}
		e := entry{text, st.Turn(), st.Legal(nil)}
		if old, ok := byHash[hash]; ok {
			if old.turn != e.turn || !slices.Equal(old.legal, e.legal) {
				f.add("positions %q and %q have the same hash %x", old.text, text, hash)
			}
			return
		}
		byHash[hash] = e
	})
	return f.err()
}

// checkViews: views describe the board of the rules, and in games of perfect
// information they are the same for all.
func checkViews(s *subject) error {
	var f faults
	d := s.rules.Doc()
	pieces := map[byte]bool{0: true}
	for _, c := range d.Pieces {
		pieces[c.Word[0]] = true
	}
	s.sample(s.stride(300), func(st rules.State, last bool) {
		var texts [4]string
		for a := range texts {
			v := st.View(game.Audience(a))
			if err := viewFault(&v, d, st, game.Audience(a)); err != nil {
				f.add("view of %s: %w %s", game.Audience(a), err, where(st))
				return
			}
			for _, c := range v.Cells {
				if !pieces[c.Piece] {
					f.add("piece %q of the view is not among the pieces of the description", c.Piece)
				}
			}
			v.For = game.Arbiter
			texts[a] = viewText(v)
		}
		if err := scribble(st); err != nil {
			f.add("%w", err)
		}
		if err := outlineFault(st); err != nil {
			f.add("%w %s", err, where(st))
		}
		if !s.private && (texts[0] != texts[3] || texts[1] != texts[3] || texts[2] != texts[3]) {
			f.add("nothing is hidden, yet views differ %s: %q", where(st), texts)
		}
	})
	return f.err()
}

// scribble writes over all that a view handed out and holds the state to have
// kept nothing of it.
func scribble(st rules.State) error {
	before := printOf(st)
	for a := range before.Views {
		v := st.View(game.Audience(a))
		for _, list := range [][]game.Point{v.Marks, v.Attempts, v.Barred, v.Won, v.Path} {
			for i := range list {
				list[i] = game.Pt(99, 99)
			}
		}
		for _, list := range [][]string{v.Columns, v.Rows} {
			for i := range list {
				list[i] = "scribble"
			}
		}
		for i := range v.Notes {
			v.Notes[i].Text = "scribble"
		}
		for i := range v.Cells {
			v.Cells[i] = game.Cell{Piece: '?', Owner: 77}
		}
		for i := range v.Lines {
			v.Lines[i].By = 77
		}
		for i := range v.Trays {
			for j := range v.Trays[i].Items {
				v.Trays[i].Items[j].Count = -77
			}
			v.Trays[i].Name = "scribble"
		}
		if v.Result != nil {
			v.Result.Reason = "scribble"
		}
	}
	after := printOf(st)
	if d := before.diff(&after); d != "" {
		return fmt.Errorf("writing into a view changed the state: %s", d)
	}
	return nil
}

// outlineFault holds an outline, in the room of another board, to what the arbiter sees.
func outlineFault(st rules.State) error {
	o, ok := st.(rules.Outliner)
	if !ok {
		return nil
	}
	want := st.View(game.Arbiter)
	got := game.View{
		Shape: 77, Turn: game.Turn{Phase: "scribble", Step: 77},
		Cells: make([]game.Cell, 500), Lines: make([]game.Line, 9), Trays: make([]game.Tray, 3),
	}
	for i := range got.Cells {
		got.Cells[i] = game.Cell{Piece: '?', Owner: 77}
	}
	o.Outline(&got)
	if got.Shape != want.Shape || got.Width != want.Width || got.Height != want.Height ||
		got.Turn != want.Turn || got.Colours != want.Colours ||
		!slices.Equal(got.Cells, want.Cells) || !slices.Equal(got.Lines, want.Lines) || len(got.Trays) != len(want.Trays) {
		return fmt.Errorf("the outline is not what the arbiter sees: %+v", got)
	}
	return nil
}

func viewFault(v *game.View, d *rules.Doc, st rules.State, a game.Audience) error {
	_, over := st.Result()
	switch {
	case v.For != a:
		return fmt.Errorf("made for %v", v.For)
	case v.Width != d.Width || v.Height != d.Height || len(v.Cells) != d.Width*d.Height && v.Shape != game.Dots:
		return fmt.Errorf("%dx%d with %d cells", v.Width, v.Height, len(v.Cells))
	case len(v.Columns) != v.Width || len(v.Rows) != v.Height:
		return fmt.Errorf("%d columns and %d rows are labelled", len(v.Columns), len(v.Rows))
	case v.Turn != st.Turn():
		return fmt.Errorf("turn %+v, but it is %+v", v.Turn, st.Turn())
	case over != (v.Result != nil):
		return fmt.Errorf("over is %t, result is %v", over, v.Result)
	}
	for _, p := range slices.Concat(v.Marks, v.Attempts, v.Barred, v.Won, v.Path) {
		if !p.On(v.Width, v.Height) {
			return fmt.Errorf("mark %v is not on the board", p)
		}
	}
	for _, p := range v.Barred {
		if v.At(p).Piece != 0 {
			return fmt.Errorf("a piece stands on %v, where nobody may play", p)
		}
	}
	if n := len(v.Path); n > 0 && (len(v.Marks) < 2 || v.Path[0] != v.Marks[0] || v.Path[n-1] != v.Marks[1]) {
		return fmt.Errorf("the way %v is not that of the move %v", v.Path, v.Marks)
	}
	if len(v.Won) > 0 && !over {
		return fmt.Errorf("points %v have decided a game that is not over", v.Won)
	}
	return nil
}

// checkNotices: every decision is told, to addresses that exist.
func checkNotices(s *subject) error {
	var f faults
	for _, p := range s.games {
		for i, list := range p.notices {
			told := false
			for _, n := range list {
				if n.To < game.ToFirst || n.To > game.Arbiter || n.Kind < game.Played || n.Kind > game.Scored {
					f.add("%v gave the notice %+v", p.moves[i], n)
				}
				if n.Kind == game.Played && (n.Move != p.moves[i] || n.By != p.seats[i]) {
					f.add("%v by %v gave the notice %+v", p.moves[i], p.seats[i], n)
				}
				if n.Kind == game.Moved && (n.Move != (game.Move{}) && n.Move != game.Move{From: game.NoPoint, To: game.NoPoint} || len(n.Points) > 0) {
					f.add("the notice %+v tells what its audience may not see", n)
				}
				if n.Kind == game.Refused && n.To != game.To(p.seats[i]) {
					f.add("the refusal %+v is addressed to %v", n, n.To)
				}
				told = told || n.Kind == game.Played && n.To == game.Public
			}
			if !told && !s.private {
				f.add("%v was not told to the public: %+v", p.moves[i], list)
			}
			if len(list) == 0 {
				f.add("%v gave no notice", p.moves[i])
			}
		}
	}
	return f.err()
}

// checkSeats: the seats play with different colours, views say the same as the
// state, and what was known once stays known.
func checkSeats(s *subject) error {
	var f faults
	for _, p := range s.games {
		st := s.rules.New()
		known := false
		for i := 0; ; i++ {
			c := rules.ColoursOf(s.rules, st)
			if c[0] == c[1] && c[0] != game.NoColour || (c[0] == game.NoColour) != (c[1] == game.NoColour) {
				f.add("the seats play with %v %s", c, where(st))
			}
			if known && c[0] == game.NoColour {
				f.add("the colours were known and are not any more %s", where(st))
			}
			known = known || c[0] != game.NoColour
			if i%8 == 0 {
				if v := st.View(game.Public); v.Colours != c {
					f.add("the view says that the seats play with %v, the state %v %s", v.Colours, c, where(st))
				}
			}
			if i == len(p.moves) {
				break
			}
			if _, err := st.Apply(p.moves[i], nil); err != nil {
				return err
			}
		}
	}
	return f.err()
}

// checkConcurrency: rules are safe for concurrent use. Games played at the same
// time from one value end as they do one by one; go test -race sees the rest.
func checkConcurrency(s *subject) error {
	if s.gameErr != nil {
		return s.gameErr
	}
	games := s.games[:min(4, len(s.games))]
	alone := make([]print, len(games))
	for i, p := range games {
		var err error
		if alone[i], err = s.finish(p.moves); err != nil {
			return err
		}
	}
	const players = 4
	errs := make([]error, players)
	var wait sync.WaitGroup
	for k := range players {
		wait.Go(func() {
			errs[k] = guard(func(s *subject) error {
				for i := range games {
					i = (i + k) % len(games) // all play different games at any time
					got, err := s.finish(games[i].moves)
					if err != nil {
						return fmt.Errorf("at the same time as other games: %w", err)
					}
					if d := alone[i].diff(&got); d != "" {
						return fmt.Errorf("at the same time as other games: %s", d)
					}
				}
				return nil
			}, s)
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// finish plays a game, giving way to others after each decision, and prints its
// end.
func (s *subject) finish(moves []game.Move) (print, error) {
	st := s.rules.New()
	for _, m := range moves {
		back, err := s.rules.ParseMove(s.rules.FormatMove(m))
		if err == nil {
			_, err = st.Apply(back, nil)
		}
		if err != nil {
			return print{}, fmt.Errorf("%s: %w", s.rules.FormatMove(m), err)
		}
		_ = st.Legal(nil)
		runtime.Gosched()
	}
	return printOf(st), nil
}
