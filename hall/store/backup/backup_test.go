package backup_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"kibitz/hall/store/backup"
	"kibitz/hall/store/storetest"
)

// FuzzBackup reads files that may be backups. What is read to its end is written and
// read as the same; of anything else no reader ever sees the last row.
func FuzzBackup(f *testing.F) {
	good := storetest.Backup(f, "{}", `{"name":"x"}`)
	f.Add(good, false)
	f.Add([]byte(storetest.Unpack(f, good)), true)
	f.Add([]byte(`{"kibitz-backup":1}`+"\nusers {}\nsha256 00\n"), true)
	f.Fuzz(func(t *testing.T, data []byte, pack bool) {
		if pack {
			data = storetest.Pack(t, string(data))
		}
		rows, err := readRows(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || err.Error() == "" {
				t.Fatalf("told %q, want one line", err)
			}
			return
		}
		var b bytes.Buffer
		w, err := backup.NewWriter(&b, "test", time.Unix(0, 0))
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
	r, err := backup.NewReader(bytes.NewReader(data))
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
