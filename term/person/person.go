// Package person is a player who sits at a terminal.
package person

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/bell"
	"kibitz/internal/plain"
	"kibitz/player"
	"kibitz/rules"
	"kibitz/term"
	"kibitz/term/board"
)

// Person is a person at a terminal.
type Person struct {
	in    *term.Lines
	paint board.Painter
	rules rules.Rules
	now   func() time.Time
	seat  game.Seat
	names [2]string
	stop  chan struct{}
	live  bool // Desk.Live
	typed chan string
	mu    sync.Mutex
	desk  player.Desk
	end   chan struct{} // closed when the game ends
	// deciding tells that a Decide waits.
	deciding atomic.Bool
	// thinking tells that a Choose waits, asked is the latest question of the opponent's.
	thinking bool
	asked    int
	// shared tells that the opponent sits at the same terminal: everything is
	// said once, and the board is shown to whoever is to move.
	shared bool
	// latest is what the seat saw last.
	latest *game.View
	// adviser is told what the person is told and asked for hints; nil where there are none.
	adviser player.Player
	// rest is what was typed of the running turn behind its first move.
	rest []string
}

// Desk is where people sit: the terminal that they share.
type Desk struct {
	In     *term.Lines
	Out    io.Writer
	Colour bool
	// Live tells that lines are read while the opponent thinks too: a person types them.
	// Those of a file each wait for the question that they answer.
	Live bool
	Now  func() time.Time
	// Unicode tells that stones are drawn as discs.
	Unicode bool
	// Adviser is asked for hints, if not nil. It belongs to the person, but for its Close.
	Adviser player.Player
}

// New returns a person who plays a game at a terminal. Shared tells that the opponent sits
// there too.
func New(d Desk, r rules.Rules, shared bool) *Person {
	out := &oneByOne{w: d.Out}
	return &Person{
		in: d.In, paint: board.Painter{W: out, Colour: d.Colour, Unicode: d.Unicode}, rules: r, now: d.Now, live: d.Live,
		shared: shared, stop: make(chan struct{}, 1), adviser: d.Adviser,
	}
}

// oneByOne lets one goroutine write at a time.
type oneByOne struct {
	mu sync.Mutex
	w  io.Writer
}

func (o *oneByOne) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.w.Write(p)
}

var (
	_ player.Player  = (*Person)(nil)
	_ player.Actor   = (*Person)(nil)
	_ player.Decider = (*Person)(nil)
)

// IsPerson implements player.Person.
func (*Person) IsPerson() {}

// typedAhead is how many lines are kept that were typed before a move was asked for.
const typedAhead = 100

// NewGame greets and shows the board.
func (h *Person) NewGame(ctx context.Context, s *player.Setup) error {
	h.seat, h.names, h.rest = s.Seat, s.Names, nil
	if h.adviser != nil {
		if err := h.adviser.NewGame(ctx, s); err != nil {
			return err
		}
	}
	h.see(s.View)
	if h.shared {
		if h.seat == game.First {
			fmt.Fprintf(h.paint.W, "\n%s: %s against %s, both at this terminal. Type a move, or help.\n", s.Spec, s.Names[0], s.Names[1])
		}
		return nil
	}
	fmt.Fprintf(h.paint.W, "\n%s: %s against %s. You play %s.", s.Spec, s.Names[0], s.Names[1], h.role(s.Colours))
	fmt.Fprintf(h.paint.W, " Type a move, or help.\n%s\n\n", h.legend())
	h.show()
	return nil
}

// legend says what stands on the board.
func (h *Person) legend() string {
	list := []string{}
	for _, c := range h.rules.Doc().Pieces {
		list = append(list, h.paint.Piece(c.Word)+" "+c.Meaning)
	}
	return "On the board: " + strings.Join(append(list, "in brackets the latest move"), ", ") + "."
}

func (h *Person) role(colours [2]game.Colour) string {
	if c := colours[h.seat]; c != game.NoColour {
		return c.String() + ", " + h.seat.String()
	}
	return h.seat.String()
}

// CanStart tells that a person can begin anywhere.
func (h *Person) CanStart(game.Spec) player.Start { return player.FromPosition }

// see keeps what the seat may see now.
func (h *Person) see(v player.Viewer) {
	if v != nil {
		view := v.View()
		h.latest = &view
	}
}

func (h *Person) show() {
	if h.latest == nil {
		return
	}
	h.paint.Draw(h.latest)
	if h.latest.HasScore {
		fmt.Fprintf(h.paint.W, "  %s\n", plain.Score(h.latest.Score))
	}
}

