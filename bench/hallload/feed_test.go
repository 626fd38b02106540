//go:build linux

package main

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// answer is an answer in chunks, as a hall sends it.
func answer(chunks ...string) string {
	text := "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, c := range chunks {
		text += fmt.Sprintf("%x\r\n%s\r\n", len(c), c)
	}
	return text
}

var long = strings.Repeat("x", 3000)

var streams = []struct {
	text string
	want []frame
	err  error
}{
	{
		answer("id: 2-7\nevent: view\ndata: {\"game\":\"g\"}\n\n", "id: 2-9\nevent: delta\ndata: {\"prev\":7,\"seq\":9,\"at\":1700000000123,\"cells\":[]}\n\n"),
		[]frame{{kind: 'v', attempt: 2, seq: 7}, {kind: 'd', attempt: 2, prev: 7, seq: 9, at: 1700000000123}},
		nil,
	},
	{ // a line that is longer than what is looked at, an event over two chunks, a beat, an event of another kind
		answer("id: 1-1\nevent: view\ndata: {\""+long, long+"\"}\n\n: \n\n", "event: seat\ndata: {}\n\n"),
		[]frame{{kind: 'v', attempt: 1, seq: 1}, {kind: 'x'}},
		nil,
	},
	{answer("event: over\ndata: {}\n\n") + "0\r\n\r\n", []frame{{kind: 'o'}}, errEnd},
	{"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\n\r\n", nil, errors.New("answered with 429")},
	{"SSH-2.0-OpenSSH\r\n", nil, errors.New(`"SSH-2.0-OpenSSH" is no HTTP answer`)},
	{answer("id: 7\n"), nil, errors.New(`"id: 7" names no event`)},
	{answer("id: 1-2\nevent: delta\ndata: {\"seq\":2}\n\n"), nil, errors.New(`"{\"seq\":2}" is no delta of event 2`)},
	{answer("id: 1-2\nevent: delta\ndata: {\"prev\":1,\"seq\":3,\"at\":5}\n\n"), nil, errors.New(`"{\"prev\":1,\"seq\":3,\"at\":5}" is no delta of event 2`)},
	{answer("") + "x", nil, errEnd},
}

// However an answer is cut into pieces, the same is read.
func TestFeed(t *testing.T) {
	for _, s := range streams {
		for _, piece := range []int{1, 2, 7, 100, len(s.text)} {
			got, err := feedAll(s.text, piece)
			if !reflect.DeepEqual(got, s.want) || fmt.Sprint(err) != fmt.Sprint(s.err) {
				t.Errorf("%.60q in pieces of %d: %v, %v; want %v, %v", s.text, piece, got, err, s.want, s.err)
			}
		}
	}
}

func feedAll(text string, piece int) (got []frame, err error) {
	var f feed
	for len(text) > 0 && err == nil {
		n := min(piece, len(text))
		err = f.read([]byte(text[:n]), func(x frame) { got = append(got, x) })
		text = text[n:]
	}
	return got, err
}

func FuzzFeed(f *testing.F) {
	for _, s := range streams {
		f.Add(s.text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, piece int) {
		whole, err := feedAll(text, len(text))
		parts, err2 := feedAll(text, min(max(1, piece), 1000))
		if !reflect.DeepEqual(whole, parts) || fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Errorf("%v, %v in one piece; %v, %v in several", whole, err, parts, err2)
		}
	})
}

// A spectator is cheap to read.
func TestFeedAllocates(t *testing.T) {
	event := []byte("4b\r\nid: 2-9\nevent: delta\ndata: {\"prev\":7,\"seq\":9,\"at\":1700000000123,\"cells\":[]}\n\n\r\n")
	event = []byte(fmt.Sprintf("%x%s", len(event)-6, event[2:]))
	f := feed{state: inSize, status: 200}
	seen := 0
	emit := func(x frame) { seen += int(x.seq) }
	if n := testing.AllocsPerRun(100, func() {
		if err := f.read(event, emit); err != nil {
			t.Fatal(err)
		}
	}); n > 0 || seen != 9*101 {
		t.Errorf("%v allocations an event; events with the sum %d were seen", n, seen)
	}
}

func TestDelays(t *testing.T) {
	var d delays
	if d.at(0.99) != 0 {
		t.Error("no delays have a percentile")
	}
	for i := range 100 {
		d.add(time.Duration(i)*time.Millisecond + 500*time.Microsecond)
	}
	d.add(-time.Millisecond)
	d.add(time.Hour)
	for part, want := range map[float64]time.Duration{0.5: 50 * time.Millisecond, 0.9: 91 * time.Millisecond, 1: 30 * time.Second} {
		if got := d.at(part); got != want {
			t.Errorf("%v of all within %s, want %s", part, got, want)
		}
	}
	if d.n != 102 || d.most != time.Hour {
		t.Errorf("%d delays, the longest %s", d.n, d.most)
	}
}
