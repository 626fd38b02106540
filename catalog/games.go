package catalog

import (
	"slices"
	"sync"

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
// fall into them; a ply is a decision.
var rows = sync.OnceValue(func() []Game {
	return []Game{
		{
			Rules:  othello.Game(),
			Engine: botothello.New,
			Exact:  Has(Solver{New: exactothello.New, Whole: exactothello.Whole}),
			GTP: Has(gtp.Form{
				Names: []string{"Othello", "Reversi"}, AllLetters: true, FromTop: true, Square: true, Turn: gtp.OnePoint,
				Size: 8, FirstTurns: [2]string{"f5", "d6"}, FirstMoves: []string{"d3", "c4", "f5", "e6"}, Least: 8,
			}),
			SAU:      None[sau.Form]("the platform does not have the game"),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 1}, Unit: game.Discs}),
		},
		{
			Rules:  gomoku.Game(),
			Engine: botgomoku.New,
			Exact:  Has(Solver{New: exactgomoku.New, Nodes: enough}),
			GTP: Has(gtp.Form{
				Names: []string{"Gomoku", "Five in a row", "Renju"}, LikeGo: true, Turn: gtp.OnePoint,
				Size: 15, FirstTurns: [2]string{"h8", "g7"}, Least: 8,
			}),
			SAU:      None[sau.Form]("the platform does not have the game"),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 5, Within: 40, Near: 2}, Unit: game.Points}),
			Events:   map[string]string{"gomocup": "drawempty=25"},
		},
		{
			Rules:  amazons.Game(),
			Engine: botamazons.New,
			Exact:  Has(Solver{New: exactamazons.New, Nodes: enough}),
			GTP: Has(gtp.Form{
				Names: []string{"Amazons", "Game of the Amazons"}, AllLetters: true, Turn: gtp.ShiftAndArrow, Over: "resign",
				Size: 10, FirstTurns: [2]string{"d1 d7 g7", "d10 c9 c5"},
			}),
			SAU:      Has(sau.Form{Argument: sau.ShiftAndArrow, Pieces: true}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 0.7}, Unit: game.Points}),
			Events:   map[string]string{"ccgc": "", "sau": "rulings=sau"},
		},
		{
			Rules:  connect6.Game(),
			Engine: botconnect6.New,
			Exact:  Has(Solver{New: exactconnect6.New, Nodes: enough}),
			GTP: Has(gtp.Form{
				Names: []string{"Connect6", "Connect Six"}, LikeGo: true, Turn: gtp.TwoStones,
				Size: 19, FirstTurns: [2]string{"j10", "k10 l11"}, Least: 5,
			}),
			SAU:      Has(sau.Form{Argument: sau.TwoStones, Lone: true}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 5, Within: 2, Near: 2}, Unit: game.Points}),
			Events:   map[string]string{"ccgc": "size=19", "sau": "size=19,rulings=sau"},
		},
		{
			Rules:  nogo.Game(),
			Engine: botnogo.New,
			Exact:  Has(Solver{New: exactnogo.New, Nodes: enough}),
			GTP: Has(gtp.Form{
				Names: []string{"NoGo", "Anti-Atari Go"}, LikeGo: true, Turn: gtp.OnePoint, Over: "resign",
				Size: 9, FirstTurns: [2]string{"c3", "g7"},
			}),
			SAU:      Has(sau.Form{Argument: sau.Place}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 6, Within: 0.02}, Unit: game.WinChance}),
			Events:   map[string]string{"ccgc": "size=9", "sau": "size=9,rulings=sau"},
		},
		{
			Rules:    dotsandboxes.Game(),
			Engine:   botdotsandboxes.New,
			Exact:    Has(Solver{New: exactdotsandboxes.New}),
			GTP:      None[gtp.Form]("no engine of it is known that speaks the protocol, which names points and not lines"),
			SAU:      Has(sau.Form{Argument: sau.Edges}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 0.2}, Unit: game.Points}),
			Events:   map[string]string{"ccgc": "size=5", "sau": "size=5"},
		},
		{
			Rules:  phantomgo.Game(),
			Engine: botphantomgo.New,
			Exact:  None[Solver]("the players do not see everything, so that no position has a certain result"),
			GTP: Has(gtp.Form{
				Names: []string{"Phantom Go", "PhantomGo"}, Turn: gtp.OnePoint, Komi: true, Hidden: true, Size: 9,
			}),
			SAU:      Has(sau.Form{Argument: sau.Place, Hidden: true}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 6, Within: 0.03}, Unit: game.WinChance}),
			Events:   map[string]string{"ccgc": "size=9,komi=7.5", "sau": "size=9,rulings=sau"},
		},
		{
			Rules:    surakarta.Game(),
			Engine:   botsurakarta.New,
			Exact:    Has(Solver{New: exactsurakarta.New, Nodes: enough}),
			GTP:      None[gtp.Form]("no engine of it is known that speaks the protocol"),
			SAU:      Has(sau.Form{Argument: sau.Shift, Pieces: true}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 0.1}, Unit: game.Points}),
			Events:   map[string]string{"ccgc": "", "sau": "rulings=sau"},
		},
		{
			Rules:    darkchess.Game(),
			Engine:   botdarkchess.New,
			Exact:    Has(Solver{New: exactdarkchess.New, Nodes: enough}),
			GTP:      None[gtp.Form]("the protocol has no word for what a flip turns up"),
			SAU:      None[sau.Form]("the platform does not have the game"),
			Openings: None[opening.Usual]("its games begin with a shuffle, and --repeat plays each shuffle twice with seats exchanged"),
			Events:   map[string]string{"tcga": "noeat=180,repetition=3"},
			Menu:     Menu{Labels: map[string]string{"repetition": "Long Catch", "noeat": "No Eat Flip"}, Timer: "Absolute (900/0/0)"},
		},
		{
			Rules:  breakthrough.Game(),
			Engine: botbreakthrough.New,
			Exact:  Has(Solver{New: exactbreakthrough.New, Whole: exactbreakthrough.Whole, Nodes: enough}),
			GTP: Has(gtp.Form{
				Names: []string{"Breakthrough"}, AllLetters: true, WhiteFirst: true, Default: true, Turn: gtp.Shift, Over: "resign",
				Size: 8, FirstTurns: [2]string{"d2 d3", "e7 e6"},
			}),
			SAU:      None[sau.Form]("the platform does not have the game"),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 0.02}, Unit: game.Points}),
		},
	}
})
