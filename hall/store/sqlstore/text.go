package sqlstore

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lengths of what is kept of a folded text, in bytes: what is longer is cut, and the
// hash of all of it appended, so that different texts stay different.
const (
	maxFold = 900
	cutFold = 800
)

// fold returns a form of a text that is the same for texts that differ in case alone,
// as strings.EqualFold sees it. Both databases compare it byte by byte.
func fold(s string) string {
	s = strings.Map(foldRune, clean(s))
	if len(s) <= maxFold {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return cut(s, cutFold) + "…" + hex.EncodeToString(sum[:])
}

// foldRune returns the lower-case letter of those that differ in case alone, so that
// order is what people expect, and the least one where there are several.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		least = min(least, o)
	}
	if least < utf8.RuneSelf {
		return foldRune(least)
	}
	return least
}

// cut returns at most n bytes of a text without breaking a rune.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// next returns the least text that is above all those that begin with a prefix, empty
// if there is none.
func next(prefix string) string {
	list := []rune(prefix)
	for len(list) > 0 {
		last := len(list) - 1
		switch r := list[last]; r {
		case unicode.MaxRune:
			list = list[:last]
			continue
		case 0xD7FF:
			list[last] = 0xE000
		default:
			list[last] = r + 1
		}
		return string(list)
	}
	return ""
}
