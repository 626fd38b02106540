// Package renlib reads the libraries of RenLib: trees of variations of five in a
// row on a board of 15 by 15, with comments.
//
// A file has a header of 20 bytes and then nodes in depth-first order. A node is
// two bytes, the move and flags: the low half of the move byte is the column from
// 1, the high half the row from 0, both from the top left; 0 is a pass, or the
// root where it stands first.
package renlib

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"kibitz/game"
	"kibitz/record"
)

// Size is the side of the board.
const Size = 15

// Spec is the specification of a library's board. A library does not tell the
// rule; most are renju.
const Spec game.Spec = "gomoku:rule=renju,size=15"

// withPasses is that of a library in which somebody passes.
const withPasses = Spec + ",pass=true"

const (
	headerLen = 20
	maxDepth  = 1000 // beyond any game, so that a broken file ends early
)

// The flags of a node.
const (
	flagMore    = 0x80 // a sibling follows the subtree
	flagLeaf    = 0x40 // no child
	flagOld     = 0x20 // comment in the form of old versions
	flagMark    = 0x10
	flagComment = 0x08
	flagNoMove  = 0x02
	flagExtra   = 0x01 // two more bytes of flags

	extraText = 0x01 // of the first extra byte: a text on the board follows
)

// Node is one move of a library.
type Node struct {
	// Move is a stone or a pass.
	Move game.Move
	// Parent is the index of the node before it, -1 for a first move; Depth
	// counts the moves up to and including this one.
	Parent, Depth int
	// Title is the comment of one line, Comment the one of several lines, Text
	// what is written on the board at the point.
	Title, Comment, Text string
	Marked               bool
	// Offset is where the node stands in the file.
	Offset int
}

// Library is one file.
type Library struct {
	Major, Minor int
	// Title and Comment are those of the root.
	Title, Comment string
	// Nodes are in the order of the file: a parent before its children, siblings
	// in order.
	Nodes []Node
	// Warnings are what the reader passed over.
	Warnings []string
}

var magic = []byte{0xff, 'R', 'e', 'n', 'L', 'i', 'b', 0xff}

// Parse reads a file. A file that ends before its tree does is read as far as it
// goes, with a warning.
func Parse(data []byte) (*Library, error) {
	if len(data) < headerLen || !bytes.Equal(data[:len(magic)], magic) {
		return nil, record.Errorf(0, 0, "no RenLib library: it must start with FF \"RenLib\" FF and have a header of %d bytes", headerLen)
	}
	p := parser{lib: &Library{Major: int(data[8]), Minor: int(data[9])}, data: data, at: headerLen}
	if err := p.run(); err != nil {
		return nil, err
	}
	return p.lib, nil
}

type parser struct {
	lib  *Library
	data []byte
	at   int
	// open are the parents whose further children come after the subtree that is
	// being read; -2 stands for further children of nothing at all, the root.
	open []int
}

// run reads nodes until the tree is complete or the file ends.
func (p *parser) run() error {
	parent, first := -1, true
	for p.at+1 < len(p.data) {
		n, flags, err := p.node()
		if err != nil {
			return err
		}
		if first && n.Move.Op == game.Pass {
			first = false
			p.lib.Title, p.lib.Comment = n.Title, n.Comment
			if flags&flagLeaf != 0 {
				return p.rest()
			}
			continue
		}
		first = false
		n.Parent, n.Depth = parent, 1
		if parent >= 0 {
			n.Depth = p.lib.Nodes[parent].Depth + 1
		}
		if n.Depth > maxDepth {
			return record.Errorf(0, 0, "byte %d: a line of more than %d moves", n.Offset, maxDepth)
		}
		p.lib.Nodes = append(p.lib.Nodes, n)
		if flags&flagMore != 0 {
			p.open = append(p.open, parent)
		}
		if flags&flagLeaf == 0 {
			parent = len(p.lib.Nodes) - 1
			continue
		}
		k := len(p.open)
		if k == 0 {
			return p.rest()
		}
		parent, p.open = p.open[k-1], p.open[:k-1]
	}
	if n := len(p.open); n > 0 {
		p.warnf("the file ends where %d more variations are announced", n)
	}
	return p.rest()
}

