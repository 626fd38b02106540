package rulestest

import (
	"fmt"
	"math"
	"slices"

	"kibitz/game"
	"kibitz/rules"
)

// checkPlayouts: random games end within the bound; turns, legal lists and
// results keep their contracts at every position.
func checkPlayouts(s *subject) error {
	var f faults
	if s.gameErr != nil {
		return s.gameErr
	}
	decisions := 0
	for _, p := range s.games {
		decisions += len(p.moves)
		if p.final.Turn().Seat != game.Nobody {
			f.add("a random game has not ended after %d decisions: %s", len(p.moves), where(p.final))
		}
	}
	s.logf("%d random games, %d decisions", len(s.games), decisions)
	s.each(func(st rules.State, _ game.Move, last bool) {
		checkTurn(&f, s, st)
		checkResult(&f, s, st, last)
		checkLegalList(&f, st)
	})
	s.sample(s.stride(150), func(st rules.State, _ bool) { checkCompletion(&f, s, st) })
	return f.err()
}

func checkTurn(f *faults, s *subject, st rules.State) {
	t := st.Turn()
	if t != st.Turn() {
		f.add("the turn changes by asking %s", where(st))
	}
	if t.Seat < game.Nobody || t.Seat > game.Second || t.Step < 0 {
		f.add("turn %+v %s", t, where(st))
	}
	if t.Seat.IsPlayer() && !slices.Contains(s.rules.Doc().Phases, t.Phase) {
		f.add("phase %q is not one of %q", t.Phase, s.rules.Doc().Phases)
	}
}

func checkResult(f *faults, s *subject, st rules.State, last bool) {
	r, over := st.Result()
	if over != (st.Turn().Seat == game.Nobody) {
		f.add("result %+v, %t with %+v on turn %s", r, over, st.Turn(), where(st))
	}
	if again, _ := st.Result(); again != r {
		f.add("the result changes by asking, from %+v to %+v", r, again)
	}
	checkProlong(f, st, over)
	if over != last || !over {
		return
	}
	if math.Abs(r.Points[0]+r.Points[1]-1) > 1e-9 || r.Points[0] < 0 || r.Points[1] < 0 {
		f.add("match points %v do not sum to 1 %s", r.Points, where(st))
	}
	known := slices.ContainsFunc(s.rules.Doc().Reasons, func(c rules.Code) bool { return c.Word == string(r.Reason) })
	if !known {
		f.add("reason %q is not one of the game's own %v", r.Reason, s.rules.Doc().Reasons)
	}
	if !r.HasBoard && r.Board != [2]float64{} {
		f.add("board score %v without HasBoard", r.Board)
	}
}

// checkProlong: a game that goes on beyond a count is as any other, and one that did
// not end by a count stays as it is.
func checkProlong(f *faults, st rules.State, over bool) {
	p, can := st.Clone().(rules.Prolonger)
	if !can {
		return
	}
	goesOn := p.Prolong()
	next, _ := p.(rules.State)
	switch r, ended := next.Result(); {
	case goesOn && (!over || ended):
		f.add("Prolong says that the game goes on; it was over: %t, the result is %v %s", over, r, where(st))
	case !goesOn && (over != ended || next.Text() != st.Text()):
		f.add("Prolong says that nothing changes, and makes %q of %q", next.Text(), st.Text())
	case goesOn:
		checkLegalList(f, next)
	}
}

func checkLegalList(f *faults, st rules.State) {
	moves := st.Legal(nil)
	seat := st.Turn().Seat
	switch {
	case seat.IsPlayer() && len(moves) == 0:
		f.add("%v is on turn without a legal decision %s", seat, where(st))
	case !seat.IsPlayer() && len(moves) > 0:
		f.add("%v is on turn, yet legal are %v %s", seat, moves, where(st))
	}
	seen := make(map[game.Move]bool, len(moves))
	for _, m := range moves {
		if seen[m] {
			f.add("%v is listed twice %s", m, where(st))
		}
		seen[m] = true
		if m.Op == game.Resign || m.Op == game.Deal || m.Op == game.NoOp {
			f.add("%v is listed as legal %s", m, where(st))
		}
	}
	if p, ok := st.(rules.Forcer); ok {
		only := len(moves) == 1 && moves[0].Op == game.Pass
		if m, forced := p.Forced(); forced != only || forced && m != moves[0] {
			f.add("forced is %v, %t, legal are %v %s", m, forced, moves, where(st))
		}
	}
	if !slices.Equal(moves, st.Legal(nil)) || !slices.Equal(moves, st.Clone().Legal(nil)) {
		f.add("the legal list is not stable %s", where(st))
	}
	mark := game.ChooseArg(-77)
	if got := st.Legal([]game.Move{mark}); len(got) != len(moves)+1 || got[0] != mark {
		f.add("Legal does not append %s", where(st))
	}
}

