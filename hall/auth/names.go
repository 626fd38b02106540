package auth

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"kibitz/game"
)

// Limits of a name, in characters.
const (
	MinName = 2
	MaxName = 24
)

// Fault is what is wrong with a name, a password or another value. Pages have words for each of its codes.
type Fault struct {
	// Field is the value of the request that it is about: "password"; empty if it is about no one value.
	Field string
	Why   game.Why
}

func (f *Fault) Error() string { return f.Why.Text }

func faulty(field string, code game.WhyCode, format string, args ...any) *Fault {
	return &Fault{field, game.Why{Code: code, Text: fmt.Sprintf(format, args...)}}
}

// Codes of a Fault.
const (
	NameNoText     game.WhyCode = "namenotext"
	NameLength     game.WhyCode = "namelength" // N characters
	NameForm       game.WhyCode = "nameform"
	NameMarks      game.WhyCode = "namemarks"
	NameSign       game.WhyCode = "namesign" // which Name is
	NameBlank      game.WhyCode = "nameblank"
	NameMixed      game.WhyCode = "namemixed"
	NameReserved   game.WhyCode = "namereserved"
	PasswordShort  game.WhyCode = "passwordshort" // of N characters at least
	PasswordLong   game.WhyCode = "passwordlong"
	PasswordNoText game.WhyCode = "passwordnotext"
	PasswordIsName game.WhyCode = "passwordisname"
	PasswordSame   game.WhyCode = "passwordsame"
)

// Faults are all codes of a Fault.
func Faults() []game.WhyCode {
	return []game.WhyCode{
		NameNoText, NameLength, NameForm, NameMarks, NameSign, NameBlank, NameMixed, NameReserved, PasswordShort, PasswordLong,
		PasswordNoText, PasswordIsName, PasswordSame,
	}
}

// CheckName says what is wrong with the name of an account or of a bot, by a Fault.
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
		return faulty("name", NameNoText, "name: not UTF-8")
	}
	if n := utf8.RuneCountInString(name); n < MinName || n > MaxName {
		f := faulty("name", NameLength, "name of %d characters: want %d to %d", n, MinName, MaxName)
		f.Why.N = n
		return f
	}
	if !norm.NFKC.IsNormalString(name) {
		return faulty("name", NameForm, "name: has characters that are written otherwise in Unicode's NFKC form")
	}
	var latin, other bool
	last := '.'
	for _, r := range name {
		switch {
		case strings.ContainsRune(".-_", r):
			if strings.ContainsRune(".-_", last) {
				return faulty("name", NameMarks, "name: %q stands at the beginning or beside another one like it: want letters or digits around it", r)
			}
		case r >= '0' && r <= '9':
		case isLatin(r):
			latin = true
		case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Hangul) && unicode.IsLetter(r):
			other = true
		case unicode.Is(unicode.Han, r) && unicode.IsLetter(r):
		default:
			code := NameSign
			if unicode.IsSpace(r) {
				code = NameBlank
			}
			f := faulty("name", code, "name: %q is not allowed: want letters, digits, and . - _ within", r)
			f.Why.Name = string(r)
			return f
		}
		last = r
	}
	switch {
	case strings.ContainsRune(".-_", last):
		return faulty("name", NameMarks, "name: ends with %q: want a letter or a digit", last)
	case latin && other:
		return faulty("name", NameMixed, "name: mixes Latin with another alphabet")
	case reserved(name):
		return faulty("name", NameReserved, "name: %q is the hall's own", name)
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
