package piskvork

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// noDeadline: how long a manager waits beyond the clocks is not known here.
var noDeadline time.Time

// collect takes one line of BOARD, SWAP2BOARD or YXBOARD.
func (b *brain) collect(ctx context.Context, c *Command) {
	const most = 127*127 + 1
	switch {
	case c.Verb == Done:
		verb := b.collecting
		b.collecting = NoVerb
		b.boardDone(ctx, verb)
	case c.Verb != StoneLine || c.Bad:
		b.boardErr = fmt.Sprintf("%q is no line of %s", clip(c.Word), b.collecting)
	case len(b.board) < most:
		b.board = append(b.board, *c)
	}
}

func (b *brain) boardDone(ctx context.Context, verb Verb) {
	if b.boardErr != "" {
		b.errorf("%s", b.boardErr)
		return
	}
	if b.said.refused != "" || !b.started {
		b.fit() // reports why
		return
	}
	if verb == Swap2Board {
		b.swapBoard(ctx)
		return
	}
	stones, err := order(b.board, b.said.rule == "renju")
	switch {
	case errors.Is(err, errUnequal), slices.ContainsFunc(b.board, isPassLine):
		err = b.putDown(b.board, err)
	case err == nil && !b.goOn(stones):
		err = b.setUp(stones)
	}
	if err != nil {
		b.errorf("%v", err)
		return
	}
	if verb == Board {
		b.think(ctx, b.choose)
	}
}

// goOn plays what a BOARD adds to the position that the brain has, so that its
// player keeps what it knows. It reports false if the position is another one. In
// the swap2 opening the number of stones tells what the opponent has chosen.
func (b *brain) goOn(stones []game.Point) bool {
	n := len(b.stones)
	if n == 0 || n > len(stones) || !slices.Equal(b.stones, stones[:n]) {
		return false
	}
	swap2 := b.spec == b.wanted(true)
	if !swap2 && b.spec != b.wanted(false) {
		return false
	}
	if swap2 && b.sess.Position.Turn().Phase == "choose" {
		choice := game.Swap2Swap
		if len(stones) > n {
			choice = game.Swap2Stay
		}
		if b.sess.Play(game.ChooseArg(choice)) != nil {
			return false
		}
	}
	for _, p := range stones[n:] {
		if b.put(p) != nil {
			return false
		}
	}
	return true
}

// setUp plays stones on an empty board.
func (b *brain) setUp(stones []game.Point) error {
	if err := b.newGame(false); err != nil {
		return err
	}
	for i, p := range stones {
		if err := b.put(p); err != nil {
			return fmt.Errorf("stone %d: %w", i+1, err)
		}
	}
	return nil
}

// errUnequal is the error of stones that no game has in which it is this side's turn.
var errUnequal = errors.New("it cannot be this side's turn")

// putDown begins from stones that were put down, not played, or between which somebody has
// passed. The brain is to move, as black unless the opponent has more stones; in renju as
// the side of the first stone. otherwise is the error where the game knows no such positions.
func (b *brain) putDown(lines []Command, otherwise error) error {
	balance := 0
	for i := range lines {
		balance += map[int]int{OwnStone: 1, TheirStone: -1}[lines[i].Field]
	}
	me := game.First
	if balance < 0 {
		me = game.Second
	}
	if b.said.rule == "renju" && len(lines) > 0 {
		me = map[int]game.Seat{OwnStone: game.First, TheirStone: game.Second}[lines[0].Field]
	}
	lines = slices.DeleteFunc(slices.Clone(lines), isPassLine)
	stones := make([]game.Point, 0, len(lines))
	owners := map[game.Point]game.Seat{}
	for i := range lines {
		c := &lines[i]
		_, twice := owners[c.At]
		if !c.At.On(b.width, b.height) || twice {
			return fmt.Errorf("%d,%d is occupied or outside the board", c.At.X, c.At.Y)
		}
		owners[c.At] = me
		if c.Field == TheirStone {
			owners[c.At] = me.Other()
		}
		stones = append(stones, c.At)
	}
	if err := b.newGame(false); err != nil {
		return err
	}
	err := b.arrange(stones, owners, me)
	if errors.Is(err, player.ErrUnsupported) {
		return otherwise
	}
	return err
}

// isPassLine reports whether a line of BOARD tells of a pass, as some managers do.
func isPassLine(c Command) bool { return c.At == game.NoPoint }

// arrange begins the game in force from stones and a seat on turn.
func (b *brain) arrange(stones []game.Point, owners map[game.Point]game.Seat, toMove game.Seat) error {
	owner := func(p game.Point) game.Seat {
		if s, ok := owners[p]; ok {
			return s
		}
		return game.Nobody
	}
	if err := b.sess.Arrange(owner, toMove); err != nil {
		return err
	}
	b.stones = append(b.stones[:0], stones...)
	return nil
}

// owners tells whose the stones are that lie on the board.
func (b *brain) owners() map[game.Point]game.Seat {
	v := b.sess.Position.View(game.Public)
	owners := map[game.Point]game.Seat{}
	for _, p := range b.stones {
		owners[p] = v.At(p).Owner
	}
	return owners
}

