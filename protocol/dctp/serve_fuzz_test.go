package dctp_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"kibitz/link"
	"kibitz/player/playertest"
	"kibitz/protocol"
	"kibitz/protocol/dctp"
)

// FuzzServe sends anything to the engine side: each request that can be read has one
// reply, with its number.
func FuzzServe(f *testing.F) {
	for _, s := range []string{
		"protocol_version\n6 8 4\n7\n14\n12 unknown\n11 a1 K\n12 red\n13 win", "3 genmove\n4\n17", "7\n8 3\n9 40\n15 900000\n16 red 1000\n10 a1 a2\n12 black", "11 a1\n11 b2 p\n10 a1 b1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return
		}
		client, engine := link.Pipe()
		done := make(chan error, 1)
		go func() {
			done <- dctp.Serve(context.Background(), engine, protocol.Server{
				Player: playertest.NewRandom(1), Position: board(), Now: time.Now, Name: "X", Version: "1", Game: "darkchess",
			})
			_ = engine.Close()
		}()
		var want []dctp.Number
		for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
			r, err := dctp.ParseRequest(line)
			if err != nil {
				continue
			}
			if r.Number == dctp.Quit {
				break
			}
			want = append(want, r.Number)
		}
		_ = client.Write([]byte(text + "\n"))
		_ = client.Write(dctp.AppendRequest(nil, dctp.Quit))
		for _, n := range append(want, dctp.Quit) {
			for {
				line, err := client.ReadLine(time.Now().Add(time.Minute))
				if err != nil {
					t.Fatalf("%q: no reply to %d: %v", text, n, err)
				}
				if _, number, _, is := dctp.SplitReply(line); is {
					if number != int(n) {
						t.Fatalf("%q: %q is no reply to %d", text, line, n)
					}
					break
				}
			}
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%q: the engine does not end", text)
		}
	})
}
