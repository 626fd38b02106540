package player_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kibitz/game"
	"kibitz/games/phantomgo"
	"kibitz/player"
	"kibitz/rules"
)

// TestLedgerKnowsWhatASeatKnows plays random games of Phantom Go and keeps a ledger
// for each seat from the announcements alone: what it lists, shows and tells is what
// the game itself offers, shows and tells the seat.
func TestLedgerKnowsWhatASeatKnows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	refused, took, passes := 0, 0, 0
	for n := range 30 {
		board := rules.NewBoard(func(s game.Spec) (rules.Rules, error) {
			return rules.Open([]rules.Game{phantomgo.Game()}, string(s))
		})
		if err := board.Reset([]game.Spec{"phantomgo:size=3", "phantomgo:size=5", "phantomgo:"}[n%3], ""); err != nil {
			t.Fatal(err)
		}
		w, h := board.Size()
		var books [2]player.Ledger
		for s := range books {
			books[s].Start(game.Seat(s), w, h, board.Turn().Phase)
		}
		for {
			if _, over := board.Result(); over {
				break
			}
			by := board.Turn().Seat
			legal := board.Legal(nil)
			if got := books[by].Legal(nil); !slices.Equal(got, legal) {
				t.Fatalf("%s may attempt %v, by its ledger %v", by, legal, got)
			}
			m := legal[rng.IntN(len(legal))]
			notices, err := board.Apply(m)
			if err != nil {
				t.Fatal(err)
			}
			for s := range books {
				seat := game.Seat(s)
				var want player.Update
				want.By, want.Next, want.Colours = by, board.Turn(), board.Colours()
				want.AddNotices(seat, notices)
				got := book(&books[s], seat, by, m, &want)
				if got == nil {
					refused++
					continue
				}
				if m.Op == game.Pass {
					passes++
				}
				took += len(want.Notices) / 2
				want.Ended = want.Next.Seat != by
				if over := want.Next.Seat == game.Nobody; over && !books[s].Over() {
					want.Next = got.Next // the limit of moves is not in the books
				}
				c := got.Clone()
				if d := cmp.Diff(want.Clone(), c, cmp.AllowUnexported(game.Move{}), cmp.Comparer(slices.Equal[[]game.Move]),
					cmp.Comparer(func(a, b []game.Notice) bool {
						return slices.EqualFunc(a, b, func(x, y game.Notice) bool {
							return x.To == y.To && x.Kind == y.Kind && x.By == y.By && x.Move == y.Move && x.Count == y.Count && slices.Equal(x.Points, y.Points)
						})
					})); d != "" {
					t.Fatalf("%s after %s of %s: %s", seat, m, by, d)
				}
				shown, full := books[s].View(), board.View(game.To(seat))
				if !slices.Equal(shown.Cells, full.Cells) || !slices.Equal(shown.Attempts, full.Attempts) || !slices.Equal(shown.Marks, full.Marks) ||
					cmp.Diff(shown.Trays, full.Trays) != "" {
					t.Fatalf("%s sees %+v, by its ledger %+v", seat, full, shown)
				}
			}
		}
	}
	if refused < 100 || took < 20 || passes < 30 {
		t.Errorf("only %d refusals, %d captures, %d passes were met", refused, took, passes)
	}
}

// book passes on to a ledger what a protocol would say of the decision; nil means
// that nothing is said to the seat.
func book(l *player.Ledger, seat, by game.Seat, m game.Move, u *player.Update) *player.Update {
	var points []game.Point
	for i := range u.Notices {
		switch u.Notices[i].Kind {
		case game.Refused:
			return l.Refused(m)
		case game.Took, game.Lost:
			points = u.Notices[i].Points
		}
	}
	switch {
	case m.Op == game.Pass:
		return l.Passed(by)
	case by == seat:
		return l.Stood(m, points)
	case len(u.Notices) > 0:
		return l.Moved(points)
	}
	return nil // the other seat's refused attempt
}
