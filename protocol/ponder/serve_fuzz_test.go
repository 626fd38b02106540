package ponder_test

import (
	"context"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/ponder"
)

// FuzzServe sends anything to the engine side of both forms: it leaves at /exit.
func FuzzServe(f *testing.F) {
	for _, s := range []string{
		"/start X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X,X 1,1,2,2,2,2,5,1,1,2,2,2,2,5 900000\n/turn 1 2\n/flip b4(P) 1 0\n/move b4-b3 1 0",
		"/turn 0 1\n/start\n/flip a1\n/move 3 7 3 6 5\n/flip 0 -1", "/turn 1 0\n/turn 0 0",
	} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, old bool) {
		if len(data) > 1000 {
			return
		}
		p := ponder.Protocol()
		if old {
			p = ponder.Old()
		}
		client, engine := link.Pipe()
		done := make(chan error, 1)
		go func() {
			done <- p.Serve(context.Background(), engine, protocol.Server{
				Player: playertest.NewRandom(1), Position: board(), Now: time.Now, Name: "X", Version: "1", Game: "darkchess",
			})
			_ = engine.Close()
		}()
		_ = client.Write(data)
		_ = client.Write([]byte("\n/exit\n"))
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%q: the engine does not end", data)
		}
	})
}
