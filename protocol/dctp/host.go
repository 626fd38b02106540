package dctp

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"kibitz/game"
	"kibitz/game/grid"
	"kibitz/player"
	"kibitz/protocol"
)

// Limits of waiting where the configuration has none.
const (
	startLimit = player.StartLimit // ready may load tables
	replyLimit = 10 * time.Second
	overLimit  = 2 * time.Second
	quitLimit  = 2 * time.Second
)

// Host plays through an engine that speaks DCTP. It implements player.Player and,
// beside it, Positioner, Suggester, Suspender, Namer and Witness.
//
// The protocol has one request under way at a time. What the host is told it
// keeps as requests, which go out before the next question; the engine's clock
// runs from that question.
type Host struct {
	cfg      protocol.Config
	hello    bool
	settings bool
	timed    bool
	untimed  int64
	gameOver bool

	protocol.Wire
	broken bool
	name   string
	games  int

	// The running game.
	playing bool
	setup   setup
	moves   []game.Move // all steps, as told
	stale   bool        // the engine's board must be set up anew
	fail    *player.Failure

	queue []queued // requests that wait to be sent
	asked Number   // the latest of them that was
	text  []byte   // their text
	out   []byte
	step  [1]game.Move
}

// setup is what a game begins with.
type setup struct {
	seat    game.Seat
	spec    game.Spec
	colours [2]game.Colour
	main    int64 // milliseconds
}

// queued is one request of Host.text.
type queued struct {
	number Number
	end    int
}

// NewHost returns a host. The engine is started by the first game.
func NewHost(c protocol.Config) (*Host, error) {
	list := dialects()
	if err := c.CheckDialects("dctp", list); err != nil {
		return nil, err
	}
	if err := c.NoOptions("dctp"); err != nil {
		return nil, err
	}
	on := func(key string) bool { return c.Switch(list, key) == "on" }
	ms, err := strconv.ParseInt(c.Switch(list, "untimed"), 10, 32)
	if err != nil || ms < 0 {
		return nil, fmt.Errorf("dialect.untimed=%s: write milliseconds, for example 900000", c.Switch(list, "untimed"))
	}
	return &Host{
		Wire: protocol.Wire{Hint: hint}, cfg: c, hello: on("hello"), settings: on("settings"), timed: on("time"),
		gameOver: on("game_over"), untimed: ms,
	}, nil
}

// CanStart implements player.Positioner: past plies are told one by one; a
// position cannot be set.
func (h *Host) CanStart(game.Spec) player.Start { return player.FromHistory }

// EngineName implements player.Namer.
func (h *Host) EngineName() string { return h.name }

// NewGame implements player.Player.
func (h *Host) NewGame(ctx context.Context, s *player.Setup) error {
	h.fail, h.playing = nil, false
	if s.Spec.ID() != "darkchess" || s.Width != grid.DarkWidth || s.Height != grid.DarkHeight {
		return player.Fail(game.ByStart, nil, "DCTP carries dark chess on 4 columns and 8 rows, not %s", s.Spec)
	}
	if s.Start != "" {
		return player.Fail(game.ByStart, nil, "DCTP engines cannot start from a position, only after plies from the initial one")
	}
	if err := h.process(ctx); err != nil {
		return err
	}
	h.Watch(ctx)
	h.games++
	h.setup = setup{seat: s.Seat, spec: s.Spec, colours: s.Colours, main: h.mainTime(s)}
	h.moves = h.moves[:0]
	for i := range s.History {
		h.moves = append(h.moves, s.History[i].Steps...)
	}
	h.playing = true
	return h.setUp(ctx)
}

// setUp brings the engine to the game. One that does not bear the settings (a family
// reads a second number of 8 and 9) is started anew without them.
func (h *Host) setUp(ctx context.Context) error {
	h.rebuild()
	err := h.flush(h.cfg.Until(h.cfg.StartLimit, startLimit), game.ByStart)
	switch h.asked {
	case BoardSize, NumRepetition, NumMovesToDraw:
	default:
		return err
	}
	if err == nil || !h.settings || ctx.Err() != nil || h.cfg.Restart == protocol.RestartNever {
		return err
	}
	h.cfg.Warnf("%s: started anew without boardsize, num_repetition and num_moves_to_draw, as with dialect.settings=off: %v", h.cfg.Name, err)
	h.settings, h.fail = false, nil
	if err := h.process(ctx); err != nil {
		return err
	}
	h.rebuild()
	return h.flush(h.cfg.Until(h.cfg.StartLimit, startLimit), game.ByStart)
}

