package piskvork

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
)

// open makes the engine ready for the game that take has copied: process, board,
// INFO values, name.
func (h *Host) open(ctx context.Context, s *player.Setup) error {
	own := s.Clocks[0]
	if s.Seat.IsPlayer() {
		own = s.Clocks[s.Seat]
	}
	deadline := h.cfg.Now().Add(h.opt.startLimit)
	fresh := h.Conn() == nil
	if fresh {
		if err := h.dial(ctx); err != nil {
			return err
		}
	}
	err := h.start(deadline)
	if err == nil {
		err = h.settle(own)
	}
	var f *player.Failure
	if fresh && errors.As(err, &f) && f.Reason == game.ByCrash {
		f.Reason = game.ByStart // it never became ready, however it ended
	}
	return err
}

func (h *Host) dial(ctx context.Context) error {
	conn, err := h.cfg.Connect(ctx)
	if err != nil {
		return err
	}
	h.Attach(conn)
	h.broken = false
	h.identity, h.asked, h.answers, h.strays = Identity{}, false, false, 0
	h.noRestart = h.opt.newGame == "start"
	h.boardW, h.boardH, h.noTakeback, h.noSwap2, h.fields = 0, 0, !h.opt.takeback, h.mute, h.opt.fields
	h.sent, h.ponders = sentValues{unsent, unsent, unsent}, false
	return nil
}

// start gives the engine an empty board of the game's size: by RESTART if it has
// one of that size, as Piskvork does (engines made from its example code keep their
// stones through a second START), else by START, at which engines also fix what
// depends on the rule.
func (h *Host) start(deadline time.Time) error {
	if !h.noRestart && h.boardW == h.width && h.boardH == h.height && h.boardRule == h.rule {
		// What is left of the time must do for a new process.
		if done, err := h.emptied(earlier(deadline, h.cfg.Now().Add(h.opt.replyLimit))); done || err != nil {
			return err
		}
	}
	early := h.opt.early
	b := h.earlyInfo(h.buf[:0])
	what := "START"
	if h.width != h.height {
		what = "RECTSTART"
	}
	b = AppendStart(b, h.width, h.height)
	h.buf = b
	h.boardW, h.boardH = 0, 0
	if err := h.write(b); err != nil {
		return h.Failed(err, game.ByStart, "sending "+what)
	}
	complaint, err := h.awaitOK(deadline, what)
	if err != nil {
		return err
	}
	if complaint != nil && early && complaint.Kind == Error {
		if f := h.ruleRefused(complaint.Text); f != nil {
			return f
		}
	}
	h.boardW, h.boardH, h.boardRule = h.width, h.height, h.rule
	h.view, h.dirty, h.diverged = h.view[:0], false, false
	return nil
}

// earlyInfo appends the INFO lines that go before START.
func (h *Host) earlyInfo(b []byte) []byte {
	if !h.opt.early {
		return b
	}
	b = h.infoInt(b, "rule", int64(h.rule))
	if h.limits.Memory > 0 {
		b = h.infoInt(b, "max_memory", memoryLimit(h.limits.Memory))
	}
	return b
}

// emptied has the engine clear its board by RESTART. It reports false if the
// engine does not know how.
func (h *Host) emptied(deadline time.Time) (bool, error) {
	h.buf = AppendVerb(h.earlyInfo(h.buf[:0]), Restart)
	if err := h.write(h.buf); err != nil {
		return false, h.Failed(err, game.ByStart, "sending RESTART")
	}
	for {
		line, err := h.ReadLine(deadline)
		if err != nil {
			return false, h.Failed(err, game.ByStart, "waiting for the reply to RESTART")
		}
		switch r := ParseReply(line); r.Kind {
		case OK:
			h.view, h.dirty, h.diverged = h.view[:0], false, false
			return true, nil
		case Error, Unknown:
			if h.opt.early && (aboutEarly(r.Text) || aboutInfo(r.Text)) {
				if f := h.ruleRefused(r.Text); r.Kind == Error && f != nil {
					return false, f
				}
				break
			}
			if h.opt.newGame == "restart" {
				return false, player.Fail(game.ByStart, nil, "RESTART was answered %s", clip(line))
			}
			h.noRestart = true
			return false, nil
		case Message, Debug, InfoLine:
		default:
			h.warnf("%q before the reply to RESTART", clip(line))
		}
		if h.cfg.Now().After(deadline.Add(quiet)) {
			return false, h.Failed(os.ErrDeadlineExceeded, game.ByStart, "waiting for the reply to RESTART")
		}
	}
}

