package piskvork

import (
	"strings"
)

// info takes one INFO value. Nothing is answered: what cannot be is told at the
// next turn, and unknown keys are passed over.
func (b *brain) info(c *Command) {
	if c.Bad {
		b.srv.Logf("INFO without a key")
		return
	}
	key := strings.ToLower(string(c.Key))
	n, _, isInt := parseInt(c.Value)
	if !isInt && key != "folder" && key != "evaluate" {
		b.srv.Logf("INFO %s has no number: %s", key, clip(c.Value))
		return
	}
	switch key {
	case "timeout_turn":
		b.turn = max(0, int64(n))
	case "timeout_match":
		b.match = max(0, int64(n))
	case "time_left":
		b.left = int64(n)
		if b.left == -1 {
			b.left = -2 // -1 stands for unknown
		}
	case "max_memory":
		b.sess.Limits.Memory = b.srv.Limits.Memory
		if n > 0 && (b.sess.Limits.Memory == 0 || int64(n) < b.sess.Limits.Memory) {
			b.sess.Limits.Memory = int64(n)
		}
	case "rule":
		b.setRule(n)
	case "max_depth":
		b.sess.Limits.Depth = max(0, min(n, 1000))
	case "max_node":
		b.sess.Limits.Nodes = max(0, int64(n))
	case "thread_num":
		b.sess.Limits.Threads = max(1, min(n, 1024))
	case "hash_size":
		if kib := int64(n); kib > 0 && (b.sess.Limits.Memory == 0 || kib<<10 < b.sess.Limits.Memory) {
			b.sess.Limits.Memory = kib << 10
		}
	case "show_detail":
		b.detail = n
	}
}

func (b *brain) setRule(code int) {
	name, continuous, _, ok := b.codes.Rule(code)
	if !ok {
		b.refused = "INFO rule is none of 0 1 4 8 9 or those plus 2"
		return
	}
	b.refused = ""
	b.rule, b.continuous = name, continuous
}
