package sgf

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"kibitz/record"
)

// Bounds of a file, far above what anybody plays.
const (
	maxNodes  = 1 << 20 // nodes of one game
	maxValues = 1 << 16 // values of one property
)

// Parse returns the game trees of a file. A tree that cannot be read is left out;
// the error then joins a *record.Error for each, with line and column, and the
// other trees are returned beside it.
func Parse(data []byte) ([]*Tree, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var whole string // a charset in which brackets cannot be told before decoding
	if name := findCA(data); name != "" {
		if e, ok := charset(name); ok && multibyte(e) {
			whole = name
		}
	}
	var warning string
	if whole != "" {
		data, warning, _ = decode(data, whole)
	}
	var trees []*Tree
	var errs []error
	p := &parser{data: data, line: 1, column: 1}
	for n := 0; p.findTree(n == 0); n++ {
		tree, err := p.oneTree(whole)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if warning != "" {
			tree.Warnings = append(tree.Warnings, warning)
			warning = ""
		}
		trees = append(trees, tree)
	}
	if len(trees) == 0 && len(errs) == 0 {
		errs = append(errs, record.Errorf(1, 1, "no game: SGF begins with \"(;\""))
	}
	return trees, errors.Join(errs...)
}

// parser walks over bytes and knows where it is.
type parser struct {
	data         []byte
	at           int
	line, column int
}

func (p *parser) next() {
	if p.data[p.at] == '\n' || p.data[p.at] == '\r' && (p.at+1 == len(p.data) || p.data[p.at+1] != '\n') {
		p.line++
		p.column = 0
	}
	p.at++
	p.column++
}

func (p *parser) peek() byte {
	if p.at < len(p.data) {
		return p.data[p.at]
	}
	return 0
}

func (p *parser) blanks() {
	for p.at < len(p.data) && p.data[p.at] <= ' ' {
		p.next()
	}
}

// findTree moves to the next "(" that opens a tree; text before the first game
// that is not part of one is passed over if a "(;" follows.
func (p *parser) findTree(first bool) bool {
	if first {
		p.blanks()
		if p.peek() != '(' {
			i := bytes.Index(p.data[p.at:], []byte("(;"))
			if i < 0 {
				return false
			}
			for range i {
				p.next()
			}
		}
		return p.at < len(p.data)
	}
	for p.at < len(p.data) && p.data[p.at] != '(' {
		p.next()
	}
	return p.at < len(p.data)
}

// oneTree reads the tree at the position, in the charset that its CA names.
func (p *parser) oneTree(whole string) (*Tree, error) {
	start, line, column := p.at, p.line, p.column
	p.skipTree()
	raw := p.data[start:p.at]
	name, text, warning := whole, raw, ""
	if whole == "" {
		name = findCA(raw)
		var ok bool
		if text, warning, ok = decode(raw, name); !ok {
			return nil, record.Errorf(line, column, "unknown charset %q in CA", name)
		}
	}
	tree, err := (&parser{data: text, line: line, column: column}).tree()
	if err != nil {
		return nil, err
	}
	if warning != "" {
		tree.Warnings = append(tree.Warnings, warning)
	}
	if name != "" || bytes.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		tree.Root.Set("CA", "UTF-8")
	}
	return tree, nil
}

// skipTree moves behind the bracket that closes the tree, or to the end.
func (p *parser) skipTree() {
	depth := 0
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case '[':
			p.skipValue()
			continue
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				p.next()
				return
			}
		}
		p.next()
	}
}

// skipValue moves behind the "]" of the value at the position.
func (p *parser) skipValue() {
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case '\\':
			p.next()
			if p.at == len(p.data) {
				return
			}
		case ']':
			p.next()
			return
		}
		p.next()
	}
}

// tree reads "(;...)" with a stack of its own.
func (p *parser) tree() (*Tree, error) {
	t := &Tree{}
	var open []*Node // the node before each open bracket, nil for the outermost
	var last *Node   // the node that a next one follows
	nodes := 0
	for p.at < len(p.data) {
		p.blanks()
		switch c := p.peek(); {
		case p.at == len(p.data):
		case c == '(':
			if len(open) > 0 && last == nil {
				return nil, record.Errorf(p.line, p.column, "a variation begins before the first node")
			}
			open = append(open, last)
			p.next()
		case c == ')':
			p.next()
			last = open[len(open)-1]
			open = open[:len(open)-1]
			if len(open) == 0 {
				return t, t.check()
			}
		case c == ';':
			if nodes++; nodes > maxNodes {
				return nil, record.Errorf(p.line, p.column, "more than %d nodes in one game", maxNodes)
			}
			n := &Node{Line: p.line, Column: p.column}
			p.next()
			if err := p.properties(t, n); err != nil {
				return nil, err
			}
			if last == nil {
				if t.Root != nil {
					return nil, record.Errorf(n.Line, n.Column, "a second root node in one game")
				}
				t.Root = n
			} else {
				last.Next = append(last.Next, n)
			}
			last = n
		case isLetter(c):
			return nil, record.Errorf(p.line, p.column, "a property before the first node: \";\" is missing")
		default:
			t.Warnings = append(t.Warnings, fmt.Sprintf("line %d, column %d: %q passed over", p.line, p.column, c))
			p.next()
		}
		if len(t.Warnings) > 100 {
			return nil, record.Errorf(p.line, p.column, "this is not SGF")
		}
	}
	t.Warnings = append(t.Warnings, "the file ends before the game does")
	return t, t.check()
}

func (t *Tree) check() error {
	if t.Root == nil {
		return record.Errorf(1, 1, "a game without nodes")
	}
	return nil
}

func (p *parser) properties(t *Tree, n *Node) error {
	for {
		p.blanks()
		line, column := p.line, p.column
		key, long := p.key()
		if key == "" {
			if long {
				return record.Errorf(line, column, "a property name without capital letters")
			}
			return nil
		}
		p.blanks()
		if p.peek() != '[' {
			return record.Errorf(p.line, p.column, "property %s has no value: \"[\" is missing", key)
		}
		prop := Property{Key: key, Line: line, Column: column}
		for p.peek() == '[' {
			if len(prop.Values) == maxValues {
				return record.Errorf(p.line, p.column, "more than %d values of property %s", maxValues, key)
			}
			v, ok := p.value()
			if !ok {
				return record.Errorf(line, column, "the value of property %s never ends: \"]\" is missing", key)
			}
			prop.Values = append(prop.Values, v)
			p.blanks()
		}
		if have := n.Get(key); have != nil {
			t.Warnings = append(t.Warnings, fmt.Sprintf("line %d, column %d: property %s twice in one node", line, column, key))
			have.Values = append(have.Values, prop.Values...)
			continue
		}
		n.Props = append(n.Props, prop)
	}
}

func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

// key reads a property name; of the long names of old files the capital letters
// count.
func (p *parser) key() (key string, any bool) {
	var b []byte
	for isLetter(p.peek()) || len(b) > 0 && p.peek() >= '0' && p.peek() <= '9' {
		any = true
		if c := p.peek(); c < 'a' {
			b = append(b, c)
		}
		p.next()
	}
	return string(b), any
}

// value reads "[...]" and returns what is within, escapes included.
func (p *parser) value() (string, bool) {
	p.next()
	start := p.at
	for p.at < len(p.data) {
		switch p.data[p.at] {
		case '\\':
			p.next()
			if p.at == len(p.data) {
				return "", false
			}
		case ']':
			v := string(p.data[start:p.at])
			p.next()
			return v, true
		}
		p.next()
	}
	return "", false
}
