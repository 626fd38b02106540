package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kibitz/hall/bus"
	"kibitz/internal/pgtest"
	"kibitz/internal/syncbuf"
)

// queueToken is what the NATS server of tests wants to be shown.
const queueToken = "s"

// queueServer is a NATS server as a program of its own: kibitz-queue FOLDER ADDRESS. It
// says where it listens and goes on until it is killed.
func queueServer() {
	b, err := bus.Open(context.Background(), bus.Options{Folder: os.Args[1], Listen: os.Args[2], Token: queueToken, Now: time.Now})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("nats://%s@%s\n", queueToken, b.Addr())
	select {}
}

// TestServeTwice has two halls on one PostgreSQL and one NATS server. A room of built-in
// engines that is opened at the one is watched at the other, and a worker beside both
// plays it; when that has gone, another one does.
func TestServeTwice(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts PostgreSQL")
	}
	db := pgtest.Start(t).Database(t, "")
	queue, err := bus.Open(t.Context(), bus.Options{Folder: t.TempDir(), Listen: "127.0.0.1:0", Token: queueToken, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { queue.Close() })
	nats := fmt.Sprintf("nats://%s@%s", queueToken, queue.Addr())
	flags := []string{"--db", db, "--nats", nats, "--slots", "0"}
	a := openHall(t, filepath.Join(t.TempDir(), "a"), flags...)
	b := openHall(t, filepath.Join(t.TempDir(), "b"), flags...)
	if strings.Contains(a.stderr.String(), "the account admin") == strings.Contains(b.stderr.String(), "the account admin") {
		t.Error("not just one of the halls has made the account admin")
	}
	series := []map[string]any{
		{"do": "sit", "place": 0, "kind": "bot", "engine": "bot=1"}, {"do": "sit", "place": 1, "kind": "bot", "engine": "bot=2"}, {"do": "start"},
	}
	settings := map[string]any{"game": "amazons", "clocks": []string{"60+1", "60+1"}, "games": 2, "pause": 0}
	id := a.room(settings, series...)
	first := b.await(id, func(r *hallRoom) bool { return r.Room.Game != nil })
	next := b.follow(first.Room.Game.ID) // nobody plays yet
	work := func() (stop func()) {
		drain := make(chan struct{})
		w := newApp()
		w.stderr, w.drain = &syncbuf.Buffer{}, drain
		ended := make(chan int, 1)
		go func() { ended <- executeFull(w, []string{"worker", "--nats", nats, "--slots", "1"}) }()
		return func() {
			close(drain)
			if status := <-ended; status != 0 {
				t.Errorf("the worker ends with status %d:\n%s", status, w.stderr)
			}
		}
	}
	stop := work()
	events := map[string]int{}
	for {
		text, more := next()
		if !more {
			break
		}
		for _, kind := range []string{"view", "delta", "over"} {
			if strings.Contains(string(text), `"event":"`+kind+`"`) {
				events[kind]++
			}
		}
	}
	// How much of it comes as changes is between the engines and the spectator: whoever
	// is not quick enough gets a view again.
	if events["view"] == 0 || events["over"] != 1 {
		t.Errorf("the game of the one hall is seen at the other as %v", events)
	}
	b.await(id, func(r *hallRoom) bool { return r.Room.Played == 2 && r.Room.Phase == "done" })
	stop()
	id = b.room(settings, series...)
	stop = work()
	defer stop()
	a.await(id, func(r *hallRoom) bool { return r.Room.Played == 2 })
	var list hallGames
	a.ask("GET", "/api/v1/games?room="+id, nil, &list)
	if len(list.Games) != 2 || list.Games[0].State != "over" || list.Games[1].State != "over" {
		t.Errorf("the second room has the games %+v", list)
	}
}
