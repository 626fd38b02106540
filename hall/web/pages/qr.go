package pages

import (
	"fmt"
	"html/template"
	"strings"

	"rsc.io/qr"
)

// quiet is how many modules around a code stay empty.
const quiet = 4

// mostQR is the longest text that has a code: cameras do not read larger ones from a screen.
const mostQR = 300

// qrCode draws a text as a QR code, black on white whatever the theme; label says what it is. A text
// that is too long has none.
func qrCode(text, label string) (template.HTML, error) {
	if len(text) > mostQR {
		return "", nil
	}
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", fmt.Errorf("a QR code of %d characters: %w", len(text), err)
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			n := 0
			for x+n < code.Size && code.Black(x+n, y) {
				n++
			}
			if n > 0 {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", x+quiet, y+quiet, n, n)
			}
			x += n
		}
	}
	side := code.Size + 2*quiet
	return template.HTML(fmt.Sprintf( //nolint:gosec // made of numbers; the label is escaped
		`<svg class="qr" viewBox="0 0 %d %d" role="img" aria-label="%s" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path d="%s"/></svg>`,
		side, side, template.HTMLEscapeString(label), side, side, path.String())), nil
}
