package join

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/hall/live"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/player"
)

// visit is a person in a room. All but the player's Choose is done by one goroutine.
type visit struct {
	*joiner
	ctx   context.Context // of the visit
	conn  *websocket.Conn
	last  liveRoom
	since string // what was seen last of the game, for the next connection
	said  string // what was told of the room last

	id    string // of the game that is played, empty between games
	p     player.Player
	seat  game.Seat
	state live.State
	asked liveSeat

	// choosing is the number of the question that the player answers, 0 for none; answered that
	// of the latest answer that was sent. withdraw ends the question, later waits until he is done.
	choosing, answered int
	withdraw           context.CancelFunc
	chosen             chan choice
	later              []func()
	// late ends the wait for the board of the question; overdue is the number of one that is asked without.
	late    <-chan time.Time
	overdue int

	orders   int
	waiting  map[string]func(status int, body []byte)
	do       chan func()    // what other goroutines want done
	advising chan *liveHint // who waits for a hint, and which is enough
	enough   func(*liveHint) bool
}

// patience is how long the board of a question may take to come.
const patience = 10 * time.Second

// choice is what a player decided.
type choice struct {
	steps []game.Move
	err   error
}

// attend lets a person play a series in the room.
func (j *joiner) attend(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	v := &visit{joiner: j, ctx: ctx, chosen: make(chan choice, 1), do: make(chan func())}
	defer v.finish()
	defer cancel()
	return j.connected(ctx, v.socket, v.serve)
}

// socket is where the person plays; of the game it goes on behind what was seen.
func (v *visit) socket() string {
	if v.id == "" {
		return "live"
	}
	return "live?game=" + v.id + "&since=" + v.since
}

