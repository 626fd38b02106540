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
	// taken are the answers of this attempt, by the numbers of their questions; made are the
	// decisions of earlier ones, also those that were taken back.
	taken map[int][]string
	made  []decided
	absence
	closed bool
	// adviser is nil where there are no hints.
	adviser *adviser
}

func newPerson(a *attempt, seat game.Seat, before []journal.Event) *person {
	s := &person{a: a, seat: seat, box: player.NewMailbox(a.w.Now), done: make(chan struct{}), taken: map[int][]string{}}
	s.made = decisions(before, seat)
	s.decided = len(s.made) > 0
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
			s.adviser.doubt(&mail)
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
		st.Ply, st.Deadline, st.Held, st.Again = m.Ply, m.Deadline, m.Held, m.Again
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
	st.Asks, st.DrawFrom = asksOf(m.Asks), m.DrawFrom
	if a := s.adviser; a != nil {
		st.Hints = a.count
		if a.hint != nil && m.Prompt > 0 && a.hint.Prompt == m.Prompt {
			st.Hint = a.hint
		}
		st.Sure = a.sure
	}
	if m.Proposed != nil {
		st.Hint = &bus.Hint{
			Prompt: m.Prompt, Level: bus.HintMove, From: s.a.p.Seats[s.seat.Other()].Name, Steps: []string{journal.FormatMove(*m.Proposed)},
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

func (s *person) input(in bus.SeatInput) bus.Reply {
	var err error
	switch {
	case in.Presence != "":
		err = s.presence(in.Presence, in.Waited)
	case in.Look:
		return s.look()
	case in.Act == "hint":
		return s.hint(in.ID, in.Lines)
	case in.Act == "judge":
		return s.judge()
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

// errOvertaken tells that the game is elsewhere than where an answer was meant for.
var errOvertaken = errors.New("the game has gone on: that was meant for another position")

// replyTo puts an error into words for the other end.
func replyTo(err error) bus.Reply {
	var r bus.Reply
	switch {
	case err == nil:
		return r
	case errors.Is(err, player.ErrNotAsked):
		r.Code, r.Why.Code = "not-asked", player.OffTurn
	case errors.Is(err, player.ErrNotLegal):
		r.Code, r.Why.Code = "not-legal", player.Illegal
	case errors.Is(err, errOvertaken):
		r.Code, r.Why.Code = "overtaken", player.Overtaken
	default:
		r.Code = "refused"
	}
	r.Error, r.Why.Text = err.Error(), err.Error()
	return r
}

// decided is a decision of the seat, and how many were made before it.
type decided struct {
	ply  int
	step string
}

// decisions are those that the seat made itself in what a journal tells.
func decisions(events []journal.Event, seat game.Seat) (out []decided) {
	ply := 0
	for i := range events {
		switch d := events[i].Decision; {
		case events[i].Rewind != nil:
			ply -= events[i].Rewind.Steps
		case d == nil || d.Refused:
		default:
			for _, m := range d.Steps {
				if d.By == seat && !d.Opening && !d.Forced {
					out = append(out, decided{ply, journal.FormatMove(m)})
				}
				ply++
			}
		}
	}
	return out
}

// before reports whether an answer was taken that comes once more, in this attempt or in an
// earlier one; s.mu is held.
func (s *person) before(in *bus.SeatInput) bool {
	if in.For == nil || in.For.Attempt == s.a.p.Attempt {
		steps, taken := s.taken[in.Prompt]
		return taken && slices.Equal(in.Steps, steps)
	}
	for i, step := range in.Steps {
		if !slices.Contains(s.made, decided{in.For.Ply + i, step}) {
			return false
		}
	}
	return true
}

// answer takes an answer. One that was taken may come again, and one that says for which
// position it is meant is played in no other.
func (s *person) answer(in bus.SeatInput) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.before(&in) {
		return nil
	}
	if p := in.For; p != nil {
		if mail := s.box.Read(); p.Attempt != s.a.p.Attempt || in.Prompt != mail.Prompt || p.Ply != mail.Ply {
			return errOvertaken
		}
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
	if err := s.box.Submit(in.Prompt, in.Waited, moves...); err != nil {
		return err
	}
	s.taken[in.Prompt] = slices.Clone(in.Steps)
	s.decided = true
	return nil
}

// refused tells that an act was.
func refused(r player.Reply) bus.Reply {
	return bus.Reply{Code: "refused", Error: r.Why.Text, Why: r.Why}
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
	out, err := s.box.Act(s.ctx, player.Act{ID: in.ID, Do: player.Deed(in.Act), Ply: ply, Ask: in.Ask, Limit: in.Limit})
	switch {
	case err != nil:
		return refused(player.No(player.NoGame, "the game has ended"))
	case out.Effect == player.Refused:
		return refused(out)
	}
	if r.Data, err = json.Marshal(bus.Acted{Effect: string(out.Effect), Ask: out.Ask}); err != nil {
		return bus.Reply{Code: "failed", Error: err.Error()}
	}
	return r
}
