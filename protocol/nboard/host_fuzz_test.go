package nboard_test

import (
	"testing"

	"kibitz/internal/hostfuzz"
	"kibitz/protocol/nboard"
)

// FuzzHost plays games against engines that may answer anything.
func FuzzHost(f *testing.F) {
	hostfuzz.Hosts{Protocol: nboard.Protocol(), Cases: []hostfuzz.Case{
		{Spec: nboard.GameID},
		{Spec: nboard.GameID, Dialect: map[string]string{"version": "1"}},
		{Spec: nboard.GameID, Dialect: map[string]string{"timemode": "movenow", "stateless": "true"}},
		{Spec: nboard.GameID, Dialect: map[string]string{"timemode": "clock", "evalscale": "64"}},
	}}.Fuzz(f)
}

// FuzzChecks tests engines that may answer anything.
func FuzzChecks(f *testing.F) {
	hostfuzz.Hosts{Protocol: nboard.Protocol(), Cases: []hostfuzz.Case{{Spec: nboard.GameID}}}.FuzzChecks(f)
}
