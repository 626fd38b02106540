package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
	"kibitz/rules"
)

// lines reads a terminal line by line, so that waiting for a person can be given
// up. One reader serves all seats of a program.
type lines struct {
	once sync.Once
	r    io.Reader
	ch   chan string
}

func (l *lines) next() <-chan string {
	l.once.Do(func() {
		l.ch = make(chan string)
		go func() {
			defer close(l.ch)
			sc := bufio.NewScanner(l.r)
			for sc.Scan() {
				l.ch <- sc.Text()
			}
		}()
	})
	return l.ch
}

// human is a person at this terminal.
type human struct {
	in    *lines
	paint painter
	rules rules.Rules
	now   func() time.Time
	seat  game.Seat
	names [2]string
	stop  chan struct{}
	hear  func(player.Interjection)
	// shared tells that the opponent sits at the same terminal: everything is
	// said once, and the board is shown to whoever is to move.
	shared bool
	// latest is what the seat saw last.
	latest *game.View
}

func newHuman(a *app, r rules.Rules) *human {
	return &human{in: a.terminal, paint: newPainter(a.stdout).of(r.Spec()), rules: r, now: a.now, stop: make(chan struct{}, 1)}
}

var (
	_ player.Player      = (*human)(nil)
	_ player.Interjector = (*human)(nil)
)

// IsPerson implements player.Person.
func (*human) IsPerson() {}

// Listen sets who hears a wish to take back a move.
func (h *human) Listen(hear func(player.Interjection)) { h.hear = hear }

// NewGame greets and shows the board.
func (h *human) NewGame(_ context.Context, s *player.Setup) error {
	select {
	case <-h.stop:
	default:
	}
	h.seat, h.names = s.Seat, s.Names
	h.see(s.View)
	if h.shared {
		if h.seat == game.First {
			fmt.Fprintf(h.paint.w, "\n%s: %s against %s, both at this terminal. Type a move, or help.\n", s.Spec, s.Names[0], s.Names[1])
		}
		return nil
	}
	fmt.Fprintf(h.paint.w, "\n%s: %s against %s. You play %s.", s.Spec, s.Names[0], s.Names[1], h.role(s.Colours))
	fmt.Fprintf(h.paint.w, " Type a move, or help.\n\n")
	h.show()
	return nil
}

func (h *human) role(colours [2]game.Colour) string {
	if c := colours[h.seat]; c != game.NoColour {
		return c.String() + ", " + h.seat.String()
	}
	return h.seat.String()
}

// CanStart tells that a person can begin anywhere.
func (h *human) CanStart(game.Spec) player.Start { return player.FromPosition }

// see keeps what the seat may see now.
func (h *human) see(v player.Viewer) {
	if v != nil {
		view := v.View()
		h.latest = &view
	}
}

func (h *human) show() {
	if h.latest == nil {
		return
	}
	h.paint.board(h.latest)
	if h.latest.HasScore {
		fmt.Fprintf(h.paint.w, "  %s\n", score(h.latest.Score))
	}
}

