package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"kibitz/hall/store"
)

// look is what a name looks like at a glance, in the manner of the skeletons of Unicode
// Technical Standard 39, for the letters that names may have (CheckName): in lower case,
// Latin letters without marks and strokes, and of characters that look the same always the
// same one. Two accounts whose names look the same cannot be.
func look(name string) string {
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) && r < 0x370 { // marks of Latin letters
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(name)))
	return norm.NFC.String(pairs().Replace(singles().Replace(bare)))
}

// singles makes one of characters that look the same: letters with strokes, digits, kana and
// Bopomofo that look like Han.
func singles() *strings.Replacer {
	return strings.NewReplacer(
		"ł", "l", "ø", "o", "đ", "d", "ħ", "h", "ŧ", "t", "æ", "ae", "œ", "oe", "ß", "ss", "þ", "p", "ð", "d", "ŋ", "n",
		"0", "o", "1", "l", "i", "l", "丨", "l", "一", "-", "ㄧ", "-",
		"ロ", "口", "エ", "工", "カ", "力", "タ", "夕", "ニ", "二", "ト", "卜", "ハ", "八", "ノ", "丿", "メ", "乂", "ミ", "彡", "オ", "才",
		"チ", "千", "イ", "亻", "ヨ", "彐", "ム", "厶", "ヌ", "又", "ヘ", "へ", "リ", "り",
		"ㄅ", "勹", "ㄇ", "冂", "ㄈ", "匚", "ㄏ", "厂", "ㄎ", "丂", "ㄒ", "丅", "ㄙ", "厶", "ㄚ", "丫", "ㄠ", "幺", "ㄡ", "又", "ㄦ", "儿",
		"ㄩ", "凵", "ㄗ", "卩", "ㄖ", "日", "ㄟ", "乁", "ㄨ", "乂", "ㄐ", "丩", "ㄑ", "く", "ㄕ", "尸",
	)
}

// pairs makes one letter of two that look like it.
func pairs() *strings.Replacer { return strings.NewReplacer("rn", "m", "vv", "w") }

// unlike refuses a name that could be taken for that of another account than own, or for one
// that is the hall's.
func unlike(tx store.Accounts, name string, own int64) error {
	for _, x := range ownNames() {
		if look(x) == look(name) {
			return fmt.Errorf("name %q: %w: %w", name, ErrInput, faulty("name", NameReserved, "it looks like %q, which is the hall's own", x))
		}
	}
	u, err := tx.UserLooking(look(name))
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && u.ID == own:
		return nil
	case err != nil:
		return err
	case strings.EqualFold(u.Name, name):
		return taken(name, store.ErrTaken)
	}
	return fmt.Errorf("name %q: %w: it looks like %q, which there is already", name, store.ErrTaken, u.Name)
}

// claim keeps how the name of a new account looks. Of two that come at the same time one
// is refused.
func claim(tx store.Accounts, u *store.User) error {
	err := tx.SetLook(u.ID, look(u.Name))
	if errors.Is(err, store.ErrTaken) {
		return fmt.Errorf("name %q: %w: it looks like one that there is already", u.Name, store.ErrTaken)
	}
	return err
}

// looksAtATime is how many names KeepLooks looks at in one transaction.
const looksAtATime = 1000

// KeepLooks keeps how the names of accounts look of which that is not known, such as those
// from before it was kept. Accounts that look alike already stay as they are.
func (s *Service) KeepLooks(ctx context.Context) error {
	for after := int64(0); ; {
		last := after
		err := s.Store.Update(ctx, func(tx store.Tx) error {
			last = after
			list, err := tx.Unlooked(after, looksAtATime)
			for i := range list {
				if err := tx.SetLook(list[i].ID, look(list[i].Name)); err != nil && !errors.Is(err, store.ErrTaken) {
					return err
				}
				last = list[i].ID
			}
			return err
		})
		if err != nil || last == after {
			return err
		}
		after = last
	}
}
