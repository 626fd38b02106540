package match_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/internal/leaks"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
)

func TestMain(m *testing.M) {
	leaks.Main(m, func() {
		if removeEngine != nil {
			removeEngine()
		}
	})
}

// removeEngine removes the test engine, if one was built.
var removeEngine func()

// Whatever a player fails with, the verdict is for the right seat, with the
// evidence, whoever of both it is.
func TestFailures(t *testing.T) {
	for _, k := range []struct {
		err    error
		why    game.Reason
		detail string
	}{
		{player.Fail(game.ByCrash, nil, "the engine ended (exit status 3)"), game.ByCrash, "exit status 3"},
		{player.Fail(game.ByResource, nil, "flood of output"), game.ByResource, "flood"},
		{player.Fail(game.ByProtocol, nil, "nonsense"), game.ByProtocol, "nonsense"},
		{player.Fail(game.ByDisconnect, nil, "gone"), game.ByDisconnect, "gone"},
		{player.Fail(game.ByTime, nil, "silence"), game.ByStall, "silence"},
		{player.Fail(game.ByStall, nil, "silence"), game.ByStall, "silence"},
		{player.Fail(game.ByIllegal, nil, "a pass"), game.ByIllegal, "a pass"},
		{player.Fail("strange", nil, "x"), game.ByProtocol, `unknown reason "strange"`},
		{errors.New("bare error"), game.ByCrash, "bare error"},
		{fmt.Errorf("wrapped: %w", player.Fail(game.ByCrash, nil, "inside")), game.ByCrash, "inside"},
	} {
		for seat := range 2 {
			bad := &fake{}
			bad.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
				if bad.prompts == 2 {
					if f, ok := errors.AsType[*player.Failure](k.err); ok {
						f.Evidence = []string{"stderr line"}
					}
					return player.Answer{}, k.err
				}
				return bad.first(p), nil
			}
			good := &fake{}
			g := newGame(bad, good)
			if seat == 1 {
				g = newGame(good, bad)
			}
			events := collect(t, g)
			o := match.Play(t.Context(), g)
			mustEnd(t, o, game.Seat(1-seat), k.why, k.detail)
			if !o.Faulty[seat] || o.Faulty[1-seat] || o.Plies != 2+seat {
				t.Errorf("faulty %v, %d plies", o.Faulty, o.Plies)
			}
			j := fold(t, *events)
			if ev := j.Evidence[0]; ev.Seat != game.Seat(seat) || ev.Final != o.Final || !slices.Equal(ev.Lines, o.Evidence) {
				t.Errorf("evidence %+v", ev)
			}
			if len(good.over) != 1 || len(bad.over) != 1 || good.over[0] != o.Result {
				t.Errorf("over %v %v", good.over, bad.over)
			}
		}
	}
}

// witness is a player that can show what happened.
type witness struct{ *fake }

func (w witness) Evidence() []string {
	if len(w.over) > 0 {
		return []string{"asked too late"}
	}
	return []string{"a", "last words"}
}

func TestEvidenceIsAskedBeforeTheEnd(t *testing.T) {
	bad := &fake{choose: func(context.Context, *player.Prompt) (player.Answer, error) {
		f := player.Fail(game.ByCrash, nil, "gone")
		f.Evidence = []string{"a"}
		return player.Answer{}, f
	}}
	o := match.Play(t.Context(), newGame(witness{bad}, &fake{}))
	if !slices.Equal(o.Evidence, []string{"a", "last words"}) {
		t.Errorf("evidence %q", o.Evidence)
	}
}

