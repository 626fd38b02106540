package piskvork

import (
	"errors"
	"hash/fnv"
	"os"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// chooseSwap2 asks for a whole turn of the opening. An engine that rejects lines
// of two numbers is asked again with the colour as a third; one that does not know
// the command at all is helped by swapPolicy.
func (h *Host) chooseSwap2(p *player.Prompt, n int) (player.Answer, error) {
	if h.Conn() == nil {
		if err := h.relaunch(p); err != nil {
			return player.Answer{}, err
		}
	}
	for h.opt.swap2 != "manager" && !h.noSwap2 {
		a, complaint, err := h.askSwap2(p, n)
		if err != nil || complaint == OK {
			return a, err
		}
		switch {
		case h.fields == 0 && n > 0 && complaint == Error:
			h.fields = 3
			h.cfg.Warnf("%s rejects SWAP2BOARD lines x,y: trying x,y,colour (dialect.swap2fields=3)", h.cfg.Name)
		case h.opt.swap2 == "protocol":
			return a, player.Fail(game.ByProtocol, nil, "the engine does not understand SWAP2BOARD with %d stones", n)
		default:
			h.noSwap2 = true
			h.cfg.Warnf("%s does not understand SWAP2BOARD: deciding for it (dialect.swap2=manager)", h.cfg.Name)
		}
	}
	return h.swapPolicy(p, n)
}

// askSwap2 asks once. The kind is OK with an answer, else the Unknown or Error that
// came instead.
func (h *Host) askSwap2(p *player.Prompt, n int) (a player.Answer, kind ReplyKind, err error) {
	b := AppendVerb(h.info.turn(h.buf[:0], p), Swap2Board)
	for i, at := range h.past.stones[:n] {
		field := 0
		if h.fields == 3 {
			field = 1 + i%2
		}
		b = AppendStone(b, at, field)
	}
	h.buf = AppendVerb(b, Done)
	h.view, h.board, h.dirty = h.view[:0], true, false
	start := h.cfg.Now()
	if err := h.write(h.buf); err != nil {
		return a, Other, h.Failed(err, protocol.Late(p), "sending SWAP2BOARD")
	}
	return h.awaitSwap2(p, n, start)
}

func (h *Host) awaitSwap2(p *player.Prompt, n int, start time.Time) (a player.Answer, kind ReplyKind, err error) {
	a.Measured = true
	w := wait{h: h, limit: p.Deadline, deadline: p.Deadline}
	kind = OK
	for {
		line, err := w.read()
		if err != nil {
			if kind != OK && errors.Is(err, os.ErrDeadlineExceeded) && (p.Deadline.IsZero() || h.cfg.Now().Before(p.Deadline)) {
				h.dirty = true
				return a, kind, nil
			}
			return a, kind, w.vain(w.failed(err, p))
		}
		r := ParseReply(line)
		switch {
		case r.Kind == Swap, r.Kind == Coords:
			steps, ok := swapSteps(h.steps[:0], &r, n)
			if !ok && kind != OK {
				return a, kind, nil
			}
			if !ok {
				return a, kind, player.Fail(game.ByProtocol, nil, "SWAP2BOARD with %d stones was answered by %q: %s", n, clip(line), swapDue(n))
			}
			a.Used = h.cfg.Now().Sub(start)
			a.Steps, a.Raw = steps, string(line)
			return a, OK, nil
		case (r.Kind == Error || r.Kind == Unknown) && aboutInfo(r.Text):
		case r.Kind == Error:
			kind = Error
			w.limit = protocol.Earlier(w.deadline, h.cfg.Now().Add(errorGrace))
		case r.Kind == Unknown: // one for each line
			kind = Unknown
			w.limit = protocol.Earlier(w.deadline, h.cfg.Now().Add(quiet))
		default:
			if err := w.other(&r, line, p, &a.Info); err != nil {
				return a, kind, err
			}
		}
	}
}

// vain names the help for an engine that is silent on SWAP2BOARD, and gives it to that
// engine from the next game on.
func (w *wait) vain(err error) error {
	h := w.h
	var f *player.Failure
	if errors.As(err, &f) && errors.Is(err, os.ErrDeadlineExceeded) && h.Silent() && h.opt.swap2 == "auto" {
		h.mute = true
		f.Detail += "; does it not know SWAP2BOARD? dialect.swap2=manager decides for it, as this run does from its next game on"
	}
	return err
}

// swapDue says what may answer SWAP2BOARD with so many stones.
func swapDue(n int) string {
	switch n {
	case 0:
		return "three points were due on one line: x,y x,y x,y"
	case 3:
		return "SWAP, one point or two points on one line were due: x,y x,y"
	}
	return "SWAP or one point was due"
}

// swapSteps appends an answer as decisions; ok is false if the number of points
// fits no choice.
func swapSteps(steps []game.Move, r *Reply, n int) (list []game.Move, ok bool) {
	switch {
	case r.Kind == Swap:
		return append(steps, game.ChooseArg(game.Swap2Swap)), n > 0
	case n == 0:
		ok = r.N == 3
	case r.N == 1:
		steps, ok = append(steps, game.ChooseArg(game.Swap2Stay)), true
	case r.N == 2 && n == 3:
		steps, ok = append(steps, game.ChooseArg(game.Swap2More)), true
	}
	for i := range min(r.N, MaxCoords) {
		if len(steps) < cap(steps) {
			steps = append(steps, game.PlaceAt(r.Points[i]))
		}
	}
	return steps, ok
}

// swapOpenings are the proposals for engines that cannot make one, as offsets
// from the centre: black, white, black, most of them far from each other, so that
// neither colour is clearly ahead. The first fits the smallest board.
var swapOpenings = [...][3][2]int{
	{{0, 0}, {1, 0}, {-1, 1}},
	{{-6, -6}, {-4, -6}, {-6, -3}},
	{{6, -6}, {5, -3}, {3, -6}},
	{{-6, 6}, {-2, 5}, {-5, 2}},
	{{6, 6}, {3, 5}, {6, 2}},
	{{0, -6}, {2, -5}, {-3, -6}},
}

// swapPolicy decides for an engine that cannot: it proposes one of a few fixed
// openings, picked by the name of the game; it lets the engine play white's next
// stone and takes black instead if the engine's own evaluation of that is below
// zero. An engine that reports no evaluation stays white.
func (h *Host) swapPolicy(p *player.Prompt, n int) (player.Answer, error) {
	if n == 0 {
		return player.Answer{Steps: proposal(h.steps[:0], h.id, h.width, h.height), Measured: true}, nil
	}
	if len(h.view) > 0 {
		h.dirty = true
	}
	a, err := h.choose(p)
	if err != nil || a.Unread != "" {
		return a, err
	}
	stone := a.Steps[0]
	a.Steps = append(h.steps[:0], game.ChooseArg(game.Swap2Stay), stone)
	if e := a.Info.Eval; e.Known() && e.Mid() < 0 {
		a.Steps = append(h.steps[:0], game.ChooseArg(game.Swap2Swap))
		h.dirty = true
	}
	return a, nil
}

// proposal appends the opening for a game of that name, the first where another does
// not fit.
func proposal(dst []game.Move, id string, width, height int) []game.Move {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(id))
	for _, pick := range []uint32{hash.Sum32() % uint32(len(swapOpenings)), 0} {
		steps := dst
		for _, d := range swapOpenings[pick] {
			if at := game.Pt(width/2+d[0], height/2+d[1]); at.On(width, height) {
				steps = append(steps, game.PlaceAt(at))
			}
		}
		if len(steps) == len(dst)+len(swapOpenings[pick]) {
			return steps
		}
	}
	return nil
}
