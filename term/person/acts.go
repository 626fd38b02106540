package person

import (
	"fmt"
	"strconv"
	"strings"

	"kibitz/player"
)

// Attend begins or ends acting beside the moves.
func (h *Person) Attend(d player.Desk) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.end != nil {
		close(h.end)
		h.end = nil
	}
	h.desk, h.asked = d, 0
	if d == nil || !h.live || h.shared {
		h.typed = nil
		return
	}
	h.typed, h.end = make(chan string, typedAhead), make(chan struct{})
	go h.watch(h.typed, h.end)
}

// CanAnswer tells that a person at a terminal of his own can be asked.
func (h *Person) CanAnswer() bool { return h.live && !h.shared }

// Asked shows what the opponent asks.
func (h *Person) Asked(a player.Asks) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, q := range a.List {
		if q.By == h.seat || q.Num <= h.asked {
			continue
		}
		h.asked = q.Num
		what := map[player.Deed]string{
			player.AskDraw: "offers a draw", player.AskAbort: "wants to abort the game",
			player.AskPause: "wants to pause the game", player.AskResume: "wants to go on",
		}[q.What]
		if q.What == player.AskUndo {
			what = fmt.Sprintf("wants to go back to move %d", q.Ply)
		}
		fmt.Fprintf(h.paint.W, "\n%s %s: accept or decline\n", h.names[q.By], what)
	}
}

// watch reads what is typed: what is no move is done at once, all else waits for Choose.
func (h *Person) watch(typed chan<- string, end <-chan struct{}) {
	defer close(typed)
	for {
		select {
		case text, ok := <-h.in.Next():
			if !ok {
				return
			}
			h.mu.Lock()
			thinking := h.thinking
			h.mu.Unlock()
			if act, ok := deed(text); ok && !thinking {
				h.act(act)
				continue
			}
			select {
			case typed <- text:
			case <-end:
				return
			}
		case <-end:
			return
		}
	}
}

// deed understands a line that is no move.
func deed(text string) (player.Act, bool) {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return player.Act{}, false
	}
	a := player.Act{Ply: player.LatestTurn}
	switch words[0] {
	case "resign", "quit", "exit":
		a.Do = player.Resign
	case "undo":
		a.Do = player.AskUndo
		if len(words) == 2 {
			n, err := strconv.Atoi(words[1])
			if err != nil {
				return a, false
			}
			a.Ply, words = max(0, n), words[:1]
		}
	case "draw", "abort", "pause", "resume", "accept", "decline", "withdraw":
		a.Do = player.Deed(words[0])
	default:
		return a, false
	}
	return a, len(words) == 1
}

// act does something beside the moves, and says what came of it. The channel gets
// whether a running Choose is stopped for it.
func (h *Person) act(a player.Act) <-chan bool {
	done := make(chan bool, 1)
	h.mu.Lock()
	desk := h.desk
	h.mu.Unlock()
	if desk == nil {
		done <- false
		return done
	}
	go desk.Act(a, func(r player.Reply) {
		switch r.Effect {
		case player.Refused:
			fmt.Fprintf(h.paint.W, "%s\n", r.Why.Text)
		case player.Asked:
			fmt.Fprintf(h.paint.W, "asked; withdraw takes it back\n")
		case player.Done:
		}
		done <- r.Effect == player.Done && a.Do != player.Decline && a.Do != player.Withdraw
	})
	return done
}