// All steps of an answer are applied, or none.
func TestAllOrNone(t *testing.T) {
	two := func(a, b *fake) *match.Game {
		g := newGame(a, b)
		g.Rules = &tiny{size: 8, perTurn: 2}
		return g
	}
	// The second step is illegal: nobody hears of the first.
	a, b := says(at(0, 1), at(4, 2)), says(at(2, 3))
	o := match.Play(t.Context(), two(a, b))
	mustEnd(t, o, game.Second, game.ByIllegal, "A: 2: point 2 is taken")
	if o.Final != "0 1 2 3" || len(o.Steps) != 4 || count(a.log, "[place 4,0]") != 0 || count(b.log, "[place 4,0]") != 0 {
		t.Errorf("final %q, %d steps\n%s", o.Final, len(o.Steps), strings.Join(b.log, "\n"))
	}
	if o.Evidence[0] != "answer: [place 4,0 place 2,0]" {
		t.Errorf("evidence %q", o.Evidence)
	}
	// With another try the position is as it was before.
	a, b = says(at(0, 1), at(4, 2), at(4, 5)), says(at(2, 3))
	g := two(a, b)
	g.Policy.Retries = 1
	o = match.Play(t.Context(), g)
	if o.Result.Reason != "full" || o.Final != "0 1 2 3 4 5 6 7" || len(o.Warnings) != 1 || !strings.Contains(o.Warnings[0], `A: illegal 2 (point 2 is taken; answer "[place 4,0 place 2,0]"), asked again`) {
		t.Errorf("%+v", o)
	}
	if count(a.log, "asked first/0 again 1 2") != 1 || count(a.log, "again 1") != 1 {
		t.Errorf("asked\n%s", strings.Join(a.log, "\n"))
	}
	// Too many steps.
	o = match.Play(t.Context(), two(says(at(0, 1, 2)), &fake{}))
	mustEnd(t, o, game.Second, game.ByIllegal, "2: the turn was complete before this decision")
	if o.Final != "" {
		t.Errorf("final %q", o.Final)
	}
	// Too few: the seat is asked for the rest of its turn.
	a, b = says(at(0), at(1)), &fake{}
	o = match.Play(t.Context(), two(a, b))
	if o.Result.Reason != "full" || count(a.log, "asked first/1") != 2 || o.Turns != 4 || o.Plies != 8 {
		t.Errorf("%+v\n%s", o, strings.Join(a.log, "\n"))
	}
	// Steps after the one that ends the game are told, not judged.
	o = match.Play(t.Context(), two(says(at(0, 1), at(4, 5)), says(at(2, 3), at(6, 7, 99))))
	if o.Result.Reason != "full" || len(o.Warnings) != 1 || !strings.Contains(o.Warnings[0], "B: sent 1 more decisions after the end") {
		t.Errorf("%+v", o)
	}
}

// whole returns a player that gives the answers in turn, each meant to be a whole
// turn, then the first two legal decisions.
func whole(answers ...[]game.Move) *fake {
	f := says(answers...)
	say := f.choose
	f.choose = func(ctx context.Context, p *player.Prompt) (player.Answer, error) {
		a, err := say(ctx, p)
		if f.prompts > len(answers) {
			a.Steps = append([]game.Move(nil), p.Moves.Legal(nil)[:2]...)
		}
		a.Whole = true
		return a, err
	}
	return f
}

// An answer that is meant to be the whole turn and is not is illegal, and nothing
// of it stays.
func TestWholeTurns(t *testing.T) {
	game2 := func(a, b player.Player, size, retries int) *match.Game {
		g := newGame(a, b)
		g.Rules = &tiny{size: size, perTurn: 2}
		g.Policy.Retries = retries
		return g
	}
	a, b := whole(at(0, 1), at(4)), whole(at(2, 3))
	o := match.Play(t.Context(), game2(a, b, 8, 0))
	mustEnd(t, o, game.Second, game.ByIllegal, `A: 4: the turn is not complete after this decision (answer "[place 4,0]")`)
	if o.Final != "0 1 2 3" || len(o.Steps) != 4 || count(b.log, "[place 4,0]") != 0 || !o.Faulty[0] {
		t.Errorf("final %q, %d steps\n%s", o.Final, len(o.Steps), strings.Join(b.log, "\n"))
	}
	// Asked again, the seat stands at the beginning of its turn.
	a, b = whole(at(0, 1), at(4), at(6, 5)), whole(at(2, 3))
	o = match.Play(t.Context(), game2(a, b, 8, 1))
	if o.Result.Reason != "full" || o.Final != "0 1 2 3 6 5 4 7" || count(a.log, "asked first/0 again 1 2") != 1 || count(a.log, "asked first/1") != 0 {
		t.Errorf("%+v\n%s", o, strings.Join(a.log, "\n"))
	}
	// The end of the game completes every turn; a pass after it says nothing.
	last := append(at(4), game.PassMove())
	o = match.Play(t.Context(), game2(whole(at(0, 1), at(4)), whole(at(2, 3)), 5, 0))
	if o.Result.Reason != "full" || len(o.Warnings) != 0 {
		t.Errorf("%+v", o)
	}
	o = match.Play(t.Context(), game2(whole(at(0, 1), last), whole(at(2, 3)), 5, 0))
	if o.Result.Reason != "full" || len(o.Warnings) != 0 {
		t.Errorf("%+v", o)
	}
}

