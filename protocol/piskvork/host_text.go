package piskvork

import (
	"bytes"
	"slices"
)

// isPass reports whether a line is what engines that know passes (Rapfi) write for one.
func isPass(line []byte) bool {
	x, y, ok := bytes.Cut(trim(line), []byte(","))
	return ok && string(trim(x)) == "-1" && string(trim(y)) == "-1"
}

// aboutInfo reports whether a complaint is about the INFO lines that go before a
// turn: an engine does not know the key or the number behind it, or lost the word
// INFO because it still was busy with its own last move. Nothing follows from it.
func aboutInfo(text []byte) bool {
	if containsFold(text, "unknown") && isNumber(text[bytes.LastIndexByte(text, ' ')+1:]) {
		return true
	}
	return slices.ContainsFunc([]string{"time_left", "timeout_turn", "max_depth", "max_node"}, func(key string) bool {
		return containsFold(text, key)
	})
}

func isNumber(text []byte) bool {
	for _, c := range bytes.TrimPrefix(text, []byte("-")) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}

// containsFold reports whether text contains the key, which is in lower case,
// without regard to case.
func containsFold(text []byte, key string) bool {
	for ; len(text) >= len(key); text = text[1:] {
		i := 0
		for i < len(key) && (text[i] == key[i] || text[i] >= 'A' && text[i] <= 'Z' && text[i]|0x20 == key[i]) {
			i++
		}
		if i == len(key) {
			return true
		}
	}
	return false
}
