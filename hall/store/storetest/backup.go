package storetest

import (
	"bytes"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"kibitz/hall/store/backup"
)

// Pack returns a file that is packed as backups are, whatever its text says.
func Pack(t testing.TB, text string) []byte {
	t.Helper()
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return enc.EncodeAll([]byte(text), nil)
}

// Unpack returns the text of a packed file.
func Unpack(t testing.TB, data []byte) string {
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

// Backup returns a whole backup in which a table, users, has the rows.
func Backup(t testing.TB, rows ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := backup.NewWriter(&b, "test", time.Unix(0, 0))
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
