package run

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/run/engines"
	"kibitz/run/orders"
	"kibitz/tournament"
)

// FuzzOrder gives a run orders, as whoever reaches its socket can. Each has one answer
// of one line, and one that is refused changes nothing.
func FuzzOrder(f *testing.F) {
	for _, s := range []string{
		`{"do":"status"}`, `{"do":"pause"}`, `{"do":"concurrency","args":["2"]}`, `{"do":"verdict","args":["1","first","why"],"by":"x"}`,
		`{"do":"withdraw","args":["A","annul"]}`, `{"do":"enter","args":["bot=random name=C","1"]}`, `{"do":"pair","args":["A","B","4"]}`,
		`{"do":"forfeit","args":["1","A"]}`, `{"do":"replay","args":["1"]}`, `{"do":"overrule","args":["1","draw","note"]}`, `{"do":"drain"}`, `[]`,
	} {
		f.Add([]byte(s))
	}
	var c *Control
	dir, n := f.TempDir(), 0
	f.Fuzz(func(t *testing.T, data []byte) {
		if c == nil {
			n++
			c = orderable(t, filepath.Join(dir, fmt.Sprint(n)))
		}
		var o orders.Request
		if json.Unmarshal(data, &o) != nil {
			return
		}
		before := allOf(t, c)
		got := c.Order(o)
		if strings.ContainsAny(got.Error+got.Said, "\r\n") || got.Error == "" && got.Said == "" && got.Status == nil {
			t.Errorf("the answer to %q is %+v", data, got)
		}
		if after := allOf(t, c); got.Error != "" && before != after {
			t.Errorf("%q was refused with %q and has changed\n%s\nto\n%s", data, got.Error, before, after)
		}
		if got.Error == "" && got.Status == nil {
			if err := c.r.keep.dir.Close(); err != nil {
				t.Error(err)
			}
			c = nil
		}
	})
}

// allOf is all that orders change.
func allOf(t *testing.T, c *Control) string {
	t.Helper()
	b, err := json.Marshal(c.status())
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s %v %d", b, c.r.standing.Names, c.r.schedule().Len())
}

// orderable returns the control of a run that stands before its first game.
func orderable(t *testing.T, dir string) *Control {
	t.Helper()
	file, err := ParseFile("run.toml", []byte("game = 'nogo:size=3'\ngames = 4\nseed = 7\n[[engine]]\nbot = 'random'\nname = 'A'\n[[engine]]\nbot = 'random'\nname = 'B'\n"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := file.Settings()
	if err != nil {
		t.Fatal(err)
	}
	m.Out, m.Quiet = dir, true
	r, err := New(*m, Deps{Launcher: &engines.Launcher{Now: time.Now, Random: rand.Reader, Guards: &engines.Guards{}}})
	if err == nil {
		err = r.Open(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	none := func(context.Context, tournament.Pairing, int) (f tournament.Finished, ok bool) { return f, ok }
	runner := tournament.NewRunner(r.schedule(), 1, none, r.finished)
	r.control = &Control{runner: runner, r: r, ctx: context.Background(), stop: func() {}, running: &running{}}
	return r.control
}
