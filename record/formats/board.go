package formats

import (
	"strconv"

	"kibitz/game"
	"kibitz/record"
	"kibitz/record/boardtxt"
)

func writeBoard(g *record.Game) ([]byte, error) { return boardtxt.Append(nil, g) }

func writeRoom(g *record.Game) ([]byte, error) { return boardtxt.AppendRoom(nil, g) }

// readBoard reads a record of dark chess. Limits for draws are not in it: they are those
// that the user names, else the usual ones or those of the servers of such records.
func readBoard(name string, data []byte, spec game.Spec) ([]*record.Game, error) {
	if spec == game.Spec(spec.ID()) {
		spec = "" // nothing but the name of the game is no word on limits
	}
	g, err := boardtxt.Read(name, data, spec)
	if err != nil {
		return nil, err
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
