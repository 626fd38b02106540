// Package games is the list of games for those who may import rules and nothing else. It
// is made from the catalog (go generate ./catalog), where a game is added.
package games

import (
	"kibitz/game"
	"kibitz/rules"
)

// Open returns the rules for a specification such as "gomoku:rule=renju".
func Open(spec string) (rules.Rules, error) { return rules.Open(All(), spec) }

// OpenSpec is Open for a specification that is already canonical.
func OpenSpec(spec game.Spec) (rules.Rules, error) { return Open(string(spec)) }
