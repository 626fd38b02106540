// Command tstypes writes hall/web/src/wire.ts: the types of what a hall sends to scripts of its
// pages, as their Go sources declare them, with what these say of each field. A field that JSON
// may leave out is optional; a named string with constants is the union of these, and so is a
// field with the tag enum.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// root is a type that scripts read, and what it is called there.
type root struct{ folder, name, as string }

// roots are the explicit list; what they are made of comes with them, by its own name.
func roots() []root {
	return []root{
		{"hall/live", "State", "State"},
		{"hall/live", "Delta", "Delta"},
		{"hall/bus", "SeatState", "Ask"},
		{"journal", "Ask", "Asked"},
		{"game", "Why", "Why"},
		{"hall/api", "gameEvents", "GameEvents"},
		{"hall/api", "consoleEvents", "ConsoleEvents"},
		{"hall/api", "analysisEvents", "AnalysisEvents"},
		{"hall/api", "analysedView", "Analysed"},
		{"hall/api", "analysedLine", "AnalysedLine"},
		{"hall/api", "analysisEnd", "AnalysisEnd"},
		{"hall/api", "lineView", "LineView"},
		{"hall/api", "gameReview", "GameReview"},
		{"hall/api", "setupView", "SetupView"},
		{"hall/api", "solvedView", "SolvedView"},
		{"hall/records", "Pasted", "Pasted"},
		{"hall/records", "ExploredView", "Explored"},
		{"hall/site", "replayView", "Replay"},
		{"hall/api", "overNews", "OverNews"},
		{"game/look", "Number", "Numbered"},
		{"game/look", "Look", "Look"},
		{"game/look", "Piece", "PieceLook"},
		{"game/look", "Colour", "PieceColour"},
		{"game/look", "Board", "UsualBoard"},
		{"game/look", "Sample", "Sample"},
	}
}

func main() {
	text, err := made(os.Args[1])
	if err == nil {
		err = os.WriteFile(filepath.Join(os.Args[1], "hall/web/src/wire.ts"), text, 0o644) //nolint:gosec // a source, for everybody
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tstypes:", err)
		os.Exit(1)
	}
}