// An answer that nobody can read is an illegal one, for which there may be another
// try, and not a breach of the protocol.
func TestUnreadAnswers(t *testing.T) {
	babble := func() *fake {
		f := &fake{}
		f.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
			if f.prompts == 2 {
				return player.Answer{Unread: "no letter", Raw: "move 7%"}, nil
			}
			return f.first(p), nil
		}
		return f
	}
	a := babble()
	o := match.Play(t.Context(), newGame(a, &fake{}))
	mustEnd(t, o, game.Second, game.ByIllegal, `A: answer: no letter (answer "move 7%")`)
	if !o.Faulty[0] || !slices.Equal(o.Evidence, []string{"answer: move 7%"}) {
		t.Errorf("%+v", o)
	}
	a = babble()
	g := newGame(a, &fake{})
	g.Policy.Retries = 1
	o = match.Play(t.Context(), g)
	if o.Result.Reason != "full" || len(o.Warnings) != 1 || !strings.Contains(o.Warnings[0], `A: illegal answer (no letter; answer "move 7%"), asked again`) || count(a.log, "again 1 2") != 1 {
		t.Errorf("%+v\n%s", o, strings.Join(a.log, "\n"))
	}
}

// An illegal answer that repeats the one before is told as that: engines print their moves twice.
func TestAnswersTwice(t *testing.T) {
	a := &fake{}
	a.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
		return player.Answer{Steps: at(0), Raw: "move 0"}, nil
	}
	o := match.Play(t.Context(), newGame(a, &fake{}))
	mustEnd(t, o, game.Second, game.ByIllegal, `; its last answer was the same: was it printed twice, or not kept? (answer "move 0")`)
}

func TestIllegalAndOddAnswers(t *testing.T) {
	for _, k := range []struct {
		steps  []game.Move
		why    game.Reason
		detail string
	}{
		{at(99), game.ByIllegal, "99: place 99,0 is off the row (answer"},
		{[]game.Move{game.PassMove()}, game.ByIllegal, "pass when a pass is due: false"},
		{[]game.Move{{}}, game.ByIllegal, "none"},
		{[]game.Move{game.DealAt(game.Pt(0, 0), 1)}, game.ByIllegal, "deal"},
		{nil, game.ByProtocol, "answered without a decision"},
		{[]game.Move{game.ResignMove()}, game.ByResign, "resigned"},
	} {
		o := match.Play(t.Context(), newGame(&fake{}, says(k.steps)))
		mustEnd(t, o, game.First, k.why, k.detail)
		if o.Faulty[1] != (k.why != game.ByResign) {
			t.Errorf("%v: faulty %v", k.steps, o.Faulty)
		}
	}
}

// The number of retries is that of the game, and each is a new question.
func TestRetries(t *testing.T) {
	a := says(at(99), at(98), at(0), at(97), at(96))
	g := newGame(a, &fake{})
	g.Policy.Retries = 3
	o := match.Play(t.Context(), g)
	mustEnd(t, o, game.Second, game.ByIllegal, "96")
	if len(o.Warnings) != 3 || count(a.log, "again 2 2") != 1 || count(a.log, "again 0 0") != 2 {
		t.Errorf("%q\n%s", o.Warnings, strings.Join(a.log, "\n"))
	}
}

