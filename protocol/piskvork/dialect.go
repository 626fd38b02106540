package piskvork

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"kibitz/player"
	"kibitz/protocol"
)

// dialects are the switches of the host; docs/protocols/piskvork.md explains them.
func dialects() []protocol.Dialect {
	yesNo := []string{"true", "false"}
	return []protocol.Dialect{
		{
			Key: "yixin", Default: "false", Values: yesNo,
			Doc: "the engine speaks the Yixin dialect: YXSTOP, YXBOARD, YXNBEST, show_detail, pondering",
		},
		{Key: "rules", Default: "", Doc: "values of INFO rule where they differ: yixin, or pairs such as renju=2,caro=8"},
		{
			Key: "ruleerror", Default: "fail", Values: []string{"fail", "ignore"},
			Doc: "what an ERROR after INFO rule means: the rule is unsupported, or nothing",
		},
		{Key: "early", Default: "true", Values: yesNo, Doc: "send INFO rule and max_memory before START too"},
		{Key: "omitzero", Default: "false", Values: yesNo, Doc: "leave out INFO lines whose value is 0 instead of sending 0 for no limit"},
		{Key: "notime", Default: "omit", Doc: "timeout_turn for an engine without any clock: omit, or milliseconds"},
		{
			Key: "timeleft", Default: "always", Values: []string{"always", "clock"},
			Doc: "send INFO time_left before each move, or only if there is a clock",
		},
		{Key: "eol", Default: "crlf", Values: []string{"crlf", "lf"}, Doc: "line ends that the engine is sent"},
		{Key: "about", Default: "true", Values: yesNo, Doc: "ask ABOUT when the engine has started"},
		{
			Key: "newgame", Default: "auto", Values: []string{"auto", "start", "restart"},
			Doc: "command for the next game in the same process on the same board: RESTART as long as the engine knows it, or always the one named",
		},
		{
			Key: "takeback", Default: "auto", Values: []string{"auto", "board"},
			Doc: "undo by TAKEBACK as long as the engine knows it, or always by RESTART and BOARD",
		},
		{
			Key: "swap2", Default: "auto", Values: []string{"auto", "protocol", "manager"},
			Doc: "ask SWAP2BOARD and help an engine that does not know it, only ask, or decide for the engine",
		},
		{
			Key: "swap2fields", Default: "auto", Values: []string{"auto", "2", "3"},
			Doc: "numbers in a line of SWAP2BOARD: x,y or x,y,colour; auto tries 2, then 3",
		},
		{
			Key: "turn", Default: "auto", Values: []string{"auto", "board"},
			Doc: "send the opponent's stone by TURN, or all stones by BOARD before each move",
		},
		{
			Key: "pass", Default: "none", Values: []string{"none", "board", "point"},
			Doc: "in games in which a seat may pass: refuse them, or send a BOARD in which two stones of one colour " +
				"follow each other, or one in which a pass is the point -1,-1; and read -1,-1 as a pass",
		},
		{Key: "strict", Default: "false", Values: yesNo, Doc: "any line but a move or a remark loses when a move is due"},
	}
}

type hostOptions struct {
	yixin, ruleIgnore, early, omitZero bool
	timeAlways, about, lf              bool
	takeback, strict, eachBoard        bool
	passPoint                          bool
	swap2, newGame                     string
	fields                             int // 0 auto
	noTime                             int64
	codes                              RuleCodes
	startLimit, replyLimit             time.Duration
}

// Limits that the protocol leaves to the manager.
const (
	defaultStartLimit = player.StartLimit
	defaultReplyLimit = 5 * time.Second
	aboutLimit        = 2 * time.Second
	endGrace          = time.Second
	errorGrace        = time.Second
	quiet             = 100 * time.Millisecond
	unlimitedMS       = 1<<31 - 1
)

func readOptions(cfg *protocol.Config) (hostOptions, error) {
	list := dialects()
	if err := cfg.CheckDialects("piskvork", list); err != nil {
		return hostOptions{}, err
	}
	is := func(key, value string) bool { return cfg.Switch(list, key) == value }
	o := hostOptions{
		yixin: is("yixin", "true"), ruleIgnore: is("ruleerror", "ignore"), early: is("early", "true"),
		omitZero: is("omitzero", "true"), timeAlways: is("timeleft", "always"), about: is("about", "true"), lf: is("eol", "lf"),
		newGame: cfg.Switch(list, "newgame"), takeback: is("takeback", "auto"), strict: is("strict", "true"), eachBoard: is("turn", "board"),
		passPoint: is("pass", "point"),
		swap2:     cfg.Switch(list, "swap2"), noTime: -1,
		startLimit: cfg.StartLimit, replyLimit: cfg.ReplyLimit,
	}
	if v := cfg.Switch(list, "swap2fields"); v != "auto" {
		o.fields = int(v[0] - '0')
	}
	if v := cfg.Switch(list, "notime"); v != "omit" {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < 0 || n > unlimitedMS {
			return o, fmt.Errorf("dialect.notime=%s: must be omit or milliseconds from 0 to %d", v, unlimitedMS)
		}
		o.noTime = n
	}
	if o.startLimit <= 0 {
		o.startLimit = defaultStartLimit
	}
	if o.replyLimit <= 0 {
		o.replyLimit = defaultReplyLimit
	}
	var err error
	o.codes, err = ParseRuleCodes(cfg.Switch(list, "rules"))
	return o, err
}

// ended returns commands, whose lines end by CR LF, with the line ends that the engine
// is to have, in the same memory.
func (o *hostOptions) ended(b []byte) []byte {
	if !o.lf {
		return b
	}
	return slices.DeleteFunc(b, func(c byte) bool { return c == '\r' })
}
