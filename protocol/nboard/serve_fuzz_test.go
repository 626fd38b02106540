package nboard_test

import (
	"errors"
	"io"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/nboard"
)

// FuzzServe sends anything to the engine side: it must live to answer a ping.
func FuzzServe(f *testing.F) {
	f.Add([]byte("nboard 2\nset depth 6\nset game (;GM[Othello]TI[15:00]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6];)\ngo\nhint 3\nanalyze\nlearn"))
	f.Add([]byte("f5\nmove d6/1/2\nmove PA\ngo\ngo"))
	f.Fuzz(func(t *testing.T, data []byte) {
		manager, engine := link.Pipe()
		done := make(chan error, 1)
		go func() {
			err := nboard.Serve(t.Context(), engine, protocol.Server{
				Player: playertest.NewRandom(1), Position: newBoard(), Now: time.Now,
			})
			_ = engine.Close()
			done <- err
		}()
		_ = manager.Write(data)
		_ = manager.Write([]byte("\nping 424242\n"))
		for {
			line, err := manager.ReadLine(time.Now().Add(time.Minute))
			if errors.Is(err, io.EOF) {
				break // it was told to quit
			}
			if err != nil {
				t.Fatalf("no pong: %v", err)
			}
			if string(line) == "pong 424242" {
				break
			}
		}
		_ = manager.Close()
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(time.Minute):
			t.Fatal("the engine does not end")
		}
	})
}