// A forced pass is played for the seat, without asking it and without its clock.
func TestForcedPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := slow(), slow(sec, sec, sec)
		g := newGame(a, b)
		g.Rules = &tiny{size: 5, perTurn: 1, passes: true}
		g.Sides[1].Clock = control(t, "10+1")
		events := collect(t, g)
		o := match.Play(t.Context(), g)
		if o.Result.Reason != "full" || len(o.Steps) != 6 || !o.Steps[3].Forced || o.Steps[3].By != game.Second {
			t.Fatalf("%+v", o)
		}
		if b.prompts != 2 || count(a.log, "by second [pass] forced used 0s") != 1 || count(b.log, "by second [pass] forced used 0s") != 1 {
			t.Errorf("%d prompts\n%s", b.prompts, strings.Join(b.log, "\n"))
		}
		j := fold(t, *events)
		if s := j.Steps[3]; !s.Forced || s.Clocks[1] != j.Steps[2].Clocks[1] || s.Used != 0 {
			t.Errorf("%+v", s)
		}
	})
}

// A forced pass of an opening is told as one, also when the game goes on where it was broken off.
func TestForcedPassOfOpening(t *testing.T) {
	b := &fake{}
	g := newGame(&fake{}, b)
	g.Rules = &tiny{size: 6, perTurn: 1, passes: true}
	for i := range 3 {
		g.Opening = append(g.Opening, game.PlaceAt(game.Pt(i, 0)))
	}
	g.Opening = append(g.Opening, game.PassMove())
	events := collect(t, g)
	for range 2 {
		b.setup.History = nil
		match.Play(t.Context(), g)
		if h := b.setup.History; len(h) < 4 || h[2].Forced || !h[3].Forced {
			t.Errorf("%+v", h)
		}
		g.Resume, g.Sink = (*events)[:len(*events)-2], nil
	}
}

// What chance decides after an answer is told with it, drawn from the seed alone.
func TestDealer(t *testing.T) {
	play := func(seed byte) (match.Outcome, *fake, *journal.Game) {
		a := &fake{}
		g := newGame(a, &fake{})
		g.Rules = &tiny{size: 30, perTurn: 1, chance: true}
		g.Dealer = match.NewDealer(g.Rules, [32]byte{seed})
		events := collect(t, g)
		return match.Play(t.Context(), g), a, fold(t, *events)
	}
	o, a, j := play(1)
	same, _, _ := play(1)
	other, _, _ := play(2)
	if !slices.Equal(moves(o), moves(same)) || slices.Equal(moves(o), moves(other)) {
		t.Error("the seed does not decide")
	}
	if o.Plies != 30 || len(o.Steps) != 60 || o.Steps[1].By != game.Dealer || !slices.Equal(j.Moves(), moves(o)) {
		t.Errorf("%d plies, %d steps", o.Plies, len(o.Steps))
	}
	if first := a.log[1]; !strings.HasPrefix(first, "by first [place 0,0] [deal 0,0:") || !strings.Contains(first, "ended true") {
		t.Errorf("told %q", first)
	}
	var worth [3]int
	for _, m := range moves(o) {
		if m.Op == game.Deal {
			worth[m.Arg]++
		}
	}
	if worth[0] >= worth[2] { // weights 1, 2, 3
		t.Errorf("outcomes %v", worth)
	}
	// Without a dealer, or with one that fails, nobody loses.
	g := newGame(&fake{}, &fake{})
	g.Rules = &tiny{size: 8, perTurn: 1, chance: true}
	mustEnd(t, match.Play(t.Context(), g), game.Nobody, game.ByAbort, "no dealer")
	g = newGame(&fake{}, &fake{})
	g.Rules = &tiny{size: 8, perTurn: 1, chance: true}
	g.Dealer = match.Outcomes(func(int) int { return -1 })
	if o := match.Play(t.Context(), g); o.Result.Reason != "full" {
		t.Errorf("%+v", o.Result)
	}
}