// rest warns of bytes after the end of the tree.
func (p *parser) rest() error {
	if n := len(p.data) - p.at; n > 0 {
		p.warnf("%d bytes after the end of the tree are passed over", n)
	}
	return nil
}

func (p *parser) warnf(format string, args ...any) {
	p.lib.Warnings = append(p.lib.Warnings, fmt.Sprintf(format, args...))
}

// node reads one node with its comments.
func (p *parser) node() (Node, byte, error) {
	n := Node{Offset: p.at}
	b, flags := p.data[p.at], p.data[p.at+1]
	p.at += 2
	x, y := int(b&0x0f)-1, int(b>>4)
	switch {
	case b == 0 || flags&flagNoMove != 0:
		n.Move = game.PassMove()
	case x < 0 || y >= Size:
		return n, 0, record.Errorf(0, 0, "byte %d: %#02x is no point of a board of 15 by 15", n.Offset, b)
	default:
		n.Move = game.PlaceAt(game.Pt(x, y))
	}
	n.Marked = flags&flagMark != 0
	text := false
	if flags&flagExtra != 0 && p.at+1 < len(p.data) {
		text = p.data[p.at]&extraText != 0
		p.at += 2
	}
	if flags&(flagComment|flagOld) != 0 {
		n.Title, n.Comment, _ = strings.Cut(p.text(), "\b")
		n.Title, n.Comment = strings.TrimSpace(n.Title), strings.TrimSpace(n.Comment)
	}
	if text {
		n.Text = strings.TrimSpace(p.text())
	}
	return n, flags, nil
}

// text reads pairs of bytes up to one that holds a zero. Texts that are not UTF-8
// are read as Latin-1.
func (p *parser) text() string {
	from := p.at
	for p.at < len(p.data) {
		pair := p.data[p.at:min(p.at+2, len(p.data))]
		p.at += len(pair)
		if bytes.IndexByte(pair, 0) >= 0 {
			break
		}
	}
	s := p.data[from:p.at]
	if i := bytes.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	return latin(s)
}

func latin(s []byte) string {
	text := string(s)
	if strings.ToValidUTF8(text, "") == text {
		return strings.ReplaceAll(text, "\r\n", "\n")
	}
	r := make([]rune, len(s))
	for i, c := range s {
		r[i] = rune(c)
	}
	return strings.ReplaceAll(string(r), "\r\n", "\n")
}

// Read reads a file as one game: the first line of the library are its steps, the
// others stand among the Variations of the step they replace.
func Read(data []byte) (*record.Game, error) {
	lib, err := Parse(data)
	if err != nil {
		return nil, err
	}
	return lib.Game(), nil
}

// Game returns the library as one game.
func (l *Library) Game() *record.Game {
	children := make([][]int, len(l.Nodes)+1) // of node i at i+1, of the root at 0
	for i := range l.Nodes {
		p := l.Nodes[i].Parent + 1
		children[p] = append(children[p], i)
	}
	spec := Spec
	if slices.ContainsFunc(l.Nodes, func(n Node) bool { return n.Move.Op == game.Pass }) {
		spec = withPasses
	}
	return &record.Game{
		Spec: spec, Comment: join(l.Title, l.Comment), Warnings: l.Warnings,
		Steps: l.line(children, children[0]),
	}
}

// line builds the steps that start with the first of siblings; the recursion goes
// as deep as variations lie in variations.
func (l *Library) line(children [][]int, siblings []int) []record.Step {
	var steps []record.Step
	for len(siblings) > 0 {
		s := l.step(siblings[0])
		for _, v := range siblings[1:] {
			branch := l.line(children, children[v+1])
			s.Variations = append(s.Variations, append([]record.Step{l.step(v)}, branch...))
		}
		steps = append(steps, s)
		siblings = children[siblings[0]+1]
	}
	return steps
}

func (l *Library) step(i int) record.Step {
	n := &l.Nodes[i]
	return record.Step{By: game.Seat((n.Depth - 1) % 2), Move: n.Move, Comment: join(n.Title, n.Comment, n.Text)}
}

func join(parts ...string) string {
	var list []string
	for _, p := range parts {
		if p != "" {
			list = append(list, p)
		}
	}
	return strings.Join(list, "\n")
}