// Tell shows what happened.
func (h *Person) Tell(u *player.Update) {
	if h.adviser != nil {
		h.adviser.Tell(u)
	}
	if u.By != h.seat || u.Ended || u.Rewind > 0 {
		h.rest = nil
	}
	h.see(u.View)
	if h.shared && u.By != h.seat {
		return
	}
	if u.Rewind > 0 {
		h.forget()
		fmt.Fprintf(h.paint.W, "\n%s taken back.\n", plain.Count(u.Rewind, "decision"))
	}
	if u.Rewind == 0 {
		for _, m := range u.Steps {
			h.decision(m, u.By, u.Forced)
		}
		for _, n := range u.Notices {
			h.notice(n)
		}
	}
	if !h.shared {
		h.show()
	}
}

// forget drops the moves that were typed for a position that is no more.
func (h *Person) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.typed) > 0 {
		<-h.typed
	}
}

// decision prints one decision, or what chance added to it.
func (h *Person) decision(m game.Move, by game.Seat, forced bool) {
	text := h.rules.FormatMove(m)
	if forced {
		text += " (forced)"
	}
	if m.Op == game.Deal {
		fmt.Fprintf(h.paint.W, "turned over: %s\n", text)
		return
	}
	fmt.Fprintf(h.paint.W, "\n%s: %s\n", h.who(by), text)
}

// who names a seat as this person sees it.
func (h *Person) who(by game.Seat) string {
	if by == h.seat && !h.shared {
		return "You"
	}
	return h.names[by]
}

func (h *Person) notice(n game.Notice) {
	if h.shared && n.By != h.seat || !n.By.IsPlayer() {
		return
	}
	who := h.who(n.By)
	var points []string
	for _, p := range n.Points {
		points = append(points, h.point(p))
	}
	at := strings.Join(points, " ")
	switch n.Kind {
	case game.Moved:
		fmt.Fprintf(h.paint.W, "\n%s moved.\n", who)
	case game.Refused:
		fmt.Fprintf(h.paint.W, "\n%s is not possible; try another point.\n", h.rules.FormatMove(n.Move))
	case game.Took:
		fmt.Fprintf(h.paint.W, "%s captured %s\n", who, at)
	case game.Lost:
		fmt.Fprintf(h.paint.W, "captured: %s\n", at)
	case game.Scored:
		fmt.Fprintf(h.paint.W, "%s scored %d\n", who, n.Count)
	}
}

// point names a point as the edges of the board do: not in every game is a point a
// move.
func (h *Person) point(p game.Point) string {
	if h.latest == nil {
		return h.rules.FormatMove(game.PlaceAt(p))
	}
	return h.paint.Label(h.latest, p)
}

// choosing marks that a Choose waits, or not any more.
func (h *Person) choosing(on bool) (typed <-chan string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.thinking = on
	select {
	case <-h.stop:
	default:
	}
	if h.typed != nil {
		return h.typed
	}
	return h.in.Next()
}

// Choose reads a move from the terminal.
func (h *Person) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	var expired <-chan time.Time
	if !p.Deadline.IsZero() {
		t := time.NewTimer(p.Deadline.Sub(h.now()))
		defer t.Stop()
		expired = t.C
	}
	if h.shared {
		fmt.Fprintln(h.paint.W)
		h.show()
	}
	typed := h.choosing(true)
	defer h.choosing(false)
	if m, ok := h.next(p); ok {
		return player.Answer{Steps: []game.Move{m}}, nil
	}
	var acted <-chan bool // while an act waits to be answered no further line is read
	for {
		lines := typed
		if acted == nil {
			h.prompt(p)
		} else {
			lines = nil
		}
		select {
		case text, ok := <-lines:
			if !ok {
				fmt.Fprintln(h.paint.W)
				return player.Answer{Steps: []game.Move{game.ResignMove()}}, nil
			}
			if a, ok := deed(text); ok {
				acted = h.act(a)
			} else if n, ok := hints(text); ok {
				h.hint(ctx, p, n)
			} else if m, done := h.read(p, strings.TrimSpace(text)); done {
				return player.Answer{Steps: []game.Move{m}, Raw: text}, nil
			}
		case stops := <-acted:
			if acted = nil; stops {
				acted = make(chan bool) // the stop comes
			}
		case <-expired:
			return player.Answer{}, player.Fail(game.ByTime, os.ErrDeadlineExceeded, "no move in time")
		case <-h.stop:
			return player.Answer{}, player.Fail(game.ByAbort, nil, "stopped")
		case <-ctx.Done():
			return player.Answer{}, player.Fail(game.ByAbort, ctx.Err(), "stopped")
		}
	}
}

