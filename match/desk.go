package match

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// remembered is how many acts of a seat are known again when they come twice.
const remembered = 64

// stopAgain is when a player that thinks on is asked to stop once more: a Stop that
// comes before its Choose has begun has no effect. The time doubles up to stopSlowest.
const (
	stopAgain   = 2 * time.Millisecond
	stopSlowest = time.Second
)

// desk is where the seats act beside their answers. It exists only in games in which a
// player is an Actor; all others cost nothing for it.
//
// Acts are taken while a player is asked, each at once and one after the other, in the
// goroutine that brings it: the referee waits meanwhile, so that its game stands still.
// What changes nothing on the board (an offer, a refusal) leaves who thinks alone. What
// changes the board or ends the game is left to the referee: the question is withdrawn,
// and the referee does it before it asks anybody again. From the moment in which an
// answer or such an act has come, everything else waits until the referee has dealt with
// it, so that there is one order of moves and acts.
type desk struct {
	r      *referee
	actors [2]player.Actor
	// back tells of each seat that its player can follow when moves are taken back.
	back [2]bool

	mu   sync.Mutex
	free *sync.Cond // busy, stops or over have changed
	busy bool       // the referee is at work: acts wait
	over bool
	// effect is what the referee is to do, for which again stops who thinks; stops is how many
	// calls of Stop are under way.
	effect *effect
	stops  int
	again  stopper
	asks   player.Asks
	told   int // the Seq of asks that was told
	num    int
	// declined is after how many decisions a seat was last declined, by deed.
	declined [2]map[player.Deed]int
	heard    [2]heard
	hurry    hurry
}

// effect is what an act brings about: the end of the game, a pause, or moves taken back to keep.
type effect struct {
	by      game.Seat
	end     *game.Result
	aborted bool
	pause   bool
	keep    int
}

// heard are the latest acts of a seat that had a name, with their answers.
type heard struct {
	ids     []string
	replies map[string]player.Reply
}

func (h *heard) keep(id string, r player.Reply) {
	if id == "" {
		return
	}
	if h.replies == nil {
		h.replies = map[string]player.Reply{}
	}
	if len(h.ids) == remembered {
		delete(h.replies, h.ids[0])
		h.ids = h.ids[1:]
	}
	h.ids = append(h.ids, id)
	h.replies[id] = r
}

type seatDesk struct {
	d    *desk
	seat game.Seat
}

// attend opens a desk if a player wants one.
func (r *referee) attend() {
	d := &desk{r: r, busy: true}
	d.free = sync.NewCond(&d.mu)
	some := false
	for s := range r.g.Sides {
		p := r.g.Sides[s].Player
		q, ok := p.(player.Positioner)
		d.back[s] = ok && q.CanStart(r.g.Rules.Spec()) >= player.FromHistory
		d.declined[s] = map[player.Deed]int{}
		if d.actors[s], ok = p.(player.Actor); ok {
			some = true
		}
	}
	if !some {
		return
	}
	r.desk = d
	if b := r.g.Brake; b != nil {
		b.mu.Lock()
		b.desk = d
		b.mu.Unlock()
	}
	for s, a := range d.actors {
		if a != nil {
			a.Attend(&seatDesk{d, game.Seat(s)})
		}
	}
}

// consult lets a person decide what the engine of the other seat proposes, where nothing is at
// stake.
func consult(g *Game) {
	for s := range g.Sides {
		engine, ok := g.Sides[s].Player.(player.Consulter)
		if !ok {
			continue
		}
		if person, ok := g.Sides[1-s].Player.(player.Decider); ok && !g.Rated && !g.Tournament {
			engine.Consult(person.Decide)
		} else {
			engine.Consult(nil)
		}
	}
}

// leave ends the desk with the game: nothing is asked any more.
func (d *desk) leave() {
	d.mu.Lock()
	d.over, d.busy = true, false
	if len(d.asks.List) > 0 {
		d.setAsks(nil)
	}
	d.free.Broadcast()
	asks := d.asks
	d.mu.Unlock()
	d.tell(asks)
	for _, a := range d.actors {
		if a != nil {
			a.Attend(nil)
		}
	}
}

// open lets acts in while a player is asked.
func (d *desk) open() {
	d.mu.Lock()
	d.busy = false
	d.free.Broadcast()
	asks, changed := d.asks, d.asks.Seq != d.told
	d.told = d.asks.Seq
	d.mu.Unlock()
	if changed {
		d.tell(asks)
	}
}

