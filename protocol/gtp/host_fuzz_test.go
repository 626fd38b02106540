package gtp_test

import (
	"testing"

	"kibitz/internal/hostfuzz"
)

// FuzzHost plays games against engines that may answer anything.
func FuzzHost(f *testing.F) {
	hostfuzz.Hosts{Protocol: forms.Protocol(), Cases: []hostfuzz.Case{
		{Spec: "nogo:size=4"},
		{Spec: "othello"},
		{Spec: "phantomgo:size=3"},
		{Spec: "connect6:size=6"},
		{Spec: "amazons", Dialect: map[string]string{"turn": "points", "ids": "on"}, Serve: map[string]string{"turn": "points"}},
		{Spec: "gomoku:size=7,rule=freestyle", Dialect: map[string]string{"time": "always", "letters": "all"}, Serve: map[string]string{"letters": "all"}},
		{Spec: "connect6:size=6", Dialect: map[string]string{"turn": "alternate"}, Serve: map[string]string{"turn": "alternate"}},
	}}.Fuzz(f)
}

// FuzzChecks tests engines that may answer anything.
func FuzzChecks(f *testing.F) {
	hostfuzz.Hosts{Protocol: forms.Protocol(), Cases: []hostfuzz.Case{{Spec: "nogo:size=4"}, {Spec: "phantomgo:size=3"}}}.FuzzChecks(f)
}
