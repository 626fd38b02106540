package ponder_test

import (
	"testing"

	"kibitz/internal/hostfuzz"
	"kibitz/protocol/ponder"
)

// FuzzHost plays games against engines that may answer anything.
func FuzzHost(f *testing.F) {
	hostfuzz.Hosts{Protocol: ponder.Protocol(), Plain: true, Cases: []hostfuzz.Case{{Spec: "darkchess"}}}.Fuzz(f)
}

// FuzzOldHost does so in the older of the two forms.
func FuzzOldHost(f *testing.F) {
	hostfuzz.Hosts{Protocol: ponder.Old(), Plain: true, Cases: []hostfuzz.Case{{Spec: "darkchess"}}}.Fuzz(f)
}

// FuzzChecks tests engines that may answer anything.
func FuzzChecks(f *testing.F) {
	hostfuzz.Hosts{Protocol: ponder.Protocol(), Plain: true, Cases: []hostfuzz.Case{{Spec: "darkchess"}}}.FuzzChecks(f)
}
