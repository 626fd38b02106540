package record

import "strings"

// Lines returns the lines of a text without their ends, whatever these are; a mark of the
// byte order and empty lines at the end are dropped.
func Lines(data []byte) []string {
	text := strings.TrimPrefix(string(data), "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	text = strings.TrimRight(text, "\n \t\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
