package piskvork_test

import (
	"testing"

	"kibitz/internal/hostfuzz"
	"kibitz/protocol/piskvork"
)

// FuzzHost plays games against engines that may answer anything.
func FuzzHost(f *testing.F) {
	hostfuzz.Hosts{Protocol: piskvork.Protocol(), Cases: []hostfuzz.Case{
		{Spec: "gomoku:size=7,rule=freestyle"},
		{Spec: "gomoku:opening=swap2"},
		{Spec: "gomoku:size=9,rule=renju", Dialect: map[string]string{"yixin": "true", "rules": "yixin"}, Serve: map[string]string{"rules": "yixin"}},
		{Spec: "gomoku:size=7,rule=standard", Dialect: map[string]string{"strict": "true", "turn": "board", "newgame": "restart"}},
	}}.Fuzz(f)
}

// FuzzChecks tests engines that may answer anything.
func FuzzChecks(f *testing.F) {
	hostfuzz.Hosts{Protocol: piskvork.Protocol(), Cases: []hostfuzz.Case{{Spec: "gomoku:opening=swap2"}}}.FuzzChecks(f)
}
