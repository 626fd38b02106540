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
	"kibitz/game/wire"
	"kibitz/internal/plain"
	"kibitz/journal"
	"kibitz/player"
)

// liveNews is a message of the live connection of a room (hall/api LiveNews).
type liveNews struct {
	Ack    string          `json:"ack"`
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
	Room   *liveRoom       `json:"room"`
	Event  string          `json:"event"`
	Game   string          `json:"game"`
	Num    string          `json:"num"`
	Data   json.RawMessage `json:"data"`
}

// liveRoom is what a person must know of his room.
type liveRoom struct {
	Room struct {
		roomShown
		Score [2]float64 `json:"score"`
		Game  *struct {
			First int `json:"first"`
		} `json:"game"`
	} `json:"room"`
}

// liveEntry is a decision, as far as the person may know it (hall/hub Entry).
type liveEntry struct {
	By      wire.Seat `json:"by"`
	Steps   []string  `json:"steps"`
	Forced  bool      `json:"forced"`
	Ended   bool      `json:"ended"`
	Notices []struct {
		Kind   string       `json:"kind"`
		By     wire.Seat    `json:"by"`
		Move   string       `json:"move"`
		Points []wire.Point `json:"points"`
		Count  int          `json:"count"`
	} `json:"notices"`
}

// liveState is a game as the person may know it, liveDelta what leads to the next one (hall/hub
// State and Delta).
type liveState struct {
	Attempt  int          `json:"attempt"`
	Seq      uint64       `json:"seq"`
	Spec     game.Spec    `json:"spec"`
	Names    [2]string    `json:"names"`
	Controls [2]string    `json:"controls"`
	View     *wire.View   `json:"view"`
	Clocks   *[2]liveTime `json:"clocks"`
	Result   *liveResult  `json:"result"`
	Asks     []player.Ask `json:"asks"`
}

type liveDelta struct {
	Prev    uint64        `json:"prev"`
	Seq     uint64        `json:"seq"`
	Rewind  int           `json:"rewind"`
	Entries []liveEntry   `json:"entries"`
	View    *wire.View    `json:"view"`
	Cells   []wire.Change `json:"cells"`
	Lines   []wire.Line   `json:"lines"`
	Rest    *wire.Rest    `json:"rest"`
	Clocks  *[2]liveTime  `json:"clocks"`
	Result  *liveResult   `json:"result"`
	Asks    *[]player.Ask `json:"asks"`
}

type liveTime struct {
	Left int64 `json:"left"` // milliseconds
}

type liveResult struct {
	Points [2]float64  `json:"points"`
	Board  *[2]float64 `json:"board"`
	Reason game.Reason `json:"reason"`
	Detail string      `json:"detail"`
}

// liveSeat is what is asked of the person's seat (hall/bus SeatState).
type liveSeat struct {
	Attempt  int       `json:"attempt"`
	Seat     game.Seat `json:"seat"`
	Prompt   int       `json:"prompt"`
	Ply      int       `json:"ply"`
	Legal    []string  `json:"legal"`
	Deadline time.Time `json:"deadline"`
	Rejected string    `json:"rejected"`
	Again    int       `json:"again"`
	Hint     *struct {
		Prompt int      `json:"prompt"`
		Failed bool     `json:"failed"`
		Steps  []string `json:"steps"`
	} `json:"hint"`
}

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
	state liveState
	asked liveSeat

	// choosing is the number of the question that the player answers, 0 for none; answered that
	// of the latest answer that was sent. later waits until he is done.
	choosing, answered int
	chosen             chan choice
	later              []func()

	orders   int
	waiting  map[string]func(status int, body []byte)
	do       chan func() // what other goroutines want done
	advising chan []game.Move
}

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
	wait, lost := firstAgain, false
	for {
		address := "live"
		if v.id != "" {
			address += "?game=" + v.id + "&since=" + v.since
		}
		conn, err := j.Hall.dial(ctx, j.Room, address)
		if err == nil {
			if lost {
				j.tell("connected again")
			}
			lost, wait, v.conn = false, firstAgain, conn
			unheard := v.waiting
			v.waiting = map[string]func(int, []byte){}
			for _, f := range unheard {
				f(http.StatusServiceUnavailable, nil)
			}
			err = v.serve(ctx)
		}
		if last := j.final(ctx, err); last != nil {
			return last
		}
		if !lost {
			j.tell("the connection is lost (%s)", game.Shown(plain.OneLine(err), 200))
			lost = true
		}
		select {
		case <-time.After(wait):
		case <-j.Drain:
			return errDeparted
		case <-ctx.Done():
			return errDeparted
		}
		wait = min(2*wait, mostAgain)
	}
}

