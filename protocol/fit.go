package protocol

import (
	"strings"
	"unicode"
)

// mostText is how long, in bytes, a remark or the outcome of a check may be.
const mostText = 500

// fit makes a text that may hold an engine's words fit to be shown: no more bytes than
// most, in UTF-8, and nothing that moves the cursor of a terminal.
func fit(text string, most int) string {
	end := ""
	if len(text) > most {
		text, end = strings.ToValidUTF8(text[:most], ""), "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, text) + end
}

// fittingError is an error whose text is fit to be shown.
type fittingError struct {
	error
	text string
}

// fitting returns the error with a text that is fit to be shown; nil stays nil.
func fitting(err error) error {
	if err == nil {
		return nil
	}
	text := fit(err.Error(), mostText)
	if text == err.Error() {
		return err
	}
	return &fittingError{err, text}
}

// Error returns the text.
func (e *fittingError) Error() string { return e.text }

// Unwrap returns the error as it was.
func (e *fittingError) Unwrap() error { return e.error }
