package journal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/journal"
)

var begin = time.Date(2026, 3, 4, 5, 6, 7, 891000, time.UTC)

// Every event survives being written and read, and its line is JSON that any
// other program can read.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ev := anyEvent(t)
		line, err := journal.AppendEvent([]byte("before"), &ev)
		if err != nil {
			t.Fatal(err)
		}
		line = bytes.TrimPrefix(line, []byte("before"))
		if !json.Valid(line) || bytes.Count(line, []byte("\n")) != 1 {
			t.Fatalf("no line of JSON: %s", line)
		}
		got, err := journal.ParseEvent(line)
		if err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if diff := cmp.Diff(ev, got); diff != "" {
			t.Fatalf("%s\n%s", line, diff)
		}
	})
}

func TestUnknownEvaluationStaysUnknown(t *testing.T) {
	ev := journal.Event{Kind: journal.KindSaid, Said: &journal.Said{Info: game.Info{Eval: game.Eval{Unit: game.Discs, Lo: math.NaN(), Hi: math.NaN()}}}}
	line, err := journal.AppendEvent(nil, &ev)
	if err != nil {
		t.Fatal(err)
	}
	got, err := journal.ParseEvent(line)
	if err != nil || got.Said.Info.Eval.Known() {
		t.Errorf("%+v %v", got.Said, err)
	}
}

func TestEventWithoutData(t *testing.T) {
	if line, err := journal.AppendEvent([]byte("x"), &journal.Event{Kind: journal.KindResult}); err == nil || string(line) != "x" {
		t.Errorf("%q %v", line, err)
	}
}

// decision returns the n-th event of a sample game.
func sample(id string, n int) journal.Event {
	at := begin.Add(time.Duration(n) * time.Second)
	if n == 0 {
		return journal.Event{Time: at, Game: id, To: game.Public, Kind: journal.KindStart, Start: &journal.Start{Spec: "nogo", Names: [2]string{"a", "b"}}}
	}
	return journal.Event{Time: at, Game: id, To: game.Public, Kind: journal.KindDecision, Decision: &journal.Decision{
		By: game.Seat((n + 1) % 2), Steps: []game.Move{game.PlaceAt(game.Pt(n%9, n/9))}, Used: time.Duration(n), Ended: true,
	}}
}

func result(id string) journal.Event {
	return journal.Event{Time: begin, Game: id, To: game.Public, Kind: journal.KindResult, Result: &journal.Result{Result: game.Win(game.First, "no-move", "")}}
}

