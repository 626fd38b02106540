package protocol

import "kibitz/game"

// mostText is how long, in bytes, a remark or the outcome of a check may be.
const mostText = 500

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
	text := game.Shown(err.Error(), mostText)
	if text == err.Error() {
		return err
	}
	return &fittingError{err, text}
}

// Error returns the text.
func (e *fittingError) Error() string { return e.text }

// Unwrap returns the error as it was.
func (e *fittingError) Unwrap() error { return e.error }
