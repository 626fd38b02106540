package join

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/coder/websocket"

	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/player"
	"kibitz/player/remote"
	"kibitz/player/remote/seats"
	"kibitz/protocol"
	"kibitz/run/engines"
)

// playedGame is a game in a hall that the engine plays, over one connection after the
// other.
type playedGame struct {
	id     string
	seat   game.Seat
	player player.Player
	said   engines.Traffic
	client *remote.Client

	// of the connection; nil without one
	cancel context.CancelFunc
	in     chan []byte
	done   chan struct{} // closed when err stands
	err    error
	closed bool // the hall has closed the seat: only the result is to come
}

// begin lets the engine play a game, or go on with it.
func (j *joiner) begin(ctx context.Context, conn *websocket.Conn, n *seats.News) error {
	if j.game != nil && j.game.id == n.Game {
		j.game.attach(ctx, conn)
		return nil
	}
	j.end(ctx, nil)
	if n.Seat != 0 && n.Seat != 1 {
		return fmt.Errorf("the hall names a seat %d", n.Seat)
	}
	r, err := j.Open(n.Spec)
	if err != nil {
		return &localError{fmt.Errorf("game %s: %w", game.Shown(n.Game, 60), err)}
	}
	g := &playedGame{id: n.Game, seat: game.Seat(n.Seat)}
	g.said.Begin(j.Launcher.Now())
	p, err := j.Launcher.Player(j.Engine, r, j.Seed(), &g.said)
	if err != nil {
		return &localError{err}
	}
	g.player, g.client = p, remote.NewClient(p, r.Spec(), j.Launcher.Now)
	g.client.Limits = j.Engine.Limits()
	g.said.Hear(g.client.Print)
	j.game = g
	j.tell("game %s begins: %s, %s seat", game.Shown(g.id, 60), r.Spec(), g.seat)
	g.attach(ctx, conn)
	return nil
}

// end releases the engine and tells the result, if n has it.
func (j *joiner) end(ctx context.Context, n *seats.News) {
	g := j.game
	if g == nil {
		return
	}
	j.game, j.idle = nil, j.Launcher.Now()
	g.detach()
	g.client.Close()
	j.showFailure(g, n)
	if err := g.player.Close(); err != nil {
		j.tell("%s: %s", j.Engine.Name, plain.OneLine(err))
	}
	if err := j.keep(g); err != nil {
		j.tell("the log: %s", plain.OneLine(err))
	}
	if n == nil {
		j.tell("game %s is left", game.Shown(g.id, 60))
		return
	}
	j.played++
	place, score := j.place, n.Score
	j.reports.Go(func() {
		line := fmt.Sprintf("game %s is over", game.Shown(g.id, 60))
		if r := n.Result; r != nil {
			line = fmt.Sprintf("game %s is over: %s; score %g to %g", game.Shown(g.id, 60), outcomeFor(*r, g.seat), score[place], score[1-place])
		}
		if most, ok := j.transit(ctx, g); ok {
			line += fmt.Sprintf("; transmission error at most %s a turn", most.Round(10*time.Microsecond))
		}
		j.tell("%s", line)
	})
}

// showFailure counts a game that the engine lost because it failed, and shows what there is
// to see of that.
func (j *joiner) showFailure(g *playedGame, n *seats.News) {
	if n == nil || n.Result == nil || !protocol.AtFault(*n.Result, g.seat) {
		return
	}
	if why := n.Result.Reason; why == game.ByTime || why == game.ByIllegal {
		return // a loss like others
	}
	j.failed++
	w, ok := g.player.(player.Witness)
	if !ok {
		return
	}
	lines := w.Evidence()
	const most = 10
	for _, l := range lines[max(0, len(lines)-most):] {
		j.tell("%s: %s", j.Engine.Name, game.Shown(l, 300))
	}
}

// keep appends what was said in a game to the log. Built-in engines say nothing.
func (j *joiner) keep(g *playedGame) error {
	text := g.said.Take(nil, fmt.Sprintf("game %s, %s seat", game.Shown(g.id, 60), g.seat))
	if bytes.Count(text, []byte("\n")) < 2 {
		return nil
	}
	f, err := os.OpenFile(j.LogFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// outcomeFor tells a result from one seat: "won 40-24 (score)".
func outcomeFor(r game.Result, seat game.Seat) string {
	word := "no result"
	switch r.Winner() {
	case seat:
		word = "won"
	case seat.Other():
		word = "lost"
	default:
		if r.Draw() {
			word = "drawn"
		}
	}
	if r.HasBoard {
		word += fmt.Sprintf(" %g-%g", r.Board[seat], r.Board[seat.Other()])
	}
	if r.Reason != "" {
		word += " (" + game.Shown(string(r.Reason), 40) + ")"
	}
	return word
}

// transit is the largest transmission error of the engine's turns, which the record
// tells.
func (j *joiner) transit(ctx context.Context, g *playedGame) (most time.Duration, ok bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	data, err := j.Hall.get(ctx, "/api/v1/games/"+g.id+"/record")
	if err != nil {
		return 0, false
	}
	list, err := j.Records(data)
	if err != nil || len(list) != 1 {
		return 0, false
	}
	for _, s := range list[0].Steps {
		if s.By == g.seat && s.Error > 0 {
			most, ok = max(most, s.Error), true
		}
	}
	return most, ok
}

// attach plays over a connection.
func (g *playedGame) attach(ctx context.Context, conn *websocket.Conn) {
	g.detach()
	ctx, g.cancel = context.WithCancel(ctx)
	in, done := make(chan []byte, 64), make(chan struct{})
	g.in, g.done, g.err, g.closed = in, done, nil, false
	go func() {
		defer close(done)
		g.err = g.client.Serve(ctx, &seatPipe{ctx: ctx, conn: conn, in: in})
	}()
}

// detach ends that.
func (g *playedGame) detach() {
	if g.cancel == nil {
		return
	}
	g.cancel()
	<-g.done
	g.cancel, g.in, g.done = nil, nil, nil
}

func (g *playedGame) take(frame []byte) {
	select {
	case g.in <- frame:
	case <-g.done:
	}
}

// broken is closed when the engine's end has nothing to say any more on this
// connection.
func (j *joiner) broken() <-chan struct{} {
	if j.game == nil || j.game.closed {
		return nil
	}
	return j.game.done
}

// silent returns why, nil if the seat was closed as it should be.
func (g *playedGame) silent() error {
	if errors.Is(g.err, remote.ErrClosed) {
		g.closed = true // the game is not over before the hall says so
		return nil
	}
	return g.err
}

// seatPipe carries frames over a websocket.
type seatPipe struct {
	ctx  context.Context
	conn *websocket.Conn
	in   <-chan []byte
}

// Send implements remote.Conn.
func (p *seatPipe) Send(frame []byte) error {
	ctx, cancel := context.WithTimeout(p.ctx, hallTimeout)
	defer cancel()
	return p.conn.Write(ctx, websocket.MessageBinary, frame)
}

// Recv implements remote.Conn.
func (p *seatPipe) Recv(ctx context.Context) ([]byte, error) {
	select {
	case frame := <-p.in:
		return frame, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