// mainTime is what time_settings says: the budget of the game in milliseconds.
func (h *Host) mainTime(s *player.Setup) int64 {
	seat := s.Seat
	if !seat.IsPlayer() {
		seat = game.First
	}
	c := s.Clocks[seat].Control
	switch {
	case c.Hourglass > 0:
		return c.Hourglass.Milliseconds()
	case c.Main > 0:
		return c.Main.Milliseconds()
	}
	return h.untimed
}

// process makes sure that a healthy engine runs.
func (h *Host) process(ctx context.Context) error {
	started, err := h.Renew(ctx, &h.cfg, h.broken, h.games > 0, h.shut)
	if err != nil || !started {
		return err
	}
	h.broken = false
	h.Watch(ctx)
	if !h.hello {
		return nil
	}
	return h.greet()
}

// greet asks the engine who it is.
func (h *Host) greet() error {
	deadline := h.cfg.Until(h.cfg.StartLimit, startLimit)
	var said [3]string
	for n := ProtocolVersion; n <= Version; n++ {
		h.out = AppendRequest(h.out[:0], n)
		ok, text, err := h.call(n, h.out, deadline, game.ByStart)
		if err != nil {
			return err
		}
		if ok {
			said[n] = string(text)
		}
	}
	h.name = said[Name]
	if said[Version] != "" {
		h.name += " " + said[Version]
	}
	return nil
}

// rebuild queues the requests that bring the engine to the position.
func (h *Host) rebuild() {
	h.queue, h.text, h.stale = h.queue[:0], h.text[:0], false
	h.add(ResetBoard)
	if h.settings {
		h.add(BoardSize, "8", "4")
		for _, o := range []struct {
			n   Number
			key string
		}{{NumRepetition, "repetition"}, {NumMovesToDraw, "noeat"}} {
			if v, ok := h.setup.spec.Option(o.key); ok {
				h.add(o.n, v)
			}
		}
	}
	if h.timed {
		h.add(TimeSettings, strconv.FormatInt(h.setup.main, 10))
	}
	h.add(Ready)
	h.plies(h.moves)
}

// add queues a request.
func (h *Host) add(n Number, args ...string) {
	h.text = AppendRequest(h.text, n, args...)
	h.queue = append(h.queue, queued{n, len(h.text)})
}

// plies queues moves and flips.
func (h *Host) plies(steps []game.Move) {
	for i, m := range steps {
		switch m.Op {
		case game.Shift:
			h.add(Move, square(m.From), square(m.To))
		case game.Flip:
			if i+1 < len(steps) && steps[i+1].Op == game.Deal {
				piece := int(steps[i+1].Arg)
				h.add(Flip, square(m.To), game.DarkChessPieces[piece:piece+1])
			}
		}
	}
}

func square(p game.Point) string { return string(grid.AppendDarkSquare(nil, p)) }

// Tell implements player.Player: it takes notes, which go out before the next
// question.
func (h *Host) Tell(u *player.Update) {
	if u.Rewind > 0 {
		h.moves = h.moves[:max(0, len(h.moves)-u.Rewind)]
		h.stale = true
		return
	}
	h.moves = append(h.moves, u.Steps...)
	h.setup.colours = u.Colours
	if h.stale || len(u.Steps) == 0 {
		return
	}
	h.plies(u.Steps)
	h.timeLeft(u)
}

// timeLeft queues the clock of the player who has moved.
func (h *Host) timeLeft(u *player.Update) {
	if !h.timed || !u.By.IsPlayer() || u.Colours[u.By] == game.NoColour {
		return
	}
	k := u.Clocks[u.By]
	ms := h.untimed
	if k.Control.Timed() {
		ms = k.Remaining().Milliseconds()
	}
	h.add(TimeLeft, colourWord(u.Colours[u.By]), strconv.FormatInt(ms, 10))
}