// serve does what comes over one connection until it breaks or the series is over.
func (v *visit) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	in, ended := make(chan *liveNews), make(chan struct{})
	v.conn.SetReadLimit(mostAnswer)
	go func() {
		defer close(ended)
		for {
			n := &liveNews{}
			_, data, err := v.conn.Read(ctx)
			if err == nil {
				err = json.Unmarshal(data, n)
			}
			if err != nil {
				cancel(err)
				return
			}
			select {
			case in <- n:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer func() {
		cancel(errDeparted)
		_ = v.conn.CloseNow()
		<-ended
	}()
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
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
		case n := <-in:
			if err := v.take(n); err != nil {
				return err
			}
		case c := <-v.chosen:
			v.decided(c)
		case f := <-v.do:
			f()
		case <-again.C: // a player who had just been asked may not have heard that he is to stop
			v.hurry()
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

// hurry stops a player whose question is none any more.
func (v *visit) hurry() {
	if v.choosing != 0 && (len(v.later) > 0 || v.choosing != v.asked.Prompt) {
		v.p.Stop()
	}
}

// ended reports whether the series is over. Where the opponent has stood up already the room waits.
func (v *visit) ended() bool {
	phase := v.last.Room.Phase
	return v.id == "" && v.played > 0 && (phase == phaseDone || phase == phaseWaiting)
}

// take takes a message.
func (v *visit) take(n *liveNews) error {
	switch {
	case n.Ack != "":
		if f := v.waiting[n.Ack]; f != nil {
			delete(v.waiting, n.Ack)
			f(n.Status, n.Body)
		}
	case n.Room != nil:
		v.room(n.Room)
	case n.Event == "view":
		var s liveState
		if err := json.Unmarshal(n.Data, &s); err != nil {
			return err
		}
		v.since = n.Num
		return v.view(n.Game, &s)
	case n.Event == "delta" && n.Game == v.id:
		var d liveDelta
		if err := json.Unmarshal(n.Data, &d); err != nil {
			return err
		}
		v.since = n.Num
		return v.delta(&d)
	case n.Event == "seat" && n.Game == v.id:
		var s liveSeat
		if err := json.Unmarshal(n.Data, &s); err != nil {
			return err
		}
		v.question(&s)
	case n.Event == "over" && n.Game == v.id:
		v.over(&liveResult{Reason: game.ByAbort})
	}
	return nil
}

// room tells what has changed in the room.
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
	v.p.Stop()
}

// view shows a game from its beginning, or as it stands.
func (v *visit) view(id string, s *liveState) error {
	if s.View == nil {
		return nil
	}
	v.state = *s
	shown := liveView{s.View.Board()}
	if id == v.id {
		v.soon(func() { v.p.Tell(&player.Update{View: shown}) })
		v.heard(s.Asks)
		if s.Result != nil {
			v.over(s.Result)
		}
		return nil
	}
	r, err := v.Open(s.Spec)
	if err != nil {
		return &localError{err}
	}
	v.id, v.asked, v.answered, v.last = id, liveSeat{}, 0, liveRoom{}
	v.p = v.Person(r, &adviser{v: v})
	setup := &player.Setup{
		ID: id, Spec: s.Spec, Width: s.View.Width, Height: s.View.Height, Seat: v.seat, Names: s.Names, Colours: shown.v.Colours,
		View: shown, Clocks: v.clocks(), Against: player.OverNetwork,
	}
	if err := v.p.NewGame(v.ctx, setup); err != nil {
		return &localError{err}
	}
	if a, ok := v.p.(player.Actor); ok {
		a.Attend(&desk{v})
	}
	v.heard(s.Asks)
	if s.Result != nil {
		v.over(s.Result)
	}
	return nil
}

// delta tells the player what has happened.
func (v *visit) delta(d *liveDelta) error {
	if d.Prev != v.state.Seq {
		return fmt.Errorf("event %d follows %d, not %d", d.Seq, d.Prev, v.state.Seq)
	}
	v.state.Seq = d.Seq
	if d.Clocks != nil {
		v.state.Clocks = d.Clocks
	}
	board := d.View
	if board == nil {
		var err error
		if board, err = v.state.View.Changed(d.Cells, d.Lines, d.Rest); err != nil {
			return err
		}
	}
	v.state.View = board
	shown := liveView{board.Board()}
	if n := d.Rewind; n > 0 {
		v.soon(func() { v.p.Tell(&player.Update{Rewind: n, View: shown}) })
	}
	for i := range d.Entries {
		u, err := d.Entries[i].update()
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
	return nil
}

// update is an entry as a player is told of it.
func (e *liveEntry) update() (*player.Update, error) {
	u := &player.Update{By: seatOf(e.By), Forced: e.Forced, Ended: e.Ended}
	steps, err := moves(e.Steps)
	if err != nil {
		return nil, err
	}
	u.Steps = steps
	for _, n := range e.Notices {
		x := game.Notice{By: seatOf(n.By), Count: n.Count}
		for k := range game.Scored + 1 {
			if k.String() == n.Kind {
				x.Kind = k
			}
		}
		if n.Move != "" {
			if x.Move, err = journal.ParseMove(n.Move); err != nil {
				return nil, err
			}
		}
		for _, p := range n.Points {
			x.Points = append(x.Points, game.Pt(p[0], p[1]))
		}
		u.Notices = append(u.Notices, x)
	}
	return u, nil
}

// heard tells the player what is asked.
func (v *visit) heard(list []player.Ask) {
	if a, ok := v.p.(player.Actor); ok {
		a.Asked(player.Asks{List: list})
	}
}

// question takes what is asked of the seat.
func (v *visit) question(s *liveSeat) {
	v.asked = *s
	if h := s.Hint; h != nil && v.advising != nil && (h.Failed || len(h.Steps) > 0) {
		steps, err := moves(h.Steps)
		if err != nil {
			steps = nil
		}
		v.advising <- steps
		v.advising = nil
	}
	if v.choosing != 0 && v.choosing != s.Prompt {
		v.p.Stop()
	}
	v.choose()
}

// choose asks the player, if a question waits and he is free.
func (v *visit) choose() {
	q := v.asked
	if v.id == "" || v.choosing != 0 || q.Prompt == 0 || q.Prompt == v.answered {
		return
	}
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
	v.choosing = q.Prompt
	who := v.p
	go func() {
		a, err := who.Choose(v.ctx, p)
		v.chosen <- choice{a.Steps, err}
	}()
}

// decided sends what the player has decided.
func (v *visit) decided(c choice) {
	prompt := v.choosing
	v.choosing = 0
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
	steps := make([]string, len(c.steps))
	for i, m := range c.steps {
		steps[i] = journal.FormatMove(m)
	}
	body := map[string]any{
		"prompt": prompt, "steps": steps, "for": map[string]any{"attempt": v.asked.Attempt, "ply": v.asked.Ply},
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

// over ends the game.
func (v *visit) over(r *liveResult) {
	v.soon(func() {
		if v.id == "" {
			return
		}
		out := game.Result{Points: r.Points, Reason: r.Reason, Detail: r.Detail}
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
		v.p.Stop()
		<-v.chosen
	}
	_ = v.p.Close() // a person at a terminal has nothing to close
	v.p, v.id, v.since, v.choosing, v.later = nil, "", "", 0, nil
}

// clocks are those of the seats.
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

// problemText is what a problem says.
func problemText(status int, body []byte) string {
	var p struct {
		Detail string `json:"detail"`
	}
	if json.Unmarshal(body, &p) != nil || p.Detail == "" {
		return http.StatusText(status)
	}
	return game.Shown(p.Detail, 300)
}

// desk is where the person acts beside his moves.
type desk struct {
	v *visit
}

// Answering implements player.Desk: the hall judges.
func (d *desk) Answering() bool { return true }

// Act implements player.Desk.
func (d *desk) Act(a player.Act, told func(player.Reply)) {
	body := map[string]any{"act": string(a.Do)}
	if a.Do == player.AskUndo && a.Ply >= 0 {
		body["ply"] = a.Ply
	}
	d.v.within(func() {
		d.v.order("acts", body, func(status int, answer []byte) {
			r := player.Reply{Effect: player.Done}
			if status/100 != 2 {
				r = player.No(player.NoDeed, problemText(status, answer))
			} else if err := json.Unmarshal(answer, &r); err != nil || r.Effect == "" {
				r.Effect = player.Done
			}
			told(r)
		})
	})
}

// within has the visit's own goroutine do something.
func (v *visit) within(f func()) {
	select {
	case v.do <- f:
	case <-v.ctx.Done():
	}
}

// adviser asks the hall for hints, where it gives any.
type adviser struct {
	player.Player
	v *visit
}

// NewGame implements player.Player.
func (*adviser) NewGame(context.Context, *player.Setup) error { return nil }

// Tell implements player.Player.
func (*adviser) Tell(*player.Update) {}

// Over implements player.Player.
func (*adviser) Over(game.Result) {}

// Suggest implements player.Suggester. The hall tells more each time, up to the decision.
func (a *adviser) Suggest(ctx context.Context, _ *player.Prompt) (player.Answer, error) {
	got, refused := make(chan []game.Move, 1), make(chan string, 2)
	ask := func() {
		a.v.order("acts", map[string]any{"act": "hint"}, func(status int, body []byte) {
			if status/100 != 2 {
				refused <- problemText(status, body)
			}
		})
	}
	a.v.within(func() {
		a.v.advising = got
		ask()
		ask()
	})
	select {
	case steps := <-got:
		if len(steps) == 0 {
			return player.Answer{}, player.Fail(game.ByAbort, nil, "nothing came of it")
		}
		return player.Answer{Steps: steps}, nil
	case why := <-refused:
		return player.Answer{}, player.Fail(game.ByAbort, nil, "%s", why)
	case <-ctx.Done():
		return player.Answer{}, ctx.Err()
	case <-time.After(hallTimeout):
		return player.Answer{}, player.Fail(game.ByAbort, nil, "the hall does not answer")
	}
}

// liveView is a board that was told.
type liveView struct{ v *game.View }

// View implements player.Viewer.
func (l liveView) View() game.View { return *l.v }

// legalMoves are decisions that were told.
type legalMoves []game.Move

// Legal implements player.Legals.
func (l legalMoves) Legal(dst []game.Move) []game.Move { return append(dst, l...) }

// moves reads decisions in the journal's form.
func moves(list []string) (out []game.Move, err error) {
	for _, text := range list {
		m, err := journal.ParseMove(text)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

func seatOf(s wire.Seat) game.Seat {
	for _, x := range []game.Seat{game.First, game.Second, game.Dealer} {
		if wire.SeatOf(x) == s {
			return x
		}
	}
	return game.Nobody
}