// checkCompletion: every first step has a completion, and every step after it.
func checkCompletion(f *faults, s *subject, st rules.State) {
	if !st.Turn().Seat.IsPlayer() {
		return
	}
	for _, m := range st.Legal(nil) {
		next := st.Clone()
		if _, err := next.Apply(m, nil); err != nil {
			f.add("legal decision %s refused %s: %v", s.rules.FormatMove(m), where(st), err)
			continue
		}
		if next.Turn().Seat.IsPlayer() && len(next.Legal(nil)) == 0 {
			f.add("nothing is legal after %s %s", s.rules.FormatMove(m), where(st))
		}
	}
}

// checkMoves: every listed move passes Check and reads back from its text.
func checkMoves(s *subject) error {
	var f faults
	texts := map[string]game.Move{}
	s.each(func(st rules.State, played game.Move, last bool) {
		moves := st.Legal(nil)
		for _, m := range moves {
			if err := st.Check(m); err != nil {
				f.add("legal decision %s fails Check %s: %v", s.rules.FormatMove(m), where(st), err)
			}
		}
		if st.Turn().Seat == game.Dealer && !last {
			moves = append(moves, played)
		}
		for _, m := range moves {
			if err := moveText(s, texts, m); err != nil {
				f.add("%w", err)
			}
		}
	})
	for _, bad := range []string{"", " ", "?", "zz99zz99", "\x00", "a", "a1a1a1a1a1a1a1", "-", "999999999999"} {
		if m, err := s.rules.ParseMove(bad); err == nil && s.rules.FormatMove(m) == "" {
			f.add("ParseMove(%q) gives %v without text", bad, m)
		}
	}
	return f.err()
}

func moveText(s *subject, texts map[string]game.Move, m game.Move) error {
	text := s.rules.FormatMove(m)
	if other, ok := texts[text]; ok {
		if other == m {
			return nil
		}
		return fmt.Errorf("%v and %v have the same text %q", other, m, text)
	}
	texts[text] = m
	for _, form := range []string{text, " " + text + " "} {
		got, err := s.rules.ParseMove(form)
		if err != nil || got != m {
			return fmt.Errorf("%v is written %q, and %q is read as %v, %w", m, text, form, got, err)
		}
	}
	return nil
}

// checkIllegal: what is not acceptable is refused, with the error of Check and
// without any change of the state. What is acceptable without being listed either
// is an attempt of a game with hidden facts, which leaves the turn, or loses.
func checkIllegal(s *subject) error {
	var f faults
	pool := s.pool()
	refused, extra := 0, 0
	s.sample(s.stride(120), func(st rules.State, last bool) {
		legal := map[game.Move]bool{}
		for _, m := range st.Legal(nil) {
			legal[m] = true
		}
		if ch, ok := st.(rules.Chance); ok && st.Turn().Seat == game.Dealer {
			for _, o := range ch.Outcomes(nil) {
				legal[o.Move] = true
			}
		}
		before := printOf(st)
		for _, m := range pool {
			if legal[m] {
				continue
			}
			err := st.Check(m)
			if err == nil {
				extra++
				switch {
				case last || !st.Turn().Seat.IsPlayer():
					f.add("%v is not listed, yet Check accepts it %s", m, where(st))
				case s.private:
					if err := refusedKeepsTurn(st, m); err != nil {
						f.add("%w", err)
					}
				default:
					if err := losesAtOnce(s, st, m); err != nil {
						f.add("%w", err)
					}
				}
				continue
			}
			refused++
			if err := refusal(st, m, err, &before); err != nil {
				f.add("%w", err)
			}
		}
		after := printOf(st)
		if d := before.diff(&after); d != "" {
			f.add("refused decisions changed the state: %s", d)
		}
	})
	s.logf("%d refusals examined, %d acceptable attempts outside the legal list", refused, extra)
	if refused == 0 {
		f.add("no decision was ever refused")
	}
	return f.err()
}

func refusal(st rules.State, m game.Move, want error, before *print) error {
	dst := []game.Notice{{Kind: game.Scored, Count: 77}}
	got, err := st.Apply(m, dst)
	switch {
	case err == nil:
		return fmt.Errorf("Check refuses %v (%w), Apply accepts it in %q", m, want, before.Text)
	case err.Error() != want.Error() || want.Error() == "":
		return fmt.Errorf("Check refuses %v with %q, Apply with %q", m, want.Error(), err.Error())
	case len(got) != 1 || got[0].Count != 77:
		return fmt.Errorf("the refused %v added notices: %v", m, got)
	case st.Text() != before.Text || st.Hash() != before.Hash || st.Turn() != before.Turn || !slices.Equal(st.Legal(nil), before.Legal):
		return fmt.Errorf("the refused %v changed the state %q to %q", m, before.Text, st.Text())
	}
	return nil
}

