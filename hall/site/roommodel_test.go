package site

import (
	"testing"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/web/words"
)

// Pages have words for each reason of an end, and of a wait.
func TestWhyWords(t *testing.T) {
	set, err := words.Open()
	if err != nil {
		t.Fatal(err)
	}
	c := set.Choose("en", "")
	for group, codes := range map[string][]game.WhyCode{
		"ending.": {bus.WhyNobody, bus.WhyAway, bus.WhyLeft, bus.WhyHost, bus.WhyPlayers, bus.WhyStart, bus.WhyFault},
		"waits.":  {bus.WhyEngine, bus.WhyQueue, bus.WhyWorker},
	} {
		for _, code := range codes {
			if !c.Has(group + string(code)) {
				t.Errorf("there are no words for %s%s", group, code)
			}
		}
	}
}
