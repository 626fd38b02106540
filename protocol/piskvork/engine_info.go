package piskvork

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"kibitz/clock"
	"kibitz/player"
	"kibitz/protocol"
)

// said is what INFO said; -1 is unknown.
type said struct {
	codes             RuleCodes
	turn, match, left int64
	rule              string
	continuous        bool
	detail            int
	refused           string // a value that cannot be: told at the next turn
	limits            player.Limits
	memory            int64 // the brain's own limit, 0 for none
}

// nothingSaid is what a brain goes by before the first INFO.
func nothingSaid(s protocol.Server, codes RuleCodes) said {
	rule, _ := s.Game.Option("rule")
	return said{
		codes: codes, turn: -1, match: -1, left: -1, rule: cmp.Or(rule, "freestyle"), continuous: isContinuous(s.Game),
		limits: s.Limits, memory: s.Limits.Memory,
	}
}

// info takes one INFO value. Nothing is answered: what cannot be is told at the next
// turn, and unknown keys are passed over.
func (b *brain) info(c *Command) {
	if odd := b.said.take(c); odd != "" {
		b.srv.Logf("%s", odd)
	}
}

// take takes a value, and returns what is wrong with its line.
func (s *said) take(c *Command) (odd string) {
	if c.Bad {
		return "INFO without a key"
	}
	key := strings.ToLower(string(c.Key))
	n, _, isInt := parseInt(c.Value)
	if !isInt && key != "folder" && key != "evaluate" {
		return fmt.Sprintf("INFO %s has no number: %s", key, clip(c.Value))
	}
	switch key {
	case "timeout_turn":
		s.turn = max(0, int64(n))
	case "timeout_match":
		s.match = max(0, int64(n))
	case "time_left":
		s.left = int64(n)
		if s.left == -1 {
			s.left = -2 // -1 stands for unknown
		}
	case "max_memory":
		s.limits.Memory = s.memory
		if n > 0 && (s.limits.Memory == 0 || int64(n) < s.limits.Memory) {
			s.limits.Memory = int64(n)
		}
	case "rule":
		s.refused = "INFO rule is none of 0 1 4 8 9 or those plus 2"
		if name, continuous, _, ok := s.codes.Rule(n); ok {
			s.rule, s.continuous, s.refused = name, continuous, ""
		}
	case "max_depth":
		s.limits.Depth = max(0, min(n, 1000))
	case "max_node":
		s.limits.Nodes = max(0, int64(n))
	case "thread_num":
		s.limits.Threads = max(1, min(n, 1024))
	case "hash_size":
		if kib := int64(n); kib > 0 && (s.limits.Memory == 0 || kib<<10 < s.limits.Memory) {
			s.limits.Memory = kib << 10
		}
	case "show_detail":
		s.detail = n
	}
	return ""
}

// clock is the brain's own clock.
func (s *said) clock() clock.Clock {
	var c clock.Control
	if s.turn >= 0 {
		c.Turn = max(time.Millisecond, time.Duration(s.turn)*time.Millisecond)
	}
	known := s.left != -1 && (s.left != 0 || s.match != 0) // 0 of no limit is no limit
	limited := s.left != unlimitedMS && (known || s.match > 0)
	if limited {
		c.Main = time.Duration(max(s.match, s.left, 1)) * time.Millisecond
		if s.match > 0 {
			c.Main = time.Duration(s.match) * time.Millisecond
		}
	}
	k := clock.New(c)
	if limited && known {
		k.Left = time.Duration(s.left) * time.Millisecond
	}
	return k
}
