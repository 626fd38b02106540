// Package consolelog is what an engine printed in a whole game, as a worker makes it and a hall keeps it:
// lines in compressed blocks behind an index, so that those of a turn are read without the others.
//
// It is one zstd file. Its first frame is skipped by who decompresses it, and is the index; the next one has
// a line of JSON about the console, and each further one lines of JSON, a console's line each.
package consolelog

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"kibitz/hall/bus"
)

const (
	// blockBytes is about how much text a block has, before it is compressed.
	blockBytes = 64 << 10
	// mostText and mostPacked bound a log, before it is compressed and after: the oldest blocks go.
	mostText, mostPacked = 10 << 20, 2 << 20
	// skipped begins a frame that is skipped.
	skipped = 0x184D2A50
)

// ErrFormat tells that data is no log.
var ErrFormat = errors.New("not a log of a console")

// block is a part of a log, in the index.
type block struct {
	// Lines are so many, Last is the greatest number of decisions before one.
	Lines int `json:"lines"`
	Last  int `json:"last"`
	// Bytes is how long its frame is.
	Bytes int `json:"bytes"`

	data []byte
	text int
}

// Writer makes a log.
type Writer struct {
	pack   *zstd.Encoder
	blocks []block
	open   block
	text   int
	packed int
	err    error
}

// NewWriter returns a Writer that compresses with an encoder.
func NewWriter(pack *zstd.Encoder) *Writer { return &Writer{pack: pack} }

// Add adds a line. Log tells if it could not.
func (w *Writer) Add(l *bus.ConsoleLine) {
	data, err := json.Marshal(l)
	if err != nil {
		w.err = err
		return
	}
	o := &w.open
	o.Lines, o.Last, o.text = o.Lines+1, max(o.Last, l.Ply), o.text+len(l.Text)+1
	if o.data = append(append(o.data, data...), '\n'); o.text >= blockBytes {
		w.close()
	}
}

// close ends the block that is written, and drops the oldest ones if there are too many.
func (w *Writer) close() {
	if w.open.Lines == 0 {
		return
	}
	b := w.open
	b.data = w.pack.EncodeAll(b.data, nil)
	b.Bytes = len(b.data)
	w.open = block{}
	w.blocks = append(w.blocks, b)
	w.text, w.packed = w.text+b.text, w.packed+b.Bytes
	for len(w.blocks) > 1 && (w.text > mostText || w.packed > mostPacked) {
		w.text, w.packed = w.text-w.blocks[0].text, w.packed-w.blocks[0].Bytes
		w.blocks = w.blocks[1:]
	}
}

// Log returns what was added, and what the console is, without lines.
func (w *Writer) Log(c bus.Console) ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	w.close()
	c.Lines = nil
	head, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	index, err := json.Marshal(w.blocks)
	if err != nil {
		return nil, err
	}
	out := binary.LittleEndian.AppendUint32(nil, skipped)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(index)))
	out = append(out, index...)
	out = w.pack.EncodeAll(append(head, '\n'), out)
	for _, b := range w.blocks {
		out = append(out, b.data...)
	}
	return out, nil
}

// Log is one that is read.
type Log struct {
	// Console has no lines.
	bus.Console
	// Opened counts the blocks that were decompressed.
	Opened int

	unpack *zstd.Decoder
	blocks []block
	frames []byte // of all blocks
	lines  int
}

// Open reads the index of a log. One that was made before there were any is a single block.
func Open(unpack *zstd.Decoder, data []byte) (*Log, error) {
	out := &Log{unpack: unpack}
	if len(data) < 8 || binary.LittleEndian.Uint32(data) != skipped {
		return out, out.old(data)
	}
	n := int(binary.LittleEndian.Uint32(data[4:]))
	if n > len(data)-8 {
		return nil, ErrFormat
	}
	if err := json.Unmarshal(data[8:8+n], &out.blocks); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	data = data[8+n:]
	all := 0
	for i := range out.blocks {
		b := &out.blocks[i]
		if b.Bytes < 0 || b.Bytes > len(data)-all || b.Lines < 0 || b.Lines > mostText {
			return nil, ErrFormat
		}
		all += b.Bytes
		out.lines += b.Lines
	}
	head, err := unpack.DecodeAll(data[:len(data)-all], nil)
	if err != nil {
		return nil, err
	}
	out.frames = data[len(data)-all:]
	return out, json.Unmarshal(head, &out.Console)
}

// old reads a log without an index.
func (g *Log) old(data []byte) error {
	text, err := g.unpack.DecodeAll(data, nil)
	if err != nil {
		return err
	}
	head, text, _ := bytes.Cut(text, []byte("\n"))
	if err := json.Unmarshal(head, &g.Console); err != nil {
		return err
	}
	g.lines = bytes.Count(text, []byte("\n"))
	g.blocks = []block{{Lines: g.lines, Last: int(^uint(0) >> 1), data: text}}
	return nil
}

// First is the number of the first line that was kept.
func (g *Log) First() int { return g.Next - g.lines }

// From returns so many lines from a number on, fewer at the end, and the number of the first of them.
func (g *Log) From(number, most int) ([]bus.ConsoleLine, int, error) {
	at, offset := g.First(), 0
	number = min(max(number, at), g.Next)
	var out []bus.ConsoleLine
	for i := range g.blocks {
		b := &g.blocks[i]
		if at+b.Lines > number+len(out) && len(out) < most {
			list, err := g.read(b, offset)
			if err != nil {
				return nil, 0, err
			}
			list = list[number+len(out)-at:]
			out = append(out, list[:min(len(list), most-len(out))]...)
		}
		at, offset = at+b.Lines, offset+b.Bytes
	}
	return out, number, nil
}

func (g *Log) read(b *block, offset int) ([]bus.ConsoleLine, error) {
	if b.data == nil {
		g.Opened++
		var err error
		if b.data, err = g.unpack.DecodeAll(g.frames[offset:offset+b.Bytes], nil); err != nil {
			return nil, err
		}
	}
	var out []bus.ConsoleLine
	for line := range bytes.Lines(b.data) {
		var l bus.ConsoleLine
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	if len(out) != b.Lines {
		return nil, ErrFormat
	}
	return out, nil
}

// At is the number of the first line that passed when so many decisions had been made, or more.
func (g *Log) At(ply int) (int, error) {
	at, offset := g.First(), 0
	for i := range g.blocks {
		b := &g.blocks[i]
		if b.Last >= ply {
			list, err := g.read(b, offset)
			if err != nil {
				return 0, err
			}
			for k := range list {
				if list[k].Ply >= ply {
					return at + k, nil
				}
			}
		}
		at, offset = at+b.Lines, offset+b.Bytes
	}
	return g.Next, nil
}