// shut keeps acts out after a player was asked, and returns what they brought about.
func (d *desk) shut() *effect {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy = true
	for d.stops > 0 {
		d.free.Wait()
	}
	e := d.effect
	d.effect = nil
	d.again.end()
	d.hurry.end()
	return e
}

// tell says what is asked; d.mu is not held, because players hold locks of their own
// when they come to the desk. What is late is known by its number.
func (d *desk) tell(asks player.Asks) {
	if d.r.g.Asked != nil {
		d.r.g.Asked(asks)
	}
	for _, a := range d.actors {
		if a != nil {
			a.Asked(asks)
		}
	}
}

// setAsks replaces what is asked; d.mu is held.
func (d *desk) setAsks(list []player.Ask) {
	d.asks = player.Asks{Seq: d.asks.Seq + 1, List: list, DrawFrom: d.asks.DrawFrom}
}

// moved lets a decision of the seat decline what is asked of it.
func (d *desk) moved(seat game.Seat, forced bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.asks.List) == 0 {
		return
	}
	var list []player.Ask
	for _, a := range d.asks.List {
		if !forced && a.By != seat {
			continue
		}
		a.Until = d.until(a.By)
		list = append(list, a)
	}
	d.setAsks(list)
}

// rewound ends all that is asked.
func (d *desk) rewound() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for s := range d.declined {
		clear(d.declined[s])
		if from := &d.asks.DrawFrom[s]; *from > 0 {
			*from = min(*from, d.r.pos.turnsOf(game.Seat(s), d.r.out.Steps)+player.DrawTurns)
		}
	}
	d.setAsks(nil)
}

// until is with how many decisions stands what the seat asks now.
func (d *desk) until(by game.Seat) int {
	n := len(d.r.pos.moves)
	if d.r.pos.state.Turn().Seat == by {
		n++
	}
	return n
}

// Answering implements player.Desk.
func (s *seatDesk) Answering() bool {
	d := s.d
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.busy || d.over {
		return false
	}
	d.busy = true
	return true
}

// Act implements player.Desk.
func (s *seatDesk) Act(a player.Act, told func(player.Reply)) {
	d := s.d
	other := d.actors[s.seat.Other()]
	asked := other != nil && other.CanAnswer()
	d.mu.Lock()
	for d.busy && !d.over {
		d.free.Wait()
	}
	reply, known := d.heard[s.seat].replies[a.ID]
	if !known {
		before := d.asks.Seq
		reply = d.act(s.seat, a, asked)
		d.heard[s.seat].keep(a.ID, reply)
		known = d.asks.Seq == before
	}
	d.told = d.asks.Seq
	asks, e := d.asks, d.effect
	if e != nil {
		d.stops++
	}
	d.mu.Unlock()
	told(reply) // before the end of a game, if it brings that about
	if e != nil {
		d.halt(e)
	}
	if !known {
		d.tell(asks)
	}
}

// halt makes whoever thinks stop, so that the referee does what is to be done. d.stops
// counts the call.
func (d *desk) halt(e *effect) {
	if e.end != nil {
		d.r.cancel(errActed)
	}
	d.r.stopBoth()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stops--
	d.free.Broadcast()
	if d.effect == e {
		d.stopIn(&d.again, stopAgain, d.r.stopBoth)
	}
}

// stopper stops who thinks, again and again as long as he thinks on.
type stopper struct{ timer *time.Timer }

// end ends it; the desk's mu is held.
func (s *stopper) end() {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
}

// stopIn has a stopper call stop after a time, and again until it is ended; d.mu is held.
func (d *desk) stopIn(s *stopper, after time.Duration, stop func()) {
	s.end()
	wait := stopAgain
	var t *time.Timer
	t = time.AfterFunc(after, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if s.timer != t {
			return
		}
		d.stops++ // the turn does not end meanwhile
		d.mu.Unlock()
		stop()
		d.mu.Lock()
		d.stops--
		d.free.Broadcast()
		if s.timer == t {
			t.Reset(wait)
			wait = min(2*wait, stopSlowest)
		}
	})
	s.timer = t
}

