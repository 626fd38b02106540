package server

import (
	"strings"
	"testing"
)

// A form that was not taken comes back with all that was typed, and with what was wrong
// beside the field that is meant.
func TestFormsKeepWhatWasTyped(t *testing.T) {
	h := withPages(t)
	ann := h.register("ann")
	for _, tt := range []struct {
		name, path string
		status     int
		fields     []string
		has, not   []string
	}{
		{
			"a tournament with a line that is no engine", "/tournaments", 422,
			[]string{"game", "othello", "format", "gauntlet", "games", "4", "each", "tc=5+1", "engines", "bot=1 name=Ann\nnonsense", "late", "on", "name", "Winter <Cup>"},
			[]string{
				`<option value="gauntlet" selected="">`, `name="games" type="number" min="1" max="1000" value="4"`,
				`value="tc=5+1"`, ">bot=1 name=Ann\nnonsense</textarea>", `name="late" checked=""`, `value="Winter &lt;Cup&gt;"`,
				`<span class="field-fault" id="fault-engines" role="alert" lang="en">engine`, `aria-describedby="fault-engines"`, `<details class="panel" open="">`,
			},
			[]string{`name="open" checked`, `class="detail"`},
		},
		{
			"a room with a clock that is none", "/rooms", 422,
			[]string{"game", "connect6", "clock", "5 min", "games", "3", "undo", "on", "access", "private"},
			[]string{`<option value="connect6" selected="">`, `value="5 min"`, `<span class="field-fault" id="fault-clock" role="alert">Write minutes + seconds a move`, `<option value="private" selected="">`, `name="undo" checked=""`},
			[]string{`name="rated" checked`, `class="detail"`},
		},
	} {
		body := h.say(ann, tt.path, tt.status, tt.fields...).body
		for _, want := range tt.has {
			if !strings.Contains(body, want) {
				t.Errorf("%s: the page lacks %s", tt.name, want)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(body, not) {
				t.Errorf("%s: the page has %s", tt.name, not)
			}
		}
		if t.Failed() {
			_, main, _ := strings.Cut(body, "<main")
			t.Log(main)
		}
	}
	room := h.say(ann, "/rooms", 303, "game", "othello", "access", "listed").head.Get("Location")
	body := h.say(ann, room+"/do", 422, "do", "set", "clock", "5 min", "name", "Our room", "games", "7", "access", "listed").body
	for _, want := range []string{`value="Our room"`, `value="5 min"`, `id="fault-clock"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the settings of a room: the page lacks %s", want)
		}
	}
}
