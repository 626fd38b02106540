package journal_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"kibitz/game"
	"kibitz/journal"
)

// frequent are the kinds that the quick reader knows.
var frequent = []journal.Kind{journal.KindDecision, journal.KindSaid, journal.KindNotices, journal.KindStart, journal.KindResult}

// special finds what the quick reader leaves to the general one although it is
// written like that: escapes and numbers of 19 digits.
var special = regexp.MustCompile(`\\|[0-9]{19}`)

func lineOf(t interface{ Fatal(...any) }, ev *journal.Event) []byte {
	line, err := journal.AppendEvent(nil, ev)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(line, []byte("\n"))
}

// The quick reader reads what is written, as the general one does, whether or not it
// remembers the lines before.
func TestQuickIsGeneral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lending, owning := journal.Lending(), new(journal.Memory)
		var wants, kept []journal.Event
		for range rapid.IntRange(1, 5).Draw(t, "lines") {
			ev := anyEvent(t)
			line := lineOf(t, &ev)
			want, err := journal.ParseAny(line)
			if err != nil {
				t.Fatalf("%v in %s", err, line)
			}
			for _, memory := range []*journal.Memory{nil, lending, owning} {
				got, ok := journal.ParseQuick(line, memory)
				if usual := slices.Contains(frequent, ev.Kind); ok != usual && !special.Match(line) {
					t.Fatalf("read by the quick reader: %v, want %v: %s", ok, usual, line)
				}
				if !ok {
					continue
				}
				if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
					t.Fatalf("%s\n%s", line, diff)
				}
				if memory != lending {
					wants, kept = append(wants, want), append(kept, got)
				}
			}
		}
		if diff := cmp.Diff(wants, kept, cmpopts.EquateNaNs()); diff != "" {
			t.Fatalf("events change with later ones: %s", diff)
		}
	})
}

// An event keeps what it points to if nothing else is said, and the next one takes
// its place where a journal is read.
func TestWhoOwnsEvents(t *testing.T) {
	data := sampleJournal(t)
	all, _, err := journal.ReadAll(data)
	if err != nil {
		t.Fatal(err)
	}
	for n := range all {
		want := sample("g1", n)
		want.Seq = uint64(n + 1)
		if diff := cmp.Diff(want, all[n]); diff != "" {
			t.Errorf("event %d: %s", n+1, diff)
		}
	}
	var p journal.Parser
	for n, line := range bytes.Split(bytes.TrimSpace(bytes.Repeat(data, 20)), []byte("\n")) {
		ev, err := p.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		if n < len(all) {
			all[n] = ev
		}
	}
	for n := range all {
		want := sample("g1", n)
		want.Seq = uint64(n + 1)
		if diff := cmp.Diff(want, all[n]); diff != "" {
			t.Errorf("event %d of a parser: %s", n+1, diff)
		}
	}
	var kept []*journal.Decision
	if _, err := journal.Read(bytes.NewReader(data), func(ev *journal.Event) error {
		if ev.Decision != nil {
			kept = append(kept, ev.Decision)
		}
		return nil
	}); err != nil || len(kept) != 5 || kept[0] != kept[4] {
		t.Errorf("%v %v: room is made for each event", kept, err)
	}
}

// Deviations from the written form, one by one: each line is what the general reader
// says it is.
func TestOddLines(t *testing.T) {
	said := journal.Event{Seq: 1, Time: begin, Game: "g", To: game.Arbiter, Kind: journal.KindSaid, Said: &journal.Said{
		Info: game.Info{Eval: game.Eval{Unit: game.Points, Lo: 1.5, Hi: 2}, Depth: 3, Bound: 1, Confidence: 95, Text: "text"},
	}}
	move := sample("g", 1)
	start, end := sample("g", 0), result("g")
	table, err := os.ReadFile("testdata/odd.txt")
	if err != nil {
		t.Fatal(err)
	}
	base := map[string][]byte{"said": lineOf(t, &said), "decision": lineOf(t, &move), "start": lineOf(t, &start), "result": lineOf(t, &end)}
	tried := 0
	for row := range strings.Lines(string(table)) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(cells) != 4 {
			t.Fatalf("%q: four cells are wanted", row)
		}
		kind, from, to, want := cells[0], cells[1], cells[2], cells[3]
		if bytes.Count(base[kind], []byte(from)) != 1 {
			t.Fatalf("%q is not once in %s", from, base[kind])
		}
		tried++
		line := summed(bytes.Replace(base[kind], []byte(from), []byte(to), 1))
		same(t, line, nil)
		_, err := journal.ParseEvent(line)
		if got := map[bool]string{true: "read", false: "refused"}[err == nil]; got != want {
			t.Errorf("%s: %s, want %s (%v)", line, got, want, err)
		}
	}
	if tried < 30 {
		t.Errorf("only %d lines were tried", tried)
	}
}

// summed gives a line the checksum that fits it.
func summed(line []byte) []byte {
	if i := bytes.LastIndex(line, []byte(`,"crc":`)); i >= 0 {
		sum := crc32.Checksum(line[:i], crc32.MakeTable(crc32.Castagnoli))
		return fmt.Appendf(line[:i:i], `,"crc":"%08x"}`, sum)
	}
	return line
}

// same compares both readers on a line.
func same(t *testing.T, line []byte, m *journal.Memory) {
	t.Helper()
	got, ok := journal.ParseQuick(line, m)
	if !ok {
		return
	}
	want, err := journal.ParseAny(line)
	if err != nil {
		t.Fatalf("read although it is refused: %v: %q", err, line)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
		t.Fatalf("%q\n%s", line, diff)
	}
}

func FuzzQuickIsGeneral(f *testing.F) {
	for _, name := range []string{"testdata/version1.jsonl", "testdata/newer.jsonl"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			f.Add(line)
		}
	}
	events := rapid.Custom(anyEvent)
	for seed := range 60 {
		ev := events.Example(seed)
		f.Add(lineOf(f, &ev))
	}
	before := sample("g1", 3)
	f.Fuzz(func(t *testing.T, line []byte) {
		line = summed(line)
		if len(line) < 24 || !bytes.Contains(line, []byte(`,"crc":`)) {
			return
		}
		same(t, line, nil)
		for _, m := range []*journal.Memory{new(journal.Memory), journal.Lending()} {
			journal.ParseQuick(lineOf(t, &before), m)
			same(t, line, m)
		}
	})
}

func BenchmarkParseEvent(b *testing.B) {
	ev := sample("000017", 33)
	ev.Decision.Next = game.Turn{Seat: game.First, Phase: "place"}
	line := lineOf(b, &ev)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := journal.ParseEvent(line); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRead reads games of 60 decisions.
func BenchmarkRead(b *testing.B) {
	var data []byte
	for n := range 6100 {
		ev := sample(fmt.Sprintf("%06d", n/61+1), n%61)
		ev.Seq = uint64(n + 1)
		data = append(append(data, lineOf(b, &ev)...), '\n')
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := journal.Read(bytes.NewReader(data), func(*journal.Event) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
