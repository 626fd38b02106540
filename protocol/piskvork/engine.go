package piskvork

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"kibitz/game"
	"kibitz/link"
	"kibitz/player"
	"kibitz/protocol"
)

// Serve is a brain: it answers a manager on conn until END, the end of the input,
// or the end of ctx. One goroutine reads and one thinks, so that a manager can
// stop a search; what it sends meanwhile, beside YXSTOP, END and INFO, waits for
// the move. The player is left open.
func Serve(ctx context.Context, conn link.Conn, s protocol.Server) error {
	codes, err := ParseRuleCodes(s.Dialect["rules"])
	if err != nil {
		return err
	}
	for key := range s.Dialect {
		if key != "rules" {
			return fmt.Errorf("the engine side of piskvork has no switch dialect.%s: known is rules", key)
		}
	}
	b := &brain{
		conn: conn, srv: s, sess: s.Session(), said: nothingSaid(s, codes),
		lines: make(chan protocol.Heard), quit: make(chan struct{}), done: make(chan thought, 1),
	}
	go protocol.Hear(conn, b.lines, b.quit)
	err = b.loop(ctx)
	b.close()
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// brain is the engine side of one conversation.
type brain struct {
	conn link.Conn
	srv  protocol.Server
	sess player.Session

	lines chan protocol.Heard
	quit  chan struct{}
	done  chan thought
	queue []string

	said said

	width, height int
	started       bool
	spec          game.Spec // what the session plays
	stones        []game.Point
	beyond        int       // how many of them were placed after the end of the game
	own           game.Seat // for which the brain has chosen last, Nobody for none

	collecting Verb
	board      []Command
	boardErr   string

	thinking bool
	stopping bool
	cancel   context.CancelFunc // abandons the search
	halt     context.CancelFunc // ends an analysis in good order, nil for a plain move
	out      []byte
}

// nag is how often a search that was told to stop is told again, in case it had
// not begun yet.
const nag = 10 * time.Millisecond

func (b *brain) loop(ctx context.Context) error {
	ticker := time.NewTicker(nag)
	defer ticker.Stop()
	ticker.Stop()
	ended := false // the manager says no more
	for {
		if !b.thinking && len(b.queue) > 0 {
			text := b.queue[0]
			b.queue = b.queue[1:]
			if b.handle(ctx, text) {
				return nil
			}
			continue
		}
		if ended && (!b.thinking || b.halt != nil) {
			return nil
		}
		select {
		case in := <-b.lines:
			if in.Err != nil {
				if !errors.Is(in.Err, io.EOF) {
					return in.Err
				}
				ended = true // nothing more is asked: what was is answered
				continue
			}
			if b.incoming(ctx, string(in.Text)) {
				return nil
			}
			if b.stopping {
				ticker.Reset(nag)
			}
		case t := <-b.done:
			b.thinking, b.stopping = false, false
			ticker.Stop()
			b.cancel()
			b.endAnalysis()
			b.finish(t)
		case <-ticker.C:
			b.srv.Player.Stop()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// close ends a running search and the reader.
func (b *brain) close() {
	close(b.quit)
	b.conn.Interrupt()
	b.endAnalysis()
	if b.thinking {
		b.cancel()
		b.srv.Player.Stop()
		timer := time.NewTimer(endGrace)
		defer timer.Stop()
		select {
		case <-b.done:
		case <-timer.C:
			return // it does not listen; its player cannot be told anything more
		}
	}
	b.sess.Finish()
}

// maxQueue bounds what a manager may send while the brain thinks.
const maxQueue = 4096

// incoming deals with a line, at once if it may not wait for the end of a search.
// It reports true at END.
func (b *brain) incoming(ctx context.Context, text string) bool {
	if !b.thinking {
		return b.handle(ctx, text)
	}
	c := ParseCommand([]byte(text))
	switch {
	case c.Verb == End:
		return true
	case c.Verb == YxStop:
		b.stop()
	case c.Verb == Info && equalFold(c.Key, "TIMEOUT_TURN"):
		b.info(&c)
		if b.said.turn == 0 {
			b.stop()
		}
	case len(b.queue) < maxQueue:
		b.queue = append(b.queue, text)
	default:
		b.srv.Logf("dropped, too much at once: %s", text)
	}
	return false
}

func (b *brain) endAnalysis() {
	if b.halt != nil {
		b.halt()
		b.halt = nil
	}
}

func (b *brain) stop() {
	b.stopping = true
	b.endAnalysis()
	b.srv.Player.Stop()
}

// handle executes a command while no search runs. It reports true at END.
func (b *brain) handle(ctx context.Context, text string) bool {
	c := ParseCommand([]byte(text))
	if c.Verb == End {
		return true
	}
	if b.collecting != NoVerb {
		b.collect(ctx, &c)
		return false
	}
	switch c.Verb {
	case Start, RectStart:
		b.start(&c)
	case Restart:
		b.restart()
	case Info:
		b.info(&c)
	case About:
		b.say(Identity{Name: cmp.Or(b.srv.Name, "Kibitz"), Version: b.srv.Version, Author: b.srv.Author}.String())
	case Board, Swap2Board, YxBoard:
		b.collecting, b.board, b.boardErr = c.Verb, b.board[:0], ""
	case Begin, Turn, YxNBest:
		b.move(ctx, &c)
	case Play:
		b.play(&c)
	case Takeback:
		b.takeBack(&c)
	case YxStop:
	case YxHashClear:
		b.clearHash()
	case YxShowInfo:
		b.say("MESSAGE INFO MAX_THREAD_NUM 1")
		b.say("MESSAGE INFO MAX_HASH_SIZE 20")
	case YxShowForbid:
		b.showForbidden()
	default:
		b.srv.Logf("not understood: %s", text)
		b.say("UNKNOWN command " + clip(c.Word))
	}
	return false
}

func (b *brain) say(line string) {
	b.out = append(b.out[:0], strings.Map(oneLine, line)...)
	b.send(append(b.out, eol...))
}

func (b *brain) send(p []byte) {
	b.out = p
	if err := b.conn.Write(p); err != nil {
		b.srv.Logf("answering: %v", err)
	}
}

// oneLine keeps the text of an error from breaking the protocol.
func oneLine(r rune) rune {
	if r == '\n' || r == '\r' {
		return ' '
	}
	return r
}

func (b *brain) errorf(format string, args ...any) { b.say("ERROR " + fmt.Sprintf(format, args...)) }

func (b *brain) start(c *Command) {
	if c.Bad || c.W < 1 || c.H < 1 {
		b.errorf("START needs the size of the board")
		return
	}
	was, width, height := b.started, b.width, b.height
	b.width, b.height = c.W, c.H
	if err := b.newGame(false); err != nil {
		b.started, b.width, b.height = was, width, height
		b.errorf("%v", err)
		return
	}
	b.started = true
	b.say("OK")
}

func (b *brain) restart() {
	if !b.started {
		b.errorf("RESTART before START")
		return
	}
	if err := b.newGame(false); err != nil {
		b.errorf("%v", err)
		return
	}
	b.say("OK")
}

// newGame gives the session an empty board under the rule in force.
func (b *brain) newGame(swap2 bool) error {
	b.sess.Finish()
	spec := b.wanted(swap2)
	b.spec, b.stones, b.beyond, b.own = "", b.stones[:0], 0, game.Nobody
	if err := b.sess.NewGame(spec, ""); err != nil {
		return err
	}
	b.spec = spec
	return nil
}

// wanted is the specification that START and INFO rule ask for; further options
// are those the brain was started with.
func (b *brain) wanted(swap2 bool) game.Spec {
	spec := specOf(b.said.rule, b.width, b.height, b.said.continuous, swap2)
	_, options, _ := strings.Cut(string(b.srv.Game), ":")
	for o := range strings.SplitSeq(options, ",") {
		key, _, ok := strings.Cut(o, "=")
		if ok && !slices.Contains([]string{"rule", "size", "width", "height", "opening", "continuous"}, key) {
			spec += game.Spec("," + o)
		}
	}
	return spec
}

// fit starts the game anew if the rule has changed since and no stone lies yet.
// It returns false after reporting why the brain cannot play.
func (b *brain) fit() bool {
	switch {
	case b.said.refused != "":
		b.errorf("%s", b.said.refused)
		return false
	case !b.started:
		b.errorf("no board: START first")
		return false
	case b.spec != b.wanted(false) && len(b.stones) == 0:
		if err := b.newGame(false); err != nil {
			b.errorf("%v", err)
			return false
		}
	}
	return true
}
