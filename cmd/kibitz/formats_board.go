package main

import (
	"strconv"

	"kibitz/game"
	"kibitz/games"
	"kibitz/record"
	"kibitz/record/boardtxt"
)

var (
	writeBoard = single(func(g *record.Game) ([]byte, error) { return boardtxt.Append(nil, g) })
	writeRoom  = single(func(g *record.Game) ([]byte, error) { return boardtxt.AppendRoom(nil, g) })
)

// readBoard reads a record of dark chess. Limits for draws are not in it: those that
// its result shows are taken, unless the user names others.
func readBoard(name string, data []byte, spec game.Spec) ([]*record.Game, error) {
	g, err := boardtxt.Read(name, data)
	if err != nil {
		return nil, err
	}
	usual, err := games.Open("darkchess")
	if err != nil {
		return nil, err
	}
	if spec.ID() == "darkchess" && spec != usual.Spec() {
		g.Spec = spec
	}
	return []*record.Game{g}, nil
}

// boardFile is the name that the servers of dark chess give to the file of a game in
// a folder, empty for other formats. Rooms number their games.
func boardFile(format string, g *record.Game) string {
	switch format {
	case "board":
		return boardtxt.FileName(g)
	case "board-room":
		n, err := strconv.Atoi(g.ID)
		if err != nil {
			n = 1
		}
		return boardtxt.RoomFileName(g, n)
	}
	return ""
}
