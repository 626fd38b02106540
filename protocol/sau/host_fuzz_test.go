package sau_test

import (
	"testing"

	"kibitz/internal/hostfuzz"
)

// FuzzHost plays games against engines that may answer anything.
func FuzzHost(f *testing.F) {
	hostfuzz.Hosts{Protocol: forms.Protocol(), Cases: []hostfuzz.Case{
		{Spec: "amazons"},
		{Spec: "phantomgo:size=5,maxplies=40"},
		{Spec: "connect6"},
		{Spec: "nogo"},
		{Spec: "dotsandboxes"},
		{Spec: "surakarta"},
		{Spec: "amazons", Dialect: map[string]string{"transpose": "true", "scan": "any", "end": "winner"}, Serve: map[string]string{"transpose": "true"}},
	}}.Fuzz(f)
}

// FuzzChecks tests engines that may answer anything.
func FuzzChecks(f *testing.F) {
	hostfuzz.Hosts{Protocol: forms.Protocol(), Cases: []hostfuzz.Case{{Spec: "phantomgo:size=5"}}}.FuzzChecks(f)
}
