package match_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot/random"
	"kibitz/game"
	"kibitz/internal/actmodel"
	"kibitz/journal"
	"kibitz/match"
	"kibitz/player"
)

// person plays a mailbox like somebody who decides after the time what to do.
func person(t *testing.T, act func(m *player.Mailbox, mail player.Mail)) *player.Mailbox {
	t.Helper()
	m := player.NewMailbox(time.Now)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	go func() {
		seq := -1
		for {
			mail, err := m.Wait(ctx, seq)
			if err != nil || mail.Result != nil {
				return
			}
			seq = mail.Seq
			act(m, mail)
		}
	}()
	return m
}

// mover submits the first legal move whenever it is asked.
func mover(m *player.Mailbox, mail player.Mail) {
	if mail.Prompt > 0 {
		_ = m.Submit(mail.Prompt, 0, mail.Legal[0])
	}
}

// act does something beside the moves, and wants the effect.
func act(t *testing.T, m *player.Mailbox, a player.Act, want player.Effect) player.Reply {
	t.Helper()
	r, err := m.Act(t.Context(), a)
	if err != nil || r.Effect != want || (r.Why.Code == "") != (want != player.Refused) {
		t.Errorf("%+v: %+v %v, want %s", a, r, err, want)
	}
	return r
}

func TestResignOffTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := player.NewMailbox(time.Now)
		b := person(t, mover)
		time.AfterFunc(3*time.Second, func() { act(t, b, player.Act{Do: player.Resign}, player.Done) })
		begin := time.Now()
		o := match.Play(t.Context(), newGame(a, b))
		mustEnd(t, o, game.First, game.ByResign, "B: resigned")
		if d := time.Since(begin); d != 3*time.Second || o.Faulty != [2]bool{} {
			t.Errorf("after %v, faulty %v", d, o.Faulty)
		}
	})
}

// duel is a game between two mailboxes that a test moves step by step.
type duel struct {
	t      *testing.T
	boxes  [2]*player.Mailbox
	events []journal.Event
	out    match.Outcome
	done   chan struct{}
	cancel context.CancelCauseFunc
}

func newDuel(t *testing.T, change func(*match.Game)) *duel {
	d := &duel{t: t, done: make(chan struct{})}
	for s := range d.boxes {
		d.boxes[s] = player.NewMailbox(time.Now)
	}
	g := newGame(d.boxes[0], d.boxes[1])
	g.Rules = &tiny{size: 200, perTurn: 1}
	g.Policy.Undo, g.Policy.Stall = true, -1
	g.Sink = func(ev *journal.Event) {
		if line, err := journal.AppendEvent(nil, ev); err != nil {
			t.Error(err)
		} else if e, err := journal.ParseEvent(line); err != nil {
			t.Error(err)
		} else {
			d.events = append(d.events, e)
		}
	}
	if change != nil {
		change(g)
	}
	var ctx context.Context
	ctx, d.cancel = context.WithCancelCause(t.Context())
	go func() {
		defer close(d.done)
		d.out = match.Play(ctx, g)
	}()
	synctest.Wait()
	return d
}

// end resigns the game if it goes on, and waits for its end.
func (d *duel) end() {
	_, _ = d.boxes[0].Act(d.t.Context(), player.Act{Do: player.Resign})
	<-d.done
}

// try does an op, and says what came of it.
func (d *duel) try(o actmodel.Op) player.Effect {
	box := d.boxes[o.Seat]
	if o.Do != actmodel.Move {
		r, err := box.Act(d.t.Context(), o.Act)
		if err != nil || (r.Effect == player.Refused) != (r.Why.Code != "") {
			d.t.Errorf("%s: %+v %v", o, r, err)
		}
		return r.Effect
	}
	if d.move(o.Seat) == 0 {
		return player.Refused
	}
	return player.Done
}

// move answers the question of a seat, and returns its number, 0 if there is none.
func (d *duel) move(seat int) int {
	mail := d.boxes[seat].Read()
	if mail.Prompt == 0 || d.boxes[seat].Submit(mail.Prompt, 0, mail.Legal[0]) != nil {
		return 0
	}
	return mail.Prompt
}

// counts are the decisions in the events, and how many of them were taken back.
func counts(events []journal.Event) (made, back int) {
	for i := range events {
		switch ev := &events[i]; {
		case ev.Decision != nil:
			made += len(ev.Decision.Steps)
		case ev.Rewind != nil:
			back += ev.Rewind.Steps
		}
	}
	return made, back
}

