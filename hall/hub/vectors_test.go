package hub_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/game"
	"kibitz/hall/hub"
)

var update = flag.Bool("update", false, "write testdata/apply.json")

// vector is what a viewer of a game gets, and the states that follow from it. The
// browser's twin of Apply (hall/web/src/apply.ts) is tested with the same file.
type vector struct {
	Name   string            `json:"name"`
	First  json.RawMessage   `json:"first"`
	Deltas []json.RawMessage `json:"deltas"`
	// States are those after every tenth delta and after the last.
	States []json.RawMessage `json:"states"`
}

const everyTenth = 10

func TestVectors(t *testing.T) {
	var list []vector
	for _, x := range []struct {
		spec string
		to   game.Audience
	}{{"othello", game.Public}, {"dotsandboxes:size=3", game.ToFirst}, {"phantomgo:size=4,maxplies=30", game.ToSecond}, {"darkchess", game.Public}, {"surakarta", game.ToFirst}} {
		synctest.Test(t, func(t *testing.T) { list = append(list, vectorOf(t, x.spec, x.to)) })
	}
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	data = append(bytes.ReplaceAll(data, []byte(`},{"prev"`), []byte("},\n{\"prev\"")), '\n')
	if *update {
		if err := os.WriteFile("testdata/apply.json", data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/apply.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, want) {
		t.Error("testdata/apply.json is not what viewers get: look at the difference after go test ./hall/hub -update")
	}
	rewinds := 0
	for _, v := range list {
		for _, d := range v.Deltas {
			rewinds += bytes.Count(d, []byte(`"rewind"`))
		}
	}
	if rewinds == 0 {
		t.Error("nothing is taken back in any game")
	}
}

// vectorOf watches a game from its first event.
func vectorOf(t *testing.T, spec string, to game.Audience) vector {
	t.Helper()
	g := play(t, spec, 4)
	w := newWorker()
	w.begin("g", &g)
	h := hub.New(hub.Options{Source: w, Now: time.Now, Frames: 4096})
	defer h.Close()
	viewer, err := h.Watch(hub.Key{Game: "g", To: to}, hub.Meta{}, hub.ID{})
	if err != nil {
		t.Fatal(err)
	}
	defer viewer.Close()
	var frames []hub.Frame
	ended := make(chan error)
	go func() {
		for {
			f, err := viewer.Next(t.Context())
			if err != nil {
				ended <- err
				return
			}
			frames = append(frames, f)
		}
	}()
	synctest.Wait()
	for w.step("g", to, false) {
		synctest.Wait()
	}
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	out := vector{Name: spec + " for " + to.String()}
	r := &reader{}
	for _, f := range frames {
		if err := r.take(f); err != nil {
			t.Fatal(err)
		}
		if f.Kind == "view" {
			if out.First != nil {
				t.Fatal("a second snapshot")
			}
			out.First = f.Data
			continue
		}
		out.Deltas = append(out.Deltas, f.Data)
		if len(out.Deltas)%everyTenth == 0 {
			out.States = append(out.States, stateOf(t, r))
		}
	}
	if len(out.Deltas)%everyTenth != 0 {
		out.States = append(out.States, stateOf(t, r))
	}
	return out
}

func stateOf(t *testing.T, r *reader) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(r.state)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
