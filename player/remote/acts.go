package remote

import (
	"cmp"
	"strconv"
	"sync"

	"kibitz/internal/bell"
	"kibitz/player"
)

// acts are what an engine's end does beside the moves, until it is answered. They go one
// at a time, so that they come in order.
type acts struct {
	mu      sync.Mutex
	session string
	// num is the number of the latest act. It begins with the time, so that a program
	// that comes later in the same game goes on above an earlier one's.
	num  int
	list []pending
	// over lets no more acts in; those that wait are repeated until they are answered.
	over bool
}

type pending struct {
	f    *frame
	told func(player.Reply)
}

// begin forgets what was done in another session.
func (a *acts) begin(session string) {
	a.mu.Lock()
	old := a.list
	a.session, a.list, a.over = session, nil, false
	a.mu.Unlock()
	for _, p := range old {
		p.told(player.No(player.NoGame, "the game is over"))
	}
}

// add reports whether an act is on its way.
func (a *acts) add(act player.Act, told func(player.Reply)) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.session == "" || a.over {
		return false
	}
	a.num++
	act.ID = cmp.Or(act.ID, "act "+strconv.Itoa(a.num))
	a.list = append(a.list, pending{&frame{K: kindAct, S: a.session, I: a.num, Act: &act}, told})
	return true
}

// answered takes away what was answered, and reports whether more is to be done.
func (a *acts) answered(f *frame) bool {
	a.mu.Lock()
	var told func(player.Reply)
	if f.S == a.session && len(a.list) > 0 && a.list[0].f.I == f.I {
		told = a.list[0].told
		a.list = a.list[1:]
	}
	more := len(a.list) > 0
	a.mu.Unlock()
	if told != nil {
		told(*f.Reply)
	}
	return more
}

// next is what is to be done now, nil for nothing.
func (a *acts) next() *frame {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.list) == 0 {
		return nil
	}
	f := *a.list[0].f
	return &f
}

// farDesk is the desk of a player at the engine's end. The referee's end judges: an
// answer that crosses what withdrew its question comes too late there.
type farDesk struct{ c *Client }

// Answering implements player.Desk.
func (d farDesk) Answering() bool { return true }

// Act implements player.Desk.
func (d farDesk) Act(a player.Act, told func(player.Reply)) {
	if !d.c.acts.add(a, told) {
		told(player.No(player.NoGame, "the game is over"))
		return
	}
	bell.Ring(d.c.wake)
}

// attend gives the player its desk, and what is asked, or takes it away.
func (c *Client) attend(on bool) {
	p, ok := c.p.(player.Actor)
	if !ok {
		return
	}
	if !on {
		c.mu.Lock()
		c.attends = false
		c.mu.Unlock()
		p.Attend(nil)
		c.acts.end()
		return
	}
	p.Attend(farDesk{c})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.acts.resume(c.session)
	c.attends = true
	if c.asks != nil {
		p.Asked(*c.asks)
	}
}

// resume lets acts in again, for a game that is begun.
func (a *acts) resume(session string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.session, a.over = session, false
}

// end lets no more acts in: the game is over.
func (a *acts) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
}

// canAsk reports whether the player can be asked for something.
func (c *Client) canAsk() bool {
	p, ok := c.p.(player.Actor)
	return ok && p.CanAnswer()
}

// Attend implements player.Actor.
func (p *Player) Attend(d player.Desk) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if d == nil { // an act whose answer was lost may come again
		return
	}
	p.desk, p.asks = d, 0
}

// CanAnswer implements player.Actor: as the other end has said.
func (p *Player) CanAnswer() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.canAsk
}

// Asked implements player.Actor.
func (p *Player) Asked(a player.Asks) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a.Seq <= p.asks {
		return
	}
	p.asks = a.Seq
	_ = p.tell(frame{K: kindAsks, Asks: &a})
}

// act takes what the other end does; p.mu is held. It comes again until it is answered,
// and is known again by its name. It is done in a goroutine of its own, because it may
// have to wait until an answer of the same seat has come through.
func (p *Player) act(f *frame) {
	if p.desk == nil || p.acting == f.I {
		return
	}
	p.acting = f.I
	desk, act := p.desk, *f.Act
	act.ID = cmp.Or(act.ID, "act "+strconv.Itoa(f.I))
	go desk.Act(act, func(r player.Reply) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.acting == f.I {
			p.acting = 0
		}
		if data, err := encode(&frame{K: kindActed, S: p.o.Session, I: f.I, Reply: &r}); err == nil {
			_ = p.o.Send(data)
		}
	})
}

var _ player.Actor = (*Player)(nil)