// A thousand random orders of moves and acts by both seats: each has the effect that a
// small model says, or is refused with a reason; no move is lost, no act is taken for
// an answer, and both seats see the same asked of each other.
func TestActsModel(t *testing.T) {
	reasons := map[player.Deed]game.Reason{player.Resign: game.ByResign, player.AskDraw: game.ByAgreement, player.AskAbort: game.ByAbort}
	ends := map[player.Deed]int{}
	for seed := range uint64(1000) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 20))
			m := actmodel.New()
			m.NoUndo, m.NoDraw, m.NoAbort = rng.IntN(8) == 0, rng.IntN(8) == 0, rng.IntN(8) == 0
			d := newDuel(t, func(g *match.Game) {
				g.Policy.Undo, g.Policy.NoDraw, g.Policy.NoAbort = !m.NoUndo, m.NoDraw, m.NoAbort
			})
			var log []string
			last := actmodel.Op{}
			for range 60 {
				o := m.Next(rng, seed%4 != 0)
				if last.ID != "" && rng.IntN(10) == 0 {
					o = last // it comes twice
				}
				last = o
				want, got := m.Do(o), d.try(o)
				time.Sleep(time.Millisecond)
				synctest.Wait()
				log = append(log, fmt.Sprint(o, " ", got))
				for s, box := range d.boxes {
					mail := box.Read()
					diff := m.Differs(mail.Asks)
					if asked := mail.Prompt > 0; m.Over == "" && asked != (m.Turn() == s) {
						diff += fmt.Sprintf(" seat %d is asked for a move: %v", s, asked)
					}
					if n := len(mail.Updates); m.Over == "" && n != m.Plies || got != want {
						diff += fmt.Sprintf(" seat %d knows %d moves, want %d; %s, want %s", s, n, m.Plies, got, want)
					}
					if diff != "" {
						t.Fatalf("seed %d: %s\n%s", seed, diff, strings.Join(log, "\n"))
					}
				}
				if m.Over != "" {
					break
				}
			}
			over := cmp.Or(m.Over, player.Resign)
			ends[m.Over]++
			d.end()
			made, back := counts(d.events)
			if made != m.Made || back != m.Back || len(d.out.Steps) != m.Plies || d.out.Result.Reason != reasons[over] || d.out.Faulty != [2]bool{} {
				t.Fatalf("seed %d: %d made, %d back, %d stand, %+v; want %+v\n%s", seed, made, back, len(d.out.Steps), d.out.Result, m, strings.Join(log, "\n"))
			}
			if d.out.Aborted != (over == player.AskAbort) {
				t.Errorf("aborted %v", d.out.Aborted)
			}
		})
	}
	for _, e := range []player.Deed{"", player.Resign, player.AskDraw, player.AskAbort} {
		if ends[e] < 50 {
			t.Errorf("ended by %q %d times: the test is worth nothing", e, ends[e])
		}
	}
}

// Both seats act at the same moment, in whichever order the machine takes them: every
// move that was taken is in the journal, and both see the same.
func TestActsAtOnce(t *testing.T) {
	for seed := range uint64(300) {
		synctest.Test(t, func(t *testing.T) {
			d := newDuel(t, nil)
			var mu sync.Mutex
			taken := map[[2]int]bool{} // by seat and question
			for round := range 20 {
				var wg sync.WaitGroup
				for s := range d.boxes {
					rng := rand.New(rand.NewPCG(seed, uint64(2*round+s)))
					wg.Go(func() {
						m := actmodel.New()
						for range 3 {
							o := m.Next(rng, false)
							o.Seat = s
							if o.Do == player.AskAbort || o.Do == player.AskDraw && s == 1 { // both would end it
								o.Do = actmodel.Move
							}
							if o.Do == player.Accept {
								for _, a := range d.boxes[s].Read().Asks {
									if a.What == player.AskUndo {
										o.Ask = a.Num
									}
								}
								if o.Ask == 0 {
									o.Do = player.Decline
								}
							}
							if o.Do != actmodel.Move {
								d.try(o)
							} else if prompt := d.move(s); prompt > 0 {
								mu.Lock()
								taken[[2]int{s, prompt}] = true
								mu.Unlock()
							}
						}
					})
				}
				wg.Wait()
				time.Sleep(10 * time.Millisecond)
				synctest.Wait()
				a, b := d.boxes[0].Read(), d.boxes[1].Read()
				if !slices.Equal(a.Asks, b.Asks) || (a.Prompt > 0) == (b.Prompt > 0) || len(a.Updates) != len(b.Updates) {
					t.Fatalf("seed %d: %+v %+v", seed, a.Asks, b.Asks)
				}
			}
			d.end()
			if made, back := counts(d.events); made != len(taken) || len(d.out.Steps) != made-back || d.out.Result.Reason != game.ByResign {
				t.Fatalf("seed %d: %d moves were taken, %d made, %d back, %d stand, %+v", seed, len(taken), made, back, len(d.out.Steps), d.out.Result)
			}
		})
	}
}