// order returns stones in an order in which they can have been played. Lines that
// alternate, ending with the opponent's, are taken as they come, dead stones
// included; others, from managers that do not keep the order, are woven from the
// stones of both sides. In renju, where colours matter, the first line is black's, so that
// others come of passes.
func order(lines []Command, renju bool) ([]game.Point, error) {
	n := len(lines)
	var own, theirs, all []game.Point
	alternate := true
	for i := range lines {
		c := &lines[i]
		all = append(all, c.At)
		due := TheirStone
		if (n-i)%2 == 0 {
			due = OwnStone
		}
		switch c.Field {
		case OwnStone:
			own = append(own, c.At)
		case TheirStone:
			theirs = append(theirs, c.At)
		case DeadStone:
			continue
		default:
			return nil, fmt.Errorf("the third number of a line of BOARD must be 1, 2 or 3, not %d", c.Field)
		}
		alternate = alternate && c.Field == due
	}
	if alternate {
		return all, nil
	}
	if len(own)+len(theirs) != n {
		return nil, fmt.Errorf("a board with dead stones must come in the order of play")
	}
	first, second := own, theirs
	if len(theirs) > len(own) {
		first, second = theirs, own
	}
	if renju && first[0] != lines[0].At {
		return nil, fmt.Errorf("the first of %d stones is not black's: %w", n, errUnequal)
	}
	if d := len(theirs) - len(own); d != 0 && d != 1 {
		return nil, fmt.Errorf("%d own and %d opposing stones: %w", len(own), len(theirs), errUnequal)
	}
	all = all[:0]
	for i, p := range first {
		all = append(all, p)
		if i < len(second) {
			all = append(all, second[i])
		}
	}
	return all, nil
}

// swapBoard sets the opening up and asks for the decision that is due.
func (b *brain) swapBoard(ctx context.Context) {
	n := len(b.board)
	if n != 0 && n != 3 && n != 5 {
		b.errorf("SWAP2BOARD takes 0, 3 or 5 stones, not %d", n)
		return
	}
	done := 0
	if n == 5 && b.spec == b.wanted(true) && len(b.stones) == 3 &&
		b.stones[0] == b.board[0].At && b.stones[1] == b.board[1].At && b.stones[2] == b.board[2].At {
		done = 3 // its own proposal
	} else if err := b.newGame(true); err != nil {
		b.srv.Logf("swap2: %v", err)
		b.say("UNKNOWN command SWAP2BOARD")
		return
	}
	for i := done; i < n; i++ {
		if i == 3 {
			if err := b.sess.Play(game.ChooseArg(game.Swap2More)); err != nil {
				b.errorf("%v", err)
				return
			}
		}
		if err := b.put(b.board[i].At); err != nil {
			b.errorf("stone %d: %v", i+1, err)
			return
		}
	}
	b.think(ctx, b.swap)
}

// appendRemark appends what a search says about itself as a MESSAGE, if it says
// anything.
func appendRemark(dst []byte, info *game.Info) []byte {
	mark := len(dst)
	dst = append(dst, "MESSAGE"...)
	empty := len(dst)
	if info.Depth > 0 {
		dst = append(dst, " depth "...)
		dst = strconv.AppendInt(dst, int64(info.Depth), 10)
		if info.SelDepth > 0 {
			dst = append(dst, '-')
			dst = strconv.AppendInt(dst, int64(info.SelDepth), 10)
		}
	}
	if text := evalText(info.Eval); text != "" {
		dst = append(dst, " ev "...)
		dst = append(dst, text...)
	}
	if info.Nodes > 0 {
		dst = append(dst, " nodes "...)
		dst = strconv.AppendInt(dst, info.Nodes, 10)
	}
	if len(dst) == empty {
		return dst[:mark]
	}
	if info.Time > 0 {
		dst = append(dst, " time "...)
		dst = strconv.AppendInt(dst, info.Time.Milliseconds(), 10)
		dst = append(dst, "ms"...)
	}
	return append(dst, eol...)
}

// evalText writes an evaluation as brains do, empty for units they do not have.
func evalText(e game.Eval) string {
	if !e.Known() {
		return ""
	}
	n := int64(e.Mid())
	switch e.Unit {
	case game.Points:
		return strconv.FormatInt(n, 10)
	case game.MateIn:
		if n < 0 {
			return "-M" + strconv.FormatInt(-n, 10)
		}
		return "+M" + strconv.FormatInt(n, 10)
	}
	return ""
}

// appendDetail appends a block of INFO lines as the Yixin dialect has them.
func appendDetail(dst []byte, info *game.Info, lines int) []byte {
	line := func(key string, n int64) {
		dst = AppendInfoInt(dst, key, n)
	}
	line("PV", int64(max(0, info.Rank-1)))
	line("NUMPV", int64(lines))
	line("DEPTH", int64(info.Depth))
	line("SELDEPTH", int64(max(info.Depth, info.SelDepth)))
	line("NODES", info.Nodes)
	line("TOTALNODES", info.Nodes)
	line("TOTALTIME", info.Time.Milliseconds())
	if info.Time > 0 {
		line("SPEED", int64(float64(info.Nodes)/info.Time.Seconds()))
	}
	if text := evalText(info.Eval); text != "" {
		dst = AppendInfo(dst, "EVAL", text)
	}
	if info.Eval.Unit == game.WinChance {
		dst = AppendInfo(dst, "WINRATE", strconv.FormatFloat(info.Eval.Mid(), 'f', 6, 64))
	}
	if len(info.PV) > 0 {
		dst = append(dst, "INFO BESTLINE"...)
		for _, m := range info.PV {
			if m.Op == game.Place {
				dst = append(dst, ' ')
				dst = AppendPoint(dst, m.To)
			}
		}
		dst = append(dst, eol...)
	}
	return AppendInfo(dst, "PV", "DONE")
}
