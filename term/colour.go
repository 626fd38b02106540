package term

// The colours of a terminal: what belongs to the seats, what only guides the eye, heads of
// lists, warnings.
const (
	First   = "\x1b[1;36m"
	Second  = "\x1b[1;33m"
	Faint   = "\x1b[2m"
	Head    = "\x1b[1m"
	Warning = "\x1b[1;31m"
	Off     = "\x1b[0m"
)

// Styled returns text in a style, as it is where there is none or no colour.
func Styled(text, style string, colour bool) string {
	if !colour || style == "" {
		return text
	}
	return style + text + Off
}