// The end of a game tells the clocks as they stand: a turn within which somebody resigned, agreed
// or was overruled has taken its time, but for what did not count, and no more than was left.
func TestEndTellsClocks(t *testing.T) {
	for name, end := range map[string]func(d *duel, cancel context.CancelCauseFunc){
		"on turn": func(d *duel, _ context.CancelCauseFunc) {
			act(d.t, d.boxes[1], player.Act{Do: player.Resign}, player.Done)
		},
		"off turn": func(d *duel, _ context.CancelCauseFunc) {
			act(d.t, d.boxes[0], player.Act{Do: player.Resign}, player.Done)
		},
		"ruled": func(_ *duel, cancel context.CancelCauseFunc) {
			cancel(&match.Verdict{Result: game.Win(game.First, game.ByAbort, "")})
		},
		"held before": func(d *duel, _ context.CancelCauseFunc) {
			d.boxes[1].Hold(time.Now(), true)
			time.Sleep(time.Minute)
			act(d.t, d.boxes[0], player.Act{Do: player.Resign}, player.Done)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDuel(t, func(g *match.Game) {
					for s := range g.Sides {
						g.Sides[s].Clock = control(t, "60+2")
					}
				})
				time.Sleep(5 * time.Second)
				d.move(0)
				synctest.Wait()
				time.Sleep(20 * time.Second)
				end(d, d.cancel)
				<-d.done
				want := [2]journal.Clock{{Left: 57 * time.Second, Total: 5 * time.Second}, {Left: 40 * time.Second, Total: 20 * time.Second}}
				last := d.events[len(d.events)-1].Result
				if last == nil || last.Clocks == nil || *last.Clocks != want || d.out.Clocks != want || last.Used != [2]time.Duration{5 * time.Second, 20 * time.Second} {
					t.Errorf("%+v, %+v", last, d.out.Clocks)
				}
			})
		})
	}
}

// Against a player that cannot be asked moves are taken back at once: on the person's
// turn, and while the other one thinks, also if the Stop comes before it has begun.
func TestUndoAtOnce(t *testing.T) {
	for _, early := range []int{0, 3} {
		synctest.Test(t, func(t *testing.T) {
			b := &fake{stops: make(chan struct{}, 1)}
			lost := early
			b.choose = func(_ context.Context, p *player.Prompt) (player.Answer, error) {
				for range b.prompts % 2 * (lost + 1) { // its first turn, and others, it thinks about until it is stopped
					<-b.stops
				}
				return b.first(p), nil
			}
			d := newDuel(t, func(g *match.Game) { g.Sides[1] = match.Side{Player: b, Name: "B"} })
			me := d.boxes[0]
			d.try(actmodel.Op{Act: player.Act{Do: actmodel.Move}})
			synctest.Wait()
			began := time.Now()
			act(t, me, player.Act{Do: player.AskDraw}, player.Refused)
			act(t, me, player.Act{Do: player.AskUndo, Ply: player.LatestTurn}, player.Done)
			for me.Read().Prompt == 0 {
				time.Sleep(time.Millisecond)
				synctest.Wait()
			}
			if took := time.Since(began); took > 50*time.Millisecond || len(me.Read().Updates) != 0 || count(b.log, "rewind 1") != 1 {
				t.Errorf("after %v: %+v\n%s", took, me.Read().Updates, strings.Join(b.log, "\n"))
			}
			d.try(actmodel.Op{Act: player.Act{Do: actmodel.Move}})
			synctest.Wait()
			if n := len(me.Read().Updates); n != 2 {
				t.Fatalf("%d moves", n)
			}
			prompt := me.Read().Prompt
			act(t, me, player.Act{Do: player.AskUndo, Ply: player.LatestTurn}, player.Done)
			synctest.Wait()
			if mail := me.Read(); len(mail.Updates) != 0 || mail.Prompt <= prompt {
				t.Errorf("on one's own turn: %+v", mail)
			}
			act(t, me, player.Act{Do: player.AskUndo, Ply: player.LatestTurn}, player.Refused) // nothing is left
			act(t, me, player.Act{Do: player.AskAbort}, player.Done)
			<-d.done
			if !d.out.Aborted || d.out.Faulty != [2]bool{} {
				t.Errorf("%+v", d.out)
			}
		})
	}
}

