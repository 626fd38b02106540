package gtp_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kibitz/bot"
	botamazons "kibitz/bot/amazons"
	botconnect6 "kibitz/bot/connect6"
	"kibitz/bot/gomoku"
	botnogo "kibitz/bot/nogo"
	botphantomgo "kibitz/bot/phantomgo"
	"kibitz/game"
	"kibitz/player"
	"kibitz/player/playertest"
	"kibitz/protocol"
)

// TestChecksOnOwnEngine holds the engine side to every requirement and every piece
// of advice.
func TestChecksOnOwnEngine(t *testing.T) {
	for _, tt := range []struct {
		spec game.Spec
		bot  func(bot.Options) player.Player
		turn string
	}{
		{"gomoku:rule=freestyle,size=15", gomoku.New, ""},
		{"nogo", botnogo.New, ""},
		{"connect6", botconnect6.New, "whole"},
		{"connect6", botconnect6.New, "points"},
		{"amazons", botamazons.New, "whole"},
		{"amazons", botamazons.New, "alternate"},
		{"phantomgo", botphantomgo.New, ""},
	} {
		// Thinking takes no time by the test's clock, on a busy machine either.
		own := func(t *testing.T) {
			dialect := map[string]string{}
			if tt.turn != "" {
				dialect["turn"] = tt.turn
			}
			dial := playertest.Served(forms.Serve, func() protocol.Server {
				return protocol.Server{
					Player: tt.bot(bot.Options{Level: 1, Now: time.Now}), Position: board(), Now: time.Now,
					Name: "Own", Version: "1", Game: tt.spec, Dialect: dialect, Limits: player.Limits{Nodes: 50},
				}
			})
			list := forms.Checks(playertest.BoardOf(t, tt.spec))
			c := protocol.Config{Dial: dial, Now: time.Now, Dialect: dialect}
			if n := playertest.CheckAll(t, c, time.Second, list); n != len(list) {
				t.Errorf("%d of %d requirements were held", n, len(list))
			}
		}
		t.Run(string(tt.spec)+" "+tt.turn, func(t *testing.T) { synctest.Test(t, own) })
	}
}

// TestChecksOnScripts runs single checks against engines that breach them, and
// against some that do right in an unusual way (want is empty).
func TestChecksOnScripts(t *testing.T) {
	const ready = "> boardsize 8\n< =\n> clear_board\n< =\n> time_settings 0 1 1\n< ? unknown command\n"
	connect6 := strings.Replace(ready, "8", "19", 1)
	amazons := strings.Replace(ready, "8", "10", 1)
	phantom := strings.Replace(ready, "8", "9", 1) + "> kibitz-phantom_seat b\n< =\n"
	for _, tt := range []struct{ id, script, want string }{
		{"connect6 game", connect6 + "> genmove b\n< = J10\n> genmove w\n< = K10,L11\n> genmove b\n< = K9\n> genmove b\n< = K8,\n> genmove w\n< = resign\n", ""},
		{"connect6 game", connect6 + "> genmove b\n< = J10,J11\n", "one point too many"},
		{"connect6 play", connect6 + "> play b j10\n< =\n> play w k10,l11\n< ? illegal move\n", "? illegal move"},
		{"connect6 undo", connect6 + "> play b j10\n< =\n> undo\n< =\n> play b j10\n< =\n", ""},
		{"amazons genmove", amazons + "> genmove b\n< = D1-D7(G7)\n", ""},
		{"amazons genmove", amazons + "> genmove b\n< = D1\n", "3 points are due"},
		{"amazons play", amazons + "> play b d1-d7-g7\n< =\n> play w d10-c9-c5\n< =\n> play b d1-d7-g7\n< =\n", "second stone on d1"},
		{"phantomgo list", "> list_commands\n<\"= genmove\\nclear_board\\nquit\\nkibitz-phantom_seat\\n\\n\"\n", "kibitz-phantom_accepted is not in the list"},
		{"phantomgo attempt", phantom + "> genmove b\n< = e5\n> kibitz-phantom_refused b e5\n< =\n> genmove b\n< = E5\n", "tried again"},
		{"phantomgo attempt", phantom + "> genmove b\n< = e5\n> kibitz-phantom_refused b e5\n< ? not mine\n", "? not mine"},
		{"phantomgo attempt", phantom + "> genmove b\n< = pass\n", "skipped"},
		{"phantomgo points", phantom + "> genmove b\n< = e7\n> kibitz-phantom_refused b e7\n< ?\n> kibitz-phantom_refused b g5\n< ?\n> kibitz-phantom_refused b e3\n< =\n> genmove b\n< = d6\n> kibitz-phantom_refused b d6\n< ?\n> kibitz-phantom_refused b d4\n< =\n" + strings.Repeat("> genmove b\n< = c5\n> kibitz-phantom_refused b c5\n< =\n", 3), "rows counted from the other end: of its attempt d6 it knows nothing, and of d4 it does"},
		{"phantomgo points", phantom + "> genmove b\n< = e5\n> kibitz-phantom_refused b e5\n< ? not now\n>~ .*\n< ?\n>~ .*\n< ?\n", "skipped"},
		{"phantomgo game", phantom + "> genmove b\n< = e5\n> kibitz-phantom_accepted b e5\n< =\n> kibitz-phantom_moved w\n< =\n> genmove b\n< = e5\n", "own stone"},
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
		{"quit", "> protocol_version\n< = 2\n> quit\n< =\n~ 3s\n", "still runs"},
		{"quit", "> protocol_version\n< = 2\n> quit\n< =\n!exit 0\n", ""},
	} {
		t.Run(tt.id, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				spec, id, found := strings.Cut(tt.id, " ")
				if !found {
					spec, id = "othello", tt.id
				}
				f := playertest.CheckScript(t, forms.Checks(playertest.BoardOf(t, game.Spec(spec))), id, tt.script)
				if f.Held() != (tt.want == "") || f.Err != nil && !strings.Contains(f.Err.Error(), tt.want) {
					t.Errorf("%v, want %q\n%s", f.Err, tt.want, strings.Join(f.Lines, "\n"))
				}
			})
		})
	}
}