func sampleJournal(t testing.TB) []byte {
	t.Helper()
	var out []byte
	for n := range 6 {
		ev := sample("g1", n)
		ev.Seq = uint64(n + 1)
		var err error
		if out, err = journal.AppendEvent(out, &ev); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// Wherever a journal is cut, what is complete is read and the rest is known to be
// torn.
func TestEveryCut(t *testing.T) {
	data := sampleJournal(t)
	for cut := range len(data) + 1 {
		events, report, err := journal.ReadAll(data[:cut])
		whole := bytes.Count(data[:cut], []byte("\n"))
		good := int64(bytes.LastIndexByte(data[:cut], '\n') + 1)
		if err != nil || len(events) != whole || report.Good != good || report.Torn != int64(cut)-good || report.Faults != nil {
			t.Fatalf("cut at %d: %d events, %+v, %v", cut, len(events), report, err)
		}
	}
}

// Whatever byte is damaged, its line is found out and the others are read.
func TestEveryDamage(t *testing.T) {
	data := sampleJournal(t)
	for at, was := range data {
		for _, bad := range []byte{0, was ^ 1, was ^ 0x20, 'x'} {
			if bad == was || bad == '\n' {
				continue
			}
			broken := bytes.Clone(data)
			broken[at] = bad
			line := bytes.Count(data[:at], []byte("\n")) + 1
			events, report, err := journal.ReadAll(broken)
			if err != nil {
				t.Fatal(err)
			}
			if was == '\n' { // two lines became one
				if len(events) > 5 || report.Torn == 0 && len(report.Faults) == 0 {
					t.Fatalf("byte %d: %+v", at, report)
				}
				continue
			}
			if len(events) != 5 || len(report.Faults) == 0 || report.Faults[0].Line != line {
				t.Fatalf("byte %d of line %d: %d events, %v", at, line, len(events), report.Faults)
			}
		}
	}
}

func TestMissingLine(t *testing.T) {
	lines := bytes.SplitAfter(sampleJournal(t), []byte("\n"))
	_, report, err := journal.ReadAll(bytes.Join(append(lines[:2:2], lines[3:]...), nil))
	if err != nil || len(report.Faults) != 1 || !strings.Contains(report.Faults[0].String(), "line 3 (byte ") ||
		!strings.Contains(report.Faults[0].Why, "event 4 follows event 2") {
		t.Errorf("%v %v", report.Faults, err)
	}
}

func TestNewerVersion(t *testing.T) {
	ev := sample("g", 1)
	line, _ := journal.AppendEvent(nil, &ev)
	text := strings.Replace(string(line), `"v":1`, `"v":2`, 1)
	if _, _, err := journal.ReadAll([]byte(text)); err != nil {
		t.Errorf("a changed line is damaged, not newer: %v", err)
	}
	if _, err := os.Stat("testdata/newer.jsonl"); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile("testdata/newer.jsonl")
	if _, _, err := journal.ReadAll(data); !errors.Is(err, journal.ErrNewer) {
		t.Errorf("got %v", err)
	}
}

// The lines of version 1 are read for ever.
func TestGoldenVersion1(t *testing.T) {
	data, err := os.ReadFile("testdata/version1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	events, report, err := journal.ReadAll(data)
	if err != nil || report.Faults != nil || report.Torn != 0 || len(events) != 8 {
		t.Fatalf("%d events, %+v, %v", len(events), report, err)
	}
	var f journal.Folder
	var g *journal.Game
	for i := range events {
		if done := f.Add(&events[i]); done != nil {
			g = done
		}
	}
	if g == nil || g.Start.Names != [2]string{"A", "B"} || len(g.Steps) != 2 || g.Steps[1].Said.Info.Depth != 9 ||
		g.Steps[1].Clocks[1].Periods != 2 || g.Result.Result.Board != [2]float64{44, 20} {
		t.Errorf("%+v", g)
	}
}

func TestWriterAndCrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	w, report, err := journal.Open(path)
	if err != nil || report.Events != 0 {
		t.Fatal(report, err)
	}
	w.Sync = true
	for n := range 6 {
		ev := sample("g1", n)
		if err := w.Append(&ev); err != nil || ev.Seq != uint64(n+1) {
			t.Fatal(ev.Seq, err)
		}
	}
	if info, _ := os.Stat(path); info.Size() != 0 {
		t.Error("written before the batch was full")
	}
	end := result("g1")
	if err := w.Append(&end); err != nil {
		t.Fatal(err)
	}
	// From here on the process dies without Close, in the middle of a write.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString(`{"v":1,"seq":8,"t":"2026-` + strings.Repeat("x", 5000))
	_ = f.Close()
	w, report, err = journal.Open(path)
	if err != nil || report.Events != 7 || report.Torn != 5025 {
		t.Fatal(report, err)
	}
	ev := sample("g2", 0)
	if err := w.Append(&ev); err != nil || ev.Seq != 8 {
		t.Fatal(ev.Seq, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	events, report, err := journal.ReadAll(data)
	if err != nil || len(events) != 8 || report.Torn != 0 || report.Faults != nil {
		t.Errorf("%d events, %+v, %v", len(events), report, err)
	}
}

type badFile struct{ writes int }

func (b *badFile) Write(p []byte) (int, error) {
	b.writes++
	return len(p) / 2, errors.New("disk full")
}
func (b *badFile) Sync() error  { return nil }
func (b *badFile) Close() error { return nil }

func TestFailedWriteStays(t *testing.T) {
	b := &badFile{}
	w := journal.NewWriter(b, 0)
	for range 3 {
		ev := result("g")
		if err := w.Append(&ev); err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Fatal(err)
		}
	}
	if b.writes != 1 {
		t.Errorf("%d writes after a failure", b.writes-1)
	}
}

// slowFile takes a write when it is told to.
type slowFile struct {
	begun, take chan bool
	b           bytes.Buffer
}

func (f *slowFile) Write(p []byte) (int, error) {
	f.begun <- true
	<-f.take
	return f.b.Write(p)
}
func (f *slowFile) Sync() error  { return nil }
func (f *slowFile) Close() error { return nil }

// While the result of one game is written another one goes on; a flush waits for both.
func TestWriteMeanwhile(t *testing.T) {
	f := &slowFile{begun: make(chan bool), take: make(chan bool)}
	w := journal.NewWriter(f, 0)
	done := make(chan error, 2)
	go func() {
		end := result("a")
		done <- w.Append(&end)
	}()
	<-f.begun
	for n := range 3 {
		ev := sample("b", n)
		if err := w.Append(&ev); err != nil || ev.Seq != uint64(n+2) {
			t.Error(ev.Seq, err)
		}
	}
	go func() { done <- w.Flush() }()
	f.take <- true
	<-f.begun
	f.take <- true
	if err := errors.Join(<-done, <-done); err != nil {
		t.Error(err)
	}
	if events, report, err := journal.ReadAll(f.b.Bytes()); len(events) != 4 || report.Faults != nil || err != nil {
		t.Errorf("%d events, %+v, %v", len(events), report, err)
	}
}

func TestConcurrentGames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	w, _, err := journal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			id := fmt.Sprintf("g%d", g)
			for n := range 200 {
				ev := sample(id, n)
				if err := w.Append(&ev); err != nil {
					t.Error(err)
				}
			}
			end := result(id)
			_ = w.Append(&end)
		})
	}
	wg.Wait()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	var f journal.Folder
	done := 0
	report, err := journal.Read(bytes.NewReader(data), func(ev *journal.Event) error {
		if g := f.Add(ev); g != nil {
			done++
			for n, s := range g.Steps {
				if want := sample(g.ID, n+1).Decision.Steps; !reflect.DeepEqual(s.Steps, want) {
					return fmt.Errorf("%s: step %d is %v", g.ID, n, s.Steps)
				}
			}
		}
		return nil
	})
	if err != nil || done != 8 || report.Faults != nil || len(f.Running()) != 0 {
		t.Errorf("%d games, %+v, %v", done, report, err)
	}
}

