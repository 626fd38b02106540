package catalog

import (
	"slices"
	"strings"
	"sync"

	"kibitz/analysis"
	"kibitz/bot"
	botamazons "kibitz/bot/amazons"
	botbreakthrough "kibitz/bot/breakthrough"
	botconnect6 "kibitz/bot/connect6"
	botdarkchess "kibitz/bot/darkchess"
	botdotsandboxes "kibitz/bot/dotsandboxes"
	botgomoku "kibitz/bot/gomoku"
	botnogo "kibitz/bot/nogo"
	botothello "kibitz/bot/othello"
	botphantomgo "kibitz/bot/phantomgo"
	botsurakarta "kibitz/bot/surakarta"
	exactamazons "kibitz/exact/amazons"
	exactbreakthrough "kibitz/exact/breakthrough"
	exactconnect6 "kibitz/exact/connect6"
	exactdarkchess "kibitz/exact/darkchess"
	exactdotsandboxes "kibitz/exact/dotsandboxes"
	exactgomoku "kibitz/exact/gomoku"
	exactnogo "kibitz/exact/nogo"
	exactothello "kibitz/exact/othello"
	exactsurakarta "kibitz/exact/surakarta"
	"kibitz/game"
	"kibitz/game/look"
	"kibitz/game/wire"
	"kibitz/games/amazons"
	"kibitz/games/breakthrough"
	"kibitz/games/connect6"
	"kibitz/games/darkchess"
	"kibitz/games/dotsandboxes"
	"kibitz/games/gomoku"
	"kibitz/games/nogo"
	"kibitz/games/othello"
	"kibitz/games/phantomgo"
	"kibitz/games/surakarta"
	"kibitz/opening"
	"kibitz/protocol/gtp"
	"kibitz/protocol/sau"
)

// enough is the budget of solvers that would go on for hours where there is no proof.
const enough = 20_000_000

// All returns every game that Kibitz knows, in the order in which they are shown.
func All() []Game { return slices.Clone(rows()) }