// awaitOK reads up to OK and drops what an earlier game may have left. It returns
// the last ERROR or UNKNOWN that came before.
func (h *Host) awaitOK(deadline time.Time, what string) (*Reply, error) {
	var complaint *Reply
	for {
		line, err := h.ReadLine(deadline)
		if err != nil {
			if complaint != nil && errors.Is(err, os.ErrDeadlineExceeded) {
				return nil, player.Fail(game.ByStart, err, "%s was answered %s", what, complaint.Text)
			}
			return nil, h.Failed(err, game.ByStart, "waiting for the reply to "+what)
		}
		switch r := ParseReply(line); r.Kind {
		case OK:
			return complaint, nil
		case Error, Unknown:
			early := h.opt.early && aboutEarly(r.Text)
			r.Text = []byte(clip(line))
			complaint = &r
			if !early { // else START has not been answered, which may take long
				deadline = earlier(deadline, h.cfg.Now().Add(errorGrace))
			}
		case Message, Debug, InfoLine:
		default:
			h.warnf("%q before the reply to %s", clip(line), what)
		}
		if h.cfg.Now().After(deadline.Add(quiet)) {
			return nil, h.Failed(os.ErrDeadlineExceeded, game.ByStart, "waiting for the reply to "+what)
		}
	}
}

// aboutEarly reports whether a complaint names one of the INFO lines that go
// before START.
func aboutEarly(text []byte) bool {
	for _, key := range [...]string{"info", "rule", "memory"} {
		if containsFold(text, key) {
			return true
		}
	}
	return false
}

// ruleRefused judges an ERROR after INFO rule: nil if it may be passed over. No
// engine refuses freestyle, and one that complains of an unknown command has lost
// the word INFO.
func (h *Host) ruleRefused(text []byte) *player.Failure {
	if containsFold(text, "unknown command") {
		return nil
	}
	if h.rule == 0 || h.opt.ruleIgnore {
		h.warnf("%s after INFO", clip(text))
		return nil
	}
	return player.Fail(game.ByStart, nil, "the engine does not support INFO rule %d: %s (dialect.ruleerror=ignore plays on)",
		h.rule, clip(text))
}

// settle sends the INFO values and asks for the name. The reply to ABOUT is a
// barrier: what the engine had to say about the values has come before it.
func (h *Host) settle(own clock.Clock) error {
	b := h.infoBlock(h.buf[:0], own)
	ask := h.opt.about && (!h.asked || h.answers && h.strays > 0)
	if ask {
		b = AppendVerb(b, About)
	}
	h.buf = b
	h.budget = 0
	if err := h.write(b); err != nil {
		return h.Failed(err, game.ByStart, "sending INFO")
	}
	if !ask {
		h.budget = h.strays
		return nil
	}
	h.asked, h.strays = true, 0
	return h.awaitAbout()
}

func (h *Host) awaitAbout() error {
	deadline := h.cfg.Now().Add(aboutLimit)
	for {
		line, err := h.ReadLine(deadline)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			return h.Failed(err, game.ByStart, "waiting for the reply to ABOUT")
		}
		switch r := ParseReply(line); r.Kind {
		case Other:
			h.answers, h.identity = true, ParseAbout(line)
			if h.identity.Name != "" || h.identity.Author != "" || h.identity.Version != "" {
				return nil
			}
			deadline = earlier(deadline, h.cfg.Now().Add(quiet)) // prose, or a banner
		case Unknown:
			if bytes.Contains(bytes.ToUpper(r.Text), []byte("ABOUT")) {
				h.answers = true
				return nil
			}
			h.strays++
			deadline = earlier(deadline, h.cfg.Now().Add(quiet))
		case Error:
			h.strays++
			if h.blamesRule(r.Text) {
				if f := h.ruleRefused(line); f != nil {
					return f
				}
			}
		}
		if h.cfg.Now().After(deadline.Add(quiet)) {
			return nil
		}
	}
}

// blamesRule decides whether an ERROR among the INFO values is about the rule:
// it says so, or nothing else was sent that an engine may not know.
func (h *Host) blamesRule(text []byte) bool {
	if bytes.Contains(bytes.ToUpper(text), []byte("RULE")) {
		return true
	}
	return len(h.cfg.Options) == 0 && h.limits.Threads == 0 && h.limits.Depth == 0 && h.limits.Nodes == 0 && !h.ponder
}

// infoBlock appends the INFO values in Piskvork's order, then those of the Yixin
// dialect and the engine's own.
func (h *Host) infoBlock(b []byte, own clock.Clock) []byte {
	h.renew()
	b = h.infoInt(b, "max_memory", memoryLimit(h.limits.Memory))
	b = h.infoInt(b, "timeout_match", matchMS(own))
	if turn := h.turnMS(own, h.limits); turn >= 0 {
		b = h.infoInt(b, "timeout_turn", turn)
		h.sent.turn = turn
	}
	b = h.infoInt(b, "game_type", int64(gameTypes[h.against]))
	b = h.infoInt(b, "rule", int64(h.rule))
	b = AppendInfoInt(b, "time_left", leftMS(own))
	if folder, ok := h.option("folder"); ok {
		b = AppendInfo(b, "folder", folder)
	}
	b = h.searchLimits(b, h.limits)
	if h.limits.Threads > 0 {
		b = AppendInfoInt(b, "thread_num", int64(h.limits.Threads))
	}
	if h.opt.yixin && own.Control.Increment > 0 {
		b = AppendInfoInt(b, "time_increment", own.Control.Increment.Milliseconds())
	}
	switch {
	case h.ponder:
		b = AppendInfo(b, "pondering", "1")
	case h.ponders:
		b = AppendInfo(b, "pondering", "0")
	}
	h.ponders = h.ponder
	for _, o := range h.cfg.Options {
		if key := strings.ToLower(o.Key); !standardKey(key) {
			b = AppendInfo(b, key, o.Value)
		}
	}
	return b
}

