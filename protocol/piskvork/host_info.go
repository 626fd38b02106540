package piskvork

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/player"
	"kibitz/protocol"
)

// infoValues are what INFO says of a game, and what the engine has been sent of it.
type infoValues struct {
	opt     *hostOptions
	options []protocol.Option // of the engine
	rule    int
	limits  player.Limits
	against player.Against
	ponder  bool // what the next game is to be told
	ponders bool // what the process was told last
	sent    sentValues
}

// sentValues are the INFO values that the engine has, or one of the constants.
type sentValues struct{ turn, depth, nodes int64 }

const (
	unsent  = -1 // the engine goes by its own default
	foreign = -2 // the engine has a value that is none of this game's
)

// start notes that a new process goes by its own defaults.
func (v *infoValues) start() { v.sent, v.ponders = sentValues{unsent, unsent, unsent}, false }

// early appends the INFO lines that go before START.
func (v *infoValues) early(b []byte) []byte {
	if !v.opt.early {
		return b
	}
	b = v.number(b, "rule", int64(v.rule))
	if v.limits.Memory > 0 {
		b = v.number(b, "max_memory", memoryLimit(v.limits.Memory))
	}
	return b
}

// block appends the INFO values in Piskvork's order, then those of the Yixin
// dialect and the engine's own.
func (v *infoValues) block(b []byte, own clock.Clock) []byte {
	v.renew()
	b = v.number(b, "max_memory", memoryLimit(v.limits.Memory))
	b = v.number(b, "timeout_match", matchMS(own))
	if turn := v.turnMS(own, v.limits); turn >= 0 {
		b = v.number(b, "timeout_turn", turn)
		v.sent.turn = turn
	}
	b = v.number(b, "game_type", int64(gameTypes[v.against]))
	b = v.number(b, "rule", int64(v.rule))
	b = AppendInfoInt(b, "time_left", leftMS(own))
	if folder, ok := v.option("folder"); ok {
		b = AppendInfo(b, "folder", folder)
	}
	b = v.searchLimits(b, v.limits)
	if v.limits.Threads > 0 {
		b = AppendInfoInt(b, "thread_num", int64(v.limits.Threads))
	}
	if v.opt.yixin && own.Control.Increment > 0 {
		b = AppendInfoInt(b, "time_increment", own.Control.Increment.Milliseconds())
	}
	switch {
	case v.ponder:
		b = AppendInfo(b, "pondering", "1")
	case v.ponders:
		b = AppendInfo(b, "pondering", "0")
	}
	v.ponders = v.ponder
	for _, o := range v.options {
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
func (v *infoValues) renew() {
	was := v.sent
	v.sent = sentValues{unsent, unsent, unsent}
	if was.turn != unsent {
		v.sent.turn = foreign
	}
	if was.depth > 0 && v.limits.Depth == 0 {
		v.sent.depth = was.depth
	}
	if was.nodes > 0 && v.limits.Nodes == 0 {
		v.sent.nodes = was.nodes
	}
}

// number appends a value that option.KEY may replace.
func (v *infoValues) number(b []byte, key string, n int64) []byte {
	if text, ok := v.option(key); ok {
		return AppendInfo(b, key, text)
	}
	if n == 0 && v.opt.omitZero && key != "rule" && key != "game_type" {
		return b
	}
	return AppendInfoInt(b, key, n)
}

// searchLimits appends depth and nodes where they differ from what was sent.
func (v *infoValues) searchLimits(b []byte, l player.Limits) []byte {
	if d := int64(l.Depth); d != v.sent.depth && (d > 0 || v.sent.depth > 0) {
		b = AppendInfoInt(b, "max_depth", d)
		v.sent.depth = d
	}
	if l.Nodes != v.sent.nodes && (l.Nodes > 0 || v.sent.nodes > 0) {
		b = AppendInfoInt(b, "max_node", l.Nodes)
		v.sent.nodes = l.Nodes
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
func (v *infoValues) option(key string) (string, bool) {
	for i := len(v.options) - 1; i >= 0; i-- {
		if o := &v.options[i]; strings.EqualFold(o.Key, key) {
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
func (v *infoValues) turnMS(k clock.Clock, l player.Limits) int64 {
	if text, ok := v.option("timeout_turn"); ok {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	}
	switch {
	case k.Control.Turn > 0:
		return max(1, k.Control.Turn.Milliseconds())
	case k.Control.Timed():
		return max(1, matchMS(k), leftMS(k))
	case v.opt.noTime >= 0:
		return v.opt.noTime
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

// turn appends the INFO lines of a turn: what changed, and the time left.
func (v *infoValues) turn(b []byte, p *player.Prompt) []byte {
	own := ownClock(p)
	limits := p.Limits
	if limits.Depth == 0 {
		limits.Depth = v.limits.Depth
	}
	if limits.Nodes == 0 {
		limits.Nodes = v.limits.Nodes
	}
	turn := v.turnMS(own, limits)
	if turn < 0 && (v.sent.turn == 0 || v.sent.turn == foreign) {
		turn = defaultTurn // what Stop, an analysis or an earlier game has sent must not stay
	}
	if turn >= 0 && turn != v.sent.turn {
		b = AppendInfoInt(b, "timeout_turn", turn)
		v.sent.turn = turn
	}
	b = v.searchLimits(b, limits)
	return v.timeLeft(b, own)
}

// timeLeft appends the time left, unless there is no clock and nobody asks for it.
func (v *infoValues) timeLeft(b []byte, own clock.Clock) []byte {
	if v.opt.timeAlways || !own.Control.None() {
		b = AppendInfoInt(b, "time_left", leftMS(own))
	}
	return b
}

// hurry appends what ends a search.
func (v *infoValues) hurry(b []byte) []byte {
	if v.opt.yixin {
		return AppendVerb(b, YxStop)
	}
	v.sent.turn = 0
	return AppendInfoInt(b, "timeout_turn", 0)
}

// blamesRule decides whether an ERROR among the INFO values is about the rule:
// it says so, or nothing else was sent that an engine may not know.
func (v *infoValues) blamesRule(text []byte) bool {
	if bytes.Contains(bytes.ToUpper(text), []byte("RULE")) {
		return true
	}
	return len(v.options) == 0 && v.limits.Threads == 0 && v.limits.Depth == 0 && v.limits.Nodes == 0 && !v.ponder
}

func ownClock(p *player.Prompt) clock.Clock {
	if p.Seat.IsPlayer() {
		return p.Clocks[p.Seat]
	}
	return p.Clocks[0]
}
