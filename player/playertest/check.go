package playertest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/games"
	"kibitz/link"
	"kibitz/link/linktest"
	"kibitz/player"
	"kibitz/protocol"
	"kibitz/rules"
)

// Served returns a dialer to the engine side of a protocol, which answers in this
// process with a server of its own for each connection. Its player is closed when it
// has nobody to answer.
func Served(serve func(context.Context, link.Conn, protocol.Server) error, server func() protocol.Server) link.Dialer {
	return func(ctx context.Context) (link.Conn, error) {
		ours, theirs := link.Pipe()
		go func() {
			s := server()
			_ = serve(context.WithoutCancel(ctx), theirs, s)
			_ = theirs.Close()
			_ = s.Player.Close()
		}()
		return ours, nil
	}
}

// BoardOf returns a board of the game of a specification, as checks are given one.
func BoardOf(t testing.TB, spec game.Spec) player.Position {
	t.Helper()
	r, err := games.OpenSpec(spec)
	if err != nil {
		t.Fatal(err)
	}
	return rules.BoardOf(r)
}

// CheckAll runs checks against an engine that does everything right: none may find a
// fault. It returns how many requirements were held; the others were skipped.
func CheckAll(t *testing.T, c protocol.Config, patience time.Duration, list []protocol.Check) (held int) {
	t.Helper()
	seen := map[string]bool{}
	protocol.RunChecks(t.Context(), c, patience, list, func(f protocol.Finding) {
		if seen[f.Check.ID] || f.Check.Requirement == "" || f.Check.Source == "" {
			t.Errorf("a check without requirement or source, or the second of its name: %+v", f.Check)
		}
		seen[f.Check.ID] = true
		switch {
		case f.Held():
			held++
		case !f.Skipped():
			t.Errorf("%s: %v\n%s", f.Check.ID, f.Err, strings.Join(f.Lines, "\n"))
		}
	})
	return held
}

// CheckScript runs the check of that name against an engine that plays a script of
// package linktest, and plays it again if the check looks twice.
func CheckScript(t *testing.T, list []protocol.Check, id, script string) (found protocol.Finding) {
	t.Helper()
	i := slices.IndexFunc(list, func(c protocol.Check) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("there is no check %q", id)
	}
	c := protocol.Config{Dial: linktest.Dialer(t, script, script), Now: time.Now}
	protocol.RunChecks(t.Context(), c, time.Second, list[i:i+1], func(f protocol.Finding) { found = f })
	return found
}
