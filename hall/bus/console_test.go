package bus

import (
	"slices"
	"testing"
	"time"

	"kibitz/game"
)

// What the engine of a seat prints reaches those who listen to that seat of that game, and
// whoever comes later is given what is kept.
func TestConsole(t *testing.T) {
	b := open(t, Options{})
	got := make(chan Console, 10)
	defer must(b.SubscribeConsole("g", game.Second, func(c Console) { got <- c }))(t).Close()
	line := ConsoleLine{At: time.Unix(1, 0).UTC(), Mark: "<", Text: "hello"}
	for _, c := range []Console{
		{Game: "g", Seat: game.First, Next: 2, Lines: []ConsoleLine{line}},
		{Game: "h", Seat: game.Second, Next: 2, Lines: []ConsoleLine{line}},
		{Game: "g", Attempt: 3, Seat: game.Second, Next: 9, Lines: []ConsoleLine{line}, Over: true},
	} {
		check(t, b.PublishConsole(c))
	}
	if c := receive(t, got); c.Attempt != 3 || c.Next != 9 || !c.Over || !slices.Equal(c.Lines, []ConsoleLine{line}) {
		t.Errorf("%+v", c)
	}
	defer must(b.ServeConsole("g", game.Second, func() Console {
		return Console{Game: "g", Attempt: 3, Seat: game.Second, Next: 9, Lines: []ConsoleLine{line}}
	}))(t).Close()
	if c := must(b.AskConsole(t.Context(), "g", game.Second))(t); c.Next != 9 || !slices.Equal(c.Lines, []ConsoleLine{line}) {
		t.Errorf("%+v", c)
	}
	if err := b.PublishConsole(Console{Game: "g", Seat: game.Nobody}); err == nil {
		t.Error("nobody has a console")
	}
}
