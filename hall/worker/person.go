package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"kibitz/game"
	"kibitz/hall/bus"
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

	mu   sync.Mutex
	seq  uint64
	mail player.Mail
	// prompt and steps are the answer that was taken last.
	prompt int
	steps  []string
	absence
	closed bool
	// adviser is nil where there are no hints.
	adviser *adviser
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
		if s.adviser != nil {
			s.adviser.drop(mail.Prompt)
		}
		s.publish()
		s.mu.Unlock()
	}
}

// stateOf is how the seat stands; s.mu is held.
func (s *person) stateOf(m *player.Mail) bus.SeatState {
	st := bus.SeatState{
		Game: s.a.p.Game, Attempt: s.a.p.Attempt, Seat: s.seat, Seq: s.seq, Prompt: m.Prompt, Over: m.Result != nil, Away: s.gone.Load(),
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
	st.Asks = asksOf(m.Asks)
	if a := s.adviser; a != nil {
		st.Hints = a.count
		if a.hint != nil && m.Prompt > 0 && a.hint.Prompt == m.Prompt {
			st.Hint = a.hint
		}
	}
	return st
}

// asksOf is what is asked, as it is told.
func asksOf(list []player.Ask) []journal.Ask {
	var out []journal.Ask
	for _, q := range list {
		out = append(out, journal.Ask{Num: q.Num, By: q.By, What: string(q.What), Ply: q.Ply, Since: q.Since, At: q.At, Until: q.Until})
	}
	return out
}

// publish sends the state of the seat; s.mu is held.
func (s *person) publish() {
	if s.a.stopped() {
		return
	}
	s.seq++
	if err := s.a.w.Bus.PublishSeatState(s.stateOf(&s.mail)); err != nil {
		s.a.log.Debug("a seat was not told: " + err.Error())
	}
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
	if s.adviser != nil {
		s.adviser.work.Wait()
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
	case in.Look:
		return s.look()
	case in.Act == "hint":
		return s.hint(in.ID)
	case in.Act != "":
		s.mu.Lock()
		s.here()
		s.mu.Unlock()
		return s.act(&in)
	default:
		err = s.answer(in)
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

// answer takes an answer. The one that was taken last may come again.
func (s *person) answer(in bus.SeatInput) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if in.Prompt > 0 && in.Prompt == s.prompt && slices.Equal(in.Steps, s.steps) {
		return nil
	}
	s.here() // before the referee can tell of the answer
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
	return nil
}

// look returns how the seat stands.
func (s *person) look() (r bus.Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mail := s.box.Read()
	st := s.stateOf(&mail)
	st.Seq = 0 // it is none of those that are told
	data, err := json.Marshal(st)
	if err != nil {
		return bus.Reply{Code: "failed", Error: err.Error()}
	}
	r.Data = data
	return r
}

// act does what is no move, and says what came of it.
func (s *person) act(in *bus.SeatInput) (r bus.Reply) {
	ply := player.LatestTurn
	if in.Ply != nil {
		ply = *in.Ply
	}
	out, err := s.box.Act(s.ctx, player.Act{ID: in.ID, Do: player.Deed(in.Act), Ply: ply, Ask: in.Ask})
	switch {
	case err != nil:
		return bus.Reply{Code: "refused", Error: "the game has ended"}
	case out.Effect == player.Refused:
		return bus.Reply{Code: "refused", Error: out.Why}
	}
	if r.Data, err = json.Marshal(bus.Acted{Effect: string(out.Effect), Ask: out.Ask}); err != nil {
		return bus.Reply{Code: "failed", Error: err.Error()}
	}
	return r
}