// refusedKeepsTurn holds a forbidden attempt in a game with hidden facts to its
// contract: one notice, to the mover, and the turn stays.
func refusedKeepsTurn(st rules.State, m game.Move) error {
	turn := st.Turn()
	next := st.Clone()
	notices, err := next.Apply(m, nil)
	if err != nil {
		return fmt.Errorf("Check accepts %v, Apply does not: %w", m, err)
	}
	if len(notices) != 1 || notices[0].Kind != game.Refused || notices[0].To != game.To(turn.Seat) || notices[0].Move != m {
		return fmt.Errorf("the attempt %v, which is not in the legal list, gave %+v %s", m, notices, where(st))
	}
	if next.Turn() != turn {
		return fmt.Errorf("the turn %+v became %+v by the refused attempt %v", turn, next.Turn(), m)
	}
	return nil
}

// losesAtOnce holds a decision that is accepted although it is not listed, in a
// game that hides nothing, to its contract: it is told, and the game is over and
// lost for who made it, by a reason of the game's own.
func losesAtOnce(s *subject, st rules.State, m game.Move) error {
	seat := st.Turn().Seat
	next := st.Clone()
	notices, err := next.Apply(m, nil)
	if err != nil {
		return fmt.Errorf("Check accepts %v, Apply does not: %w", m, err)
	}
	at := "after " + s.rules.FormatMove(m) + " " + where(st)
	r, over := next.Result()
	if !over || next.Turn().Seat != game.Nobody {
		return fmt.Errorf("%v is not listed, yet accepted, and the game goes on %s", m, at)
	}
	var f faults
	if r.Points[seat] != 0 || r.Winner() != seat.Other() {
		f.add("%v is not listed, yet does not lose: %v %s", m, r.Points, at)
	}
	checkResult(&f, s, next, true)
	if !slices.ContainsFunc(notices, func(n game.Notice) bool {
		return n.To == game.Public && n.Kind == game.Played && n.By == seat && n.Move == m
	}) {
		f.add("%v was not told to the public: %+v %s", m, notices, at)
	}
	if again, err := s.rules.ParseMove(s.rules.FormatMove(m)); err != nil || again != m {
		f.add("%v is read back as %v, %w", m, again, err)
	}
	// Unlike a count or a repetition, a decision that loses is in the text.
	text := next.Text()
	if back, err := s.rules.Position(text); err != nil {
		f.add("text %q of a lost game cannot be read: %w", text, err)
	} else if b, ended := back.Result(); !ended || b.Points != r.Points || b.Reason != r.Reason || back.Text() != text ||
		back.Hash() != next.Hash() {
		f.add("text %q of a lost game (%v %s) reads back as %q (%v %s)", text, r.Points, r.Reason, back.Text(), b.Points, b.Reason)
	}
	if len(next.Legal(nil)) > 0 || next.Check(m) == nil {
		f.add("something can be played after the end %s", at)
	}
	return f.err()
}

// pool collects decisions of all kinds, most of them illegal in any given
// position.
func (s *subject) pool() []game.Move {
	d := s.rules.Doc()
	pool := []game.Move{
		{},
		game.PassMove(), game.ChooseArg(0), game.ChooseArg(99), game.ChooseArg(-1),
		{Op: 200, From: game.NoPoint, To: game.NoPoint},
	}
	bad := []game.Point{
		game.NoPoint, game.Pt(-1, 0), game.Pt(0, -1), game.Pt(d.Width, 0), game.Pt(0, d.Height), game.Pt(127, 127),
		game.Pt(-128, -128), game.Pt(0, 0), game.Pt(d.Width-1, d.Height-1),
	}
	for _, p := range bad {
		pool = append(pool, game.PlaceAt(p), game.ShiftTo(p, game.Pt(0, 0)), game.ShiftTo(game.Pt(0, 0), p),
			game.ShootAt(p), game.FlipAt(p), game.EdgeAt(p, false), game.EdgeAt(p, true), game.DealAt(p, 0), game.DealAt(p, 99),
			game.Move{Op: game.Edge, From: game.NoPoint, To: p, Arg: 2})
	}
	r := s.rng(1 << 32)
	for _, p := range s.games {
		for range 6 {
			if len(p.moves) == 0 {
				break
			}
			m := p.moves[r.IntN(len(p.moves))]
			pool = append(pool, m)
			m.Arg++
			pool = append(pool, m)
			m.Arg, m.From = m.Arg-1, game.Pt(r.IntN(d.Width), r.IntN(d.Height))
			pool = append(pool, m)
		}
	}
	for range 25 {
		a, b := game.Pt(r.IntN(d.Width), r.IntN(d.Height)), game.Pt(r.IntN(d.Width), r.IntN(d.Height))
		pool = append(pool, game.PlaceAt(a), game.ShiftTo(a, b), game.ShootAt(a), game.FlipAt(a), game.EdgeAt(a, r.IntN(2) == 0))
	}
	slices.SortFunc(pool, compareMoves)
	return slices.Compact(pool)
}

func compareMoves(a, b game.Move) int {
	for _, d := range []int{
		int(a.Op) - int(b.Op), int(a.From.X) - int(b.From.X), int(a.From.Y) - int(b.From.Y), int(a.To.X) - int(b.To.X),
		int(a.To.Y) - int(b.To.Y), int(a.Arg) - int(b.Arg),
	} {
		if d != 0 {
			return d
		}
	}
	return 0
}
