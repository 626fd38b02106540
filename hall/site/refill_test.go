package site

import (
	"strings"
	"testing"

	"kibitz/hall/problem"
	"kibitz/hall/web/pages"
	"kibitz/hall/web/words"
)

// Every fault stands beside the field that its pointer names, one of no field above the page.
func TestFaultsBesideFields(t *testing.T) {
	page := `<html><head></head><body><p class="notice fault" role="alert">x <span class="detail">all</span></p><form action="/tournaments"><input name="points"/><input name="seeds"/>` +
		`<textarea name="engines"></textarea></form></body></html>`
	set, e := words.Open()
	if e != nil {
		t.Fatal(e)
	}
	en := set.Choose("en", "")
	err := &problem.FormError{Faults: []problem.Fault{{Pointer: "#/engines/1", Detail: "no engine"}, {Pointer: "#/seeds", Detail: "seeds: no"}}}
	got := string(refill([]byte(page), "/tournaments", nil, fieldFaults(en, err, ofForm)))
	for _, want := range []string{
		`aria-describedby="fault-seeds" autofocus=""/><span class="field-fault" id="fault-seeds" role="alert" lang="en">seeds: no</span>`,
		`<span class="field-fault" id="fault-engines">` + en.Text("field.engine") + `</span>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %s\n%s", want, got)
		}
	}
	if n := strings.Count(got, "role="); n != 1 {
		t.Errorf("%d parts of the page are read aloud: %s", n, got)
	}
	if strings.Contains(got, "fault-points") || strings.Contains(got, `class="detail"`) {
		t.Error(got)
	}
	err.Faults = []problem.Fault{{Pointer: "#/draw", Detail: "draw: no"}, {Pointer: "#/points", Detail: "no"}}
	if got = string(refill([]byte(page), "/tournaments", nil, fieldFaults(en, err, ofForm))); !strings.Contains(got, `class="detail"`) {
		t.Errorf("the fault of no field is lost: %s", got)
	}
	if got = string(refill([]byte(page), "/elsewhere", nil, nil)); !strings.Contains(got, `<p class="notice fault" role="alert">`) {
		t.Errorf("a notice beside no field is not read: %s", got)
	}
	stage := strings.Replace(page, `role="alert"`, `data-aloud="now"`, 1)
	if got = string(refill([]byte(stage), "/tournaments", nil, fieldFaults(en, err, ofForm))); !strings.Contains(got, `id="fault-points" data-aloud="now"`) ||
		strings.Contains(got, "role=") || strings.Count(got, "data-aloud") != 1 {
		t.Errorf("a page with a board has a live region more: %s", got)
	}
	page, err.Faults = `<form action="/rooms"><input name="clock"/></form>`, nil
	cs := set.Choose("cs", "")
	for _, pointer := range []string{"#/settings/clocks/0", "#/each"} {
		err.Faults = []problem.Fault{{Pointer: pointer, Detail: `"min" is no key=value`}}
		got = string(refill([]byte(page), "/rooms", nil, fieldFaults(cs, err, ofForm)))
		if want := `role="alert">` + cs.Text("field.clock") + `</span>`; !strings.Contains(got, want) || strings.Contains(got, "key=value") {
			t.Errorf("a clock at %s: the page lacks %s\n%s", pointer, want, got)
		}
	}
}

// What was chosen is chosen again, also where an option names no value beside its text.
func TestChosenAgain(t *testing.T) {
	const page = `<form action="/tournaments"><select name="points"><option value="">1/½/0</option><option>2/1/0</option><option>3/1/0</option></select></form>`
	for sent, want := range map[string]string{"": `<option value="" selected="">`, "2/1/0": `<option selected="">2/1/0`, "3/1/0": `<option selected="">3/1/0`} {
		got := string(refill([]byte(page), "/tournaments", map[string][]string{"points": {sent}}, nil))
		if !strings.Contains(got, want) || strings.Count(got, "selected") != 1 {
			t.Errorf("%q: %s", sent, got)
		}
	}
}

// The fault of a group stands below its name, not in the label of the first that can be chosen.
func TestFaultOfAGroup(t *testing.T) {
	const page = `<form action="/play"><fieldset><legend>With</legend><label><input type="radio" name="with" value="engine"/>an engine</label></fieldset></form>`
	got := string(refill([]byte(page), "/play", nil, []pages.FieldFault{{Field: "with", Text: "too many"}}))
	if !strings.Contains(got, `</legend><span class="field-fault" id="fault-with" role="alert">too many</span><label>`) {
		t.Error(got)
	}
}

// What was typed as a password is not sent back.
func TestNoSecretIsSentBack(t *testing.T) {
	secret := refill([]byte(`<form action="/login"><input type="password" name="password"></form>`), "/login", map[string][]string{"password": {"hush"}}, nil)
	if strings.Contains(string(secret), "hush") {
		t.Errorf("a password is sent back: %s", secret)
	}
}
