package dctp_test

import (
	"testing"

	"kibitz/internal/hostfuzz"
	"kibitz/protocol/dctp"
)

// FuzzHost plays games against engines that may answer anything.
func FuzzHost(f *testing.F) {
	hostfuzz.Hosts{Protocol: dctp.Protocol(), Cases: []hostfuzz.Case{
		{Spec: "darkchess"},
		{Spec: "darkchess", Dialect: map[string]string{"settings": "on", "hello": "off"}},
	}}.Fuzz(f)
}

// FuzzChecks tests engines that may answer anything.
func FuzzChecks(f *testing.F) {
	hostfuzz.Hosts{Protocol: dctp.Protocol(), Cases: []hostfuzz.Case{{Spec: "darkchess"}}}.FuzzChecks(f)
}
