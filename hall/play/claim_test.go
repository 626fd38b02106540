package play

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"kibitz/game"
	"kibitz/hall/bus"
	"kibitz/hall/bus/bustest"
	"kibitz/hall/store"
)

// judged is a verifier that says the same of every record.
type judged struct {
	err       error
	positions []store.Position
	plays     []bus.Play
}

func (j *judged) Verify(_ context.Context, play *bus.Play, _ *bus.Result) ([]store.Position, error) {
	j.plays = append(j.plays, *play)
	return j.positions, j.err
}

// refusals are what the audit log says of results.
func (x *playsTest) refusals() (list []store.Entry) {
	x.Helper()
	if err := x.store.View(x.Context(), func(tx store.Tx) (err error) {
		list, err = tx.Audit(store.AuditQuery{Action: ResultRefused})
		return err
	}); err != nil {
		x.Fatal(err)
	}
	return list
}

// A result with impossible figures does not count: the game is handed out anew, and the
// audit log says why.
func TestImpossibleResults(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*bus.Result)
		why    string
	}{
		"points":        {func(r *bus.Result) { r.Result.Points[0] = 1e300 }, "no points"},
		"both win":      {func(r *bus.Result) { r.Result.Points = [2]float64{1, 1} }, "no points"},
		"nobody":        {func(r *bus.Result) { r.Result.Points = [2]float64{} }, "no points"},
		"negative":      {func(r *bus.Result) { r.Result.Points = [2]float64{2, -1} }, "no points"},
		"won abort":     {func(r *bus.Result) { r.Result.Reason = game.ByAbort }, "no points"},
		"board":         {func(r *bus.Result) { r.Result.HasBoard, r.Result.Board[1] = true, 1e300 }, "no score"},
		"ended in 2126": {func(r *bus.Result) { r.Ended = r.Ended.AddDate(100, 0, 0) }, "2126"},
		"ended before":  {func(r *bus.Result) { r.Ended = r.Ended.AddDate(-1, 0, 0) }, "2025"},
		"no end":        {func(r *bus.Result) { r.Ended = time.Time{} }, "0001"},
		"long thought":  {func(r *bus.Result) { r.Seconds[1] = 86400 }, "second seat used 86400"},
		"less than no":  {func(r *bus.Result) { r.Seconds[0] = -1 }, "first seat used -1"},
		"plies":         {func(r *bus.Result) { r.Plies = -1 }, "-1 plies"},
	} {
		t.Run(name, func(t *testing.T) {
			x := newPlaysTest(t)
			x.add("g", nil)
			x.begin("g")
			r := bustest.Win("g", 1)
			c.change(&r)
			x.result(r)
			if g := x.game("g"); g.State != store.Queued || len(x.ratings()) != 0 {
				t.Errorf("the game is %s, ratings %v", g.State, x.ratings())
			}
			list := x.refusals()
			if len(list) != 1 || list[0].Subject != "g" || !strings.Contains(list[0].Detail, c.why) || !strings.Contains(list[0].Detail, "worker w:") {
				t.Errorf("audit %+v, want %q", list, c.why)
			}
			if p := x.begin("g"); p == nil || p.Attempt != 2 {
				t.Error("the game is not handed out anew")
			}
			x.result(bustest.Win("g", 2))
			if x.game("g").State != store.Over {
				t.Error("a right result of the next attempt does not count")
			}
		})
	}
}

// Whoever does not have the attempt ends nothing, and disturbs nobody: the right worker's
// result counts, also when the game was thought lost meanwhile.
func TestResultOfAnotherWorker(t *testing.T) {
	x := newPlaysTest(t)
	x.p.cfg.Gone = func(string) bool { return true }
	x.add("g", nil)
	x.begin("g")
	other := func() {
		t.Helper()
		was := x.game("g")
		for _, r := range []bus.Result{bustest.Win("g", 1), {Game: "g", Attempt: 1, Fault: "x"}, {Game: "g", Attempt: 1, Parked: true}} {
			r.Worker = "thief"
			x.result(r)
		}
		if g := x.game("g"); g.State != was.State || g.Attempt != 1 || string(g.Job) != string(was.Job) {
			t.Fatalf("another worker changes the game: %+v", g)
		}
	}
	other()
	x.sweep(NewReaper(x.p))
	if x.game("g").State != store.Queued {
		t.Fatal("the worker is gone")
	}
	other()
	if list := x.refusals(); len(list) != 6 || !strings.Contains(list[0].Detail, "worker thief: it is from worker thief, which does not have the attempt: w has it") {
		t.Errorf("audit %+v", list)
	}
	x.result(bustest.Win("g", 1))
	if g := x.game("g"); g.State != store.Over || g.Result.Winner() != game.First {
		t.Errorf("%+v", g)
	}
}

