package nboard

import (
	"fmt"
	"strconv"
	"time"

	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// GameID is the game of the protocol.
const GameID = "othello"

// Limits where the configuration names none.
const (
	defaultStart = player.StartLimit
	defaultPong  = 5 * time.Second
)

// Depths that are sent: without depth and clock, with a clock, and the most that
// an Othello game can need.
const (
	defaultDepth = 12
	deepest      = 60
)

// Dialects returns the switches of the host.
func Dialects() []protocol.Dialect {
	return []protocol.Dialect{
		{Key: "version", Default: "2", Values: []string{"1", "2"}},
		{Key: "timemode", Default: "auto", Values: []string{"auto", "depth", "clock", "movenow"}},
		{Key: "setdepth", Default: "auto", Values: []string{"auto", "own"}},
		{Key: "stateless", Default: "false", Values: []string{"false", "true"}},
		{Key: "evalscale", Default: "1"},
		{Key: "learnlimit", Default: "600"},
		{Key: "fewdiscs", Default: "refuse", Values: []string{"refuse", "allow"}},
	}
}

// Protocol returns the entry for the list of protocols.
func Protocol() protocol.Protocol {
	return protocol.Protocol{
		ID:       "nboard",
		Games:    []string{GameID},
		Default:  []string{GameID},
		Dialects: Dialects(),
		Host:     NewHost,
		Serve:    Serve,
		Hint:     hint,
		Returns:  "by move",
		Scores:   game.Discs,
		Start:    player.FromPosition,
		Checks:   Checks,
	}
}

type timeMode uint8

const (
	modeAuto timeMode = iota
	modeDepth
	modeClock
	modeMoveNow
)

type hostOptions struct {
	version   int
	mode      timeMode
	stateless bool
	scale     float64
	fewDiscs  bool
	ownDepth  bool

	start, pong, learn time.Duration

	depth    int // 0 if not given
	contempt int
	other    []protocol.Option // sent as "set key value"
}

func readOptions(cfg *protocol.Config) (o hostOptions, err error) {
	list := Dialects()
	if err := cfg.CheckDialects("nboard", list); err != nil {
		return o, err
	}
	value := func(key string) string { return cfg.Switch(list, key) }
	o.version = int(value("version")[0] - '0')
	o.mode = map[string]timeMode{"auto": modeAuto, "depth": modeDepth, "clock": modeClock, "movenow": modeMoveNow}[value("timemode")]
	o.ownDepth = value("setdepth") == "own"
	o.stateless = value("stateless") == "true"
	o.fewDiscs = value("fewdiscs") == "allow"
	if o.scale, err = strconv.ParseFloat(value("evalscale"), 64); err != nil || !(o.scale > 0 && o.scale <= 1e6) {
		return o, fmt.Errorf("dialect.evalscale=%s: must be a number above 0", value("evalscale"))
	}
	sec, err := strconv.ParseFloat(value("learnlimit"), 64)
	if err != nil || !(sec > 0 && sec <= 1e6) {
		return o, fmt.Errorf("dialect.learnlimit=%s: must be a number of seconds above 0", value("learnlimit"))
	}
	o.learn = time.Duration(sec * float64(time.Second))
	o.start, o.pong = defaultStart, defaultPong
	if cfg.StartLimit > 0 {
		o.start = cfg.StartLimit
	}
	if cfg.ReplyLimit > 0 {
		o.pong = cfg.ReplyLimit
	}
	return o, o.readEngineOptions(cfg.Options)
}

func (o *hostOptions) readEngineOptions(list []protocol.Option) error {
	for _, opt := range list {
		n, err := strconv.Atoi(opt.Value)
		switch opt.Key {
		case "depth":
			if err != nil || n < 1 || n > deepest {
				return fmt.Errorf("option.depth=%s: must be a whole number from 1 to %d", opt.Value, deepest)
			}
			o.depth = n
		case "contempt":
			if err != nil || n < -100 || n > 100 {
				return fmt.Errorf("option.contempt=%s: must be a whole number from -100 to 100, usually -100, 0 or 100", opt.Value)
			}
			if o.version == 1 {
				return fmt.Errorf("option.contempt=%s: version 1 of the protocol has no contempt", opt.Value)
			}
			o.contempt = n
		case "game", "":
			return fmt.Errorf("option.%s is no option of an engine", opt.Key)
		default:
			o.other = append(o.other, opt)
		}
	}
	return nil
}
