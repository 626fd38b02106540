package board

import "strings"

// The colours of the seats where the game has none of its own, and of marks.
const (
	firstFill  = "#2f6fd6"
	secondFill = "#d9622b"
	nobodyFill = "#777777"
	markInk    = "#d02f2f"
	winInk     = "#37b24d"
	wayInk     = "#d97706"
)

func seatFill(kind string) string {
	switch kind[len(kind)-1] {
	case '0':
		return firstFill
	case '1':
		return secondFill
	}
	return nobodyFill
}

// SymbolShapes draws a kind around the point 0,0.
func SymbolShapes(kind string) []Shape {
	switch kind {
	case "black":
		return []Shape{
			{R: 17, Fill: "#1c1c1e", Stroke: "#000000", Width: 1},
			{D: "M-10 -8A13 13 0 0 1 2 -13", Stroke: "#6d6d72", Width: 2.5, Round: true},
		}
	case "white":
		return []Shape{{R: 17, Fill: "#fbfbf8", Stroke: "#55524a", Width: 1.2}}
	case "deadb":
		return []Shape{{R: 17, Fill: "#1c1c1e", Alpha: .5}, {D: "M-6 -6L6 6M6 -6L-6 6", Stroke: "#ffffff", Width: 2.5, Round: true}}
	case "deadw":
		return []Shape{
			{R: 17, Fill: "#fbfbf8", Stroke: "#55524a", Width: 1.2, Alpha: .5},
			{D: "M-6 -6L6 6M6 -6L-6 6", Stroke: "#1c1c1e", Width: 2.5, Round: true},
		}
	case "burnt":
		return []Shape{
			{X: -17, Y: -17, W: 34, H: 34, Corner: 4, Fill: "#8a5a3c"},
			{D: "M-8 -8L8 8M8 -8L-8 8", Stroke: "#f2d9c4", Width: 3, Round: true},
		}
	case "back":
		return back()
	}
	if list := markShapes(kind); list != nil {
		return list
	}
	fill := seatFill(kind)
	switch {
	case strings.HasPrefix(kind, "box"):
		return []Shape{{X: 4, Y: 4, W: 32, H: 32, Corner: 3, Fill: fill, Alpha: .35}}
	case strings.HasPrefix(kind, "hnew"):
		return []Shape{{D: "M5 0L35 0", Stroke: fill, Width: 9, Round: true}}
	case strings.HasPrefix(kind, "vnew"):
		return []Shape{{D: "M0 5L0 35", Stroke: fill, Width: 9, Round: true}}
	case kind[0] == 'h':
		return []Shape{{D: "M5 0L35 0", Stroke: fill, Width: 5, Round: true}}
	case kind[0] == 'v':
		return []Shape{{D: "M0 5L0 35", Stroke: fill, Width: 5, Round: true}}
	}
	return token(kind)
}

// markShapes draws what is said of the last move and of the end, nil for other kinds.
func markShapes(kind string) []Shape {
	switch kind {
	case "came":
		return []Shape{{X: -20, Y: -20, W: 40, H: 40, Fill: "#f59f00", Alpha: .42}}
	case "gone":
		return []Shape{{R: 8, Stroke: markInk, Width: 2}}
	case "last":
		return []Shape{{R: 6, Fill: markInk, Stroke: "#ffffff", Width: 1.5}}
	case "lastb":
		return []Shape{{R: 6, Stroke: "#ffffff", Width: 2.8}}
	case "lastw":
		return []Shape{{R: 6, Stroke: "#1c1c1e", Width: 2.8}}
	case "try":
		return []Shape{{D: "M-9 -9L9 9M9 -9L-9 9", Stroke: markInk, Width: 4, Round: true}}
	case "bar":
		return []Shape{{D: "M-5 -5L5 5M5 -5L-5 5", Stroke: markInk, Width: 2.5, Round: true, Alpha: .8}}
	case "won":
		return []Shape{{R: 17.5, Stroke: winInk, Width: 3.5}}
	case "fell":
		return []Shape{{R: 17.5, Stroke: markInk, Width: 3.5}}
	}
	switch {
	case strings.HasPrefix(kind, "row"):
		x, y := readOffset(kind[3:])
		return []Shape{{D: "M0 0L" + number(x) + " " + number(y), Stroke: winInk, Width: 4.5, Round: true}}
	case strings.HasPrefix(kind, "walk"):
		return arrow(readOffset(kind[4:]))
	case strings.HasPrefix(kind, "way"):
		return []Shape{{D: wayPath(kind), Stroke: wayInk, Width: 4.5, Round: true, Alpha: .8}}
	}
	return nil
}

// back is a piece that lies face down.
func back() []Shape {
	out := []Shape{{R: 17, Fill: "#7c3e25", Stroke: "#4a2211", Width: 1.2}, {R: 13.5, Stroke: "#d8a15f", Width: 1.3}}
	for _, d := range [][2]float64{{0, -8}, {7, -4}, {7, 4}, {0, 8}, {-7, 4}, {-7, -4}, {0, 0}} {
		out = append(out, Shape{X: d[0], Y: d[1], R: 2.2, Fill: "#d8a15f"})
	}
	return out
}

// token is a piece of dark chess, or one that is not known: upper case in red, lower
// case in black; with its character (f) or its letter (p).
func token(kind string) []Shape {
	piece := pieceOf(kind)
	ink := "#1c2024"
	if piece >= 'A' && piece <= 'Z' {
		ink = "#b3261e"
	}
	out := []Shape{{R: 17, Fill: "#f5e3bd", Stroke: "#a47c3c", Width: 1.2}, {R: 14.5, Stroke: ink, Width: 1.5}}
	if outline := face(piece); kind[0] == 'f' && outline != "" {
		return append(out, Shape{D: outline, Fill: ink, X: -11.5, Y: 8.7, Zoom: .023})
	}
	text := "?"
	if piece > ' ' && piece < 0x7f {
		text = strings.ToUpper(string(rune(piece)))
	}
	return append(out, Shape{Y: 7, Text: text, Size: 20, Bold: true, Fill: ink})
}