// act judges an act; d.mu is held and the game stands still.
func (d *desk) act(seat game.Seat, a player.Act, asked bool) player.Reply {
	r := d.r
	name := r.g.Sides[seat].Name
	switch {
	case d.over:
		return player.No(player.NoGame, "the game is over")
	case r.ctx.Err() != nil:
		return player.No(player.NoGame, "the game is being stopped")
	case a.Do == player.MoveNow || a.Do == player.SetLimit:
		return d.press(seat.Other(), &a)
	case a.Do == player.Resign:
		res := game.Win(seat.Other(), game.ByResign, name+": resigned")
		return d.do(&effect{by: seat, end: &res})
	case a.Do == player.AskDraw && r.g.Policy.NoDraw:
		return player.No(player.NoDraws, "this game knows no offers of a draw")
	case a.Do == player.AskDraw && !asked:
		return about(player.NotPerson, r.g.Sides[seat.Other()].Name, "cannot be asked")
	case a.Do == player.AskAbort && r.g.Policy.NoAbort:
		return player.No(player.NoAborts, "this game cannot be aborted by its players")
	case a.Do == player.AskDraw || a.Do == player.AskAbort:
		return d.ask(seat, &player.Ask{What: a.Do}, asked)
	case (a.Do == player.AskPause || a.Do == player.AskResume) && r.g.Brake != nil:
		return d.askPause(seat, a.Do, asked)
	case a.Do == player.AskUndo:
		keep, no := d.target(seat, a.Ply)
		if no.Effect == player.Refused {
			return no
		}
		return d.ask(seat, &player.Ask{What: a.Do, Ply: keep}, asked)
	case a.Do == player.Accept || a.Do == player.Decline:
		return d.answer(seat, &a)
	case a.Do == player.Withdraw:
		i := d.find(seat)
		if i < 0 {
			return player.No(player.NotAsking, "you ask for nothing")
		}
		d.drop(i)
		return player.Reply{Effect: player.Done}
	}
	return player.No(player.NoDeed, fmt.Sprintf("%q is nothing that a seat can do", game.Shown(string(a.Do), 40)))
}

// about refuses because of a player.
func about(code game.WhyCode, name, what string) player.Reply {
	no := player.No(code, name+" "+what)
	no.Why.Name = name
	return no
}

// counted refuses with a count.
func counted(code game.WhyCode, n int, text string) player.Reply {
	no := player.No(code, text)
	no.Why.N = n
	return no
}

// do leaves something to the referee; everything else waits for it.
func (d *desk) do(e *effect) player.Reply {
	d.effect, d.busy = e, true
	return player.Reply{Effect: player.Done}
}

// find returns where the list has what a seat asks, -1 if nothing.
func (d *desk) find(by game.Seat) int {
	return slices.IndexFunc(d.asks.List, func(a player.Ask) bool { return a.By == by })
}

func (d *desk) drop(i int) { d.setAsks(slices.Delete(slices.Clone(d.asks.List), i, i+1)) }

// ask asks the other seat, or does at once what it cannot be asked about, or what it
// asks itself.
func (d *desk) ask(seat game.Seat, q *player.Ask, asked bool) player.Reply {
	same := func(i int) bool { return i >= 0 && d.asks.List[i].What == q.What && d.asks.List[i].Ply == q.Ply }
	if !asked || same(d.find(seat.Other())) {
		return d.agree(seat, q)
	}
	i := d.find(seat)
	if same(i) {
		return player.Reply{Effect: player.Asked, Ask: d.asks.List[i].Num}
	}
	if at, was := d.declined[seat][q.What]; was && at == len(d.r.pos.moves) && q.What != player.AskResume {
		return player.No(player.Repeated, "that was declined: make a move before you ask again")
	}
	if q.What == player.AskDraw {
		made := d.r.pos.turnsOf(seat, d.r.out.Steps)
		if n := d.asks.DrawFrom[seat] - made; n > 0 {
			return counted(player.TooSoon, n, fmt.Sprintf("you have offered a draw: the next offer can be made after %d more of your turns", n))
		}
		d.asks.DrawFrom[seat] = made + player.DrawTurns
	}
	d.num++
	q.Num, q.By, q.Since, q.At, q.Until = d.num, seat, d.r.g.Now(), len(d.r.pos.moves), d.until(seat)
	list := slices.Clone(d.asks.List)
	if i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	d.setAsks(append(list, *q))
	return player.Reply{Effect: player.Asked, Ask: q.Num}
}

