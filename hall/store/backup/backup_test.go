package backup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// packedText is a file whose content is well packed, whatever it says.
func packedText(t testing.TB, text string) []byte {
	t.Helper()
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return enc.EncodeAll([]byte(text), nil)
}

// backupOf is the file of some rows.
func backupOf(t testing.TB, rows ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, "test", time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Row("users", []byte(r)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unpackedText is the content of a file that is well packed.
func unpackedText(t testing.TB, data []byte) string {
	t.Helper()
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	out, err := dec.DecodeAll(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// FuzzBackup reads files that may be backups. What is read to its end is written and
// read as the same; of anything else no reader ever sees the last row.
func FuzzBackup(f *testing.F) {
	good := backupOf(f, "{}", `{"name":"x"}`)
	f.Add(good, false)
	f.Add([]byte(unpackedText(f, good)), true)
	f.Add([]byte(`{"kibitz-backup":1}`+"\nusers {}\nsha256 00\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, pack bool) {
		if pack {
			data = packedText(t, string(data))
		}
		rows, err := readRows(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || err.Error() == "" {
				t.Fatalf("told %q, want one line", err)
			}
			return
		}
		var b bytes.Buffer
		w, err := NewWriter(&b, "test", time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if err := w.Row(r[0], []byte(r[1])); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		if again, err := readRows(b.Bytes()); err != nil || fmt.Sprint(again) != fmt.Sprint(rows) {
			t.Fatalf("read again: %q, %v; want %q", again, err, rows)
		}
	})
}

// readRows reads a whole backup.
func readRows(data []byte) (rows [][2]string, err error) {
	r, err := NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		table, row, err := r.Row()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, [2]string{table, string(row)})
	}
}
