package auth

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Limits of a name, in characters.
const (
	MinName = 2
	MaxName = 24
)

// CheckName says what is wrong with the name of an account or of a bot.
//
// A name has 2 to 24 characters: letters, the digits 0-9, and single dots, hyphens
// and underscores within. Letters are those of Latin up to U+017F, Han, Hiragana,
// Katakana, Bopomofo and Hangul, in Unicode's NFKC form. Scripts whose letters pass
// for Latin ones (Cyrillic, Greek, Cherokee and others) are not allowed, nor is
// Latin mixed with kana, Bopomofo or Hangul; Latin may stand beside Han. What is
// left to mistake (l, I, 1) is refused where another account has it.
// Two names that differ in case alone are one name.
func CheckName(name string) error {
	if !utf8.ValidString(name) {
		return errors.New("name: not UTF-8")
	}
	if n := utf8.RuneCountInString(name); n < MinName || n > MaxName {
		return fmt.Errorf("name of %d characters: want %d to %d", n, MinName, MaxName)
	}
	if !norm.NFKC.IsNormalString(name) {
		return errors.New("name: has characters that are written otherwise in Unicode's NFKC form")
	}
	var latin, other bool
	last := '.'
	for _, r := range name {
		switch {
		case strings.ContainsRune(".-_", r):
			if strings.ContainsRune(".-_", last) {
				return fmt.Errorf("name: %q stands at the beginning or beside another one like it: want letters or digits around it", r)
			}
		case r >= '0' && r <= '9':
		case isLatin(r):
			latin = true
		case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Hangul) && unicode.IsLetter(r):
			other = true
		case unicode.Is(unicode.Han, r) && unicode.IsLetter(r):
		default:
			return fmt.Errorf("name: %q is not allowed: want letters, digits, and . - _ within", r)
		}
		last = r
	}
	switch {
	case strings.ContainsRune(".-_", last):
		return fmt.Errorf("name: ends with %q: want a letter or a digit", last)
	case latin && other:
		return errors.New("name: mixes Latin with another alphabet")
	case reserved(name):
		return fmt.Errorf("name: %q is the hall's own", name)
	}
	return nil
}

// isLatin leaves out letters that are another one in lower case or look like one.
func isLatin(r rune) bool {
	switch r {
	case 'ı', 'İ', 'ĸ', 'ŉ', 'ſ', 'ª', 'º':
		return false
	}
	return r < 0x180 && unicode.Is(unicode.Latin, r) && unicode.IsLetter(r)
}

// reserved tells names that would speak for the hall, or that guests are given.
func reserved(name string) bool {
	low := strings.ToLower(name)
	return slices.Contains(ownNames(), low) || strings.HasPrefix(low, "guest-")
}

// ownNames are the names that speak for the hall.
func ownNames() []string {
	return []string{
		"admin", "administrator", "root", "system", "hall", "kibitz", "arbiter", "referee", "moderator", "staff", "support",
		"guest", "anonymous", "nobody", "everyone", "me", "null", "undefined",
	}
}