// An attempt that hidden facts forbid is told to the mover alone, the turn and
// the clock stay, and the two hundredth loses.
func TestRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := slow(sec, 2*sec, sec)
		b.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
			time.Sleep(sec)
			return player.Answer{Steps: at(b.prompts - 1)}, nil // the first is A's own
		}
		a := &fake{}
		g := newGame(a, b)
		g.Rules = &tiny{size: 2, perTurn: 1, hidden: true}
		g.Sides[1].Clock = control(t, "10+5")
		events := collect(t, g)
		o := match.Play(t.Context(), g)
		if o.Result.Reason != "full" || o.Used[1] != 2*sec || o.Steps[1].Used != sec || o.Plies != 2 {
			t.Fatalf("%+v", o)
		}
		if count(b.log, "{refused second place 0,0") != 1 || count(b.log, "asked second/0 again 1 1") != 1 || count(b.log, "clocks 0s 9s") != 1 {
			t.Errorf("B\n%s", strings.Join(b.log, "\n"))
		}
		if count(a.log, "refused") != 0 || count(a.log, "by second {moved second") != 1 || count(a.log, "[place 1") != 0 || count(a.log, "used 2s") != 1 {
			t.Errorf("A\n%s", strings.Join(a.log, "\n"))
		}
		for _, ev := range *events {
			if ev.To.Includes(game.ToFirst) && ev.Kind != journal.KindStart && ev.Kind != journal.KindResult {
				if ev.Kind != journal.KindNotices || ev.Notices.By == game.Second && ev.Notices.Notices[0].Kind != game.Moved {
					t.Errorf("A may read %+v", ev)
				}
			}
		}
		if want := []match.Attempt{{Before: 1, By: game.Second, Move: game.PlaceAt(game.Pt(0, 0)), Used: sec}}; !slices.Equal(o.Attempts, want) {
			t.Errorf("attempts %v", o.Attempts)
		}
		if j := fold(t, *events); len(j.Steps) != 3 || !j.Steps[1].Refused || len(j.Moves()) != 2 {
			t.Errorf("journal %+v", j.Steps)
		}
	})
	stubborn := &fake{}
	stubborn.choose = func(context.Context, *player.Prompt) (player.Answer, error) {
		return player.Answer{Steps: at(0)}, nil
	}
	g := newGame(&fake{}, stubborn)
	g.Rules = &tiny{size: 8, perTurn: 1, hidden: true}
	o := match.Play(t.Context(), g)
	mustEnd(t, o, game.First, game.ByIllegal, "B: 200 refused attempts in one turn")
	if len(o.Evidence) != 1 || !strings.HasPrefix(o.Evidence[0], "the last attempt: ") {
		t.Errorf("evidence %q", o.Evidence)
	}
	if stubborn.prompts != 200 {
		t.Errorf("%d attempts", stubborn.prompts)
	}
}

// A step that is refused takes back the steps of the same answer before it.
func TestRefusedSecondStep(t *testing.T) {
	b := says(at(3, 0))
	g := newGame(says(at(0, 1)), b)
	g.Rules = &tiny{size: 4, perTurn: 2, hidden: true}
	o := match.Play(t.Context(), g)
	if o.Result.Reason != "full" || count(b.log, "[place 3,0]") != 1 || !strings.Contains(b.log[2], "refused second place 0,0") {
		t.Errorf("%+v\n%s", o, strings.Join(b.log, "\n"))
	}
}

// suspendable writes down when its process was stopped.
type suspendable struct {
	*fake
	what *[]string
	name string
}

func (s suspendable) Suspend() error { *s.what = append(*s.what, "stop "+s.name); return nil }
func (s suspendable) Resume() error  { *s.what = append(*s.what, "go "+s.name); return nil }