// answer takes what a seat says to what it is asked.
func (d *desk) answer(seat game.Seat, a *player.Act) player.Reply {
	i := d.find(seat.Other())
	if i < 0 || a.Ask != 0 && d.asks.List[i].Num != a.Ask {
		return player.No(player.Unasked, "that is not asked any more")
	}
	q := d.asks.List[i]
	if a.Do == player.Accept {
		return d.agree(q.By, &q)
	}
	d.declined[q.By][q.What] = len(d.r.pos.moves)
	d.drop(i)
	return player.Reply{Effect: player.Done}
}

// agree does what both seats want, or what one may do by itself.
func (d *desk) agree(by game.Seat, q *player.Ask) player.Reply {
	d.setAsks(nil)
	switch q.What {
	case player.AskDraw:
		res := game.Drawn(game.ByAgreement, "draw agreed")
		return d.do(&effect{by: by, end: &res})
	case player.AskAbort:
		res := game.Result{Reason: game.ByAbort, Detail: "aborted by the players"}
		return d.do(&effect{by: by, end: &res, aborted: true})
	case player.AskPause:
		d.r.g.Brake.bySeats(&Pause{By: d.r.g.Sides[by].Name})
		if d.asksPerson() {
			return d.do(&effect{by: by, pause: true})
		}
		return player.Reply{Effect: player.Done}
	case player.AskResume:
		d.r.g.Brake.bySeats(nil)
		return player.Reply{Effect: player.Done}
	default:
		return d.do(&effect{by: by, keep: q.Ply})
	}
}

// askPause asks for a pause, or to go on: of who cannot be asked only where nothing is at stake.
func (d *desk) askPause(seat game.Seat, do player.Deed, asked bool) player.Reply {
	p := d.r.g.Brake.Paused()
	switch {
	case p != nil && p.Ruled:
		return player.No(player.Held, "an arbiter has paused the game, and lets it go on")
	case (p != nil) == (do == player.AskPause):
		return player.No(player.AsIs, "that is so already")
	case !asked && d.r.g.Rated:
		return about(player.NotPerson, d.r.g.Sides[seat.Other()].Name, "cannot be asked")
	}
	return d.ask(seat, &player.Ask{What: do}, asked)
}

// asksPerson reports whether a person is to decide, who can be asked again.
func (d *desk) asksPerson() bool {
	turn := d.r.pos.state.Turn()
	if !turn.Seat.IsPlayer() {
		return false
	}
	_, ok := d.r.g.Sides[turn.Seat].Player.(player.Person)
	return ok
}

// brake withdraws the question of a person, for an arbiter has paused the game. If the referee is at work
// it finds the pause before it asks again.
func (d *desk) brake() {
	d.mu.Lock()
	if d.busy || d.over || !d.asksPerson() {
		d.mu.Unlock()
		return
	}
	e := &effect{pause: true}
	d.do(e)
	d.stops++
	d.mu.Unlock()
	d.halt(e)
}

// target finds how many decisions stay when a seat takes back, or refuses.
func (d *desk) target(seat game.Seat, ply int) (keep int, no player.Reply) {
	r := d.r
	switch {
	case !r.g.Policy.Undo || r.g.Rated:
		return 0, player.No(player.NoUndos, "nothing is taken back in this game")
	case !d.back[0] || !d.back[1]:
		name := r.g.Sides[0].Name
		if d.back[0] {
			name = r.g.Sides[1].Name
		}
		return 0, about(player.Rigid, name, "cannot follow when moves are taken back")
	case ply == player.LatestTurn:
		if keep = turnStart(r.out.Steps, seat); keep < 0 {
			return 0, player.No(player.NoMove, "you have made no move that could be taken back")
		}
		return keep, no
	case ply < 0 || ply >= len(r.out.Steps):
		return 0, counted(player.NoTurn, ply, fmt.Sprintf("move %d is not behind: there are %d", ply, len(r.out.Steps)))
	case r.out.Steps[ply].Opening:
		return 0, player.No(player.Given, "the opening cannot be taken back")
	case !r.pos.turnBegins(ply):
		return 0, counted(player.NoTurn, ply, fmt.Sprintf("no turn begins after %d moves", ply))
	}
	return ply, no
}