// serve does what comes over one connection until it breaks or the series is over.
func (v *visit) serve(ctx context.Context, conn *websocket.Conn) error {
	v.conn = conn
	unheard := v.waiting
	v.waiting = map[string]func(int, []byte){}
	for _, f := range unheard {
		f(http.StatusServiceUnavailable, nil)
	}
	ctx, in, stop := receive(ctx, conn, mostAnswer)
	defer stop()
	for {
		if v.ended() {
			v.tell("the series is over: %g to %g", v.last.Room.Score[v.place], v.last.Room.Score[1-v.place])
			return errDeparted
		}
		typed := v.Typed
		if v.id != "" {
			typed = nil
		}
		select {
		case m := <-in:
			if err := v.take(m.data); err != nil {
				return err
			}
		case c := <-v.chosen:
			v.decided(c)
		case f := <-v.do:
			f()
		case <-v.late:
			v.boardless()
		case text, ok := <-typed:
			if !ok || strings.EqualFold(strings.TrimSpace(text), "leave") {
				return errDeparted
			}
			v.tell("no game is played; leave goes out of the room")
		case <-v.Drain:
			if v.id != "" {
				v.tell("the game is left; who enters the room again goes on with it")
			}
			return errDeparted
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// ended reports whether the series is over. Where the opponent has stood up already the room waits.
func (v *visit) ended() bool {
	phase := v.last.Room.Phase
	return v.id == "" && v.played > 0 && (phase == phaseDone || phase == phaseWaiting)
}

func (v *visit) take(data []byte) error {
	var n liveNews
	if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	switch {
	case n.Ack != "":
		if f := v.waiting[n.Ack]; f != nil {
			delete(v.waiting, n.Ack)
			f(n.Status, n.Body)
		}
	case n.Room != nil:
		v.room(n.Room)
	case n.Event == "view":
		var s live.State
		if err := json.Unmarshal(n.Data, &s); err != nil {
			return err
		}
		v.since = n.Num
		return v.view(n.Game, &s)
	case n.Event == "delta" && n.Game == v.id:
		var d live.Delta
		if err := json.Unmarshal(n.Data, &d); err != nil {
			return err
		}
		v.since = n.Num
		return v.delta(&d)
	case n.Event == "seat":
		var s liveSeat
		if err := json.Unmarshal(n.Data, &s); err != nil {
			return err
		}
		v.question(&s)
	case n.Event == "over" && n.Game == v.id:
		v.over(&live.Result{Reason: string(game.ByAbort)})
	}
	return nil
}

func (v *visit) room(r *liveRoom) {
	v.last = *r
	other := r.Room.Places[1-v.place]
	said := ""
	switch {
	case v.played > 0:
	case other.Kind == "":
		said = "waiting for an opponent; leave goes out of the room"
	case r.Room.Phase == phaseWaiting:
		said = game.Shown(other.Name, 80) + " is here; the game begins when both are ready"
		if !r.Room.Places[v.place].Ready {
			v.order("commands", map[string]any{"do": "ready"}, nil)
		}
	}
	if said != "" && said != v.said {
		v.tell("%s", said)
	}
	v.said = said
	if g := r.Room.Game; g != nil && v.id == "" {
		v.seat = game.First
		if g.First != v.place {
			v.seat = game.Second
		}
	}
}

// soon does something with the player: now, or as soon as he has nothing to choose any more.
func (v *visit) soon(f func()) {
	if v.choosing == 0 {
		f()
		return
	}
	v.later = append(v.later, f)
	v.withdraw()
}

// view shows a game from its beginning, or as it stands.
func (v *visit) view(id string, s *live.State) error {
	if s.View == nil {
		return nil
	}
	v.state = *s
	shown := liveView{s.View.Board()}
	if id == v.id {
		v.soon(func() { v.p.Tell(&player.Update{View: shown}) })
		v.stands(s.Asks, s.Result)
		return nil
	}
	r, err := v.Open(game.Spec(s.Spec))
	if err != nil {
		return &localError{err}
	}
	v.id, v.answered, v.overdue, v.last = id, 0, 0, liveRoom{}
	v.p = v.Person(r, &adviser{v: v})
	setup := &player.Setup{
		ID: id, Spec: game.Spec(s.Spec), Width: s.View.Width, Height: s.View.Height, Seat: v.seat, Names: s.Names, Colours: shown.v.Colours,
		View: shown, Clocks: v.clocks(), Against: player.OverNetwork,
	}
	if err := v.p.NewGame(v.ctx, setup); err != nil {
		return &localError{err}
	}
	if a, ok := v.p.(player.Actor); ok {
		a.Attend(&desk{v})
	}
	v.stands(s.Asks, s.Result)
	return nil
}

// stands tells the player what is asked and how the game ended, and has him answer what the board was
// waited for with.
func (v *visit) stands(asks []journal.Ask, r *live.Result) {
	v.heard(asks)
	if r != nil {
		v.over(r)
	}
	v.choose()
}

// delta tells the player what has happened.
func (v *visit) delta(d *live.Delta) error {
	state, err := live.Apply(v.state, d)
	if err != nil {
		return err
	}
	v.state = state
	shown := liveView{state.View.Board()}
	if n := d.Rewind; n > 0 {
		v.soon(func() { v.p.Tell(&player.Update{Rewind: n, View: shown}) })
	}
	for i := range d.Entries {
		u, err := updateOf(&d.Entries[i])
		if err != nil {
			return err
		}
		u.View = shown
		v.soon(func() { v.p.Tell(u) })
	}
	if d.Asks != nil {
		v.heard(*d.Asks)
	}
	if d.Result != nil {
		v.over(d.Result)
	}
	v.choose()
	return nil
}

func (v *visit) heard(list []journal.Ask) {
	if a, ok := v.p.(player.Actor); ok {
		a.Asked(player.Asks{List: asksOf(list)})
	}
}

// question takes what is asked of the seat, which may be before the first board of its game.
func (v *visit) question(s *liveSeat) {
	if s.Prompt != v.asked.Prompt {
		v.late = nil
	}
	v.asked = *s
	if s.Game != v.id {
		return
	}
	if h := s.Hint; h != nil && v.advising != nil && (h.Failed || v.enough(h)) {
		v.advising <- h
		v.advising = nil
	}
	if v.choosing != 0 && v.choosing != s.Prompt {
		v.withdraw()
	}
	v.choose()
}

// choose asks the player, if a question waits and he is free. One of another position than the one that he
// was shown waits for its board, or is asked no more: questions and boards come by two ways.
func (v *visit) choose() {
	q := v.asked
	if v.id == "" || q.Game != v.id || v.choosing != 0 || q.Prompt == 0 || q.Prompt == v.answered {
		return
	}
	if q.Prompt != v.overdue && q.Ply != v.state.Decisions() {
		if v.late == nil {
			v.late = time.After(patience)
		}
		return
	}
	v.late = nil
	legal, err := moves(q.Legal)
	if err != nil {
		v.tell("the hall names moves that cannot be read: %s", plain.OneLine(err))
		return
	}
	board := v.state.View.Board()
	p := &player.Prompt{
		Seat: q.Seat, Turn: board.Turn, Moves: legalMoves(legal), Clocks: v.clocks(), Colours: board.Colours, View: liveView{board},
		Deadline: q.Deadline, Again: q.Again,
	}
	asks := v.p.Choose
	if h := q.Hint; h != nil && h.From != "" && len(h.Steps) == 1 {
		if asks, err = decides(v.p, h.Steps[0]); err != nil {
			v.tell("the hall names a move that cannot be read: %s", plain.OneLine(err))
			return
		}
		p.Seat = q.Seat.Other()
	}
	v.choosing = q.Prompt
	ctx, withdraw := context.WithCancel(v.ctx)
	v.withdraw = withdraw
	go func() {
		a, err := asks(ctx, p)
		v.chosen <- choice{a.Steps, err}
	}()
}

// boardless asks what was held back for its board long enough.
func (v *visit) boardless() {
	v.tell("the board of what the hall asks does not come: it judges your move all the same")
	v.overdue = v.asked.Prompt
	v.choose()
}

// decides asks a player where his opponent, an engine that proposes a move, is to play.
func decides(who player.Player, text string) (func(context.Context, *player.Prompt) (player.Answer, error), error) {
	proposed, err := journal.ParseMove(text)
	return func(ctx context.Context, p *player.Prompt) (player.Answer, error) {
		m := proposed
		if d, ok := who.(player.Decider); ok {
			m = d.Decide(ctx, p, proposed)
		}
		return player.Answer{Steps: []game.Move{m}}, ctx.Err() // what was withdrawn is not decided
	}, err
}

// decided sends what the player has decided.
func (v *visit) decided(c choice) {
	prompt := v.choosing
	v.choosing = 0
	v.withdraw()
	for len(v.later) > 0 && v.choosing == 0 {
		f := v.later[0]
		v.later = v.later[1:]
		f()
	}
	switch {
	case v.id == "":
		return
	case c.err != nil || prompt != v.asked.Prompt: // it was stopped, or is asked no more
		v.choose()
		return
	}
	v.answered = prompt
	if len(c.steps) == 1 && c.steps[0].Op == game.Resign {
		v.order("acts", map[string]any{"act": "resign"}, nil)
		return
	}
	body := map[string]any{
		"prompt": prompt, "steps": journal.FormatMoves(c.steps), "for": map[string]any{"attempt": v.asked.Attempt, "ply": v.asked.Ply},
	}
	v.order("moves", body, func(status int, answer []byte) {
		if status/100 == 2 {
			return
		}
		v.tell("the move does not count: %s", problemText(status, answer))
		if v.answered == prompt {
			v.answered = 0
			v.choose()
		}
	})
}

func (v *visit) over(r *live.Result) {
	v.soon(func() {
		if v.id == "" {
			return
		}
		out := game.Result{Points: r.Points, Reason: game.Reason(r.Reason), Detail: r.Detail}
		if r.Board != nil {
			out.Board, out.HasBoard = *r.Board, true
		}
		v.played++
		v.p.Over(out)
		v.finish()
	})
}

// finish lets the player go.
func (v *visit) finish() {
	if v.p == nil {
		return
	}
	if a, ok := v.p.(player.Actor); ok {
		a.Attend(nil)
	}
	if v.choosing != 0 {
		v.withdraw()
		<-v.chosen
	}
	_ = v.p.Close() // a person at a terminal has nothing to close
	v.p, v.id, v.since, v.choosing, v.later = nil, "", "", 0, nil
}

func (v *visit) clocks() (out [2]clock.Clock) {
	for i, text := range v.state.Controls {
		if c, err := clock.Parse(text); err == nil {
			out[i] = clock.New(c)
		}
		if t := v.state.Clocks; t != nil {
			out[i].Left = time.Duration(t[i].Left) * time.Millisecond
		}
	}
	return out
}

// order sends an order; answer gets what the hall says of it.
func (v *visit) order(to string, body map[string]any, answer func(status int, body []byte)) {
	v.orders++
	id := fmt.Sprint(v.orders)
	data, err := json.Marshal(map[string]any{"id": id, "to": to, "game": v.id, "body": body})
	if err != nil {
		return
	}
	if answer != nil {
		v.waiting[id] = answer
	}
	ctx, cancel := context.WithTimeout(context.Background(), hallTimeout)
	defer cancel()
	_ = v.conn.Write(ctx, websocket.MessageText, data) // a connection that is lost is noticed where it is read
}
