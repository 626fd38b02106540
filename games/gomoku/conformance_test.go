package gomoku_test

import (
	"testing"

	"kibitz/games/gomoku"
	"kibitz/rules/rulestest"
)

func TestConformance(t *testing.T) {
	rulestest.Run(t, gomoku.Game(), rulestest.Variants(
		"gomoku:rule=renju,size=9",
		"gomoku:rule=renju,size=6,opening=swap2",
		"gomoku:rule=renju,size=6,pass=true",
		"gomoku:rule=renju,size=6,opening=swap2,pass=true",
		"gomoku:rule=standard,size=6,continuous=true",
		"gomoku:rule=renju,size=7,continuous=true,opening=swap2",
		"gomoku:rule=caro,width=31,height=6,drawempty=25",
		"gomoku:rule=caro6,width=5,height=9",
		"gomoku:rule=freestyle,width=53,height=5",
	))
}
