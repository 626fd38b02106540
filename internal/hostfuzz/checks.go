package hostfuzz

import (
	"context"
	"fmt"
	"testing"
	"time"

	"kibitz/games"
	"kibitz/protocol"
	"kibitz/rules"
)

// FuzzChecks is the target for what engines of the protocol are checked for: each
// check ends with a finding that is fit to be shown.
func (h Hosts) FuzzChecks(f *testing.F) {
	for i := range h.Cases {
		for k := range h.checks(f, i) {
			if k%3 != 0 {
				continue // their waits are real: the fuzzer gives the words to the others
			}
			r := &recorder{hosts: h, c: h.Cases[i]}
			h.check(f, r, time.Now, i, k)
			r.wg.Wait()
			f.Add(r.script.Bytes(), uint8(i), uint8(k), false)
		}
	}
	f.Fuzz(func(t *testing.T, script []byte, which, check uint8, silent bool) {
		if len(script) > 1<<16 {
			return
		}
		late := time.AfterFunc(budget, func() { panic(fmt.Sprintf("the check hangs: case %d, check %d, %q", which, check, script)) })
		defer late.Stop()
		i := int(which) % len(h.Cases)
		e := &engine{script: script, silent: silent, plain: h.Plain}
		h.check(t, e, e.now, i, int(check)%len(h.checks(t, i)))
	})
}

func (h Hosts) checks(t testing.TB, i int) []protocol.Check {
	t.Helper()
	r, err := games.OpenSpec(h.Cases[i].Spec)
	if err != nil {
		t.Fatal(err)
	}
	list := h.Protocol.Checks(rules.BoardOf(r))
	if len(list) == 0 {
		t.Fatalf("case %d: there is nothing to check", i)
	}
	return list
}

// check has an engine tested for one requirement.
func (h Hosts) check(t testing.TB, e dialler, now func() time.Time, i, k int) {
	t.Helper()
	c := protocol.Config{
		Name: "Engine", Dial: e.dial, Now: now, Dialect: h.Cases[i].Dialect,
		StartLimit: patience, ReplyLimit: patience,
	}
	found := 0
	protocol.RunChecks(context.Background(), c, patience, h.checks(t, i)[k:k+1], func(f protocol.Finding) {
		found++
		if f.Err != nil {
			oneLine(t, "the finding of "+f.Check.ID, f.Err.Error())
		}
		for _, l := range f.Lines {
			oneLine(t, "a line of "+f.Check.ID, l)
		}
	})
	if found != 1 {
		t.Errorf("%d findings of one check", found)
	}
}

// patience is how long checks wait for an answer.
const patience = 25 * time.Millisecond
