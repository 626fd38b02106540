package sau

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// readName reads the argument of name as text: UTF-8 or, if it is none, GBK.
// Control characters become blanks.
func readName(arg []byte) string {
	const most = 256
	arg = bytes.TrimSpace(arg[:min(len(arg), most)])
	if !utf8.Valid(arg) {
		if s, err := simplifiedchinese.GB18030.NewDecoder().Bytes(arg); err == nil {
			arg = s
		}
	}
	arg = bytes.ToValidUTF8(arg, []byte("?"))
	return string(bytes.TrimSpace(bytes.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, arg)))
}
