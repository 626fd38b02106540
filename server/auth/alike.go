package auth

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"kibitz/store"
)

// plain is a name as it looks at a glance: in lower case, letters without their marks, and
// the letters that have strokes as those that have none. Han, kana and Hangul stay.
func plain(name string) string {
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) && r < 0x370 { // marks of Latin letters
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(name)))
	return norm.NFC.String(strings.NewReplacer("ł", "l", "ø", "o", "đ", "d", "ħ", "h", "ŧ", "t", "æ", "ae", "œ", "oe", "ß", "ss", "þ", "p", "ð", "d", "ŋ", "n").Replace(bare))
}

// lookalikes are names that a name could be taken for: without marks, and with digits as the
// letters that they look like.
func lookalikes(name string) []string {
	bare := plain(name)
	return []string{bare, strings.NewReplacer("0", "o", "1", "l").Replace(bare), strings.NewReplacer("0", "o", "1", "i").Replace(bare)}
}

// unlike refuses a name that could be taken for that of another account, or for one that
// is the hall's own.
func unlike(tx store.Tx, name string) error {
	for _, other := range lookalikes(name) {
		if strings.EqualFold(other, name) {
			continue // whether it is taken is found when it is taken
		}
		u, err := tx.UserNamed(other)
		switch {
		case reserved(other):
			return fmt.Errorf("name %q: %w: it looks like %q, which is the hall's own", name, ErrInput, other)
		case err == nil:
			return fmt.Errorf("name %q: %w: it looks like %q of another account", name, store.ErrTaken, u.Name)
		case !errors.Is(err, store.ErrNotFound):
			return err
		}
	}
	return nil
}