// A draw is offered once in ten turns of one's own, whatever became of the last offer; taking
// back does not shorten the wait, nor prolong it.
func TestDrawOffers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDuel(t, nil)
		move := func(n int) {
			for range n {
				d.move(len(d.boxes[0].Read().Updates) % 2)
				synctest.Wait()
			}
		}
		offer := func(left int) {
			t.Helper()
			want := player.Asked
			if left > 0 {
				want = player.Refused
			}
			r := act(t, d.boxes[0], player.Act{Do: player.AskDraw}, want)
			if left > 0 && (r.Why.Code != player.TooSoon || r.Why.N != left) {
				t.Errorf("%+v, want %d turns", r.Why, left)
			}
		}
		move(4)
		offer(0)
		offer(0) // the same once more
		if n := d.boxes[0].Read().DrawFrom; n != 12 || d.boxes[1].Read().DrawFrom != 0 {
			t.Errorf("from %d", n)
		}
		act(t, d.boxes[1], player.Act{Do: player.Decline}, player.Done)
		move(2)
		offer(9)
		act(t, d.boxes[1], player.Act{Do: player.AskDraw}, player.Asked) // he has offered none
		act(t, d.boxes[1], player.Act{Do: player.Withdraw}, player.Done)
		act(t, d.boxes[0], player.Act{Do: player.AskUndo, Ply: 2}, player.Asked)
		act(t, d.boxes[1], player.Act{Do: player.Accept}, player.Done)
		synctest.Wait()
		offer(10)
		move(18)
		offer(1)
		move(2)
		offer(0)
		act(t, d.boxes[0], player.Act{Do: player.Withdraw}, player.Done)
		move(2)
		offer(9)
		d.end()
	})
}

// A player that cannot follow, and a game that is rated, keep their moves.
func TestUndoRefused(t *testing.T) {
	for why, change := range map[string]func(*match.Game){
		"B cannot follow": func(g *match.Game) { g.Sides[1].Player = &bound{player.Player(random.New(random.Options{}))} },
		"nothing is":      func(g *match.Game) { g.Rated = true },
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newDuel(t, change)
			d.try(actmodel.Op{Act: player.Act{Do: actmodel.Move}})
			synctest.Wait()
			if r := act(t, d.boxes[0], player.Act{Do: player.AskUndo, Ply: player.LatestTurn}, player.Refused); !strings.Contains(r.Why.Text, why) {
				t.Errorf("%q, want %q", r.Why.Text, why)
			}
			d.end()
		})
	}
}

// bound is a player that can start at the beginning alone.
type bound struct{ player.Player }

// Taking back: chance comes out the same, what was refused goes too, and the journal
// holds what stands.
func TestUndoChance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		draws := 0
		d := newDuel(t, func(g *match.Game) {
			g.Rules = &tiny{size: 8, perTurn: 1, chance: true}
			g.Dealer = match.Outcomes(func(int) int { draws++; return draws % 6 })
		})
		move := func(n int) {
			for range n {
				for s := range d.boxes {
					if d.boxes[s].Read().Prompt > 0 {
						d.try(actmodel.Op{Seat: s, Act: player.Act{Do: actmodel.Move}})
						break
					}
				}
				synctest.Wait()
			}
		}
		move(4)
		act(t, d.boxes[0], player.Act{Do: player.AskUndo, Ply: 1}, player.Refused) // chance is to decide there
		ask := act(t, d.boxes[0], player.Act{Do: player.AskUndo, Ply: 2}, player.Asked)
		act(t, d.boxes[1], player.Act{Do: player.Accept, Ask: ask.Ask + 1}, player.Refused)
		act(t, d.boxes[1], player.Act{Do: player.Accept, Ask: ask.Ask}, player.Done)
		synctest.Wait()
		move(7)
		<-d.done
		if d.out.Result.Reason != "full" || draws != 8 || len(d.out.Steps) != 16 {
			t.Errorf("%d draws, %+v", draws, d.out)
		}
		for i := range d.events {
			d.events[i].Seq = uint64(i + 1)
		}
		if j := fold(t, d.events); !slices.Equal(j.Moves(), moves(d.out)) {
			t.Errorf("journal %v, outcome %v", j.Moves(), moves(d.out))
		}
	})
}

