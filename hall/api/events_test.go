package api

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// The examples of the description are what the types of the events say: an event that scripts
// read has an example, and no field of it is unknown.
func TestEventsAreWhatTheExamplesSay(t *testing.T) {
	examples := streamExamples()
	for route, events := range map[string]any{
		"game-events": gameEvents{}, "games-events": gameEvents{}, "console-events": consoleEvents{}, "analyse": analysisEvents{},
	} {
		kinds := map[string]reflect.Type{}
		for f := range reflect.TypeOf(events).Fields() {
			kinds[f.Tag.Get("json")] = f.Type
		}
		for _, x := range examples[route] {
			kind, ok := kinds[x.event]
			if !ok {
				t.Errorf("%s sends %s, which is no event of %T", route, x.event, events)
				continue
			}
			d := json.NewDecoder(bytes.NewReader([]byte(x.data)))
			d.DisallowUnknownFields()
			if err := d.Decode(reflect.New(kind).Interface()); err != nil {
				t.Errorf("%s of %s: %v", x.event, route, err)
			}
		}
	}
}
