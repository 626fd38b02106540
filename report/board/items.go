package board

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"kibitz/game"
)

// Item is one thing on a board: a piece, a drawn line, a taken box, the mark of
// the last move.
type Item struct {
	// Kind names the symbol; X and Y are the place in units of the picture.
	Kind string
	X, Y int
}

// Use returns the element that shows the item; its symbol must be in the document.
func (it Item) Use() string {
	return fmt.Sprintf(`<use href="#kb-%s" x="%d" y="%d"/>`, it.Kind, it.X, it.Y)
}

// Items returns what stands on the board, in the order in which it is drawn.
func Items(v *game.View) []Item {
	var out []Item
	put := func(kind string, at game.Point) {
		out = append(out, Item{kind, middle(int(at.X)), middle(int(at.Y))})
	}
	for i, c := range v.Cells {
		if at := game.Pt(i%max(1, v.Width), i/max(1, v.Width)); c.Piece != 0 {
			put(kindOf(v.Shape, c), at)
		}
	}
	for _, l := range v.Lines {
		way := "h"
		if l.Vertical {
			way = "v"
		}
		put(way+owner(l.By), l.At)
	}
	for i, at := range v.Marks {
		if !slices.Contains(v.Marks[:i], at) {
			put(markOf(v, at), at)
		}
	}
	for _, at := range v.Attempts {
		put("try", at)
	}
	return out
}

// markOf is the mark of the last move: a ring where it would hide a letter.
func markOf(v *game.View, at game.Point) string {
	switch {
	case v.Shape == game.Dots:
		return "dot"
	case at.On(v.Width, v.Height) && at.Index(v.Width) < len(v.Cells) && v.At(at).Piece != 0 && kindOf(v.Shape, v.At(at))[0] == 'p':
		return "ring"
	}
	return "mark"
}

// Kinds returns the kinds of items, each once, in order.
func Kinds(items []Item) []string {
	var out []string
	for _, it := range items {
		out = append(out, it.Kind)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// owner is the seat's part of a kind: 0, 1, or n for what nobody owns.
func owner(s game.Seat) string {
	switch s {
	case game.First:
		return "0"
	case game.Second:
		return "1"
	}
	return "n"
}

func kindOf(shape game.Shape, c game.Cell) string {
	if shape == game.Dots {
		return "box" + owner(c.Owner)
	}
	switch c.Piece {
	case 'B', 'b':
		return "black"
	case 'W', 'w':
		return "white"
	case '#':
		return "burnt"
	case 'X':
		return "back"
	}
	return fmt.Sprintf("p%02x", c.Piece)
}

// The colours of the seats where the game has none of its own.
var seatFill = map[byte]string{'0': "#2f6fd6", '1': "#d9622b", 'n': "#777"}

// Symbols returns the definitions of the kinds, for one use in a document.
func Symbols(kinds []string) string {
	var b strings.Builder
	b.WriteString("<defs>")
	for _, k := range kinds {
		fmt.Fprintf(&b, `<g id="kb-%s">%s</g>`, html.EscapeString(k), symbol(k))
	}
	b.WriteString("</defs>")
	return b.String()
}

// symbol draws a kind around the point 0,0.
func symbol(kind string) string {
	switch kind {
	case "black":
		return `<circle r="17" fill="#1c1c1e" stroke="#000" stroke-width="1"/><path d="M-10 -8A13 13 0 0 1 2 -13" fill="none" stroke="#6d6d72" stroke-width="2.5" stroke-linecap="round"/>`
	case "white":
		return `<circle r="17" fill="#fbfbf8" stroke="#55524a" stroke-width="1.2"/>`
	case "burnt":
		return `<rect x="-17" y="-17" width="34" height="34" rx="4" fill="#8a5a3c"/><path d="M-8 -8L8 8M8 -8L-8 8" stroke="#f2d9c4" stroke-width="3" stroke-linecap="round"/>`
	case "back":
		return `<circle r="17" fill="#7b6aa8" stroke="#4d4175" stroke-width="1.5"/><circle r="10" fill="none" stroke="#c9bde8" stroke-width="2"/>`
	case "mark":
		return `<circle r="6" fill="#e23b3b" stroke="#fff" stroke-width="1.5"/>`
	case "ring":
		return `<circle r="18.5" fill="none" stroke="#e23b3b" stroke-width="3"/>`
	case "dot":
		return `<circle r="7" fill="none" stroke="#c22" stroke-width="2.5"/>`
	case "try":
		return `<path d="M-9 -9L9 9M9 -9L-9 9" stroke="#c22" stroke-width="4" stroke-linecap="round"/>`
	}
	fill := seatFill[kind[len(kind)-1]]
	switch {
	case strings.HasPrefix(kind, "box"):
		return fmt.Sprintf(`<rect x="4" y="4" width="32" height="32" rx="3" fill="%s" fill-opacity=".35"/>`, fill)
	case kind[0] == 'h':
		return fmt.Sprintf(`<path d="M5 0H35" stroke="%s" stroke-width="5" stroke-linecap="round"/>`, fill)
	case kind[0] == 'v':
		return fmt.Sprintf(`<path d="M0 5V35" stroke="%s" stroke-width="5" stroke-linecap="round"/>`, fill)
	}
	return token(kind)
}

// token is a piece with a letter: upper case in red, lower case in black.
func token(kind string) string {
	var piece byte
	fmt.Sscanf(kind, "p%02x", &piece) //nolint:errcheck // 0 is drawn as a question mark
	ink := "#1c1c1e"
	if piece >= 'A' && piece <= 'Z' {
		ink = "#b3201f"
	}
	text := "?"
	if piece > ' ' && piece < 0x7f {
		text = html.EscapeString(string(rune(piece)))
	}
	return fmt.Sprintf(`<circle r="17" fill="#f7e6c4" stroke="%s" stroke-width="2"/><text y="7" font-family="Georgia,serif" font-size="21" font-weight="bold" text-anchor="middle" fill="%[1]s">%s</text>`, ink, text)
}