// Choose implements player.Player with genmove.
func (h *Host) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	if h.fail != nil {
		return player.Answer{}, h.fail
	}
	if h.Conn() == nil || h.broken || !h.playing {
		return player.Answer{}, player.Fail(game.ByProtocol, nil, "no game has been started")
	}
	h.Watch(ctx)
	before := h.cfg.Now()
	if h.stale {
		h.rebuild()
	}
	if err := h.flush(h.cfg.Until(h.cfg.ReplyLimit, replyLimit), game.ByStall); err != nil {
		return player.Answer{}, err
	}
	began := h.cfg.Now()
	deadline := p.Deadline
	if !deadline.IsZero() {
		deadline = deadline.Add(began.Sub(before))
	}
	h.out = AppendRequest(h.out[:0], GenMove, colourWord(p.Colours[p.Seat]))
	h.Think(true)
	ok, text, err := h.question(p, deadline)
	h.Think(false)
	if err != nil {
		return player.Answer{}, err
	}
	ans := player.Answer{Raw: string(text), Used: h.cfg.Now().Sub(began), Measured: true}
	if !ok {
		said := "?" + strconv.Itoa(int(GenMove)) + " " + game.Shown(string(text), 120)
		f := player.Fail(game.ByProtocol, nil, "the engine answers genmove with %q", said)
		f.Evidence = h.Evidence()
		return player.Answer{}, h.broke(f)
	}
	m, err := ReadPly(text)
	if err != nil {
		ans.Unread = err.Error()
		return ans, nil
	}
	h.step[0] = m
	ans.Steps, ans.Whole = h.step[:], true
	return ans, nil
}

// question sends the request that waits in out and waits for the reply.
func (h *Host) question(p *player.Prompt, deadline time.Time) (ok bool, text []byte, err error) {
	if err := h.send(GenMove, h.out, protocol.Late(p)); err != nil {
		return false, nil, err
	}
	if p.Sent != nil {
		p.Sent()
	}
	return h.hear(GenMove, deadline, protocol.Late(p))
}

// Suggest implements player.Suggester: genmove changes nothing.
func (h *Host) Suggest(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	return h.Choose(ctx, p)
}

// flush sends what is queued, one request after the other. A refusal is only
// noted: what happened on the board is the referee's word, not the engine's.
func (h *Host) flush(deadline time.Time, why game.Reason) error {
	from := 0
	for _, q := range h.queue {
		request := h.text[from:q.end]
		from, h.asked = q.end, q.number
		ok, text, err := h.call(q.number, request, deadline, why)
		if err != nil {
			return err
		}
		if !ok {
			h.cfg.Warnf("%s: the engine answers %q with %q", h.cfg.Name, game.Shown(string(request[:len(request)-1]), 120),
				"?"+strconv.Itoa(int(q.number))+" "+game.Shown(string(text), 120))
		}
	}
	h.queue, h.text = h.queue[:0], h.text[:0]
	return nil
}

// Over implements player.Player: the engine hears what is left to tell and who
// has won. A process that has lost by its own fault is ended.
func (h *Host) Over(r game.Result) {
	if h.Conn() != nil && !h.broken && h.playing {
		if r.Reason != game.ByAbort {
			h.EndWatch() // it may still watch the start, which is over
		}
		if h.stale {
			h.queue, h.text = h.queue[:0], h.text[:0]
		}
		if word := h.outcome(r); word != "" && h.gameOver {
			h.add(GameOver, word)
		}
		if err := h.flush(h.cfg.Now().Add(overLimit), game.ByStall); err != nil {
			h.cfg.Warnf("%s: at the end of the game: %v", h.cfg.Name, err)
		}
	}
	protocol.EndGame(h.Conn())
	h.EndWatch()
	h.queue, h.text = h.queue[:0], h.text[:0]
	h.playing = false
	if h.cfg.Restart != protocol.RestartNever && protocol.AtFault(r, h.setup.seat) {
		h.cfg.WarnEnd(h.shut())
	}
}

// outcome is the word of game_over, empty for a game without a verdict. Before the
// first flip the first player counts as red.
func (h *Host) outcome(r game.Result) string {
	w := r.Winner()
	switch {
	case r.Draw():
		return "draw"
	case !w.IsPlayer():
		return ""
	case h.setup.colours[w] != game.NoColour:
		return colourWord(h.setup.colours[w])
	case w == game.First:
		return colourWord(game.Red)
	default:
		return colourWord(game.Black)
	}
}

// Close implements player.Player.
func (h *Host) Close() error {
	h.EndWatch()
	return h.shut()
}

// shut ends the engine: quit, a grace, then force, since some engines spin for
// ever when their input ends.
func (h *Host) shut() error {
	h.playing = false
	if h.broken {
		return h.Kill()
	}
	return h.Quit(AppendRequest(nil, Quit), quitLimit)
}

var (
	_ player.Player     = (*Host)(nil)
	_ player.Positioner = (*Host)(nil)
	_ player.Suggester  = (*Host)(nil)
	_ player.Suspender  = (*Host)(nil)
	_ player.Namer      = (*Host)(nil)
	_ player.Witness    = (*Host)(nil)
	_ player.Meter      = (*Host)(nil)
)
