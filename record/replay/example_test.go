package replay_test

import (
	"fmt"

	"kibitz/game"
	"kibitz/games"
	"kibitz/record"
	"kibitz/record/replay"
)

// The rules complete what a record leaves out, here whose decision each is, and judge it.
func ExamplePlay() {
	at := func(x, y int) record.Step { return record.Step{By: game.Nobody, Move: game.PlaceAt(game.Pt(x, y))} }
	g := &record.Game{
		Spec:  "gomoku:rule=freestyle,size=9",
		Steps: []record.Step{at(0, 0), at(0, 1), at(1, 0), at(1, 1), at(2, 0), at(2, 1), at(3, 0), at(3, 1), at(4, 0)},
	}
	l, err := replay.Play(g, games.OpenSpec)
	if err != nil {
		fmt.Println(err)
		return
	}
	last := l.Steps[l.Len()-1]
	r := l.Verdict.Final()
	fmt.Println(last.By, "played", l.Rules.FormatMove(last.Move)+",", r.Winner(), "wins by", r.Reason)
	v, err := l.View(2, game.Public)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("after two decisions", v.Turn.Seat, "decides")
	// Output:
	// first played e1, first wins by five
	// after two decisions first decides
}

// A line ends before the first decision that the rules refuse, and says why.
func ExampleLine() {
	centre := record.Step{Move: game.PlaceAt(game.Pt(4, 4)), By: game.Nobody}
	l, err := replay.Play(&record.Game{Spec: "gomoku:rule=freestyle,size=9", Steps: []record.Step{centre, centre}}, games.OpenSpec)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Len(), l.Illegal)
	// Output:
	// 1 decision 2, e5: e5 is occupied
}
