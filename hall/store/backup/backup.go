// Package backup writes all that a store holds into one file, and reads it again.
package backup

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/game"
	"kibitz/hall/store"
)

// A backup is text, compressed with zstd: a line with its head, a line for each row of
// the dump (the table, a space, the row as JSON), and a line with the checksum of all
// lines before.
const (
	format  = 1
	sumWord = "sha256 "
	// maxLine bounds a line, in bytes; no message of a hall is nearly as long.
	maxLine = 64 << 20
	// maxWindow bounds what unpacking a file may ask for, in bytes.
	maxWindow = 32 << 20
)

// Head is the first line: the format, the program that wrote it, and when.
type Head struct {
	Format  int       `json:"kibitz-backup"`
	Program string    `json:"program"`
	Time    time.Time `json:"time"`
}

// Write writes the content of a store and returns how many rows it has.
func Write(ctx context.Context, w io.Writer, s store.Store, program string, now time.Time) (rows int, err error) {
	b, err := NewWriter(w, program, now)
	if err != nil {
		return 0, err
	}
	if err := s.Dump(ctx, b); err != nil {
		return 0, errors.Join(err, b.Discard())
	}
	return b.rows, b.Finish()
}

// Writer writes a backup row by row.
type Writer struct {
	pack *zstd.Encoder
	sum  hash.Hash
	rows int
}

// NewWriter begins a backup that a program makes at a time.
func NewWriter(w io.Writer, program string, now time.Time) (*Writer, error) {
	pack, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	b := &Writer{pack: pack, sum: sha256.New()}
	head, err := json.Marshal(Head{Format: format, Program: program, Time: now.UTC()})
	if err == nil {
		err = b.line(head)
	}
	return b, err
}

// line writes a line that the checksum covers.
func (b *Writer) line(parts ...[]byte) error {
	n := 0
	for _, p := range parts {
		n += len(p)
		if bytes.IndexByte(p, '\n') >= 0 {
			return errors.New("a row of the database is more than a line")
		}
	}
	if n > maxLine {
		return fmt.Errorf("a row of the database has %d bytes, a backup takes up to %d", n, maxLine)
	}
	for _, p := range append(parts, []byte("\n")) {
		b.sum.Write(p)
		if _, err := b.pack.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// Row implements store.Writer.
func (b *Writer) Row(table string, row []byte) error {
	b.rows++
	return b.line([]byte(table), []byte(" "), row)
}

// Finish writes the checksum and all that is held back.
func (b *Writer) Finish() error {
	if _, err := fmt.Fprintf(b.pack, "%s%x\n", sumWord, b.sum.Sum(nil)); err != nil {
		return errors.Join(err, b.Discard())
	}
	return b.pack.Close()
}

// Discard ends a backup that nobody is to read.
func (b *Writer) Discard() error {
	b.pack.Reset(nil)
	return b.pack.Close()
}

// Reader reads a backup row by row. It gives the last row only when the checksum
// of the whole is right, so that nothing damaged is ever loaded.
type Reader struct {
	// Head is what the backup says of itself.
	Head Head

	unpack *zstd.Decoder
	in     *bufio.Reader
	sum    hash.Hash
	// next is the line after the last row given, nil after the checksum.
	next []byte
	rows int
}

// errCutOff is what a backup without an end is told by.
var errCutOff = errors.New("the backup is cut off: the end of the file is missing")

// NewReader reads the head of a backup. Close releases the reader.
func NewReader(in io.Reader) (r *Reader, err error) {
	unpack, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, fmt.Errorf("this is no backup: %w", err)
	}
	defer func() {
		if err != nil {
			unpack.Close()
		}
	}()
	r = &Reader{unpack: unpack, in: bufio.NewReaderSize(unpack, 1<<16), sum: sha256.New()}
	first, err := r.line(1 << 12)
	if err != nil {
		return nil, fmt.Errorf("this is no backup: %w", err)
	}
	if err := json.Unmarshal(first, &r.Head); err != nil || r.Head.Format < 1 {
		return nil, errors.New("this is no backup: kibitz backup writes one")
	}
	if r.Head.Format > format {
		return nil, fmt.Errorf("the backup has format %d, kibitz %s wrote it; this program reads formats up to %d: use one as new as that",
			r.Head.Format, game.Shown(r.Head.Program, 40), format)
	}
	r.sum.Write(append(first, '\n'))
	return r, r.ahead()
}

// Close releases the reader.
func (r *Reader) Close() { r.unpack.Close() }

// Rows is how many rows were read.
func (r *Reader) Rows() int { return r.rows }

// line reads a line of up to most bytes.
func (r *Reader) line(most int) ([]byte, error) {
	var out []byte
	for {
		part, err := r.in.ReadSlice('\n')
		out = append(out, part...)
		switch {
		case len(out) > most+1:
			return nil, fmt.Errorf("a line has more than %d bytes", most)
		case err == nil:
			return out[:len(out)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil, errCutOff
		default:
			return nil, fmt.Errorf("the file is damaged: %w", err)
		}
	}
}

// ahead reads the next line, and all that follows it if it is the checksum.
func (r *Reader) ahead() error {
	line, err := r.line(maxLine)
	if err != nil {
		return err
	}
	text, ok := bytes.CutPrefix(line, []byte(sumWord))
	if !ok {
		r.sum.Write(line)
		r.sum.Write([]byte("\n"))
		r.next = line
		return nil
	}
	r.next = nil
	if want, err := hex.DecodeString(string(text)); err != nil || subtle.ConstantTimeCompare(want, r.sum.Sum(nil)) != 1 {
		return errors.New("the backup is damaged: its checksum is wrong")
	}
	if _, err := r.in.ReadByte(); !errors.Is(err, io.EOF) {
		return errors.New("the backup is damaged: something follows its end")
	}
	return nil
}

// Row implements store.Reader.
func (r *Reader) Row() (table string, row []byte, err error) {
	if r.next == nil {
		return "", nil, io.EOF
	}
	name, row, ok := bytes.Cut(r.next, []byte(" "))
	if !ok {
		return "", nil, fmt.Errorf("line %d of the backup is no row: a table, a space, the row", r.rows+2)
	}
	if err := r.ahead(); err != nil {
		return "", nil, err
	}
	r.rows++
	return string(name), row, nil
}
