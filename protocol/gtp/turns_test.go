package gtp_test

import (
	"errors"
	"strings"
	"testing"

	"kibitz/clock"
	"kibitz/game"
	"kibitz/player"
	"kibitz/protocol"
)

// TestConversations plays what engines of the field say, and what is made up after
// their sources. A step is what the host is told, "? " and what it answers, or
// "undo" with the decisions that are taken back and how many of them it was told.
func TestConversations(t *testing.T) {
	for _, tt := range []struct {
		file    string
		spec    game.Spec
		seat    game.Seat
		clocks  [2]clock.Clock
		dialect map[string]string
		steps   string
		remark  string
		fails   string
	}{
		{
			file: "connect6-comma.txt", spec: "connect6", seat: game.Second,
			steps: "i10;? j10 k9 whole;j10 k9;j11 k12;? j9 k8 whole;? l19 m19 whole;l19 m19;a19 b19;? c19 whole",
		},
		{
			file: "connect6-gogui.txt", spec: "connect6",
			steps:  "? i10;i10;j10 k9;? j11;j11;? k12;k12;a19 b19;? c19;c19;undo 1 1;? d19",
			remark: "does not understand two points in one command",
		},
		{
			file: "amazons-katago.txt", spec: "amazons", clocks: minute, dialect: map[string]string{"turn": "alternate", "letters": "no-i"},
			steps: "? d1-d7 /g7 whole;d1-d7 /g7;d10-c9 /c5;? g1-g6 /j6 whole;undo 4 4;? resign",
		},
		{file: "nogo-alberta.txt", spec: "nogo", steps: "? c3;c3;g7", fails: `"play w g7" with "= illegal move"`},
		{file: "nogo-framework.txt", spec: "nogo", seat: game.Second, steps: "j9;? a1;a1;undo 2 2;j8;? resign"},
		{
			file: "phantomgo.txt", spec: "phantomgo:size=5", seat: game.Second,
			steps: "c3;? c3;c3;? a1;a1;a2;? e5;e5;b1;? pass;pass;b2;? e4;undo 2 1;? d1",
		},
	} {
		t.Run(tt.file, func(t *testing.T) {
			d := newDriver(t, tt.seat, conversation(t, tt.file), func(c *protocol.Config) { c.Dialect = tt.dialect })
			if err := d.start(tt.spec, tt.clocks, ""); err != nil {
				t.Fatal(err)
			}
			for step := range strings.SplitSeq(tt.steps, ";") {
				d.step(tt.clocks, step)
			}
			if tt.fails != "" {
				var f *player.Failure
				if _, err := d.choose(tt.clocks); !errors.As(err, &f) || f.Reason != game.ByProtocol || !strings.Contains(f.Detail, tt.fails) {
					t.Errorf("%v, want %s", err, tt.fails)
				}
			}
			if got := strings.Join(d.warn, "; "); !strings.Contains(got, tt.remark) || tt.remark == "" && got != "" {
				t.Errorf("remarks %q, want %q", got, tt.remark)
			}
			if err := d.host.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func (d *driver) step(clocks [2]clock.Clock, text string) {
	d.t.Helper()
	words := strings.Fields(text)
	switch words[0] {
	case "?":
		d.want(clocks, strings.Join(words[1:], " "))
	case "undo":
		d.back(int(words[1][0]-'0'), int(words[2][0]-'0'))
	default:
		d.tell(text)
	}
}
