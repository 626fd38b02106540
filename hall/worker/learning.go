package worker

import (
	"context"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/player"
)

// leastDoubt is what a turn must lose of the chance to win, in percent, for its player to be asked
// whether it was meant: that of a blunder.
const leastDoubt = 15

// judge has the latest turn of the seat judged. What comes of it is told by its state.
func (s *person) judge() bus.Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.adviser
	if a == nil || a.judge == nil {
		return refused(player.No(bus.WhyNoHints, "no turns are judged in this game"))
	}
	mail := s.box.Read()
	moves, ply := latestTurn(mail.Updates, s.seat)
	if ply < 0 {
		return refused(player.No(player.OffTurn, "no turn of yours has ended yet"))
	}
	if a.judged == ply && a.unsure != nil {
		return bus.Reply{}
	}
	a.forget()
	ctx, cancel := context.WithCancel(s.ctx)
	a.judged, a.unsure = ply, cancel
	a.work.Go(func() {
		defer cancel()
		lost, err := a.loss(ctx, moves, ply)
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case ctx.Err() != nil: // another turn is the latest
		case err != nil:
			s.a.log.Warn("a turn was not judged: " + err.Error())
		case lost >= leastDoubt:
			a.sure = &bus.Sure{Ply: ply, Lost: lost}
			s.publish()
		}
	})
	return bus.Reply{}
}

// loss judges a turn on a processor of the worker, in turn with the engines of all games.
func (a *adviser) loss(ctx context.Context, moves []game.Move, ply int) (float64, error) {
	free, err := a.s.a.w.processors.take(ctx, a.s.a.left, func(int, int, time.Duration) {})
	if err != nil {
		return 0, err
	}
	defer free()
	return a.judge(ctx, moves, ply)
}

// doubt forgets the doubt about a turn that was taken back, or is the latest no more.
func (a *adviser) doubt(mail *player.Mail) {
	if a.unsure == nil {
		return
	}
	if _, ply := latestTurn(mail.Updates, a.s.seat); ply != a.judged {
		a.forget()
	}
}

// forget forgets a turn that was judged, or is being judged.
func (a *adviser) forget() {
	if a.unsure != nil {
		a.unsure()
	}
	a.unsure, a.sure, a.judged = nil, nil, -1
}

// latestTurn returns the decisions up to the end of the latest turn that a seat decided itself, and
// how many were made before that turn; -1 if there is none, or if it still goes on.
func latestTurn(told []player.Update, seat game.Seat) (moves []game.Move, ply int) {
	own := func(u *player.Update) bool { return u.By == seat && !u.Forced && len(u.Steps) > 0 }
	end := len(told)
	for end > 0 && !own(&told[end-1]) {
		end--
	}
	if end == 0 || !told[end-1].Ended {
		return nil, -1
	}
	begin := end - 1
	for begin > 0 && told[begin-1].By == seat && !told[begin-1].Ended {
		begin--
	}
	for i := range told[:end] {
		if i == begin {
			ply = len(moves)
		}
		moves = append(moves, told[i].Steps...)
	}
	return moves, ply
}