// gameTypes are the values of game_type by whom the engine meets.
var gameTypes = [...]int{player.AgainstEngine: 1, player.AgainstPerson: 0, player.InTournament: 2, player.OverNetwork: 3}

// renew makes the values of a new game be sent again. An engine keeps what an
// earlier game in the same process has set: what the new one leaves open is then
// taken back.
func (h *Host) renew() {
	was := h.sent
	h.sent = sentValues{unsent, unsent, unsent}
	if was.turn != unsent {
		h.sent.turn = foreign
	}
	if was.depth > 0 && h.limits.Depth == 0 {
		h.sent.depth = was.depth
	}
	if was.nodes > 0 && h.limits.Nodes == 0 {
		h.sent.nodes = was.nodes
	}
}

// infoInt appends a value that option.KEY may replace.
func (h *Host) infoInt(b []byte, key string, n int64) []byte {
	if v, ok := h.option(key); ok {
		return AppendInfo(b, key, v)
	}
	if n == 0 && h.opt.omitZero && key != "rule" && key != "game_type" {
		return b
	}
	return AppendInfoInt(b, key, n)
}

// searchLimits appends depth and nodes where they differ from what was sent.
func (h *Host) searchLimits(b []byte, l player.Limits) []byte {
	if d := int64(l.Depth); d != h.sent.depth && (d > 0 || h.sent.depth > 0) {
		b = AppendInfoInt(b, "max_depth", d)
		h.sent.depth = d
	}
	if l.Nodes != h.sent.nodes && (l.Nodes > 0 || h.sent.nodes > 0) {
		b = AppendInfoInt(b, "max_node", l.Nodes)
		h.sent.nodes = l.Nodes
	}
	return b
}

func standardKey(key string) bool {
	switch key {
	case "max_memory", "timeout_match", "timeout_turn", "game_type", "rule", "time_left", "folder":
		return true
	}
	return false
}

// option returns the value of option.KEY, the last one given.
func (h *Host) option(key string) (string, bool) {
	for i := len(h.cfg.Options) - 1; i >= 0; i-- {
		if o := &h.cfg.Options[i]; strings.EqualFold(o.Key, key) {
			return o.Value, true
		}
	}
	return "", false
}

func memoryLimit(bytes int64) int64 { return max(0, min(bytes, unlimitedMS)) }

// The turn limits for a clock that says nothing about one turn: no limit at all,
// and the one that engines without any word from the manager assume.
const (
	endlessTurn = 1_000_000_000
	defaultTurn = 30_000
)

// turnMS is the value of timeout_turn, -1 for none. Zero would mean "at once", so
// without a limit for each turn it is the whole budget, or what is left if
// increments or periods have made that more, and without any clock what
// dialect.notime says, unless depth or nodes bound the search.
func (h *Host) turnMS(k clock.Clock, l player.Limits) int64 {
	if v, ok := h.option("timeout_turn"); ok {
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			return n
		}
	}
	switch {
	case k.Control.Turn > 0:
		return max(1, k.Control.Turn.Milliseconds())
	case k.Control.Timed():
		return max(1, matchMS(k), leftMS(k))
	case h.opt.noTime >= 0:
		return h.opt.noTime
	case l.Depth > 0 || l.Nodes > 0:
		return endlessTurn
	}
	return -1
}

// matchMS is the value of timeout_match, 0 for no limit.
func matchMS(k clock.Clock) int64 {
	c := k.Control
	switch {
	case !c.Timed():
		return 0
	case c.Hourglass > 0:
		return clampMS(c.Hourglass)
	case c.Main > 0:
		return clampMS(c.Main)
	}
	return max(1, leftMS(k))
}

// leftMS is the value of time_left: what is left of the running budget, below
// zero when it is overdrawn. Without a budget the free delay of each turn is all
// that there is.
func leftMS(k clock.Clock) int64 {
	switch c := k.Control; {
	case !c.Timed():
		return unlimitedMS
	case c.Main <= 0 && c.Delay > 0:
		return clampMS(k.Left + c.Delay)
	}
	return clampMS(k.Left)
}

func clampMS(d time.Duration) int64 {
	return max(-unlimitedMS, min(d.Milliseconds(), unlimitedMS))
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}
