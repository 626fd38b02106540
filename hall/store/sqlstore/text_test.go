package sqlstore

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestFold(t *testing.T) {
	for _, pair := range [][2]string{
		{"Alice", "aLICE"},
		{"ÄÖÜ", "äöü"},
		{"Kelvin", "\u212Aelvin"},
		{"ΣΑΣ", "σας"},
		{"\u01C5", "\u01C4"},
		{"a\x00b", "A\uFFFDB"},
		{"\xffa", "\uFFFDA"},
		{strings.Repeat("Long", 500), strings.Repeat("lONG", 500)},
	} {
		if fold(pair[0]) != fold(pair[1]) {
			t.Errorf("%.40q and %.40q differ in more than case: %.40q %.40q", pair[0], pair[1], fold(pair[0]), fold(pair[1]))
		}
	}
	long := strings.Repeat("ä", 1000)
	if fold(long) == fold(long+"x") {
		t.Error("long texts with the same beginning are taken for the same")
	}
	if n := len(fold(long)); n > maxIdent {
		t.Errorf("a folded text has %d bytes", n)
	}
}

func TestFoldIsEqualFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.StringN(0, 20, 60).Draw(t, "a")
		if !utf8.ValidString(a) || strings.ContainsRune(a, 0) {
			t.Skip("is cleaned first")
		}
		b := strings.Map(func(r rune) rune {
			if rapid.Bool().Draw(t, "other") {
				return unicode.SimpleFold(r)
			}
			return r
		}, a)
		if strings.EqualFold(a, b) != (fold(a) == fold(b)) {
			t.Fatalf("%q %q: %q %q", a, b, fold(a), fold(b))
		}
	})
}

func TestNext(t *testing.T) {
	for _, c := range []struct{ prefix, want string }{
		{"a", "b"},
		{"az", "a{"},
		{"\uD7FF", "\uE000"},
		{"a\U0010FFFF", "b"},
		{"\U0010FFFF", ""},
		{"", ""},
	} {
		if got := next(c.prefix); got != c.want {
			t.Errorf("next(%q) = %q, want %q", c.prefix, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		prefix, s := clean(rapid.StringN(1, 3, -1).Draw(t, "prefix")), clean(rapid.String().Draw(t, "s"))
		above := next(prefix)
		for _, s := range []string{s, prefix + s} {
			in := s >= prefix && (above == "" || s < above)
			if in != strings.HasPrefix(s, prefix) {
				t.Fatalf("%q begins with %q: %v", s, prefix, in)
			}
		}
	})
}
