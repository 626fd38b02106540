package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"kibitz/bus"
	"kibitz/game"
	"kibitz/journal"
	"kibitz/player"
)

// person is a seat of somebody who answers through the bus.
type person struct {
	a    *attempt
	seat game.Seat
	box  *player.Mailbox
	ctx  context.Context
	stop context.CancelFunc
	done chan struct{} // closed when watch has ended
	// begun tells that watch was started.
	begun bool

	mu    sync.Mutex
	seq   uint64
	mail  player.Mail
	state bus.SeatState
	// prompt and steps are the answer that was taken last.
	prompt int
	steps  []string
	absence
	closed bool
}

func newPerson(a *attempt, seat game.Seat, before []journal.Event) *person {
	s := &person{a: a, seat: seat, box: player.NewMailbox(a.w.Now), done: make(chan struct{})}
	s.decided = slices.ContainsFunc(before, func(ev journal.Event) bool {
		return ev.Decision != nil && ev.Decision.By == seat && !ev.Decision.Opening && !ev.Decision.Forced
	})
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

// begin starts to tell the person, who is missed until there is a sign of him.
func (s *person) begin() {
	s.begun = true
	s.mu.Lock()
	s.leave()
	s.mu.Unlock()
	go s.watch(s.ctx)
}

// watch tells the person whatever changes for the seat.
func (s *person) watch(ctx context.Context) {
	defer close(s.done)
	for seq := 0; ; {
		mail, err := s.box.Wait(ctx, seq)
		if err != nil {
			return
		}
		seq = mail.Seq
		s.mu.Lock()
		s.mail = mail
		s.publish()
		s.mu.Unlock()
	}
}

// publish sends the state of the seat; s.mu is held.
func (s *person) publish() {
	if s.a.stopped() {
		return
	}
	m := &s.mail
	s.seq++
	st := bus.SeatState{
		Game: s.a.p.Game, Attempt: s.a.p.Attempt, Seat: s.seat, Seq: s.seq, Prompt: m.Prompt, Over: m.Result != nil, Away: s.gone,
	}
	if m.Prompt > 0 {
		st.Deadline, st.Held, st.Again = m.Deadline, m.Held, m.Again
		for _, move := range m.Legal {
			st.Legal = append(st.Legal, journal.FormatMove(move))
		}
		switch m.Rejected {
		case player.AttemptRefused:
			st.Rejected = "refused"
		case player.AnswerIllegal:
			st.Rejected = "illegal"
		case player.NotRejected:
		}
	}
	switch {
	case m.Offered == player.OfferDraw:
		st.Offered = "draw"
	case m.Offered == player.OfferUndo:
		st.Offered = "undo"
	case s.wanted():
		st.Offered = "abort"
	}
	s.state = st
	if err := s.a.w.Bus.PublishSeatState(st); err != nil {
		s.a.log.Debug("a seat was not told: " + err.Error())
	}
}

// wanted reports whether the opponent has asked to abort the game.
func (s *person) wanted() bool {
	o := s.a.seats[s.seat.Other()]
	return o != nil && s.a.wants(s.seat.Other())
}

// again tells what changed beside the mailbox.
func (s *person) again() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.publish()
}

// last tells that the game is over, or that it goes on elsewhere.
func (s *person) last() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mail = s.box.Read()
	s.publish()
}

// close ends the seat.
func (s *person) close() {
	s.stop()
	if s.begun {
		<-s.done
	}
	s.mu.Lock()
	s.closed = true
	s.rest()
	s.mu.Unlock()
	if err := s.box.Close(); err != nil {
		s.a.log.Debug(err.Error())
	}
}

// input takes what the person decides.
func (s *person) input(in bus.SeatInput) bus.Reply {
	var err error
	switch {
	case in.Presence != "":
		err = s.presence(in.Presence)
	case in.Act != "":
		err = s.act(in.Act)
		s.mu.Lock()
		s.here()
		s.mu.Unlock()
	default:
		err = s.submit(in)
	}
	return replyTo(err)
}

// replyTo puts an error into words for the other end.
func replyTo(err error) bus.Reply {
	var r bus.Reply
	switch {
	case err == nil:
		return r
	case errors.Is(err, player.ErrNotAsked):
		r.Code = "not-asked"
	case errors.Is(err, player.ErrNotLegal):
		r.Code = "not-legal"
	default:
		r.Code = "refused"
	}
	r.Error = err.Error()
	return r
}

// submit takes an answer. The answer that was taken last may come again.
func (s *person) submit(in bus.SeatInput) error {
	if err := s.answer(in); err != nil {
		return err
	}
	s.a.want(s.seat, false)
	return nil
}

func (s *person) answer(in bus.SeatInput) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if in.Prompt > 0 && in.Prompt == s.prompt && slices.Equal(in.Steps, s.steps) {
		return nil
	}
	moves := make([]game.Move, 0, len(in.Steps))
	for _, text := range in.Steps {
		m, err := journal.ParseMove(text)
		if err != nil {
			return fmt.Errorf("%w: %w", player.ErrNotLegal, err)
		}
		moves = append(moves, m)
	}
	if err := s.box.Submit(in.Prompt, moves...); err != nil {
		return err
	}
	s.prompt, s.steps = in.Prompt, slices.Clone(in.Steps)
	s.decided = true
	s.here()
	return nil
}

// act does what is no move.
func (s *person) act(what string) error {
	rules := &s.a.p.Rules
	switch what {
	case "resign":
		return s.box.Resign()
	case "draw":
		if rules.NoDraw {
			return errors.New("this game knows no offers of a draw")
		}
		return s.box.Offer(player.OfferDraw)
	case "undo":
		if !rules.Undo || s.a.p.Rated {
			return errors.New("nothing is taken back in this game")
		}
		return s.box.Offer(player.OfferUndo)
	case "abort":
		if rules.NoAbort {
			return errors.New("this game cannot be aborted by its players")
		}
		s.a.want(s.seat, true)
		return nil
	case "accept", "decline":
		if s.a.wants(s.seat.Other()) {
			s.a.answered(s.seat, what == "accept")
			return nil
		}
		return s.box.Respond(what == "accept")
	default:
		return fmt.Errorf("%q is nothing that a seat can do", what)
	}
}