// What is taken back takes its refused attempts with it.
func TestUndoAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDuel(t, func(g *match.Game) { g.Rules = &tiny{size: 8, perTurn: 1, hidden: true} })
		put := func(seat int, points ...int) {
			for _, p := range points {
				if err := d.boxes[seat].Submit(d.boxes[seat].Read().Prompt, 0, at(p)...); err != nil {
					t.Error(err)
				}
				synctest.Wait()
			}
		}
		put(0, 0)
		put(1, 0, 1) // the first is refused
		put(0, 2)
		put(1, 0, 3)
		act(t, d.boxes[0], player.Act{Do: player.AskUndo, Ply: player.LatestTurn}, player.Asked)
		act(t, d.boxes[1], player.Act{Do: player.Accept}, player.Done)
		synctest.Wait()
		put(0, 2)
		d.end()
		want := []match.Attempt{{Before: 1, By: game.Second, Move: at(0)[0]}}
		if !slices.Equal(d.out.Attempts, want) || len(d.out.Steps) != 3 {
			t.Errorf("attempts %v, %d steps", d.out.Attempts, len(d.out.Steps))
		}
	})
}

// What a person was told to be taken counts, even if the game is broken off at that
// moment: who takes it up again need not decide a second time.
func TestTakenCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		a := person(t, func(m *player.Mailbox, mail player.Mail) {
			mover(m, mail)
			if mail.Prompt == 2 {
				cancel(context.DeadlineExceeded)
			}
		})
		o := match.Play(ctx, newGame(a, person(t, mover)))
		if o.Result.Reason != game.ByAbort || o.Plies != 3 {
			t.Errorf("%d plies, %+v", o.Plies, o.Result)
		}
	})
}

// suggester is an engine that proposes its first legal move.
type suggester struct {
	*random.Player
	decide func(context.Context, *player.Prompt, game.Move) game.Move
}

func (s *suggester) Consult(decide func(context.Context, *player.Prompt, game.Move) game.Move) {
	s.decide = decide
}

func (s *suggester) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	m := p.Moves.Legal(nil)[0]
	if s.decide != nil {
		m = s.decide(ctx, p, m)
	}
	return player.Answer{Steps: []game.Move{m}}, nil
}

// TestProposals: a person decides what the engine of the other seat proposes, where nothing is at
// stake, and can give up meanwhile.
func TestProposals(t *testing.T) {
	at := func(x int) game.Move { return game.PlaceAt(game.Pt(x, 0)) }
	for _, x := range []struct {
		name   string
		change func(*match.Game)
		want   []game.Move
	}{
		{"casual", func(*match.Game) {}, []game.Move{at(5), at(7)}},
		{"rated", func(g *match.Game) { g.Rated = true }, []game.Move{at(0), at(7), at(1)}},
		{"a tournament", func(g *match.Game) { g.Tournament = true }, []game.Move{at(0), at(7), at(1)}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var over sync.Once
			p := person(t, func(m *player.Mailbox, mail player.Mail) {
				switch {
				case mail.Prompt == 0:
				case mail.Proposed != nil && mail.Ply == 0:
					if err := m.Submit(mail.Prompt, 0, at(99)); !errors.Is(err, player.ErrNotLegal) {
						t.Errorf("%s: a point that is none: %v", x.name, err)
					}
					if err := m.Submit(mail.Prompt, 0, at(5)); err != nil || *mail.Proposed != at(0) {
						t.Errorf("%s: of %v: %v", x.name, mail.Proposed, err)
					}
				case mail.Ply == 1:
					_ = m.Submit(mail.Prompt, 0, at(7))
				default: // asked for its own decision, or for the engine's
					over.Do(func() { act(t, m, player.Act{Do: player.Resign}, player.Done) })
				}
			})
			g := newGame(&suggester{Player: random.New(random.Options{Seed: 1})}, p)
			x.change(g)
			o := match.Play(t.Context(), g)
			mustEnd(t, o, game.First, game.ByResign, "B: resigned")
			var got []game.Move
			for _, s := range o.Steps {
				got = append(got, s.Move)
			}
			if !slices.Equal(got, x.want) {
				t.Errorf("%s: %v, want %v", x.name, got, x.want)
			}
		})
	}
}