// rows are the games, made once and changed by nobody. Adding a game is a row here, beside
// its folders.
//
// The windows of openings are such that between a tenth and a third of the random lines
// fall into them; a ply is a decision. Scales are fitted to games of levels 3 and 4 against themselves
// (docs/analysis.md).
var rows = sync.OnceValue(func() []Game {
	return []Game{
		{
			Rules:   othello.Game(),
			Engine:  botothello.New,
			Choices: None[[]look.Choice]("it has no options"),
			Ladder:  Has([bot.MaxLevel]int{0, 215, 440, 591, 899, 1074, 1234, 1462, 1674}),
			Exact:   Has(Solver{New: exactothello.New, Whole: exactothello.Whole}),
			Scale:   Has(analysis.Scale{Slope: 0.12, Points: [3]float64{2, 6, 12}}),
			GTP: Has(gtp.Form{
				Names: []string{"Othello", "Reversi"}, AllLetters: true, FromTop: true, Square: true, Turn: gtp.OnePoint,
				Size: 8, FirstTurns: [2]string{"f5", "d6"}, FirstMoves: []string{"d3", "c4", "f5", "e6"}, Least: 8,
			}),
			SAU:      None[sau.Form]("the platform does not have the game"),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 1}, Unit: game.Discs}),
			Events:   None[map[string]string]("no event whose preset is here plays it"),
			Menu:     None[Menu]("its options say all"),
			Look: look.Look{
				Tile:   look.Tile{Ground: "#2e8b5c", Picture: look.Dots("#fff", 34, "30 30", "70 70") + look.Dots("#111", 34, "70 30", "30 70")},
				Pieces: look.Two(look.Disc, "B", "W", "piece"),
				Early:  look.Place, Latest: look.Marks, Hints: look.OnTurn, Home: look.Either, Turned: look.Halves, Labels: look.Inside,
				Number: look.NoNumbers, Aid: look.NoAid, Passes: look.NoPasses,
			},
			Presets: None[[]string]("it is played by its usual options"),
			Sample:  None[look.Sample]("its board is seen by that of dark chess"),
		},
		{
			Rules:  gomoku.Game(),
			Engine: botgomoku.New,
			Choices: Has([]look.Choice{
				{Key: "size", Values: []string{"15", "19", "20"}},
				{Key: "rule", Values: []string{"freestyle", "standard", "renju", "caro"}},
				{Key: "opening", Values: []string{"none", "swap2"}, Swaps: []string{"swap2"}},
				{Key: "continuous", Values: []string{"false", "true"}},
			}),
			Ladder: Has([bot.MaxLevel]int{0, 160, 346, 528, 771, 1001, 1242, 1435, 1685}),
			Exact:  Has(Solver{New: exactgomoku.New, Nodes: enough}),
			Scale:  Has(analysis.Scale{Slope: 0.0074}),
			GTP: Has(gtp.Form{
				Names: []string{"Gomoku", "Five in a row", "Renju"}, LikeGo: true, Turn: gtp.OnePoint,
				Size: 15, FirstTurns: [2]string{"h8", "g7"}, Least: 8,
			}),
			SAU:      None[sau.Form]("the platform does not have the game"),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 5, Within: 40, Near: 2}, Unit: game.Points}),
			Events:   Has(map[string]string{"gomocup": "drawempty=25"}),
			Menu:     None[Menu]("its options say all"),
			Look: look.Look{
				Tile: look.Tile{Ground: "#dfb36c", Picture: look.Dots("#111", 18, "18 82", "34 66", "50 50", "66 34", "82 18")},
				Pieces: map[string]look.Piece{
					"B": {Figure: look.Stone, Colour: look.Black, Name: "piece.black"}, "b": {Figure: look.Dead, Colour: look.Black, Name: "piece.dead"},
					"W": {Figure: look.Stone, Colour: look.White, Name: "piece.white"}, "w": {Figure: look.Dead, Colour: look.White, Name: "piece.dead"},
				},
				Early: look.Place, Latest: look.Marks, Hints: look.Picked, Home: look.Either, Turned: look.Halves, Labels: look.Beside,
				Number: look.Stones, Aid: look.NoAid, Passes: look.OptionPasses,
			},
			Presets: Has([]string{"rule=renju", "opening=swap2"}),
			Sample: Has(look.Sample{
				Shape: wire.Crossings, Ground: wire.Wood, Width: 5, Height: 5, Colours: [2]wire.Colour{wire.Black, wire.White},
				Pieces: ".......W...BB...BW.......", Owners: "-------1---00---01-------", Marks: []wire.Point{{2, 1}},
				Moves: []string{"p2,2", "p2,3", "p1,2", "p2,1", "p1,3"},
			}),
		},
		{
			Rules:   amazons.Game(),
			Engine:  botamazons.New,
			Choices: Has([]look.Choice{rulings()}),
			Ladder:  Has([bot.MaxLevel]int{0, 151, 376, 617, 799, 1129, 1297, 1421, 1607}),
			Exact:   Has(Solver{New: exactamazons.New, Nodes: enough}),
			Scale:   Has(analysis.Scale{Slope: 0.142, Points: [3]float64{1.5, 4, 10}}),
			GTP: Has(gtp.Form{
				Names: []string{"Amazons", "Game of the Amazons"}, AllLetters: true, Turn: gtp.ShiftAndArrow, Over: "resign",
				Size: 10, FirstTurns: [2]string{"d1 d7 g7", "d10 c9 c5"},
			}),
			SAU:      Has(sau.Form{Argument: sau.ShiftAndArrow, Pieces: true}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 0.7}, Unit: game.Points}),
			Events:   Has(map[string]string{"ccgc": "", "sau": "rulings=sau"}),
			Menu:     None[Menu]("its options say all"),
			Look: look.Look{
				Tile: look.Tile{Ground: "#efdcb8", Picture: look.Chequer + `<path stroke="#7a2b14" stroke-width="8" d="M35 65 95 5"/>` +
					look.Dots("#fff", 35, "22 78")},
				Pieces: map[string]look.Piece{
					"b": {Figure: look.Amazon, Colour: look.Black, Name: "piece.amazons.black"},
					"w": {Figure: look.Amazon, Colour: look.White, Name: "piece.amazons.white"},
					"#": {Figure: look.Arrow, Name: "piece.burnt"},
				},
				Early: look.Shot, Latest: look.Walk, Hints: look.OnTurn, Home: look.First, Turned: look.Halves, Labels: look.Inside,
				Number: look.NoNumbers, Aid: look.NoAid, Passes: look.NoPasses,
			},
			Presets: None[[]string]("it is played by its usual options"),
			Sample:  None[look.Sample]("its board is seen by that of dark chess"),
		},
		{
			Rules:   connect6.Game(),
			Engine:  botconnect6.New,
			Choices: Has([]look.Choice{{Key: "size", Values: []string{"19", "15", "13"}}, rulings()}),
			Ladder:  Has([bot.MaxLevel]int{0, 139, 321, 498, 669, 859, 978, 1111, 1312}),
			Exact:   Has(Solver{New: exactconnect6.New, Nodes: enough}),
			Scale:   Has(analysis.Scale{Slope: 0.0074}),
			GTP: Has(gtp.Form{
				Names: []string{"Connect6", "Connect Six"}, LikeGo: true, Turn: gtp.TwoStones,
				Size: 19, FirstTurns: [2]string{"j10", "k10 l11"}, Least: 5,
			}),
			SAU:      Has(sau.Form{Argument: sau.TwoStones, Lone: true}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 5, Within: 2, Near: 2}, Unit: game.Points}),
			Events:   Has(map[string]string{"ccgc": "size=19", "sau": "size=19,rulings=sau"}),
			Menu:     None[Menu]("its options say all"),
			Look: look.Look{
				Tile:   look.Tile{Ground: "#dfb36c", Picture: look.Dots("#111", 27, "35 30", "65 30") + look.Dots("#fff", 27, "35 70", "65 70")},
				Pieces: look.Two(look.Stone, "b", "w", "piece"),
				Early:  look.Pair, Latest: look.Marks, Hints: look.Picked, Home: look.Either, Turned: look.Halves, Labels: look.Beside,
				Number: look.Turns, Aid: look.NoAid, Passes: look.NoPasses,
			},
			Presets: None[[]string]("it is played by its usual options"),
			Sample:  None[look.Sample]("its board is seen by that of five in a row"),
		},
		{
			Rules:   nogo.Game(),
			Engine:  botnogo.New,
			Choices: Has([]look.Choice{{Key: "size", Values: []string{"9", "13"}}, rulings()}),
			Ladder:  Has([bot.MaxLevel]int{0, 288, 498, 662, 937, 1168, 1403, 1691, 1901}),
			Exact:   Has(Solver{New: exactnogo.New, Nodes: enough}),
			Scale:   Has(analysis.Scale{}),
			GTP: Has(gtp.Form{
				Names: []string{"NoGo", "Anti-Atari Go"}, LikeGo: true, Turn: gtp.OnePoint, Over: "resign",
				Size: 9, FirstTurns: [2]string{"c3", "g7"},
			}),
			SAU:      Has(sau.Form{Argument: sau.Place}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 6, Within: 0.02}, Unit: game.WinChance}),
			Events:   Has(map[string]string{"ccgc": "size=9", "sau": "size=9,rulings=sau"}),
			Menu:     None[Menu]("its options say all"),
			Look: look.Look{
				Tile:   look.Tile{Ground: "#dfb36c", Picture: `<path fill="none" stroke="#a8201a" stroke-width="8" d="M50 28a22 22 0 1 1 0 44 22 22 0 1 1 0-44zM0 0l100 100"/>`},
				Pieces: look.Two(look.Stone, "b", "w", "piece"),
				Early:  look.Place, Latest: look.Marks, Hints: look.Picked, Home: look.Either, Turned: look.Halves, Labels: look.Beside,
				Number: look.NoNumbers, Aid: look.NoAid, Passes: look.NoPasses,
			},
			Presets: None[[]string]("it is played by its usual options"),
			Sample:  None[look.Sample]("its board is seen by that of five in a row"),
		},
		{
			Rules:    dotsandboxes.Game(),
			Engine:   botdotsandboxes.New,
			Choices:  Has([]look.Choice{{Key: "size", Values: []string{"3", "4", "5", "6", "7"}}}),
			Ladder:   Has([bot.MaxLevel]int{0, 205, 401, 556, 733, 953, 1122, 1253, 1421}),
			Exact:    Has(Solver{New: exactdotsandboxes.New}),
			Scale:    Has(analysis.Scale{Slope: 0.284, Points: [3]float64{1, 2, 4}}),
			GTP:      None[gtp.Form]("no engine of it is known that speaks the protocol, which names points and not lines"),
			SAU:      Has(sau.Form{Argument: sau.Edges}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 0.2}, Unit: game.Points}),
			Events:   Has(map[string]string{"ccgc": "size=5", "sau": "size=5"}),
			Menu:     None[Menu]("its options say all"),
			Look: look.Look{
				Tile: look.Tile{Ground: "#fdfcf8", Picture: `<path fill="none" stroke="#1f6fb8" stroke-width="7" d="M17 17h33v33"/>` +
					`<path fill="none" stroke="#c2410c" stroke-width="7" d="M17 17v33h33v33"/>` +
					look.Dots("#333", 14, "17 17", "50 17", "83 17", "17 50", "50 50", "83 50", "17 83", "50 83", "83 83")},
				Pieces: map[string]look.Piece{"b": {Figure: look.Box, Name: "piece.box"}, "w": {Figure: look.Box, Name: "piece.box"}},
				Early:  look.Edge, Latest: look.Marks, Hints: look.Picked, Home: look.Either, Turned: look.Halves, Labels: look.Inside,
				Number: look.NoNumbers, Aid: look.Chains, Passes: look.NoPasses,
			},
			Presets: None[[]string]("it is played by its usual options"),
			Sample: Has(look.Sample{
				Shape: wire.Dots, Ground: wire.Paper, Width: 4, Height: 4, Colours: [2]wire.Colour{wire.Black, wire.White},
				Pieces: "b...............", Owners: "0---------------",
				Lines: []wire.Line{
					{0, 0, 0, 0},
					{0, 0, 1, 1},
					{1, 0, 1, 0},
					{0, 1, 0, 0},
					{1, 0, 0, 1},
					{2, 0, 0, 0},
					{3, 0, 1, 1},
					{1, 1, 0, 0},
					{1, 2, 0, 1},
					{2, 2, 0, 0},
					{0, 2, 1, 0},
					{0, 3, 0, 1},
					{2, 3, 0, 0},
					{3, 2, 1, 1},
				},
			}),
		},
		{
			Rules:   phantomgo.Game(),
			Engine:  botphantomgo.New,
			Choices: Has([]look.Choice{{Key: "size", Values: []string{"9", "13"}}, {Key: "komi"}, rulings()}),
			Ladder:  Has([bot.MaxLevel]int{0, 173, 280, 476, 609, 786, 925, 1068, 1191}),
			Exact:   None[Solver]("the players do not see everything, so that no position has a certain result"),
			Scale:   None[analysis.Scale]("each seat is evaluated by what it knows, so that evaluations before and after a turn cannot be compared"),
			GTP: Has(gtp.Form{
				Names: []string{"Phantom Go", "PhantomGo"}, Turn: gtp.OnePoint, Komi: true, Hidden: true, Size: 9,
			}),
			SAU:      Has(sau.Form{Argument: sau.Place, Hidden: true}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 6, Within: 0.03}, Unit: game.WinChance}),
			Events:   Has(map[string]string{"ccgc": "size=9,komi=7.5", "sau": "size=9,rulings=sau"}),
			Menu:     None[Menu]("its options say all"),
			Look: look.Look{
				Tile: look.Tile{Ground: "#dfb36c", Picture: look.Dots("#111", 27, "35 40") +
					`<path fill="none" stroke="#8a6a3a" stroke-width="3" d="M68 50a12 12 0 1 1 0 24 12 12 0 1 1 0-24z"/>`},
				Pieces: look.Two(look.Stone, "b", "w", "piece"),
				Early:  look.Place, Latest: look.Marks, Hints: look.Picked, Home: look.Either, Turned: look.Halves, Labels: look.Beside,
				Number: look.NoNumbers, Aid: look.NoAid, Passes: look.Always,
			},
			Presets: None[[]string]("it is played by its usual options"),
			Sample:  None[look.Sample]("its board is seen by that of five in a row"),
		},
		{
			Rules:  surakarta.Game(),
			Engine: botsurakarta.New,
			Choices: Has([]look.Choice{
				{Key: "repetition", Values: []string{"3", "2"}}, {Key: "nocapture", Values: []string{"50", "0"}}, rulings(),
			}),
			Ladder:   Has([bot.MaxLevel]int{0, 200, 452, 648, 894, 1082, 1310, 1585, 1867}),
			Exact:    Has(Solver{New: exactsurakarta.New, Nodes: enough}),
			Scale:    Has(analysis.Scale{Slope: 0.718}),
			GTP:      None[gtp.Form]("no engine of it is known that speaks the protocol"),
			SAU:      Has(sau.Form{Argument: sau.Shift, Pieces: true}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 0.1}, Unit: game.Points}),
			Events:   Has(map[string]string{"ccgc": "", "sau": "rulings=sau"}),
			Menu:     None[Menu]("its options say all"),
			Look: look.Look{
				Tile: look.Tile{Ground: "#dfb36c", Picture: `<path fill="none" stroke="#6d4f22" stroke-width="6" d="M51 0A51 51 0 0 1 0 51M49 100a51 51 0 0 1 51-51"/>` +
					look.Dots("#111", 23, "62 38") + look.Dots("#fff", 23, "38 62")},
				Pieces: look.Two(look.Stone, "b", "w", "piece"),
				Early:  look.Shift, Latest: look.Walk, Hints: look.Picked, Home: look.Second, Turned: look.Halves, Labels: look.Beside,
				Number: look.NoNumbers, Aid: look.NoAid, Passes: look.NoPasses,
			},
			Presets: None[[]string]("it is played by its usual options"),
			Sample:  None[look.Sample]("its board is seen by that of five in a row"),
		},
		{
			Rules:    darkchess.Game(),
			Engine:   botdarkchess.New,
			Choices:  Has([]look.Choice{{Key: "noeat", Values: []string{"60", "180", "0"}}, {Key: "repetition", Values: []string{"3", "0"}}}),
			Ladder:   Has([bot.MaxLevel]int{0, 235, 419, 601, 826, 997, 1146, 1285, 1432}),
			Exact:    Has(Solver{New: exactdarkchess.New, Nodes: enough}),
			Scale:    Has(analysis.Scale{Slope: 0.161}),
			GTP:      None[gtp.Form]("the protocol has no word for what a flip turns up"),
			SAU:      None[sau.Form]("the platform does not have the game"),
			Openings: None[opening.Usual]("its games begin with a shuffle, and --repeat plays each shuffle twice with seats exchanged"),
			Events:   Has(map[string]string{"tcga": "noeat=180,repetition=3"}),
			Menu:     Has(Menu{Labels: map[string]string{"repetition": "Long Catch", "noeat": "No Eat Flip"}, Timer: "Absolute (900/0/0)"}),
			Look: look.Look{
				Tile: look.Tile{Ground: "#dfb36c", Picture: look.Dots("#6b321b", 33, "30 50") + look.Dots("#b3261e", 35, "72 50") +
					look.Dots("#fbf0d3", 31, "72 50") + look.Dots("#b3261e", 14, "72 50")},
				Pieces: faces("帥仕相俥傌炮兵", "將士象車馬包卒"),
				Early:  look.Flip, Latest: look.Walk, Hints: look.Picked, Home: look.Either, Turned: look.Quarters, Labels: look.Beside,
				Number: look.NoNumbers, Aid: look.NoAid, Passes: look.NoPasses, Ranks: "KGMRNCP",
			},
			Presets: None[[]string]("it is played by its usual options"),
			Sample: Has(look.Sample{
				Shape: wire.Cells, Ground: wire.Table, Width: 4, Height: 4, Colours: [2]wire.Colour{wire.Red, wire.Black},
				Pieces: ".kXXR.XnXXcXPXXG", Owners: "-1--0--1--1-0--0",
			}),
		},
		{
			Rules:   breakthrough.Game(),
			Engine:  botbreakthrough.New,
			Choices: None[[]look.Choice]("it has no options"),
			Ladder:  None[[bot.MaxLevel]int]("nobody has measured it yet"),
			Exact:   Has(Solver{New: exactbreakthrough.New, Whole: exactbreakthrough.Whole, Nodes: enough}),
			Scale:   Has(analysis.Scale{Slope: 0.285}),
			GTP: Has(gtp.Form{
				Names: []string{"Breakthrough"}, AllLetters: true, WhiteFirst: true, Default: true, Turn: gtp.Shift, Over: "resign",
				Size: 8, FirstTurns: [2]string{"d2 d3", "e7 e6"},
			}),
			SAU:      None[sau.Form]("the platform does not have the game"),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 0.02}, Unit: game.Points}),
			Events:   None[map[string]string]("no event whose preset is here plays it"),
			Menu:     None[Menu]("its options say all"),
			Look: look.Look{
				Tile: look.Tile{Ground: "#efdcb8", Picture: look.Chequer + `<path fill="#111" d="M18 8h14l9 26H9z"/>` + look.Dots("#111", 16, "25 8") +
					`<path fill="#fff" d="M68 66h14l9 26H59z"/>` + look.Dots("#fff", 16, "75 66")},
				Pieces: look.Two(look.Man, "b", "w", "piece.breakthrough"),
				Early:  look.Shift, Latest: look.Walk, Hints: look.OnTurn, Home: look.First, Turned: look.Halves, Labels: look.Inside,
				Number: look.NoNumbers, Aid: look.NoAid, Passes: look.NoPasses,
			},
			Presets: None[[]string]("it is played by its usual options"),
			Sample:  None[look.Sample]("its board is seen by that of dark chess"),
		},
	}
})

// faces are the pieces of dark chess by their ranks: red ones in upper case, and one face
// down.
func faces(red, black string) map[string]look.Piece {
	out := map[string]look.Piece{"X": {Figure: look.Back, Name: "piece.hidden"}}
	for i, letter := range strings.Split("KGMRNCP", "") {
		small := strings.ToLower(letter)
		out[letter] = look.Piece{Figure: look.Face, Colour: look.Red, Glyph: string([]rune(red)[i]), Name: "piece." + letter}
		out[small] = look.Piece{Figure: look.Face, Colour: look.Ink, Glyph: string([]rune(black)[i]), Name: "piece." + small}
	}
	return out
}