func TestSuspend(t *testing.T) {
	var what []string
	watch := func(name string) suspendable {
		f := &fake{}
		f.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
			what = append(what, name)
			return f.first(p), nil
		}
		return suspendable{f, &what, name}
	}
	g := newGame(watch("A"), watch("B"))
	g.Rules = &tiny{size: 4, perTurn: 1}
	g.Sides[0].Suspend, g.Sides[1].Suspend = true, true
	match.Play(t.Context(), g)
	want := "A, stop A, B, stop B, go A, A, stop A, go B, B, stop B, go A, go B"
	if got := strings.Join(what, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The journal is written when the question has gone out, if the player says so,
// and in order in any case.
func TestJournalAfterTheQuestion(t *testing.T) {
	for _, reports := range []bool{false, true} {
		var order []string
		mk := func(name string) *fake {
			f := &fake{reportsSent: reports}
			f.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
				order = append(order, name)
				return f.first(p), nil
			}
			return f
		}
		g := newGame(mk("A"), mk("B"))
		g.Rules = &tiny{size: 3, perTurn: 1}
		var kinds []string
		g.Sink = func(ev *journal.Event) {
			if ev.Kind == journal.KindDecision {
				order = append(order, "journal "+ev.Decision.By.String())
			}
			kinds = append(kinds, string(ev.Kind))
		}
		match.Play(t.Context(), g)
		if want := "A, journal first, B, journal second, A, journal first"; strings.Join(order, ", ") != want {
			t.Errorf("reports %v: %s", reports, strings.Join(order, ", "))
		}
		if want := "start decision decision decision evidence result"; strings.Join(kinds, " ") != want {
			t.Errorf("%v", kinds)
		}
	}
}

// What a player reports goes to its own update and to the arbiter.
func TestInfoIsForTheArbiter(t *testing.T) {
	a, b := &fake{}, &fake{}
	a.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
		ans := a.first(p)
		ans.Info = game.Info{Depth: 9, Eval: game.Eval{Unit: game.Discs, Lo: 3, Hi: 3}}
		ans.Lines = []game.Info{{Rank: 2}}
		return ans, nil
	}
	g := newGame(a, b)
	events := collect(t, g)
	o := match.Play(t.Context(), g)
	if count(a.log, "depth 9") != 4 || count(b.log, "depth") != 0 || o.Steps[0].Info.Depth != 9 || o.Steps[1].Info != nil {
		t.Errorf("A\n%s\nB\n%s", strings.Join(a.log, "\n"), strings.Join(b.log, "\n"))
	}
	n := 0
	for _, ev := range *events {
		if ev.Kind == journal.KindSaid {
			n++
			if ev.To != game.Arbiter || ev.Said.By != game.First || len(ev.Said.Lines) != 1 {
				t.Errorf("%+v", ev)
			}
		}
	}
	if n != 4 {
		t.Errorf("%d reports", n)
	}
}

func TestViewsForSpectators(t *testing.T) {
	for _, hidden := range []bool{false, true} {
		b := says(at(0), at(1), at(3))
		if !hidden {
			b = says(at(1), at(3))
		}
		g := newGame(says(at(0), at(2)), b)
		g.Rules = &tiny{size: 4, perTurn: 1, hidden: hidden}
		g.Views = true
		events := collect(t, g)
		match.Play(t.Context(), g)
		n := map[game.Audience]int{}
		for _, ev := range *events {
			if ev.Kind != journal.KindView {
				continue
			}
			n[ev.To]++
			if ev.View.For != ev.To {
				t.Errorf("a view for %s goes to %s", ev.View.For, ev.To)
			}
		}
		want := map[game.Audience]int{game.Public: 5} // the start, and four turns
		if hidden {                                   // one attempt is refused, and only B sees more after it
			want = map[game.Audience]int{game.Public: 5, game.ToFirst: 5, game.ToSecond: 6}
		}
		if fmt.Sprint(n) != fmt.Sprint(want) {
			t.Errorf("hidden %v: %v, want %v", hidden, n, want)
		}
	}
}
