package remote

import (
	"sync"

	"kibitz/player"
)

// words are what an engine's end says without being asked, until it is acknowledged. They
// go one at a time, so that they come in order.
type words struct {
	mu      sync.Mutex
	session string
	// said is the number of the latest word. It begins with the time, so that a program
	// that comes later in the same game goes on above an earlier one's.
	said int
	list []*frame
}

// begin forgets what was said in another session.
func (w *words) begin(session string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.session, w.list = session, nil
}

func (w *words) add(i player.Interjection) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.session == "" {
		return
	}
	w.said++
	w.list = append(w.list, &frame{K: kindSay, S: w.session, I: w.said, Resign: i.Resign, Offer: i.Offer})
}

// heard takes away what was acknowledged, and reports whether more is to be said.
func (w *words) heard(f *frame) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f.S == w.session && len(w.list) > 0 && w.list[0].I == f.I {
		w.list = w.list[1:]
	}
	return len(w.list) > 0
}

// next is what is to be said now, nil for nothing.
func (w *words) next() *frame {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.list) == 0 {
		return nil
	}
	f := *w.list[0]
	return &f
}

// listen lets a player that can speak off turn do so, or not any more.
func (c *Client) listen(on bool) {
	p, ok := c.p.(player.Interjector)
	if !ok {
		return
	}
	if !on {
		p.Listen(nil)
		return
	}
	p.Listen(func(i player.Interjection) {
		c.words.add(i)
		poke(c.wake)
	})
}

// Listen implements player.Interjector.
func (p *Player) Listen(hear func(player.Interjection)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hear = hear
}

// said takes what the other end says off turn, once; p.mu is held. What nobody listens
// to yet comes again. The function that is returned passes it on.
func (p *Player) said(f *frame) func() {
	if f.I > p.word {
		if p.hear == nil {
			return nil
		}
		p.word = f.I
	} else {
		f.Resign, f.Offer = false, player.NoOffer // it came twice
	}
	if ack, err := encode(&frame{K: kindAck, S: p.o.Session, I: f.I}); err == nil {
		_ = p.o.Send(ack)
	}
	if !f.Resign && f.Offer != player.OfferDraw && f.Offer != player.OfferUndo {
		return nil
	}
	hear, what := p.hear, player.Interjection{Resign: f.Resign, Offer: f.Offer}
	return func() { hear(what) }
}

var _ player.Interjector = (*Player)(nil)
