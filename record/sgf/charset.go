package sgf

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// charset returns the decoder for a name as CA gives it, nil for UTF-8, and
// whether the name is known.
func charset(name string) (encoding.Encoding, bool) {
	n := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(name), "_", "-"))
	switch n {
	case "utf-8", "utf8", "us-ascii", "ascii":
		return nil, true
	case "iso-8859-1", "iso8859-1", "latin1", "latin-1":
		return charmap.ISO8859_1, true
	case "gb2312", "gbk", "cp936":
		n = "gbk"
	}
	e, err := htmlindex.Get(n)
	if err != nil {
		if e, err = htmlindex.Get(strings.Replace(n, "iso", "iso-", 1)); err != nil {
			return nil, false
		}
	}
	return e, true
}

// multibyte reports whether brackets and backslashes may be halves of characters.
func multibyte(e encoding.Encoding) bool {
	if e == nil {
		return false
	}
	name, err := htmlindex.Name(e)
	if err != nil {
		return false
	}
	switch name {
	case "gbk", "gb18030", "big5", "shift_jis", "iso-2022-jp":
		return true
	}
	return strings.HasPrefix(name, "utf-16")
}

// decode returns the text in UTF-8. Without a name it is taken as UTF-8 if it is
// that, otherwise as Latin-1, which is the format's default.
func decode(data []byte, name string) (text []byte, warning string, ok bool) {
	if name == "" {
		if utf8.Valid(data) {
			return data, "", true
		}
		text, _ = charmap.ISO8859_1.NewDecoder().Bytes(data) // cannot fail
		return text, "no CA and not UTF-8: read as Latin-1", true
	}
	e, known := charset(name)
	if !known {
		return nil, "", false
	}
	if e == nil {
		if !utf8.Valid(data) {
			return bytes.ToValidUTF8(data, []byte("\uFFFD")), "bytes that are not " + name + " were replaced", true
		}
		return data, "", true
	}
	text, err := e.NewDecoder().Bytes(data)
	if err != nil {
		return bytes.ToValidUTF8(data, []byte("\uFFFD")), "not all of it is " + name, true
	}
	return text, "", true
}

// findCA returns the value of the first CA property, found without decoding.
func findCA(data []byte) string {
	p := &parser{data: data}
	var key []byte
	for p.at < len(p.data) {
		switch c := p.data[p.at]; {
		case c == '[':
			start := p.at + 1
			p.skipValue()
			if string(key) == "CA" {
				return Simple(string(bytes.TrimSuffix(data[start:p.at], []byte("]"))))
			}
			continue // more values belong to the same key
		case c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' && len(key) > 0:
			if p.at == 0 || !isName(data[p.at-1]) {
				key = key[:0]
			}
			key = append(key, c)
		case c > ' ' && !isLetter(c):
			key = key[:0]
		}
		p.next()
	}
	return ""
}

func isName(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' }
