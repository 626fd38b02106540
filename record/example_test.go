package record_test

import (
	"bytes"
	"errors"
	"fmt"

	"kibitz/game"
	"kibitz/record"
	"kibitz/record/sgf"
)

// A record is a value of no format; the packages below write and read it.
func ExampleGame() {
	g := &record.Game{
		Spec: "gomoku:rule=freestyle,size=15", Names: [2]string{"Ann", "Bob"}, Date: "2024-05-01",
		Steps: []record.Step{
			{By: game.First, Move: game.PlaceAt(game.Pt(7, 7))},
			{By: game.Second, Move: game.PlaceAt(game.Pt(8, 7)), Comment: "next to it"},
		},
	}
	var file bytes.Buffer
	if err := sgf.Write(&file, g); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(file.String())
	list, err := sgf.Read(file.Bytes())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(list[0].SeatNames(), len(list[0].Steps), "decisions;", list[0].Steps[1].Comment)
	fmt.Println("lost on the way:", record.Lost([]*record.Game{g}, list))
	// Output:
	// (;FF[4]GM[4]CA[UTF-8]AP[Kibitz]SZ[15]RU[freestyle]PB[Ann]PW[Bob]DT[2024-05-01]
	// ;B[hh];W[ih]C[next to it])
	// [Ann Bob] 2 decisions; next to it
	// lost on the way: []
}

// A fault in a file has its place.
func ExampleError() {
	_, err := sgf.Read([]byte("(;GM[4]\n;B[h8)"))
	if fault, ok := errors.AsType[*record.Error](record.InFile("game.sgf", err)); ok {
		fmt.Println(fault)
	}
	// Output:
	// game.sgf:2:2: the value of property B never ends: "]" is missing
}
