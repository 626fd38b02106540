package match

import (
	"context"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// offerLimit is how long a player that is not a person may think about an offer.
const offerLimit = 10 * time.Second

// speech is what the players say to each other through the referee: offers and
// resignations. People say it at any time, from other goroutines.
type speech struct {
	mu     sync.Mutex
	deaf   bool         // the game is over, or has not begun
	asked  [2]*question // what a seat is considering
	undo   game.Seat    // whose turn is to be taken back
	agreed bool         // undo is set
	wg     sync.WaitGroup
	draw   [2]bool // a draw offered with the seat's latest decision stands
}

// question is an offer that a seat is considering.
type question struct {
	end  context.CancelFunc
	done chan struct{} // closed when the seat considers it no longer
}

// listen begins or ends hearing what players say off turn.
func (r *referee) listen(on bool) {
	for s := range r.g.Sides {
		p, ok := r.g.Sides[s].Player.(player.Interjector)
		if !ok {
			continue
		}
		if !on {
			p.Listen(nil)
			continue
		}
		seat := game.Seat(s)
		p.Listen(func(i player.Interjection) { r.hear(seat, i) })
	}
	if on {
		return
	}
	sp := &r.speech
	sp.mu.Lock()
	sp.deaf = true
	for _, q := range sp.asked {
		if q != nil {
			q.end()
		}
	}
	sp.mu.Unlock()
	sp.wg.Wait()
}

// hear takes what a player says off turn. It never blocks.
func (r *referee) hear(seat game.Seat, i player.Interjection) {
	if i.Resign {
		r.cancel(&Verdict{game.Win(seat.Other(), game.ByResign, r.g.Sides[seat].Name+": resigned")})
		return
	}
	p := r.g.Sides[seat.Other()].Player
	_, person := p.(player.Interjector)
	switch {
	case i.Offer == player.OfferDraw && person:
		r.consider(seat, i.Offer)
	case i.Offer == player.OfferUndo && r.mayUndo():
		if _, can := p.(player.Offerer); !can {
			r.takeBack(seat)
		} else if person {
			r.consider(seat, i.Offer)
		}
	}
}

func (r *referee) mayUndo() bool { return r.g.Policy.Undo && !r.g.Rated }

// takeBack makes whoever thinks stop, so that the turn can be taken back.
func (r *referee) takeBack(seat game.Seat) {
	r.speech.mu.Lock()
	r.speech.undo, r.speech.agreed = seat, !r.speech.deaf
	r.speech.mu.Unlock()
	r.stopBoth()
}

// consider puts the offer of seat to the other one, a person, who may answer while
// it thinks about its move; making the move declines.
func (r *referee) consider(seat game.Seat, o player.Offer) {
	to := seat.Other()
	p, ok := r.g.Sides[to].Player.(player.Offerer)
	sp := &r.speech
	sp.mu.Lock()
	defer sp.mu.Unlock()
	if !ok || sp.deaf || sp.asked[to] != nil {
		return
	}
	ctx, end := context.WithCancel(r.ctx)
	q := &question{end: end, done: make(chan struct{})}
	sp.asked[to] = q
	sp.wg.Go(func() {
		reply, err := p.Offered(ctx, o)
		end()
		sp.mu.Lock()
		sp.asked[to] = nil
		sp.mu.Unlock()
		close(q.done)
		if err == nil && reply == player.AcceptOffer {
			r.accept(seat, o)
		}
	})
}

// accept does what both seats have agreed on.
func (r *referee) accept(seat game.Seat, o player.Offer) {
	switch o {
	case player.OfferDraw:
		r.cancel(&Verdict{game.Drawn(game.ByAgreement, "draw agreed")})
	case player.OfferUndo:
		r.takeBack(seat)
	}
}

// offer puts what a seat offered along with its decision to the other one.
func (r *referee) offer(seat game.Seat, o player.Offer) {
	if o != player.OfferDraw {
		return
	}
	r.speech.draw[seat] = true
	p := r.g.Sides[seat.Other()].Player
	if _, person := p.(player.Interjector); person {
		r.consider(seat, o)
		return
	}
	if r.ask2(seat.Other(), o) {
		r.end(game.Drawn(game.ByAgreement, "draw agreed"))
	}
}

// ask2 asks a player that is not thinking whether it agrees.
func (r *referee) ask2(to game.Seat, o player.Offer) bool {
	p, ok := r.g.Sides[to].Player.(player.Offerer)
	if !ok {
		return false
	}
	ctx, end := context.WithTimeout(r.ctx, offerLimit)
	defer end()
	reply, err := p.Offered(ctx, o)
	return err == nil && reply == player.AcceptOffer
}

// agreed ends the game if the answer accepts a draw that stands. An answer of any
// kind ends the offer, and the question that the seat was considering.
func (r *referee) agreed(seat game.Seat, o player.Offer) bool {
	r.speech.mu.Lock()
	q := r.speech.asked[seat]
	r.speech.mu.Unlock()
	if q != nil {
		q.end()
		<-q.done // it must be gone before the seat can be asked again
	}
	stands := r.speech.draw[seat.Other()]
	r.speech.draw[seat.Other()] = false
	if stands && o == player.AcceptOffer {
		r.end(game.Drawn(game.ByAgreement, "draw agreed"))
		return true
	}
	return false
}

// rewound takes a turn back if that was agreed while the seat was thinking, or if
// its answer asks for it and the other one agrees. The answer is then void.
func (r *referee) rewound(seat game.Seat, ans *player.Answer) bool {
	r.speech.mu.Lock()
	by, agreed := r.speech.undo, r.speech.agreed
	r.speech.agreed = false
	r.speech.mu.Unlock()
	if agreed {
		r.rewind(by)
		return true // whoever was stopped is asked again in any case
	}
	if ans.Offer != player.OfferUndo || !r.mayUndo() {
		return false
	}
	if _, can := r.g.Sides[seat.Other()].Player.(player.Offerer); can && !r.ask2(seat.Other(), player.OfferUndo) {
		return false
	}
	return r.rewind(seat)
}