func TestFold(t *testing.T) {
	var f journal.Folder
	add := func(ev journal.Event) *journal.Game { return f.Add(&ev) }
	for n := range 4 {
		add(sample("g", n))
	}
	add(journal.Event{Game: "g", Kind: journal.KindDecision, Decision: &journal.Decision{Steps: []game.Move{game.PassMove()}, Refused: true}})
	add(journal.Event{Game: "other", Kind: journal.KindSaid, Said: &journal.Said{}})
	run := f.Running()
	if len(run) != 1 || len(run[0].Steps) != 4 || len(run[0].Moves()) != 3 {
		t.Fatalf("%+v", run)
	}
	add(journal.Event{Game: "g", Kind: journal.KindRewind, Rewind: &journal.Rewind{Steps: 2}})
	if m := run[0].Moves(); len(m) != 1 || len(run[0].Steps) != 1 {
		t.Errorf("after taking back: %v", m)
	}
	// It begins again, and only the new attempt counts.
	add(sample("g", 0))
	add(sample("g", 1))
	g := add(result("g"))
	if g == nil || len(g.Steps) != 1 || len(f.Running()) != 0 {
		t.Errorf("%+v", g)
	}
}

func FuzzParseEvent(f *testing.F) {
	for _, name := range []string{"testdata/version1.jsonl", "testdata/newer.jsonl"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		// A mutated line never fits its checksum: give it one that does.
		if i := bytes.LastIndex(line, []byte(`,"crc":`)); i >= 0 {
			sum := crc32.Checksum(line[:i], crc32.MakeTable(crc32.Castagnoli))
			line = fmt.Appendf(line[:i:i], `,"crc":"%08x"}`, sum)
		}
		ev, err := journal.ParseEvent(line)
		if err != nil {
			return
		}
		again, err := journal.AppendEvent(nil, &ev)
		if err != nil {
			return // a kind of a later version
		}
		if _, err := journal.ParseEvent(again); err != nil {
			t.Fatalf("%s became %s: %v", line, again, err)
		}
	})
}

func FuzzParseMove(f *testing.F) {
	for _, s := range []string{"p7,7", "s1,2>3,4", "x5,6", "f0,3", "e2,2:1", "-", "c1", "r", "d3,3:12"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := journal.ParseMove(text)
		if err != nil {
			return
		}
		again, err := journal.ParseMove(journal.FormatMove(m))
		if err != nil || again != m {
			t.Fatalf("%q: %v became %v, %v", text, m, again, err)
		}
	})
}

func BenchmarkAppendDecision(b *testing.B) {
	ev := sample("run-1/pair-17/game-2", 33)
	c, _ := clock.Parse("60+0.5")
	ev.Decision.Clocks = [2]journal.Clock{journal.ClockOf(clock.New(c)), journal.ClockOf(clock.New(c))}
	ev.Decision.Next = game.Turn{Seat: game.First, Phase: "move"}
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf, _ = journal.AppendEvent(buf[:0], &ev)
	}
	b.ReportMetric(float64(len(buf)), "bytes")
}
