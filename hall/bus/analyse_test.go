package bus

import (
	"context"
	"errors"
	"testing"
	"time"

	"kibitz/game"
)

// wantCode checks the code of an AskError.
func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	if own, ok := errors.AsType[*AskError](err); !ok || own.Code != code {
		t.Errorf("got %v, want an error with the code %s", err, code)
	}
}

// An analysis goes to a worker that has the engine; what it finds comes in order, and its
// error as one.
func TestAnalyse(t *testing.T) {
	b := open(t, Options{})
	ctx := limit(t, 2*time.Minute)
	q := Analysis{ID: "a", Spec: "othello", Engine: "bot=1", Lines: 1, Time: time.Second, Total: time.Minute}
	wantCode(t, b.Analyse(ctx, q, nil), AnalysisNobody)
	stop := must(b.ServeAnalyses([]string{"h1"}, 1, func(_ context.Context, q Analysis, found func(Analysed)) error {
		if len(q.Moves) > 0 {
			return errors.New("that is no move")
		}
		for ply := range 20 {
			found(Analysed{Ply: ply, Seat: game.First, Lines: []AnalysedLine{{Moves: []string{"p2,3"}, Eval: game.Eval{Unit: game.Discs, Lo: 2, Hi: 2}}}})
		}
		return nil
	}))(t)
	defer stop()
	for _, hash := range []string{"", "h1"} {
		n := 0
		q.Hash = hash
		check(t, b.Analyse(ctx, q, func(a Analysed) error {
			if a.Ply != n || a.Seat != game.First || a.Lines[0].Moves[0] != "p2,3" || a.Lines[0].Eval.Lo != 2 {
				t.Errorf("news %d were %+v", n, a)
			}
			n++
			return nil
		}))
		if n != 20 {
			t.Errorf("hash %q: heard %d news of 20", hash, n)
		}
	}
	q.Hash = "h2"
	wantCode(t, b.Analyse(ctx, q, nil), AnalysisNobody)
	q.Hash, q.Moves = "", []string{"x"}
	err := b.Analyse(ctx, q, nil)
	wantCode(t, err, AnalysisFailed)
	if err == nil || err.Error() != "that is no move" {
		t.Errorf("the worker's error came as %v", err)
	}
	enough := errors.New("enough")
	q.Moves = nil
	if err := b.Analyse(ctx, q, func(Analysed) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("the error of the listener came back as %v", err)
	}
	if err := b.Analyse(ctx, Analysis{ID: "a.b"}, nil); err == nil {
		t.Error("an identifier with a dot was taken")
	}
}

// The engine stops when whoever asked is gone, and its place is free again; until then
// others are told that there is none.
func TestAnalysisEnds(t *testing.T) {
	t.Parallel()
	b := open(t, Options{})
	began, stopped := make(chan string, 4), make(chan string, 4)
	stop := must(b.ServeAnalyses(nil, 1, func(ctx context.Context, q Analysis, found func(Analysed)) error {
		began <- q.ID
		found(Analysed{})
		<-ctx.Done()
		stopped <- q.ID
		return ctx.Err()
	}))(t)
	defer stop()
	ctx, leave := context.WithCancel(limit(t, 2*time.Minute))
	first := make(chan error, 1)
	go func() {
		first <- b.Analyse(ctx, Analysis{ID: "a", Total: time.Minute}, func(Analysed) error { return nil })
	}()
	<-began
	wantCode(t, b.Analyse(limit(t, 2*time.Minute), Analysis{ID: "b", Total: time.Minute}, nil), AnalysisBusy)
	leave()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("who left got %v", err)
	}
	if id := <-stopped; id != "a" {
		t.Errorf("%s stopped", id)
	}
	// Its time ends an analysis too, which is no error.
	check(t, b.Analyse(limit(t, 2*time.Minute), Analysis{ID: "c", Total: 50 * time.Millisecond}, func(Analysed) error { return nil }))
	if id := <-stopped; id != "c" {
		t.Errorf("%s stopped", id)
	}
}
