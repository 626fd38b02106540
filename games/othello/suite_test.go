package othello_test

import (
	"testing"

	"kibitz/games/othello"
	"kibitz/rules/rulestest"
)

func TestConformance(t *testing.T) { rulestest.Run(t, othello.Game()) }