func (h *Person) prompt(p *player.Prompt) {
	left := ""
	if r := p.Clocks[p.Seat].Remaining(); r != clock.Unlimited {
		left = fmt.Sprintf(" [%s]", r.Round(time.Second))
	}
	phase := ""
	switch p.Turn.Phase {
	case "", "move":
	case "shift":
		phase = " (from and to)"
	case "shoot":
		phase = " (arrow)"
	default:
		phase = " (" + p.Turn.Phase + ")"
	}
	whose := "your"
	if h.shared {
		whose = h.names[h.seat] + ", your"
	}
	fmt.Fprintf(h.paint.W, "%s move%s%s> ", whose, phase, left)
}

// read understands one line: a move, or a word for the terminal.
func (h *Person) read(p *player.Prompt, text string) (game.Move, bool) {
	legal := p.Moves.Legal(nil)
	switch strings.ToLower(text) {
	case "":
		return game.Move{}, false
	case "moves":
		var all []string
		for _, m := range legal {
			all = append(all, h.rules.FormatMove(m))
		}
		fmt.Fprintln(h.paint.W, strings.Join(all, " "))
		return game.Move{}, false
	case "help", "?":
		example := "pass"
		if len(legal) > 0 {
			example = h.rules.FormatMove(legal[0])
		}
		fmt.Fprintf(h.paint.W, "%s\nA letter and a number name a point: the edges show them.\n", h.legend())
		for _, row := range [][2]string{
			{example, "a move; a turn of several can be one line: d1-d7-g7, k10 l11"},
			{"moves", "all moves that are legal"},
			{"hint", "what the engine would play; hint 5: the five best moves and what they are worth"},
			{"undo", "take back your last move; undo 4: all but four"},
			{"draw, abort", "ask the opponent; accept, decline and withdraw answer"},
			{"resign", "give up"},
		} {
			fmt.Fprintf(h.paint.W, "  %-12s %s\n", row[0], row[1])
		}
		return game.Move{}, false
	}
	text = shot.ReplaceAllString(text, "$1 /$2")
	h.rest = []string{text}
	if _, err := h.rules.ParseMove(text); err != nil {
		if parts := turns.FindAllString(text, -1); len(parts) > 1 {
			h.rest = parts
		}
	}
	return h.next(p)
}

// shot finds a move and the point behind it, as GTP and records write a turn of Amazons.
var shot = regexp.MustCompile(`^(\w+-\w+)[-(, ]+(\w+)\)?$`)

// turns finds the moves in a line that holds a whole turn: d1-d7/g7, k10,l11.
var turns = regexp.MustCompile(`/?[^\s,;/]+`)

// next takes the next move of what was typed; what cannot be played, and what
// is behind it, is dropped and said.
func (h *Person) next(p *player.Prompt) (game.Move, bool) {
	if len(h.rest) == 0 {
		return game.Move{}, false
	}
	text := h.rest[0]
	h.rest = h.rest[1:]
	m, err := h.rules.ParseMove(text)
	if err == nil && !slices.Contains(p.Moves.Legal(nil), m) {
		err = fmt.Errorf("%s is not legal here; moves lists what is", h.rules.FormatMove(m))
	}
	if err != nil {
		h.rest = nil
		fmt.Fprintf(h.paint.W, "%v\n", err)
		return game.Move{}, false
	}
	return m, true
}

// Stop gives up waiting.
func (h *Person) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.thinking && !h.deciding.Load() {
		return
	}
	bell.Ring(h.stop)
}

// Over tells the outcome.
func (h *Person) Over(r game.Result) {
	if h.adviser != nil {
		h.adviser.Over(r)
	}
	if h.shared && h.seat != game.First {
		return
	}
	switch {
	case h.shared && r.Winner().IsPlayer():
		fmt.Fprintf(h.paint.W, "\n%s won", h.names[r.Winner()])
	case r.Winner() == h.seat:
		fmt.Fprint(h.paint.W, "\nYou won")
	case r.Winner() == h.seat.Other():
		fmt.Fprint(h.paint.W, "\nYou lost")
	case r.Draw():
		fmt.Fprint(h.paint.W, "\nA draw")
	default:
		fmt.Fprint(h.paint.W, "\nNo result")
	}
	if r.HasBoard {
		fmt.Fprintf(h.paint.W, ", %s", plain.Score(r.Board))
	}
	fmt.Fprintf(h.paint.W, " (%s)\n", r.Reason)
}

// Close has nothing to release: the terminal belongs to the program.
func (h *Person) Close() error { return nil }
