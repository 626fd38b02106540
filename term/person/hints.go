package person

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kibitz/analysis"
	"kibitz/clock"
	"kibitz/game"
	"kibitz/internal/plain"
	"kibitz/player"
	"kibitz/rules"
)

const (
	// hintTime is how long the adviser may think.
	hintTime = 2 * time.Second
	// hintLongest is how long it may think where it named nothing in less, as on a busy machine.
	hintLongest = 4 * hintTime
	// hintPatience is how long a person waits for a list, which a hall may think about several times.
	hintPatience = 20 * time.Second
)

// hints understands hint, and hint 5 for that many moves.
func hints(text string) (n int, ok bool) {
	words := strings.Fields(strings.ToLower(text))
	switch {
	case len(words) == 0 || words[0] != "hint" || len(words) > 2:
		return 0, false
	case len(words) == 1:
		return 1, true
	}
	n, err := strconv.Atoi(words[1])
	return n, err == nil && n > 0
}

// hint says what the adviser would play, or what the n best moves are worth.
func (h *Person) hint(ctx context.Context, p *player.Prompt, n int) {
	var err error
	if s, ok := h.adviser.(player.Suggester); ok && n == 1 {
		err = h.suggest(ctx, p, s)
	} else if a, ok := h.adviser.(player.Analyst); ok {
		err = h.best(ctx, a, n)
	} else {
		fmt.Fprintln(h.paint.W, "there is nobody to ask for a hint")
	}
	if err != nil {
		fmt.Fprintf(h.paint.W, "no hint: %v\n", err)
	}
}

func (h *Person) suggest(ctx context.Context, p *player.Prompt, s player.Suggester) error {
	ask := *p
	ask.Clocks[p.Seat] = clock.New(clock.Control{Turn: hintTime})
	ask.Deadline, ask.Sent, ask.Report = h.now().Add(hintTime), nil, nil
	a, err := s.Suggest(ctx, &ask)
	if err == nil {
		fmt.Fprintf(h.paint.W, "hint: %s\n", rules.FormatTurn(h.rules, a.Steps))
	}
	return err
}

// best lists the n best moves, the best first, with what the adviser said of each last.
func (h *Person) best(ctx context.Context, a player.Analyst, n int) error {
	ctx, cancel := context.WithTimeout(ctx, hintPatience)
	defer cancel()
	list, err := analysis.Compare(ctx, a, n, hintTime, hintLongest)
	if err != nil {
		return err
	}
	for i := range list {
		in := &list[i]
		fmt.Fprintf(h.paint.W, "%3d. %-8s %s\n", i+1, plain.Eval(in.Eval), rules.FormatLine(h.rules, in.PV))
	}
	return nil
}

// Decide asks where the opponent is to play, who has proposed a move and leaves it to the person:
// an empty line takes the proposal.
func (h *Person) Decide(ctx context.Context, p *player.Prompt, proposed game.Move) game.Move {
	typed := h.choosing(false)
	h.deciding.Store(true)
	defer h.deciding.Store(false)
	for {
		fmt.Fprintf(h.paint.W, "\n%s suggests %s. Enter plays it; or type where it shall play> ", h.who(p.Seat), h.rules.FormatMove(proposed))
		select {
		case text, ok := <-typed:
			if text = strings.TrimSpace(text); !ok || text == "" {
				return proposed
			}
			if a, ok := deed(text); ok {
				h.act(a)
			} else if m, done := h.read(p, text); done {
				return m
			}
		case <-h.stop:
			return proposed
		case <-ctx.Done():
			return proposed
		}
	}
}
