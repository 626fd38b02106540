package remote

import (
	"bytes"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/player"
)

// FuzzFrame reads frames of any kind. What is read is written and read as the same.
func FuzzFrame(f *testing.F) {
	for _, x := range []frame{
		{K: kindHello, S: "g/1", Last: 3, Start: player.FromHistory, Name: "x"},
		{K: kindNew, S: "g/1", N: 1, Q: 1, Setup: &wireSetup{}},
		{K: kindUpdate, N: 2, Update: &player.Update{Steps: []game.Move{game.PlaceAt(game.Pt(3, 4))}}},
		{K: kindPrompt, N: 3, Q: 2, Prompt: &wirePrompt{Legal: []game.Move{game.PassMove()}}},
		{K: kindAnswer, Q: 2, Answer: &wireAnswer{Steps: []game.Move{game.ResignMove()}, Used: time.Second}},
		{K: kindFailed, Q: 2, Failure: &wireFailure{Reason: game.ByCrash, Detail: "x", Evidence: []string{"a"}}},
		{K: kindOver, Result: &game.Result{Reason: game.ByTime}},
		{K: kindAct, I: 4, Act: &player.Act{ID: "x", Do: player.AskUndo, Ply: 3}},
		{K: kindActed, I: 4, Reply: &player.Reply{Effect: player.Refused, Why: game.Why{Text: "no"}}},
		{K: kindAsks, N: 5, Asks: &player.Asks{Seq: 1, List: []player.Ask{{Num: 1, What: player.AskDraw}}}},
		{K: kindAck, Q: 1},
		{K: kindBye, N: 9},
	} {
		data, err := encode(&x)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"v":3,"k":"hello"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := decode(data)
		if err != nil {
			return
		}
		again, err := encode(x)
		if err != nil {
			if len(data) < MaxFrame/8 {
				t.Fatalf("%s was read and cannot be written: %v", data, err)
			}
			return
		}
		y, err := decode(again)
		if err != nil {
			t.Fatalf("%s was written and cannot be read: %v", again, err)
		}
		third, err := encode(y)
		if err != nil || !bytes.Equal(again, third) {
			t.Fatalf("%s became %s: %v", again, third, err)
		}
	})
}

// FuzzReceive lets the other end say anything to a player in the middle of a game.
func FuzzReceive(f *testing.F) {
	f.Add([]byte(`{"v":2,"k":"hello","s":"g"}`), []byte(`{"v":2,"k":"answer","s":"g","q":1,"answer":{}}`))
	f.Add([]byte(`{"v":2,"k":"ready","s":"g","q":1}`), []byte(`{"v":2,"k":"failed","s":"g","q":2,"failure":{"reason":"abort"}}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		p := NewPlayer(Options{Session: "g", Now: func() time.Time { return time.Unix(0, 0) }, Send: func(data []byte) error {
			if _, err := decode(data); err != nil {
				t.Errorf("%s: %v", data, err)
			}
			return nil
		}})
		p.Tell(&player.Update{})
		for _, data := range [][]byte{a, b, a} {
			_ = p.Receive(data)
		}
		if p.Close() != nil || p.Late() < 0 {
			t.Error("the player did not close")
		}
	})
}
