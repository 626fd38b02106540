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
		{Key: "yixin", Default: "false", Values: yesNo},
		{Key: "rules", Default: ""},
		{Key: "ruleerror", Default: "fail", Values: []string{"fail", "ignore"}},
		{Key: "early", Default: "true", Values: yesNo},
		{Key: "omitzero", Default: "false", Values: yesNo},
		{Key: "notime", Default: "omit"},
		{Key: "timeleft", Default: "always", Values: []string{"always", "clock"}},
		{Key: "eol", Default: "crlf", Values: []string{"crlf", "lf"}},
		{Key: "about", Default: "true", Values: yesNo},
		{Key: "newgame", Default: "auto", Values: []string{"auto", "start", "restart"}},
		{Key: "takeback", Default: "auto", Values: []string{"auto", "board"}},
		{Key: "swap2", Default: "auto", Values: []string{"auto", "protocol", "manager"}},
		{Key: "swap2fields", Default: "auto", Values: []string{"auto", "2", "3"}},
		{Key: "turn", Default: "auto", Values: []string{"auto", "board"}},
		{Key: "pass", Default: "none", Values: []string{"none", "board", "point"}},
		{Key: "strict", Default: "false", Values: yesNo},
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
