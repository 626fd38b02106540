package piskvork_test

import (
	"context"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/player/playertest"
	"kibitz/protocol"
	pv "kibitz/protocol/piskvork"
)

// FuzzServe sends anything to the engine side: whatever a manager has said before,
// DONE ends a list of stones, and it answers ABOUT and leaves at END.
func FuzzServe(f *testing.F) {
	for _, s := range []string{
		"START 7\nBEGIN\nTURN 0,0\nTAKEBACK 0,0\nTURN 1,1", "INFO rule 4\nINFO timeout_turn 0\nRECTSTART 9,7\nBOARD\n1,1,1\n2,2,2\nDONE\nYXSTOP",
		"START 15\nSWAP2BOARD\n7,7\n8,8\n7,9\nDONE\nRESTART", "INFO show_detail 3\nSTART 9\nYXBOARD\n1,1,1\nDONE\nYXNBEST 2", "BOARD\n1,1,3\nDONE\nPLAY 3,3",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1000 {
			return
		}
		manager, engine := link.Pipe()
		done := make(chan error, 1)
		go func() {
			done <- pv.Serve(context.Background(), engine, protocol.Server{
				Player: playertest.NewRandom(1), Position: board(), Now: time.Now, Name: "X", Version: "1", Author: "Y", Game: "gomoku:rule=freestyle,size=7",
			})
			_ = engine.Close()
		}()
		_ = manager.Write(data)
		_ = manager.Write([]byte("\nDONE\nABOUT\n"))
		for {
			line, err := manager.ReadLine(time.Now().Add(time.Minute))
			if err != nil {
				break // it was told to leave, or it hangs, which the end shows
			}
			if pv.ParseAbout(line).Name == "X" {
				break
			}
		}
		_ = manager.Write([]byte("END\n"))
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
