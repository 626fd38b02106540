package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/journal"
	"kibitz/run"
	"kibitz/run/folder"
	"kibitz/run/orders"
	"kibitz/term"
)

// quietApp returns a program whose output nobody reads.
func quietApp(ctx context.Context) *app {
	var out bytes.Buffer
	return &app{stdin: strings.NewReader(""), stdout: &term.Output{Writer: &out}, stderr: &out, now: time.Now, ctx: ctx, drain: make(chan struct{})}
}

// summedLines gives the lines of a journal the checksums that fit them.
func summedLines(data []byte) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		if i := bytes.LastIndex(line, []byte(`,"crc":`)); i >= 0 && bytes.HasSuffix(line, []byte("\n")) {
			sum := crc32.Checksum(line[:i], crc32.MakeTable(crc32.Castagnoli))
			line = fmt.Appendf(line[:i:i], `,"crc":"%08x"}`+"\n", sum)
		}
		out = append(out, line...)
	}
	return out
}

// FuzzResume takes a run up whose journal says anything, and makes its report. It is
// taken up with as many games as the journal has results for, or refused in a line; no
// report fails for what stands in a journal.
func FuzzResume(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "run")
	args := []string{"match", "--quiet", "--out", dir, "--game", "nogo:size=3", "--engine", "bot=random name=A", "--engine", "bot=random name=B", "--games", "3", "--seed", "7", "--secret", strings.Repeat("5a", 32)}
	if status := executeFull(quietApp(f.Context()), args); status != 0 {
		f.Fatalf("the run failed: %d", status)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "journal"))
	if err != nil {
		f.Fatal(err)
	}
	// The run as it is before it is over: its secret is in a file of its own.
	if err := os.WriteFile(filepath.Join(dir, folder.SecretFile), []byte(strings.Repeat("5a", 32)+"\n"), 0o600); err != nil {
		f.Fatal(err)
	}
	f.Add(whole, false)
	f.Add(whole[:len(whole)/2], true)
	f.Add(whole[:len(whole)/3], true)
	f.Fuzz(func(t *testing.T, data []byte, sums bool) {
		if len(data) > 1<<15 {
			return
		}
		if sums {
			data = summedLines(data)
		}
		for _, sub := range []string{"games", "logs"} {
			if err := os.RemoveAll(filepath.Join(dir, sub)); err != nil { // taking up makes them again
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "journal"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if sums { // a line whose checksum is wrong tells a report nothing
			reported(t, dir)
		}
		taken(t, dir, data)
	})
}

// reported makes the page and the tables of a run.
func reported(t *testing.T, dir string) {
	t.Helper()
	o := reportOptions{HTML: filepath.Join(dir, "page.html"), CSV: dir, PGN: filepath.Join(dir, "games.pgn"), Boards: reportBoards}
	done, err := writeReport(dir, time.Unix(1e9, 0), o)
	if err != nil {
		lineOnly(t, "a report", err)
		return
	}
	for _, err := range done.Faults {
		lineOnly(t, "a fault", err)
	}
}

// taken takes a run up.
func taken(t *testing.T, dir string, data []byte) {
	t.Helper()
	r, err := run.Resume(dir, false, func(s *run.Settings) { s.Quiet = true }, quietApp(t.Context()).runDeps(nil))
	if err != nil {
		lineOnly(t, "taking up", err)
		return
	}
	results := 0
	if _, err := journal.Read(bytes.NewReader(data), func(ev *journal.Event) error {
		if ev.Result != nil {
			results++
		}
		return nil
	}); err != nil {
		t.Errorf("a run was taken up whose journal cannot be read: %v", err)
	}
	if kept, _ := r.Before(); kept > results || r.Standing().Games() > results {
		t.Errorf("%d results, %d games were kept and %d stand in the table", results, kept, r.Standing().Games())
	}
	if err := r.Folder().Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
}

// FuzzAnswer reads what comes out of the socket of a run.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"said":"no further games start"}`))
	f.Add([]byte(`{"error":"unknown order","usage":true}`))
	f.Add([]byte(`{"status":{"game":"nogo","done":1,"of":4,"running":["000001"],"concurrency":1,"engines":[{"name":"A","games":1}],"sprt":{"llr":1.5}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var got orders.Answer
		if json.NewDecoder(bytes.NewReader(data)).Decode(&got) != nil {
			return
		}
		if err := orderError(&got); (err != nil) != (got.Error != "" || got.Usage) {
			t.Errorf("%+v is the error %v", got, err)
		}
		if got.Status != nil {
			var out bytes.Buffer
			got.Status.Print(&out)
			if !strings.HasSuffix(out.String(), "\n") {
				t.Errorf("%+v is shown as %q", got.Status, out.String())
			}
		}
	})
}