// Tell shows what happened.
func (h *human) Tell(u *player.Update) {
	h.see(u.View)
	if h.shared && u.By != h.seat {
		return
	}
	if u.Rewind > 0 {
		fmt.Fprintf(h.paint.w, "\n%s taken back.\n", count(u.Rewind, "decision"))
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

// decision prints one decision, or what chance added to it.
func (h *human) decision(m game.Move, by game.Seat, forced bool) {
	text := h.rules.FormatMove(m)
	if forced {
		text += " (forced)"
	}
	if m.Op == game.Deal {
		fmt.Fprintf(h.paint.w, "turned over: %s\n", text)
		return
	}
	fmt.Fprintf(h.paint.w, "\n%s: %s\n", h.who(by), text)
}

// who names a seat as this person sees it.
func (h *human) who(by game.Seat) string {
	if by == h.seat && !h.shared {
		return "You"
	}
	return h.names[by]
}

func (h *human) notice(n game.Notice) {
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
		fmt.Fprintf(h.paint.w, "\n%s moved.\n", who)
	case game.Refused:
		fmt.Fprintf(h.paint.w, "\n%s is not possible; try another point.\n", h.rules.FormatMove(n.Move))
	case game.Took:
		fmt.Fprintf(h.paint.w, "%s captured %s\n", who, at)
	case game.Lost:
		fmt.Fprintf(h.paint.w, "captured: %s\n", at)
	case game.Scored:
		fmt.Fprintf(h.paint.w, "%s scored %d\n", who, n.Count)
	}
}

// point names a point as the edges of the board do: not in every game is a point a
// move.
func (h *human) point(p game.Point) string {
	if h.latest == nil {
		return h.rules.FormatMove(game.PlaceAt(p))
	}
	return h.paint.label(h.latest, p)
}

// Choose reads a move from the terminal.
func (h *human) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	var expired <-chan time.Time
	if !p.Deadline.IsZero() {
		t := time.NewTimer(p.Deadline.Sub(h.now()))
		defer t.Stop()
		expired = t.C
	}
	if h.shared {
		fmt.Fprintln(h.paint.w)
		h.show()
	}
	for {
		select {
		case <-h.stop:
			return player.Answer{}, player.Fail(game.ByAbort, nil, "stopped")
		default:
		}
		h.prompt(p)
		select {
		case text, ok := <-h.in.next():
			if !ok {
				fmt.Fprintln(h.paint.w)
				return player.Answer{Steps: []game.Move{game.ResignMove()}}, nil
			}
			if m, done := h.read(p, strings.TrimSpace(text)); done {
				return player.Answer{Steps: []game.Move{m}, Raw: text}, nil
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

func (h *human) prompt(p *player.Prompt) {
	left := ""
	if r := p.Clocks[p.Seat].Remaining(); r != clock.Unlimited {
		left = fmt.Sprintf(" [%s]", r.Round(time.Second))
	}
	phase := ""
	if p.Turn.Phase != "" && p.Turn.Phase != "move" {
		phase = " (" + p.Turn.Phase + ")"
	}
	whose := "your"
	if h.shared {
		whose = h.names[h.seat] + ", your"
	}
	fmt.Fprintf(h.paint.w, "%s move%s%s> ", whose, phase, left)
}

// read understands one line: a move, or a word for the terminal.
func (h *human) read(p *player.Prompt, text string) (game.Move, bool) {
	legal := p.Moves.Legal(nil)
	switch strings.ToLower(text) {
	case "":
		return game.Move{}, false
	case "resign", "quit", "exit":
		return game.ResignMove(), true
	case "undo":
		if h.hear != nil {
			h.hear(player.Interjection{Offer: player.OfferUndo})
		}
		return game.Move{}, false
	case "moves":
		var all []string
		for _, m := range legal {
			all = append(all, h.rules.FormatMove(m))
		}
		fmt.Fprintln(h.paint.w, strings.Join(all, " "))
		return game.Move{}, false
	case "help", "?":
		example := "pass"
		if len(legal) > 0 {
			example = h.rules.FormatMove(legal[0])
		}
		fmt.Fprintf(h.paint.w, "type a move such as %s; moves lists all; undo takes back your last move; resign gives up\n", example)
		return game.Move{}, false
	}
	m, err := h.rules.ParseMove(text)
	if err != nil {
		fmt.Fprintf(h.paint.w, "%v\n", err)
		return game.Move{}, false
	}
	if !slices.Contains(legal, m) {
		fmt.Fprintf(h.paint.w, "%s is not legal here; moves lists what is\n", h.rules.FormatMove(m))
		return game.Move{}, false
	}
	return m, true
}

// Stop gives up waiting.
func (h *human) Stop() {
	select {
	case h.stop <- struct{}{}:
	default:
	}
}

// Over tells the outcome.
func (h *human) Over(r game.Result) {
	if h.shared && h.seat != game.First {
		return
	}
	switch {
	case h.shared && r.Winner().IsPlayer():
		fmt.Fprintf(h.paint.w, "\n%s won", h.names[r.Winner()])
	case r.Winner() == h.seat:
		fmt.Fprint(h.paint.w, "\nYou won")
	case r.Winner() == h.seat.Other():
		fmt.Fprint(h.paint.w, "\nYou lost")
	case r.Draw():
		fmt.Fprint(h.paint.w, "\nA draw")
	default:
		fmt.Fprint(h.paint.w, "\nNo result")
	}
	if r.HasBoard {
		fmt.Fprintf(h.paint.w, ", %s", score(r.Board))
	}
	fmt.Fprintf(h.paint.w, " (%s)\n", r.Reason)
}

// Close has nothing to release: the terminal belongs to the program.
func (h *human) Close() error { return nil }
