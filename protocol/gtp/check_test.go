package gtp_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot"
	"kibitz/bot/gomoku"
	"kibitz/link"
	"kibitz/link/linktest"
	"kibitz/protocol"
	"kibitz/protocol/gtp"
)

// TestChecksOnOwnEngine holds the engine side to every requirement and every piece
// of advice.
func TestChecksOnOwnEngine(t *testing.T) {
	const spec = "gomoku:rule=freestyle,size=15"
	dial := func(ctx context.Context) (link.Conn, error) {
		ours, theirs := link.Pipe()
		go func() {
			p := gomoku.New(bot.Options{Level: 2, Now: time.Now})
			_ = gtp.Serve(context.WithoutCancel(ctx), theirs, protocol.Server{Player: p, Position: board(), Now: time.Now, Name: "Own", Version: "1", Game: spec})
			_ = theirs.Close()
			_ = p.Close()
		}()
		return ours, nil
	}
	protocol.RunChecks(t.Context(), protocol.Config{Dial: dial, Now: time.Now}, time.Second, gtp.Checks(spec), func(f protocol.Finding) {
		if f.Check.Requirement == "" || f.Check.Source == "" {
			t.Errorf("%+v", f.Check)
		}
		if !f.Held() {
			t.Errorf("%s: %v\n%s", f.Check.ID, f.Err, strings.Join(f.Lines, "\n"))
		}
	})
}

// TestChecksOnScripts runs single checks against engines that breach them, and
// against some that do right in an unusual way (want is empty).
func TestChecksOnScripts(t *testing.T) {
	const ready = "> boardsize 8\n< =\n> clear_board\n< =\n> time_settings 0 1 1\n< ? unknown command\n"
	for _, tt := range []struct{ id, script, want string }{
		{"protocol", "> protocol_version\n< = 1\n", `was answered by "1"`},
		{"name", "> name\n< = E\n> version\n< ? unknown command\n", "? unknown command"},
		{"name", "> name\n!exit 3\n", "the engine ended (exit status 3)"},
		{"list", "> list_commands\n<\"= play\\ngenmove\\nquit\\n\\n\"\n", "clear_board is not in the list"},
		{"list", "> list_commands\n<\"= play\\ngenmove\\nclear_board\\nquit\\n\\n\"\n", ""},
		{"known", "> known_command genmove\n< = true\n> known_command kibitzcheck\n< = true\n", `"true"`},
		{"unknown", "> kibitzcheck\n< =\n", "accepted"},
		{"ids", "> 17 name\n< = 17 E\n", "does not begin with =17"},
		{"ids", "> 17 name\n<\"=17 E\\n\\n\"\n> name\n<\"=17 E\\n\\n\"\n", "without a number carries one"},
		{"ids", "> 17 name\n<\"=17 E\\n\\n\"\n> name\n<\"= E\\n\\n\"\n", ""},
		{"genmove", ready + "> genmove b\n< = e3\n", "no legal first move"},
		{"genmove", ready + "> genmove b\n< = z9\n", `answered by "z9"`},
		{"genmove", ready + "> genmove b\n< thinking\n< = D3\n", ""},
		{"play", ready + "> play b f5\n< =\n> play w d6\n< =\n> play b f5\n< =\n", "second stone"},
		{"game", ready + "> genmove b\n< = f5\n> genmove w\n~ 31s\n", "move 2: no reply"},
		{"clear", ready + "> genmove b\n!exit 1\n", "skipped"},
		{"undo", ready + "> play b f5\n< =\n> undo\n< ? cannot undo\n", "? cannot undo"},
		{"comments", ">...\n> name # another\n< ? unknown command\n", "answered by ?"},
		{"quit", "> quit\n< =\n~ 3s\n", "still runs"},
		{"quit", "> quit\n< =\n!exit 0\n", ""},
	} {
		t.Run(tt.id, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := one(t, gtp.Checks("othello"), tt.id, tt.script)
				if f.Held() != (tt.want == "") || f.Err != nil && !strings.Contains(f.Err.Error(), tt.want) {
					t.Errorf("%v, want %q\n%s", f.Err, tt.want, strings.Join(f.Lines, "\n"))
				}
			})
		})
	}
}

// one runs a single check against a scripted engine.
func one(t *testing.T, list []protocol.Check, id, script string) (found protocol.Finding) {
	t.Helper()
	for _, c := range list {
		if c.ID == id {
			cfg := protocol.Config{Dial: linktest.Dialer(t, script), Now: time.Now}
			protocol.RunChecks(t.Context(), cfg, time.Second, []protocol.Check{c}, func(f protocol.Finding) { found = f })
			return found
		}
	}
	t.Errorf("there is no check %q", id)
	return found
}
