package match_test

import (
	"context"
	"fmt"
	"testing"

	"kibitz/match"
	"kibitz/player"
)

// talker is a player that says too much in some of its turns, and has before.
type talker struct {
	*fake
	floods int64
	often  bool
}

func (f *talker) Choose(ctx context.Context, p *player.Prompt) (player.Answer, error) {
	if f.often || f.prompts == 1 {
		f.floods++
	}
	return f.fake.Choose(ctx, p)
}

func (f *talker) Floods() int64 { return f.floods }

// A flood is told once, at the end of the game, and those of games before are not.
func TestFloodsAreTold(t *testing.T) {
	quiet := &talker{fake: &fake{}, floods: 7}
	loud := &talker{fake: &fake{}, often: true}
	o := match.Play(t.Context(), newGame(quiet, loud))
	want := []string{
		"A: printed more between two commands than its log keeps, once",
		fmt.Sprintf("B: printed more between two commands than its log keeps, %d times", loud.floods),
	}
	if o.Result.Reason != "full" || fmt.Sprint(o.Warnings) != fmt.Sprint(want) {
		t.Errorf("%+v, want %q", o, want)
	}
}
