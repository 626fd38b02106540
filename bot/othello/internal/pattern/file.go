package pattern

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Step is the precision of weights in a file, in parts of a disc.
const Step = 8

// Canonical returns for each weight the number of the first weight that is the
// same by symmetry: lines read from either end, corners along either side.
func Canonical() []int32 {
	c := make([]int32, Count)
	for i := range c {
		c[i] = int32(i)
	}
	for p, size := range sizes {
		n := int32(1)
		for range size {
			n *= 3
		}
		for i := range n {
			if m := mirrored(p, size, i); m < i {
				c[offsets[p]+i] = offsets[p] + m
			}
		}
	}
	return c
}

// mirrored returns the number of a pattern's content seen in a mirror.
func mirrored(pattern, size int, content int32) int32 {
	var d, m [10]int32
	for i := range size {
		d[i] = content % 3
		content /= 3
	}
	for i := range size {
		m[mirrorPlace(pattern, size, i)] = d[i]
	}
	back := int32(0)
	for i := size - 1; i >= 0; i-- {
		back = back*3 + m[i]
	}
	return back
}

func mirrorPlace(pattern, size, i int) int {
	switch {
	case pattern == corner:
		return i%3*3 + i/3
	case pattern == block: // none of its places is the mirror of itself
		return i
	case pattern == triangle:
		return int([...]int8{0, 4, 7, 9, 1, 5, 8, 2, 6, 3}[i])
	case pattern == edgeX && i >= 8:
		return 17 - i
	case pattern == edgeX:
		return 7 - i
	}
	return size - 1 - i
}

// Write packs the weights, rounded to Step and one of each symmetric pair.
func (w *Weights) Write(out io.Writer) error {
	canon := Canonical()
	pack, err := flate.NewWriter(out, flate.BestCompression)
	if err != nil {
		return err
	}
	var buf []byte
	zeros := uint64(0)
	for _, set := range w {
		for i, v := range set {
			if canon[i] != int32(i) {
				continue
			}
			q := (int64(v) + Step/2 + 1<<20*Step) / Step
			if q -= 1 << 20; q == 0 {
				zeros++
				continue
			}
			buf = binary.AppendUvarint(buf, zeros)
			buf = binary.AppendVarint(buf, q)
			zeros = 0
		}
	}
	buf = binary.AppendUvarint(buf, zeros)
	if _, err := pack.Write(buf); err != nil {
		return err
	}
	return pack.Close()
}

var errShort = errors.New("the file ends too early")

// Read unpacks what Write has packed.
func Read(packed []byte) (*Weights, error) {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	canon := Canonical()
	w := new(Weights)
	zeros, n := binary.Uvarint(data)
	for s := range w {
		w[s] = make([]int16, Count)
		for i := range w[s] {
			switch {
			case canon[i] != int32(i):
				w[s][i] = w[s][canon[i]]
				continue
			case zeros > 0:
				zeros--
				continue
			}
			if data = data[max(n, 0):]; len(data) == 0 || n <= 0 {
				return nil, fmt.Errorf("weights: %w", errShort)
			}
			q, k := binary.Varint(data)
			if k <= 0 {
				return nil, fmt.Errorf("weights: %w", errShort)
			}
			w[s][i] = int16(q * Step)
			data = data[k:]
			zeros, n = binary.Uvarint(data)
		}
	}
	return w, nil
}
