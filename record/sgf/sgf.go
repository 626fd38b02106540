// Package sgf reads and writes the smart game format, FF[4], in two layers: trees
// of nodes with properties, for any game, and records of the games that have a
// mapping here: Go (GM[1], also for Phantom Go and NoGo), Othello (GM[2]), Gomoku
// and Renju (GM[4], also for Connect6, which has no number), Amazons (GM[18]).
//
// The reader is lenient where meaning is not lost: text around the games, long
// property names of FF[3], missing brackets at the end, files without CA that are
// UTF-8. What it passes over becomes a warning. Black is seat First, but in games
// with the swap2 opening, where the record says who decided what.
package sgf

import (
	"strings"
)

// Property is one property of a node with its values as written, escapes
// included, in UTF-8.
type Property struct {
	Key    string
	Values []string
	// Line and Column are where the key stands, from 1, columns in bytes.
	Line, Column int
}

// Node is one node of a tree. Next are the nodes that may follow; the first is
// the main line.
type Node struct {
	Props        []Property
	Next         []*Node
	Line, Column int
}

// Tree is one game tree of a file.
type Tree struct {
	// Root is in UTF-8, whatever the file was in, and its CA says so.
	Root *Node
	// Warnings are what the reader passed over.
	Warnings []string
}

// Get returns the property with the key, nil if there is none.
func (n *Node) Get(key string) *Property {
	for i := range n.Props {
		if n.Props[i].Key == key {
			return &n.Props[i]
		}
	}
	return nil
}

// Text returns the first value of the property as text (line breaks kept), empty
// if there is none.
func (n *Node) Text(key string) string {
	if p := n.Get(key); p != nil && len(p.Values) > 0 {
		return Text(p.Values[0])
	}
	return ""
}

// Simple returns the first value of the property as simple text, on one line and
// without blanks around it.
func (n *Node) Simple(key string) string {
	if p := n.Get(key); p != nil && len(p.Values) > 0 {
		return Simple(p.Values[0])
	}
	return ""
}

// Set sets a property to values that need no escapes yet.
func (n *Node) Set(key string, values ...string) {
	raw := make([]string, len(values))
	for i, v := range values {
		raw[i] = Escape(v)
	}
	if p := n.Get(key); p != nil {
		p.Values = raw
		return
	}
	n.Props = append(n.Props, Property{Key: key, Values: raw})
}

// Text undoes the escapes of a value of type Text: a backslash before a line end
// removes both, before anything else it is dropped; other blanks become spaces.
func Text(raw string) string {
	if !strings.ContainsAny(raw, "\\\r\t\v\f") {
		return raw
	}
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '\\' && i+1 < len(raw) {
			i++
			if n := lineEnd(raw[i:]); n > 0 {
				i += n - 1
				continue
			}
			c = raw[i]
		} else if n := lineEnd(raw[i:]); n > 0 {
			i += n - 1
			b.WriteByte('\n')
			continue
		} else if c == '\\' {
			continue // a lone backslash at the very end
		}
		if c == '\t' || c == '\v' || c == '\f' {
			c = ' '
		}
		b.WriteByte(c)
	}
	return b.String()
}

// lineEnd returns the length of the line end at the start of s, 0 if there is
// none: LF, CR, CRLF or LFCR.
func lineEnd(s string) int {
	if s == "" || s[0] != '\n' && s[0] != '\r' {
		return 0
	}
	if len(s) > 1 && (s[1] == '\n' || s[1] == '\r') && s[1] != s[0] {
		return 2
	}
	return 1
}

// Simple undoes the escapes of a value of type SimpleText: as Text, with line
// ends as spaces and no blanks around it.
func Simple(raw string) string {
	return strings.TrimSpace(strings.ReplaceAll(Text(raw), "\n", " "))
}

// Escape writes a text as a property value.
func Escape(text string) string {
	if !strings.ContainsAny(text, `\]`) {
		return text
	}
	return strings.NewReplacer(`\`, `\\`, `]`, `\]`).Replace(text)
}

// Append writes trees, one after the other, each on lines of its own.
func Append(dst []byte, trees ...*Tree) []byte {
	for _, t := range trees {
		dst = appendTree(dst, t.Root)
		dst = append(dst, '\n')
	}
	return dst
}

// frame is a branch that is still open in writing.
type frame struct {
	node *Node
	next int // the branch to write next
}

// appendTree walks with a stack of its own, so that no depth is too much.
func appendTree(dst []byte, root *Node) []byte {
	dst = append(dst, '(')
	column := 1
	var open []frame
	for n := root; ; {
		for ; n != nil; n = n.only() {
			dst, column = appendNode(dst, n, column)
			if len(n.Next) > 1 {
				open = append(open, frame{n, 0})
				break
			}
		}
		for {
			if len(open) == 0 {
				return append(dst, ')')
			}
			top := &open[len(open)-1]
			if top.next > 0 {
				dst = append(dst, ')')
			}
			if top.next < len(top.node.Next) {
				n = top.node.Next[top.next]
				top.next++
				dst = append(dst, "\n("...)
				column = 1
				break
			}
			open = open[:len(open)-1]
		}
	}
}

// only returns the node that follows without a choice, nil otherwise.
func (n *Node) only() *Node {
	if len(n.Next) == 1 {
		return n.Next[0]
	}
	return nil
}

const wrap = 70

func appendNode(dst []byte, n *Node, column int) ([]byte, int) {
	if column > wrap {
		dst = append(dst, '\n')
		column = 0
	}
	start := len(dst)
	dst = append(dst, ';')
	for i := range n.Props {
		dst = append(dst, n.Props[i].Key...)
		for _, v := range n.Props[i].Values {
			dst = append(dst, '[')
			dst = append(dst, v...)
			dst = append(dst, ']')
		}
	}
	return dst, column + len(dst) - start
}
