//go:build linux

package main

import (
	"strings"
	"testing"
	"time"
)

func TestOwnTime(t *testing.T) {
	const fields = " Z 1 2 2 0 -1 4 5 6 7 8 123 45 999 888 20 0 3 0 100"
	for _, name := range []string{"kibitz", "a (b) c", ") 1 2 3 ("} {
		got, err := ownTime("4711 (" + name + ")" + fields)
		if err != nil || got != 1680*time.Millisecond {
			t.Errorf("%s: %v, %v instead of 1.68 s", name, got, err)
		}
	}
	for _, bad := range []string{"", "1 (x) Z", "1 (x)" + strings.Replace(fields, "123", "x", 1)} {
		if _, err := ownTime(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// A command is measured to its end, its output read, a failure told.
func TestMeasure(t *testing.T) {
	u, out, err := measure(t.TempDir(), []string{"/bin/sh", "-c", "echo one; sleep 0.05; echo two >&2"})
	if err != nil || out != "one\ntwo\n" || u.wall < 50*time.Millisecond || u.peak == 0 {
		t.Errorf("%+v, %q, %v", u, out, err)
	}
	if _, _, err := measure(t.TempDir(), []string{"/bin/sh", "-c", "echo why; exit 3"}); err == nil || err.Error() != "exit status 3: why" {
		t.Errorf("a failure: %v", err)
	}
}

// The course of a run is read off its output, one line for each game.
func TestCourse(t *testing.T) {
	list, err := course([]string{"/bin/sh", "-c", `i=0; while [ $i -lt 40 ]; do echo '{"type":"game"}'; i=$((i+1)); done; sleep 3; echo '{"type":"summary"}'`}, 40)
	if err != nil || len(list) != parts || list[0].last != 2 || list[parts-1].last != 40 || list[0].memory == 0 || list[0].descriptors < 3 {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := course([]string{"/bin/sh", "-c", `echo '{"type":"game"}'; echo why >&2`}, 2); err == nil || err.Error() != "1 of 2 games were played: why" {
		t.Errorf("a short run: %v", err)
	}
	var text strings.Builder
	courseTable(&text, []part{{last: 1000, took: 500 * time.Millisecond, own: 610 * time.Millisecond, memory: 3 << 20, descriptors: 9}, {last: 2000, took: time.Second, own: 1220 * time.Millisecond, memory: 4 << 20, descriptors: 9}})
	if want := "| 1 to 1000 | 2000 | 10.0 | 3.0 | 9 |\n| 1001 to 2000 | 1000 | 10.0 | 4.0 | 9 |\n"; !strings.HasSuffix(text.String(), want) {
		t.Errorf("got %s", text.String())
	}
}

func TestTable(t *testing.T) {
	at := func(ms ...int) []usage {
		var list []usage
		for _, n := range ms {
			list = append(list, usage{games: 10, moves: 1000, wall: time.Duration(n) * time.Millisecond, own: 5 * time.Millisecond, peak: 1 << 20})
		}
		return list
	}
	b := bench{
		runners: []runner{{name: "Kibitz", game: "g"}, {name: gomokuCli, game: "g"}},
		results: []series{{reused: at(8, 30, 10), restarted: at(20, 20, 20)}, {reused: at(16, 10, 10)}},
	}
	var text strings.Builder
	b.table(&text)
	lines := strings.Split(text.String(), "\n")
	if want := "| Kibitz | g | 10.0 (8.0 to 30.0) | 1.00 (0.50 to 3.00) | 5.0 (5.0 to 5.0) | 1.00 (1.00 to 1.00) | 1000 | 1.0 | 500 (500 to 500) | 0.50 |"; lines[2] != want {
		t.Errorf("got\n%s\nnot\n%s", lines[2], want)
	}
	if want := "| c-gomoku-cli | g | 10.0 (10.0 to 16.0) |  | 5.0 (5.0 to 5.0) |  | 1000 | 1.0 |  |  |"; lines[3] != want {
		t.Errorf("got\n%s\nnot\n%s", lines[3], want)
	}
}
