// Package games is the list of games: adding a game is one folder beside this
// file and one line in it.
package games

import (
	"kibitz/game"
	"kibitz/games/amazons"
	"kibitz/games/connect6"
	"kibitz/games/darkchess"
	"kibitz/games/dotsandboxes"
	"kibitz/games/gomoku"
	"kibitz/games/nogo"
	"kibitz/games/othello"
	"kibitz/games/phantomgo"
	"kibitz/games/surakarta"
	"kibitz/rules"
)

// All returns every game that Kibitz knows, in the order in which they are shown.
func All() []rules.Game {
	return []rules.Game{
		othello.Game(),
		gomoku.Game(),
		amazons.Game(),
		connect6.Game(),
		nogo.Game(),
		dotsandboxes.Game(),
		phantomgo.Game(),
		surakarta.Game(),
		darkchess.Game(),
	}
}

// Open returns the rules for a specification such as "gomoku:rule=renju".
func Open(spec string) (rules.Rules, error) { return rules.Open(All(), spec) }

// OpenSpec is Open for a specification that is already canonical.
func OpenSpec(spec game.Spec) (rules.Rules, error) { return Open(string(spec)) }