// A record counts when it was played by the rules; one that does not bear out the result
// is refused, and after three the game is given up.
func TestRecordsAreVerified(t *testing.T) {
	x := newPlaysTest(t)
	v := &judged{err: errors.New("its record is not legal: decision 3, a1: taken")}
	x.p.cfg.Verify = v
	x.add("bad", nil)
	x.add("good", func(g *store.Game, _ *bus.Play) { g.Index = 1 })
	for i := 1; i <= maxFaults; i++ {
		x.begin("bad")
		x.result(bustest.Win("bad", i))
	}
	if g := x.game("bad"); g.State != store.Aborted || !strings.Contains(g.Note, "a result was refused: its record is not legal") {
		t.Errorf("%+v", g)
	}
	if len(v.plays) != maxFaults || v.plays[0].Game != "bad" || v.plays[2].Attempt != 3 || len(v.plays[0].Seed) != 32 {
		t.Errorf("what was to be played: %+v", v.plays)
	}
	v.err, v.positions = nil, []store.Position{{Key: 7}, {Key: 8, Ply: 1}}
	play := x.begin("good")
	x.now = x.now.Add(time.Minute)
	r := bustest.Win("good", 1)
	r.Ended = x.now.Add(clockSkew) // the worker's clock is ahead
	x.result(r)
	g := x.game("good")
	if g.State != store.Over || !g.Ended.Equal(x.now) {
		t.Errorf("%+v", g)
	}
	if last := v.plays[maxFaults]; string(last.Seed) != string(play.Seed) || last.Commitment != play.Commitment {
		t.Error("verified against another shuffle than was dealt")
	}
	var page store.GamePage
	if err := x.store.View(t.Context(), func(tx store.Tx) (err error) {
		page, err = tx.FindGames(store.GameQuery{Position: 8, HasPosition: true})
		return err
	}); err != nil || len(page.Games) != 1 {
		t.Errorf("%v %v", page, err)
	}
}

// Who was not given the job of a game begins nothing, nor who was given it once more while
// the worker that plays the game lives.
func TestBeginNeedsTheLease(t *testing.T) {
	x := newPlaysTest(t)
	x.add("g", nil)
	x.p.Publish(t.Context(), "g")
	ticket := x.w.jobs[0].Ticket
	try := func(worker string, try int, ticket string) (*bus.Play, string) {
		t.Helper()
		b, err := x.p.Begin(t.Context(), bus.Begin{Game: "g", Worker: worker, Try: try, Ticket: ticket})
		var refused *bus.AskError
		if err != nil && !errors.As(err, &refused) {
			t.Fatal(err)
		}
		if refused == nil {
			return b.Play, ""
		}
		return b.Play, refused.Code
	}
	for _, wrong := range []string{"", "0", strings.Repeat("0", len(ticket)), ticket + "0"} {
		if play, code := try("thief-x", 0, wrong); play != nil || code != bus.CodeNoLease {
			t.Errorf("ticket %q: %v, %q", wrong, play, code)
		}
	}
	if g := x.game("g"); g.State != store.Queued || g.Attempt != 0 {
		t.Errorf("%+v", g)
	}
	if play, code := try("ann-x", 0, ticket); play == nil || code != "" {
		t.Fatal(play, code)
	}
	x.w.workers = []bus.Worker{{ID: "ann-x", Games: []string{"f", "g"}}, {ID: "bob-x"}}
	if play, code := try("bob-x", 0, ticket); play != nil || code != "held" {
		t.Errorf("a game is taken from a worker that plays it: %v, %q", play, code)
	}
	if play, _ := try("ann-x", 0, ticket); play == nil || play.Attempt != 2 {
		t.Error("a worker that lost the answer cannot ask again")
	}
	x.w.workers[0].Games = []string{"f"}
	if play, _ := try("bob-x", 0, ticket); play == nil || play.Attempt != 3 {
		t.Error("a game that its worker does not play any more is not begun")
	}
	// The next job has a ticket of its own.
	x.result(bus.Result{Game: "g", Attempt: 3, Worker: "bob-x", Fault: "broken"})
	if len(x.w.jobs) != 2 || x.w.jobs[1].Ticket == ticket {
		t.Fatalf("jobs %+v", x.w.jobs)
	}
	if play, code := try("ann-x", 1, ticket); play != nil || code != bus.CodeNoLease {
		t.Errorf("the ticket of an earlier job: %v, %q", play, code)
	}
	if play, _ := try("eve-x", 1, x.w.jobs[1].Ticket); play == nil {
		t.Error("the latest job begins nothing")
	}
	holder := Holder(x.store)
	if attempt, worker, err := holder(t.Context(), "g"); err != nil || attempt != 4 || worker != "eve-x" {
		t.Error(attempt, worker, err)
	}
	if attempt, worker, err := holder(t.Context(), "none"); err != nil || attempt != 0 || worker != "" {
		t.Error(attempt, worker, err)
	}
}
