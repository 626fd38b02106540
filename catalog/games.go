package catalog

import (
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
)

// enough is the budget of solvers that would go on for hours where there is no proof.
const enough = 20_000_000

// All returns every game that Kibitz knows, in the order in which they are shown. Adding
// a game is a row here, beside its folders.
//
// The windows of openings are such that between a tenth and a third of the random lines
// fall into them; a ply is a decision.
func All() []Game {
	return []Game{
		{
			Rules:    othello.Game(),
			Engine:   botothello.New,
			Exact:    Has(Solver{New: exactothello.New, Whole: exactothello.Whole}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 1}, Unit: game.Discs}),
		},
		{
			Rules:    gomoku.Game(),
			Engine:   botgomoku.New,
			Exact:    Has(Solver{New: exactgomoku.New, Nodes: enough}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 5, Within: 40, Near: 2}, Unit: game.Points}),
			Events:   map[string]string{"gomocup": "drawempty=25"},
		},
		{
			Rules:    amazons.Game(),
			Engine:   botamazons.New,
			Exact:    Has(Solver{New: exactamazons.New, Nodes: enough}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 0.7}, Unit: game.Points}),
			Events:   map[string]string{"ccgc": "", "sau": "rulings=sau"},
		},
		{
			Rules:    connect6.Game(),
			Engine:   botconnect6.New,
			Exact:    Has(Solver{New: exactconnect6.New, Nodes: enough}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 5, Within: 2, Near: 2}, Unit: game.Points}),
			Events:   map[string]string{"ccgc": "size=19", "sau": "size=19,rulings=sau"},
		},
		{
			Rules:    nogo.Game(),
			Engine:   botnogo.New,
			Exact:    Has(Solver{New: exactnogo.New, Nodes: enough}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 6, Within: 0.02}, Unit: game.WinChance}),
			Events:   map[string]string{"ccgc": "size=9", "sau": "size=9,rulings=sau"},
		},
		{
			Rules:    dotsandboxes.Game(),
			Engine:   botdotsandboxes.New,
			Exact:    Has(Solver{New: exactdotsandboxes.New}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 0.2}, Unit: game.Points}),
			Events:   map[string]string{"ccgc": "size=5", "sau": "size=5"},
		},
		{
			Rules:    phantomgo.Game(),
			Engine:   botphantomgo.New,
			Exact:    None[Solver]("the players do not see everything, so that no position has a certain result"),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 6, Within: 0.03}, Unit: game.WinChance}),
			Events:   map[string]string{"ccgc": "size=9,komi=7.5", "sau": "size=9,rulings=sau"},
		},
		{
			Rules:    surakarta.Game(),
			Engine:   botsurakarta.New,
			Exact:    Has(Solver{New: exactsurakarta.New, Nodes: enough}),
			Openings: Has(opening.Usual{Recipe: opening.Recipe{Plies: 8, Within: 0.1}, Unit: game.Points}),
			Events:   map[string]string{"ccgc": "", "sau": "rulings=sau"},
		},
		{
			Rules:    darkchess.Game(),
			Engine:   botdarkchess.New,
			Exact:    Has(Solver{New: exactdarkchess.New, Nodes: enough}),
			Openings: None[opening.Usual]("its games begin with a shuffle, and --repeat plays each shuffle twice with seats exchanged"),
			Events:   map[string]string{"tcga": "noeat=180,repetition=3"},
			Menu:     Menu{Labels: map[string]string{"repetition": "Long Catch", "noeat": "No Eat Flip"}, Timer: "Absolute (900/0/0)"},
		},
	}
}
