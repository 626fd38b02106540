package sau

import (
	"fmt"
	"time"

	"kibitz/player"
	"kibitz/protocol"
)

// dialects are the switches of the host; docs/protocols/sau.md explains them.
func dialects() []protocol.Dialect {
	yesNo := []string{"true", "false"}
	return []protocol.Dialect{
		{Key: "transpose", Default: "false", Values: yesNo},
		{Key: "scan", Default: "line", Values: []string{"line", "any"}},
		{Key: "end", Default: "bare", Values: []string{"bare", "winner"}},
		{Key: "barrier", Default: "true", Values: yesNo},
		{Key: "x", Default: "A"},
		{Key: "y", Default: "A"},
		{Key: "e", Default: "A"},
	}
}

// serveDialects are the switches of the engine side.
func serveDialects() []protocol.Dialect {
	var list []protocol.Dialect
	for _, d := range dialects() {
		switch d.Key {
		case "transpose", "x", "y", "e":
			list = append(list, d)
		}
	}
	return append(list, protocol.Dialect{Key: "movetime"})
}

type hostOptions struct {
	letters                Letters
	anywhere, winner       bool
	barrier                bool
	startLimit, replyLimit time.Duration
}

// Limits that the protocol leaves to the platform.
const (
	defaultStartLimit = player.StartLimit
	defaultReplyLimit = 5 * time.Second
	quitGrace         = time.Second
	// quiet is how long an engine must be silent before it counts as silent.
	quiet = 100 * time.Millisecond
)

func readOptions(cfg *protocol.Config) (hostOptions, error) {
	list := dialects()
	if err := cfg.CheckDialects("sau", list); err != nil {
		return hostOptions{}, err
	}
	if err := cfg.NoOptions("sau"); err != nil {
		return hostOptions{}, err
	}
	o := hostOptions{
		anywhere: cfg.Switch(list, "scan") == "any", winner: cfg.Switch(list, "end") == "winner",
		barrier: cfg.Switch(list, "barrier") == "true", startLimit: cfg.StartLimit, replyLimit: cfg.ReplyLimit,
	}
	if o.startLimit <= 0 {
		o.startLimit = defaultStartLimit
	}
	if o.replyLimit <= 0 {
		o.replyLimit = defaultReplyLimit
	}
	var err error
	o.letters, err = readLetters(cfg, list)
	return o, err
}

// readLetters reads the switches for points.
func readLetters(cfg *protocol.Config, list []protocol.Dialect) (Letters, error) {
	l := Letters{Transpose: cfg.Switch(list, "transpose") == "true"}
	for _, b := range []struct {
		key string
		to  *byte
	}{{"x", &l.X}, {"y", &l.Y}, {"e", &l.E}} {
		v := cfg.Switch(list, b.key)
		if len(v) != 1 || v[0] <= ' '+1 || v[0]+MaxLetter > '~' {
			return l, fmt.Errorf("dialect.%s=%s: must be one character from \" to %c", b.key, v, '~'-MaxLetter)
		}
		*b.to = v[0]
	}
	return l, nil
}
