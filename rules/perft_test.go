package rules_test

import (
	"strings"
	"testing"

	"kibitz/rules"
)

func TestParseCounter(t *testing.T) {
	for text, want := range map[string]rules.Counter{
		"":                {},
		"steps":           {Steps: true},
		"sets, ends":      {Sets: true, Ends: true},
		"freepass nopass": {FreePass: true, NoPass: true},
		"nochance\tsteps": {NoChance: true, Steps: true},
	} {
		if got, err := rules.ParseCounter(text); err != nil || got != want {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
	if _, err := rules.ParseCounter("steps stops"); err == nil || !strings.Contains(err.Error(), `"stops"`) {
		t.Errorf("error %v does not quote the word", err)
	}
}

func FuzzParseCounter(f *testing.F) {
	f.Add("steps,sets ends")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := rules.ParseCounter(text)
		if err == nil && c == (rules.Counter{}) && strings.Trim(text, " ,\t") != "" {
			t.Errorf("%q is read as nothing", text)
		}
	})
}
