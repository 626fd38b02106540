package checkfaults

import (
	"fmt"
	"regexp"
	"strings"

	"kibitz/catalog"
	"kibitz/game"
	"kibitz/match/trial"
	"kibitz/protocol"
	"kibitz/protocol/dctp"
	"kibitz/protocol/nboard"
	"kibitz/protocol/piskvork"
	"kibitz/protocol/ponder"
	"kibitz/protocol/readfile"
)

// seat is a protocol and a game in which engines go wrong.
type seat struct {
	entry         protocol.Protocol
	spec          string
	width, height int
	words         words
	lines         *trial.Lines
}

// name is how the table of faults calls a seat.
func (s *seat) name() string { return s.entry.ID + " " + s.spec }

// seats lists where faults are tried.
func seats() []seat {
	numbers := words{
		move: regexp.MustCompile(`^\d+,\d+$`), told: regexp.MustCompile(`^(TURN \d|\d+,\d+,)`), begins: regexp.MustCompile(`^(RE)?START`),
		point: regexp.MustCompile(`(\d+),(\d+)`),
		read:  func(a, b string) (int, int) { return decimal(a), decimal(b) },
		write: func(x, y int) string { return fmt.Sprintf("%d,%d", x, y) },
	}
	squares := lettered("abcdefghijklmnopqrstuvwxyz")
	discs := squares
	discs.move, discs.told, discs.begins = regexp.MustCompile(`^===`), regexp.MustCompile(`^(move|set game) `), regexp.MustCompile(`^set game`)
	stones := lettered("abcdefghjklmnopqrstuvwxyz")
	stones.move, stones.ask = regexp.MustCompile(`^= ?[A-Za-z]`), regexp.MustCompile(`^genmove`)
	stones.told, stones.begins = regexp.MustCompile(`^play`), regexp.MustCompile(`^clear_board`)
	letters := stones
	letters.point, letters.read, letters.write = squares.point, squares.read, squares.write
	hidden := stones
	hidden.told = regexp.MustCompile(`^kibitz-phantom_(accepted|refused)`)
	pairs := words{
		move: regexp.MustCompile(`^move `), told: regexp.MustCompile(`^move [A-Z]`), begins: regexp.MustCompile(`^new `),
		point: regexp.MustCompile(`([A-S])([A-S])`),
		read:  func(a, b string) (int, int) { return int(a[0] - 'A'), int(b[0] - 'A') },
		write: func(x, y int) string { return string([]byte{'A' + byte(x), 'A' + byte(y)}) },
	}
	edges := pairs
	edges.told, edges.point, edges.turn = regexp.MustCompile(`^move \d`), regexp.MustCompile(`[AB][A-F][A-F]`), turnEdge
	taken := pairs
	taken.told = regexp.MustCompile(`^taked? `)
	dark := squares
	dark.move, dark.told, dark.begins = regexp.MustCompile(`^=12 `), regexp.MustCompile(`^1[01] `), regexp.MustCompile(`^7 `)
	calls := squares
	calls.move, calls.told, calls.begins = regexp.MustCompile(`^/(move|flip)`), regexp.MustCompile(`^/(move|flip)`),
		regexp.MustCompile(`^/start`)
	files := squares
	files.move, files.told, files.begins = regexp.MustCompile(`^\d\s`), regexp.MustCompile(`^\* \d+\. `), regexp.MustCompile(`^$`)
	return []seat{
		{piskvork.Protocol(), "gomoku", 15, 15, numbers, nil},
		{nboard.Protocol(), "othello", 8, 8, discs, nil},
		{catalog.GTP(), "nogo", 9, 9, stones, nil},
		{catalog.GTP(), "gomoku", 15, 15, stones, nil},
		{catalog.GTP(), "othello", 8, 8, letters, nil},
		{catalog.GTP(), "amazons", 10, 10, letters, nil},
		{catalog.GTP(), "connect6", 19, 19, stones, nil},
		{catalog.GTP(), "phantomgo", 9, 9, hidden, nil},
		{catalog.SAU(), "amazons", 10, 10, pairs, nil},
		{catalog.SAU(), "surakarta", 6, 6, pairs, nil},
		{catalog.SAU(), "nogo", 9, 9, pairs, nil},
		{catalog.SAU(), "connect6", 19, 19, pairs, nil},
		{catalog.SAU(), "dotsandboxes", 6, 6, edges, nil},
		{catalog.SAU(), "phantomgo", 9, 9, taken, nil},
		{dctp.Protocol(), "darkchess", 4, 8, dark, nil},
		{ponder.Protocol(), "darkchess", 4, 8, calls, nil},
		{readfile.Protocol(), "darkchess", 4, 8, files, nil},
	}
}

// turnEdge moves both ends of a line between dots: a direction, a row (of vertical ones the
// column) and the place in it.
func turnEdge(m string, f func(x, y int) (int, int)) string {
	i, j := int(m[1]-'A'), int(m[2]-'A')
	line := game.EdgeAt(game.Pt(j, i), false)
	if m[0] == 'B' {
		line = game.EdgeAt(game.Pt(i, j), true)
	}
	line = line.Through(func(p game.Point) game.Point { return game.Pt(f(int(p.X), int(p.Y))) })
	x, y := 'A'+byte(line.To.X), 'A'+byte(line.To.Y)
	if line.Arg == 1 {
		return string([]byte{'B', x, y})
	}
	return string([]byte{'A', y, x})
}

// lettered are points of a letter and a number from 1.
func lettered(letters string) words {
	return words{
		point: regexp.MustCompile(`\b([A-Za-z])(\d{1,2})\b`),
		read:  func(a, b string) (int, int) { return strings.Index(letters, strings.ToLower(a)), decimal(b) - 1 },
		write: func(x, y int) string {
			if x < 0 || x >= len(letters) {
				x = len(letters) - 1
			}
			return fmt.Sprintf("%c%d", letters[x], y+1)
		},
	}
}
