package main

import (
	"os"
	"strings"
	"testing"

	"kibitz/games"
	"kibitz/record/replay"
)

// TestRecordExamples replays every example of docs/records.md and writes it in its
// format again.
func TestRecordExamples(t *testing.T) {
	data, err := os.ReadFile("../../docs/records.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	blocks := strings.Split(string(data), "\n```")
	for i := 1; i < len(blocks); i += 2 { // between the opening and the closing fence
		id, text, _ := strings.Cut(blocks[i], "\n")
		text = strings.TrimPrefix(text, "\n")
		list, err := records().Read("docs.txt", []byte(text), "", "")
		if err != nil || len(list) != 1 {
			t.Errorf("%d games, %v in %s", len(list), err, text)
			continue
		}
		l, err := replay.Play(list[0], games.OpenSpec)
		if err != nil {
			t.Errorf("%v in %s", err, text)
			continue
		}
		if l.Illegal != nil || len(l.Verdict.Issues) > 0 {
			t.Errorf("%v %q in %s", l.Illegal, l.Verdict.Issues, text)
		}
		if strings.Contains(text, `"piece"`) {
			id = "ccgc"
		}
		f, err := records().Find("", id)
		if err != nil {
			t.Fatal(err)
		}
		if err := roundTrip(f, l.Record()); err != nil {
			t.Errorf("%v in %s", err, text)
		}
		seen[id+" "+list[0].Spec.ID()]++
	}
	for _, want := range []string{
		"json phantomgo", "json surakarta", "ccgc amazons", "ccgc nogo", "ccgc phantomgo", "ccgc connect6", "ccgc gomoku",
		"ccgc dotsandboxes", "board darkchess", "board-room darkchess", "sgf amazons", "sgf phantomgo", "sgf connect6",
	} {
		if seen[want] == 0 {
			t.Errorf("no example of %s", want)
		}
	}
}
